"""``meminbox scopes`` as a person types it, and a repository's claim at every door."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from uuid import uuid4

import pytest

from store.agents import hook_later
from store.engine import open_store
from store.location import locate
from store.project import identify
from store.scopes import set_label
from tests import hook_kit
from tests.cli_kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop", env=dict(hook_kit.NOT_OURS))


@pytest.fixture(autouse=True)
def no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook_later, "spawn", lambda *_: None)


def elsewhere(cli: Cli, folder: Path) -> Cli:
    return Cli(cli.home, folder, env=dict(hook_kit.NOT_OURS))


def by_label(cli: Cli) -> dict[str, dict[str, object]]:
    return {one["label"]: one for one in cli("scopes", "--json").json["items"]}


def test_D074_a_renamed_folder_is_an_orphan_until_it_is_attached(cli: Cli, tmp_path: Path) -> None:
    cli.approved(content="Tests run with pytest -q")
    shutil.move(cli.folder, tmp_path / "shop-api")
    new = elsewhere(cli, tmp_path / "shop-api")
    assert "pytest" not in new("context").out
    listed = new.person("scopes")
    assert "orphan" in listed.out
    assert "`meminbox scopes attach shop`" in listed.err
    assert new.person("scopes", "attach", "shop", typed="n\n").code == 1
    assert "pytest" not in new("context").out
    attached = new.person("scopes", "attach", "shop", typed="y\n")
    assert (attached.code, "1 memory from shop to this project, shop-api" in attached.err) == (0, True), attached.err
    assert attached.out == "Moved 1 entry from shop to shop-api.\n"
    assert "pytest" in new("context").out
    assert new.person("undo").code == 0
    assert "pytest" not in new("context").out
    assert new("verify").code == 0


def test_D062_a_misspelt_scope_is_answered_and_moves_nothing(cli: Cli) -> None:
    cli.approved(content="Tests run with pytest -q")
    for said in ("shpo", "*", "", "sho?"):
        ran = cli.person("scopes", "move", said, "global", "--yes")
        assert (ran.code, ran.out) == (2, ""), said
    assert by_label(cli)["shop"]["memories"] == 1
    assert "Did you mean shop?" in cli.person("scopes", "move", "shpo", "global").err


def test_D078_a_preference_of_the_project_is_moved_everywhere_only_by_a_persons_word(cli: Cli, tmp_path: Path) -> None:
    identity = cli.approved(content="From now on write in British English", kind="preference")
    other = elsewhere(cli, tmp_path / "other")
    assert "British" not in other("context").out
    assert cli.person("scopes", "move", ".", "global", identity[-6:], "--yes").code == 0
    assert "British" in other("context").out


def test_a_label_is_given_and_used_as_a_name(cli: Cli) -> None:
    cli.approved(content="Tests run with pytest -q")
    assert cli.person("scopes", "rename", ".", "Shop").out == "Renamed shop to Shop.\n"
    assert by_label(cli)["Shop"]["standing"] == "here"
    dry = cli.person("scopes", "move", "Shop", "global", "--dry-run")
    assert (dry.code, "1 memory from Shop to everywhere" in dry.err) == (0, True), dry.err
    assert cli.person("undo").out == "Undid: renamed shop to Shop.\n"
    assert list(by_label(cli)) == ["shop", "global"]


def test_no_agent_decides_on_scopes_nor_sees_another_project(cli: Cli, tmp_path: Path) -> None:
    cli.approved(content="Tests run with pytest -q")
    agent = {"CLAUDECODE": "1"}
    other = elsewhere(cli, tmp_path / "other")
    listed = other("scopes", "--json", env=agent).json["items"]
    assert [one["standing"] for one in listed] == ["here", "everywhere"]
    for said in (("attach", "shop"), ("move", "shop", "."), ("rename", "shop", "x"), ("confirm",)):
        assert other.person("scopes", *said, "--yes", env=agent).code == 2


def test_a_claim_counts_at_no_door_until_it_is_confirmed_and_at_every_door_after(cli: Cli, tmp_path: Path) -> None:
    cli.approved(content="The deploy key is rotated on Mondays")
    wanted = identify(cli.folder).identity
    claiming = elsewhere(cli, tmp_path / "clone")
    (claiming.folder / ".meminbox.toml").write_text(f'scope = "{wanted}"\nlabel = "the shop"\n')

    def given() -> set[str]:
        said = hook_kit.said("claude-code", "session-start", claiming.folder, session_id=str(uuid4()))
        hook = json.dumps(said)
        told = {
            "context": claiming("context").out,
            "profile": claiming("profile").out,
            "hook": claiming("hook", "session-start", "--agent", "claude-code", stdin=hook).out,
            "search": claiming("search", "deploy").out,
        }
        return {door for door, text in told.items() if "Mondays" in text}

    assert given() == set()
    refused = claiming.person("scopes", "confirm", typed="n\n")
    assert refused.code == 1
    assert "asks to be" in refused.err
    assert "1 memory" in refused.err
    assert given() == set()
    assert claiming.person("scopes", "confirm", typed="y\n").code == 0
    assert given() == {"context", "profile", "hook", "search"}
    claiming.propose("The office is in Kiel")
    assert {one["scope"] for one in claiming.waiting()} == {wanted}
    assert claiming.person("undo").code == 0
    assert given() == set()


def test_V14_a_hostile_scope_and_label_are_shown_and_do_nothing(cli: Cli) -> None:
    (result,) = cli.propose({"content": "Tests run with pytest -q", "scope": "evil[red]x[/red]"})
    assert result["status"] == "pending", result
    with open_store(locate(str(cli.db), {"MEMINBOX_HOME": str(cli.home)})).write() as connection:
        set_label(connection, "local", "evil[red]x[/red]", "a\u202e\x1b]52;c;eA==\x07b")
    listed = cli.person("scopes").out
    assert not {"\u202e", "\x1b", "\x07"} & set(listed)
    assert "[red]x[/red]" in listed
    assert "\x1b" not in cli("scopes", "--json").out

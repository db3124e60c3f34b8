"""``meminbox expire`` and ``check``: a dry run that names each memory, an answer that must be typed, one undo."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli_kit import Cli
from tests.git_kit import Repository, body

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "shop")
    made.date = (datetime.now(UTC) - timedelta(days=2)).isoformat()
    made.commit({f"services/{one}.py": body(one) for one in ("pay", "ship", "tax")})
    made.date = None
    return made


@pytest.fixture
def cli(tmp_path: Path, repo: Repository) -> Cli:
    return Cli(tmp_path / "home", repo.folder, {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"})


@pytest.fixture
def refactored(cli: Cli, repo: Repository) -> Cli:
    """Three memories, of which a commit has moved what one names and deleted what another does."""
    cli.approved(content="Payment is in services/pay.py", key="at.pay")
    cli.approved(content="税务在services/tax.py里", key="at.tax")
    cli.approved(content="Ask before you deploy")
    repo.move("services", "core")
    repo.commit({"core/tax.py": None})
    return cli


def test_D063_a_dry_run_names_each_and_changes_nothing(refactored: Cli, repo: Repository) -> None:
    cli = refactored
    ran = cli("expire", "--since", "HEAD~1", "--dry-run", "--json")
    assert ran.code == 0
    assert ran.json["total"] == 2
    items = {item["key"]: item for item in ran.json["items"]}
    pay, tax = items["at.pay"], items["at.tax"]
    assert (pay["content"], pay["verdict"], pay["new_path"], pay["suggested"]) == (
        "Payment is in services/pay.py", "moved", "core/pay.py", "repoint",
    )  # fmt: skip
    assert pay["commit"] == repo.git("rev-parse", "HEAD")
    assert [(one["text"], one["verdict"]) for one in tax["mentions"]] == [("services/tax.py", "gone")]
    assert (tax["verdict"], tax["new_path"], tax["suggested"]) == ("gone", None, "expire")
    people = cli("expire", "--since", "HEAD~1", "--dry-run")
    assert "{+core+}/pay.py" in people.out
    assert "1 moved, 1 gone" in people.err
    assert {one["revision"] for one in cli.memories()} == {1}


def test_applying_asks_for_both_and_has_one_undo(refactored: Cli) -> None:
    cli = refactored
    before = cli.memories()
    ran = cli.person("expire", "--since", "HEAD~1", typed="y\n1\n")
    assert ran.code == 0
    assert "Settled 2." in ran.out
    assert {one["content"] for one in cli.memories()} == {"Payment is in core/pay.py", "Ask before you deploy"}
    assert cli.person("undo").code == 0
    after = cli.memories()
    assert [one | {"revision": 0, "updated_at": ""} for one in after] == [
        one | {"revision": 0, "updated_at": ""} for one in before
    ]
    assert cli("verify").code == 0


@pytest.mark.parametrize("typed", ["n\n2\n", "\n\n", "", "n\nyes\n"])
def test_any_other_answer_changes_nothing(refactored: Cli, typed: str) -> None:
    ran = refactored.person("expire", "--since", "HEAD~1", typed=typed)
    assert "Nothing was changed." in ran.err
    assert {one["revision"] for one in refactored.memories()} == {1}


def test_applying_needs_a_persons_terminal(refactored: Cli) -> None:
    ran = refactored("expire", "--since", "HEAD~1", "--yes")
    assert ran.code == 2
    assert "terminal" in ran.err
    fenced = refactored.person("expire", "--since", "HEAD~1", "--yes", env={"CLAUDECODE": "1"})
    assert fenced.code == 2
    assert {one["revision"] for one in refactored.memories()} == {1}


def test_one_that_is_named_expires_at_once(refactored: Cli) -> None:
    ran = refactored.person("expire", "at.tax")
    assert ran.code == 0
    assert "Expired at.tax." in ran.out
    assert "at.tax" not in {one["key"] for one in refactored.memories()}
    assert refactored.person("expire", "at.tax").code == 3
    assert refactored.person("expire", "at.pay", "--path", "services").code == 2
    assert "--since REV re-points" in refactored.person("expire", "--path", "services", "--dry-run").err
    assert "re-points" not in refactored.person("expire", "--text", "pay", "--dry-run").err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--scope", "shp", "--path", "a"), "There is no scope"),
        (("--scope", "", "--path", "a"), "empty scope"),
        (("--scope", "*", "--path", "a"), "pattern"),
        (("--scope", "%", "--path", "a"), "pattern"),
        (("--path", ""), "empty path"),
        (("--path", "*"), "pattern"),
        (("--since", ""), "--since is empty"),
        (("--since", "nope"), "no revision"),
        (("--since", "2026-02-30"), "no date"),
        (("--kind", "fct", "--path", "a"), "no kind"),
        (("--agent", ""), "--agent is empty"),
        (("--confidence", "high"), "conf"),
        (("--older-than", "soon"), "--older-than"),
        ((), "every memory"),
    ],
)
def test_D062_what_is_empty_misspelt_or_wild_is_an_error_and_changes_nothing(
    refactored_once: Cli, arguments: tuple[str, ...], words: str
) -> None:
    ran = refactored_once("expire", *arguments, "--dry-run")
    assert ran.code == 2, ran.out
    assert words in ran.err


def test_D062_a_person_who_names_no_right_scope_is_told_which_there_are_and_expires_nothing(tmp_path: Path) -> None:
    cli = Cli(tmp_path / "home", tmp_path / "here")
    cli.propose("The gateway of here", {"content": "The gateway of shop-api", "scope": "shop-api"})
    cli.propose({"content": "The gateway of all", "scope": "global"})
    for one in cli.waiting():
        assert cli.person("approve", one["id"]).code == 0
    before = cli.memories()
    assert len(before) == 3
    for said in ("shop-ap", "", "*", "%", "SHOP*"):
        ran = cli.person("expire", "--scope", said, "--text", "gateway", "--yes")
        assert (ran.code, ran.out) == (2, ""), said
        assert "Nothing was changed." in ran.err
        assert ("Name one" if not said.strip() else "shop-api") in ran.err, said
    assert cli.memories() == before
    assert cli.person("expire", "--scope", "shop-api", "--text", "gateway", "--yes").code == 0
    gone = {one["content"] for one in before} - {one["content"] for one in cli.memories()}
    assert gone == {"The gateway of shop-api"}


@pytest.fixture(scope="module")
def refactored_once(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """A store with one memory that every wrong rule leaves alone."""
    folder = tmp_path_factory.mktemp("wrong")
    made = Repository(folder / "shop")
    made.commit({"services/pay.py": body("pay")})
    cli = Cli(folder / "home", made.folder, {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"})
    cli.approved(content="Payment is in services/pay.py")
    return cli


def test_check_has_a_verdict_for_all_and_ends_with_1_where_something_is_false(
    refactored: Cli, repo: Repository
) -> None:
    ran = refactored("check", "--json")
    assert ran.code == 1
    assert {item["key"]: item["verdict"] for item in ran.json["items"]} == {"at.pay": "moved", "at.tax": "gone"}
    refactored.approved(content="See core/ship.py and services/tax.py", key="at.both")
    people = refactored("check")
    assert people.code == 1
    assert "    core/ship.py: there\n    services/tax.py: deleted in " in people.out
    assert refactored.person("expire", "--since", "HEAD~1", "--yes").code == 0
    after = refactored("check", "--json")
    assert after.code == 0
    assert [item["verdict"] for item in after.json["items"]] == ["there"]
    assert refactored("check", "--brief").err == ""


def test_check_where_nothing_stands(tmp_path: Path) -> None:
    cli = Cli(tmp_path / "home", tmp_path / "plain")
    ran = cli("check", "--json")
    assert (ran.code, ran.json["items"]) == (0, [])
    cli.approved(content="A")
    ran = cli("check")
    assert ran.code == 2
    assert "git repository" in ran.err
    assert (cli("check", "--brief").code, cli("check", "--brief").err) == (0, "")

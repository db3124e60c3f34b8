"""``meminbox history --who``: which sessions were given a memory, through every door, also what is no longer said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli_kit import Cli


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


def test_who_was_told_is_listed_and_what_is_no_longer_said(cli: Cli) -> None:
    cli.approved(content="Deploy from main", key="deploy.branch")
    assert "Nobody was told it" in cli.person("history", "--who", "deploy.branch").err
    assert cli("context", "--session", "s-7f3a", "--agent", "codex").code == 0
    cli.approved(content="Deploy from release", key="deploy.branch", source="user_feedback")
    assert cli("context", "--session", "s-9b21").code == 0
    told = cli("history", "--who", "deploy.branch")
    first, second = told.out.splitlines()
    assert "s-9b21" in first and "still said" in first
    assert "codex" in second and "s-7f3a" in second and "revision 1" in second and "no longer said" in second
    summed = cli.person("history", "--who", "deploy.branch").err
    assert "Told 2 times to 2 sessions. 1 time of that" in " ".join(summed.split())
    said = cli("history", "--who", "deploy.branch", "--json").json
    assert said["total"] == 2
    assert [(one["revision"], one["content"], one["still_said"]) for one in said["items"]] == [
        (2, "Deploy from release", True),
        (1, "Deploy from main", False),
    ]
    assert len(cli("history", "--who", "deploy.branch", "--limit", "1", "--jsonl").lines) == 1


def test_nobody_and_nothing_are_told_apart(cli: Cli) -> None:
    cli.approved(content="Deploy from main", key="deploy.branch")
    assert cli("history", "--who").code == 2
    assert cli("history", "--who", "zzzzzz").code == 3
    operation = cli("history", "--json").json["items"][0]["id"]
    refused = cli("history", "--who", operation[-6:])
    assert refused.code == 2
    assert "operation" in refused.err


def test_an_agent_hears_nothing_of_other_projects(cli: Cli, tmp_path: Path) -> None:
    held = cli.approved(content="Deploy from main", key="deploy.branch")
    other = Cli(cli.home, tmp_path / "other", {"CLAUDECODE": "1"})
    assert other("history", "--who", held[-6:]).code == 2
    assert cli("history", "--who", "deploy.branch", env={"CLAUDECODE": "1"}).code == 0


def test_show_tells_what_a_step_did_part_by_part(cli: Cli, tmp_path: Path) -> None:
    cli.approved(content="Deploy from main", key="deploy.branch")
    cli.approved(content="Deploy from release", key="deploy.branch", source="user_feedback")
    newest, first = (one["id"] for one in cli("history", "--json").json["items"])
    told = cli("show", newest[-6:])
    assert told.code == 0
    assert "approved deploy.branch" in told.out
    assert "[-main-]{+release+}" in told.out.replace(" ", "")
    assert "later" in cli("show", first[-6:]).out
    said = cli("show", newest[-6:], "--json").json
    (part,) = said["parts"]
    assert (part["before"]["content"], part["after"]["content"]) == ("Deploy from main", "Deploy from release")
    assert (part["revision"], said["undone"], said["blocked"]) == (2, False, [])
    assert cli.person("undo", newest[-6:]).code == 0
    assert "undone" in cli("show", newest[-6:]).out
    other = Cli(cli.home, tmp_path / "other", {"CLAUDECODE": "1"})
    refused = other("show", newest[-6:])
    assert refused.code == 2
    assert "deploy.branch" not in refused.out + refused.err

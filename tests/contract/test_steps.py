"""The log as a person looks through it: the last steps in words, and each taken back by its id."""

from __future__ import annotations

from pathlib import Path

import pytest

from store import history, steps
from store.engine import Store
from store.errors import NotFound
from tests.cli_kit import Cli
from tests.contract.decisions import ANN, Desk


def test_the_last_steps_newest_first_and_which_are_undone(store: Store) -> None:
    desk = Desk(store)
    first = desk.hold("Use tabs", key="style.indent")
    desk.hold("Use pnpm", key="build.tool")
    history.delete(store, first.id, 1, by=ANN)
    undone = history.undo(store, by=ANN)

    def told(limit: int) -> list[tuple[str, bool]]:
        return [(one.title, one.undone) for one in steps.newest(store, limit)]

    four = [
        ("undid: deleted style.indent", False),
        ("deleted style.indent", True),
        ("approved build.tool", False),
        ("approved style.indent", False),
    ]
    assert told(9) == four
    assert told(2) == four[:2]
    history.redo(store, by=ANN)
    assert told(3) == [
        ("redid: deleted style.indent", False),
        ("undid: deleted style.indent", True),
        (four[1][0], False),
    ]
    assert steps.one(store, undone.operation.id)[1] == "undid: deleted style.indent"
    with pytest.raises(NotFound):
        steps.one(store, "no-such-step")


def test_yesterdays_wrong_approval_is_found_and_undone_on_the_command_line(tmp_path: Path) -> None:
    cli = Cli(tmp_path / "home", tmp_path / "shop")
    assert cli("history").out == ""
    wrong, right = (cli.propose(content)[0]["id"][-6:] for content in ("Use tabs", "Use pnpm"))
    cli.person("approve", wrong)
    cli.person("approve", right)
    ran = cli("history")
    rows = [line.split("\t") for line in ran.out.splitlines()]
    assert [row[2] for row in rows] == ["approved “Use pnpm”", "approved “Use tabs”"]
    assert cli.person("undo", rows[1][0]).code == 0
    assert len(cli.waiting()) == 1
    told = cli("history", "--json").json["items"]
    assert [(one["title"], one["undone"]) for one in told][2] == ("approved “Use tabs”", True)
    assert cli("history", "--limit", "1", "--jsonl").lines[0]["title"] == "undid: approved “Use tabs”"
    assert "`meminbox undo ID` takes a step back" in cli.person("history").err

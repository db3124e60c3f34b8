"""Decisions on the command line: behind the fence, told after the commit, undone with one word."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

import meminbox
from store import queries, review
from store.engine import open_store
from store.facts import Actor
from store.location import locate
from tests.cli_kit import Cli
from tests.terminal.screen import Terminal


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


DECIDING = (
    ("approve", "x123"),
    ("edit", "x123", "--content", "y"),
    ("reject", "x123"),
    ("rollback", "x123"),
    ("delete", "x123"),
    ("undo",),
    ("redo",),
)


@pytest.mark.parametrize("command", DECIDING, ids=lambda command: command[0])
def test_D029_a_decision_without_a_terminal_is_refused(command: tuple[str, ...], cli: Cli) -> None:
    cli.propose("A")
    ran = cli(*command)
    assert (ran.code, ran.out) == (2, "")
    assert "Decisions are for people" in ran.err
    assert "Nothing was changed." in ran.err
    assert len(cli.waiting()) == 1


@pytest.mark.parametrize("command", DECIDING, ids=lambda command: command[0])
def test_D029_a_decision_in_an_agents_environment_is_refused_even_at_a_terminal(
    command: tuple[str, ...], cli: Cli
) -> None:
    ran = cli.person(*command, env={"CODEX_SANDBOX": "seatbelt"})
    assert ran.code == 2
    assert "Codex" in ran.err
    assert "CODEX_SANDBOX" in ran.err


def test_D029_a_real_child_without_a_terminal_cannot_approve_and_yes_does_not_help(cli: Cli) -> None:
    (result,) = cli.propose("A")
    child = cli.child("approve", result["id"], input=b"y\n")
    assert child.returncode == 2
    assert b"Decisions are for people" in child.stderr
    assert [one["status"] for one in cli.waiting()] == ["pending"]


def test_approve_says_what_it_did_and_how_to_take_it_back(cli: Cli) -> None:
    (result,) = cli.propose({"content": "Tests run with pytest -q", "key": "build.test"})
    ran = cli.person("approve", result["id"][-6:])
    assert ran.code == 0, ran.err
    assert "pproved build.test" in ran.out
    assert "Tests run with pytest -q" in ran.out
    assert "meminbox undo" in ran.err
    (memory,) = cli.memories()
    assert (memory["content"], memory["revision"], memory["status"]) == ("Tests run with pytest -q", 1, "active")
    versions = cli("show", "build.test", "--json").json["versions"]
    assert [(one["actor"], one["surface"], one["action"]) for one in versions] == [("mia", "cli", "approve")]


def test_an_update_is_shown_as_a_difference(cli: Cli) -> None:
    cli.approved(content="Write reports in the active voice", key="style.voice")
    cli.propose({"content": "Write reports in the passive voice", "key": "style.voice"})
    ran = cli.person("approve", "style.voice")
    assert ran.code == 0, ran.err
    assert "[-active-]" in ran.out
    assert "{+passive+}" in ran.out
    assert cli.memories()[0]["previous_value"] == "Write reports in the active voice"


def test_approving_twice_is_a_conflict_and_changes_nothing(cli: Cli) -> None:
    (result,) = cli.propose("A")
    cli.person("approve", result["id"])
    ran = cli.person("approve", result["id"])
    assert ran.code == 4
    assert [one["revision"] for one in cli.memories()] == [1]


def test_what_is_not_there_is_not_found(cli: Cli) -> None:
    assert cli.person("approve", "abcdef").code == 3
    cli.propose("A")
    for command in (("approve", "ffffffffff"), ("reject", "no.such"), ("delete", "no.such"), ("rollback", "no.such")):
        ran = cli.person(*command)
        assert (ran.code, ran.out) == (3, ""), command
    assert cli.person("undo", "ffffffffff").code == 3


def test_an_ambiguous_key_names_the_candidates(cli: Cli) -> None:
    cli.propose({"content": "A", "key": "k.k"}, {"content": "B", "key": "k.k"})
    ran = cli.person("approve", "k.k")
    assert ran.code == 2
    assert "may mean" in ran.err


def test_reject_keeps_the_reason_and_group_takes_the_whole_key(cli: Cli) -> None:
    first, second = cli.propose({"content": "A", "key": "k.k"}, {"content": "B", "key": "k.k"})
    ran = cli.person("reject", first["id"], "--group", "--reason", "neither")
    assert ran.code == 0, ran.err
    assert "A" in ran.out
    assert "B" in ran.out
    assert cli.waiting() == []
    assert cli("propose", "-", stdin='{"content": "B", "key": "k.k"}').json["status"] == "rejected_before"
    assert second["id"] in {one["id"] for one in cli("list", "--status", "rejected", "--json").json["items"]}


def test_edit_changes_a_proposal_and_approves_it(cli: Cli) -> None:
    (result,) = cli.propose({"content": "Tests run with pytest", "key": "build.test"})
    ran = cli.person("edit", result["id"], "--content", "Tests run with pytest -q", "--kind", "procedure")
    assert ran.code == 0, ran.err
    (memory,) = cli.memories()
    assert (memory["content"], memory["kind"], memory["key"]) == ("Tests run with pytest -q", "procedure", "build.test")


def test_edit_changes_a_memory_and_its_key(cli: Cli) -> None:
    cli.approved(content="Tests run with pytest", key="build.test")
    assert cli.person("edit", "build.test", "--content", "Tests run with pytest -q", "--key", "test.run").code == 0
    (memory,) = cli.memories()
    assert (memory["content"], memory["key"], memory["revision"]) == ("Tests run with pytest -q", "test.run", 2)


@pytest.mark.parametrize("text", ["", "  ", "a\x1b]52;c;ZXZpbA==\x07", "x" * 20_000])
def test_an_edit_passes_the_same_border(text: str, cli: Cli) -> None:
    cli.approved(content="Tests run with pytest", key="build.test")
    ran = cli.person("edit", "build.test", "--content", text)
    assert ran.code == 1
    assert "\x1b" not in ran.err
    assert [one["content"] for one in cli.memories()] == ["Tests run with pytest"]


def test_edit_opens_the_persons_editor(cli: Cli, tmp_path: Path) -> None:
    cli.approved(content="Tests run with pytest", key="build.test")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "from the editor\\n" > "$1"\n', encoding="utf-8")
    editor.chmod(0o700)
    assert cli.person("edit", "build.test", env={"EDITOR": str(editor)}).code == 0
    assert [one["content"] for one in cli.memories()] == ["from the editor"]
    ran = cli.person("edit", "build.test", env={"EDITOR": shutil.which("true") or "true"})
    assert ran.code == 2
    assert "left as it is" in ran.err


def test_D007_rollback_and_a_second_one(cli: Cli) -> None:
    cli.approved(content="A", key="k.k")
    for text in ("B", "C"):
        assert cli.person("edit", "k.k", "--content", text).code == 0
    assert cli.person("rollback", "k.k").code == 0
    assert cli.memories()[0]["content"] == "B"
    assert cli.person("rollback", "k.k").code == 0
    assert cli.memories()[0]["content"] == "C"
    assert cli.person("rollback", "k.k", "--to", "1").code == 0
    assert cli.memories()[0]["content"] == "A"
    assert len(cli("history", "k.k", "--json").json["items"]) == 6
    assert cli.person("rollback", "k.k", "--to", "99").code == 3


def test_delete_undo_redo(cli: Cli) -> None:
    cli.approved(content="A", key="k.k")
    assert cli.person("delete", "k.k", "--reason", "gone").code == 0
    assert cli.memories() == []
    undone = cli.person("undo")
    assert undone.code == 0, undone.err
    assert "undid: deleted k.k" in undone.out.lower()
    assert [one["content"] for one in cli.memories()] == ["A"]
    redone = cli.person("redo")
    assert redone.code == 0, redone.err
    assert cli.memories() == []


def test_undo_of_nothing_says_so(cli: Cli) -> None:
    cli.propose("A")
    ran = cli.person("undo")
    assert ran.code == 1
    assert ran.err.startswith("meminbox: ")


def test_undo_of_one_operation_by_its_id(cli: Cli) -> None:
    cli.approved(content="A", key="k.a")
    cli.approved(content="B", key="k.b")
    first = cli("history", "k.a", "--json").json["items"][0]["operation_id"]
    assert cli.person("undo", first[-8:]).code == 0
    assert [one["content"] for one in cli.memories()] == ["B"]
    assert [one["content"] for one in cli.waiting()] == ["A"]


def test_D010_restoring_a_key_that_was_taken_names_both_and_replaces_nothing(cli: Cli) -> None:
    cli.approved(content="PostgreSQL 14", key="db.engine")
    cli.person("delete", "db.engine")
    cli.approved(content="PostgreSQL 16", key="db.engine")
    deleted = cli("list", "--memories", "--status", "deleted", "--json").json["items"][0]["id"]
    operation = cli("history", deleted, "--json").json["items"][0]["operation_id"]
    ran = cli.person("undo", operation)
    assert ran.code == 4
    assert "PostgreSQL 14" in ran.err
    assert "PostgreSQL 16" in ran.err
    assert [one["content"] for one in cli.memories()] == ["PostgreSQL 16"]


def test_undo_refused_in_part_names_the_way_to_undo_the_rest(cli: Cli) -> None:
    cli.propose(*({"content": f"text {name}", "key": f"k.{name}"} for name in "abc"))
    store = open_store(locate(None, cli.env))
    seens = [one.seen() for one in queries.queue_rows(store, [one["id"] for one in cli.waiting()])]
    batch = review.approve_many(store, seens, by=Actor("mia", "console")).operation.id
    store.close()
    cli.person("edit", "k.b", "--content", "later")
    refused = cli.person("undo", batch)
    assert refused.code == 4
    assert "Nothing was undone." in refused.err
    assert f"`meminbox undo {batch} --others` undoes the other 2." in refused.err
    assert len(cli.memories()) == 3
    assert cli.person("undo", batch, "--others").code == 0
    assert [one["content"] for one in cli.memories()] == ["later"]
    assert {one["content"] for one in cli.waiting()} == {"text a", "text c"}


@pytest.mark.parametrize(
    "command",
    [
        ("approve", "p.p"),
        ("reject", "p.p"),
        ("edit", "m.m", "--content", "Z"),
        ("rollback", "m.m"),
        ("delete", "m.m"),
        ("undo",),
    ],
    ids=lambda command: command[0],
)
def test_a_dry_run_says_what_it_would_do_and_does_nothing(command: tuple[str, ...], cli: Cli) -> None:
    cli.approved(content="A", key="m.m")
    cli.person("edit", "m.m", "--content", "B")
    cli.propose({"content": "P", "key": "p.p"})
    before = cli("list", "--json").out, cli("list", "--memories", "--json").out
    ran = cli.person(*command, "--dry-run")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("Would ")
    assert (cli("list", "--json").out, cli("list", "--memories", "--json").out) == before


def test_quiet_says_nothing(cli: Cli) -> None:
    cli.propose({"content": "P", "key": "p.p"})
    ran = cli.person("approve", "p.p", "--quiet")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_V04_what_a_decision_says_moves_no_terminal(cli: Cli) -> None:
    cli.propose({"content": "a\u202ecba", "key": "k.k"})
    with sqlite3.connect(cli.db) as planted:
        planted.execute("UPDATE proposal SET content = ?, evidence = ?", ("x\x1b]0;T\x07", "\x9b31m"))
    for ran in (cli.person("show", "k.k"), cli.person("list"), cli.person("reject", "k.k", "--dry-run")):
        assert ran.code == 0, ran.err
        assert not set("\x1b\x07\x9b\u202e") & set(ran.out + ran.err)
    assert "⟨U+001B⟩" in cli.person("show", "k.k").out
    raw = cli("show", "k.k", "--json").out
    assert not set("\x1b\x07\x9b\u202e") & set(raw)


def test_D027_a_decision_that_cannot_be_written_fails_and_the_item_stays(cli: Cli) -> None:
    (result,) = cli.propose("A")
    limited = [
        "prlimit",
        "--fsize=0",
        *meminbox.command("approve", result["id"]),
    ]
    if shutil.which("prlimit") is None:
        pytest.skip("prlimit sets the limit; it comes with util-linux")
    terminal = Terminal(limited, env=cli.env, cwd=cli.folder)
    code = terminal.wait_end()
    text = terminal.grid.text()
    terminal.close()
    assert code != 0
    assert "pproved" not in text
    assert [one["status"] for one in cli.waiting()] == ["pending"]
    assert cli.memories() == []


def test_D047_a_decision_waits_for_a_busy_store_and_then_says_so(cli: Cli) -> None:
    (result,) = cli.propose("A")
    with sqlite3.connect(cli.db, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        ran = cli.person("approve", result["id"])
        other.execute("ROLLBACK")
    assert ran.code == 5
    assert "pproved" not in ran.out
    assert "busy" in ran.err
    assert [one["status"] for one in cli.waiting()] == ["pending"]


def test_D045_the_loser_is_told_and_nothing_of_it_is_kept(cli: Cli) -> None:
    """Between looking and deciding another person changed the memory: here, while the editor was open."""
    cli.approved(content="A", key="k.k")
    editor = cli.home / "editor"
    other = " ".join(f"'{word}'" for word in meminbox.command("edit", "k.k", "--content", "theirs"))
    wrapped = f'script -qec "{other}" /dev/null'
    if shutil.which("script") is None:
        pytest.skip("script gives the other person a terminal; it comes with util-linux")
    editor.write_text(f'#!/bin/sh\n{wrapped} >/dev/null\nprintf "mine\\n" > "$1"\n', encoding="utf-8")
    editor.chmod(0o700)
    ran = cli.person("edit", "k.k", env={"EDITOR": str(editor)})
    assert ran.code == 4, ran.err
    assert "Nothing was changed." in ran.err
    assert "mia" in ran.err
    for label, text in (("what you saw", "A"), ("what you wanted", "mine"), ("what stands now", "theirs")):
        assert f"  {label}:\n  │ {text}\n" in ran.err
    assert [one["content"] for one in cli.memories()] == ["theirs"]


def test_a_person_at_a_real_terminal_reviews_with_commands_alone(cli: Cli) -> None:
    cli.propose({"content": "用 pnpm，不用 npm", "key": "build.tool"}, {"content": "Second"})
    terminal = Terminal(meminbox.command("approve", "build.tool"), env=cli.env, cwd=cli.folder)
    assert terminal.wait_end() == 0
    screen = terminal.grid.text()
    terminal.close()
    assert "pproved build.tool" in screen
    assert "用 pnpm，不用 npm" in screen
    assert "1 waits for review" in screen
    assert [one["content"] for one in cli.memories()] == ["用 pnpm，不用 npm"]


def test_the_login_name_acts_where_no_actor_is_named(cli: Cli) -> None:
    del cli.env["MEMINBOX_ACTOR"]
    cli.approved(content="A", key="k.k")
    actor = cli("history", "k.k", "--json").json["items"][0]["actor"]
    login = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    assert actor == login
    assert os.environ.get("MEMINBOX_ACTOR") != actor

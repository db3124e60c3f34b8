"""The door to the console where there is no fit terminal, and ``propose`` under a kill: real processes."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

import meminbox
from store import history, queries, review, tending
from store.engine import open_store
from store.facts import Actor, Done
from store.location import locate
from tests.cli_kit import Cli
from tests.terminal.screen import Grid, Terminal


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "shop")


@pytest.mark.parametrize("session", [False, True], ids=["pipes", "setsid"])
def test_V65_F16_without_a_terminal_the_help_goes_to_stderr(session: bool, cli: Cli) -> None:
    ran = cli.child(start_new_session=session)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"Usage: meminbox" in ran.stderr
    assert b"\x1b" not in ran.stderr
    assert not cli.db.exists()


def test_V65_F18_a_closed_stdin_ends_with_2(cli: Cli) -> None:
    line = " ".join(f"'{word}'" for word in meminbox.command())
    for closed in ("<&-", "<&- >&-", "<&- 2>&-", "<&- >&- 2>&-"):
        ran = subprocess.run(["sh", "-c", f"{line} {closed}"], env=cli.env, cwd=cli.folder, capture_output=True)
        assert ran.returncode == 2, closed
        assert b"Traceback" not in ran.stderr
        assert b"\x1b" not in ran.stdout + ran.stderr


@pytest.mark.parametrize("command", [(), ("demo",)], ids=["console", "demo"])
@pytest.mark.parametrize("term", ["dumb", "", None])
def test_V65_F17_on_a_dumb_terminal_one_line_and_exit_2(command: tuple[str, ...], term: str | None, cli: Cli) -> None:
    env = {name: value for name, value in cli.env.items() if name != "TERM"} | ({} if term is None else {"TERM": term})
    terminal = Terminal(meminbox.command(*command), env=env, cwd=cli.folder)
    code = terminal.wait_end()
    terminal.close()
    assert code == 2
    assert b"TERM" in terminal.bytes
    assert b"\x1b" not in terminal.bytes
    assert terminal.bytes.count(b"\n") == 1


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (0, 0), (39, 24), (80, 9)])
def test_V65_F12_too_small_a_window_is_told_and_ends_with_2(columns: int, rows: int, cli: Cli) -> None:
    terminal = Terminal(meminbox.command(), env=cli.env, cwd=cli.folder, columns=columns, rows=rows)
    terminal.grid = Grid(80, 24)  # what it writes is read as bytes; a grid of no cells holds nothing
    code = terminal.wait_end()
    terminal.close()
    assert code == 2
    assert b"too small" in terminal.bytes
    assert b"\x1b" not in terminal.bytes


def test_V65_no_reading_command_writes_an_escape(cli: Cli) -> None:
    cli.approved(content="A", key="k.k")
    cli.propose({"content": "B", "key": "k.k"})
    for command in (("list",), ("list", "--memories"), ("show", "k.k"), ("history", "k.k"), ("status",), ("where",)):
        for env in ({}, {"TERM": "dumb"}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}):
            ran = cli(*command, env=env)
            assert ran.code == 0, ran.err
            assert "\x1b" not in ran.out + ran.err


def test_an_interrupt_ends_with_130_and_no_traceback(cli: Cli) -> None:
    (result,) = cli.propose("Use npm")
    cli.person("reject", result["id"])
    terminal = Terminal(meminbox.command("propose", "Use npm"), env=cli.env, cwd=cli.folder)
    terminal.wait_for("all the same?")
    terminal.send("\x03")
    code = terminal.wait_end()
    terminal.close()
    assert code == 130
    assert b"Traceback" not in terminal.bytes
    assert cli.waiting() == []


@pytest.mark.long
def test_D105_propose_under_kill_is_whole_or_nothing_and_what_it_acknowledged_is_kept(cli: Cli) -> None:
    """Thirty kills at random moments: no half batch, nothing acknowledged is lost, and the store opens as it is."""
    dice = random.Random(105)
    cli.propose("there before")
    acknowledged: set[str] = set()
    for round_ in range(30):
        batch = "".join(json.dumps({"content": f"round {round_} fact {n}"}) + "\n" for n in range(20))
        child = subprocess.Popen(
            meminbox.command("propose", "-"),
            env=cli.env,
            cwd=cli.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert child.stdin is not None
        child.stdin.write(batch.encode())
        child.stdin.close()
        try:
            child.wait(dice.uniform(0.0, 1.5))
        except subprocess.TimeoutExpired:
            child.kill()
        assert child.stdout is not None
        told = child.stdout.read()
        child.stdout.close()
        child.wait()
        if told.count(b"\n") == 20:
            acknowledged.add(f"round {round_}")
    kept = [one["content"] for one in cli.waiting()]
    assert len(kept) == len(set(kept))
    for round_ in range(30):
        number = sum(one.startswith(f"round {round_} ") for one in kept)
        assert number in (0, 20), (round_, number)
        assert number == 20 or f"round {round_}" not in acknowledged
    assert cli("verify").code == 0
    assert cli("status", "--json").json["spooled"] == 0


def test_D105_what_is_spooled_before_the_store_can_be_opened_is_kept(cli: Cli, tmp_path: Path) -> None:
    """The store is damaged: the lines wait on disk, and are taken in when it is whole again."""
    cli.propose("first")
    whole = tmp_path / "whole.db"
    shutil.copy(cli.db, whole)
    cli.db.write_bytes(b"damaged beyond reading" * 500)
    ran = cli("propose", "-", stdin='{"content": "second"}')
    assert (ran.code, ran.json["status"]) == (0, "spooled")
    for beside in cli.home.glob("meminbox.db-*"):
        beside.unlink()
    shutil.copy(whole, cli.db)
    assert {one["content"] for one in cli.waiting()} == {"first", "second"}


def both(cli: Cli, tmp_path: Path) -> tuple[Cli, Cli]:
    """Two copies of one home."""
    other = Cli(tmp_path / "copy", cli.folder)
    shutil.copytree(cli.home, other.home)
    return cli, other


@pytest.mark.parametrize("act", ["approve", "reject", "edit", "rollback", "expire", "delete"])
def test_D110_the_command_line_and_the_console_do_and_say_the_same(act: str, cli: Cli, tmp_path: Path) -> None:
    cli.approved(content="A", key="m.m")
    cli.person("edit", "m.m", "--content", "B")
    (result,) = cli.propose({"content": "P", "key": "p.p"})
    here, there = both(cli, tmp_path)
    said = here.person(
        act,
        *(("p.p",) if act in ("approve", "reject") else ("m.m",)),
        *(("--content", "C") if act == "edit" else ()),
    )
    assert said.code == 0, said.err
    done = _by_the_console(there, act, result["id"])
    assert said.out.splitlines()[0].lower() == f"{done.title}.".lower()
    for options in (("--memories", "--status", "active,expired,deleted"), ("--status", "pending,approved,rejected")):
        assert _states(here, *options) == _states(there, *options)


def _by_the_console(cli: Cli, act: str, proposal_id: str) -> Done:
    store = open_store(locate(None, cli.env))
    mia = Actor("mia", "console")
    try:
        (proposal,) = queries.queue_rows(store, [proposal_id])
        (memory,) = queries.memory_rows(store, [queries.resolve(store, "m.m", what="memory")[1]])
        guard = (memory.id, memory.revision)
        if act == "approve":
            return review.approve(store, proposal.seen(), by=mia)
        if act == "reject":
            return review.reject(store, proposal.seen(), by=mia)
        if act == "edit":
            return history.edit(store, *guard, memory.entry.with_(content="C"), by=mia)
        if act == "expire":
            return tending.expire(store, [guard], by=mia)
        return history.rollback(store, *guard, by=mia) if act == "rollback" else history.delete(store, *guard, by=mia)
    finally:
        store.close()


def _states(cli: Cli, *options: str) -> list[tuple[object, ...]]:
    items = cli("list", "--json", *options).json["items"]
    return sorted((one["content"], one["status"], one["key"], one.get("revision")) for one in items)

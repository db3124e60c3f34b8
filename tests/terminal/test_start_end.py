"""The end that nobody asked for: whatever ends, stops or cuts off the console, the terminal and the store are whole."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from console import crash
from tests.terminal.screen import HANG, Terminal

Start = Callable[..., Terminal]
Propose = Callable[..., dict[str, Any]]
FIRST = {"content": "Deploys on Fridays are fine.", "key": "deploy.day"}

_SWITCHED = ("?1049", "?1000", "?1003", "?1006", "?1015", "?1016", "?2004", "?1004", "?2048")


def modes_left(terminal: Terminal) -> list[str]:
    """The modes that the bytes so far leave on: screen, mouse, paste, focus, sizes, keyboard, wrapping, cursor."""
    said = terminal.bytes
    pairs = [(f"{mode}h", f"{mode}l") for mode in _SWITCHED]
    pairs += [("?25l", "?25h"), ("?7l", "?7h"), (">25u", "<u")]
    return [on for on, off in pairs if said.rfind(f"\x1b[{on}".encode()) > said.rfind(f"\x1b[{off}".encode())]


def assert_left(terminal: Terminal, code: int) -> None:
    """The console ends with this exit code, tells no traceback, and leaves the terminal as it was."""
    assert terminal.wait_end() == code
    assert modes_left(terminal) == []
    assert terminal.restored()
    assert b"Traceback" not in terminal.bytes


def statuses(tmp_path: Path) -> list[str]:
    """What the store says, after SQLite has looked at itself."""
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "meminbox.db")) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [row[0] for row in raw.execute("SELECT status FROM proposal ORDER BY id")]


def state(terminal: Terminal) -> str:
    """The state letter of the process: T is stopped."""
    fields = Path(f"/proc/{terminal.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    return fields.split()[0]


def stopped(terminal: Terminal) -> None:
    """Wait until the process is stopped, reading what it writes meanwhile."""
    end = time.monotonic() + HANG
    while state(terminal) != "T" and time.monotonic() < end:
        terminal.pump()
    terminal.look(0.1)
    assert state(terminal) == "T"


def opened(start: Start, **more: str) -> Terminal:
    console = start(**more)
    console.wait_for("confidence")
    console.look(0.5)
    return console


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_F15_V64_stopped_and_back_then_told_to_end(start: Start, propose: Propose) -> None:
    propose(**FIRST)
    console = opened(start)
    os.kill(console.process.pid, signal.SIGCONT)  # one that nobody waited for
    console.send("\x1a", settle=1.0)
    stopped(console)
    assert modes_left(console) == []
    assert console.restored()
    propose(content="A second thing", key="second")
    console.grid.feed("\x1b[2J")
    os.kill(console.process.pid, signal.SIGCONT)
    console.wait_for("second")  # painted whole, with what came meanwhile
    console.wait_for("deploy.day")
    os.kill(console.process.pid, signal.SIGTSTP)
    stopped(console)
    assert modes_left(console) == []
    os.kill(console.process.pid, signal.SIGCONT)
    console.look(0.3)
    os.kill(console.process.pid, signal.SIGTERM)
    assert_left(console, 143)


def gone(process: subprocess.Popen[bytes]) -> int:
    """The exit code of a process whose terminal nobody reads any more."""
    return process.wait(HANG)


@pytest.mark.long
@pytest.mark.parametrize("ignored", [False, True])
def test_F13_a_terminal_that_is_closed_ends_with_129(
    start: Start, propose: Propose, tmp_path: Path, ignored: bool
) -> None:
    propose(**FIRST)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
    try:
        console = opened(start)
    finally:
        signal.signal(signal.SIGHUP, before)
    console.send("a")
    console.hang_up()
    assert gone(console.process) == 129
    assert statuses(tmp_path) in (["pending"], ["approved"])
    assert not (tmp_path / "data" / "reports").exists()


@pytest.mark.long
def test_F13_a_terminal_that_controls_nothing_is_found_gone(
    env: dict[str, str], propose: Propose, tmp_path: Path
) -> None:
    """As in a container: no SIGHUP comes."""
    propose(**FIRST)
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    process = subprocess.Popen(
        [sys.executable, "-m", "meminbox"], stdin=slave, stdout=slave, stderr=slave, env=env, cwd=tmp_path / "work"
    )
    os.close(slave)
    seen = b""
    while b"deploy.day" not in seen:
        seen += os.read(master, 65536)
    os.close(master)
    assert gone(process) == 129


@pytest.mark.long
@pytest.mark.parametrize("number", [one for one in crash.SIGNALS if one != signal.SIGTERM], ids=lambda one: one.name)
def test_V64_D124_every_signal_restores_the_terminal(start: Start, propose: Propose, number: signal.Signals) -> None:
    propose(**FIRST)
    console = opened(start)
    os.kill(console.process.pid, number)
    assert_left(console, 128 + number)


@pytest.mark.long
def test_F14_told_to_end_at_any_moment_of_the_start(start: Start, propose: Propose) -> None:
    propose(**FIRST)
    for step in range(12):
        console = start()
        console.look(0.02 + step * 0.1)
        console.process.terminate()
        code = console.wait_end()
        assert code == 143 or (code == -signal.SIGTERM and not console.bytes), (step, code)
        assert modes_left(console) == []
        assert console.restored()


@pytest.mark.long
def test_F14_a_decision_on_its_way_is_made_or_not_never_half(start: Start, propose: Propose, tmp_path: Path) -> None:
    propose(**FIRST)
    console = opened(start)
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "meminbox.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        console.send("a")
        console.wait_for("saving, for 1 s by now")
        console.process.terminate()
        console.look(0.5)
        other.execute("ROLLBACK")
    assert_left(console, 143)
    (status,) = statuses(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "meminbox.db")) as raw:
        made = [raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("operation", "memory")]
    assert (status, made) in (("approved", [1, 1]), ("pending", [0, 0]))


@pytest.mark.long
def test_D124_a_terminal_that_nobody_reads_holds_nobody_up(start: Start, propose: Propose) -> None:
    propose(content="word " * 3000, key="long")
    console = start(columns=200, rows=60)
    console.wait_for("confidence")
    for turn in range(60):  # until the terminal takes no more
        console.resize(200 - turn % 2, 60)
        time.sleep(0.03)
    console.process.terminate()
    assert console.process.wait(HANG) == 143
    assert console.restored()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
def test_F14_the_editor_that_has_the_terminal_ends_with_us(
    start: Start, propose: Propose, tmp_path: Path, number: signal.Signals
) -> None:
    propose(**FIRST)
    script = tmp_path / "editor.py"
    script.write_text(
        "import os, pathlib, sys, time\n"
        "pathlib.Path(sys.argv[1]).write_text('half')\n"
        "os.system('stty raw -echo -opost')\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(f'{{os.getpid()}} {{sys.argv[1]}}')\n"
        "print('the editor is here', flush=True)\n"
        "time.sleep(100)\n",
        encoding="utf-8",
    )
    console = opened(start, EDITOR=f"{sys.executable} {script}")
    console.send("E")
    console.wait_for("the editor is here")
    pid, _, file = (tmp_path / "pid").read_text(encoding="utf-8").partition(" ")
    os.kill(console.process.pid, number)
    assert_left(console, 128 + number)
    assert not Path(f"/proc/{pid}").exists()
    assert not Path(file).parent.exists()
    assert statuses(tmp_path) == ["pending"]


CRASHES = {
    "worker": "from store import queries\nqueries.detail = fail\n",
    "render": "from console.widgets import footer\nfooter.DeskFooter.render_line = fail\n",
    "handler": "from console.screens import queue\nqueue.QueueScreen.do_view_invisibles = fail\n",
    "input": "from console import driver\ndriver.DeskDriver.run_input_thread = fail\n",
    "editor": "from console import external\nexternal.edit = fail\n",
}


@pytest.mark.long
@pytest.mark.parametrize("where", list(CRASHES))
def test_F35_a_crash_restores_the_terminal_and_tells_no_value(
    start: Start, propose: Propose, env: dict[str, str], tmp_path: Path, where: str
) -> None:
    propose(content="The secret is swordfish", key="deploy.day")
    script = tmp_path / "broken.py"
    script.write_text(
        "import meminbox, sys\nmeminbox.claim()\n"
        "def fail(*_, **__):\n    secret = 'swordfish'\n    raise ValueError(secret + '\\x1b]0;owned\\x07')\n"
        f"{CRASHES[where]}"
        "sys.exit(meminbox.main([]))\n",
        encoding="utf-8",
    )
    console = Terminal([sys.executable, str(script)], env=env, cwd=tmp_path / "work")
    try:
        if where in ("handler", "editor"):
            console.wait_for("confidence")
            console.send({"handler": "i", "editor": "E"}[where], settle=0.5)
        assert_left(console, 1)
        after = console.bytes.rpartition(b"\x1b[?1049l")[2]
        assert b"a fault in Meminbox (ValueError)" in after.replace(b"\r\n", b" ")
        assert b"swordfish" not in after
        assert b"owned" not in console.bytes
        (report,) = (tmp_path / "data" / "reports").iterdir()
        told = report.read_text(encoding="utf-8")
        assert "in fail" in told
        assert "swordfish" not in told
        assert statuses(tmp_path) == ["pending"]
    finally:
        console.close()


@pytest.mark.long
def test_bytes_that_are_no_key_end_nothing(start: Start, propose: Propose) -> None:
    propose(**FIRST)
    console = opened(start)
    for garbage in (
        b"\xff\xfe\xe1",
        b"\x1b[999999999999999999999u",
        b"\x1b[<0;9999999999999999999;1M",
        b"\x1b[48;99999;99999;0;0t",
        b"\x1b[55296u",
        b"\x1b]52;c;QQ==\x07\x1bP+r\x1b\\",
    ):
        console.send(garbage, settle=0.1)
    console.send("1", settle=0.5)  # what was typed between the sequences may have gone to another screen, no more
    console.wait_for("confidence")
    console.send("a", settle=0.5)
    console.wait_for("approved deploy.day")
    console.send("q")
    assert_left(console, 0)


@pytest.mark.long
def test_F12_every_size_and_back(start: Start, propose: Propose) -> None:
    propose(**FIRST)
    console = opened(start)
    for columns, rows in ((1, 1), (0, 0), (39, 24), (80, 9), (300, 100), (79, 24), (40, 10)):
        console.resize(columns, rows)
        console.look(0.3)
        assert console.process.poll() is None
    console.resize(39, 12)
    console.wait_for("meminbox needs 40x10")
    console.send("a")
    console.look(0.5)
    console.resize(80, 24)
    console.wait_for("confidence")
    console.send("a", settle=0.5)
    console.wait_for("approved deploy.day")
    console.send("q")
    assert_left(console, 0)


@pytest.mark.long
def test_F2_a_full_disk_is_told_and_nothing_is_lost(start: Start, propose: Propose, tmp_path: Path) -> None:
    propose(**FIRST)
    console = opened(start)
    log = (tmp_path / "data" / "meminbox.db-wal").stat().st_size
    with _no_room_beyond(console.process.pid, log):
        console.send("a")
        console.wait_for("Not saved: the disk of")
        assert "approved" not in console.grid.text()
    console.send("j")
    console.send("a", settle=0.5)
    console.wait_for("approved deploy.day")
    console.send("q")
    assert_left(console, 0)
    assert statuses(tmp_path) == ["approved"]


@contextlib.contextmanager
def _no_room_beyond(pid: int, size: int) -> Iterator[None]:
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@pytest.mark.long
def test_F14_told_to_end_while_setup_waits_for_enter(start: Start, tmp_path: Path) -> None:
    console = start(PATH=str(tmp_path))
    console.wait_for("connects an agent")
    console.send("C")
    console.wait_for("enter goes back to the console")
    console.process.terminate()
    assert_left(console, 143)
    assert crash.RESET.encode() not in console.bytes  # in order, not by force

"""A store in which every field is hostile, looked at everywhere: asserted on the bytes that reach the terminal."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import meminbox
from store.location import locate
from store.project import identify
from tests import hostile
from tests.terminal.screen import Terminal

ROOT = Path(meminbox.__file__).resolve().parent
Start = Callable[..., Terminal]
PASTE = "\x1b[200~PASTED\x9b31mX\x9d0;T\x9c\u202e\u200b\u2028Y\x1b[201~"


@pytest.fixture
def database(env: dict[str, str], tmp_path: Path) -> Path:
    place = locate(str(tmp_path / "data" / "meminbox.db"))
    hostile.plant(place, identify(tmp_path / "work").identity)
    assert place.path is not None
    return place.path


class Tour:
    """Keys, each followed by what it must bring to the screen, and all that was seen on the way."""

    def __init__(self, console: Terminal) -> None:
        self.console = console
        self.seen = ""

    def go(self, keys: str, needle: str, *, settle: float = 0.3, gone: bool = False) -> None:
        self.console.send(keys, settle=settle)
        self.arrive(needle, gone=gone)

    def arrive(self, needle: str, *, gone: bool = False) -> None:
        self.console.wait_for(needle, gone=gone)
        self.console.look(0.2)
        self.seen += self.console.grid.text()


def decided(database: Path) -> tuple[int, list[str]]:
    with closing(sqlite3.connect(database)) as raw:
        (operations,) = raw.execute("SELECT count(*) FROM operation").fetchone()
        return operations, [row[0] for row in raw.execute("SELECT status FROM proposal ORDER BY id")]


def test_V02_V03_V04_V06_V10_V15_V23_D113_the_queue_writes_nothing_live(start: Start, database: Path) -> None:
    console = start()
    tour = Tour(console)
    tour.arrive("zdetail")
    tour.go("G", "grows")
    tour.go("S", "Approve 10, close 1 near-copy")
    tour.go("n", "s Skip")
    tour.go("X", "No, because")
    tour.go("x", "Reject, because", settle=0.5)
    tour.go(PASTE, "PASTED31mX0;TY")
    assert "taken out of what was pasted" in tour.seen
    console.send("\x1b")
    console.wait_for("s Skip")
    assert hostile.live(console.bytes) == []
    assert "zkey⟨U+001B⟩]52;c;zxzpba==⟨U+0007⟩" in tour.seen
    console.send("q")
    assert console.wait_end() == 0
    assert hostile.live(console.bytes) == []


@pytest.mark.long
def test_V02_V03_V04_V06_V10_V12_V15_V23_every_field_in_every_place(start: Start, database: Path) -> None:
    console = start(columns=140, rows=40)
    tour = Tour(console)
    tour.arrive("zdetail")
    tour.go("G", "grows")
    tour.go("d", "s Skip", gone=True)
    tour.go("q", "s Skip")
    tour.go("h", "space Compare")
    tour.go("\r", "space Compare")
    tour.go(" ", "space Compare")
    tour.go("j", "zsurface")
    tour.go("\x1b", "zsurface")
    tour.go("\x1b", "space Compare")
    tour.go("\x1b", "s Skip")
    tour.go("o", "stands in ~/zref")
    tour.go("q", "s Skip")
    tour.go("p", "Where does it belong?")
    tour.go("\x1b", "s Skip")
    tour.go("e", "hidden characters were taken out of this text")
    tour.go("\x13", "a control character; only LF and TAB are taken")
    tour.go("\x1b", "s Skip")
    tour.go(" ", "1 marked")
    tour.go("x", "Reject 1")
    tour.go("n", "s Skip")
    tour.go("\x1b", "s Skip")
    tour.go("/", "esc Back")
    tour.go(PASTE, "PASTED31mX0;TY")
    tour.go("\x1b", "s Skip")
    tour.go("/", "esc Back")
    tour.go("scope:zscope", "1 match")
    tour.go("\r", "zscope⟨U+001B⟩")
    tour.go("\x1b", "zdetail")
    tour.go("?", "One page down", settle=0.3)
    tour.go("q", "s Skip")
    tour.go("\x10", "what do you want to do?")
    tour.go("\x1b", "s Skip")
    tour.go("2", "overwritten")
    tour.go("o", "stands in ~/zref")
    tour.go("q", "t No longer true")
    tour.go("t", "no longer true?")
    tour.go("d", "Delete keeps the history")
    tour.go("n", "Delete keeps the history", gone=True)
    tour.go("R", "re-check")
    tour.go("\x1b", "overwritten")
    tour.go("m", "told ")
    tour.go("q", "t No longer true")
    tour.go("5", "   agent")
    tour.go("G", "zagent")
    tour.go("1", "s Skip")
    tour.go("G", "grows")
    tour.go("=", "a Take new")
    tour.go("q", "s Skip")
    tour.go("g", "remove zkey")
    tour.go("a", "once more approves it all the same", settle=0.6)
    tour.go("a", "approved the removal of zkey", settle=0.6)
    tour.go("u", "undid: approved the removal of zkey", settle=0.6)
    assert hostile.live(console.bytes) == []
    missing = [field for field in hostile.FIELDS if f"z{field}⟨U+001B⟩" not in tour.seen.replace("\n", "")]
    assert missing == []
    console.send("q")
    assert console.wait_end() == 0
    assert hostile.live(console.bytes) == []
    assert console.restored()


@pytest.mark.long
def test_V04_V11_the_log_writes_nothing_live(start: Start, database: Path) -> None:
    before = decided(database)
    console = start(columns=140, rows=40)
    tour = Tour(console)
    tour.arrive("zdetail")
    tour.go("4", "b Take back")
    click_everywhere(console, 140, 40)
    console.send("4")
    tour.arrive("b Take back")
    for _ in range(before[0]):
        tour.go("\r", "] Next change")
        tour.go("q", "enter Open")
        console.send("j")
    tour.go("G", "enter Open")
    tour.go("W", "told", settle=0.6)
    console.send("1")
    tour.arrive("s Skip")
    assert "⟨U+001B⟩" in tour.seen
    assert decided(database) == before
    console.send("q")
    assert console.wait_end() == 0
    assert hostile.live(console.bytes) == []


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (140, 40)])
def test_V11_D112_a_click_at_every_cell_runs_nothing(start: Start, database: Path, columns: int, rows: int) -> None:
    before = decided(database)
    console = start(columns=columns, rows=rows)
    console.wait_for("zdetail")
    for opens, needle in (
        ("", "grows"),
        ("d", "s Skip"),
        ("o", "evidence for"),
        ("h", "space Compare"),
        ("2", "overwritten"),
    ):
        console.rest()
        console.send("\x1b")  # lets go of what clicks have marked
        console.rest()  # else the next key may come to the console in one piece with it, as Alt and a key
        console.send("G")
        console.wait_for("grows")
        if opens:
            console.send(opens)
            console.wait_for(needle, gone=opens == "d")
        click_everywhere(console, columns, rows)
        assert console.process.poll() is None
        if opens:
            console.send("q")
            console.wait_for("s Skip")
    assert decided(database) == before
    assert hostile.live(console.bytes) == []
    console.send("q")
    assert console.wait_end() == 0


def click_everywhere(console: Terminal, columns: int, rows: int) -> None:
    """A click at every cell but those of the first line and the last, which are our own controls."""
    console.look(0.4)
    for row in range(2, rows):
        cells = (f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m" for column in range(1, columns + 1))
        os.write(console.master, "".join(cells).encode())
        console.look(0.05)
    console.rest()


CRASHES = {
    "render": """
        from console.screens import queue_view as at
        def broken(*_, **__):
            secret = value
            raise RuntimeError(f"cannot paint {secret}")
        from console.widgets import detail_lines
        detail_lines.head = broken""",
    "worker": """
        from store import queries
        def broken(store, *_, **__):
            secret = value
            raise RuntimeError(f"cannot read {secret}")
        queries.detail = broken""",
    "aside": """
        import threading
        from store import queries
        real = queries.detail
        class Last:
            def __del__(self):
                raise RuntimeError(value)
        def failing():
            raise RuntimeError(value)
        def broken(store, *rest, **more):
            threading.Thread(target=failing).start()
            Last()
            return real(store, *rest, **more)
        queries.detail = broken""",
}


@pytest.mark.long
@pytest.mark.parametrize("kind", CRASHES)
def test_F35_a_crash_prints_no_value_and_no_raw_byte_and_leaves_a_report(
    kind: str, env: dict[str, str], database: Path, tmp_path: Path
) -> None:
    script = tmp_path / "crash.py"
    lines = "\n".join(line[8:] for line in CRASHES[kind].split("\n"))
    value = f"value = {hostile.evil('content')!r}"
    script.write_text(f"import sys, meminbox\n{value}\n{lines}\nsys.exit(meminbox.main([]))\n", encoding="utf-8")
    console = Terminal([sys.executable, str(script)], env={**env, "PYTHONPATH": str(ROOT)}, cwd=tmp_path / "work")
    try:
        if kind == "aside":
            console.wait_for("zdetail")
            console.send("j")
            console.send("q")
        assert console.wait_end() == (0 if kind == "aside" else 1)
        end = console.bytes[console.bytes.rindex(b"\x1b[?1049l") :].decode()
        assert hostile.live(console.bytes) == []
        assert "zcontent" not in end and "Traceback" not in end and "broken" not in end and "NOTE" not in end
        assert ("this is a fault in Meminbox (RuntimeError)" in end) == (kind != "aside")
        assert console.restored()
        reports = [one.read_text(encoding="utf-8") for one in (tmp_path / "data" / "reports").iterdir()]
        assert reports
        for text in reports:
            assert "builtins.RuntimeError (message withheld)" in text and "crash.py" in text
            assert "zcontent" not in text and "cannot" not in text and not hostile.live(text.encode())
    finally:
        console.close()

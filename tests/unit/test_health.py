"""What doctor makes of a terminal, of tmux, of agents: the words, the verdicts, and that asking never hangs."""

from __future__ import annotations

import os
import re
import termios
import threading
import tty
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

from console import theme
from console.health import Finding, agents, screen, tmux, widths
from console.wrap import clusters

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def state_of(findings: list[Finding], name: str) -> str:
    (one,) = [finding for finding in findings if finding.name == name]
    return one.state


# ---- widths, asked of a terminal


class Answering(threading.Thread):
    """The other end of a pty: says where the cursor stands after what was painted, by ``width``."""

    def __init__(self, master: int, width: Callable[[str], int]) -> None:
        super().__init__(daemon=True)
        self.master, self.width, self.painted = master, width, b""

    def run(self) -> None:
        answered = 0
        while not self.painted.endswith(b"\x1b[K"):
            self.painted += os.read(self.master, 4096)
            asked = self.painted.split(b"\x1b[6n")
            for part in asked[answered:-1]:
                text = part.rpartition(b"\r")[2].decode()
                os.write(self.master, f"\x1b[1;{self.width(text) + 1}R".encode())
            answered = len(asked) - 1


@pytest.fixture
def pty() -> Iterator[tuple[int, int]]:
    master, slave = os.openpty()
    tty.setcbreak(slave)
    mode = termios.tcgetattr(slave)
    mode[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(slave, termios.TCSANOW, mode)
    yield master, slave
    os.close(master)
    os.close(slave)


def test_widths_are_what_the_terminal_says(pty: tuple[int, int]) -> None:
    master, slave = pty
    before = termios.tcgetattr(slave)
    other = Answering(master, lambda text: 7 if text == "中" else cell_len(text))
    other.start()
    assert widths.measured(("abc", "中", ""), read=slave, write=slave, wait=10) == (3, 7, 0)
    other.join(10)
    assert other.painted.endswith(b"\r\x1b[K")
    assert termios.tcgetattr(slave) == before


def test_a_terminal_that_does_not_answer_is_left_as_it_was(pty: tuple[int, int]) -> None:
    _, slave = pty
    before = termios.tcgetattr(slave)
    assert widths.measured(("abc",), read=slave, write=slave, wait=0.05) is None
    assert termios.tcgetattr(slave) == before


def test_half_an_answer_is_no_answer(pty: tuple[int, int]) -> None:
    master, slave = pty
    threading.Timer(0.02, lambda: os.write(master, b"\x1b[1;")).start()
    assert widths.measured(("abc", "d"), read=slave, write=slave, wait=0.1) is None


def test_what_was_typed_before_stays_for_the_shell(pty: tuple[int, int]) -> None:
    master, slave = pty
    os.write(master, b"ls\n")
    assert widths.measured(("abc",), read=slave, write=slave, wait=5) is None
    assert os.read(slave, 10) == b"ls\n"


def test_the_marks_asked_about_are_those_of_ambiguous_width() -> None:
    ours = {chr(code) for code in theme._ASCII}
    assert set(widths.AMBIGUOUS) == {mark for mark in ours if unicodedata.east_asian_width(mark) == "A"}


def test_verdicts_on_widths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMINBOX_ASCII", raising=False)
    marks = len(widths.AMBIGUOUS)
    right = [sum(one.cells for one in clusters(text)) for text in widths.EMOJI]
    assert [one.state for one in widths.judged(marks, 6, right)] == ["ok", "ok", "ok"]
    wide = widths.judged(2 * marks, 6, right)[0]
    assert wide.state == "todo" and "MEMINBOX_ASCII" in wide.todo
    assert widths.judged(marks + 3, 6, right)[0].state == "todo"
    assert widths.judged(marks, 9, right)[1].state == "todo"
    emoji = widths.judged(marks, 6, [*right[:-1], 1])[2]
    assert emoji.state == "note" and "❤️ in 1 (not 2)" in emoji.says
    monkeypatch.setenv("MEMINBOX_ASCII", "1")
    assert widths.judged(2 * marks, 6, right)[0].state == "ok"


# ---- colours, encoding, size


@pytest.mark.parametrize(
    ("environ", "state", "says"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "ok", "24 bits"),
        ({"TERM": "xterm-256color"}, "ok", "256"),
        ({"TERM": "xterm"}, "note", "16"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "ok", "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "ok", "256"),
        ({"TERM": "dumb"}, "todo", "dumb"),
        ({}, "todo", "not set"),
    ],
)
def test_colours(environ: dict[str, str], state: str, says: str) -> None:
    found = screen.colours(environ)
    assert found.state == state and says in found.says


@pytest.mark.parametrize(
    ("environ", "state"),
    [
        ({"LANG": "C.UTF-8"}, "ok"),
        ({"LANG": "zh_CN.utf8"}, "ok"),
        ({"LC_CTYPE": "UTF-8"}, "ok"),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, "todo"),
        ({"LC_ALL": "", "LANG": "en_US.UTF-8"}, "ok"),
        ({"LANG": "en_US.ISO-8859-1"}, "todo"),
        ({}, "todo"),
    ],
)
def test_encoding(environ: dict[str, str], state: str) -> None:
    assert screen.encoding(environ).state == state


def test_size() -> None:
    assert [screen.size(*size).state for size in ((140, 40), (60, 20), (39, 20), (80, 9))] == [
        "ok",
        "ok",
        "todo",
        "todo",
    ]


def test_fonts_of_a_far_machine_are_not_guessed(tmp_path: Path) -> None:
    assert "not known here" in screen.fonts({"SSH_TTY": "/dev/pts/1"})[0].says
    assert [one.name for one in screen.fonts({"PATH": str(tmp_path)})] == ["sample"]
    program(tmp_path / "fc-list", '[ "$2" = ":lang=zh" ]')
    found = screen.fonts({"PATH": f"{tmp_path}:/bin:/usr/bin"})[0]
    assert (found.state, found.says) == ("note", "none installed here for emoji")


# ---- tmux

SAID = {
    "version": "3.4",
    "escape-time": "10",
    "focus-events": "1",
    "set-clipboard": "2",
    "client_utf8": "1",
    "client_termname": "xterm-256color",
    "client_termfeatures": "256,RGB,title",
}


def program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def test_a_tmux_that_is_set_well_has_nothing_to_do() -> None:
    assert {one.state for one in tmux.judged(SAID, {})} == {"ok"}


@pytest.mark.parametrize(
    ("name", "changed", "state"),
    [
        ("tmux escape-time", {"escape-time": "500"}, "todo"),
        ("tmux escape-time", {"escape-time": ""}, "note"),
        ("tmux focus-events", {"focus-events": "0"}, "note"),
        ("tmux clipboard", {"set-clipboard": "external"}, "note"),
        ("tmux colours", {"client_termfeatures": "256,title"}, "note"),
        ("tmux colours", {"client_termname": "", "client_termfeatures": ""}, "note"),
        ("tmux UTF-8", {"client_utf8": "0"}, "todo"),
    ],
)
def test_what_tmux_holds_back(name: str, changed: dict[str, str], state: str) -> None:
    assert state_of(tmux.judged(SAID | changed, {"COLORTERM": "truecolor"}), name) == state


def test_tmux_is_asked_once_and_never_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tmux.look({"PATH": str(tmp_path)}) == []
    inside = {"PATH": f"{tmp_path}:/bin:/usr/bin", "TMUX": "/tmp/none,1,0", "TMUX_PANE": "%3"}
    assert [one.state for one in tmux.look({**inside, "PATH": str(tmp_path)})] == ["note"]
    program(
        tmp_path / "tmux", 'printf "%s\\n" "$1 $2 $3 $4" >"$0.asked"; printf "' + "\\n".join(SAID.values()) + '\\n"'
    )
    assert {one.state for one in tmux.look(inside)} == {"ok"}
    assert (tmp_path / "tmux.asked").read_text() == "display-message -p -t %3\n"
    program(tmp_path / "tmux", "exec sleep 60")
    monkeypatch.setattr(tmux, "WAIT", 0.1)
    assert [one.state for one in tmux.look(inside)] == ["note"]


# ---- agents


def agent(name: str, **more: Any) -> Any:
    plain = {"found": True, "connected": False, "command_works": None, "hooks": (), "allowed": None, "trusted": None}
    todo = "" if more.get("connected") else f"`meminbox setup {name}` connects it."
    return SimpleNamespace(**{"name": name, "title": name.title(), "detail": "", "todo": todo, **plain, **more})


def seen(**ago: float) -> Any:
    return SimpleNamespace(first=NOW - timedelta(days=90), last=NOW - timedelta(**ago), version="2.1")


def verdicts(states: list[Any], heard: dict[str, Any] | None = None) -> dict[str, tuple[str, str]]:
    return {one.name: (one.finding.state, one.finding.says) for one in agents.look(states, heard or {}, NOW)}


def test_only_where_none_is_connected_does_one_have_to_be() -> None:
    here, there = agent("codex"), agent("cursor")
    assert verdicts([here, there]) == {"codex": ("todo", "not connected"), "cursor": ("todo", "not connected")}
    joined = agent("claude-code", connected=True, detail="~/.claude.json", command_works=True, hooks=("session-start",))
    told = verdicts([joined, here])
    assert told["claude-code"] == ("ok", "connected (~/.claude.json), hooks, not heard of yet")
    assert told["codex"] == ("note", "not connected")


def test_what_is_wrong_with_a_connection_has_to_be_done() -> None:
    wrong = {"connected": True, "detail": "~/.codex/config.toml"}
    told = verdicts([agent("codex", **wrong, trusted=False, todo="Trust it."), agent("cursor", **wrong, todo="Mend.")])
    assert {state for state, _ in told.values()} == {"todo"}
    assert "not trusted yet" in told["codex"][1]
    torn = agent("gemini-cli", detail="~/.gemini/settings.json: Expecting a value.", todo="Mend that file.")
    assert verdicts([torn])["gemini-cli"] == ("todo", "~/.gemini/settings.json: Expecting a value.")


def test_when_an_agent_was_heard_of() -> None:
    joined = agent("codex", connected=True, detail="x", hooks=("session-start", "stop"))
    told = verdicts([joined], {"codex": seen(hours=2), "zed": seen(seconds=1)})
    assert told["codex"][1] == "connected (x), asks at session end, heard of 2h ago, version 2.1"
    assert told["zed"] == ("ok", "heard of just now, version 2.1")


def test_an_editor_is_heard_of_under_the_name_its_client_gives_itself() -> None:
    joined = agent("vscode", connected=True, detail="x")
    heard = {
        "Visual Studio Code - Insiders": seen(days=2),
        "Visual Studio Code": seen(hours=1),
        "cursor-vscode": seen(),
    }
    told = verdicts([joined, agent("cursor", found=False, todo="")], heard)
    assert set(told) == {"vscode", "cursor"}
    assert "heard of 1h ago" in told["vscode"][1]


def test_nobody_here() -> None:
    absent = [agent(name, found=False, todo="") for name in ("codex", "cursor")]
    assert verdicts(absent)["agents"][0] == "todo"
    assert "agents" not in verdicts(absent, {"zed": seen(days=1)})
    assert "agents" not in verdicts([agent("codex")])


def test_every_finding_is_said_in_few_words() -> None:
    told = [*tmux.judged(SAID | {"escape-time": "500", "focus-events": "0"}, {}), *widths.judged(0, 0, [0] * 5)]
    for finding in told:
        assert re.fullmatch(r"[\w -]{1,18}", finding.name), finding

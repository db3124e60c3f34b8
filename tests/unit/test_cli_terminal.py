"""Who sits at the terminal, and whether it can hold the console: read from streams and environment alone."""

from __future__ import annotations

import io
import os
import pty
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from console import terminal
from store.errors import Fenced, UsageError


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def sit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a terminal on all three streams; in the test itself, for pytest takes the streams back between its phases."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, Tty())


@pytest.mark.parametrize("variable", sorted(terminal.AGENT_VARIABLES))
def test_every_agent_variable_closes_the_fence_and_is_named(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sit(monkeypatch)
    reason = terminal.fenced({"TERM": "xterm", variable: "1"})
    assert reason is not None
    assert variable in reason
    with pytest.raises(Fenced) as caught:
        terminal.person({variable: "1"})
    assert caught.value.exit_code == 2
    assert caught.value.kept == "Nothing was changed."


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_a_variable_that_is_switched_off_closes_nothing(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sit(monkeypatch)
    assert terminal.fenced({"CLAUDECODE": value}) is None


def test_what_a_person_configures_is_no_sign_of_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    sit(monkeypatch)
    own = {"CODEX_HOME": "/home/me/.codex", "ANTHROPIC_API_KEY": "x", "CURSOR_TRACE_ID": "1", "TERM_PROGRAM": "vscode"}
    assert terminal.fenced(own) is None


@pytest.mark.parametrize("name", ["stdin", "stdout"])
def test_no_terminal_no_decision(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sit(monkeypatch)
    monkeypatch.setattr(sys, name, io.StringIO())
    assert "terminal" in (terminal.fenced({}) or "")


def test_a_closed_stream_is_no_terminal() -> None:
    closed = io.StringIO()
    closed.close()
    assert not terminal.is_terminal(closed)
    assert not terminal.is_terminal(None)


def test_the_actor_is_who_was_named_or_who_logged_in() -> None:
    assert terminal.actor("cli", {"MEMINBOX_ACTOR": " mia "}).name == "mia"
    said = terminal.actor("cli", {})
    assert said.name
    assert said.surface == "cli"


@pytest.mark.parametrize("term", ["", "dumb", "unknown"])
def test_F17_a_dumb_terminal_is_told_so(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sit(monkeypatch)
    assert "TERM" in (terminal.unfit({"TERM": term}) or "")
    assert "TERM" in (terminal.unfit({}) or "")


@contextmanager
def window(columns: int, lines: int) -> Iterator[None]:
    """A real terminal of this size on all three streams."""
    outer, inner = pty.openpty()
    termios.tcsetwinsize(inner, (lines, columns))
    opened = [os.fdopen(os.dup(inner), mode, encoding="utf-8") for mode in ("r", "w", "w")]
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in zip(("stdin", "stdout", "stderr"), opened, strict=True):
            patch.setattr(sys, name, stream)
        for name in ("COLUMNS", "LINES"):
            patch.delenv(name, raising=False)
        yield
    for stream in opened:
        stream.close()
    os.close(outer)
    os.close(inner)


@pytest.mark.parametrize(("columns", "lines"), [(1, 1), (0, 0), (39, 24), (80, 9)])
def test_F12_a_small_window_is_told_with_both_sizes(columns: int, lines: int) -> None:
    with window(columns, lines):
        said = terminal.unfit({"TERM": "xterm-256color"}) or ""
        with pytest.raises(UsageError):
            terminal.expect_fit({"TERM": "xterm-256color"})
    assert f"{columns}x{lines}" in said
    assert "40x10" in said


@pytest.mark.parametrize(("columns", "lines"), [(40, 10), (80, 24), (140, 40)])
def test_a_window_that_is_large_enough_is_fit(columns: int, lines: int) -> None:
    with window(columns, lines):
        assert terminal.unfit({"TERM": "xterm-256color"}) is None

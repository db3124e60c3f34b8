"""What takes long on the command line: spoken of on the terminal, and stopped by ctrl+c without a half of it kept."""

from __future__ import annotations

import io
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from console import at_work as module
from console.at_work import at_work
from store import stopping
from store.stopping import ActStopped


class Screen(io.StringIO):
    """A terminal that tells when something was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        done = super().write(text)
        self.written.set()
        return done


@pytest.fixture(autouse=True)
def hears_ctrl_c() -> Iterator[None]:
    """A background job of a shell starts with SIGINT ignored, and so would these tests in it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_act_hears_ctrl_c_and_stops_where_nothing_is_kept() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ActStopped) as told, at_work("moving them"):
        signal.raise_signal(signal.SIGINT)
        stopping.check()
    assert (told.value.kept, told.value.exit_code) == ("Nothing was changed.", 130)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_act_that_was_kept_by_then_is_told_as_done() -> None:
    with at_work("moving them"):
        signal.raise_signal(signal.SIGINT)
    assert not stopping.asked()


def test_a_second_ctrl_c_ends_it_wherever_it_is() -> None:
    with pytest.raises(ActStopped, match="Stopped") as told, at_work("moving them"):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    assert "history" in told.value.kept


def test_what_only_reads_stops_at_once_and_says_what_is_left() -> None:
    with pytest.raises(ActStopped) as told, at_work("copying", act=False, kept="No backup was made."):
        signal.raise_signal(signal.SIGINT)
    assert told.value.kept == "No backup was made."


def test_what_takes_long_is_one_line_that_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(module, "AFTER", 0.001)
    with at_work("looking", act=False) as tell:
        assert screen.written.wait(10)
        tell("1 of 2")
        screen.written.clear()
        assert screen.written.wait(10)
    assert "looking … 0 s, ctrl+c stops it" in screen.getvalue()
    assert screen.getvalue().endswith(" \r")
    assert "\n" not in screen.getvalue()

"""The person's own editor in a real terminal: whatever becomes of it, the console has the terminal back."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.terminal.screen import Terminal


@pytest.mark.parametrize(
    ("editor", "told"),
    [
        ("false", "The editor ended with 1."),
        pytest.param("no-such-editor", "no-such-editor cannot be found.", marks=pytest.mark.long),
    ],
)
def test_after_an_editor_that_fails_the_console_goes_on(
    start: Callable[..., Terminal], propose: Callable[..., dict[str, Any]], editor: str, told: str
) -> None:
    propose(content="Deploys on Fridays are fine.", key="deploy.day")
    console = start(EDITOR=editor)
    console.wait_for("add deploy.day")
    console.wait_for("confidence")
    console.send("E")
    console.wait_for(told)
    console.send("a")
    console.wait_for("approved deploy.day")
    console.send("q")
    assert console.wait_end() == 0
    assert console.restored()


@pytest.mark.long
def test_D120_text_of_an_input_method_and_a_paste_of_it_stay_whole(
    start: Callable[..., Terminal], propose: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    propose(content="in the editor", key="deploy.day")
    console = start()
    console.wait_for("add deploy.day")
    console.wait_for("confidence")
    console.send("e", settle=0.5)
    console.wait_for("ctrl+s")
    committed = "部署前，请检查清单：👨\u200d👩\u200d👧、👍🏽、cafe\u0301 한국어 "
    console.send(committed, settle=0.5)  # one commit: many code points in one read
    pasted = "しりとり、\r🇩🇪 می\u200cخواهم "
    console.send(f"\x1b[200~{pasted}\x1b[201~", settle=0.5)
    console.send("\x13")
    console.wait_for("approved deploy.day")
    console.send("\x11")
    assert console.wait_end() == 0
    assert console.restored()
    with sqlite3.connect(tmp_path / "data" / "meminbox.db") as raw:
        (held,) = raw.execute("SELECT content FROM memory").fetchone()
    assert held == committed + pasted.replace("\r", "\n") + "in the editor"


@pytest.mark.long
def test_what_the_editor_saved_is_approved(
    start: Callable[..., Terminal], propose: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\npathlib.Path(sys.argv[1]).write_text('不要在周五部署。')\n", encoding="utf-8"
    )
    propose(content="Deploys on Fridays are fine.", key="deploy.day")
    console = start(EDITOR=f"{sys.executable} {script}")
    console.wait_for("add deploy.day")
    console.wait_for("confidence")
    console.send("E")
    console.wait_for("approved deploy.day")
    console.send("2")
    console.wait_for("不要在周五部署。")
    console.send("q")
    console.send("q")
    assert console.wait_end() == 0

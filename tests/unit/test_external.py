"""The person's own editor on a text that an agent wrote."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from console import external
from store.errors import UsageError


def script(folder: Path, body: str) -> dict[str, str]:
    """An environment whose editor is a Python script that gets the file's path."""
    path = folder / "my editor.py"
    path.write_text(f"import sys, pathlib, os\np = pathlib.Path(sys.argv[1])\n{body}\n", encoding="utf-8")
    return {"PATH": os.environ["PATH"], "EDITOR": f"{sys.executable} '{path}'"}


def test_the_edited_text_comes_back_without_the_last_line_end(tmp_path: Path) -> None:
    env = script(tmp_path, "p.write_bytes(p.read_bytes().replace(b'\\xe6\\xb5\\x8b', b'x') + b'more\\n')")
    assert external.edit("测试 $(touch /x)", env) == "x试 $(touch /x)\nmore"


def test_an_unchanged_text_is_no_edit(tmp_path: Path) -> None:
    assert external.edit("as it was", script(tmp_path, "pass")) is None


def test_a_failing_editor_changes_nothing_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(external.EditorTrouble, match="ended with 3"):
        external.edit("text", script(tmp_path, "p.write_text('half'); sys.exit(3)"))


def test_ctrl_c_is_the_editors_alone(tmp_path: Path) -> None:
    both = "import signal; os.kill(os.getppid(), signal.SIGINT); p.write_text('after')"
    assert external.edit("text", script(tmp_path, both)) == "after"
    stopped = "import signal; signal.raise_signal(signal.SIGINT)"
    with pytest.raises(external.EditorTrouble, match="ended with"):
        external.edit("text", script(tmp_path, stopped))


def test_a_text_that_cannot_be_written_down_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external.tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(external.EditorTrouble, match="No such file"):
        external.edit("text", script(tmp_path, "pass"))


def test_bytes_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    with pytest.raises(external.EditorTrouble, match="can be read"):
        external.edit("text", script(tmp_path, "p.write_bytes(b'\\xff')"))


def test_the_file_is_private_and_gone_afterwards(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    body = f"pathlib.Path({str(seen)!r}).write_text(f'{{p}} {{p.stat().st_mode:o}} {{p.parent.stat().st_mode:o}}')"
    external.edit("text", script(tmp_path, body))
    path, mode, folder_mode = seen.read_text().split()
    assert not Path(path).parent.exists()
    assert stat.S_IMODE(int(mode, 8)) == 0o600
    assert stat.S_IMODE(int(folder_mode, 8)) == 0o700


@pytest.mark.parametrize("said", ["no-such-editor-anywhere", "unbalanced 'quote"])
def test_an_unusable_editor_is_named_in_words(said: str) -> None:
    with pytest.raises(UsageError, match="EDITOR"):
        external.command({"PATH": os.environ["PATH"], "EDITOR": said})


def test_vim_gets_no_modelines_and_keeps_no_copies(tmp_path: Path) -> None:
    vim = tmp_path / "vim"
    vim.write_text("#!/bin/sh\n")
    vim.chmod(0o755)
    words = external.command({"PATH": str(tmp_path), "EDITOR": "vim -f"})
    assert words[0] == str(vim)
    assert words[-1] == "-f"
    assert any("nomodeline" in word and "noundofile" in word for word in words)


@pytest.mark.parametrize(
    "body", ["p.unlink()", "p.unlink(); os.mkfifo(p)", "p.unlink(); p.symlink_to('/dev/zero')", "p.unlink(); p.mkdir()"]
)
def test_whatever_an_editor_leaves_in_the_place_of_the_file_is_not_waited_for(tmp_path: Path, body: str) -> None:
    with pytest.raises(external.EditorTrouble, match="left no file"):
        external.edit("text", script(tmp_path, body))


def test_a_text_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(external.EditorTrouble, match="far too long"):
        external.edit("text", script(tmp_path, "p.write_text('x' * (2 << 20))"))


def test_an_editor_that_is_no_program_is_told(tmp_path: Path) -> None:
    for name in ("folder", "text"):
        place = tmp_path / name
        place.mkdir() if name == "folder" else place.write_text("no program")
        with pytest.raises(UsageError, match="cannot be found"):
            external.edit("text", {"PATH": os.environ["PATH"], "EDITOR": str(place)})
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with pytest.raises(external.EditorTrouble, match="could not be started"):
        external.edit("text", {"PATH": os.environ["PATH"], "EDITOR": str(broken)})

"""What is said of a copy, and how a file is written: nothing is claimed, and nothing half is left."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from console.screens.taking import LARGE, sent, write_new
from store.errors import MeminboxError


@pytest.mark.parametrize(
    ("text", "environ", "told"),
    [
        ("Use uv", {}, "sent 6 characters to the terminal's clipboard; if it does not arrive, w writes a file"),
        ("Use uv", {"SSH_TTY": "/dev/pts/1"}, "if it does not arrive, w writes a file"),
        (
            "Use uv",
            {"TMUX": "/tmp/tmux,1,0"},
            "tmux passes it on only after `set -s set-clipboard on`: w writes a file",
        ),
        ("Use uv", {"STY": "1.pts"}, "screen does not pass it on: w writes a file"),
        (
            "x" * 100_000,
            {},
            "sent 100,000 characters to the terminal's clipboard; so much is dropped by many terminals",
        ),
        ("用" * (LARGE // 3 + 1), {"TMUX": "x"}, "so much is dropped by many terminals"),
    ],
)
def test_D122_a_copy_is_sent_and_a_file_is_offered(text: str, environ: dict[str, str], told: str) -> None:
    said = sent(text, environ)
    assert told in said
    assert said.startswith("sent ")
    assert said.endswith("w writes a file")


def test_a_file_is_new_whole_and_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "memory.txt"
    write_new(path, "用 uv\n")
    assert path.read_bytes() == "用 uv\n".encode()
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(MeminboxError, match="File exists"):
        write_new(path, "something else")
    assert path.read_text(encoding="utf-8") == "用 uv\n"
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MeminboxError, match="File exists"):
        write_new(tmp_path / "link", "through a link")
    assert not (tmp_path / "elsewhere").exists()
    for name in ("", "no/such/folder", "nul\0l"):
        with pytest.raises(MeminboxError, match="Not written"):
            write_new(tmp_path / name, "x")


def test_of_a_file_that_could_not_be_written_to_its_end_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MeminboxError, match="No space left"):
        write_new(tmp_path / "memory.txt", "x")
    assert list(tmp_path.iterdir()) == []

"""A text in the person's own editor: a private file, no shell, and no editor modelines from what an agent wrote."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from store.errors import MeminboxError, UsageError

_VIM: Final = frozenset({"vim", "nvim", "gvim", "vimx", "vi"})
_CALM_VIM: Final = ("-n", "-i", "NONE", "--cmd", "set nomodeline")
"""No swap file, no history file, and no commands taken from the text itself."""


def editor(environ: Mapping[str, str] = os.environ) -> list[str]:
    """The person's editor as a command: VISUAL, else EDITOR, else vi. Raises UsageError where it cannot be read."""
    said = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    try:
        words = shlex.split(said)
    except ValueError as error:
        raise UsageError(f"The editor cannot be understood: {error}.", todo="Set EDITOR to a command.") from error
    if not words:
        raise UsageError("No editor is named.", todo="Set EDITOR to a command, or give --content.")
    return words + list(_CALM_VIM) if Path(words[0]).name in _VIM and _is_vim(words[0]) else words


def _is_vim(name: str) -> bool:
    """Whether this is Vim itself: a plain ``vi`` may be another program, which does not know Vim's options."""
    if Path(name).name != "vi":
        return True
    try:
        said = subprocess.run([name, "--version"], capture_output=True, timeout=5, stdin=subprocess.DEVNULL, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"Vi IMproved" in said.stdout or b"NVIM" in said.stdout


def edited(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """``text`` as the person leaves it in the editor. Raises MeminboxError where the editor fails or saves no UTF-8.

    The line feed that editors put at the end is taken off again where ``text`` had none.
    """
    command = editor(environ)
    with tempfile.TemporaryDirectory(prefix="meminbox-") as folder:  # made 0700
        path = Path(folder) / "memory.txt"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        try:
            ended = subprocess.run([*command, str(path)], check=False).returncode
        except OSError as error:
            raise UsageError(f"The editor {command[0]} did not start: {error.strerror}.", todo="Set EDITOR.") from error
        if ended != 0:
            raise MeminboxError(f"The editor ended with code {ended}.", kept="Nothing was changed.")
        try:
            result = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise MeminboxError("The editor left no UTF-8 text.", kept="Nothing was changed.") from error
    return result.removesuffix("\n") if not text.endswith("\n") else result

"""A text through the person's own editor: a private file, no shell, no modelines, nothing left behind.

The text is whatever an agent wrote. An editor that obeys modelines or keeps swap and undo files would act on it or keep
it, so vim's kin are started without them.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from console import crash
from store.errors import MeminboxError, UsageError
from store.regular import open_regular

FILE_NAME: Final = "memory.txt"
_VIM: Final = ("vi", "vim", "nvim", "gvim", "view", "vimx")
_VIM_SAFE: Final = ("-n", "-i", "NONE", "--cmd", "set nomodeline noundofile nobackup nowritebackup noswapfile")
_FALLBACKS: Final = ("sensible-editor", "nano", "vim", "vi")
MOST_BYTES: Final = 1 << 20
"""What is read back at most; the border's own cap is far below and speaks for itself."""


class EditorTrouble(MeminboxError):
    """The editor could not be used. The text is as it was."""


def command(environ: Mapping[str, str]) -> list[str]:
    """The editor of VISUAL, else EDITOR, else a usual one, as an argument list without the file.

    Raises UsageError where there is none, or where the variable names what cannot be found.
    """
    said = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(said)
    except ValueError as error:
        raise UsageError(f"EDITOR cannot be read: {error}.", todo="Set EDITOR, or edit here with e.") from error
    if not words:
        words = [name for name in _FALLBACKS if shutil.which(name, path=environ.get("PATH"))][:1]
    if not words:
        raise UsageError("No editor is set.", todo="Set EDITOR, or edit here with e.")
    found = shutil.which(words[0], path=environ.get("PATH"))
    if found is None:
        raise UsageError(f"The editor {words[0]} cannot be found.", todo="Set EDITOR, or edit here with e.")
    safe = _VIM_SAFE if Path(found).name in _VIM else ()
    return [found, *safe, *words[1:]]


def edit(text: str, environ: Mapping[str, str]) -> str | None:
    """Let the person edit ``text``; the new text, or None where it is unchanged. The terminal must be free for it.

    Raises UsageError for an editor that cannot be had, EditorTrouble where it failed or left no readable text.
    """
    words = command(environ)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="meminbox-edit-") as folder,
            _on_interrupt(_nothing),
        ):  # 0700, gone after
            path = Path(folder, FILE_NAME)
            path.touch(mode=0o600)
            path.write_text(text + "\n", encoding="utf-8", newline="")
            code = _lend([*words, str(path)], environ)
            if code != 0:
                raise EditorTrouble(f"The editor ended with {code}.", kept="The text is as it was.")
            return _read_back(path, text)
    except OSError as error:
        raise EditorTrouble(
            f"The editor could not be started: {error.strerror}.", kept="The text is as it was."
        ) from error


def converse(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Have a command of ours talk to the person, and wait until they have read it; its exit code.

    The terminal must be free for it. Raises MeminboxError where it could not be started.
    """
    try:
        with _on_interrupt(_nothing):
            code = _lend(command, environ)
    except OSError as error:
        raise MeminboxError(f"It could not be started: {error.strerror}.") from error
    print("\nenter goes back to the console ", end="", file=sys.stderr, flush=True)
    with suppress(KeyboardInterrupt), _on_interrupt(_give_up), crash.asking():
        sys.stdin.readline()
    return code


def _lend(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run a program that has the terminal, and wait for it; it ends where we are told to end. Its exit code."""
    with subprocess.Popen(list(command), env=dict(environ)) as process, crash.lending(process):
        return process.wait()


@contextmanager
def _on_interrupt(act: Callable[[], None]) -> Iterator[None]:
    """ctrl+c reaches every process of the terminal; what is lent to another program is that program's alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: act())  # not SIG_IGN, which the program would inherit
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def _nothing() -> None:
    """ctrl+c was not meant for us."""


def _give_up() -> None:
    raise KeyboardInterrupt


def _bytes_of(path: Path) -> bytes:
    """What stands in the file now; whatever else an editor put in its place is not waited for."""
    handle = open_regular(str(path))
    if handle is None:
        raise EditorTrouble("The editor left no file.", kept="The text is as it was.")
    with os.fdopen(handle, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise EditorTrouble("The text is far too long to keep.", kept="The text is as it was.")
    return data


def _read_back(path: Path, before: str) -> str | None:
    try:
        after = _bytes_of(path).decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise EditorTrouble("The editor left no text that can be read.", kept="The text is as it was.") from error
    after = after.removesuffix("\n")
    return None if after == before else after

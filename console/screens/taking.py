"""Taking a text away: to the terminal's clipboard, or into a new file. The same keys on every screen that shows one.

A clipboard belongs to the terminal, and may be on another machine: what became of what was sent to it, nobody tells
us. So it is never said to be copied, and the file is always offered beside it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from console import keys
from console.situation import Situation
from console.visible import Shown, visible
from console.widgets.prompt import Prompt
from store.errors import MeminboxError

if TYPE_CHECKING:
    from console.screens.base import DeskScreen

    _Screen = DeskScreen
else:
    _Screen = object

LARGE: Final = 74_994
"""Bytes beyond which terminals are known to drop what is sent to their clipboard: 100,000 as base64."""
FILE: Final = "file"
"""What the line of input is for while it asks for a name."""


class Taken(NamedTuple):
    """A text to be taken away, and a name for its file. ``as_shown``: it went through ``visible`` already."""

    text: str
    name: str
    as_shown: bool = False


class Taking(_Screen):
    """Mixed into a screen that shows one text. The screen has a ``Prompt`` and says in ``taken`` what the text is."""

    _to_write = ""

    def taken(self) -> Taken | None:
        """The text that is shown now, or None."""
        raise NotImplementedError

    @property
    def prompt(self) -> Prompt:
        """The line of input."""
        return self.query_one(Prompt)

    def do_copy_text(self) -> None:
        """Send the text to the terminal's clipboard, as it is shown: hidden characters as their codes."""
        taken = self.taken()
        if taken is None:
            return
        text = (taken.text if taken.as_shown else visible(taken.text)).rstrip("\n")
        self.app.copy_to_clipboard(text)
        self.say(visible(sent(text, os.environ), multiline=False))

    def do_copy_file(self) -> None:
        """Ask for a name, then write the text into a new file."""
        taken = self.taken()
        if taken is not None:
            self._to_write = taken.text
            self.prompt.ask(FILE, Shown("Write to"), taken.name)
            self.refresh_footer()

    def write_to(self, name: str) -> None:
        """Write what was asked about into a new file, aside: its disk may be slow."""
        path, text = Path(name.strip()).expanduser(), self._to_write

        def then(_: None) -> None:
            self.say(Shown("written to " + visible(str(path.absolute()), multiline=False)))

        self.run_aside(FILE, lambda: write_new(path, text), then)


class TakingLine(Taking):
    """The same for a screen that is read with the keys of the registry unless its line of input is open."""

    def on_mount(self) -> None:
        """Have the line of input ready once the first frame stands: a key that comes before it would be a command."""
        self.call_after_refresh(self.prompt.prepare)

    @property
    def mode(self) -> str:
        """Who has the keys (see ``console.situation``)."""
        return "prompt" if self.prompt.purpose else "browse"

    def leave_prompt(self) -> bool:
        """Take the line of input away; False where there was none."""
        if not self.prompt.purpose:
            return False
        self.prompt.close()
        self.refresh_footer()
        return True


class TakingAlone(TakingLine):
    """The same for a screen whose line of input asks for nothing but the name of a file."""

    def situation(self) -> Situation:
        """There is something to look at."""
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=True,
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    def on_prompt_entered(self, message: Prompt.Entered) -> None:
        """A name was entered."""
        message.stop()
        self.leave_prompt()
        self.write_to(message.text)


def sent(text: str, environ: Mapping[str, str]) -> str:
    """What is said of a text that went to the terminal's clipboard: what we did, and what there is besides."""
    doubt = "if it does not arrive,"
    if len(text.encode("utf-8", "replace")) > LARGE:
        doubt = "so much is dropped by many terminals:"
    elif environ.get("TMUX"):
        doubt = "tmux passes it on only after `set -s set-clipboard on`:"
    elif environ.get("STY"):
        doubt = "screen does not pass it on:"
    return f"sent {len(text):,} characters to the terminal's clipboard; {doubt} {keys.shown('copy.file')} writes a file"


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet, for its owner only; whole, or not at all.

    Raises MeminboxError with the reason where it cannot.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise _not_written(path, error) from error


def _not_written(path: Path, error: OSError | ValueError) -> MeminboxError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a name for a file"
    return MeminboxError(f"Not written: {path}: {reason}.")

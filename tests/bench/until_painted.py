"""Run a program that draws on a terminal until some text has been painted, and note what CPU time it took till then.

``python until_painted.py NOTE TEXT console ARGUMENTS...`` or ``... NOTE TEXT minimal``. The seconds are written to the
file NOTE, user and system time of the process with all its threads and children. Both programs are watched in the same
way: standard error, through which Textual paints, is read along.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import Any


class Watched:
    """Standard error that ends the process as soon as the text has gone out."""

    def __init__(self, stream: Any, note: str, text: str) -> None:
        self._stream = stream
        self._note = note
        self._text = text

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, out: str) -> int:
        """Pass it on; where it holds the text, note the time and end."""
        written: int = self._stream.write(out)
        if self._text in out:
            self._stream.flush()
            both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
            Path(self._note).write_text(str(sum(one.ru_utime + one.ru_stime for one in both)))
            os._exit(0)
        return written


def minimal() -> None:
    """The smallest app: one line of text."""
    from textual.app import App, ComposeResult
    from textual.widgets import Static

    class Minimal(App[None]):
        def compose(self) -> ComposeResult:
            yield Static("one line of text")

    Minimal().run()


def main(note: str, text: str, program: str, *arguments: str) -> None:
    """Run one of the two."""
    sys.__stderr__ = Watched(sys.__stderr__, note, text)  # type: ignore[assignment]
    if program == "minimal":
        minimal()
    else:
        import meminbox

        sys.exit(meminbox.main(list(arguments)))


if __name__ == "__main__":
    main(*sys.argv[1:])

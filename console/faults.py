"""A fault of ours, told without a traceback: where it happened goes into a report file, what the values were does not.

Memories may hold what nobody but their owner should read, so a report names files, lines and kinds of errors, and
withholds every message and every local variable.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

from store.files import make_private
from store.location import home


def report(error: BaseException) -> Path | None:
    """Write what may be told of ``error`` to a new file, readable by its owner only. None where no file can be made."""
    text = described(error)
    for folder in (home() / "reports", Path(tempfile.gettempdir())):
        try:
            make_private(folder)
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
            handle, name = tempfile.mkstemp(prefix=f"meminbox-{stamp}-", suffix=".txt", dir=folder)
        except OSError:
            continue
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return Path(name)
    return None


def described(error: BaseException) -> str:
    """Kinds of errors and places in the code, from the first cause to the last error; no message and no value."""
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    lines = [f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"]
    for one in reversed(chain):
        lines.append(f"{type(one).__module__}.{type(one).__qualname__} (message withheld: {len(str(one))} characters)")
        frames = traceback.extract_tb(one.__traceback__)
        lines.extend(f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
    return "\n".join(lines) + "\n"


def told(error: BaseException) -> str:
    """What a person is told of a fault of ours, with the place of its report."""
    if os.environ.get("MEMINBOX_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    place = report(error)
    where = f"A report without any values is in {place}." if place else "No report could be written."
    return f"meminbox: this is a fault in Meminbox ({type(error).__name__}).\n{where}"

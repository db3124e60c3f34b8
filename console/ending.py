"""How every command ends: with an exit code of design section 8 and a message in three parts, never a traceback."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable

from store.errors import KeyTaken, MeminboxError, Stale

_NO_ROOM = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG)


def ended(run: Callable[[], int]) -> int:
    """Run a command and return its exit code: 0 for a reader that closed the pipe, 130 for an interrupt."""
    try:
        try:
            code = run()
        except MeminboxError as error:
            code = _told(error)
        sys.stdout.flush()
    except BrokenPipeError:
        let_the_pipe_go()
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # the last resort: a fault of ours becomes a report without values
        return _failed(error)
    return code


def _failed(error: Exception) -> int:
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        let_the_pipe_go()
        print(f"The answer could not be written whole: {error.strerror}.", file=sys.stderr)
        return 1
    from console import faults

    print(faults.told(error), file=sys.stderr)
    return 1


def _told(error: MeminboxError) -> int:
    from console.output import complain

    sys.stdout.flush()
    complain(error.what, kept=error.kept, todo=error.todo)
    if isinstance(error, (Stale, KeyTaken)):
        _show_both(error)
    return error.exit_code


def _show_both(error: Stale | KeyTaken) -> None:
    """The texts that met, so that the one who lost can decide again knowing all of them."""
    from console import tables
    from console.output import say

    if isinstance(error, Stale):
        texts = {"what you saw": error.base, "what you wanted": error.mine, "what stands now": error.theirs}
    else:
        texts = {f"held by {tables.short(error.holder.id)}": error.holder.entry.content, "yours": error.mine}
    for label, text in texts.items():
        if text is not None:
            say(f"  {label}:")
            print("\n".join(tables.text_lines(text, to=sys.stderr)), file=sys.stderr)


def let_the_pipe_go() -> None:
    """Whoever read has read enough: what is still in the buffer goes nowhere, and no traceback tells of it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)

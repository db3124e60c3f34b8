"""The spool: admitted and redacted lines on disk, from the moment ``propose`` says so until the store has taken them.

One file a call, named by a UUIDv7, so that names sort by age. It is written beside (``.part``), fsynced, renamed, and
the folder fsynced: after a kill or a power loss it is there whole or not at all. The first line says what the file is,
the last how many lines it holds and their SHA-256; a file that does not agree with itself is moved to ``bad`` with a
file saying why, never deleted, and never in the way of the others.

Taking a file in exactly once is intake's part: it records the file's id in the transaction that writes the rows, and
calls ``discard`` after the commit. Several processes may drain one folder: a file that is gone was taken by another.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from store.context import Context
from store.decoding import NotDecoded, decode
from store.entry import iso
from store.errors import MeminboxError, StoreFull, StoreReadOnly, StoreTrouble
from store.facts import Flag
from store.fields import check, check_excerpt
from store.files import make_private
from store.ids import new_id
from store.raw import NotAdmitted, Raw

FORMAT: Final = 1
PART_AGE: Final = 24 * 3600
"""Seconds after which what a killed writer left behind is cleaned away."""
_MAX_LINE: Final = 1024 * 1024
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII)
_NAME: Final = re.compile(rf"({_ID.pattern})\.jsonl", re.ASCII)
_FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_READ_ONLY: Final = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))


class SpoolDamaged(MeminboxError):
    """A spool file does not agree with itself. It was set aside; the message names where it stands now."""


class SpoolGone(MeminboxError):
    """The file is not there any more: another process has taken it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One spooled proposal. ``id`` becomes the proposal's id; ``raw.line`` is its number in what was proposed.

    ``context`` tells from where and by whom it came; ``at`` is aware and in UTC. ``raw`` has been through redaction.
    """

    id: str
    raw: Raw
    context: Context
    at: datetime


@dataclass(frozen=True, slots=True)
class SpoolFile:
    """A file of the spool. ``id`` is what intake records; ``count`` is known to the writer, None for a listed file."""

    path: Path
    id: str
    count: int | None = None


def put(folder: Path, lines: Iterable[Line]) -> SpoolFile:
    """Write all ``lines`` durably as one file, streaming. When this returns they survive; when it raises none is there.

    No lines at all make no file (``count`` is 0). An error of ``lines`` itself is passed on, with nothing left behind.
    Raises StoreFull, StoreReadOnly or StoreTrouble.
    """
    name = new_id()
    part = folder / f"{name}.part"
    try:
        make_private(folder)
        count = _write(part, lines)
        if count == 0:
            part.unlink()
        else:
            part.rename(folder / f"{name}.jsonl")
            _sync_folder(folder)
    except OSError as error:
        _forget(part)
        raise _named(error, folder) from error
    except BaseException:
        _forget(part)
        raise
    return SpoolFile(folder / f"{name}.jsonl", name, count)


def _write(part: Path, lines: Iterable[Line]) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
    digest, count = hashlib.sha256(), 0
    with os.fdopen(os.open(part, flags, 0o600), "wb") as out:
        out.write(_json({"meminbox_spool": FORMAT}))
        for line in lines:
            said = _json(_line_as_dict(line))
            digest.update(said)
            out.write(said)
            count += 1
        out.write(_json({"lines": count, "sha256": digest.hexdigest()}))
        out.flush()
        os.fsync(out.fileno())
    return count


def _json(value: dict[str, Any]) -> bytes:
    said = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    # What was admitted is always text; the name of a branch may be any bytes, and becomes text here.
    return said.encode("utf-8", "replace") + b"\n"


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _forget(part: Path) -> None:
    with contextlib.suppress(OSError):
        part.unlink()


def _named(error: OSError, folder: Path) -> MeminboxError:
    why = error.strerror or str(error)
    if error.errno in _FULL:
        return StoreFull(f"The disk is full: nothing could be written to {folder}.", kept="Nothing was proposed.")
    if error.errno in _READ_ONLY:
        return StoreReadOnly(f"{folder} cannot be written: {why}.", kept="Nothing was proposed.")
    return StoreTrouble(f"{folder} cannot be used: {why}.", kept="Nothing was proposed.")


# Reading


def files(folder: Path) -> list[SpoolFile]:
    """The files that wait, oldest first. Cleans away what killed writers left more than a day ago.

    Raises StoreTrouble where the folder may not be read.
    """
    try:
        names = sorted(path.name for path in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise StoreTrouble(f"{folder} cannot be read: {error.strerror or error}.") from error
    for name in names:
        if name.endswith(".part"):
            _clean(folder / name)
    found = ((_NAME.fullmatch(name), name) for name in names)
    return [SpoolFile(folder / name, match[1]) for match, name in found if match]


def _clean(part: Path) -> None:
    with contextlib.suppress(OSError):
        if time.time() - part.stat().st_mtime > PART_AGE:
            part.unlink()


def read(file: SpoolFile, *, skip: int = 0) -> Iterator[Line]:
    """The lines of a file in order, from the one behind the first ``skip``, streaming.

    The whole file is held against its count and digest before the first line is given. Raises SpoolGone where another
    process has taken it, and SpoolDamaged where it is not whole or not ours: then it has been set aside, and nothing
    of it should be kept (the shape of a line is checked when it is reached); or where it cannot be read: then it stays.
    """
    try:
        with file.path.open("rb") as source:
            count = _verified(source)
            source.seek(0)
            source.readline()
            for number in range(1, count + 1):
                line = _line(source.readline(), number)
                if number > skip:
                    yield line
    except FileNotFoundError:
        raise SpoolGone(f"{file.path.name} was taken in by another process.") from None
    except OSError as error:
        # Another user's, a folder, a bad sector: it must not keep those behind it from the queue.
        what = f"The spool file {file.path} cannot be read: {error.strerror or error}."
        raise SpoolDamaged(what, kept="It stays where it is.") from error
    except _Wrong as wrong:
        raise set_aside(file, str(wrong)) from None


class _Wrong(Exception):
    """What does not agree in a file, in words."""


def _verified(source: IO[bytes]) -> int:
    """The number of lines between the first and the last. Raises _Wrong unless the file agrees with itself."""
    head = _values(source.readline(_MAX_LINE), "the first line")
    if head.get("meminbox_spool") != FORMAT:
        raise _Wrong(f"the first line does not say that this is a spool file of format {FORMAT}")
    digest, count, held = hashlib.sha256(), -1, b""
    while line := source.readline(_MAX_LINE):
        if not line.endswith(b"\n"):
            raise _Wrong("it is cut, or a line of it is too long")
        if held:
            digest.update(held)
        held, count = line, count + 1
    tail = _values(held, "the last line")
    if tail != {"lines": count, "sha256": digest.hexdigest()}:
        raise _Wrong(f"its {count:,} lines are not those that its last line vouches for")
    return count


def _values(line: bytes, which: str) -> dict[str, Any]:
    try:
        value, end = decode(line.decode("utf-8").rstrip("\n"))
    except (NotDecoded, UnicodeDecodeError) as error:
        raise _Wrong(f"{which}: {error}") from None
    if not isinstance(value, dict) or end != len(line.decode("utf-8").rstrip("\n")):
        raise _Wrong(f"{which} is not one object")
    return value


def discard(file: SpoolFile) -> None:
    """Delete a file that has been taken in. That it is gone already is no error."""
    file.path.unlink(missing_ok=True)


def set_aside(file: SpoolFile, reason: str) -> SpoolDamaged:
    """Move a file to ``bad``, with its reason in a file beside it; the error to raise, which names the place."""
    bad = file.path.parent / "bad"
    place = bad / file.path.name
    try:
        bad.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        with os.fdopen(os.open(place.with_suffix(".reason"), flags, 0o600), "wb") as out:
            out.write(f"{reason}\n".encode("utf-8", "backslashreplace"))
        file.path.rename(place)
    except FileNotFoundError:
        return SpoolDamaged(f"The spool file {file.path.name} is damaged: {reason}.", kept="Another process moved it.")
    except OSError as error:
        kept = f"It could not be moved to {bad} ({error.strerror}) and stays where it is."
        return SpoolDamaged(f"The spool file {file.path} is damaged: {reason}.", kept=kept)
    return SpoolDamaged(f"The spool file {file.path.name} is damaged: {reason}.", kept=f"It stands in {bad}.")


# One line


def _line_as_dict(line: Line) -> dict[str, Any]:
    if line.raw.redaction_version is None:
        raise ValueError("a line that has not been through redaction")
    values = {
        "id": line.id,
        "line": line.raw.line,
        "said": line.raw.as_dict(),
        "flags": [flag.as_dict() for flag in line.raw.flags],
        "redaction_version": line.raw.redaction_version,
        "context": line.context.as_dict(),
        "at": iso(line.at),
    }
    return values if line.raw.excerpt is None else values | {"excerpt": line.raw.excerpt}


_SHAPE: Final = {
    "id": str,
    "line": int,
    "said": dict,
    "flags": list,
    "redaction_version": int,
    "context": dict,
    "at": str,
}


def _line(said: bytes, number: int) -> Line:
    which = f"line {number}"
    values = _values(said, which)
    if values.keys() - {"excerpt"} != _SHAPE.keys():
        raise _Wrong(f"{which} has other fields than a spooled line")
    wrong = [name for name, kind in _SHAPE.items() if not isinstance(values[name], kind)]
    if wrong or isinstance(values["line"], bool) or not _ID.fullmatch(values["id"]):
        raise _Wrong(f"{which}: {', '.join(wrong) or 'id or line'} of another type")
    try:
        raw = check(values["said"], line=values["line"], room=2)
        excerpt = check_excerpt(values.get("excerpt"), room=2)
        at = datetime.fromisoformat(values["at"]).astimezone(UTC)
        flags = tuple(_flag(flag) for flag in values["flags"])
        context = Context.from_dict(values["context"])
    except (NotAdmitted, ValueError, TypeError, OverflowError) as error:
        raise _Wrong(f"{which}: {error}") from None
    return Line(
        id=values["id"],
        raw=replace(raw, flags=flags, redaction_version=values["redaction_version"], excerpt=excerpt),
        context=context,
        at=at,
    )


def _flag(values: dict[str, Any]) -> Flag:
    flag = Flag(**values)
    if not isinstance(flag.code, str) or not isinstance(flag.detail, str):
        raise ValueError("a flag that is not made of texts")
    return flag

"""Small facts that cannot wait for the store: what was given to whom, that an agent was there, what it claims.

A hook is killed a moment after it has answered, and a server that only reads never takes the write lock. So each fact
is a file of its own in ``<stem>.notes`` beside the store: written, fsynced and renamed in, there whole or not at all.
Whatever opens the store takes them in (``take_notes``), as often as it may happen with the same effect as once.

Quick: only the cheapest of the standard library is imported before something is to be taken in.
"""

from __future__ import annotations

import errno
import json
import os

from store.errors import StoreFull, StoreReadOnly, StoreTrouble
from store.ids import new_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Any

    from store.engine import Store
    from store.errors import MeminboxError
    from store.location import Location
    from store.taking_notes import Seen

FORMAT = 1
CLAIMS = ("commit", "test")
LENGTHS = {
    "session_id": 200,
    "agent": 64,
    "surface": 16,
    "event": 64,
    "version": 64,
    "transcript": 4096,
    "cwd": 4096,
    "ref": 200,
}
"""Characters of each text of a note, at most; what is longer is cut."""


def note_handout(
    location: Location,
    given: Iterable[tuple[str, int]],
    *,
    session_id: str | None,
    agent: str | None,
    surface: str,
) -> None:
    """Note that these memories, (id, revision), are given to a session. Nothing given, nothing noted.

    When this returns the note survives a kill. Raises StoreFull, StoreReadOnly or StoreTrouble.
    """
    memories = [[memory_id, revision] for memory_id, revision in given]
    if memories:
        _put(location, "handout", given=memories, session_id=session_id, agent=agent, surface=surface)


def note_seen(
    location: Location,
    agent: str,
    event: str,
    *,
    version: str | None = None,
    session_id: str | None = None,
    transcript: str | None = None,
    cwd: str | None = None,
) -> None:
    """Note that an agent was there: which ``event`` of it was heard (a hook's, or "initialize"), and from where.

    Raises as ``note_handout`` does.
    """
    said = {"version": version, "session_id": session_id, "transcript": transcript, "cwd": cwd}
    _put(location, "seen", agent=agent, event=event, **said)


def note_claim(location: Location, memory_id: str, kind: str, ref: str) -> None:
    """Note that an agent says a commit or a test run (``kind`` of ``CLAIMS``) bore a memory out.

    A claim is counted as one, and ranks nothing. Raises as ``note_handout`` does, and ValueError for another kind.
    """
    if kind not in CLAIMS:
        raise ValueError(f"not a kind of claim: {kind}")
    _put(location, "claim", memory_id=memory_id, kind=kind, ref=ref)


def take_notes(store: Store, *, wait: float | None = 0.0, seconds: float | None = None) -> int:
    """Take the notes beside the store into it; how many. Raises StoreTrouble; what was taken before that stays taken.

    ``wait`` seconds at most for the write lock; ``seconds`` bounds the whole, between transactions. A file that is no
    note of ours is set aside in ``bad``, with its reason beside it.
    """
    if store.read_only is not None or not files(store.location.notes):
        return 0
    from store.taking_notes import take

    return take(store, wait=wait, seconds=seconds)


def last_seen(store: Store) -> dict[str, Seen]:
    """By agent, when it was seen first and last, and what is known of it."""
    from store.taking_notes import last_seen as asked

    return asked(store)


def files(folder: Path) -> list[Path]:
    """The notes that wait, oldest first; none where the folder is not there yet."""
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(".json"))
    except OSError:
        return []


def _put(location: Location, what: str, **said: Any) -> None:
    from datetime import UTC, datetime

    note = {"meminbox_note": FORMAT, "what": what, "at": datetime.now(UTC).isoformat(timespec="microseconds")}
    for name, value in said.items():
        note[name] = _cut(value, LENGTHS[name]) if name in LENGTHS else value
    folder, name = location.notes, new_id()
    part = folder / f"{name}.part"
    try:
        try:
            _write(part, note)
        except FileNotFoundError:
            from store.files import make_private

            make_private(folder)
            _write(part, note)
        part.rename(folder / f"{name}.json")
        _sync(folder)
    except OSError as error:
        raise _told(error, folder) from error


def _cut(text: Any, most: int) -> str | None:
    """A text as a note holds it: what could not be stored or shown is left out of it, and what is too long."""
    if not text:
        return None
    return "".join(char for char in str(text)[: 2 * most] if char.isprintable())[:most] or None


def _write(part: Path, note: dict[str, Any]) -> None:
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(json.dumps(note, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")
        out.flush()
        os.fsync(out.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _told(error: OSError, folder: Path) -> MeminboxError:
    what = f"{folder} cannot be written: {error.strerror or error}."
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StoreFull(f"The disk is full: {what}")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreReadOnly(what)
    return StoreTrouble(what)

"""Copies of a store in the folder beside it: made while others write, checked, named, and the old ones let go.

PostgreSQL has its own ways (``pg_dump``), which copy a database whole; a store there is not copied by us.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from store import files, head
from store.errors import StoreBusy, StoreDamaged, UsageError
from store.keeping import Copies
from store.location import Location

if TYPE_CHECKING:
    from store.engine import Store

Label = Literal["daily", "manual", "before-restore"]
_STALE: Final = 24 * 3600
_NAME: Final = re.compile(r".+\.(?P<label>[a-z][a-z0-9-]*)\.(?P<at>\d{8}T\d{6}\.\d{6}Z)\.db", re.ASCII)


@dataclass(frozen=True, slots=True)
class Backup:
    """One copy beside the store. ``label`` tells why it was made; ``at`` when, aware and in UTC."""

    path: Path
    label: str
    at: datetime


def backups(location: Location) -> list[Backup]:
    """The copies beside the store, newest first; none where nobody may look."""
    found: list[Backup] = []
    with suppress(OSError):
        for path in location.backups.iterdir():
            said = _NAME.fullmatch(path.name)
            if said is not None and not path.name.startswith("."):
                with suppress(ValueError):
                    at = datetime.strptime(said["at"], "%Y%m%dT%H%M%S.%fZ").replace(tzinfo=UTC)
                    found.append(Backup(path, said["label"], at))
    return sorted(found, key=lambda one: (one.at, one.path.name), reverse=True)


def back_up(store: Store, *, target: Path | None = None, label: Label = "manual") -> Path:
    """Copy the store as it stands now, while others may write; the copy's place, after it was checked.

    It goes beside the store, or to ``target``, which must not be there. Raises UsageError for a store on PostgreSQL,
    StoreDamaged where the store is broken or has lost operations that were noted beside it, StoreFull, StoreReadOnly.
    """
    location = store.location
    if location.path is None:
        raise UsageError(
            "A store on PostgreSQL is backed up by its server.", kept="Nothing was copied.", todo="Use pg_dump."
        )
    if target is not None and files.there(target):
        raise UsageError(f"{target} is there already.", kept="It was not written.", todo="Name another file.")
    from store.dialects import sqlite_copy, sqlite_make

    with files.told(location.head):
        noted = _noted(location)
    made = sqlite_make.back_up(location, location.path.resolve(), label, target=target)
    held = sqlite_copy.look(location, made).heads
    behind = next((name for name, (seq, _) in noted.items() if held.get(name, (0, ""))[0] < seq), None)
    if behind is not None:
        raise StoreDamaged(
            f"The store ends at operation {held.get(behind, (0, ''))[0]:,}, and {noted[behind][0]:,} were noted beside "
            "it: some are gone.",
            kept=f"The copy {made} holds what there is.",
            todo="See `meminbox verify`.",
        )
    return made


def daily(store: Store, kept: Copies) -> Path | None:
    """Make today's copy where there is none, and let old ones go; its place, or None where nothing was to be done.

    Today is the person's own day. Old copies go only after a new one was checked. Raises as ``back_up`` does.
    """
    location = store.location
    if location.path is None or kept.daily == 0 or store.read_only is not None or not _anything(store):
        return None
    if _made_on(location, store.now()):
        return None
    files.make_folder(location.backups)
    try:
        with files.locked(location.backups / ".lock", 0.0, "making today's backup"):
            if _made_on(location, store.now()):
                return None
            made = back_up(store, label="daily")
            rotate(location, kept)
            return made
    except StoreBusy:
        return None  # another console is at it


def rotate(location: Location, kept: Copies) -> list[Path]:
    """Remove the daily copies that are neither among the newest nor the last of a kept week; what was removed."""
    ours = [one for one in backups(location) if one.label == "daily"]
    for made in location.backups.glob(".*.making*"):  # a killed process left it
        with suppress(OSError):
            if abs(time.time() - made.stat().st_mtime) > _STALE:
                made.unlink()
    gone = outlived(ours, kept)
    for one in gone:
        with files.told(one.path):
            one.path.unlink(missing_ok=True)
    return [one.path for one in gone]


def outlived(found: Sequence[Backup], kept: Copies) -> list[Backup]:
    """Which of these, newest first, are not kept: behind the newest ``daily`` the last of each of ``weekly`` weeks."""
    weeks: dict[Any, Backup] = {}
    for one in found[kept.daily :]:
        weeks.setdefault(one.at.astimezone().isocalendar()[:2], one)
    staying = {*found[: kept.daily], *list(weeks.values())[: kept.weekly]}
    return [one for one in found if one not in staying]


def _made_on(location: Location, now: datetime) -> bool:
    today = now.astimezone().date()
    return any(one.label == "daily" and one.at.astimezone().date() == today for one in backups(location))


def _anything(store: Store) -> bool:
    """Whether there is anything to lose."""
    from store import queries

    counts = queries.counts(store, None)
    return bool(counts.memories or counts.pending or counts.deferred or counts.drafts)


def _noted(location: Location) -> dict[str, tuple[int, str]]:
    try:
        return head.read(location)
    except ValueError:
        return {}  # verify tells of it

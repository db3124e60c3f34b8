"""The store as `meminbox doctor` looks at it: where it is, whether it opens, who can read it, what waits beside it."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from console import words
from console.health import Finding
from store.errors import MeminboxError
from store.location import Location

if TYPE_CHECKING:
    from store.encoders import Choice
    from store.engine import Store


def look(location: Location, store: Store | None, trouble: MeminboxError | None) -> list[Finding]:
    """What there is to say of a store: open, or not there (both None), or in ``trouble``."""
    from console import keymap, looks
    from store.config import load
    from store.encoders import chosen

    mine = load()
    choice = chosen(mine)
    messages = (*mine.messages, *choice.messages, *keymap.load().messages, *looks.load().messages)
    return [
        _place(location, store, trouble),
        *([] if store is None else _inside(store)),
        _encoder(choice),
        *_private(location),
        *_backups(location, store),
        *_waiting(location, opened=store is not None),
        *(Finding("config", "todo", message) for message in messages),
    ]


def _encoder(choice: Choice) -> Finding:
    """What judges likeness; nothing is loaded to tell."""
    from console.modelling import missing

    reason = missing(choice)
    if reason is None:
        return Finding("encoder", "ok", choice.title)
    return Finding("encoder", "todo", reason, "Until then the built-in encoder stands in, or words alone.")


def _place(location: Location, store: Store | None, trouble: MeminboxError | None) -> Finding:
    where = location.described()
    if trouble is not None:
        return Finding("store", "todo", f"{where}: {trouble.what}", trouble.todo or "See `meminbox verify --help`.")
    if store is None:
        return Finding("store", "ok", f"{where}: not there yet; the first proposal makes it")
    if store.read_only is not None:
        return Finding("store", "todo", f"{where}: {store.read_only}", "Nothing can be decided before that is mended.")
    return Finding("store", "ok", where)


def _inside(store: Store) -> list[Finding]:
    from store import queries

    counts = queries.counts(store, None)
    waits = words.count(counts.pending + counts.deferred, "proposal waits", "proposals wait")
    held = f"{waits}, {words.count(counts.memories, 'memory', 'memories')} in all projects"
    return [Finding("holds", "ok", held), *(Finding("warning", "todo", one) for one in store.warnings)]


def _backups(location: Location, store: Store | None) -> list[Finding]:
    """When the newest backup was made, and whether an erasure is still due."""
    from store import backup, erase
    from store.config import load

    if location.path is None:
        return [Finding("backup", "note", "a store on PostgreSQL is backed up by its server")]
    found = backup.backups(location)
    told = []
    if found:
        told.append(Finding("backup", "ok", f"{found[0].at.astimezone():%Y-%m-%d %H:%M}: {found[0].path}"))
    elif store is not None:
        later = "the console makes one a day" if load().copies.daily else "`[backup]` in config.toml says to make none"
        told.append(Finding("backup", "note", f"none yet: {later}; `meminbox backup` makes one now"))
    if store is not None and erase.unfinished(store):
        told.append(Finding("erasure", "todo", "one is not finished", "`meminbox erase --finish` goes on with it."))
    return told


def _private(location: Location) -> list[Finding]:
    """Whether others on this machine can read what is kept."""
    open_to_others = [path for path in (location.path, location.spool, location.head) if path and _others_read(path)]
    if not open_to_others:
        return []
    names = " ".join(str(path) for path in open_to_others)
    return [Finding("privacy", "todo", "others on this machine can read it", f"chmod go-rwx {names}")]


def _others_read(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def _waiting(location: Location, *, opened: bool) -> list[Finding]:
    """What was said and is not in the store yet; what could not be read as ours."""
    from store import notes, spool

    told = []
    for what, folder, files in (("spool", location.spool, spool.files), ("notes", location.notes, notes.files)):
        try:
            waiting, reasons = len(files(folder)), len(list((folder / "bad").glob("*.reason")))
        except (OSError, MeminboxError):
            told.append(Finding(what, "todo", f"{folder} cannot be read", "Look whose it is, and who may read it."))
            continue
        if waiting:
            later = "the next command takes it in" if opened else "it is taken in once the store opens"
            told.append(Finding(what, "note", f"{words.count(waiting, 'file waits', 'files wait')}: {later}"))
        if reasons:
            many = words.count(reasons, "file was", "files were")
            told.append(
                Finding(
                    "set aside",
                    "todo",
                    f"{many} not what we write; the reason stands beside each",
                    f"Look into {folder / 'bad'}, then remove what is of no use.",
                )
            )
    return told

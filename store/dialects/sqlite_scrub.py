"""Deleted bytes out of a SQLite file: the full-text index merged, the log emptied, the file written anew."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from store.dialects import sqlite_engine
from store.dialects.sqlite_file import uri
from store.errors import StoreBusy, StoreTrouble
from store.location import Location

_READ = "another process reads {path}, and its log cannot be emptied: close it and run `meminbox erase --finish`"


def scrub(location: Location, path: Path, wait: float, *, anew: bool) -> tuple[str, ...]:
    """What could not be done now, in words; nothing where the file holds live rows alone.

    ``secure_delete`` overwrites what is freed; segments of the index keep deleted terms until they are merged; the log
    keeps old pages until it is truncated, which a reader bars; VACUUM (``anew``) leaves no free page. Raises StoreFull
    and the like. Measured: see the README's words on erasure.
    """
    try:
        with closing(sqlite3.connect(uri(path, "rw"), uri=True, timeout=wait, isolation_level=None)) as raw:
            raw.execute("PRAGMA secure_delete=ON")
            raw.execute("PRAGMA synchronous=FULL")
            raw.execute("INSERT INTO search_fts(search_fts) VALUES('optimize')")
            if anew:
                raw.execute("VACUUM")
            emptied = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        ours = sqlite_engine.translate(error, location)
        if isinstance(ours, StoreBusy):
            return (_READ.format(path=path),)
        raise ours or StoreTrouble(f"{path} could not be cleaned: {error}.") from error
    return () if emptied[0] == 0 else (_READ.format(path=path),)

"""Deleted rows out of the tables of a PostgreSQL store, as far as a client can bring that about."""

from __future__ import annotations

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

_TABLES = ("memory", "version", "proposal", "search_doc", "embedding", "support", "setting", "block")


def scrub(engine: Engine, wait: float) -> tuple[str, ...]:
    """Write each table anew (VACUUM FULL), waiting ``wait`` seconds at most for those who read it.

    What could not be done, in words: another role's table, or one that is being read.
    """
    failed = []
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("SELECT set_config('lock_timeout', :wait, false)"), {"wait": f"{round(wait * 1000)}ms"})
        for table in _TABLES:
            try:
                connection.execute(text(f"VACUUM (FULL) {table}"))
            except DBAPIError:
                failed.append(table)
        connection.execute(text("RESET lock_timeout"))
    if not failed:
        return ()
    return (
        f"the server could not write {', '.join(failed)} anew (somebody reads, or another role owns it): VACUUM FULL",
    )

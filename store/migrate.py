"""Bring a schema up to date: the revisions, in the caller's transaction. Alembic is imported only here, when needed."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

SCHEMA = 4
"""The schema number this program reads and writes; revision ``0004``."""


def upgrade(connection: Connection, to: int = SCHEMA) -> None:
    """Run the revisions that are missing, up to schema number ``to``, inside the transaction of ``connection``.

    The caller commits, after it has set its own marker. Nothing is kept where a revision fails.
    """
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = Path(__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision_of(to))


def revision_of(schema: int) -> str:
    """The Alembic revision of a schema number."""
    return f"{schema:04d}"


def number_of(revision: str) -> int | None:
    """The schema number of an Alembic revision, or None where the revision cannot be ours."""
    return int(revision) if len(revision) == 4 and revision.isascii() and revision.isdigit() else None

"""Ids: UUIDv7 strings made by the client, in the order they were made."""

from __future__ import annotations

import uuid6


def new_id() -> str:
    """A new UUIDv7 as a string; later ids of one process sort after earlier ones."""
    return str(uuid6.uuid7())

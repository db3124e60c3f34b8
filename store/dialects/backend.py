"""What a store needs of an engine: the same few things from each."""

from __future__ import annotations

from typing import Protocol

from sqlalchemy import Connection, Engine

from store.errors import MeminboxError
from store.watch import ChangeWatch


class Backend(Protocol):
    """One engine, opened: transactions, errors by our names, change watch."""

    engine: Engine
    read_only: str | None
    """Why writing is impossible, or None."""
    warnings: tuple[str, ...]
    """What a person should know about where the store stands."""

    def reading(self) -> Engine:
        """The engine whose transactions read one snapshot and never wait for a writer."""

    def writing(self, tenant: str, wait: float | None = None) -> Engine:
        """The engine whose transactions hold the tenant's write lock from their start.

        ``wait`` is in seconds, and as at opening where it is None.
        """

    def check(self) -> None:
        """Raise StoreLost where the store under the connections is no longer the one that was opened."""

    def expect_schema(self, connection: Connection) -> None:
        """Raise StoreNewer where a newer Meminbox has changed the schema since the store was opened."""

    def translate(self, error: BaseException, *, committing: bool) -> MeminboxError | None:
        """The error of ours that an engine's error means, or None where it means a fault in the program."""

    def quick_check(self, connection: Connection) -> str | None:
        """What the engine itself finds broken in its files, in words, or None."""

    def reference_check(self, connection: Connection) -> str | None:
        """Which row refers to one that is not there, in words, or None."""

    def scrub(self, *, anew: bool = True) -> tuple[str, ...]:
        """Bring what was deleted away from the files as well; what could not be done now, in words.

        Without ``anew`` the file is not written anew: enough for one whose freed bytes were always overwritten.
        """

    def schema_text(self, connection: Connection) -> str:
        """The words of the schema as they stand in the files; empty where no file is ours."""

    def watch(self, tenant: str) -> ChangeWatch:
        """A watch on a connection of its own, for what is committed by any other."""

    def close(self) -> None:
        """Give back every connection."""

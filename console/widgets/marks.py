"""The marked items: some of a list, or all of it but some, without a string for each of 100,000."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from store.packed import PackedIds


class Marks(Collection[str]):
    """A set of ids. ``whole`` is a list that is marked as such; single items come and go beside it.

    ``version`` changes with every change, so that "the same marks" is a comparison of two numbers.
    """

    def __init__(self, some: Iterable[str] = (), whole: PackedIds | None = None) -> None:
        self._some = set(some)
        self._whole = whole if whole is not None else PackedIds()
        self._without: set[str] = set()
        self.version = 0

    def __contains__(self, id_: object) -> bool:
        if id_ in self._some:
            return True
        return bool(len(self._whole)) and id_ not in self._without and id_ in self._whole

    def __len__(self) -> int:
        return len(self._some) + len(self._whole) - len(self._without)

    def __iter__(self) -> Iterator[str]:
        yield from self._some
        yield from (id_ for id_ in self._whole if id_ not in self._without)

    def add(self, ids: Iterable[str]) -> None:
        """Mark these."""
        for id_ in ids:
            if id_ in self._without:
                self._without.discard(id_)
            elif id_ not in self:
                self._some.add(id_)
        self.version += 1

    def remove(self, ids: Iterable[str]) -> None:
        """Unmark these."""
        for id_ in ids:
            if id_ in self._some:
                self._some.discard(id_)
            elif id_ in self:
                self._without.add(id_)
        self.version += 1

    def toggle(self, id_: str) -> None:
        """Mark it, or unmark it."""
        if id_ in self:
            self.remove([id_])
        else:
            self.add([id_])

    def take(self, whole: PackedIds) -> None:
        """Mark exactly this list."""
        self._some, self._whole, self._without = set(), whole, set()
        self.version += 1

    def clear(self) -> None:
        """Unmark all."""
        self.take(PackedIds())

    def among(self, *lists: PackedIds) -> Marks:
        """Those that stand in one of the lists. Reads every id: for a worker."""
        there = {id_ for ids in lists for id_ in ids}
        some = {id_ for id_ in self._some if id_ in there}
        whole = PackedIds.of(id_ for id_ in self._whole if id_ in there and id_ not in self._without)
        return Marks(some, whole)

    def copy(self) -> Marks:
        """The same marks, apart from later changes; for handing to a worker."""
        twin = Marks(self._some, self._whole)
        twin._without = set(self._without)
        return twin

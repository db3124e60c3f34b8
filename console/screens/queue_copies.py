"""Near-copies among what waits, as the list sees them: one row for the head, the others behind it. Pure.

Which proposals are near-copies of each other, ``store.clusters`` says; here they are folded, and opened again.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from store.packed import WIDTH, PackedIds


@dataclass(frozen=True, slots=True)
class Copies:
    """Heads with their near-copies, each in the order of the list; and the heads that stand open."""

    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    head_of: Mapping[str, str] = field(default_factory=dict)
    opened: frozenset[str] = frozenset()

    @classmethod
    def of(cls, clusters: Iterable[Sequence[str]], opened: frozenset[str] = frozenset()) -> Copies:
        """Clusters, each with its head first. One that holds nothing but its head is none."""
        others = {cluster[0]: tuple(cluster[1:]) for cluster in clusters if len(cluster) > 1}
        return cls(others, {one: head for head, rest in others.items() for one in rest}, opened & others.keys())

    def __len__(self) -> int:
        return len(self.others)

    def whole(self, id_: str | None) -> tuple[str, ...]:
        """All near-copies of an id, itself included and its head first; empty where it has none."""
        head = self.head_of.get(id_ or "", id_ or "")
        rest = self.others.get(head)
        return (head, *rest) if rest else ()

    def folded(self, id_: str | None) -> bool:
        """Whether this row stands for others that are not in the list."""
        return id_ in self.others and id_ not in self.opened

    def toggled(self, id_: str) -> Copies:
        """With the near-copies of this id opened, or folded."""
        return replace(self, opened=self.opened ^ {self.head_of.get(id_, id_)})

    def kept_open(self, id_: str | None) -> Copies:
        """With the near-copies of this id opened where it is one of those behind a head: no row vanishes."""
        head = self.head_of.get(id_ or "")
        return replace(self, opened=self.opened | {head}) if head else self

    def among(self, ids: PackedIds) -> tuple[Copies, PackedIds]:
        """Those that still stand among ``ids``, and the ids as rows: behind a head none, or its own where it is open.

        Walks through all ids where there are near-copies: for a worker.
        """
        if not self.others:
            return self, ids
        packed = {PackedIds.of([id_]).raw: id_ for id_ in (*self.others, *self.head_of)}
        there = {at: packed[raw] for at, raw in _standing(ids, packed)}
        clusters: dict[str, list[str]] = {}
        for id_ in there.values():
            clusters.setdefault(self.head_of.get(id_, id_), []).append(id_)
        for head, members in clusters.items():
            if head in members:
                members.sort(key=lambda id_, head=head: id_ != head)  # type: ignore[misc]
        kept = Copies.of(
            clusters.values(), frozenset(members[0] for head, members in clusters.items() if head in self.opened)
        )
        return kept, _rows(ids, there, kept)

    def number_in(self, ids: PackedIds) -> int:
        """How many of these are near-copies of something. Walks through all ids: for a worker."""
        packed = {PackedIds.of([id_]).raw for id_ in (*self.others, *self.head_of)}
        return sum(1 for _ in _standing(ids, packed)) if packed else 0


def _standing(ids: PackedIds, packed: Container[bytes]) -> Iterator[tuple[int, bytes]]:
    """Where in ``ids`` one of these stands. No list of 100,000 is made."""
    raw = ids.raw
    for at in range(0, len(raw), WIDTH):
        one = raw[at : at + WIDTH]
        if one in packed:
            yield at, one


def _rows(ids: PackedIds, there: Mapping[int, str], copies: Copies) -> PackedIds:
    """Near-copies, which are ``there`` by their places, stand where the first of them does."""
    rows: list[bytes] = []
    done: set[str] = set()
    end = 0
    for at, id_ in there.items():
        whole = copies.whole(id_)
        if not whole:
            continue
        rows.append(ids.raw[end:at])
        end = at + WIDTH
        if whole[0] not in done:
            done.add(whole[0])
            rows.append(PackedIds.of(whole if whole[0] in copies.opened else whole[:1]).raw)
    return PackedIds(b"".join((*rows, ids.raw[end:])))


NO_COPIES: Final = Copies()
"""Nothing is a near-copy of anything."""

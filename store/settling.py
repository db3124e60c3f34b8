"""Carrying out what a person chose for the memories of a preview: one operation, one undo.

Only what was previewed is touched, at the revision it had then. What has changed since, and what has come since and
would match, is left alone and named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from store.engine import Store
from store.entry import Entry, fingerprint
from store.errors import MeminboxError, NoneQualified, UsageError
from store.expiry import deciding
from store.facts import Actor, Done, Memory
from store.guards import cleaned
from store.ledger import Act
from store.outdated import Choice, Preview, Row, arrived
from store.project import Project
from store.reading import active_saying, chunks, memories
from store.turning import Standing, standing
from store.wording import title

NEW: Final = "new since the preview"
_COMMITS: Final = 3
"""Commits that the reason names; of more it says how many."""


def settle(store: Store, preview: Preview, choices: Mapping[str, Choice], project: Project, *, by: Actor) -> Done:
    """Expire or re-point the memories of ``choices`` (id -> what), as one operation.

    ``Done.left`` names what was left alone, with the reason for each. Raises NoneQualified where nothing could be done,
    UsageError where a memory was not previewed.
    """
    rows = {row.id: row for row in preview.rows}
    if any(one not in rows for one in choices):
        raise UsageError("What was not previewed is not touched.", kept="Nothing was changed.", todo="Look again.")
    fresh = arrived(store, preview, project)
    # Texts are written anew before the transaction, so that nobody waits for it; its guard is their revision.
    batch = _Batch(store, rows, _renewed(store, preview, [one for one, what in choices.items() if what == "repoint"]))
    with deciding(store) as connection:
        for part in chunks(list(choices.items()), 500):
            batch.add(connection, part)
        left = (*batch.left, *((row.id, NEW) for row in fresh))
        if not batch.ids:
            raise NoneQualified(f"None of the {len(choices):,} could be settled.", left=left)
        operation = batch.act(connection, by).commit()
        told = title(connection, store.tenant, operation)
        return Done(operation, told, memory_ids=batch.ids, left=left)


def renewed(preview: Preview, memory: Memory) -> Entry | None:
    """A memory's entry with every moved path written anew; None where none can be. Raises NotAdmitted."""
    said = preview.verdict(memory)
    if said is None or said.rewritten is None:
        return None
    paths = tuple(_new_path(preview, path) for path in memory.entry.paths)
    return cleaned(memory.entry.with_(content=said.rewritten, paths=paths))


def _new_path(preview: Preview, path: str) -> str:
    said = preview.judge.text(path) if preview.judge is not None else None
    return said.rewritten if said is not None and said.rewritten is not None else path


def _renewed(store: Store, preview: Preview, ids: Sequence[str]) -> dict[str, Entry | str]:
    """By memory, its entry with the new paths, or in words why there is none."""
    found: dict[str, Entry | str] = {}
    for part in chunks(list(ids), 500):
        with store.read() as connection:
            page = memories(connection, store.tenant, part)
        for memory in page:
            try:
                found[memory.id] = renewed(preview, memory) or "it has no new path"
            except MeminboxError as error:
                found[memory.id] = f"its text with the new path cannot be kept: {error.what}"
    return found


class _Batch:
    """What is to be done to each memory, and what is left alone, before anything is written."""

    def __init__(self, store: Store, rows: Mapping[str, Row], renewed: Mapping[str, Entry | str]) -> None:
        self.leaving: list[Standing] = []
        self.repointed: list[tuple[Memory, Entry]] = []
        self.left: list[tuple[str, str]] = []
        self._store = store
        self._rows = rows
        self._renewed = renewed
        self._said: set[str] = set()

    @property
    def ids(self) -> tuple[str, ...]:
        """The memories that something is done to."""
        return (*(one.id for one in self.leaving), *(memory.id for memory, _ in self.repointed))

    def add(self, connection: Connection, wanted: Sequence[tuple[str, Choice]]) -> None:
        """Stage a page of (memory id, what to do)."""
        found = standing(connection, self._store.tenant, [one for one, _ in wanted])
        anew: list[str] = []
        for memory_id, choice in wanted:
            stands = found.get(memory_id)
            why = _why_left(stands, self._rows[memory_id].revision)
            if stands is None or why:
                self.left.append((memory_id, why))
            elif choice == "expire":
                self.leaving.append(stands)
            else:
                anew.append(memory_id)
        self._stage_anew(connection, anew)

    def act(self, connection: Connection, by: Actor) -> Act:
        """The operation of all that is staged."""
        action = "settle" if self.leaving and self.repointed else ("expire" if self.leaving else "repoint")
        selection = {"batch": len(self.leaving) + len(self.repointed)}
        act = Act(self._store, connection, by, action, reason=self._reason(), selection=selection)
        for one in self.leaving:
            act.turn(one, "expired", action="expire")
        for memory, entry in self.repointed:
            act.change(memory, entry, action="repoint")
        return act

    def _stage_anew(self, connection: Connection, ids: Sequence[str]) -> None:
        """Stage the re-pointed texts that nobody else says already."""
        entries = {one: self._renewed.get(one, "it is gone") for one in ids}
        self.left += [(one, entry) for one, entry in entries.items() if isinstance(entry, str)]
        anew = {one: entry for one, entry in entries.items() if isinstance(entry, Entry)}
        marks = {one: _mark(entry) for one, entry in anew.items()}
        holding = active_saying(connection, self._store.tenant, list(marks.values()))
        held = {_mark(one.entry): one.id for one in holding}
        for memory in memories(connection, self._store.tenant, list(anew)):
            mark = marks[memory.id]
            if held.get(mark, memory.id) != memory.id or mark in self._said:
                self.left.append((memory.id, "another memory says the same with the new path"))
                continue
            self._said.add(mark)
            self.repointed.append((memory, anew[memory.id]))

    def _reason(self) -> str | None:
        """The commits that made these memories false, the one that did most first."""
        commits = Counter(commit for one in self.ids for commit in self._rows[one].commits)
        named = [commit[:10] for commit, _ in commits.most_common(_COMMITS)]
        if not named:
            return None
        more = len(commits) - len(named)
        return f"moved or deleted in {', '.join(named)}{f' and {more:,} more commits' if more > 0 else ''}"


def _mark(entry: Entry) -> str:
    return fingerprint(entry.scope, "add", entry.content)


def _why_left(memory: Standing | None, revision: int) -> str:
    if memory is None:
        return "there is no such memory"
    if memory.revision != revision:
        return f"revision {revision} has become {memory.revision}"
    return "" if memory.status == "active" else f"it is {memory.status} already"

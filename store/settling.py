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
        if not batch.staged:
            raise NoneQualified(f"None of the {len(choices):,} could be settled.", left=left)
        operation = batch.act(connection, by).commit()
        told = title(connection, store.tenant, operation)
        return Done(operation, told, memory_ids=tuple(one.id for one, _, _ in batch.staged), left=left)


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
        self.staged: list[tuple[Memory, Entry, Choice]] = []
        self.left: list[tuple[str, str]] = []
        self._store = store
        self._rows = rows
        self._renewed = renewed
        self._said: set[str] = set()

    def add(self, connection: Connection, wanted: Sequence[tuple[str, Choice]]) -> None:
        """Stage a page of (memory id, what to do)."""
        found = {one.id: one for one in memories(connection, self._store.tenant, [one for one, _ in wanted])}
        anew: list[tuple[Memory, Entry]] = []
        for memory_id, choice in wanted:
            memory = found.get(memory_id)
            why = _why_left(memory, self._rows[memory_id].revision)
            entry = memory.entry if memory and choice == "expire" else self._renewed.get(memory_id, "it is gone")
            if memory is None or why or isinstance(entry, str):
                self.left.append((memory_id, why or str(entry)))
            elif choice == "expire":
                self.staged.append((memory, entry, choice))
            else:
                anew.append((memory, entry))
        self._stage_anew(connection, anew)

    def act(self, connection: Connection, by: Actor) -> Act:
        """The operation of all that is staged."""
        what = {choice for _, _, choice in self.staged}
        action = "settle" if len(what) > 1 else next(iter(what))
        act = Act(self._store, connection, by, action, reason=self._reason(), selection={"batch": len(self.staged)})
        for memory, entry, choice in self.staged:
            act.change(memory, entry, "expired" if choice == "expire" else "active", action=choice)
        return act

    def _stage_anew(self, connection: Connection, anew: Sequence[tuple[Memory, Entry]]) -> None:
        """Stage the re-pointed texts that nobody else says already."""
        marks = {memory.id: _mark(entry) for memory, entry in anew}
        holding = active_saying(connection, self._store.tenant, list(marks.values()))
        held = {_mark(one.entry): one.id for one in holding}
        for memory, entry in anew:
            mark = marks[memory.id]
            if held.get(mark, memory.id) != memory.id or mark in self._said:
                self.left.append((memory.id, "another memory says the same with the new path"))
                continue
            self._said.add(mark)
            self.staged.append((memory, entry, "repoint"))

    def _reason(self) -> str | None:
        """The commits that made these memories false, the one that did most first."""
        commits = Counter(commit for memory, _, _ in self.staged for commit in self._rows[memory.id].commits)
        named = [commit[:10] for commit, _ in commits.most_common(_COMMITS)]
        if not named:
            return None
        more = len(commits) - len(named)
        return f"moved or deleted in {', '.join(named)}{f' and {more:,} more commits' if more > 0 else ''}"


def _mark(entry: Entry) -> str:
    return fingerprint(entry.scope, "add", entry.content)


def _why_left(memory: Memory | None, revision: int) -> str:
    if memory is None:
        return "there is no such memory"
    if memory.revision != revision:
        return f"revision {revision} has become {memory.revision}"
    return "" if memory.status == "active" else f"it is {memory.status} already"

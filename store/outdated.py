"""What is no longer true: a rule -> a preview of what it means for each memory. ``settling`` carries it out.

A preview changes nothing. It knows every memory it looked at, at which revision, so that what is new or has changed
since can be told apart from what was previewed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import func, select

from store import encoders, kept, moves, queries, similar
from store.candidates import standings
from store.engine import Store
from store.errors import NotFound, UsageError
from store.facts import Memory
from store.git import GitFailed
from store.left_over import left_over
from store.models import MemoryRow
from store.packed import PackedIds
from store.project import Project
from store.reading import memories
from store.selecting import Rule, instant, names_package, names_path
from store.verdicts import Judge, TextVerdict

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
PAGE: Final = 500
"""Memories that are read and judged between two looks at whether to go on."""
BEFORE: Final = timedelta(days=90)
"""How far before the oldest memory git is asked: an agent may have learnt a path from a text that was old already."""
_PLACE: Final = re.compile(r"[/\\~]")
Choice = Literal["expire", "repoint"]
Told = Callable[[int, int], None]
"""Progress: how many were looked at, of how many."""


class Stopped(Exception):
    """Whoever asked for the preview no longer wants it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One memory of a preview. ``verdict`` is the worst of what it names (None: not judged, or it names nothing).

    ``suggested`` is what is chosen for it beforehand, None where the person must choose. ``cause`` is why it is here
    (``kept.cause``), ``kept`` whether the person has kept it for that before, ``branch_only`` whether what made it
    false is not on the shared branch, ``rewritable`` whether its text can be written anew. ``commits`` (whole hashes)
    moved or deleted what it names.
    """

    id: str
    revision: int
    verdict: str | None
    suggested: Choice | None
    source: str
    cause: str
    kept: bool = False
    branch_only: bool = False
    rewritable: bool = False
    commits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Preview:
    """What a rule means for the memories it found. ``looked_at`` are all that its words apply to, found or not.

    ``missing`` says in words why git could not tell everything. ``verdict`` of a memory is worked out anew when asked.
    """

    rule: Rule
    rows: tuple[Row, ...]
    looked_at: PackedIds
    at: datetime
    missing: str | None = None
    branch: str | None = None
    default_branch: str | None = None
    judge: Judge | None = field(default=None, compare=False, repr=False)
    judged_scope: str | None = None

    def verdict(self, memory: Memory) -> TextVerdict | None:
        """What became of all that a memory names; None where this rule did not ask git about it."""
        if self.judge is None or memory.entry.scope != self.judged_scope:
            return None
        return self.judge.text(memory.entry.content)

    def by_verdict(self) -> dict[str | None, int]:
        """How many rows there are of each verdict."""
        return dict(Counter(row.verdict for row in self.rows))

    def by_source(self) -> dict[str, int]:
        """How many rows there are of each source."""
        return dict(Counter(row.source for row in self.rows))


def preview(
    store: Store,
    rule: Rule,
    project: Project,
    *,
    progress: Told | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Preview:
    """What ``rule`` finds, newest change first; about 0.3 ms a text that git is asked about.

    Raises UsageError for a rule that would mean everything, a revision that is not there, or git where there is none;
    Stopped where ``stopped`` says so between two pages.
    """
    if not rule.narrows:
        raise UsageError("Without a rule this would be about every memory.", todo="Say which: --since, --path, …")
    judge = _judge(store, rule, project) if rule.judged or rule.since else None
    ids = _looked_at(store, rule)
    found = _Finding(store, rule, judge, project.identity)
    for start in range(0, len(ids), PAGE):
        if stopped is not None and stopped():
            raise Stopped
        found.look(ids[start : start + PAGE])
        if progress is not None:
            progress(min(start + PAGE, len(ids)), len(ids))
    told = judge.moves if judge else None
    return Preview(
        rule=rule,
        rows=tuple(found.rows),
        looked_at=ids,
        at=store.now(),
        missing=told.missing if told else None,
        branch=told.branch if told else None,
        default_branch=told.default_branch if told else None,
        judge=judge,
        judged_scope=project.identity if judge else None,
    )


def arrived(store: Store, before: Preview, project: Project) -> tuple[Row, ...]:
    """What the rule of a preview would find now and had not looked at then."""
    now = _looked_at(store, before.rule)
    if now == before.looked_at:
        return ()
    looked = set(before.looked_at)
    fresh = [one for one in now if one not in looked]
    found = _Finding(store, before.rule, before.judge, project.identity)
    for start in range(0, len(fresh), PAGE):
        found.look(fresh[start : start + PAGE])
    return tuple(found.rows)


class _Finding:
    """Looks at memories page by page and keeps what the rule is about."""

    def __init__(self, store: Store, rule: Rule, judge: Judge | None, judged_scope: str) -> None:
        self.rows: list[Row] = []
        self._store = store
        self._rule = rule
        self._judge = judge
        self._scope = judged_scope
        self._path = names_path(rule.path) if rule.path else None
        self._package = names_package(rule.package) if rule.package else None

    def look(self, ids: Sequence[str]) -> None:
        """Look at one page."""
        with self._store.read() as connection:
            page = memories(connection, self._store.tenant, list(ids))
            if self._rule.unverified is not None:
                stand = standings(connection, self._store.tenant, {one.id: one.updated_at for one in page})
                latest = self._store.now() - self._rule.unverified
                page = [one for one in page if stand[one.id].verified_at <= latest]
        rows = list(self._rows(one for one in page if self._named(one)))
        before = kept.kept(self._store, [row.id for row in rows])
        self.rows += [_as_kept(row, before.get(row.id)) for row in rows]

    def _named(self, memory: Memory) -> bool:
        content, paths = memory.entry.content, memory.entry.paths
        return all(one(content, paths) for one in (self._path, self._package) if one is not None)

    def _rows(self, page: Iterator[Memory]) -> Iterator[Row]:
        for memory in page:
            if self._judge is None:
                yield Row(
                    memory.id, memory.revision, None, "expire", memory.entry.source, kept.cause(memory.revision, None)
                )
            elif memory.entry.scope == self._scope:
                row = self._judged(memory, self._judge)
                if row is not None:
                    yield row

    def _judged(self, memory: Memory, judge: Judge) -> Row | None:
        content = memory.entry.content
        # Most texts name nothing at all: only the others are read closely.
        if not (self._rule.everything or _PLACE.search(content) or judge.may_concern(content)):
            return None
        said = judge.text(content)
        if said.overall is None or (said.overall == "there" and not self._rule.everything):
            return None
        branch_only = said.suggested is None and any(one.branch_only for one in said.mentions)
        return Row(
            id=memory.id,
            revision=memory.revision,
            verdict=said.overall,
            suggested=said.suggested,
            source=memory.entry.source,
            cause=kept.cause(memory.revision, said),
            branch_only=branch_only,
            rewritable=said.rewritten is not None,
            commits=tuple(dict.fromkeys(one.commit for one in said.mentions if one.stale and one.commit)),
        )


def _as_kept(row: Row, why: str | None) -> Row:
    return replace(row, kept=True, suggested=None) if why == row.cause else row


def _looked_at(store: Store, rule: Rule) -> PackedIds:
    if rule.only is not None:
        return PackedIds.of([rule.only])
    ids = queries.memory_ids(store, rule.flt, scopes=rule.scopes)
    if rule.like is None:
        return ids
    near = set(_like(store, rule, rule.like))
    return PackedIds.of(one for one in ids if one in near)


def _judge(store: Store, rule: Rule, project: Project) -> Judge:
    """The judge of this project's texts. Raises UsageError where git cannot answer."""
    if rule.scopes is not None and project.identity not in rule.scopes:
        raise UsageError(
            "Git can only be asked about the project of this folder.",
            kept="Nothing was changed.",
            todo="Go to that project's folder, or leave --since out.",
        )
    try:
        told = _moves(store, rule, project)
    except GitFailed as error:
        words = str(error)
        raise UsageError(
            f"{words[:1].upper()}{words[1:]}.", kept="Nothing was changed.", todo="--since takes a revision or a date."
        ) from error
    return _made(told, project)


def _moves(store: Store, rule: Rule, project: Project) -> moves.Moves:
    when = instant(rule.since, store.now()) if rule.since else _oldest(store, project) - BEFORE
    if when is not None:
        return moves.since(project.root, when, uncommitted=rule.uncommitted)
    return moves.between(project.root, rule.since or "HEAD", uncommitted=rule.uncommitted)


def _made(told: moves.Moves, project: Project) -> Judge:
    left = left_over(project.root, told)
    return Judge(told, names=(project.label, project.root.name), root=str(project.root), kept=left)


def _oldest(store: Store, project: Project) -> datetime:
    """When the oldest memory of the project was made; now where it has none."""
    chosen = select(func.min(MEMORY.c.created_at)).where(
        MEMORY.c.tenant_id == store.tenant, MEMORY.c.status == "active", MEMORY.c.scope == project.identity
    )
    with store.read() as connection:
        oldest: datetime | None = connection.execute(chosen).scalar_one()
        return oldest or store.now()


def _like(store: Store, rule: Rule, memory_id: str) -> list[str]:
    """The memory itself and those that resemble it most, by what is at hand (vectors, else words)."""
    found = queries.memory_rows(store, [memory_id])
    if not found:
        raise NotFound("The memory that others should be like is not there any more.", kept="Nothing was changed.")
    near = similar.by_text(
        store,
        found[0].entry.content,
        encoder=encoders.at_hand(),
        scopes=rule.scopes,
        limit=similar.LOOKED_AT,
        exclude=(memory_id,),
    )
    return [memory_id, *(one.memory.id for one in near.items)]

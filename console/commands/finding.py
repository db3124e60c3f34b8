"""Commands that find: search, profile, and the block an agent is given. None of them waits for a writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands import options

if TYPE_CHECKING:
    from store.block import Block
    from store.engine import Store
    from store.facts import Proposal
    from store.project import Project
    from store.retrieval import Found, Hit, Told

_PAGE = 200
_MOST = 200
"""The highest limit of a search: more are not looked at."""

Scope = Annotated[
    str | None, typer.Option("--scope", metavar="SCOPE", help="One project, or global. [this project and global]")
]


def search(
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="Words, a key, an alias, a path or an id.")],
    scope: Scope = None,
    everywhere: Annotated[bool, typer.Option("--all", "-a", help="Search all projects.")] = False,
    status: Annotated[
        list[str] | None, typer.Option("--status", metavar="STATUS", help="May be given again. [active]")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option("--kind", metavar="KIND", help="May be given again. [all kinds]")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=_MOST, metavar="N", help="At most so many.")] = 5,
    db: options.Db = None,
    as_json: options.Json = False,
    as_lines: options.Jsonl = False,
    as_markdown: Annotated[
        bool, typer.Option("--md", help="As Markdown for a colleague, with what waits marked as pending.")
    ] = False,
    quiet: options.Quiet = False,
) -> int:
    """Search the memories.

    Names first (a key, an alias, a path, the end of an id), then words and meaning. Whatever is typed is taken
    literally; --json says what judged likeness.
    """
    from console import output, tables
    from console.commands import choices
    from console.commands.opening import reading
    from store import meaning
    from store.errors import UsageError
    from store.retrieval import Found
    from store.retrieval import search as found_by

    if as_markdown and (as_json or as_lines):
        raise UsageError("--md and --json exclude each other.", todo="Give one of them.")
    statuses = choices.statuses(status, "memory")
    for one in kind or ():
        choices.kind(one)
    scopes = _scopes(scope, everywhere=everywhere)
    asked = " ".join(query)
    waiting: Sequence[Proposal] = ()
    with reading(db) as store:
        found = Found()
        if store is not None:
            meaning.ready(store, asked)
            found = found_by(store, asked, scopes=scopes, statuses=statuses, kinds=kind, limit=limit)
            waiting = _waiting(store, asked, scopes, kind, limit) if as_markdown else ()
    if as_markdown:
        _print_markdown(asked, found, waiting)
        return 0
    items = [_hit_item(one) for one in found.hits]
    if as_lines:
        for item in items:
            output.print_json({**item, "scorer": found.scorer})
    elif as_json:
        told = {"schema_version": output.SCHEMA_VERSION, "total": found.total, "scorer": found.scorer, "items": items}
        output.print_json(told)
    else:
        here = choices.here().identity
        tables.print_rows((_hit_row(one, here) for one in found.hits), wide=4)
        output.hint(_shown(len(items), found.total), quiet=quiet)
    return 0


def _waiting(
    store: Store, asked: str, scopes: tuple[str, ...] | None, kinds: Sequence[str] | None, limit: int
) -> list[Proposal]:
    """What waits for a person and holds every word that was asked for, newest first; nothing where an agent asks."""
    from console.terminal import agent_around
    from store import queries
    from store.filters import LONGEST_TEXT, Filter, Term

    terms = tuple(Term("text", "=", word) for word in asked.split() if len(word) <= LONGEST_TEXT)
    if not terms or agent_around() is not None:
        return []
    flt = Filter(given=asked, terms=terms)
    ids = queries.queue_ids(store, flt, scopes=scopes, since=None, order="newest")
    return [one for one in queries.queue_rows(store, ids[:_MOST]) if not kinds or one.entry.kind in kinds][:limit]


def _print_markdown(asked: str, found: Found, waiting: Sequence[Proposal]) -> None:
    from console.answers_md import markdown

    more = max(found.total - len(found.hits), 0)
    for line in markdown(asked, found.hits, waiting, more=more, scorer=found.scorer):
        print(line)


def _scopes(said: str | None, *, everywhere: bool) -> tuple[str, ...] | None:
    """Where to look: one scope, everywhere (None), or here."""
    from console.commands import choices
    from store.entry import GLOBAL
    from store.errors import UsageError

    if everywhere and said is not None:
        raise UsageError("--all and --scope exclude each other.", todo="Give one of them.")
    chosen, here = choices.scope(said), choices.here().identity
    choices.seen_from_here(
        None if everywhere else chosen or here, todo="Without --all and --scope this project and global are searched."
    )
    if everywhere:
        return None
    return (here, GLOBAL) if chosen is None else (chosen,)


def _standing(one: Hit | Told) -> dict[str, Any]:
    from store.entry import iso

    age = {"verified_at": iso(one.verified_at), "age": one.age_words}
    return {**age, "support": one.support, "uses": one.uses}


def _hit_item(hit: Hit) -> dict[str, Any]:
    from console import output

    return {**output.memory_item(hit.memory), "score": hit.score, "why": hit.why, **_standing(hit)}


def _hit_row(hit: Hit, here: str) -> list[str]:
    """The columns of one hit: id, what matched, kind, key, text, status, scope, age."""
    from console import tables

    status = hit.memory.status
    said = _row(hit, here)
    return [said[0], hit.why, *said[1:4], "" if status == "active" else tables.line(status), *said[4:]]


def _row(told: Hit | Told, here: str) -> list[str]:
    """The columns of one memory: id, kind, key, text, its scope where that is not the present project, age."""
    from console import tables, words

    entry = told.memory.entry
    return [
        tables.short(told.memory.id),
        words.KIND.get(entry.kind, (tables.line(entry.kind), ""))[0],
        tables.line(entry.key),
        tables.line(entry.content),
        "" if entry.scope == here else words.scope(entry.scope, None, None),
        told.age_words.removeprefix("verified "),
    ]


def _shown(number: int, total: int) -> str:
    if not total:
        return "Nothing matches."
    if number < total:
        return f"{number:,} of {total:,}{' or more' if total >= _MOST else ''}; --limit N shows more."
    return f"{total:,} in all."


def profile(
    scope: Scope = None,
    db: options.Db = None,
    as_json: options.Json = False,
    as_lines: options.Jsonl = False,
    quiet: options.Quiet = False,
) -> int:
    """Show everything that agents are told here.

    In the words and the order they see: the block that a session is given (`context` prints it alone), then what agents
    find by searching.
    """
    from console import output
    from console.commands.opening import reading

    project, scopes = _told_in(scope)
    with reading(db) as store:
        if store is None:
            if as_json and not as_lines:
                output.print_list(0, (), lines=False)
            return 0
        if as_json or as_lines:
            total, rows = _everything(store, scopes)
            items = ({**output.memory_item(one.memory), **_standing(one)} for one in rows)
            output.print_list(total, items, lines=as_lines)
        else:
            _print_everything(store, scopes, project, quiet=quiet)
    return 0


def _told_in(said: str | None) -> tuple[Project, tuple[str, ...]]:
    """Whose agents are asked about, and what they are told: a project's memories, and what holds everywhere."""
    from console.commands import choices
    from store.given import scopes_of
    from store.project import Project

    chosen, here = choices.scope(said), choices.here()
    choices.seen_from_here(chosen or here.identity)
    project = here if chosen in (None, here.identity) else Project(str(chosen), str(chosen), here.root)
    return project, scopes_of(project)


def _print_everything(store: Store, scopes: tuple[str, ...], project: Project, *, quiet: bool) -> None:
    from console import knowing, output
    from console.visible import visible
    from store.retrieval import everything_ids

    for line in knowing.everything(store, scopes, project):
        print(visible(line))
    total = len(everything_ids(store, scopes))
    output.hint(f"{total:,} in all." if total else "Nothing is remembered here yet.", quiet=quiet)


def _everything(store: Store, scopes: tuple[str, ...] | None) -> tuple[int, Iterator[Told]]:
    """How many there are, and all of them, a page at a time."""
    from store.retrieval import everything_ids, told

    ids = everything_ids(store, scopes)
    starts = range(0, len(ids), _PAGE)
    return len(ids), (one for start in starts for one in told(store, scopes, ids[start : start + _PAGE]))


def context(
    task: Annotated[
        str | None, typer.Option("--task", metavar="TEXT", help="Only the three to five memories that this needs.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="The session that is given it, for the log.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="NAME", help="The agent that is given it, for the log.")
    ] = None,
    db: options.Db = None,
    as_json: options.Json = False,
) -> int:
    """Print the block that an agent is given.

    What was approved for this project and for all, as data with its dates and sources. What is printed counts as given.
    """
    from console import quick
    from console.commands import choices
    from store import given
    from store.location import locate

    place, project = locate(db), choices.here()
    block, scorer = (given.profile(place, project), None) if task is None else _for_task(db, project, task)
    quick.note(place, block, session=session, agent=agent)
    quick.show(block, as_json=as_json, scorer=scorer)
    return 0


def _for_task(db: str | None, project: Project, task: str) -> tuple[Block, str]:
    """The block of what a task needs, and what judged likeness for it."""
    from console.commands.opening import reading
    from store import given, meaning
    from store.block import NOTHING

    with reading(db) as store:
        if store is None:
            return NOTHING, meaning.WORDS
        meaning.ready(store, task)
        return given.task(store, project, task)

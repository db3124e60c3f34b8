"""Commands that read: list, show, history, status. None of them waits for a writer, and none changes a memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from console.commands import options

if TYPE_CHECKING:
    from store.borne_out import Evidence
    from store.engine import Store
    from store.facts import Detail, Memory, Version
    from store.queries import Page

_PAGE = 500
_PAGE_BY_AGE = 5_000
"""Rows fetched at once; by age every page looks at all rows anew, so there must be few pages."""


def list_(
    memories: Annotated[bool, typer.Option("--memories", "-m", help="List active memories, not proposals.")] = False,
    status: Annotated[
        list[str] | None,
        typer.Option("--status", metavar="STATUS", help="May be given again. [draft,pending,deferred]"),
    ] = None,
    scope: Annotated[str | None, typer.Option("--scope", metavar="SCOPE", help="A project, or global. [all]")] = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="fact, preference, procedure, …")] = None,
    flag: Annotated[str | None, typer.Option("--flag", metavar="CODE", help="conflict, hidden, stale_base, …")] = None,
    sort: Annotated[
        str, typer.Option("--sort", metavar="ORDER", help="queue (newest session first), oldest or newest.")
    ] = "queue",
    limit: Annotated[int | None, typer.Option("--limit", min=0, metavar="N", help="At most so many. [all]")] = None,
    after: Annotated[str | None, typer.Option("--after", metavar="ID", help="Begin after this item.")] = None,
    db: options.Db = None,
    as_json: options.Json = False,
    as_lines: options.Jsonl = False,
    quiet: options.Quiet = False,
) -> int:
    """List what waits, or the active memories."""
    from console import output
    from console.commands import choices
    from console.commands.opening import reading

    what = "memory" if memories else "proposal"
    statuses = choices.statuses(status, what)
    choices.kind(kind)
    choices.sort(sort)
    within = choices.listed_from_here(scope)
    with reading(db) as store:
        if store is None:
            if as_json and not as_lines:
                output.print_list(0, (), lines=False)
            return 0
        wanted = {
            "what": what,
            "statuses": statuses,
            "scope": within,
            "kind": kind,
            "flag": flag,
            "sort": sort,
            "after": choices.cursor(store, after, what),
        }
        first = _page(store, wanted, limit)
        rows = _through(store, wanted, first, limit)
        if as_json or as_lines:
            output.print_list(first.total or 0, map(output.item, rows), lines=as_lines)
        else:
            _print_people(rows, what)
            narrowed = bool(status or scope or kind or flag or after)
            output.hint(_shown(limit, first.total or 0, _NOTHING if narrowed else _NONE_YET[what]), quiet=quiet)
    return 0


def _page(store: Store, wanted: dict[str, Any], left: int | None, *, counted: bool = True) -> Page:
    from store.queries import list_page

    size = _PAGE if wanted["sort"] == "queue" else _PAGE_BY_AGE
    return list_page(store, **wanted, limit=size if left is None else min(left, size), counted=counted)


def _through(store: Store, wanted: dict[str, Any], page: Page, limit: int | None) -> Iterator[Any]:
    """The items of ``page`` and of those after it, fetched as they are asked for, at most ``limit``."""
    left = limit
    while True:
        yield from page.items
        left = None if left is None else left - len(page.items)
        if page.next is None or left == 0:
            return
        page = _page(store, {**wanted, "after": page.next}, left, counted=False)


def _print_people(rows: Iterator[Any], what: str) -> None:
    from console import tables

    if what == "memory":
        tables.print_rows(map(tables.memory_row, rows), wide=4)
    else:
        tables.print_rows(map(tables.proposal_row, rows), wide=5)


_NOTHING: Final = "Nothing matches."
_NONE_YET: Final = {
    "proposal": "Nothing waits. What agents propose comes here; `meminbox list --memories` shows what you approved.",
    "memory": "Nothing is remembered yet: what you approve in `meminbox` is. `meminbox list` shows what waits.",
}


def _shown(limit: int | None, total: int, nothing: str) -> str:
    if limit is not None and limit < total:
        return f"{limit:,} of {total:,}; --after ID shows what comes next."
    return f"{total:,} in all." if total else nothing


def show(
    identity: options.Id,
    db: options.Db = None,
    as_json: options.Json = False,
) -> int:
    """Show one proposal or memory in full, or one step."""
    from console import output
    from console.commands import beside, choices
    from console.commands.opening import standing
    from store import queries
    from store.borne_out import evidence

    with standing(db) as store:
        what, found = queries.resolve(store, identity, what="any", scopes=(choices.here().identity,))
        if what == "operation":
            from console.commands.step_shown import print_step

            return print_step(store, found, as_json=as_json)
        if what == "proposal":
            detail = queries.detail(store, found)
            assert detail is not None
            choices.seen_from_here(detail.proposal.entry.scope)
            item, versions = output.proposal_item(detail.proposal), detail.versions
            similar = beside.found(store, detail.proposal)
        else:
            memory = _memory(store, found)
            choices.seen_from_here(memory.entry.scope)
            item, versions = output.memory_item(memory), tuple(queries.memory_versions(store, found))
        borne = evidence(store, found)
        if as_json:
            told = {**item, "flags": item.get("flags", []), "similar": []}
            if what == "proposal":
                told["similar"] = beside.as_json(similar)
            told["support"] = [one.as_dict() for one in borne]
            output.print_json({**told, "versions": [output.version_item(one) for one in versions]})
        elif what == "proposal":
            assert detail is not None
            _print_lines(_proposal_lines(detail))
            _print_lines(beside.lines(similar))
            _print_lines(_evidence_lines(borne))
        else:
            _print_lines(_memory_lines(memory, versions))
            _print_lines(_evidence_lines(borne))
            if memory.status == "retired":
                _print_lines(_why_retired(store, found))
    return 0


def _memory(store: Store, memory_id: str) -> Memory:
    from store import queries
    from store.errors import NotFound

    found = queries.memory_rows(store, [memory_id])
    if not found:
        raise NotFound("That memory is not there any more.")
    return found[0]


def _proposal_lines(detail: Detail) -> Iterator[str]:
    from console import tables, words

    proposal = detail.proposal
    said = f", said {proposal.mentions} times" if proposal.mentions > 1 else ""
    op, status = tables.line(proposal.op), tables.line(proposal.status)
    yield f"{op}  {tables.short(proposal.id)}  {status}{said}, {tables.when(proposal.created_at)}"
    for flag in proposal.flags:
        yield from tables.labelled("flag", f"{words.flag_word(flag, proposal.entry.content)} {flag.detail}".strip())
    if detail.refused_before is not None:
        refusal = detail.refused_before
        why = f": {refusal.reason}" if refusal.reason else ""
        yield from tables.labelled("before", f"{refusal.cause} by {refusal.actor}, {tables.when(refusal.at)}{why}")
    yield from tables.entry_lines(proposal.entry)
    checkout = words.checkout(proposal)
    if checkout:
        yield tables.beside("checkout", checkout)
    target = proposal.target
    if target is not None and proposal.op == "update":
        size = words.size_change(proposal)
        yield f"against revision {target.revision} of {tables.short(target.id)}{', ' + size if size else ''}:"
        yield from tables.diff_lines(target.entry.content, proposal.entry.content)
    others = [one for one in detail.group if one.id != proposal.id]
    for other in others:
        yield from tables.labelled("also", f"{tables.short(other.id)} {other.entry.content}")


def _memory_lines(memory: Memory, versions: tuple[Version, ...]) -> Iterator[str]:
    from console import tables, words

    status = "turned down" if memory.status == "retired" else memory.status
    state = f"{tables.line(status)}, revision {memory.revision}, {tables.when(memory.updated_at)}"
    yield f"memory  {tables.short(memory.id)}  {state}"
    yield from tables.entry_lines(memory.entry)
    if memory.previous_value is not None:
        yield "before, and `rollback` brings it back:"
        yield from tables.text_lines(memory.previous_value)
    more = "; `history` lists them" if len(versions) > 1 else ""
    yield f"{words.count(len(versions), 'version', 'versions')}{more}."


def _evidence_lines(borne: tuple[Evidence, ...]) -> Iterator[str]:
    """What bore it out: what was seen, and apart from it what an agent only claims."""
    from console import tables, words

    for label, some in (
        ("support", [one for one in borne if not one.claimed]),
        ("claimed", [one for one in borne if one.claimed]),
    ):
        sessions = sum(one.kind == "session" for one in some)
        told = [words.count(sessions, "session", "sessions")] if sessions else []
        told += [one.named() for one in some if one.kind != "session"]
        if told:
            yield from tables.labelled(label, ", ".join(told))


def _why_retired(store: Store, memory_id: str) -> Iterator[str]:
    from console import tables
    from store.history import why_retired

    for why in why_retired(store, [memory_id]).values():
        yield from tables.labelled("why not", f"{why.reason} ({why.actor}, {tables.when(why.at)})")


def _print_lines(lines: Any) -> None:
    for one in lines:
        print(one)


def history(
    identity: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The last characters of an id, or a key.", show_default=False)
    ] = None,
    revision: Annotated[int | None, typer.Option("--revision", min=1, metavar="N", help="One version in full.")] = None,
    against: Annotated[
        int | None, typer.Option("--against", min=1, metavar="M", help="Compare it with this one.")
    ] = None,
    who: Annotated[
        bool, typer.Option("--who", help="Who was told it: each hand-out, and what is no longer said.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, metavar="N", help="At most so many steps [20], or hand-outs [all]."),
    ] = None,
    db: options.Db = None,
    as_json: options.Json = False,
    as_lines: options.Jsonl = False,
) -> int:
    """List a memory's versions, or without one the last steps.

    Newest first. --revision shows one version in full, with --against as a comparison. A step is a decision, an edit, a
    rollback, an undo; `meminbox undo ID` takes it back. With --who, the sessions that were given a memory.
    """
    from console.commands import choices

    if who:
        from console.commands.told import print_told

        return print_told(identity, limit, db, as_json=as_json, as_lines=as_lines)
    if identity is None:
        from console.commands.steps import print_steps

        choices.seen_from_here(None, todo="`meminbox history KEY` lists the versions of a memory of this project.")
        return print_steps(limit, db, as_json=as_json, as_lines=as_lines)
    from console import output, tables
    from console.commands.opening import standing
    from store import queries

    with standing(db) as store:
        what, found = queries.resolve(store, identity, what="any", scopes=(choices.here().identity,))
        versions = _versions(store, what, found)
        choices.seen_from_here(*(one.entry.scope for one in versions if one.entry is not None))
    if revision is not None or against is not None:
        return _print_version(versions, revision, against, as_json=as_json)
    if as_json or as_lines:
        output.print_list(len(versions), map(output.version_item, versions), lines=as_lines)
    else:
        tables.print_rows(map(tables.version_row, versions), wide=5)
        if not versions:
            output.hint("It was never approved: there is no version of it yet.")
    return 0


def _versions(store: Store, what: str, found: str) -> list[Version]:
    from store import queries
    from store.errors import UsageError

    if what == "memory":
        return queries.memory_versions(store, found)
    if what == "proposal":
        detail = queries.detail(store, found)
        return list(detail.versions) if detail else []
    raise UsageError("That is an operation, not a memory.", todo="`meminbox show` tells what it did.")


def _print_version(versions: list[Version], revision: int | None, against: int | None, *, as_json: bool) -> int:
    from console import output, tables
    from store.errors import NotFound

    by_number = {one.revision: one for one in versions}
    latest = max(by_number, default=0)
    wanted = [latest if revision is None else revision, *([] if against is None else [against])]
    for number in wanted:
        if number not in by_number:
            raise NotFound(f"There is no version {number}; the newest is {latest}.")
    chosen = [by_number[number] for number in wanted]
    if as_json:
        output.print_list(len(chosen), map(output.version_item, chosen), lines=False)
        return 0
    for one in chosen:
        action, actor, status = map(tables.line, (one.action, one.actor, one.status))
        print(f"version {one.revision}  {action} by {actor}, {tables.when(one.at)}, {status}")
    texts = [one.entry.content if one.entry else "" for one in chosen]
    if len(texts) == 2:
        _print_lines(tables.diff_lines(texts[1], texts[0]))
    elif chosen[0].entry is not None:
        _print_lines(tables.entry_lines(chosen[0].entry))
    return 0


def status(
    short: Annotated[bool, typer.Option("--short", help="A few words for a shell's prompt; nothing if none.")] = False,
    db: options.Db = None,
    as_json: options.Json = False,
) -> int:
    """Say how much waits and how much is held."""
    if short:
        from console import quick

        return quick.status(["--short", *([] if db is None else ["--db", db])]) or 0
    from console import output, tables
    from console.commands import choices
    from console.commands.opening import reading
    from store.location import locate

    place = locate(db)
    told: dict[str, Any] = {"store": place.described(), "pending": 0, "drafts": 0, "deferred": 0, "elsewhere": 0}
    told |= {"memories": 0, "spooled": 0, "read_only": None, "warnings": []}
    with reading(db) as store:
        if store is not None:
            from store import queries, spool
            from store.errors import StoreTrouble

            project = choices.here()
            counts = queries.counts(store, (project.identity, "global"))
            told |= {name: getattr(counts, name) for name in ("pending", "drafts", "deferred", "elsewhere", "memories")}
            told["read_only"] = store.read_only
            with suppress(StoreTrouble):  # a warning tells of a folder that may not be read
                told["spooled"] = len(spool.files(place.spool))
            told["warnings"] = list(store.warnings)
    if as_json:
        output.print_json(told)
        return 0
    words = {"drafts": "said once", "elsewhere": "in other projects", "read_only": "read only"}
    for warning in told.pop("warnings"):
        output.say(warning)
    for name, value in told.items():
        if value or name in ("pending", "memories"):
            print(f"{words.get(name, name):18} {tables.line(str(value))}")
    return 0

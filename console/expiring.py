"""``meminbox expire``: a rule from options, its preview, the question, and one operation."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from console import output, preview_lines, tables, words
from console.at_work import at_work
from console.commands import choices, decided, opening
from store import outdated, selecting
from store.entry import GLOBAL
from store.errors import Conflict, UsageError
from store.filters import LONGEST_TEXT, Filter, Term, parse
from store.outdated import Choice, Preview
from store.selecting import Rule

if TYPE_CHECKING:
    from store.engine import Store
    from store.facts import Actor
    from store.project import Project

_NOTHING: Final = "Nothing was changed."


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed; all of it must hold."""

    identity: str | None = None
    since: str | None = None
    uncommitted: bool = False
    path: str | None = None
    package: str | None = None
    texts: tuple[str, ...] = ()
    kind: str | None = None
    scope: str | None = None
    source: str | None = None
    agent: str | None = None
    session: str | None = None
    older_than: str | None = None
    unverified: str | None = None
    confidence: str | None = None
    like: str | None = None


def run(asked: Asked, *, db: str | None, dry_run: bool, as_json: bool, yes: bool, quiet: bool) -> int:
    """Preview, ask, settle; the exit code. A dry run needs no person and changes nothing."""
    if dry_run:
        return _dry(asked, db=db, as_json=as_json, quiet=quiet)
    with opening.deciding(db) as (store, by):
        project = choices.here()
        found = _previewed(store, asked, project)
        if asked.identity is None or as_json:
            _show(store, found, as_json=as_json, quiet=quiet)
        # One that is named by its id is no selection: like `delete ID` it is done at once.
        chosen = _asked_for(found, yes=yes or asked.identity is not None)
        if not chosen:
            output.say(_NOTHING)
            return 0 if found.rows else 3
        return _settle(store, found, chosen, project, by, quiet=quiet)


def _dry(asked: Asked, *, db: str | None, as_json: bool, quiet: bool) -> int:
    with opening.reading(db) as store:
        if store is None:
            if as_json:
                output.print_list(0, (), lines=False)
            return 0
        choices.seen_from_here(_scope(store, asked.scope, choices.here()))
        _show(store, _previewed(store, asked, choices.here()), as_json=as_json, quiet=quiet)
    return 0


def _previewed(store: Store, asked: Asked, project: Project) -> Preview:
    rule = rule_of(store, asked, project) if asked.identity is None else _one(store, asked)
    with at_work("looking", act=False) as tell:
        return outdated.preview(store, rule, project, progress=lambda done, of: tell(f"{done:,} of {of:,} looked at"))


def rule_of(store: Store, asked: Asked, project: Project) -> Rule:
    """The rule that was typed. Raises UsageError for what is empty, unknown or a pattern."""
    choices.kind(asked.kind)
    return Rule(
        scopes=(_scope(store, asked.scope, project),),
        since=_given(asked.since, "--since"),
        uncommitted=asked.uncommitted,
        path=None if asked.path is None else selecting.folder(asked.path),
        package=None if asked.package is None else selecting.package(asked.package),
        unverified=None if asked.unverified is None else _how_long(store, asked.unverified),
        like=None if asked.like is None else decided.memory(store, asked.like).id,
        flt=_filter(asked),
    )


def _scope(store: Store, said: str | None, project: Project) -> str:
    from store.scopes_named import named_scope

    if said is None:
        return project.identity
    return GLOBAL if said == GLOBAL else named_scope(store, said, here=(project.identity, project.label))


def _given(said: str | None, option: str) -> str | None:
    if said is not None and not said.strip():
        raise UsageError(f"{option} is empty.", kept=_NOTHING)
    return said.strip() if said is not None else None


def _how_long(store: Store, said: str) -> timedelta:
    """For how long nothing has borne it out: a span, or the time since a date."""
    now = store.now()
    when = selecting.instant(said, now)
    return now - when if when is not None else selecting.span(said, "--not-verified-since")


def _filter(asked: Asked) -> Filter:
    """The terms of the filter language that the options stand for."""
    terms: list[Term] = []
    given: list[str] = []
    for name, value in (
        ("kind", asked.kind),
        ("source", asked.source),
        ("agent", asked.agent),
        ("session", asked.session),
    ):
        if value is not None:
            terms += _parsed(f'{name}:"{value}"', f"--{name}", value)
            given.append(f"{name}:{value}")
    if asked.older_than is not None:
        terms.append(Term("age", ">", selecting.span(asked.older_than, "--older-than")))
        given.append(f"age>{asked.older_than}")
    if asked.confidence is not None:
        sign = "" if asked.confidence.strip()[:1] in "<>=:" else ":"
        terms += _parsed(f"conf{sign}{asked.confidence.strip()}", "--confidence", asked.confidence)
        given.append(f"conf{sign}{asked.confidence.strip()}")
    for text in asked.texts:
        if not text.strip() or len(text) > LONGEST_TEXT:
            raise UsageError(f"--text takes 1 to {LONGEST_TEXT} characters.", kept=_NOTHING)
        terms.append(Term("text", "=", text))
        given.append(f'"{text}"')
    return Filter(given=" ".join(given), terms=tuple(terms))


def _parsed(typed: str, option: str, value: str) -> tuple[Term, ...]:
    if not value.strip():
        raise UsageError(f"{option} is empty.", kept=_NOTHING)
    found = parse(typed)
    if found.errors or len(found.terms) != 1:
        raise UsageError(" ".join(found.errors) or f'{option} does not take "{value}".', kept=_NOTHING)
    return found.terms


def _show(store: Store, found: Preview, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        items = (preview_lines.item(row, memory, found) for row, memory in preview_lines.pages(store, found))
        output.print_list(len(found.rows), items, lines=False)
        return
    for row, memory in preview_lines.pages(store, found):
        for line in preview_lines.lines(row, memory, found):
            print(line)
    sys.stdout.flush()
    if not quiet:
        output.say(_summary(found))


def _summary(found: Preview) -> str:
    rule = tables.line(found.rule.words)
    if not found.rows:
        said = f"Nothing matches: {rule}."
    else:
        said = f"{rule}: {preview_lines.counts(found)}."
        alone = sum(row.branch_only for row in found.rows)
        said += f" {alone:,} true on {found.branch} only: not chosen." if alone else ""
        by_name = (found.rule.path or found.rule.package) and found.judge is None
        said += " Where it moved, --since REV re-points instead." if by_name else ""
    return f"{said} Of the history, {found.missing}." if found.missing else said


def _asked_for(found: Preview, *, yes: bool) -> Mapping[str, Choice]:
    """What the person says yes to: re-pointing by y, expiring by typing the number."""
    chosen: dict[str, Choice] = {}
    for choice, question in (("repoint", _may_repoint), ("expire", _may_expire)):
        rows = [row for row in found.rows if row.suggested == choice]
        if rows and (yes or question(len(rows))):
            chosen |= {row.id: row.suggested for row in rows if row.suggested is not None}
    return chosen


def _may_repoint(number: int) -> bool:
    return output.ask(f"Write the new paths into {words.count(number, 'memory', 'memories')}?")


def _may_expire(number: int) -> bool:
    many = words.count(number, "memory", "memories")
    print(f"Type {number} to expire {many}, anything else to leave them: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().replace(",", "") == str(number)


def _settle(
    store: Store, found: Preview, chosen: Mapping[str, Choice], project: Project, by: Actor, *, quiet: bool
) -> int:
    from store.settling import settle

    with at_work("settling it"):
        done = settle(store, found, chosen, project, by=by)
    if quiet:
        return 0
    print(f"{tables.line(done.title)[:1].upper()}{tables.line(done.title)[1:]}.")
    for line in preview_lines.left(done.left):
        output.say(line)
    output.hint(f"`meminbox undo {tables.short(done.operation.id)}` takes it back.")
    return 0


def _one(store: Store, asked: Asked) -> Rule:
    """The rule for one memory that is named, and nothing else. Raises UsageError, NotFound, Conflict."""
    if asked != Asked(identity=asked.identity):
        raise UsageError(
            "A memory that is named needs no rule.", kept=_NOTHING, todo="Name it, or say what to look for."
        )
    held = decided.memory(store, str(asked.identity))
    if held.status != "active":
        raise Conflict(f"It is {held.status} already.", kept=_NOTHING)
    return Rule(scopes=(held.entry.scope,), only=held.id)

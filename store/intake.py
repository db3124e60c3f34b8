"""Proposals into the queue: one batch, in the caller's write transaction (design section 5).

Look-ups and writes are in bulk; ``triage`` decides in between, line by line, with ``Book`` as its memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from store import scopes, secrecy
from store.aim import aim, is_id, is_suffix, places_of
from store.book import Book
from store.case import Case
from store.context import Context
from store.engine import Store
from store.entry import KEY_GRAMMAR, fingerprint
from store.expiry import flip_due
from store.facts import Outcome
from store.ids import new_id
from store.policy import NO_LIMITS, NO_RULES, Limits, Rules
from store.raw import Raw
from store.scopes import Seen
from store.spool import Line
from store.triage import answer_name, triage

if TYPE_CHECKING:
    from store.auto import Approved

__all__ = ["Context", "take", "take_spooled"]


def take(
    store: Store,
    connection: Connection,
    lines: Sequence[Raw],
    *,
    context: Context,
    limits: Limits = NO_LIMITS,
    rules: Rules = NO_RULES,
) -> list[Outcome]:
    """Take admitted and redacted lines into the store and say, in their order, what became of each.

    ``connection`` is a write transaction; nothing is kept before its commit. Each outcome carries how many proposals
    wait for a person after the whole batch. Raises only what the engine raises: a line is refused in its outcome.
    """
    now = store.now()
    spooled = [Line(id=new_id(), raw=raw, context=context, at=now) for raw in lines]
    return _take(store, connection, spooled, limits, rules, set())


def take_spooled(
    store: Store,
    connection: Connection,
    lines: Sequence[Line],
    *,
    limits: Limits = NO_LIMITS,
    rules: Rules = NO_RULES,
) -> list[Outcome]:
    """``take`` for lines from the spool, each with its own id, time and context. One that was taken before is left."""
    return _take(store, connection, lines, limits, rules, {line.id for line in lines})


def _take(
    store: Store,
    connection: Connection,
    lines: Sequence[Line],
    limits: Limits,
    rules: Rules,
    perhaps_taken: set[str],
) -> list[Outcome]:
    if not lines:
        return []
    flip_due(store, connection)
    book = Book(store, connection)
    raws = secrecy.without_answered(connection, store.tenant, [line.raw for line in lines])
    # A clock that ran ahead where a line was spooled must not date it into our future.
    cases = [
        Case(raw, line.context, limits, line.id, min(line.at, book.now)) for line, raw in zip(lines, raws, strict=True)
    ]
    book.learn_taken(perhaps_taken)
    _look_up(book, cases)
    outcomes = [triage(case, book) for case in cases]
    book.write()
    scopes.note(store, connection, (Seen(one.scope, one.label, one.root) for one in _contexts(lines) if one.label))
    if rules:
        outcomes = _by_rules(book, cases, outcomes, rules)
    pending = book.count_pending()
    return [replace(outcome, pending=pending) for outcome in outcomes]


def _contexts(lines: Sequence[Line]) -> Iterable[Context]:
    """The places that these lines come from, each once."""
    return {(line.context.scope, line.context.label, line.context.root): line.context for line in lines}.values()


def _by_rules(book: Book, cases: Sequence[Case], outcomes: list[Outcome], rules: Rules) -> list[Outcome]:
    """5.7: what the person's rules approve of all that has just come into the queue, and the outcomes that follow.

    A person's own proposals wait for that person, and so does what stood in the queue before.
    """
    from store import auto

    fresh = [
        case.id
        for case, outcome in zip(cases, outcomes, strict=True)
        if outcome.status == "pending"
        and outcome.id == case.id
        and case.id not in book.taken
        and not case.context.person
        and not case.flags
        and rules.for_entry(case.entry) is not None
    ]
    approved = auto.approve(book.store, book.connection, [*fresh, *book.promoted], rules)
    told = [_approved(outcome, approved) for outcome in outcomes]
    book.tell_anew(
        (answer_name(case.said, case.context), after)
        for case, before, after in zip(cases, outcomes, told, strict=True)
        if before is not after and case.said.idempotency_key is not None
    )
    return told


def _approved(outcome: Outcome, approved: Mapping[str, Approved]) -> Outcome:
    made = approved.get(outcome.id) if outcome.id is not None else None
    if made is None or outcome.status != "pending":
        return outcome
    return replace(outcome, status="known", id=made.memory_id, reason=f"approved by the rule {made.rule}")


def _look_up(book: Book, cases: Sequence[Case]) -> None:
    """Fill the book with all that these lines can meet: what they name first, then what they say."""
    lines = [case.said for case in cases]
    book.learn_answers(answer_name(one.said, one.context) for one in cases if one.said.idempotency_key is not None)
    book.learn_keys_used(line.idempotency_key for line in lines if line.idempotency_key is not None)
    book.learn_keys((scope, key) for case in cases for scope in places_of(case) for key in _keys_named(case.said))
    tokens = {line.target for line in lines if line.target is not None}
    book.learn_ids(token.lower() for token in tokens if is_id(token))
    places = sorted({scope for case in cases if case.said.target for scope in places_of(case)})
    book.learn_suffixes((token.lower() for token in tokens if is_suffix(token)), places)
    book.learn_prints(mark for case in cases for mark in _prints(case, book))
    sessions = {line.session_id for line in lines if line.session_id is not None}
    book.learn_sessions(sessions)
    book.learn_handouts(sessions)


def _keys_named(line: Raw) -> set[str]:
    named = {line.key, line.target if line.target is not None and KEY_GRAMMAR.fullmatch(line.target) else None}
    return {one for one in named if one is not None}


def _prints(case: Case, book: Book) -> set[str]:
    """The fingerprint that this line will have: its target, known by now, lends it a scope or the text to remove."""
    trial = copy(case)
    if aim(trial, book) is not None:
        return set()
    return {fingerprint(trial.entry.scope, trial.op, trial.entry.content)}

"""Proposals into the queue: one batch, in the caller's write transaction (design section 5).

Look-ups and writes are in bulk; ``triage`` decides in between, line by line, with ``Book`` as its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from store.book import Book
from store.context import Context
from store.engine import Store
from store.entry import KEY_GRAMMAR, fingerprint
from store.expiry import flip_due
from store.facts import Outcome
from store.fields import Raw
from store.policy import NO_LIMITS, Limits
from store.triage import Case, aim, answer_name, is_id, is_suffix, places_of, triage

__all__ = ["Context", "take"]


def take(
    store: Store,
    connection: Connection,
    lines: Sequence[Raw],
    *,
    context: Context,
    limits: Limits = NO_LIMITS,
) -> list[Outcome]:
    """Take admitted lines into the store and say, in their order, what became of each.

    ``connection`` is a write transaction; nothing is kept before its commit. Each outcome carries how many proposals
    wait for a person after the whole batch. Raises only what the engine raises: a line is refused in its outcome.
    """
    if not lines:
        return []
    flip_due(store, connection)
    book = Book(store, connection)
    _look_up(book, lines, context)
    outcomes = [triage(Case(line, context, limits), book) for line in lines]
    book.write()
    pending = book.count_pending()
    return [replace(outcome, pending=pending) for outcome in outcomes]


def _look_up(book: Book, lines: Sequence[Raw], context: Context) -> None:
    """Fill the book with all that these lines can meet: what they name first, then what they say."""
    book.learn_answers(answer_name(line.idempotency_key) for line in lines if line.idempotency_key is not None)
    book.learn_keys((scope, key) for line in lines for scope in places_of(line, context) for key in _keys_named(line))
    tokens = {line.target for line in lines if line.target is not None}
    book.learn_ids(token.lower() for token in tokens if is_id(token))
    places = sorted({scope for line in lines if line.target for scope in places_of(line, context)})
    book.learn_suffixes((token.lower() for token in tokens if is_suffix(token)), places)
    book.learn_prints(mark for line in lines for mark in _prints(line, context, book))
    book.learn_sessions(line.session_id for line in lines if line.session_id is not None)


def _keys_named(line: Raw) -> set[str]:
    named = {line.key, line.target if line.target is not None and KEY_GRAMMAR.fullmatch(line.target) else None}
    return {one for one in named if one is not None}


def _prints(line: Raw, context: Context, book: Book) -> set[str]:
    """The fingerprint that this line will have: its target, known by now, lends it a scope or the text to remove."""
    case = Case(line, context, NO_LIMITS)
    if aim(case, book) is not None:
        return set()
    return {fingerprint(case.entry.scope, case.op, case.entry.content)}

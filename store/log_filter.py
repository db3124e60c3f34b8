"""The filter language of the operation log: ``by:ada action:approve from:console since:3d scope:shop words``. Pure.

Terms are written as in ``store.filters``, and all must hold. A text finds what an operation was about: a key, a word
of a memory or a proposal, or of the reason that was given.
"""

from __future__ import annotations

from typing import Final

from store.errors import UsageError
from store.filters import LONGEST_TEXT, Filter, Reader, Refused, Term, parse

_EXAMPLES: Final = {
    "by": "by:ada",
    "action": "action:approve",
    "from": "from:console",
    "since": "since:3d",
    "scope": "scope:shop",
}


def read_log(text: str) -> Filter:
    """Understand a filter line about the log. Never raises: what is wrong with it stands in ``errors`` of the answer.

    The terms: ``by`` (part of who did it, or ``you``), ``action`` (the beginning of what was done, as the log or as
    people name it), ``from`` (the beginning of where it was done: console, cli, intake, clock ...), ``scope`` (part of
    what it is compared by or called),
    ``since`` (as typed: see ``store.selecting.instant``) and ``text``.
    """
    return parse(text, _FIELDS)


def _literal(name: str, sign: str, value: str) -> Term:
    if sign not in (":", "="):
        raise Refused(f"{name} knows no {sign}: write {name}:value.")
    if not value:
        raise Refused(f"{name} needs a value, as in {_EXAMPLES[name]}.")
    if len(value) > LONGEST_TEXT or not value.isprintable():
        raise Refused(f"{name} holds a character that no name can hold, or is too long.")
    return Term(name, "=", value.lower() if name in ("action", "from") else value)


def _since(name: str, sign: str, value: str) -> Term:
    """A date, a time, ``3d`` or ``yesterday``: that it can be meant, by any clock; which moment, the store knows."""
    from datetime import UTC, datetime

    from store.selecting import instant

    term = _literal(name, ":" if sign in (">", ">=") else sign, value)
    try:
        moment = instant(value, datetime.now(UTC))
    except UsageError as error:
        raise Refused(str(error)) from None
    if moment is None:
        raise Refused(f'since is a date or a time such as 2026-11-30, 3d or yesterday, not "{value}".')
    return term


_FIELDS: Final[dict[str, Reader]] = {
    "by": _literal,
    "action": _literal,
    "from": _literal,
    "since": _since,
    "scope": _literal,
}
FIELDS: Final = tuple(_FIELDS)
"""The names of the fields, in the order the help names them."""

"""The scopes that a person names: exactly one each, by identity or label; a misspelt one is answered, never widened."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from sqlalchemy import select

from store.engine import Store
from store.entry import GLOBAL
from store.errors import UsageError
from store.models import MemoryRow, ScopeRow

MEMORY = MemoryRow.__table__  # type: ignore[attr-defined]
SCOPE = ScopeRow.__table__  # type: ignore[attr-defined]
_WILD: Final = frozenset("*%?_[]")
_KEPT: Final = "Nothing was changed."


def known_scopes(store: Store) -> dict[str, str]:
    """Every scope that has been seen or holds a memory: its identity -> its label (the identity where it has none)."""
    held = select(MEMORY.c.scope).where(MEMORY.c.tenant_id == store.tenant).distinct()
    seen = select(SCOPE.c.identity, SCOPE.c.label).where(SCOPE.c.tenant_id == store.tenant)
    with store.read() as connection:
        found = {row.scope: row.scope for row in connection.execute(held)}
        found |= {row.identity: row.label for row in connection.execute(seen)}
    return {GLOBAL: GLOBAL, **found}


def named_scope(store: Store, said: str, *, here: tuple[str, str]) -> str:
    """The identity that ``said`` means: an identity, a label, ``global``, or ``.`` for the present project.

    ``here`` is the present project's identity and label. Raises UsageError with suggestions for what is empty, a
    wildcard, unknown, or the label of several.
    """
    name = said.strip()
    if not name:
        raise UsageError("An empty scope would mean every project.", kept=_KEPT, todo="Name one, or leave it out.")
    if name in (".", here[0]):
        return here[0]
    known = {here[0]: here[1], **known_scopes(store)}
    if name in known:
        return name  # a name that is another's identity means that one, whatever this project is called
    same = sorted({identity for identity, label in (*known.items(), here) if label == name})
    if len(same) == 1:
        return same[0]
    if same:
        raise UsageError(
            f'{len(same)} projects are called "{name}".', kept=_KEPT, todo=f"By identity: {', '.join(same[:5])}."
        )
    if name in _WILD or "*" in name or "%" in name:
        raise UsageError(f'A scope is named exactly; "{name}" is a pattern.', kept=_KEPT, todo=_choices(known, name))
    raise UsageError(f'There is no scope "{name}".', kept=_KEPT, todo=_choices(known, name))


def _choices(known: dict[str, str], said: str) -> str:
    """What may have been meant, else some of what there is."""
    spoken = _spoken(known)
    near = get_close_matches(said.lower(), [one.lower() for one in spoken], n=3, cutoff=0.6)
    meant = [one for one in spoken if one.lower() in near]
    if meant:
        return f"Did you mean {' or '.join(meant)}?"
    return f"There are: {', '.join(spoken[:8])}{' …' if len(spoken) > 8 else ''}."


def _spoken(known: dict[str, str]) -> list[str]:
    return sorted(dict.fromkeys(_all(known.items())))


def _all(pairs: Iterable[tuple[str, str]]) -> Iterable[str]:
    return (label or identity for identity, label in pairs)

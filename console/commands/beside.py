"""What resembles a proposal, for `meminbox show`: as JSON values, and as lines for people. Nothing is loaded for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.cues import Hint
    from store.engine import Store
    from store.facts import Proposal
    from store.similar import Similars


def found(store: Store, proposal: Proposal) -> Similars:
    """What resembles a proposal in its own scope and everywhere. An encoder is used only if one is loaded."""
    from store.encoders import at_hand
    from store.entry import GLOBAL
    from store.similar import similar

    return similar(store, proposal, encoder=at_hand(), scopes=(proposal.entry.scope, GLOBAL))


def as_json(told: Similars) -> list[dict[str, Any]]:
    """The memories, then the ways turned down, then the refusals; ``what`` tells them apart, ``scorer`` who judged."""
    from store.entry import iso

    items: list[dict[str, Any]] = [
        {"what": "memory", **_common(one.memory.id, one.memory.entry, one.score, one.hints), "same_key": one.same_key}
        for one in told.items
    ]
    items += [
        {"what": "turned_down", **_common(down.memory.id, down.memory.entry, down.score, down.hints)}
        | {"actor": down.actor, "at": iso(down.at), "reason": down.reason}
        for down in told.retired
    ]
    items += [
        {"what": "rejected", **_common(past.proposal.id, past.proposal.entry, past.score, past.hints)}
        | {"actor": past.actor, "at": iso(past.at), "reason": past.reason}
        for past in told.refused
    ]
    return [{**item, "scorer": told.scorer} for item in items]


def _common(identity: str, entry: Any, score: float, hints: tuple[Hint, ...]) -> dict[str, Any]:
    return {
        "id": identity,
        "scope": entry.scope,
        "key": entry.key,
        "content": entry.content,
        "score": score,
        "hints": [hint._asdict() for hint in hints],
    }


def lines(told: Similars) -> Iterator[str]:
    """One labelled line for each, with what differs; nothing where nothing resembles it."""
    from console import tables

    for one in told.items:
        name = f"{one.memory.entry.key} " if one.memory.entry.key else ""
        said = f"{one.score:.2f} {tables.short(one.memory.id)} {name}{one.memory.entry.content}"
        yield from tables.labelled("similar", f"{said}{_differs(one.hints)} ({told.scorer})")
    for down in told.retired:
        why = f"turned down by {down.actor}, {tables.when(down.at)}: {down.reason}"
        yield from tables.labelled("before", f"{down.memory.entry.content}{_differs(down.hints)} ({why})")
    for past in told.refused:
        why = f"rejected by {past.actor}, {tables.when(past.at)}" + (f": {past.reason}" if past.reason else "")
        yield from tables.labelled("before", f"{past.proposal.entry.content}{_differs(past.hints)} ({why})")


def _differs(hints: tuple[Hint, ...]) -> str:
    from console import tables

    return f" [{'; '.join(tables.line(hint.reason) for hint in hints)}]" if hints else ""

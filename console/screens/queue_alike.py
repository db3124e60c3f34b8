"""What is like a proposal, as jobs for a worker: memories, earlier refusals, near-copies among what waits.

To be imported inside a job only, as ``queue_reading``. No encoder is loaded here: what this process has at hand is
used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from console.screens.queue_copies import Copies
from console.widgets.detail_beside import Beside, Like, Refused
from store import similar
from store.clusters_kept import Kept, kept_up
from store.encoders import at_hand
from store.entry import GLOBAL
from store.facts import Proposal, Refusal
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.cues import Hint
    from store.engine import Store


def copies(
    store: Store, ids: PackedIds, before: Kept | None, wanted: Callable[[], bool] = lambda: True
) -> tuple[Kept, Copies] | None:
    """The near-copies among these; None where they are the same as ``before``.

    What was decided since takes nothing away from that: it is no longer in the list.
    """
    found = kept_up(store, ids, before, encoder=at_hand(), wanted=wanted)
    return None if found is None else (found, Copies.of(one.ids for one in found.items))


def beside(store: Store, proposal: Proposal) -> Beside:
    """What is like it in its own scope and everywhere: no other project's memories are shown."""
    scopes = tuple(dict.fromkeys((proposal.entry.scope, GLOBAL)))
    found = similar.similar(store, proposal, encoder=at_hand(), scopes=scopes)
    live = tuple(Like(one.memory, one.score, _told(one.hints)) for one in found.items)
    retired = tuple(Like(one.memory, one.score, _told(one.hints), one.reason or "") for one in found.retired)
    refused = tuple(
        Refused(one.proposal.entry.content, Refusal("rejected", one.at, one.reason, one.actor)) for one in found.refused
    )
    return Beside(live, retired, refused, found.scorer)


def _told(hints: tuple[Hint, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((hint.kind, hint.reason) for hint in hints)

"""What is like a proposal, as jobs for a worker: memories, earlier refusals, near-copies among what waits.

To be imported inside a job only, as ``queue_reading``. No encoder is loaded here: what this process has at hand is
used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.screens.queue_copies import Copies
from console.widgets.detail_beside import Beside, Like, Refused
from store import clusters, similar
from store.encoders import at_hand
from store.entry import GLOBAL
from store.facts import Proposal, Refusal
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.cues import Hint
    from store.engine import Store


@dataclass(frozen=True, slots=True)
class Judged:
    """Which proposals were compared for near-copies, and by which encoder (None: by words)."""

    ids: frozenset[str]
    encoder: str | None


def copies(store: Store, ids: PackedIds, before: Judged | None) -> tuple[Judged, Copies] | None:
    """The near-copies among these; None where all of them were compared ``before`` by the same encoder.

    What was decided since takes nothing away from that: it is no longer in the list.
    """
    encoder = at_hand()
    judged = Judged(frozenset(ids), encoder.key if encoder else None)
    if before is not None and before.encoder == judged.encoder and judged.ids <= before.ids:
        return None
    found = clusters.clusters(store, ids, encoder=encoder)
    return judged, Copies.of(one.ids for one in found.items)


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

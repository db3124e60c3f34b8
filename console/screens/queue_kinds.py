"""The kinds of work in a long queue, in the order in which they are best taken up. Pure.

Each is a filter that one could type oneself; near-copies alone are found by no filter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from store.filters import Filter, parse


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of work: its words (one, many), the filter that shows it, and whether it is about near-copies.

    ``alike`` True: only what has near-copies; False: only what has none; None: either.
    """

    id: str
    one: str
    many: str
    flt: Filter
    alike: bool | None = None


COPIES: Final = "copies"
SAID_ONCE: Final = "said_once"
FLAGGED: Final = "flagged"
"""All that have any warning: offered where the kinds before it leave some of them out."""
KINDS: Final = (
    Kind(COPIES, "near-copy", "near-copies", parse(""), True),
    Kind("secret", "may hold a secret", "may hold a secret", parse("flag:maybe_secret")),
    Kind("conflict", "conflict between agents", "conflicts between agents", parse("flag:conflict")),
    Kind("path", "names a path that is gone", "name a path that is gone", parse("flag:path_missing")),
    Kind("guess", "guess from a failed task", "guesses from failed tasks", parse("flag:guess")),
    Kind(FLAGGED, "has a warning of any kind", "have a warning of any kind", parse("flag:any")),
    Kind("change", "change without a warning", "changes without a warning", parse("flag:none op:update")),
    Kind("removal", "removal", "removals", parse("op:remove")),
    Kind("plain", "plain addition", "plain additions", parse("flag:none op:add"), False),
    Kind(SAID_ONCE, "said once", "said once", parse("")),
)
"""Every kind; one that holds nothing is not offered."""
BY_ID: Final = {kind.id: kind for kind in KINDS}

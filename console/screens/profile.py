"""What do you know about me: everything an agent is told here, in its words and its order.

First what stands in the block that every session is given, then what agents find by searching alone. It can be taken
away whole, and each memory edited, expired or deleted from here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from console import knowing
from console.diff_layout import Comparison, reading
from console.screens.base import bindings_for
from console.screens.library import LibraryScreen
from console.screens.library_view import Looked
from console.screens.taking import Taken
from console.visible import Shown, visible
from console.widgets.shown import own
from store import block
from store.facts import Memory
from store.packed import PackedIds

if TYPE_CHECKING:
    from store.engine import Store

SEARCHED: Final = (own("  by search", "$quiet"),)
"""Said of what no block has room or a place for."""


class ProfileScreen(LibraryScreen):
    """The library as agents are told it."""

    NAME = "profile"
    BINDINGS = bindings_for("profile")

    def __init__(self) -> None:
        super().__init__()
        self._whole = ""

    @staticmethod
    def comparison(memory: Memory) -> Comparison:
        """The lines of the block, as an agent reads them."""
        return reading(visible(block.line(memory)))

    @property
    def looking(self) -> str:
        """What is being done while it is looked for."""
        return "gathering what agents are told"

    def look_for(self) -> Callable[[Store], Looked]:
        """All that agents can be told, in the order in which they are."""
        flt, scopes, project = self.flt, self.desk.scopes, self.desk.project

        def look(store: Store) -> Looked:
            from store import queries, retrieval

            ids = retrieval.everything_ids(store, scopes)
            given = frozenset(id_ for id_, _ in knowing.given_in(store, project).given)
            if not flt.empty:
                wanted = set(queries.memory_ids(store, flt, scopes=scopes))
                ids = PackedIds.of(one for one in ids if one in wanted)
            found = [one for one in ids if one not in given]
            told = f"told {len(ids) - len(found):,}" + (f", find {len(found):,}" if found else "")
            return Looked(ids, dict.fromkeys(found, SEARCHED), told)

        return look

    def narrowed(self) -> Shown | None:
        """How many are told at once, and how many are found by search."""
        if not self.flt.empty:
            return super().narrowed()
        return visible(self._looked.told, multiline=False) if self._looked.told else None

    # ---- taking all of it away

    def do_copy_text(self) -> None:
        """Send all of it to the terminal's clipboard."""
        self._have_whole(super().do_copy_text)

    def do_copy_file(self) -> None:
        """Write all of it into a new file."""
        self._have_whole(super().do_copy_file)

    def _have_whole(self, take: Callable[[], None]) -> None:
        scopes, project = self.desk.scopes, self.desk.project

        def then(text: str) -> None:
            self._whole = text
            take()

        def job(store: Store) -> str:
            return "\n".join(knowing.everything(store, scopes, project))

        self.ask("whole", job, then, slow="writing all of it together")

    def taken(self) -> Taken | None:
        """All of it."""
        return Taken(self._whole, "what-agents-know.txt") if self._whole else None

"""The one way in which a list of any length comes from the store: its rows by the batch, and what is under its cursor.

A screen says how rows are read (``fetch``) and how the detail is asked for (``load_detail``). The list asks for what it
has no row for, one batch at a time; a row whose values are damaged stands alone as such, and the rows beside it come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from console.widgets.paged_list import UNREADABLE, PagedList
from store.errors import ValueDamaged

if TYPE_CHECKING:
    from console.screens.base import DeskScreen
    from store.engine import Store

    _Screen = DeskScreen
else:
    _Screen = object

Fetch = Callable[["Store", Sequence[str]], Mapping[str, Any]]
"""Reads rows by their ids, in a worker; one that is not there may be left out."""


class Loading(_Screen):
    """Mixed into a screen with one list."""

    @property
    def listing(self) -> PagedList:
        """The list."""
        return self.query_one(PagedList)

    def fetch(self) -> Fetch:
        """How rows are read now. Asked on the UI thread, so that what it depends on is as the person sees it."""
        raise NotImplementedError

    def load_detail(self) -> None:
        """Ask for what is under the cursor."""
        raise NotImplementedError

    def on_paged_list_wanted(self, message: PagedList.Wanted) -> None:
        """Fetch rows, one batch at a time; the list asks again for what is still missing."""
        message.stop()
        if self.busy("rows"):
            return
        fetch, ids, generation = self.fetch(), message.ids, message.generation

        def job(store: Store) -> dict[str, Any]:
            return readable(lambda these: {**dict.fromkeys(these), **fetch(store, these)}, ids)

        self.ask("rows", job, lambda rows: self.listing.supply(rows, generation))

    def on_paged_list_moved(self, message: PagedList.Moved) -> None:
        """The cursor stands elsewhere: its detail is wanted."""
        message.stop()
        self.load_detail()
        self.refresh_footer()


def readable(fetch: Callable[[Sequence[str]], dict[str, Any]], ids: Sequence[str]) -> dict[str, Any]:
    """What ``fetch`` gives for ``ids``; where a value among them is damaged, UNREADABLE for that one and all the rest.

    Ids are halved until the damaged ones stand alone. Raises what else ``fetch`` raises.
    """
    try:
        return fetch(ids)
    except ValueDamaged:
        if len(ids) == 1:
            return {ids[0]: UNREADABLE}
    half = len(ids) // 2
    return {**readable(fetch, ids[:half]), **readable(fetch, ids[half:])}

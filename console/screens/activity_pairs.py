"""A list above, what stands under the cursor below, before and after: the shape of the screens that activity opens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from textual.app import ComposeResult
from textual.events import Resize

from console.actions import Situation
from console.diff_layout import Comparison
from console.screens.base import DeskScreen
from console.screens.loading import Fetch, Loading
from console.screens.scrolling import Rows
from console.screens.taking import Taken, TakingAlone
from console.screens.text_keys import TextKeys
from console.widgets.detail_lines import wrapped
from console.widgets.diff_view import DiffView, Laid, laid
from console.widgets.paged_list import Ids, PagedList
from console.widgets.prompt import Prompt
from console.widgets.shown import Line, Part
from console.widgets.text_pane import Lines

if TYPE_CHECKING:
    from store.engine import Store

LONGEST_LIST: Final = 0.45
"""The share of the window that the list takes at most; the text gets the rest."""
LOW: Final = 16
"""Rows of a window below which words and list take less, so that the text has room."""
MOST_WORDS: Final = 9
"""Rows that the words between list and text take at most."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What stands under the cursor: its id, what it is, its texts compared, and the one that can be taken away."""

    id: str
    thing: Any
    what: Comparison
    text: str | None


@dataclass(frozen=True, slots=True)
class Listed:
    """What the screen is about, and the ids of its list."""

    about: Any
    ids: Ids


class PairsScreen(Loading, TakingAlone, TextKeys, DeskScreen, Rows):
    """List, words, text. Subclasses say what is asked of the store, and how it is put into words."""

    CSS_PATH = "activity.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.about: Any = None
        self._looked: Looked | None = None
        self._painted: tuple[object, float] | None = None

    # ---- what subclasses say

    def listed(self, store: Store) -> Listed | None:
        """What it is about, and the ids; None where that is gone. In a thread."""
        raise NotImplementedError

    def fetched(self, store: Store, ids: Sequence[str]) -> dict[str, Any]:
        """Rows by id. In a thread."""
        raise NotImplementedError

    def looked_at(self, store: Store, id_: str) -> Looked | None:
        """What stands under the cursor. In a thread."""
        raise NotImplementedError

    def row(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        """One line of the list."""
        raise NotImplementedError

    def head(self, thing: Any) -> list[Line]:
        """The words between list and text; ``thing`` is None where nothing is under the cursor."""
        raise NotImplementedError

    def file_name(self) -> str:
        """What a file with the text would be called."""
        raise NotImplementedError

    # ---- upkeep

    def compose_body(self) -> ComposeResult:
        """List, words, text."""
        yield PagedList(self.row, id="pairs")
        yield Lines(id="pairs-head")
        yield DiffView(id="pairs-diff")
        yield Prompt()

    @property
    def difference(self) -> DiffView:
        """The text that the keys about texts mean."""
        return self.query_one(DiffView)

    @property
    def looked(self) -> Looked | None:
        """What is under the cursor, once it is there."""
        looked = self._looked
        return looked if looked is not None and looked.id == self.listing.cursor_id else None

    def on_mount(self) -> None:
        """The keys are the screen's, wherever one has clicked."""
        self.difference.can_focus = False

    def store_opened(self) -> None:
        """Ask for everything."""
        self.load()

    def store_changed(self) -> None:
        """Ask again."""
        self.load()

    def load(self) -> None:
        """Ask what it is about, and for the ids."""
        self.ask("ids", self.listed, self._got)

    def _got(self, listed: Listed | None) -> None:
        if listed is None:
            self.desk.do_leave()
            return
        self.about = listed.about
        self._arrange(len(listed.ids))
        self.listing.show(listed.ids)
        self.listing.stale()
        if len(listed.ids):
            self.load_detail()
        else:
            self._say_head(None)
        self.facts_changed()

    def _arrange(self, rows: int) -> None:
        share = LONGEST_LIST if self.size.height >= LOW else LONGEST_LIST / 2
        self.listing.styles.height = max(1, min(rows, int(self.size.height * share)))

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """More or fewer rows fit."""
        if self.ready:
            self._arrange(len(self.listing.ids))
            self._say_head(self.looked)

    def fetch(self) -> Fetch:
        """Rows as the subclass reads them."""
        return self.fetched

    def load_detail(self) -> None:
        """Ask for what is under the cursor, its texts compared."""
        id_, shape = self.listing.cursor_id, self.difference.shape()
        if id_ is None:
            return

        def job(store: Store) -> tuple[Looked, Laid] | None:
            looked = self.looked_at(store, id_)
            return None if looked is None else (looked, laid(looked.what, shape))

        self.ask("look", job, self._got_looked)

    def _got_looked(self, answer: tuple[Looked, Laid] | None) -> None:
        if answer is None or answer[0].id != self.listing.cursor_id:
            return
        self._looked = answer[0]
        self.difference.show_laid(answer[1])
        self._say_head(self._looked)
        if self.painted_at() is None:  # what stood there already was painted then, whatever others commit meanwhile
            self._painted = None
            self.call_after_refresh(self._stamp)
        self.refresh_footer()

    def _stamp(self) -> None:
        if self._painted is None and self.looked is not None:
            self._painted = (self.subject(), self.desk.pace.clock())
            self.refresh_footer()

    def _say_head(self, looked: Looked | None) -> None:
        most = max(2, min(MOST_WORDS, self.size.height // 3))
        lines = wrapped(self.head(looked.thing if looked else None), max(self.size.width - 4, 1))[:most]
        part = self.query_one("#pairs-head", Lines)
        gap: list[Line] = [[]] if self.size.height >= LOW else []
        part.styles.height = len(lines) + 2 * len(gap)
        part.show([*gap, *lines, *gap])

    # ---- what is possible, and the keys

    def situation(self) -> Situation:
        """Something under the cursor can be looked at."""
        looked = self.looked
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=looked is not None,
            saving=self.desk.busy("decide"),
            rows=len(self.listing.ids) if self.ready else 0,
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
            textless="" if looked is None or looked.text is not None else "its text was erased",
        )

    def painted_at(self) -> float | None:
        """When what is under the cursor was painted."""
        return self._painted[1] if self._painted is not None and self._painted[0] == self.subject() else None

    def subject(self) -> object:
        """What a key would act on."""
        return self.listing.cursor_id

    def taken(self) -> Taken | None:
        """The text of what is under the cursor."""
        looked = self.looked
        return Taken(looked.text, self.file_name()) if looked is not None and looked.text is not None else None

    def do_back(self) -> None:
        """Leave the line of input, then the screen."""
        if not self.leave_prompt():
            self.desk.do_leave()

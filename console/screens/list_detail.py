"""A screen of a list and a detail: layout by size, moving in either pane, looking at texts. Queue and library are such.

Which keys do it is said in the registry; what the list holds and what the detail shows, in the subclass.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.events import Resize
from textual.widget import Widget

from console import words
from console.screens.base import DeskScreen
from console.screens.loading import Loading
from console.screens.taking import Taking
from console.screens.text_keys import TextKeys
from console.visible import Shown, hidden_count, visible
from console.widgets.diff_view import DiffView
from console.widgets.paged_list import PagedList
from console.widgets.prompt import Prompt
from console.widgets.text_pane import TextPane
from store.errors import MeminboxError
from store.filters import EVERYTHING, Filter

WIDE = 110
"""From so many columns on, list and detail stand side by side."""
NARROW = 80
"""Below so many columns there is one pane at a time."""


class ListDetail(Loading, Taking, TextKeys, DeskScreen):
    """List, detail, the line of input."""

    LIST_SHARE: ClassVar[float] = 0.28
    """The part of the height that the list gets where it stands above the detail."""

    def __init__(self) -> None:
        super().__init__()
        self.flt: Filter = EVERYTHING
        self.saving: set[str] = set()
        """The items with a decision on its way."""
        self.pane = "list"
        self.zoomed = False

    def panes(self) -> Iterable[Widget]:
        """The list (``#list``) and the detail (``#detail``)."""
        raise NotImplementedError

    def compose_body(self) -> ComposeResult:
        """List and detail, the line of input."""
        self._set_classes(self.app.size.width)  # before anything is mounted, so that styles are worked out once
        with Container(id="panes"):
            yield from self.panes()
        yield Prompt()

    @property
    def listing(self) -> PagedList:
        """The list."""
        return self.query_one("#list", PagedList)

    @property
    def text_pane(self) -> TextPane[Any]:
        """The detail."""
        return self.query_one(TextPane)

    @property
    def difference(self) -> DiffView:
        """The text that the keys about texts mean."""
        return self.text_pane.diff

    @property
    def editing(self) -> bool:
        """Whether the inline editor is open."""
        return any(pane.editing for pane in self.query(TextPane))

    @property
    def mode(self) -> str:
        """Who has the keys: browse, edit or prompt (see ``console.situation``)."""
        return "edit" if self.editing else ("prompt" if self.prompt.purpose else "browse")

    @property
    def in_list(self) -> bool:
        """Whether the keys move the list."""
        return self.pane == "list"

    def marked(self) -> int:
        """How many rows are marked."""
        return len(self.listing.marks)

    @property
    def alone(self) -> bool:
        """Whether the list has nothing to show, so that the detail's words take its room too."""
        return False

    @property
    def nothing_listed(self) -> bool:
        """Whether the list is known to hold nothing: where there is one pane at a time, it is the other's turn."""
        return False

    @property
    def view(self) -> tuple[str, ...] | None:
        """The scopes in view: the desk's, or everywhere (None) where a person's filter itself names a scope."""
        wider = self.desk.fenced is None and any(term.field == "scope" for term in self.flt.terms)
        return None if wider else self.desk.scopes

    def filter_stands(self) -> None:
        """The line of the filter was entered: say what of it was not understood, which narrows nothing."""
        self.close_prompt()
        if self.flt.errors:
            self.say(visible(" ".join(self.flt.errors), multiline=False), bad=True)

    def narrowed_to(self, number: int | None, *, more: bool = False) -> Shown | None:
        """The filter and how many it lets through, for the header; ``more``: at least, as not all have come yet."""
        if self.flt.empty:
            return None
        told = "" if number is None else f" {number:,}{'+' if more else ''}"
        return Shown("/" + visible(self.flt.given, multiline=False) + told)

    # ---- moving

    def do_move_down(self) -> None:
        """Next row, or scroll the detail."""
        self._move(1)

    def do_move_up(self) -> None:
        """Row before, or scroll the detail."""
        self._move(-1)

    def _move(self, by: int) -> None:
        if self.in_list:
            self.listing.move(by)
        else:
            self.text_pane.scroll(by)

    def do_move_page_down(self) -> None:
        """A page on."""
        self._page(1)

    def do_move_page_up(self) -> None:
        """A page back."""
        self._page(-1)

    def _page(self, by: int) -> None:
        if self.in_list:
            self.listing.move_page(by)
        else:
            self.text_pane.scroll_page(by)

    def do_move_top(self) -> None:
        """The first."""
        self._end(last=False)

    def do_move_bottom(self) -> None:
        """The last."""
        self._end(last=True)

    def _end(self, *, last: bool) -> None:
        if self.in_list:
            self.listing.move_end(last=last)
        else:
            self.text_pane.scroll_end_of(last=last)

    def do_pane_next(self) -> None:
        """To the other pane."""
        self.pane = "detail" if self.in_list else "list"
        self.lay_out()
        self.refresh_footer()

    def do_pane_zoom(self) -> None:
        """The whole window for this pane, and back."""
        self.zoomed = not self.zoomed
        self.lay_out()

    def do_item_open(self) -> None:
        """Go into the detail."""
        if self.listing.cursor_id is not None and self.in_list:
            self.do_pane_next()

    def on_paged_list_opened(self, message: PagedList.Opened) -> None:
        """A row was clicked twice."""
        message.stop()
        self.do_item_open()

    def do_diff_split(self) -> None:
        """Side by side, or one under the other."""
        self.text_pane.toggle_split()

    # ---- the line of input and the editor

    def do_filter_open(self) -> None:
        """Type a filter; the list follows."""
        self.prompt.ask("filter", Shown("/"), self.flt.given)
        self.refresh_footer()

    def close_prompt(self) -> None:
        """Take the line of input away."""
        self.prompt.close()
        self.refresh_footer()

    def begin_edit(self, text: str) -> None:
        """Open the inline editor on a raw text."""
        self.pane = "detail"
        self.text_pane.edit(text)
        self.lay_out()
        self.refresh_footer()

    def edited_text(self) -> str | None:
        """The text in the inline editor, or None where it is not open."""
        from console.widgets.editor import InlineEditor

        return next((editor.text for editor in self.query(InlineEditor)), None)

    def editor_end_seen(self) -> bool:
        """Whether the last row of the text in the inline editor has been on the screen."""
        from console.widgets.editor import InlineEditor

        return any(editor.end_seen for editor in self.query(InlineEditor))

    def edited_outside(self, text: str) -> str | None:
        """A raw text through the person's own editor; None (said on the screen) where nothing came of it."""
        from console import external

        try:
            with self.app.suspend():
                changed = external.edit(text, os.environ)
        except MeminboxError as error:
            self.trouble(error)
            return None
        self.refresh()
        if changed is None:
            self.say(Shown("left as it was"))
        return changed

    def unless_hidden(self, text: str, save: Callable[[], None], clean: Callable[[], None]) -> None:
        """``save`` a text that came from outside; where something in it cannot be seen, ask first, or ``clean`` it."""
        hidden = hidden_count(text)
        if not hidden:
            save()
            return
        from console.widgets.meeting import block

        title = Shown(f"{words.count(hidden, 'hidden character is', 'hidden characters are')} in this text")
        choices = [
            ("e", Shown("Take them out, and go on in the editor here"), "clean"),
            ("y", Shown("Save it all the same"), "save"),
        ]

        self.choose(title, choices, lambda what: (save if what == "save" else clean)(), block("your text", text))

    def leave_editor(self) -> None:
        """Close the inline editor."""
        self.pane = "list"
        self.text_pane.end_edit()
        self.set_focus(None)
        self.lay_out()
        self.refresh_footer()

    def on_paged_list_marked(self, message: PagedList.Marked) -> None:
        """A click marked a row: the header counts it."""
        message.stop()
        self.facts_changed()

    # ---- room

    def on_screen_resume(self) -> None:
        """What was covered by another screen is on the screen again."""
        if self.ready:
            self.text_pane.tell_again()

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Lay out anew."""
        self.lay_out()

    def lay_out(self) -> None:
        """Side by side, one above the other, or one pane at a time; which, follows from the size."""
        width, height = self.size
        single = self._set_classes(width)
        if not single and width < WIDE:
            rows = max(4, round((height - 2) * self.LIST_SHARE))
            self.listing.styles.height = max(1, min(rows, len(self.listing.ids) or 1))
        else:
            self.listing.styles.height = None
        self.listing.active = self.in_list
        self.text_pane.active = not self.in_list

    def _set_classes(self, width: int) -> bool:
        """Put on the classes of this size; the answer is whether there is one pane at a time."""
        single = self.zoomed or width < NARROW or (self.editing and width < WIDE)
        for name, on in (
            ("-wide", width >= WIDE and not single),
            ("-only-list", single and self.in_list),
            ("-only-detail", single and not self.in_list),
            ("-alone", self.alone or (single and self.nothing_listed)),
        ):
            self.set_class(on, name)
        return single

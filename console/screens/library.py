"""The library: what agents are given. Find, read, edit, delete, look into the history, bring a value back.

Every act carries the id and the revision that were painted; all of it goes back with undo.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from console import words
from console.screens.base import bindings_for
from console.screens.library_view import LibraryView
from console.visible import Shown, visible
from console.widgets.confirm import Confirm, Tell
from console.widgets.shown import Line, own, said
from store.errors import KeyTaken, MeminboxError, Stale
from store.facts import Actor, Done, Memory

if TYPE_CHECKING:
    from console.widgets.editor import InlineEditor
    from store.engine import Store

Act = Callable[["Store", Actor], Done]


class LibraryScreen(LibraryView):
    """List, detail, and what can be done to a memory."""

    BINDINGS = bindings_for("library")

    def __init__(self) -> None:
        super().__init__()
        self._edited: Memory | None = None
        self._editor: InlineEditor | None = None

    # ---- the one way to act

    def act(self, ids: set[str], act: Act, *, mine: str | None = None, then: Callable[[], None] | None = None) -> None:
        """Have ``act`` done; success is told after the commit, and on any error everything stays."""
        by = self.desk.by
        self.saving |= ids

        def done(result: Done) -> None:
            self.saving -= ids
            self.listing.unmark(ids)
            if then is not None:
                then()
            left = f"; {words.count(len(result.left), 'was', 'were')} left" if result.left else ""
            self.say(Shown(visible(result.title, multiline=False) + left + "; u takes it back"))
            self.desk.store_changed()

        def failed(error: MeminboxError) -> None:
            self.saving -= ids
            self._tell_of(error, mine)
            self.store_changed()

        self.ask("decide", lambda store: act(store, by), done, fail=failed, keep=True)
        self.refresh_footer()

    def _tell_of(self, error: MeminboxError, mine: str | None) -> None:
        if isinstance(error, Stale):
            text = [*_block("you saw", error.base), *_block("you wanted", mine), *_block("it is now", error.theirs)]
            self.desk.push_screen(Tell(visible(str(error), multiline=False), text))
        elif isinstance(error, KeyTaken):
            self.desk.push_screen(
                Tell(visible(str(error), multiline=False), _block("it holds", error.holder.entry.content))
            )
        else:
            self.trouble(error)

    # ---- the keys

    def do_history_rollback(self) -> None:
        """Bring back the value before the last change."""
        memory = self.painted_memory()
        if memory is None:
            return

        def act(store: Store, by: Actor) -> Done:
            from store import history

            return history.rollback(store, memory.id, memory.revision, by=by)

        self.act({memory.id}, act, mine=memory.previous_value)

    def do_library_delete(self) -> None:
        """Ask once, with the full texts, then delete; undo brings it back."""
        chosen = self._chosen_rows()
        if not chosen:
            return
        title = Shown(words.count(len(chosen), "memory", "memories") + ": no longer true?")
        text: list[Line] = []
        for memory in chosen:
            text += _block(memory.entry.key or f"…{memory.id[-6:]}", memory.entry.content)
        pairs = [(memory.id, memory.revision) for memory in chosen]

        def act(store: Store, by: Actor) -> Done:
            from store import history

            if len(pairs) == 1:
                return history.delete(store, *pairs[0], by=by)
            return history.delete_many(store, pairs, by=by)

        def answered(yes: bool | None) -> None:
            if yes:
                self.act({id_ for id_, _ in pairs}, act)

        question = Shown("Delete: agents are not given it again; the history stays")
        self.desk.push_screen(Confirm(title, question, text), answered)

    def _chosen_rows(self) -> list[Memory]:
        if not self.listing.marks:
            memory = self.painted_memory()
            return [memory] if memory else []
        rows = [self.listing.row(id_) for id_ in self.listing.marks]
        if any(row is None for row in rows):
            self.say(Shown("some marked rows are not loaded: scroll over them first"), bad=True)
            return []
        return rows

    def do_library_edit(self) -> None:
        """Open the inline editor on the text."""
        memory = self.painted_memory()
        if memory is None:
            return
        self._edited = memory
        self.pane = "detail"
        self._editor = self.detail.edit()
        self.lay_out()
        self.refresh_footer()

    def do_editor_save(self) -> None:
        """Save the text as a new version; where that fails the editor stays, with the text."""
        memory, editor = self._edited, self._editor
        if memory is None or editor is None or memory.id in self.saving:
            return
        self._save(memory, editor.text, self.leave_editor)

    def do_library_edit_external(self) -> None:
        """Change the text in $EDITOR."""
        import os

        from console import external

        memory = self.painted_memory()
        if memory is None:
            return
        try:
            with self.app.suspend():
                text = external.edit(memory.entry.content, os.environ)
        except MeminboxError as error:
            self.trouble(error)
            return
        self.refresh()
        if text is None:
            self.say(Shown("left as it was"))
        else:
            self._save(memory, text, lambda: None)

    def _save(self, memory: Memory, text: str, then: Callable[[], None]) -> None:
        if text == memory.entry.content:
            then()
            self.say(Shown("left as it was"))
            return
        entry = memory.entry.with_(content=text)

        def act(store: Store, by: Actor) -> Done:
            from store import history

            return history.edit(store, memory.id, memory.revision, entry, by=by)

        self.act({memory.id}, act, mine=text, then=then)

    def leave_editor(self) -> None:
        """Close the inline editor."""
        self._editor = self._edited = None
        self.pane = "list"
        self.detail.end_edit()
        self.set_focus(None)
        self.lay_out()
        self.refresh_footer()

    def do_history_open(self) -> None:
        """Every version."""
        memory = self.detail.memory
        if memory is not None:
            self.desk.show("history.open", memory.id)


def _block(label: str, text: str | None) -> list[Line]:
    """A text of somebody's under a label, as lines of a dialog."""
    lines: list[Line] = [[said(visible(label, multiline=False), "bold $key")]]
    shown_text = visible(text) if text is not None else Shown("nothing")
    return [*lines, *([own("  "), said(Shown(line))] for line in shown_text.split("\n")), []]

"""The library: what agents are given. Find, read, edit, look into the history, bring a value back.

Every act carries the id and the revision that were painted; all of it goes back with undo.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from console import keys
from console.screens import secret
from console.screens.base import bindings_for
from console.screens.library_views import LibraryViews
from console.steps import offer
from console.visible import Shown, visible
from store.entry import Entry
from store.errors import SecretOpen
from store.facts import Actor, Done, Memory
from store.filters import EVERYTHING, Filter

if TYPE_CHECKING:
    from store.engine import Store
    from store.secrecy import Word


class LibraryScreen(LibraryViews):
    """List, detail, and what can be done to a memory."""

    BINDINGS = bindings_for("library")

    def __init__(self, flt: Filter = EVERYTHING, everywhere: bool = False) -> None:
        """``flt`` narrows the list from the start, ``everywhere`` in every project until the filter is left."""
        super().__init__()
        self.flt = flt
        self._everywhere = everywhere

    @property
    def view(self) -> tuple[str, ...] | None:
        """The scopes in view."""
        wider = self._everywhere and not self.flt.empty and self.desk.fenced is None
        return None if wider else super().view

    # ---- the keys

    def do_history_rollback(self) -> None:
        """Bring back the value before the last change."""
        memory = self.painted_memory()
        if memory is None:
            return

        def act(store: Store, by: Actor) -> Done:
            from store import history

            return history.rollback(store, memory.id, memory.revision, by=by)

        self.decide({memory.id}, act, mine=memory.previous_value)

    def do_history_take_back(self) -> None:
        """Ask once, naming the whole step that made it what it is, then undo it: a rule's approval, too."""
        if self.listing.marks:
            self.say(visible(f"one at a time: {keys.shown('back')} leaves the marks", multiline=False), bad=True)
            return
        memory, known = self.painted_memory(), self.detail.thing
        if memory is not None and known is not None and known.versions:
            offer(self, known.versions[0].operation_id)

    def do_library_edit(self) -> None:
        """Open the inline editor on the text."""
        memory = self.painted_memory()
        if memory is not None:
            self._edited = memory
            self.begin_edit(memory.entry.content)

    def do_library_save(self) -> None:
        """Save the text as a new version; where that fails the editor stays, with the text."""
        memory, text = self._edited, self.edited_text()
        if memory is not None and text is not None and memory.id not in self.saving:
            self._save(memory, text, self.leave_editor)

    def do_library_edit_external(self) -> None:
        """Change the text in $EDITOR."""
        memory = self.painted_memory()
        if memory is not None:
            text = self.edited_outside(memory.entry.content)
            if text is None:
                return

            def clean() -> None:
                self._edited = memory
                self.begin_edit(text)

            self.unless_hidden(text, lambda: self._save(memory, text, lambda: None), clean)

    def _save(self, memory: Memory, text: str, then: Callable[[], None]) -> None:
        if text == memory.entry.content:
            then()
            self.say(Shown("left as it was"))
            return
        self._keep(memory, memory.entry.with_(content=text), then)

    def _keep(self, memory: Memory, entry: Entry, then: Callable[[], None], word: Word | None = None) -> None:
        """Save an entry; where it may hold a secret, ask for a word on it, and go on with that."""

        def act(store: Store, by: Actor) -> Done:
            from store import history

            return history.edit(store, memory.id, memory.revision, entry, by=by, secret=word)

        def edit(text: str) -> None:
            self._edited = memory
            self.begin_edit(text)

        def doubtful(error: SecretOpen) -> None:
            secret.ask(self, error, entry, lambda word: self._keep(memory, entry, then, word), edit)

        self.decide({memory.id}, act, mine=entry.content, then=then, doubtful=doubtful)

    def leave_editor(self) -> None:
        """Close the inline editor."""
        self._edited = None
        super().leave_editor()

    def do_evidence_open(self) -> None:
        """What was quoted for it, in its transcript."""
        if self.memory is not None:
            self.desk.show("evidence.open", self.memory)

    def do_told_open(self) -> None:
        """Who was told it."""
        if self.memory is not None:
            self.desk.show("told.open", self.memory.id)

    def do_history_open(self) -> None:
        """Every version."""
        memory = self.memory
        if memory is not None:
            self.desk.show("history.open", memory.id)

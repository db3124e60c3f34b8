"""What takes a memory out of use, moves or pins it: the one under the cursor, or all that are marked.

Each asks once and shows the texts that it is about; the step is one, and so is its undo. What was shown is what is
touched, at the revision it had then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console import keys, words
from console.screens.library_view import LibraryView
from console.visible import Shown, visible
from console.widgets.meeting import block
from console.widgets.shown import Line, own
from store.entry import GLOBAL
from store.errors import MeminboxError, Stale
from store.facts import Actor, Done, Memory

if TYPE_CHECKING:
    from store.engine import Store

SHOWN: Final = 300
"""Full texts that a question shows at most; it says how many more there are."""
UNTIL: Final = "until"
REASON: Final = "turned down"
"""What the line of input is for while it asks for a date, and for a reason."""
DAYS: Final = 7
"""Days that a temporary memory holds, unless the person says otherwise."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What a question is about: (id, revision) of each, the first ones whole, and how many of all are pinned."""

    pairs: tuple[tuple[str, int], ...]
    first: tuple[Memory, ...]
    pinned: int = 0

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def ids(self) -> set[str]:
        """The memories."""
        return {id_ for id_, _ in self.pairs}

    @property
    def name(self) -> str:
        """What it is called in one phrase; it may hold an agent's key, so it is painted through ``visible``."""
        if len(self.pairs) != 1:
            return words.count(len(self.pairs), "memory", "memories")
        memory = self.first[0]
        return memory.entry.key or f"…{memory.id[-6:]}"

    def lines(self) -> list[Line]:
        """Every text in full, as far as a dialog shows them."""
        lines: list[Line] = []
        for memory in self.first:
            lines += block(memory.entry.key or f"…{memory.id[-6:]}", memory.entry.content)
        more = len(self.pairs) - len(self.first)
        return [*lines, [own(f"and {more:,} more", "bold $warn")]] if more else lines


def batch_of(memories: Sequence[Memory]) -> Batch:
    """A question about these."""
    pinned = sum(memory.pinned for memory in memories)
    return Batch(tuple((one.id, one.revision) for one in memories), tuple(memories[:SHOWN]), pinned)


def gather(store: Store, ids: Sequence[str]) -> Batch:
    """Look at these memories as they stand now; what has left use meanwhile is left out."""
    from store import queries

    found = queries.memories_in_use(store, ids)
    pairs = tuple((id_, revision) for id_, revision, _ in found)
    shown = dict(pairs[:SHOWN])
    # What is shown is what is touched: a text that changes between the two looks is left alone, by its revision.
    first = [one for one in queries.memory_rows(store, list(shown)) if shown[one.id] == one.revision]
    return Batch(pairs, tuple(first), sum(pinned for _, _, pinned in found))


class LibraryMany(LibraryView):
    """Acts on one memory, or on the marked ones."""

    def __init__(self) -> None:
        super().__init__()
        self._edited: Memory | None = None
        """What the editor is about."""
        self._asked: Batch | None = None
        """What the line of input is about."""

    # ---- what comes of an act

    def announce(self, done: Done, *, way_back: bool = True) -> None:
        """Here what was done has left the list, or looks as before: the way back is named."""
        super().announce(done, way_back=way_back)

    def conflict(self, error: MeminboxError, mine: str | None) -> None:
        """Tell of an error; where somebody was quicker, the editor goes on from what that made."""
        super().conflict(error, mine)
        if isinstance(error, Stale):
            self._edit_what_was_shown(error.theirs)

    def _edit_what_was_shown(self, theirs: str | None) -> None:
        """After a conflict the editor is about what the person was shown of it: saving once more decides again."""
        edited = self._edited
        if edited is None:
            return

        def job(store: Store) -> Memory | None:
            from store import queries

            return next(iter(queries.memory_rows(store, [edited.id])), None)

        def then(memory: Memory | None) -> None:
            if self._edited is edited and memory is not None and memory.entry.content == theirs:
                self._edited = memory

        self.ask("edited", job, then)

    def chosen(self, then: Callable[[Batch], None]) -> None:
        """``then`` with the marked memories as they stand now, or with the one that is painted under the cursor."""
        if not self.listing.marks:
            memory = self.painted_memory()
            if memory is not None:
                then(batch_of([memory]))
            return
        marks = self.listing.marks.copy()

        def got(batch: Batch) -> None:
            if len(batch):
                then(batch)
            else:
                self.say(Shown("none of the marked is in use any more"), bad=True)

        self.ask("batch", lambda store: gather(store, list(marks)), got, slow="reading what is marked")

    # ---- no longer true

    def do_library_outdated(self) -> None:
        """Show the texts and ask which way they leave."""
        self.chosen(self._ask_how)

    def _ask_how(self, batch: Batch) -> None:
        all_of = f" all {len(batch):,}" if len(batch) > 1 else ""
        choices = [
            ("e", Shown(f"Expire{all_of} now: agents are not given it again"), "expire"),
            ("u", Shown("Until a date: given until then, and not after"), UNTIL),
            ("t", Shown("Turned down: kept with its reason, and shown to reviewers"), REASON),
            ("d", Shown("Delete …"), "delete"),
        ]
        title = Shown(visible(batch.name, multiline=False) + ": no longer true?" + _pinned_of(batch))

        def how(answer: str) -> None:
            if answer == "expire":
                self._expire(batch)
            elif answer == "delete":
                self._ask_delete(batch)
            elif answer == UNTIL:
                self._ask_line(batch, UNTIL, "Until (a date such as 2027-01-31, or days)", str(DAYS))
            else:
                self._ask_line(batch, REASON, "Turned down, because", "")

        self.choose(title, choices, how, batch.lines())

    def _ask_line(self, batch: Batch, purpose: str, label: str, text: str) -> None:
        self._asked = batch
        self.prompt.ask(purpose, visible(label, multiline=False), text)
        self.refresh_footer()

    def _expire(self, batch: Batch, reason: str | None = None) -> None:
        def act(store: Store, by: Actor) -> Done:
            from store import tending

            return tending.expire(store, batch.pairs, by=by, reason=reason)

        self.decide(batch.ids, act)

    def _ask_delete(self, batch: Batch) -> None:
        """Ask again, and say what a deletion is, and is not."""
        told: list[Line] = [
            [own("Delete keeps the history: "), own(keys.shown("log.undo"), "bold $accent"), own(" brings it back, ")],
            [own("its versions can still be read, and agents that say it again are told so.")],
            [own("Erase does not: "), own("meminbox erase ID", "bold"), own(" removes the text itself, for good.")],
            [],
        ]

        def act(store: Store, by: Actor) -> Done:
            from store import history

            if len(batch) == 1:
                return history.delete(store, *batch.pairs[0], by=by)
            return history.delete_many(store, batch.pairs, by=by)

        title = Shown("Delete " + visible(batch.name, multiline=False) + "?" + _pinned_of(batch))
        self.confirm(title, Shown("Delete"), lambda: self.decide(batch.ids, act), [*told, *batch.lines()])

    def _turn_down(self, batch: Batch, reason: str) -> None:
        def act(store: Store, by: Actor) -> Done:
            from store import retiring

            if len(batch) == 1:
                return retiring.retire(store, *batch.pairs[0], reason, by)
            return retiring.retire_many(store, batch.pairs, reason, by)

        self.decide(batch.ids, act)

    def entered(self, purpose: str, text: str) -> None:
        """A date or a reason was entered; what cannot be meant keeps the line, and says why."""
        batch = self._asked
        if batch is None:
            return
        if purpose == REASON:
            if not text.strip():
                self.prompt.remark(Shown("a reason: it is what people are shown"))
                return
            self.close_prompt()
            self._turn_down(batch, text.strip())
        elif purpose == UNTIL:
            self._entered_date(batch, text)

    def _entered_date(self, batch: Batch, text: str) -> None:
        from store import until

        try:
            day = until.until(text, self.now())
        except MeminboxError as error:
            self.prompt.remark(visible(error.what, multiline=False))
            return
        self.close_prompt()

        def act(store: Store, by: Actor) -> Done:
            from store import tending

            return tending.until(store, batch.pairs, day, by=by)

        self.decide(batch.ids, act)

    # ---- where it holds, and whether it is pinned

    def do_library_place(self) -> None:
        """Ask where it holds, and how long."""
        self.chosen(self._ask_where)

    def _ask_where(self, batch: Batch) -> None:
        project = self.desk.project
        label = visible(project.label, multiline=False) if project else Shown("")
        choices = [
            *([("p", Shown(f"this project  {label}"), "project")] if project else []),
            ("g", Shown("everywhere"), "global"),
            ("t", Shown("for some days only (the number can be changed)"), UNTIL),
            ("k", Shown("for good (no end date)"), "good"),
        ]
        title = Shown(visible(batch.name, multiline=False) + ": where does it hold?")

        def where(answer: str) -> None:
            if answer == UNTIL:
                self._ask_line(batch, UNTIL, "Until (a date such as 2027-01-31, or days)", str(DAYS))
            else:
                self._place(batch, answer)

        self.choose(title, choices, where, batch.lines())

    def _place(self, batch: Batch, answer: str) -> None:
        project = self.desk.project

        def act(store: Store, by: Actor) -> Done:
            from store import tending

            if answer == "good":
                return tending.until(store, batch.pairs, None, by=by)
            scope = GLOBAL if answer == "global" or project is None else project.identity
            return tending.move(store, batch.pairs, scope, by=by)

        self.decide(batch.ids, act)

    def do_library_pin(self) -> None:
        """Pin it, or take the pin off; of marks, all are pinned unless all are already."""

        def turn(batch: Batch) -> None:
            on = batch.pinned < len(batch)

            def act(store: Store, by: Actor) -> Done:
                from store import tending

                return tending.pin(store, batch.pairs, on, by=by)

            self.decide(batch.ids, act)

        self.chosen(turn)


def _pinned_of(batch: Batch) -> str:
    if not batch.pinned:
        return ""
    return (
        " It is pinned"
        if len(batch) == 1
        else f" {batch.pinned:,} of them {'is' if batch.pinned == 1 else 'are'} pinned"
    )

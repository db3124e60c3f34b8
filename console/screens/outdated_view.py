"""The Outdated screen on the screen: the rule on top, the list by verdict, the detail, and how they keep up.

Git and the texts are asked in a worker that can be stopped; what was chosen by hand stays through every new look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from textual.app import ComposeResult
from textual.widget import Widget

from console import keys, words
from console.actions import Situation
from console.preview_lines import counts
from console.screens.deciding import Deciding
from console.screens.loading import Fetch
from console.screens.outdated_model import HEADING, Found
from console.screens.outdated_row import Judged, OutdatedRows, many, summary
from console.screens.taking import Taken
from console.visible import Shown, visible
from console.widgets.diff_view import compared
from console.widgets.outdated_pane import OutdatedPane, Shown3
from console.widgets.paged_list import PagedList
from console.widgets.shown import Line, own, said
from console.widgets.text_pane import Lines, TextPane
from store.errors import MeminboxError
from store.outdated import Preview, Stopped, preview
from store.rule_line import read_rule

if TYPE_CHECKING:
    from store.engine import Store

RULE: Final = "filter"
"""The purpose of the line of input that asks for a rule: like a filter, it decides nothing."""
TOLD_EVERY: Final = 1_000
"""Memories between two words about how far a look is."""


class OutdatedView(Deciding):
    """Rule, list, detail and their upkeep."""

    NAME = "outdated"
    LIST_SHARE = 0.45

    def __init__(self) -> None:
        super().__init__()
        self.found = Found()
        self.asked = self.found
        """What the question at hand is about: what comes while it stands is not what the person said yes to."""
        self.line = ""
        self._painted: tuple[str, float] | None = None
        self._stop = Event()
        self._so_far = ""
        self._failed: MeminboxError | None = None

    def panes(self) -> Iterable[Widget]:
        """The memories, and the one under the cursor."""
        yield PagedList(OutdatedRows(lambda: self.found), id="list")
        yield OutdatedPane()

    def compose_body(self) -> ComposeResult:
        """The rule above all."""
        yield Lines(id="outdated-rule")
        yield from super().compose_body()

    @property
    def detail(self) -> OutdatedPane:
        """The detail."""
        return self.query_one(OutdatedPane)

    @property
    def looking(self) -> bool:
        """Whether git and the texts are being asked."""
        return bool(self._so_far)

    # ---- what is possible

    def situation(self) -> Situation:
        """What is possible now."""
        id_ = self.listing.cursor_id
        heading = id_ is not None and id_.startswith(HEADING)
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=id_ is not None and not heading and not self.listing.unreadable(id_),
            fold=heading,
            saving=bool(self.saving),
            history=self.detail.thing is not None,
            marks=len(self.listing.marks),
            rows=len(self.found.rows),
            empty=self.nothing_listed and not self.line,
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    def painted_at(self) -> float | None:
        """When the row under the cursor was painted; a heading is painted with the list."""
        id_ = self.listing.cursor_id
        if id_ is not None and id_.startswith(HEADING):
            return self.desk.shown_at
        return self._painted[1] if self._painted is not None and self._painted[0] == id_ else None

    def subject(self) -> object:
        """What a key would act on."""
        return self.listing.cursor_id, self.listing.marks.version

    @property
    def nothing_listed(self) -> bool:
        """Nothing was found."""
        return self.ready and not len(self.found)

    @property
    def alone(self) -> bool:
        """Words take the room of a list that has nothing to show."""
        return self.nothing_listed

    # ---- the store

    def store_opened(self) -> None:
        """Look; what was found in the background is there already."""
        ready = self.desk.outlook.preview
        if ready is not None:
            self.got(ready)
        self.look()

    def store_changed(self) -> None:
        """Look again, not behind another screen."""
        if self.is_current:
            self.look()

    def on_screen_resume(self) -> None:
        """What was decided meanwhile counts."""
        super().on_screen_resume()
        if self.ready and self.desk.store is not None:
            self.look()

    def on_unmount(self) -> None:
        """Nobody waits for the answer any more."""
        self._stop.set()

    def look(self) -> None:
        """Ask git and the texts anew; the newest question stops those before it."""
        project = self.desk.project
        if project is None:
            return
        rule, errors = read_rule(self.line, (project.identity,))
        if errors:
            self.say(visible(" ".join(errors), multiline=False), bad=True)
            return
        self._stop.set()
        self._stop = stop = Event()
        self._so_far = "looking …"

        def told(done: int, of: int) -> None:
            if done % TOLD_EVERY == 0 and of > TOLD_EVERY and self.is_running:
                self.app.call_from_thread(self._how_far, stop, f"{done:,} of {of:,} looked at")

        def job(store: Store) -> Preview | None:
            try:
                return preview(store, rule, project, progress=told, stopped=stop.is_set)
            except Stopped:
                return None

        self.ask("look", job, self._looked, fail=self._not_looked)
        self._paint_rule()

    def _how_far(self, stop: Event, so_far: str) -> None:
        if stop is self._stop and self.alive():
            self._so_far = so_far
            self._paint_rule()

    def _looked(self, answer: Preview | None) -> None:
        self._so_far = ""
        if answer is not None:
            self.got(answer)
            if not self.line:
                self.desk.outlook.seen(answer)
        self._paint_rule()

    def _not_looked(self, error: MeminboxError) -> None:
        self._so_far, self._failed = "", error
        self.found = Found()
        self.listing.show(self.found)
        self._show_empty()
        self.lay_out()
        self._paint_rule()

    def got(self, answer: Preview) -> None:
        """Show what was found; the cursor stays on its memory."""
        self._failed = None
        self.prompt.prepare()
        self.found = Found(answer, self.found)
        self.listing.show(self.found)
        self.listing.stale()
        gone = [one for one in self.listing.marks if one not in self.found.rows]
        if gone:
            self.listing.unmark(set(gone))
        if len(self.found) == 0:
            self._show_empty()
        else:
            self._off_the_heading()
            self.load_detail()
        self.lay_out()
        self._paint_rule()
        self.facts_changed()

    def _off_the_heading(self) -> None:
        """At first the cursor stands on the first memory, not on the words above it."""
        if self.listing.cursor == 0 and len(self.found) > 1 and self.detail.thing is None:
            self.listing.move(1)

    # ---- words on the screen

    def _paint_rule(self) -> None:
        self.query_one("#outdated-rule", Lines).show([self._rule_line()])
        self.refresh_footer()

    def _rule_line(self) -> Line:
        words_ = visible(self.line, multiline=False) if self.line else Shown("what git moved or deleted")
        line = [own(" rule ", "$quiet"), said(words_, "bold $accent")]
        if self._so_far:
            return [*line, own(f"   {self._so_far}", "$quiet")]
        found = self.found.preview
        if found is None:
            return line
        line += [own("   "), own(counts(found) or "nothing", "$foreground")]
        sources = sorted(found.by_source().items(), key=lambda one: -one[1])[:3]
        told = ", ".join(f"{words.SOURCE.get(name, name)} {number:,}" for name, number in sources)
        if told and self.size.width >= 100:
            line.append(own(f"   {told}", "$quiet"))
        if found.missing:
            line += [own("   "), own("history is not whole", "$warn")]
        if found.rows:
            line += [own("   "), said(summary(self.found), "$updated")]
        return line

    def _show_empty(self) -> None:
        self._painted = None
        self.detail.show_message([[], *self._nothing()])
        self.refresh_footer()

    def _nothing(self) -> list[Line]:
        rule = [own(keys.shown("filter.open"), "bold $accent"), own(" asks otherwise: ", "$quiet")]
        example: Line = [*rule, own("path:services  since:HEAD~20  age>90d", "$foreground")]
        if self._failed is not None:
            return [[said(visible(str(self._failed), multiline=False), "bold")], [], example]
        if self.found.preview is None:
            return [[own("Looking at what your memories name …", "bold")]]
        looked = many(len(self.found.preview.looked_at))
        if self.line:
            return [[own(f"Nothing of {looked} matches this rule.", "bold")], [], example]
        return [
            [own(f"Nothing of {looked} names what git moved or deleted.", "bold")],
            [],
            [own("After a refactor is committed, what it made false is listed here,", "$quiet")],
            [own("to be expired or given its new path in one step with one undo.", "$quiet")],
            [],
            example,
        ]

    # ---- rows and detail

    def fetch(self) -> Fetch:
        """Memories with their verdicts; a heading has no row."""
        found = self.found.preview

        def some(store: Store, ids: Sequence[str]) -> Mapping[str, Any]:
            from store import queries

            rows = queries.memory_rows(store, [one for one in ids if not one.startswith(HEADING)])
            return {one.id: _judged(one, found) for one in rows}

        return some

    def load_detail(self) -> None:
        """Ask for the memory under the cursor, and what is to become of its text."""
        id_, found = self.listing.cursor_id, self.found.preview
        if id_ is None or id_.startswith(HEADING) or id_ not in self.found.rows:
            return
        row, choice = self.found.rows[id_], self.found.choices.get(id_)

        def job(store: Store) -> Shown3 | None:
            from store import queries

            held = queries.memory_rows(store, [id_])
            if not held:
                return None
            judged = _judged(held[0], found)
            content = held[0].entry.content
            new = judged.said.rewritten if choice == "repoint" and judged.said is not None else None
            return Shown3(judged, row, choice, compared(content, new if new is not None else content))

        self.ask("detail", job, self._got_detail)

    def _got_detail(self, thing: Shown3 | None) -> None:
        if thing is None or thing.row.id != self.listing.cursor_id:
            return
        self.detail.show(thing, self.setting())

    def on_text_pane_painted(self, message: TextPane.Painted) -> None:
        """From now on it may be chosen for."""
        message.stop()
        assert isinstance(message.thing, Shown3)
        id_ = message.thing.row.id
        if id_ == self.listing.cursor_id and (self._painted is None or self._painted[0] != id_):
            self._painted = (id_, self.desk.pace.clock())
            self.refresh_footer()

    def taken(self) -> Taken | None:
        """The text of the memory that is shown."""
        thing = self.detail.thing
        memory = thing.judged.memory if thing else None
        return Taken(memory.entry.content, f"memory-{memory.id[-6:]}.txt") if memory else None


def _judged(memory: Any, found: Preview | None) -> Judged:
    return Judged(memory, found.verdict(memory) if found is not None else None)

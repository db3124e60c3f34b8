"""The activity on the screen: list and detail of the steps of the log, moving, finding and taking away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from textual.widget import Widget

from console import keys, words
from console.actions import Situation
from console.diff_layout import Comparison, reading
from console.screens.activity_row import StepRows, given
from console.screens.list_detail import ListDetail
from console.screens.loading import Fetch
from console.screens.taking import FILE, Taken
from console.visible import Shown, visible
from console.widgets.diff_view import compared
from console.widgets.paged_list import PagedList
from console.widgets.prompt import Prompt
from console.widgets.shown import own
from console.widgets.step_pane import ShownStep, StepPane
from console.widgets.text_pane import TextPane
from store.filters import EVERYTHING, Filter
from store.log_filter import read_log
from store.steps import Step

if TYPE_CHECKING:
    from store.activity import Log
    from store.engine import Store
    from store.log_changes import Change

SHOWN_PARTS: Final = 7
"""Parts of a step that its detail names."""


class ActivityView(ListDetail):
    """List, detail and their upkeep."""

    NAME = "activity"
    LIST_SHARE = 0.45

    def __init__(self) -> None:
        super().__init__()
        self._painted: tuple[object, float] | None = None
        self._behind = False
        """Whether something was committed while another screen stood in front."""

    def panes(self) -> Iterable[Widget]:
        """The steps, and what the one under the cursor did."""
        yield PagedList(StepRows(self.now, lambda: self.desk.by.name), id="list")
        yield StepPane()

    @property
    def detail(self) -> StepPane:
        """The detail."""
        return self.query_one(StepPane)

    @property
    def view(self) -> tuple[str, ...] | None:
        """The scopes in view: everywhere for a person; to an agent other projects are nothing."""
        return self.desk.scopes if self.desk.fenced is not None else None

    # ---- what is possible

    @property
    def step(self) -> ShownStep | None:
        """The step under the cursor as its detail shows it, or None."""
        thing = self.detail.thing
        return thing if thing is not None and str(thing.step.operation.seq) == self.listing.cursor_id else None

    def situation(self) -> Situation:
        """What is possible now."""
        step, id_ = self.step, self.listing.cursor_id
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=id_ is not None and not self.listing.unreadable(id_),
            saving=self.desk.busy("decide"),
            closed=self.has_class("-only-list"),
            # A memory's versions and hand-outs may be of other projects: in an agent's environment they stay closed.
            history=step is not None and step.memory_id is not None and self.view is None,
            rows=len(self.listing.ids),
            empty=self.nothing_listed and self.flt.empty,
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
            textless="" if step is None or step.parts else "it changed no text",
        )

    def painted_at(self) -> float | None:
        """When the step under the cursor was painted; None while its detail is not there."""
        return self._painted[1] if self._painted is not None and self._painted[0] == self.subject() else None

    def subject(self) -> object:
        """What a key would act on: the step, and whether it is undone."""
        step = self.step
        return (step.step.operation.id, step.step.undone) if step is not None else None

    @property
    def nothing_listed(self) -> bool:
        """No step is in view."""
        return self.ready and not len(self.listing.ids)

    @property
    def alone(self) -> bool:
        """Words take the room of a list that has nothing to show."""
        return self.nothing_listed

    def narrowed(self) -> Shown | None:
        """The filter and how many it lets through."""
        return self.narrowed_to(len(self.listing.ids))

    # ---- the store

    def store_opened(self) -> None:
        """Ask for the steps."""
        self.reload()

    def store_changed(self) -> None:
        """Ask again for steps and detail, not behind another screen."""
        self._behind = not self.is_current
        if self.is_current:
            self.reload()
            self.listing.stale()
            self.load_detail()

    def on_screen_resume(self) -> None:
        """What was done meanwhile counts."""
        super().on_screen_resume()
        if self._behind and self.ready:
            self.store_changed()

    def reload(self) -> None:
        """Ask again which steps there are."""
        flt, scopes, me = self.flt, self.view, self.desk.by.name

        def job(store: Store) -> Log:
            from store import activity

            return activity.log(store, flt, scopes=scopes, me=me)

        self.ask("ids", job, self._got_log)

    def _got_log(self, log: Log) -> None:
        self.prompt.prepare()
        self.listing.show(log)
        if len(log) == 0:
            self._show_empty()
        else:
            self.load_detail()
        if self.prompt.purpose == "filter" and not self.flt.errors and not self.flt.empty:
            self.prompt.remark(Shown(words.count(len(log), "match", "matches")))
        self.lay_out()
        self.facts_changed()

    def _show_empty(self) -> None:
        self._painted = None
        if self.flt.empty:
            lines = [
                [own("Nothing has been decided here yet.", "bold")],
                [],
                [own("Every approval and every other step is listed here, and each can be taken back.", "$quiet")],
                [],
                [own(keys.shown("screen.queue"), "bold $accent"), own(" shows what waits", "$quiet")],
            ]
        else:
            lines = [
                [own("No step matches this filter.", "bold")],
                [],
                [own("by:you  action:approve  from:console  since:3d  scope:shop  words", "$foreground")],
                [],
                [own(keys.shown("back"), "bold $accent"), own(" clears it", "$quiet")],
            ]
        self.detail.show_message([[], *lines])
        self.refresh_footer()

    def fetch(self) -> Fetch:
        """Rows of steps."""
        scopes = self.view

        def some(store: Store, ids: Sequence[str]) -> Mapping[str, Any]:
            from store import activity

            return activity.rows(store, ids, scopes=scopes)

        return some

    def load_detail(self) -> None:
        """Ask for what the step under the cursor did."""
        name, scopes = self.listing.cursor_id, self.view
        if name is None:
            return
        self.ask("detail", lambda store: _looked_into(store, name, scopes), self._got_detail)

    def _got_detail(self, thing: ShownStep | None) -> None:
        if thing is None or str(thing.step.operation.seq) != self.listing.cursor_id:
            return
        self.detail.show(thing, self.setting())
        self.refresh_footer()

    def on_text_pane_painted(self, message: TextPane.Painted) -> None:
        """From now on the step may be acted on."""
        message.stop()
        subject = self.subject()
        if subject is not None and (self._painted is None or self._painted[0] != subject):
            self._painted = (subject, self.desk.pace.clock())
        self.refresh_footer()

    # ---- finding and taking away

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        """The list follows what is typed."""
        message.stop()
        if message.purpose == "filter":
            self.narrow(read_log(message.text))

    def on_prompt_entered(self, message: Prompt.Entered) -> None:
        """The filter stands, or the name of a file is there."""
        message.stop()
        if message.purpose == FILE:
            self.close_prompt()
            self.write_to(message.text)
        else:
            self.filter_stands()

    def narrow(self, flt: Filter = EVERYTHING) -> None:
        """Show what matches."""
        self.flt = flt
        self.prompt.remark(visible(" ".join(flt.errors), multiline=False))
        self.reload()
        self.refresh_footer()

    def taken(self) -> Taken | None:
        """The text that the step under the cursor was about: as it became, else as it was."""
        step = self.step
        entry = step.parts[0].entry if step is not None and step.parts else None
        return Taken(entry.content, f"step-{step.step.operation.seq}.txt") if entry is not None and step else None


def _looked_into(store: Store, name: str, scopes: tuple[str, ...] | None) -> ShownStep | None:
    """What the detail shows of a step; in a thread."""
    from store import activity
    from store.log_changes import change_ids, changes

    step: Step | None = activity.rows(store, [name], scopes=scopes).get(name)
    if step is None:
        return None
    operation = step.operation
    ids = change_ids(store, operation)
    first = list(ids[:SHOWN_PARTS])
    seen = changes(store, operation, first, scopes=scopes)
    parts = tuple(seen[one] for one in first if one in seen)
    few = operation.count <= activity.FEW
    standing = activity.standing(store, operation, scopes=scopes) if few else None
    before = _told_before(store, parts) if len(ids) == 1 else 0
    return ShownStep(step, len(ids), parts, comparison(parts[0] if parts else None), standing, before)


def _told_before(store: Store, parts: Sequence[Change]) -> int:
    """How often agents were given what the first part has taken away, or changed."""
    from store import told

    before, after = given(parts[0]) if parts else (None, None)
    revision = parts[0].revision if parts else None
    return (
        0 if before is None or before == after or revision is None else told.told_before(store, parts[0].id, revision)
    )


def comparison(change: Change | None) -> Comparison:
    """What one part of a step was and became as a difference: what agents were given, else the text that it is about.

    May take long, as ``compared`` says.
    """
    if change is None:
        return reading(Shown(""))
    if change.erased:
        return reading(Shown("[erased]"))
    before, after = given(change)
    if change.is_memory and before != after:
        return compared(before, after)
    return reading(visible(change.entry.content if change.entry is not None else ""))

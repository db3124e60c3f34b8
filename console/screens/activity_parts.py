"""All that one step did, part by part: each memory and proposal that it touched, before it and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from console import words
from console.actions import Situation
from console.screens.activity import turn
from console.screens.activity_pairs import Listed, Looked, PairsScreen
from console.screens.activity_row import facts, part_row
from console.screens.activity_view import comparison
from console.screens.base import bindings_for
from console.visible import visible
from console.widgets.detail_lines import joined, labelled
from console.widgets.paged_list import UNREADABLE, missing
from console.widgets.shown import Line, Part, own, said
from console.widgets.step_pane import ShownStep, changed_lines, standing_lines

if TYPE_CHECKING:
    from store.engine import Store
    from store.log_changes import Change

_OTHERS = object()
"""The row of a part that belongs to another project, in an agent's environment."""


@dataclass(frozen=True, slots=True)
class _Part:
    change: Change | None
    """None: of another project."""


class ActivityPartsScreen(PairsScreen):
    """The parts above, the chosen one before and after below."""

    NAME = "parts"
    BINDINGS = bindings_for("parts")

    def __init__(self, seq: str) -> None:
        """``seq`` is the number of the step."""
        super().__init__()
        self._seq = seq

    @property
    def _scopes(self) -> tuple[str, ...] | None:
        return self.desk.scopes if self.desk.fenced is not None else None

    @property
    def step(self) -> ShownStep | None:
        """The step, once it is there."""
        return self.about if isinstance(self.about, ShownStep) else None

    @property
    def _change(self) -> Change | None:
        looked = self.looked
        return looked.thing.change if looked is not None else None

    def listed(self, store: Store) -> Listed | None:
        """The step, and the ids of its parts."""
        from store import activity
        from store.log_changes import change_ids

        step = activity.rows(store, [self._seq], scopes=self._scopes).get(self._seq)
        if step is None:
            return None
        ids = change_ids(store, step.operation)
        standing = activity.standing(store, step.operation, scopes=self._scopes)
        return Listed(ShownStep(step, len(ids), (), comparison(None), standing), ids)

    def fetched(self, store: Store, ids: Sequence[str]) -> dict[str, Any]:
        """The parts with these ids."""
        from store.log_changes import changes

        step = self.step
        if step is None:
            return {}
        seen = changes(store, step.step.operation, ids, scopes=self._scopes)
        return {id_: seen.get(id_, _OTHERS) for id_ in ids}

    def looked_at(self, store: Store, id_: str) -> Looked | None:
        """One part, its texts compared."""
        row = self.fetched(store, [id_]).get(id_)
        if row is None:
            return None
        change: Change | None = None if row is _OTHERS else row
        entry = change.entry if change is not None else None
        text = entry.content if entry is not None and change is not None and not change.erased else None
        return Looked(id_, _Part(change), comparison(change), text)

    def row(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        """One part."""
        del id_, marked
        if row is None or row is UNREADABLE:
            return [own("   "), missing(row)]
        return part_row(None if row is _OTHERS else row, room, here)

    def head(self, thing: Any) -> list[Line]:
        """The step, whether it can be taken back, and what else it changed of the chosen part."""
        step = self.step
        if step is None:
            return []
        setting, operation = self.setting(), step.step.operation
        count = own(words.count(step.total, "part", "parts"), "$quiet")
        title = [said(visible(step.step.title, multiline=False), "bold")]
        lines: list[Line] = [title, joined([*facts(operation, setting.me, setting.now), count])]
        if operation.reason:
            lines.append(labelled("why", [said(visible(operation.reason, multiline=False), "italic")]))
        lines += standing_lines(step, setting)
        change = thing.change if isinstance(thing, _Part) else None
        if change is not None:
            lines += changed_lines(change)
            if change.reason:
                lines.append(labelled("why", [said(visible(change.reason, multiline=False), "italic")]))
        return lines

    def file_name(self) -> str:
        """What a file with the text would be called."""
        return f"step-{self._seq}-{(self.listing.cursor_id or '')[-6:]}.txt"

    def situation(self) -> Situation:
        """The step can be taken back; a part that is a memory has a history and hand-outs."""
        from dataclasses import replace

        change, step = self._change, self.step
        known = change is not None and change.is_memory and self._scopes is None
        return replace(super().situation(), item=step is not None, history=known)

    def subject(self) -> object:
        """The step, and whether it is undone."""
        step = self.step
        return (step.step.operation.id, step.step.undone) if step is not None else None

    def do_history_take_back(self) -> None:
        """Ask once, then take the whole step back, or do it again."""
        if self.step is not None:
            turn(self, self.step)

    def do_history_open(self) -> None:
        """Every version of the chosen memory."""
        if self._change is not None:
            self.desk.show("history.open", self._change.id)

    def do_told_open(self) -> None:
        """Who was told the chosen memory."""
        if self._change is not None:
            self.desk.show("told.open", self._change.id)

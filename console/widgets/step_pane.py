"""The detail of one step of the log: who, why, whether it can be taken back, and what it did, before and after."""

from __future__ import annotations

from dataclasses import dataclass

from console import keys, words
from console.diff_layout import Comparison
from console.screens.activity_row import became, facts, fields_changed, part_row
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.detail_lines import Setting, joined, labelled
from console.widgets.shown import Line, Part, own, said
from console.widgets.text_pane import TextPane
from store.activity import Standing
from store.log_changes import Change
from store.steps import Step


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step with the first of its ``total`` parts (those that may be seen), and the text of the very first.

    ``standing`` is None where so much was done that it is only looked into when it is asked for. ``told`` is how often
    what the first part has replaced was given to agents.
    """

    step: Step
    total: int
    parts: tuple[Change, ...]
    what: Comparison
    standing: Standing | None
    told: int = 0

    @property
    def memory_id(self) -> str | None:
        """The memory that it is about, where it is one."""
        first = self.parts[0] if self.parts else None
        return first.id if first is not None and first.is_memory and self.total == 1 else None


class StepPane(TextPane[ShownStep]):
    """One step: words, the text of its first part before and after, the other parts."""

    LEAST = 6

    def show(self, thing: ShownStep, setting: Setting) -> None:
        """Show a step; ``Painted`` follows once it stands there."""
        before = self.thing
        if before is None or (before.step.operation.id, before.parts) != (thing.step.operation.id, thing.parts):
            self.diff.show_comparison(thing.what)
        self.present(thing, setting)

    def words(self, thing: ShownStep, setting: Setting) -> tuple[list[Line], list[Line]]:
        """What was done and whether it stands above the text; the rest of it below."""
        return _head(thing, setting), _foot(thing, setting, max(1, self.content_size.width))


def _head(thing: ShownStep, setting: Setting) -> list[Line]:
    operation = thing.step.operation
    title: Line = [said(visible(thing.step.title, multiline=False), "bold")]
    parts = [own(words.count(thing.total, "part", "parts"), "$quiet")] if thing.total != 1 else []
    lines: list[Line] = [title, joined([*facts(operation, setting.me, setting.now), *parts])]
    if operation.reason:
        lines.append(labelled("why", [said(visible(operation.reason, multiline=False), "italic")]))
    lines += standing_lines(thing, setting)
    if thing.parts and thing.total == 1:
        lines += changed_lines(thing.parts[0])
    return lines


def changed_lines(change: Change) -> list[Line]:
    """The status of a part where it was changed, and what else but the text was."""
    same = change.became == (change.was or "active")
    return [*([] if same else [labelled("became", became(change))]), *fields_changed(change)]


def standing_lines(thing: ShownStep, setting: Setting) -> list[Line]:
    """Whether the step can be taken back, in words: the key that does it, or what stands in the way."""
    standing, key = thing.standing, own(keys.shown("history.take_back"), "bold $accent")
    if standing is None:
        return [labelled("undo", [key, own(" takes it back, or says what stands on it", "$quiet")])]
    again = standing.undone is not None
    does = " does it again" if again else " takes it back"
    lines: list[Line] = []
    if standing.undone is not None:
        by = words.who(standing.undone.actor, setting.me)
        undone = [own(f"{words.day(standing.undone.at, setting.now)} by ", "$quiet"), said(by, "$warn")]
        lines.append(
            labelled("undone", undone if standing.blocked else [*undone, own("   "), key, own(does, "$quiet")])
        )
    elif not standing.blocked:
        lines.append(labelled("undo", [key, own(does, "$quiet")]))
    if not standing.blocked:
        return lines
    left = standing.of - standing.blocked
    which = "it" if standing.of == 1 else f"{standing.blocked:,} of the {standing.of:,}"
    lines.append(labelled("later", [own(f"something later stands on {which}: ", "$warn"), *_later(standing, setting)]))
    if left > 0:
        lines.append(labelled("undo", [key, own(f"{does}, the other {left:,} alone", "$quiet")]))
    return lines


def _later(standing: Standing, setting: Setting) -> list[Part]:
    line: list[Part] = []
    for operation, title in standing.by:
        who = Shown(", " + words.who(operation.actor, setting.me))
        line += [own("; ") if line else own(""), said(visible(title, multiline=False), "bold"), said(who, "$quiet")]
    return line


def _foot(thing: ShownStep, setting: Setting, room: int) -> list[Line]:
    del setting
    lines: list[Line] = []
    if thing.told:
        asks = [own("   "), own(keys.shown("told.open"), "bold $accent"), own(" says who", "$quiet")]
        times = words.count(thing.told, "time", "times")
        lines.append(labelled("told", [own(f"what stood before was told {times}", "$warn"), *asks]))
    rest = thing.parts[1:]
    lines += [shown.fit(part_row(one, room, False, column=0), room) for one in rest]
    more = thing.total - len(thing.parts)
    if thing.total > 1:
        opens = [own(keys.shown("item.open"), "bold $accent"), own(" lists all of it, before and after", "$quiet")]
        count = own(f"… and {more:,} more   ", "$quiet") if more > 0 else own("")
        lines.append([count, *opens])
    return lines

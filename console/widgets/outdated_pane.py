"""The detail of what is no longer true: what becomes of the text by what is chosen, and the verdict of each name."""

from __future__ import annotations

from dataclasses import dataclass

from console import words
from console.diff_layout import Comparison
from console.preview_lines import why
from console.screens.outdated_row import CHOICE, Judged
from console.visible import visible
from console.widgets.detail_lines import Setting, joined, labelled
from console.widgets.shown import Line, own, said
from console.widgets.text_pane import TextPane
from store.outdated import Choice, Row
from store.verdicts import Verdict

WORD = {"expire": "expires", "repoint": "is re-pointed", None: "stays as it is"}
_STYLE = {"moved": "$updated", "gone": "$removed", "ambiguous": "$warn", "cannot_verify": "$quiet", "there": "$added"}


@dataclass(frozen=True, slots=True)
class Shown3:
    """A memory of the list with what is chosen for it, and its text against what it will say."""

    judged: Judged
    row: Row
    choice: Choice | None
    what: Comparison


class OutdatedPane(TextPane[Shown3]):
    """What is chosen for one memory, what that makes of its text, and why."""

    LEAST = 5

    def show(self, thing: Shown3, setting: Setting) -> None:
        """Show a memory; ``Painted`` follows once it stands there."""
        before = self.thing
        if before is None or (before.row, before.choice) != (thing.row, thing.choice):
            self.diff.show_comparison(thing.what)
        self.present(thing, setting)

    def words(self, thing: Shown3, setting: Setting) -> tuple[list[Line], list[Line]]:
        """What is chosen above the text; the verdicts and where it comes from below."""
        return _head(thing, setting), _foot(thing, setting)


def _head(thing: Shown3, setting: Setting) -> list[Line]:
    memory = thing.judged.memory
    name = [said(visible(memory.entry.key, multiline=False), "bold $key"), own("  ")] if memory.entry.key else []
    sign, style = CHOICE[thing.choice]
    facts = [
        own(f"{sign} {WORD[thing.choice]}", f"bold {style}"),
        own(words.KIND.get(memory.entry.kind, ("", memory.entry.kind))[1], "$quiet"),
        said(words.scope(memory.entry.scope, setting.project, setting.label)),
        own(f"revision {memory.revision}", "$quiet"),
    ]
    lines: list[Line] = [[*name, *joined(facts)]]
    if thing.row.branch_only:
        lines.append([own("this branch only", "bold $warn"), own("  others still have it as it says", "$quiet")])
    if thing.row.kept:
        lines.append([own("kept", "bold $quiet"), own("  you looked at it after this change", "$quiet")])
    return lines


def _foot(thing: Shown3, setting: Setting) -> list[Line]:
    mentions = thing.judged.said.mentions if thing.judged.said else ()
    lines = [_verdict(one) for one in mentions]
    entry = thing.judged.memory.entry
    source = [own(words.SOURCE.get(entry.source, entry.source))]
    source += [said(visible(entry.source_agent, multiline=False))] if entry.source_agent else []
    source.append(own(words.day(thing.judged.memory.updated_at, setting.now), "$quiet"))
    return [*lines, labelled("source", joined(source))]


def _verdict(one: Verdict) -> Line:
    """A name, and what became of it."""
    name = said(visible(one.mention.text, multiline=False), "bold")
    choices = visible(", ".join(one.choices[:3]), multiline=False)
    more = [own("  "), said(choices, "$quiet")] if one.verdict == "ambiguous" and one.choices else []
    return [name, own("  "), said(why(one), _STYLE[one.verdict]), *more]

"""The detail of one memory: what it says (against what it said before), where that comes from, what stood before."""

from __future__ import annotations

from dataclasses import dataclass

from console import keys, words
from console.diff_layout import Comparison, reading
from console.visible import Shown, visible
from console.widgets.detail_lines import Setting, evidence, history_line, joined, labelled
from console.widgets.diff_view import compared
from console.widgets.shown import Line, Part, own, said
from console.widgets.text_pane import TextPane
from store.facts import Memory, Version


@dataclass(frozen=True, slots=True)
class Known:
    """A memory with its newest versions, and its text against what it said before.

    ``rule`` is the person's rule that approved it as it stands, None where a person did. ``note`` is what a view of the
    library has to say of it, on top.
    """

    memory: Memory
    versions: tuple[Version, ...]
    what: Comparison
    rule: str | None = None
    note: tuple[Line, ...] = ()


def against_before(memory: Memory) -> Comparison:
    """A memory's text against the value that it overwrote, if any; may take long, as ``compared`` says."""
    if memory.previous_value is None:
        return reading(visible(memory.entry.content))
    return compared(memory.previous_value, memory.entry.content)


class MemoryPane(TextPane[Known]):
    """What is known of one memory: its text, against what it said before where that was overwritten."""

    LEAST = 6

    def show(self, known: Known, setting: Setting) -> None:
        """Show a memory; ``Painted`` follows once it stands there."""
        before, memory = self.thing, known.memory
        if before is None or (before.memory.id, before.memory.revision) != (memory.id, memory.revision):
            self.diff.show_comparison(known.what)
        self.present(known, setting)

    def words(self, thing: Known, setting: Setting) -> tuple[list[Line], list[Line]]:
        """What it is above the text; source and history below."""
        foot = _foot(thing.memory, thing.versions, setting)
        return [*thing.note, *_head(thing.memory, setting)], [*_by_rule(thing.rule), *foot]


def _head(memory: Memory, setting: Setting) -> list[Line]:
    entry = memory.entry
    scope = words.scope(entry.scope, setting.project, setting.label)
    name: list[Part] = [said(visible(entry.key, multiline=False), "bold $key"), own("  ")] if entry.key else []
    facts = [
        own(words.KIND.get(entry.kind, ("", entry.kind))[1], "$quiet"),
        said(scope, "bold $accent" if scope == "everywhere" else "$foreground"),
        own(f"revision {memory.revision}", "$quiet"),
    ]
    if entry.valid_until is not None:
        facts.append(own(f"until {words.end(entry.valid_until, setting.now)}", "$warn"))
    if memory.pinned:
        facts.append(own("pinned", "bold $accent"))
    lines: list[Line] = [[*name, *joined(facts)]]
    if memory.previous_value is not None:
        lines.append(
            [own("overwritten", "bold $warn"), own(f"  {words.day(memory.updated_at, setting.now)}", "$quiet")]
        )
    return lines


def _by_rule(rule: str | None) -> list[Line]:
    if rule is None:
        return []
    takes = [own(keys.shown("history.take_back"), "bold $accent"), own(" takes it back into the queue", "$quiet")]
    return [
        labelled(
            "approved", [own("by the rule "), said(visible(rule, multiline=False), "bold $accent"), own("   "), *takes]
        )
    ]


def _foot(memory: Memory, versions: tuple[Version, ...], setting: Setting) -> list[Line]:
    entry = memory.entry
    source = [own(words.SOURCE.get(entry.source, entry.source))]
    source += [said(visible(entry.source_agent, multiline=False))] if entry.source_agent else []
    source += [said(Shown("session " + words.session(entry.session_id)))] if entry.session_id else []
    if entry.confidence is not None:
        source.append(own(f"{entry.confidence:.2f}"))
    lines = [labelled("source", joined(source))]
    lines += evidence(entry)
    lines.append(labelled("history", history_line(versions, setting)))
    if memory.previous_value is not None:
        back = visible(memory.previous_value[:400], multiline=False)
        lines.append([own(keys.shown("history.rollback"), "bold $accent"), own(" brings back: ", "$quiet"), said(back)])
    for label, values in (("aliases", entry.aliases), ("paths", entry.paths)):
        if values:
            lines.append(labelled(label, [said(visible(", ".join(values), multiline=False))]))
    return lines

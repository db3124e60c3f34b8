"""The detail of one memory: what it says (against what it said before), where that comes from, what stood before."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Resize
from textual.message import Message
from textual.reactive import reactive

from console import words
from console.visible import visible
from console.widgets.detail import Lines
from console.widgets.detail_lines import Setting, fits, history_line, joined, labelled
from console.widgets.diff_view import DiffView
from console.widgets.editor import InlineEditor
from console.widgets.shown import Line, Part, own, said
from store.facts import Memory, Version

TEXT_ROWS: Final = 6
"""Rows the text gets at least, where it needs them."""


class MemoryPane(Vertical):
    """What is known of one memory. What it paints is handed to it; it knows no store."""

    class Painted(Message):
        """This memory stands on the screen."""

        def __init__(self, memory: Memory) -> None:
            super().__init__()
            self.memory = memory

    active: reactive[bool] = reactive(False, repaint=False)
    """Whether the keys scroll this pane."""

    def __init__(self, *, id: str = "memory") -> None:
        super().__init__(id=id)
        self._memory: Memory | None = None
        self._versions: tuple[Version, ...] = ()
        self._setting: Setting | None = None
        self._message: list[Line] = []
        self.editing = False
        """Whether the inline editor stands in place of the text."""

    def compose(self) -> ComposeResult:
        """Words, text, words."""
        yield Lines(id="memory-head")
        yield DiffView(id="memory-text")
        yield Lines(id="memory-foot")

    def on_mount(self) -> None:
        """The keys are the screen's, wherever one has clicked."""
        self.text.can_focus = False

    @property
    def text(self) -> DiffView:
        """The view of the text."""
        return self.query_one(DiffView)

    @property
    def memory(self) -> Memory | None:
        """What is shown, or None."""
        return self._memory

    def watch_active(self, active: bool) -> None:
        """Say by colour whether the keys scroll here."""
        self.set_class(active, "-active")

    def show(self, memory: Memory, versions: tuple[Version, ...], setting: Setting) -> None:
        """Show a memory with its newest versions; ``Painted`` follows once it stands there."""
        before = self._memory
        self._memory, self._versions, self._setting, self._message = memory, versions, setting, []
        if before is None or (before.id, before.revision) != (memory.id, memory.revision):
            if memory.previous_value is not None:
                self.text.show(memory.previous_value, memory.entry.content)
            else:
                self.text.read(memory.entry.content)
        self._arrange()
        self.call_after_refresh(self._tell, memory)

    def show_message(self, lines: list[Line]) -> None:
        """Show words instead of a memory."""
        self._memory, self._message = None, lines
        self.text.show(None, None)
        self._arrange()

    def _tell(self, memory: Memory) -> None:
        if memory is self._memory and self.size.height > 0 and self.is_on_screen:
            self.post_message(self.Painted(memory))

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Arrange the parts anew."""
        self._arrange()

    def _arrange(self) -> None:
        width, height = max(1, self.content_size.width), self.content_size.height
        head, foot = self._words()
        rows = self.text.rows_needed(width) if self._memory and not self.editing else 0
        given = min(rows, max(min(rows, TEXT_ROWS), height - len(head) - len(foot) - 1))
        self._place("#memory-head", fits(head, max(height - given, 1)))
        self.text.styles.height = given
        self.text.display = given > 0
        left = height - len(head) - given - 1
        self._place("#memory-foot", [[], *fits(foot, left)] if not self.editing and left > 0 else [])

    def _place(self, selector: str, lines: list[Line]) -> None:
        part = self.query_one(selector, Lines)
        part.styles.height = len(lines)
        part.display = bool(lines)
        part.show(lines)

    def _words(self) -> tuple[list[Line], list[Line]]:
        if self._memory is None or self._setting is None:
            return self._message, []
        return _head(self._memory, self._setting), _foot(self._memory, self._versions, self._setting)

    def scroll(self, rows: int) -> None:
        """Scroll the text by so many rows."""
        self.text.scroll_relative(y=rows, animate=False)

    def edit(self) -> InlineEditor:
        """Put the inline editor in place of the text."""
        assert self._memory is not None
        editor = InlineEditor(self._memory.entry.content)
        self.editing = True
        self.mount(editor)
        self._arrange()
        return editor

    def end_edit(self) -> None:
        """Take the inline editor away."""
        self.editing = False
        self.query(InlineEditor).remove()
        self._arrange()


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
        facts.append(own(f"until {words.day(entry.valid_until, setting.now)}", "$warn"))
    lines: list[Line] = [[], [*name, *joined(facts)]]
    if memory.previous_value is not None:
        lines.append(
            [own("overwritten", "bold $warn"), own(f"  {words.day(memory.updated_at, setting.now)}", "$quiet")]
        )
    return [*lines, []]


def _foot(memory: Memory, versions: tuple[Version, ...], setting: Setting) -> list[Line]:
    entry = memory.entry
    source = [own(words.SOURCE.get(entry.source, entry.source))]
    source += [said(visible(entry.source_agent, multiline=False))] if entry.source_agent else []
    source += [said(visible("session " + entry.session_id[-8:], multiline=False))] if entry.session_id else []
    if entry.confidence is not None:
        source.append(own(f"{entry.confidence:.2f}"))
    lines = [labelled("source", joined(source))]
    if entry.evidence:
        lines.append(labelled("evidence", [said(visible(f"“{entry.evidence.strip()}”", multiline=False), "italic")]))
    lines.append(labelled("history", history_line(versions, setting)))
    if memory.previous_value is not None:
        back = visible(memory.previous_value[:400], multiline=False)
        lines.append([own("r", "bold $accent"), own(" brings back: ", "$quiet"), said(back)])
    for label, values in (("aliases", entry.aliases), ("paths", entry.paths)):
        if values:
            lines.append(labelled(label, [said(visible(", ".join(values), multiline=False))]))
    return lines

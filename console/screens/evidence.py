"""Where something comes from: the words quoted for it, and the transcript around them if that is still there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.widgets import Static

from console import words
from console.screens.base import DeskScreen, bindings_for
from console.screens.scrolling import Scrolling
from console.screens.taking import Taken, TakingAlone
from console.theme import glyphs
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.prompt import Prompt
from console.widgets.shown import Line, Part, own, said, said_parts
from console.wrap import rows
from store.facts import Memory, Proposal

if TYPE_CHECKING:
    from store.agents.passages import Passage, Row

HERE: Final = "▌"
BELOW: Final = 6
"""Rows that are wanted below the beginning of the place."""
NUMBERS: Final = 7
SPEAKERS: Final = 7
"""Cells for the number of a line, and for who says it."""
WHO: Final = {"you": ("you", "bold $accent"), "agent": ("agent", "$key"), "tool": ("calls", "$quiet")}
"""Who says a row of a transcript, and in which colour; what came back from a tool is the rest."""
WHOSE: Final = {
    "you": ("said by the user", "$quiet"),
    "result": ("put out by a tool", "$quiet"),
    "": ("stands there", "$quiet"),
    "agent": ("said by the agent itself", "$warn"),
}
"""Whose the quoted words are in the transcript."""
NOT_KEPT: Final = "That file is not where agents keep their transcripts: whoever proposed this may have written it."
STATES: Final = {
    "gone": "It is not there any more: agents delete their transcripts after a while.",
    "moved": "The file is there, but that line holds something else now. This is its end.",
    "outside": "It stands outside your home folder and this project, and is not opened.",
    "strange": "It is no ordinary file, or cannot be read, and is not opened.",
    "none": "It names no file of this machine.",
}


class EvidenceScreen(TakingAlone, DeskScreen, Scrolling):
    """The evidence of a proposal or a memory. Nothing is decided here."""

    NAME = "evidence"
    CSS_PATH = "evidence.tcss"
    BINDINGS = bindings_for("evidence")

    def __init__(self, about: Proposal | Memory) -> None:
        super().__init__()
        self._fact = about
        self._passage: Passage | None = None
        self._place = 0
        """The row of the page where the place itself begins."""

    def compose_body(self) -> ComposeResult:
        """One scrolling page."""
        with VerticalScroll(id="evidence"):
            yield Static(id="evidence-page")
        yield Prompt()

    def store_opened(self) -> None:
        """Read the transcript aside: its file may be long, and its disk slow."""
        if self._fact.entry.source_ref is None:
            return
        reference = self._fact.entry.source_ref
        words_quoted = self._fact.entry.evidence
        project = self.desk.project
        root = os.fspath(project.root) if project else None

        def job() -> Passage:
            from store.agents.passages import passage

            return passage(reference, home=os.fspath(Path.home()), root=root, words=words_quoted)

        self.run_aside("passage", job, self._got)

    def _got(self, found: Passage) -> None:
        self._passage = found
        self._paint()
        self.call_after_refresh(self._come_into_view)

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Wrap the page anew."""
        self._paint()

    def _paint(self) -> None:
        page = self.page(max(20, self.size.width - 5))
        self._place = next((at for at, line in enumerate(page) if line and line[0].text == glyphs(HERE)), 0)
        self.query_one("#evidence-page", Static).update(shown.lines(page))

    def _come_into_view(self) -> None:
        """Scroll just so far that the place is on the screen, with a little of what follows it."""
        scroll = self.scrolled()
        behind = self._place + BELOW - scroll.size.height
        if behind > 0:
            scroll.scroll_to(y=min(behind, self._place), animate=False)

    # ---- the page

    def page(self, room: int) -> list[Line]:
        """The page for so many cells, line by line."""
        return [*self._title(room), [], *self._quoted(room), [], *self._where(room), [], *self._around(room)]

    def _title(self, room: int) -> list[Line]:
        fact = self._fact
        entry = fact.entry
        name = visible(entry.key or entry.content[:60], multiline=False)
        parts = [own(words.SOURCE.get(entry.source, entry.source))]
        if entry.source_agent:
            parts.append(said(visible(entry.source_agent, multiline=False)))
        if entry.session_id:
            parts.append(said(Shown("session " + visible(entry.session_id, multiline=False))))
        parts.append(own(words.day(fact.created_at, self.now())))
        if isinstance(fact, Proposal) and (checkout := words.checkout(fact)):
            parts.append(said(Shown("on " + checkout)))
        line: list[Part] = []
        for part in parts:
            line += [*([own(shown.DOT, "$quiet")] if line else []), part]
        return [shown.fit([own("evidence for ", "$quiet"), said(name, "bold $key")], room), *shown.flow(line, room)]

    def _quoted(self, room: int) -> list[Line]:
        evidence = self._fact.entry.evidence
        if not evidence:
            return [[own("No words are quoted for it.", "$quiet")]]
        quoted = [[own("│ ", "$accent"), *said_parts(row, "italic")] for row in _rows(visible(evidence), room - 2)]
        return [*quoted, *self._whose(evidence, room)]

    def _whose(self, evidence: str, room: int) -> list[Line]:
        """Whose words these are in the transcript: an agent can quote what nobody said."""
        if self._passage is None or not self._passage.rows:
            return []
        from store.agents.passages import said_by

        found = said_by(evidence, self._passage.rows)
        if found is None:
            return shown.flow([own("These words are not in the lines below.", "$warn")], room)
        row, whole = found
        where = f", line {row.number:,}" if row.number is not None else ""
        told, style = WHOSE[row.who]
        if not whole:
            told, style = f"Only a part of these words is below, {told}", "$warn"
        lines = shown.flow([own(f"{told}{where}", style)], room)
        if row.who != "" and not self._passage.kept:
            lines += shown.flow([own(NOT_KEPT, "$warn")], room)
        return lines

    def _where(self, room: int) -> list[Line]:
        reference = self._fact.entry.source_ref
        if not reference:
            return [[own("Where that stands is not known.", "$quiet")]]
        where = [own("stands in ", "$quiet"), said(visible(reference, multiline=False))]
        return shown.flow(where, room)

    def _around(self, room: int) -> list[Line]:
        if self._fact.entry.source_ref is None:
            return []
        found = self._passage
        if found is None:
            return [[own("reading …", "$quiet")]]
        lines = shown.flow([own(STATES[found.state], "$warn")], room) if found.state in STATES else []
        lines += [[]] if lines and found.rows else []
        for row in found.rows:
            lines += _row(row, room)
        return lines

    # ---- keys

    def taken(self) -> Taken | None:
        """What the page holds: the quoted words, where they stand, and the lines of the transcript there."""
        entry = self._fact.entry
        parts = [entry.evidence or "", entry.source_ref or ""]
        if self._passage is not None:
            parts.append("\n".join(f"{_numbered(row)}{row.text}" for row in self._passage.rows))
        # A transcript holds whatever somebody wrote into it; a file is looked at with `cat`.
        text = "\n\n".join(visible(part) for part in parts if part)
        return Taken(text, f"evidence-{self._fact.id[-6:]}.txt", as_shown=True)

    def scrolled(self) -> VerticalScroll:
        """The page."""
        return self.query_one("#evidence", VerticalScroll)

    def do_evidence_open(self) -> None:
        """The key that opened it closes it."""
        self.desk.do_leave()

    def do_back(self) -> None:
        """Leave the line of input; else esc closes it too."""
        if not self.leave_prompt():
            self.desk.do_leave()


def _numbered(row: Row) -> str:
    who = {"result": "answer"}.get(row.who, row.who)
    head = " ".join(part for part in (f"{row.number:,}" if row.number is not None else "", who) if part)
    return f"{head}: " if head else ""


def _row(row: Row, room: int) -> list[Line]:
    """One row of a file: its number and who says it on the left, the words in a column of their own."""
    who, style = WHO.get(row.who, ("answer" if row.who == "result" else "", "$quiet"))
    number = own(f"{row.number:,}" if row.number is not None else "", "$quiet")
    mark = own(HERE if row.here else " ", "$accent")
    head = [mark, *shown.pad([number], NUMBERS, right=True), own(" "), *shown.pad([own(who, style)], SPEAKERS)]
    blank = [mark, own(" " * (NUMBERS + SPEAKERS + 1))]
    style = "" if row.who == "you" or row.here or not row.who else "$quiet"
    lines = _rows(visible(row.text), room - shown.width(head)) or [Shown("")]
    return [[*(head if place == 0 else blank), *said_parts(part, style)] for place, part in enumerate(lines)]


def _rows(text: Shown, room: int) -> list[Shown]:
    return rows(text, max(room, 8))

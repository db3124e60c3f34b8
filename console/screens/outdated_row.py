"""One line of the Outdated screen's list: what is chosen, the text around the name that is false, and why it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from console import words
from console.preview_lines import VERDICT
from console.screens.outdated_model import HEADING, Found
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.paged_list import UNREADABLE, missing
from console.widgets.shown import Part, own, said
from store.facts import Memory
from store.outdated import Choice
from store.verdicts import TextVerdict, Verdict

CHOICE: Final = {"expire": ("-", "$removed"), "repoint": ("~", "$updated"), None: ("=", "$quiet")}
"""The sign of what is chosen: it never depends on colour."""
_BEFORE: Final = 18
"""Characters of the text that are kept before the name, at most."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A memory with what became of all that it names (None where git was not asked about it)."""

    memory: Memory
    said: TextVerdict | None

    @property
    def first(self) -> Verdict | None:
        """The name that decides: the first stale one, else the first that is not simply there."""
        named = self.said.mentions if self.said else ()
        stale = next((one for one in named if one.stale), None)
        return stale or next((one for one in named if one.verdict != "there"), None)


class OutdatedRows:
    """Makes a line out of a heading or a memory."""

    def __init__(self, found: Callable[[], Found]) -> None:
        self._found = found

    def __call__(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        """The line in ``room`` cells; its first part is one blank, where the cursor's bar goes."""
        if id_.startswith(HEADING):
            return self._heading(id_)
        mark = own("● " if marked else "  ", "$accent")
        if row is None or row is UNREADABLE:
            return [own(" "), mark, missing(row)]
        judged: Judged = row
        sign, style = CHOICE[self._found().choices.get(id_)]
        right = self._right(judged, room, id_)
        left = [own(" "), mark, own(f"{sign} ", f"bold {style}")]
        text = shown.pad(_text(judged, here, room), max(room - shown.width(left) - shown.width(right), 0))
        return [*left, *text, *right]

    def _heading(self, id_: str) -> list[Part]:
        found = self._found()
        verdict = id_.removeprefix(HEADING)
        number = len(found.under(id_))
        name = VERDICT.get(verdict, "matches the rule")
        parts = [own(" "), own("▾ ", "$quiet"), own(f"{name} {number:,}", "bold")]
        chosen = found.chosen_under(id_)
        told = [own(f"re-point {chosen['repoint']:,}", "$updated")] if chosen["repoint"] else []
        told += [own(f"expire {chosen['expire']:,}", "$removed")] if chosen["expire"] else []
        rest = number - sum(chosen.values())
        told += [own(f"keep {rest:,}", "$quiet")] if rest else []
        for one in told:
            parts += [own("   "), one]
        return parts

    def _right(self, judged: Judged, room: int, id_: str) -> list[Part]:
        row = self._found().rows[id_]
        parts: list[Part] = []
        if row.branch_only:
            parts.append(own(" this branch only", "$warn"))
        if row.kept:
            parts.append(own(" kept", "$quiet"))
        first = judged.first
        if first is not None and first.new_path and room >= 58:
            where = [own(" → ", "$quiet"), said(visible(first.new_path, multiline=False), "$added")]
            parts += shown.fit(where, max(room // 3, 12))
        return [*parts, own(" ")]


def _text(judged: Judged, here: bool, room: int) -> list[Part]:
    entry = judged.memory.entry
    parts: list[Part] = []
    if entry.key:
        parts += [said(visible(entry.key, multiline=False), "bold $key"), own("  ")]
    style = "bold" if here else ""
    first = judged.first
    if first is None:
        return [*parts, said(visible(entry.content[: room * 2].lstrip("\n"), multiline=False), style)]
    start, end = first.mention.start, first.mention.end
    begin = 0 if start <= _BEFORE * 2 else start - _BEFORE
    before = ("…" if begin else "") + entry.content[begin:start]
    strike = "strike $removed" if first.stale else "$warn"
    return [
        *parts,
        said(visible(before, multiline=False), style),
        said(visible(entry.content[start:end], multiline=False), strike),
        said(visible(entry.content[end : end + room], multiline=False), style),
    ]


def summary(found: Found) -> Shown:
    """What settling would do, in words: "38 re-pointed, 2 expired"."""
    words_: tuple[tuple[Choice, str], ...] = (("repoint", "re-pointed"), ("expire", "expired"))
    told = [f"{found.number(choice):,} {word}" for choice, word in words_ if found.number(choice)]
    return visible(", ".join(told) or "nothing is chosen", multiline=False)


def many(number: int) -> str:
    """So many memories, in words."""
    return words.count(number, "memory", "memories")

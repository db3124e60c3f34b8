"""A memory as one line of the library's list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from console import words
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.paged_list import UNREADABLE, missing
from console.widgets.shown import Part, own, said
from store.entry import GLOBAL
from store.facts import Memory

if TYPE_CHECKING:
    from console.screens.library_view import LibraryView

TEXT_AT: Final = 9
"""The column where a row's text begins."""


class MemoryRows:
    """Makes a line out of a memory: kind, key, text, whether it was overwritten, where it holds, its age."""

    def __init__(self, around: LibraryView) -> None:
        self._around = around

    def __call__(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        """The line in ``room`` cells; its first part is one blank, where the cursor's bar goes."""
        del id_
        mark = own("● " if marked else "  ", "$accent")
        if row is None or row is UNREADABLE:
            return [own(" "), mark, missing(row)]
        memory: Memory = row
        right = self._right(memory, room)
        text = shown.pad(_text(memory, here, room), max(room - TEXT_AT - shown.width(right), 0))
        kind = words.KIND.get(memory.entry.kind, (memory.entry.kind, ""))[0]
        return [own(" "), mark, *shown.pad([own(kind, "$quiet")], 5), own(" "), *text, *right]

    def _right(self, memory: Memory, room: int) -> list[Part]:
        parts = list(self._around.remark(memory.id))
        if memory.pinned:
            parts.append(own("  pinned", "$accent"))
        if memory.previous_value is not None:
            parts += [own(" ▪ ", "bold $warn"), own("overwritten", "bold $warn")]
        if room >= 58:
            parts += [own("  "), *shown.pad([said(self._where(memory), "$quiet")], 10, right=True)]
        age = own(words.age(memory.updated_at, self._around.now()), "$quiet")
        return [*parts, own(" "), *shown.pad([age], 4, right=True), own(" ")]

    def _where(self, memory: Memory) -> Shown:
        scope, project = memory.entry.scope, self._around.desk.project
        if scope == GLOBAL:
            return Shown("everywhere")
        return Shown("") if project is not None and scope == project.identity else visible(scope, multiline=False)


def _text(memory: Memory, here: bool, room: int) -> list[Part]:
    entry = memory.entry
    parts: list[Part] = []
    if entry.key:
        parts += [said(visible(entry.key, multiline=False), "bold $key"), own("  ")]
    # What cannot fit is not looked at: a row costs the same whatever the length of its text.
    head = entry.content[: room * 2].lstrip("\n")
    return [*parts, said(visible(head, multiline=False), "bold" if here else "")]

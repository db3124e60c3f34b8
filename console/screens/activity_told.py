"""Who was told a memory: every hand-out of it, newest first, and what it said then against what it says now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from console import words
from console.actions import Situation
from console.diff_layout import reading
from console.screens.activity_pairs import Listed, Looked, PairsScreen
from console.screens.base import bindings_for
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.detail_lines import joined, labelled
from console.widgets.diff_view import compared
from console.widgets.paged_list import UNREADABLE, missing
from console.widgets.shown import Line, Part, own, said

if TYPE_CHECKING:
    from store.engine import Store
    from store.told import Telling, Told

DOOR: Final = {"hook": "at its start", "mcp": "it asked", "cli": "by the shell"}
"""How a memory came to a session, by the surface that gave it."""


class ToldScreen(PairsScreen):
    """The hand-outs above, what was said then below."""

    NAME = "told"
    BINDINGS = bindings_for("told")

    def __init__(self, memory_id: str) -> None:
        super().__init__()
        self._memory_id = memory_id

    def listed(self, store: Store) -> Listed | None:
        """The numbers, and the ids of the hand-outs."""
        from store import told

        return Listed(told.telling(store, self._memory_id), told.told_ids(store, self._memory_id))

    def fetched(self, store: Store, ids: Sequence[str]) -> dict[str, Any]:
        """The hand-outs with these ids."""
        from store import told

        return {**told.told_rows(store, self._memory_id, ids)}

    def looked_at(self, store: Store, id_: str) -> Looked | None:
        """One hand-out: what it said, against what is said now."""
        one: Told | None = self.fetched(store, [id_]).get(id_)
        telling: Telling | None = self.about
        if one is None or telling is None:
            return None
        if one.said is None:
            return Looked(id_, one, reading(Shown("[erased]")), None)
        memory = telling.memory
        now = memory.entry.content if memory.status == "active" else None
        what = reading(visible(one.said)) if one.holds else compared(one.said, now)
        return Looked(id_, one, what, one.said)

    def row(self, id_: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        """One hand-out."""
        del id_, marked, room
        if row is None or row is UNREADABLE:
            return [own("   "), missing(row)]
        one: Told = row
        agent = said(visible(one.agent or "an agent", multiline=False), "bold" if here else "")
        session = said(Shown("session " + words.session(one.session_id)) if one.session_id else Shown(""), "$quiet")
        still = own("still said", "$quiet") if one.holds else own("no longer said", "bold $warn")
        return [
            own("  "),
            *shown.pad([own(words.day(one.at, self.now()), "$quiet")], 13),
            *shown.pad([agent], 13),
            own(" "),
            *shown.pad([own(f"revision {one.revision}", "$quiet")], 13),
            *shown.pad([still], 15),
            own(" "),
            session,
        ]

    def head(self, thing: Any) -> list[Line]:
        """How often it was told, and to whom; of that, what is no longer said."""
        telling: Telling | None = self.about
        if telling is None:
            return []
        memory, setting = telling.memory, self.setting()
        name = visible(memory.entry.key or f"…{memory.id[-6:]}", multiline=False)
        scope = words.scope(memory.entry.scope, setting.project, setting.label)
        status = own(memory.status if memory.status != "retired" else "turned down", "bold $warn")
        kept = [own(f"revision {memory.revision}", "$quiet")] if memory.status == "active" else [status]
        title = [said(name, "bold $key"), own("  "), *joined([said(scope, "$quiet"), *kept])]
        if not telling.times:
            return [title, [own("Nobody was told it, as far as is on record: 90 days.", "bold")]]
        lines: list[Line] = [title, labelled("told", [_times(telling.times, telling.sessions, "$foreground")])]
        if telling.past:
            gone = _times(telling.past, telling.past_sessions, "bold $warn")
            lines.append(labelled("of that", [gone, own(" what is no longer said", "$warn")]))
        if thing is not None:
            lines.append(labelled("this one", _to_whom(thing)))
        return lines

    def file_name(self) -> str:
        """What a file with the text would be called."""
        looked = self.looked
        revision = f"-v{looked.thing.revision}" if looked is not None else ""
        return f"memory-{self._memory_id[-6:]}{revision}.txt"

    def situation(self) -> Situation:
        """A memory stands behind it."""
        from dataclasses import replace

        return replace(super().situation(), history=self.about is not None)

    def do_history_open(self) -> None:
        """Every version of it."""
        self.desk.show("history.open", self._memory_id)


def _times(times: int, sessions: int, style: str) -> Part:
    to = f" to {words.count(sessions, 'session', 'sessions')}" if sessions else ""
    return own(f"{words.count(times, 'time', 'times')}{to}", style)


def _to_whom(one: Told) -> list[Part]:
    parts = [said(visible(one.agent or "an agent", multiline=False))]
    if one.session_id:
        parts.append(said(visible("session " + one.session_id, multiline=False), "$quiet"))
    parts.append(own(DOOR.get(one.surface, "given"), "$quiet"))
    parts.append(own("still said", "$quiet") if one.holds else own("no longer said", "bold $warn"))
    return joined(parts)

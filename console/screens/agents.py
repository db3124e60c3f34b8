"""The agents: what became of their proposals, kind by kind, how far they can be trusted, and what rules approved.

Nothing is switched on here. A rule that past decisions support is shown as the lines of config.toml that would make
it, for the person to put there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.actions import Situation
from console.screens import agents_lines
from console.screens.base import bindings_for
from console.screens.list_page import ListPage
from console.screens.taking import Taken, TakingAlone
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.shown import Line, Part, own
from store.calibration import LOOKED_AT, Record, Trust
from store.filters import ANY_RULE, Filter, Term
from store.policy import Rules

if TYPE_CHECKING:
    from store.engine import Store


@dataclass(frozen=True, slots=True)
class Told:
    """What was asked for: the records, the rules of config.toml, and where that stands."""

    trust: Trust
    rules: Rules
    place: Shown
    messages: tuple[str, ...]


class AgentsScreen(TakingAlone, ListPage[Record]):
    """Agents and kinds on one side, the page about one of them on the other."""

    NAME = "agents"
    BINDINGS = bindings_for("agents")
    LIST_SHARE = 0.32

    def __init__(self) -> None:
        super().__init__()
        self._told: Told | None = None

    # ---- the store

    def count(self) -> None:
        """Ask what became of each agent's proposals, and what the rules are."""
        # One project is nothing to another's agents: in their environment they see what is theirs.
        scopes = None if self.desk.fenced is None else self.desk.scopes

        def job(store: Store) -> Told:
            from store import config
            from store.trust import trust

            read = config.load()
            place = visible(str(read.path), multiline=False)
            return Told(
                trust(store, scopes), read.rules, place, tuple(one for one in read.messages if "[approve" in one)
            )

        self.ask("trust", job, self._got)

    def _got(self, told: Told) -> None:
        self._told = told
        self.show_all({f"{one.agent is None}\x00{one.agent}\x00{one.kind}": one for one in told.trust.agents})
        if told.messages:
            self.say(visible(told.messages[0], multiline=False), bad=True)

    # ---- what is shown

    def heading(self, room: int) -> Line:
        """The line above the records."""
        return agents_lines.heading(room)

    def row_line(self, row: Record, room: int, here: bool) -> list[Part]:
        """One record."""
        return agents_lines.row(row, room, here)

    def page_lines(self, room: int) -> list[Line]:
        """The page about the record under the cursor."""
        told, record = self._told, self.chosen
        if told is None or record is None:
            return agents_lines.nothing(room)
        page = agents_lines.page(record, told.rules, told.trust.rules, told.place, room)
        return [*page, *self._bounds(told.trust, room)]

    def _bounds(self, trust: Trust, room: int) -> list[Line]:
        """What was left out, where anything was."""
        parts = [f"Of the newest {LOOKED_AT:,} proposals."] if trust.older else []
        parts += [f"{trust.more:,} more agents and kinds are not shown."] if trust.more else []
        return [[], *shown.flow([own(" ".join(parts), "$quiet")], room)] if parts else []

    # ---- what is possible

    def situation(self) -> Situation:
        """Nothing is decided here but undo and redo."""
        record = self.chosen
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=record is not None,
            rows=len(self.listed),
            empty=self.nothing,
            textless="" if self.taken() is not None else "no rule is suggested for it",
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    def taken(self) -> Taken | None:
        """The lines of config.toml that are suggested for the record under the cursor."""
        told, record = self._told, self.chosen
        if told is None or record is None:
            return None
        lines = agents_lines.lines_to_take(record, told.rules)
        return Taken(lines, "meminbox-rule.toml") if lines is not None else None

    # ---- the keys

    def do_agents_open(self) -> None:
        """The memories from these proposals in the library: those that a rule approved, where there are any."""
        record = self.chosen
        if record is not None:
            self.desk.show("screen.library", _memories_of(record), True)


def _memories_of(record: Record) -> Filter:
    """The filter that shows what became of a record's proposals."""
    terms = [Term("auto", "=", ANY_RULE)] if record.by_rule else []
    terms.append(Term("agent", "=", record.agent))
    terms += [Term("kind", "=", record.kind)] if record.kind is not None else []
    return Filter(" ".join(f"{one.field}:{_quoted(one.value)}" for one in terms), tuple(terms))


def _quoted(value: object) -> str:
    spelled = "unknown" if value is None else str(value)
    return f'"{spelled}"' if any(char.isspace() for char in spelled) else spelled

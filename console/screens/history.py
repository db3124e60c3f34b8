"""The history of one memory: every version, any two compared, any one brought back.

The version under the cursor stands against the one before it, or against the one that ``space`` has set aside. Enter
shows it whole. ``r`` brings it back as a new version; what it replaces stays in the history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from textual.app import ComposeResult

from console import keys, words
from console.actions import Situation
from console.diff_layout import reading
from console.screens.base import DeskScreen, bindings_for
from console.screens.loading import Fetch, Loading
from console.screens.scrolling import Rows
from console.screens.taking import Taken, TakingAlone
from console.screens.text_keys import TextKeys
from console.steps import offer
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.detail_lines import ACTION, Setting
from console.widgets.diff_view import DiffView, Laid, Shape, compared, laid
from console.widgets.paged_list import UNREADABLE, PagedList, missing
from console.widgets.prompt import Prompt
from console.widgets.shown import Line, Part, own, said
from console.widgets.text_pane import Lines
from store.facts import Done, Memory, Version

if TYPE_CHECKING:
    from store.engine import Store

LONGEST_LIST: Final = 0.4
"""The share of the window that the versions take at most; the texts get the rest."""


class Revisions:
    """The versions of a memory as the list sees them: the numbers 1 to the newest, the newest first."""

    def __init__(self, newest: int) -> None:
        self._newest = newest

    def __len__(self) -> int:
        return self._newest

    def __getitem__(self, at: int) -> str:
        if not -self._newest <= at < self._newest:
            raise IndexError(f"no version at {at}: there are {self._newest}")
        return str(self._newest - at % self._newest)

    def index(self, value: object) -> int | None:
        """The position of a version, or None."""
        number = int(value) if isinstance(value, str) and value.isdecimal() else 0
        return self._newest - number if 1 <= number <= self._newest else None


@dataclass(frozen=True, slots=True)
class Compared:
    """What stands below the list: a version, and the one it is compared with, or none."""

    chosen: Version
    other: Version | None
    laid: Laid


class HistoryScreen(Loading, TakingAlone, TextKeys, DeskScreen, Rows):
    """Versions above, the comparison below."""

    NAME = "history"
    CSS_PATH = "history.tcss"
    BINDINGS = bindings_for("history")

    def __init__(self, memory_id: str) -> None:
        super().__init__()
        self._memory_id = memory_id
        self._memory: Memory | None = None
        self._compared: Compared | None = None
        self._against: str | None = None
        """The revision that was set aside to compare with, or None: the one before."""
        self._whole = False
        self._painted: tuple[object, float] | None = None
        self._saving = False

    def compose_body(self) -> ComposeResult:
        """The versions, what is compared, the comparison."""
        yield PagedList(self._row, id="versions")
        yield Lines(id="history-head")
        yield DiffView(id="history-diff")
        yield Prompt()

    @property
    def difference(self) -> DiffView:
        """The text that the keys about texts mean."""
        return self.query_one(DiffView)

    def on_mount(self) -> None:
        """The keys are the screen's, wherever one has clicked."""
        self.difference.can_focus = False

    # ---- the store

    def store_opened(self) -> None:
        """Ask for the versions."""
        self._load()

    def store_changed(self) -> None:
        """There may be a new version."""
        self._load()

    def _load(self) -> None:
        memory_id = self._memory_id

        def job(store: Store) -> Memory | None:
            from store import queries

            return next(iter(queries.memory_rows(store, [memory_id])), None)

        self.ask("versions", job, self._got)

    def _got(self, memory: Memory | None) -> None:
        self._memory = memory
        number = memory.revision if memory else 0
        self.listing.styles.height = max(1, min(number, int(self.size.height * LONGEST_LIST)))
        self.listing.show(Revisions(number))
        self.listing.stale()
        self.load_detail()

    def fetch(self) -> Fetch:
        """Versions by their numbers."""
        memory_id = self._memory_id

        def some(store: Store, names: Sequence[str]) -> Mapping[str, Any]:
            from store import queries

            found = queries.memory_versions(store, memory_id, revisions=[int(name) for name in names])
            return {str(version.revision): version for version in found}

        return some

    # ---- what is shown

    @property
    def _chosen(self) -> Version | None:
        """The version under the cursor, once it is there."""
        shown = self._compared
        return shown.chosen if shown is not None and str(shown.chosen.revision) == self.listing.cursor_id else None

    def _pair(self, name: str) -> list[int]:
        """The numbers of the version under the cursor and of the one it is to be compared with, if any."""
        number = int(name)
        if self._whole:
            return [number]
        other = int(self._against) if self._against not in (None, name) else number - 1
        return [number, other] if other else [number]

    def load_detail(self) -> None:
        """Have what is to be shown read, compared and laid out; the keys do not wait for it."""
        name = self.listing.cursor_id
        if name is None:
            return
        memory_id, numbers, shape = self._memory_id, self._pair(name), self.difference.shape()
        whole = self._whole

        def job(store: Store) -> Compared | None:
            from store import queries

            found = {one.revision: one for one in queries.memory_versions(store, memory_id, revisions=numbers)}
            chosen = found.get(numbers[0])
            other = found.get(numbers[-1]) if len(numbers) > 1 else None
            return None if chosen is None else _compared(chosen, other, shape, whole=whole)

        self.ask("compare", job, self._got_compared)

    def _got_compared(self, what: Compared | None) -> None:
        if what is None or str(what.chosen.revision) != self.listing.cursor_id:
            return
        self._compared = what
        self.difference.show_laid(what.laid)
        self.query_one("#history-head", Lines).show(self._head(what.chosen, what.other))
        if self.painted_at() is None:  # what stood there already was painted then, whatever others commit meanwhile
            self._painted = None
            self.call_after_refresh(self._stamp)
        self.refresh_footer()

    def _stamp(self) -> None:
        if self._painted is None:
            self._painted = (self.subject(), self.desk.pace.clock())
            self.refresh_footer()

    def _head(self, chosen: Version, other: Version | None) -> list[Line]:
        key = chosen.entry.key if chosen.entry else None
        name = visible(key or f"…{self._memory_id[-6:]}", multiline=False)
        first: list[Part] = [said(name, "bold $key"), own("  ")]
        if self._whole or other is None:
            first.append(own(f"version {chosen.revision}" + (", the first" if chosen.revision == 1 else "")))
        else:
            pair = sorted((chosen.revision, other.revision))
            first.append(own(f"{pair[0]} → {pair[1]}", "bold"))
        if self._against is not None:
            first.append(own(f"   compared with {self._against} ({keys.shown('history.compare')} lets go)", "$accent"))
        second = _origin(chosen, self.setting())
        if self.situation().previous:
            second = [
                own(keys.shown("history.rollback"), "bold $accent"),
                own(" brings this one back   ", "$quiet"),
                *second,
            ]
        return [[], first, second, []]

    def _row(self, name: str, row: Any, room: int, here: bool, marked: bool) -> list[Part]:
        del marked
        if row is None or row is UNREADABLE:
            return [own("   "), missing(row)]
        version: Version = row
        aside = own("● " if name == self._against else "  ", "$accent")
        what = ACTION.get(version.action, version.action)
        status = "" if version.status == "active" else version.status
        line = [
            own(" "),
            aside,
            own(f"{version.revision:>4}  ", "bold $accent"),
            *shown.pad([own(words.day(version.at, self.now()), "$quiet")], 13),
            *shown.pad([said(words.who(version.actor, self.desk.by.name))], 10),
            *shown.pad([own(f"{status or what}", "$warn" if status else "$quiet")], 13),
            own("now " if self._memory is not None and version.revision == self._memory.revision else "    ", "$added"),
        ]
        text = visible((_content(version) or "")[: room * 2], multiline=False)
        return [*line, said(text, "bold" if here else "")]

    # ---- what is possible

    def situation(self) -> Situation:
        """Any version but the newest can be brought back."""
        chosen, memory = self._chosen, self._memory
        older = chosen is not None and memory is not None and chosen.revision != memory.revision
        return Situation(
            locked=self.desk.locked,
            mode=self.mode,
            item=chosen is not None,
            previous=older and chosen is not None and chosen.entry is not None,
            saving=self._saving,
            history=True,
            rows=len(self.listing.ids),
            undo=self.desk.undo is not None,
            redo=self.desk.redo is not None,
        )

    def taken(self) -> Taken | None:
        """The text of the version under the cursor."""
        chosen = self._chosen
        if chosen is None or chosen.entry is None:
            return None
        return Taken(chosen.entry.content, f"memory-{self._memory_id[-6:]}-v{chosen.revision}.txt")

    def painted_at(self) -> float | None:
        """When the version under the cursor was painted."""
        if self._painted is None or self._painted[0] != self.subject():
            return None
        return self._painted[1]

    def subject(self) -> object:
        """The version under the cursor, and the state it would replace."""
        return self.listing.cursor_id, self._memory.revision if self._memory else None

    # ---- the keys

    def do_history_compare(self) -> None:
        """Set this version aside to compare others with, or let go of it."""
        name = self.listing.cursor_id
        self._against = None if self._against == name else name
        self.listing.refresh()
        self.load_detail()

    def do_item_open(self) -> None:
        """This version whole, or compared again."""
        self._whole = not self._whole
        self.load_detail()

    def do_back(self) -> None:
        """Leave the line of input; from the whole text to the comparison, from a chosen pair to the usual one, back."""
        if self.leave_prompt():
            return
        if self._whole:
            self.do_item_open()
        elif self._against is not None:
            self._against = None
            self.listing.refresh()
            self.load_detail()
        else:
            self.desk.do_leave()

    def do_history_rollback(self) -> None:
        """Bring the chosen version back."""
        chosen, memory = self._chosen, self._memory
        if chosen is None or memory is None:
            return
        by = self.desk.by
        self._saving = True

        def job(store: Store) -> Done:
            from store import history

            return history.rollback(store, memory.id, memory.revision, by=by, to=chosen.revision)

        def done(result: Done) -> None:
            self._saving = False
            self.announce(result, way_back=True)
            self.desk.store_changed()

        def failed(error: Any) -> None:
            self._saving = False
            self.trouble(error)
            self._load()

        self.ask("decide", job, done, fail=failed, keep=True)

    def do_told_open(self) -> None:
        """Who was told it."""
        self.desk.show("told.open", self._memory_id)

    def do_history_take_back(self) -> None:
        """Ask once, naming the whole step, then undo it."""
        chosen = self._chosen
        if chosen is not None:
            offer(self, chosen.operation_id)


def _compared(chosen: Version, other: Version | None, shape: Shape, *, whole: bool) -> Compared:
    """A version to be read alone, or against another, the older of the two on the left; the first adds its text."""
    if whole or chosen.entry is None:
        return Compared(chosen, other, laid(reading(visible(_content(chosen) or "")), shape))
    old, new = (other, chosen) if other is None or other.revision < chosen.revision else (chosen, other)
    return Compared(chosen, other, laid(compared(_content(old), _content(new)), shape))


def _content(version: Version | None) -> str | None:
    if version is None:
        return None
    return version.entry.content if version.entry else "[erased]"


def _origin(version: Version, setting: Setting) -> list[Part]:
    """Where a version comes from: what was done, by whom, from where, and what the entry says of its source."""
    entry = version.entry
    parts = [
        own(ACTION.get(version.action, version.action)),
        said(Shown("by " + words.who(version.actor, setting.me))),
        own(f"from the {version.surface}" if version.surface in ("console", "cli") else version.surface),
        own(words.day(version.at, setting.now)),
    ]
    if entry is not None and entry.source != "unknown":
        parts.append(own(words.SOURCE.get(entry.source, entry.source)))
    if entry is not None and entry.source_agent:
        parts.append(said(visible(entry.source_agent, multiline=False)))
    line: list[Part] = []
    for part in parts:
        line += [*([own(shown.DOT, "$quiet")] if line else []), Part(part.text, "$quiet")]
    return line

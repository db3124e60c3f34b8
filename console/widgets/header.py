"""The line on top: where we are, what waits, what is marked, what undo would take back, which project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.events import Click
from textual.strip import Strip
from textual.widget import Widget

from console import actions, keys
from console.visible import visible
from console.widgets import shown
from console.widgets.shown import Part, own, said
from store.errors import StoreLost, StoreNewer, StoreTrouble

if TYPE_CHECKING:
    from console.app import DeskApp
    from console.screens.base import DeskScreen

PLACES: Final = (
    ("queue", "Queue", "Queue"),
    ("library", "Library", "Lib"),
    ("outdated", "Outdated", "Out"),
    ("activity", "Activity", "Act"),
    ("agents", "Agents", "Agents"),
    ("scopes", "Scopes", ""),
)
"""The screens that there are: name, title, and title where room is short; without one it is not named there."""
WIDE: Final = 100
LABEL: Final = 10
"""Cells below which no project is named: half a name says less than none."""
NARROW: Final = 60
LEFT: Final = 29
"""Cells that the names of the screens leave to the rest of the line, from ``NARROW`` columns on."""
BADGE: Final = " meminbox "
"""A click on it opens the palette, so that whatever there is can be had by mouse."""


class DeskHeader(Widget):
    """One line, painted from what the app and the screen know."""

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[int, int, str]] = []

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """The line."""
        app: DeskApp = self.app  # type: ignore[assignment]
        screen: DeskScreen = self.screen  # type: ignore[assignment]
        room = self.size.width
        line = [own(BADGE, "bold $ground on $accent")]
        self._places = []
        for name, parts in self._fitting(app, screen, room):
            start = shown.width(line)
            line += parts
            self._places.append((start, shown.width(line), f"screen.{name}"))
        free = room - shown.width(line) - 1
        line += shown.pad(_right(app, screen, free - 2, room >= WIDE), free, right=True)
        return shown.strip(self, line, room)

    def _fitting(self, app: DeskApp, screen: DeskScreen, room: int) -> list[tuple[str, list[Part]]]:
        """The screens as they are named, those that have room: whole or not at all, the present one always."""
        named = [place for place in PLACES if place[2] or room >= WIDE or place[0] == screen.NAME]
        places = [(name, _place(app, name, title, short or title, screen.NAME, room)) for name, title, short in named]
        free = room - len(BADGE) - (LEFT if room >= NARROW else 1)
        while sum(shown.width(parts) for _, parts in places) > free:
            other = next((place for place in reversed(places) if place[0] != screen.NAME), None)
            if other is None:
                break
            places.remove(other)
        return places

    def on_click(self, event: Click) -> None:
        """A click on a screen's name goes there; one on ours opens the palette."""
        screen: DeskScreen = self.screen  # type: ignore[assignment]
        for start, end, action in ((0, len(BADGE), "palette"), *self._places):
            if start <= event.x < end:
                screen.perform(actions.BY_ID[action], by_key=False)


def _place(app: DeskApp, name: str, title: str, short: str, present: str, room: int) -> list[Part]:
    """How one screen is named: its key, its title and how much it holds."""
    here, wide = name == present, room >= WIDE
    gap = "   " if wide else "  "
    key = keys.first(f"screen.{name}") if wide else None  # where room is short, names say more than digits
    parts = [own(f"{gap}{key} " if key else gap, "$quiet"), own(title if wide else short, "bold" if here else "$quiet")]
    count = _count(app, name)
    if count is not None:
        parts.append(own(f" {count:,}", "$accent" if here else "$quiet"))
    return parts


def _count(app: DeskApp, name: str) -> int | None:
    if name == "outdated":
        return app.outlook.number
    if app.counts is None or name not in ("queue", "library"):
        return None
    return app.counts.pending + app.counts.deferred if name == "queue" else app.counts.memories


def _trouble(broken: StoreTrouble | None) -> str:
    if isinstance(broken, StoreLost):
        return "store gone"
    if isinstance(broken, StoreNewer):
        return "newer store"
    return "store damaged" if broken is not None else "looking only"


def _right(app: DeskApp, screen: DeskScreen, room: int, wide: bool) -> list[Part]:
    """Filter, marks, the step that undo would take back, the project; what has no room is left out."""
    elsewhere = f" +{app.counts.elsewhere:,}" if app.counts and app.counts.elsewhere else ""
    label = visible(app.project.label, multiline=False) if app.project else None
    place = shown.fit([said(label, "$quiet")], max(room // 2, 10)) if label and room >= LABEL else []
    place.append(own(elsewhere, "$accent"))
    free = room - shown.width(place)
    line: list[Part] = []
    if app.store is not None and app.locked is not None:
        line.append(own(f"{_trouble(app.broken)}   ", "bold $alarm"))
    marked, narrowed = (screen.marked(), screen.narrowed()) if screen.ready else (0, None)
    if narrowed is not None and free >= 12:
        line += [*shown.fit([said(narrowed, "$accent")], min(free - 3, 30)), own("   ")]
    if marked and free - shown.width(line) >= 10:
        line += [own(f"● {marked:,} marked" if wide else f"●{marked:,}", "$accent"), own("   ")]
    encoding = app.indexer.words
    if encoding is not None and free - shown.width(line) >= 30:
        line.append(own(f"{encoding}   ", "$quiet"))
    if app.recheck.number and free - shown.width(line) >= 40:
        line.append(own(f"{app.recheck.number:,} to re-check   ", "$warn"))
    free -= shown.width(line)
    if app.undo is not None and free >= 12:
        key = keys.first("log.undo")
        head = [own(f"{key} ", "bold $accent")] if key else [own("undo: ", "$quiet")]
        step = shown.fit([said(app.undo.title, "$quiet")], min(free - 3 - shown.width(head), 34))
        line += [*head, *step, own("   ")]
    return [*line, *place]

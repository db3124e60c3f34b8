"""What every screen does about the size of the window: painted once for a new one, it says where that is too small.

A window of another size is laid out in several turns, as each part finds how much it needs. Nothing of that is
painted; when nothing has moved for two frames, the whole is, once. What is decided on must have stood there since
(``Room.stood``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from textual.events import Resize
from textual.geometry import Size
from textual.widgets import Static

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.timer import Timer

    from console.app import DeskApp

    _Base = Screen[Any]
else:
    _Base = object

NEEDED: Final = (40, 10)
"""Columns and rows below which one line says that the window is too small."""
FRAME: Final = 1 / 60
"""Seconds between two looks at whether all parts stand."""
LONGEST: Final = 15
"""Frames after which what there is is painted, though it still moves: somebody drags the window."""


def too_small(size: Size) -> bool:
    """Whether one cannot see in such a window what one decides on."""
    return size.width < NEEDED[0] or size.height < NEEDED[1]


class TooSmall(Static):
    """The one line that stands alone in a window that is too small: ``app.tcss`` hides all else."""

    def __init__(self) -> None:
        super().__init__("meminbox needs {}x{}".format(*NEEDED), markup=False)


class Room(_Base):
    """A mixin for screens; it stands before Textual's class in their bases."""

    _held = False
    _quiet = 0
    _frames = 0
    _moved = False
    _looking: Timer | None = None
    _stands = float("-inf")

    @property
    def held(self) -> bool:
        """Whether nothing is painted, because the parts are finding their places."""
        return self._held

    def hold(self, size: Size) -> None:
        """The window gets this size: paint nothing until all parts have found their place in it."""
        if not self.size.area or size == self.size:
            return
        self._held, self._quiet = True, 0
        if self._looking is None:
            self._frames = 0
            self._looking = self.set_interval(FRAME, self._look)

    def stood(self, painted: float | None) -> float | None:
        """Since when what was painted then has stood where it stands; None while it does not."""
        return None if self._held or painted is None else max(painted, self._stands)

    def fit(self) -> None:
        """Show the one line where the window is too small, else what there is."""
        self.set_class(too_small(self.app.size), "-tiny")

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """The window, or this screen's part of it, has another size."""
        self.fit()

    def _look(self) -> None:
        """Paint, if nothing has moved for two frames."""
        if self._looking is None:
            return  # it was stopped, but a timer that is behind ticks once more before it hears of it
        self._frames += 1
        self._quiet = 0 if self._moved or self._layout_required else self._quiet + 1
        self._moved = False
        if self._quiet < 2 and self._frames < LONGEST:
            return
        self._looking.stop()
        self._looking, self._held = None, False
        self._stands = cast("DeskApp", self.app).pace.clock()
        self.refresh()
        self._on_timer_update()

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        self._moved = True
        super()._refresh_layout(size, scroll)

    def _compositor_refresh(self) -> None:
        if not self._held:
            super()._compositor_refresh()

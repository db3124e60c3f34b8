"""The queue: what waits for a decision."""

from __future__ import annotations

from console.screens.base import DeskScreen, bindings_for


class QueueScreen(DeskScreen):
    """List, detail, decisions."""

    NAME = "queue"
    BINDINGS = bindings_for("queue")

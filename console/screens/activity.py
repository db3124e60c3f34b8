"""The activity: the operation log, newest first. What each step did, taken back or done again from here.

Whatever nothing later stands on can be taken back, however old; where something does, it is named.
"""

from __future__ import annotations

from console.screens.activity_view import ActivityView
from console.screens.base import DeskScreen, bindings_for
from console.steps import offer
from console.visible import visible
from console.widgets.step_pane import ShownStep


class ActivityScreen(ActivityView):
    """List, detail, and what can be done with a step."""

    CSS_PATH = "activity.tcss"
    BINDINGS = bindings_for("activity")

    def do_history_take_back(self) -> None:
        """Ask once, naming the whole step, then take it back; or, where it is undone, do it again."""
        if self.step is not None:
            turn(self, self.step)

    def do_item_open(self) -> None:
        """All that the step did, part by part."""
        name = self.listing.cursor_id
        if name is not None and not self.listing.unreadable(name):
            self.desk.show("activity.parts", name)

    def do_told_open(self) -> None:
        """Who was told the memory that it is about."""
        if self.step is not None and self.step.memory_id is not None:
            self.desk.show("told.open", self.step.memory_id)

    def do_history_open(self) -> None:
        """Every version of the memory that it is about."""
        if self.step is not None and self.step.memory_id is not None:
            self.desk.show("history.open", self.step.memory_id)

    def do_back(self) -> None:
        """One thing back: the line of input, the zoom, the detail, the filter, the screen."""
        if self.prompt.purpose:
            purpose = self.prompt.purpose
            self.close_prompt()
            if purpose == "filter":
                self.narrow()
        elif self.zoomed:
            self.do_pane_zoom()
        elif not self.in_list:
            self.do_pane_next()
        elif self.flt.given:
            self.narrow()
        else:
            self.desk.do_leave()


def turn(screen: DeskScreen, shown: ShownStep) -> None:
    """Ask, then take a step back, or do it again; where everything of it has something later on it, say what."""
    standing, step = shown.standing, shown.step
    if standing is None:
        offer(screen, step.operation.id)
    elif standing.blocked >= standing.of > 0:
        later = standing.by[0][1] if standing.by else "another step"
        screen.say(visible(f"Take back: something later stands on it: {later}", multiline=False), bad=True)
    elif standing.undone is not None:
        offer(screen, standing.turns.id, again=step.title)
    else:
        offer(screen, step.operation.id)

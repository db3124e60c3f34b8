"""The action registry: what a person can do, by which key, and when not. Pure: no Textual, no SQL.

Bindings, footer, help screen, palette and the page about keys are all derived from ``ACTIONS``. A screen carries out
an action in its method ``do_<id with dots as underscores>``; ``enabled`` tells beforehand, from a ``Situation`` that
the screen describes, why an action cannot be taken. A person's key map changes keys by action id.

To add an action: put it here, or where those of its screens stand, and write the method.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from console import keys, situation
from console.action import Action as Action
from console.memory_actions import MEMORIES
from console.places import FIND, GO, LIBRARIES, LISTS, LOG, LOOK, MARK, MOVE, PANES, STEPS, TAKE, TAKEN, TEXTS
from console.queue_actions import QUEUE
from console.scope_actions import SCOPES
from console.situation import Situation as Situation

ACTIONS: Final[tuple[Action, ...]] = (
    Action("move.down", "Down", "Next row; in the detail, scroll down", ("j", "down"), MOVE, ("*",)),
    Action("move.up", "Up", "Previous row; in the detail, scroll up", ("k", "up"), MOVE, ("*",)),
    Action("move.page_down", "Page down", "One page down", ("ctrl+d", "pagedown"), MOVE, ("*",)),
    Action("move.page_up", "Page up", "One page up", ("ctrl+u", "pageup"), MOVE, ("*",)),
    Action("move.top", "Top", "First row", ("g", "home"), MOVE, ("*",)),
    Action("move.bottom", "Bottom", "Last row", ("G", "end"), MOVE, ("*",)),
    Action("pane.next", "Next pane", "From the list to the detail and back", ("tab", "shift+tab"), MOVE, PANES),
    Action(
        "item.open",
        "Open",
        "Open the row: its detail, what was said once, a version whole",
        ("enter",),
        MOVE,
        (*PANES, "history"),
    ),
    Action("pane.zoom", "Zoom", "Give the whole window to this pane, and back", ("+",), MOVE, PANES),
    *QUEUE,
    *MEMORIES,
    *SCOPES,
    Action("mark.toggle", "Mark", "Mark the row, or unmark it", ("space",), MARK, LISTS, rule=situation.item),
    Action("mark.range", "Range", "Mark from the last mark to here", ("v",), MARK, LISTS, rule=situation.item),
    Action("mark.all", "Mark all", "Mark all that match", ("*",), MARK, LISTS, rule=situation.rows),
    Action(
        "diff.full", "Diff", "The whole difference, on its own", ("d",), LOOK, ("queue",), footer=6, rule=situation.item
    ),
    Action(
        "diff.next",
        "Next change",
        "Scroll to the next change",
        ("]",),
        LOOK,
        TEXTS,
        rule=situation.item,
        short="Next",
    ),
    Action(
        "diff.previous",
        "Previous change",
        "Scroll to the change before",
        ("[",),
        LOOK,
        TEXTS,
        rule=situation.item,
        short="Previous",
    ),
    Action("diff.split", "Split", "Old and new side by side, or one under the other", ("\\",), LOOK, TEXTS),
    Action(
        "history.open",
        "History",
        "Every version; any two compared",
        ("h",),
        LOOK,
        (*LISTS, *STEPS, "told"),
        footer=7,
        rule=situation.known,
    ),
    Action(
        "told.open",
        "Who was told",
        "Which sessions were given this memory, when, at which revision; what is no longer said",
        ("W",),
        LOOK,
        (*LIBRARIES, "outdated", "history", *STEPS),
        rule=situation.of_memory,
    ),
    Action(
        "evidence.open",
        "Evidence",
        "The words quoted for it, and the transcript around them if it is still there",
        ("o",),
        LOOK,
        (*LISTS, "evidence"),
        rule=situation.item,
    ),
    Action(
        "queue.copies",
        "Near-copies",
        "Open the near-copies of this row, what each says otherwise marked; or fold them",
        ("c",),
        LOOK,
        ("queue",),
        rule=situation.copied,
    ),
    Action(
        "sides.open",
        "Side by side",
        "Beside the memory it replaces, or those most like it: who said what, when, and what bore it out",
        ("=",),
        LOOK,
        ("queue", "sides"),
        rule=situation.compared,
    ),
    Action(
        "sides.next",
        "Next beside",
        "Hold it against the next memory that is like it",
        ("tab",),
        LOOK,
        ("sides",),
        footer=5,
        rule=situation.compared,
    ),
    Action(
        "agents.open",
        "Memories",
        "The memories from these proposals, in the library: those that a rule approved, where there are any",
        ("o",),
        LOOK,
        ("agents",),
        rule=situation.item,
    ),
    Action("view.invisibles", "Invisibles", "Show spaces, tabs and line ends", ("i",), LOOK, TEXTS),
    Action(
        "history.compare",
        "Compare",
        "Set this version aside, then look at another against it",
        ("space",),
        LOOK,
        ("history",),
        footer=2,
        rule=situation.item,
    ),
    Action(
        "log.undo", "Undo", "Take back the last step; it names it", ("u", "z"), LOG, ("*",), True, 9, situation.undoable
    ),
    Action(
        "log.redo",
        "Redo",
        "Do the step again that was taken back",
        ("U", "Z"),
        LOG,
        ("*",),
        True,
        0,
        situation.redoable,
    ),
    Action(
        "filter.open",
        "Filter",
        "Narrow the list: words, conf<0.6, agent:codex …; steps: by:ada, action:approve, since:3d",
        ("/",),
        FIND,
        (*LISTS, "activity"),
        footer=10,
        short="",
    ),
    Action(
        "queue.order",
        "Order",
        "By session, then oldest first, then newest first",
        ("O",),
        FIND,
        ("queue",),
        footer=9,
        rule=situation.rows,
        short="",
    ),
    Action(
        "library.order",
        "Order",
        "By last change, then by use, age, confidence, and how long nothing has borne it out",
        ("O",),
        FIND,
        ("library",),
        footer=9,
        rule=situation.rows,
        short="",
    ),
    Action(
        "library.recheck",
        "Re-check",
        "What may no longer be true: least sure, longest not borne out, never used, path gone, contradicted, ending",
        ("R",),
        FIND,
        ("library",),
    ),
    Action(
        "library.copies",
        "Near-copies",
        "Memories that say nearly the same, group by group",
        ("c",),
        FIND,
        ("library",),
    ),
    Action(
        "profile.open",
        "What agents know",
        "Everything an agent is told here, in its words and its order",
        ("m",),
        GO,
        ("queue", "library"),
    ),
    Action(
        "queue.work",
        "By kind",
        "What waits by kind of work: near-copies, conflicts, guesses …; each is a digit away",
        ("W",),
        FIND,
        ("queue",),
        rule=situation.rows,
    ),
    Action("filter.next", "Next match", "The next row that matches the last filter", ("n",), FIND, ("queue",)),
    Action("filter.previous", "Previous match", "The row before that matches it", ("N",), FIND, ("queue",)),
    Action("copy.text", "Copy", "Send the text to the terminal's clipboard", ("y",), TAKE, TAKEN, rule=situation.text),
    Action("copy.file", "Write", "Write the text to a new file", ("w",), TAKE, TAKEN, rule=situation.text),
    Action("screen.queue", "Queue", "What waits for a decision", ("1",), GO, ("*",)),
    Action("screen.library", "Library", "What agents are given", ("2",), GO, ("*",)),
    Action("screen.outdated", "Outdated", "What is no longer true, above all after a refactor", ("3",), GO, ("*",)),
    Action("screen.activity", "Activity", "Every step that was taken, by whom; take any back", ("4",), GO, ("*",)),
    Action("screen.agents", "Agents", "How often each agent was right, and what rules approved", ("5",), GO, ("*",)),
    Action("screen.scopes", "Scopes", "Every project, orphans first: name, move, re-attach", ("6",), GO, ("*",)),
    Action(
        "agents.setup",
        "Connect agents",
        "Run `meminbox setup` in this terminal, and come back",
        ("C",),
        GO,
        ("queue",),
        alone=True,
    ),
    Action(
        "back",
        "Back",
        "Leave the line, the zoom, the marks, the filter",
        ("escape",),
        GO,
        ("*",),
        modes=("browse", "edit", "prompt"),
    ),
    Action("help", "Help", "Every key, and what it does", ("?",), GO, ("*",), footer=11, short=""),
    Action("palette", "Palette", "Find an action by its name", ("ctrl+p",), GO, ("*",)),
    Action("leave", "Quit", "Leave this level; at the top, the program", ("q",), GO, ("*",)),
    Action("suspend", "Suspend", "Back to the shell for a while; `fg` comes back here", ("ctrl+z",), GO, ("*",)),
    Action("quit", "Quit now", "Leave the program", ("ctrl+q",), GO, ("*",), modes=("browse", "edit", "prompt")),
)

BY_ID: Final[Mapping[str, Action]] = {action.id: action for action in ACTIONS}
keys.built_in({action.id: (action.title, action.keys) for action in ACTIONS})


FOOTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "activity": (
        "history.take_back",
        "item.open",
        "told.open",
        "history.open",
        "filter.open",
        "log.undo",
        "copy.text",
        "copy.file",
        "back",
        "help",
    ),
    "parts": (
        "history.take_back",
        "told.open",
        "history.open",
        "diff.next",
        "diff.split",
        "copy.text",
        "copy.file",
        "back",
        "help",
    ),
    "told": ("history.open", "diff.next", "diff.split", "copy.text", "copy.file", "back", "help"),
    "agents": ("agents.open", "copy.text", "copy.file", "pane.next", "log.undo", "back", "help"),
    "diff": ("diff.next", "diff.previous", "diff.split", "view.invisibles", "copy.text", "copy.file", "back", "help"),
    "evidence": ("move.page_down", "move.page_up", "copy.text", "copy.file", "back", "help"),
    "help": ("move.page_down", "move.page_up", "back"),
}
"""The line at the bottom of screens that decide nothing, in order."""
EMPTY: Final = ("agents.setup", "screen.queue", "screen.library", "log.undo", "palette", "help", "leave")
"""And of a list with nothing in it, as far as they can be taken: where nothing can be done, no key is of use dim."""


def of_screen(screen: str) -> list[Action]:
    """The actions of one screen, in the order of the registry."""
    return [action for action in ACTIONS if action.on(screen)]


def footer(screen: str, now: Situation) -> list[tuple[Action, str | None]]:
    """What the footer of a screen shows, in order: each action, and why it cannot be taken now (None: it can)."""
    if now.empty and now.mode == "browse":
        known = [BY_ID[id_] for id_ in EMPTY if id_ != f"screen.{screen}" and BY_ID[id_].on(screen)]
        return [(one, None) for one in known if one.enabled(now) is None]
    if screen in FOOTERS and now.mode == "browse":
        return [(BY_ID[id_], BY_ID[id_].enabled(now)) for id_ in FOOTERS[screen]]
    shown = [one for one in of_screen(screen) if one.footer and now.mode in one.modes]
    if now.mode != "browse":
        shown.append(BY_ID["back"])
    return [(one, one.enabled(now)) for one in sorted(shown, key=lambda one: one.footer or 99)]


def grouped(screen: str) -> list[tuple[str, list[Action]]]:
    """The actions of a screen by group, for the help screen and the page about keys."""
    groups: dict[str, list[Action]] = {}
    for action in of_screen(screen):
        groups.setdefault(action.group, []).append(action)
    return list(groups.items())

"""What the Scopes screen says: a row for each scope, and a page about the one under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from console import keys, words
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.shown import Line, Part, own, said
from store.entry import GLOBAL
from store.scopes import Scope

NUMBER: Final = 10
"""Cells of a number in a row."""
LAST: Final = 6
STANDING: Final = {
    "here": ("here", "$accent"),
    "everywhere": ("", "$quiet"),
    "there": ("", "$quiet"),
    "gone": ("orphan", "$warn"),
    "unknown": ("not here", "$quiet"),
}
"""A scope's standing in a word, and its colour."""
_TOLD: Final = {
    "here": "This is the present project.",
    "everywhere": "What stands here is given to agents in every project.",
    "there": "Another project, whose folder is where it was seen last.",
    "gone": "An orphan: the folder where it was seen last is gone, or is another project by now.",
    "unknown": "Its folder was never seen on this machine.",
}


def heading(room: int) -> Line:
    """What stands above the numbers."""
    numbers = [
        part for title in _columns(room) for part in shown.pad([own(title, "$quiet")], _width(title), right=True)
    ]
    return [*shown.pad([own("   scope", "$quiet")], room - shown.width(numbers)), *numbers]


def _columns(room: int) -> tuple[str, ...]:
    return ("memories", "waiting", "used") if room >= 48 else ("memories",)


def _width(title: str) -> int:
    return LAST if title == "used" else NUMBER


def name(one: Scope) -> Shown:
    """What a scope is called."""
    return Shown("everywhere") if one.identity == GLOBAL else visible(one.label, multiline=False)


def row(one: Scope, room: int, here: bool, now: datetime, twins: bool) -> list[Part]:
    """One scope; the first part is one blank, where the cursor's bar goes. ``twins``: others are called the same."""
    last = one.last_used
    told = {
        "memories": f"{one.memories:,}" if one.memories else "·",
        "waiting": f"{one.waiting:,}" if one.waiting else "·",
        "used": words.age(last, now) if last is not None else "·",
    }
    style = "bold" if here else ""
    numbers: list[Part] = []
    for title in _columns(room):
        quiet = told[title] == "·" or title == "used"
        numbers += shown.pad([own(told[title], "$quiet" if quiet else style)], _width(title), right=True)
    word, colour = STANDING[one.standing] if one.standing != "gone" or one.orphan else ("", "$quiet")
    right = [own(f"  {word}", f"bold {colour}")] if word else []
    called = [said(name(one), "bold $key" if one.standing != "everywhere" else "bold $quiet")]
    if twins:
        called += [own("  "), said(visible(one.identity, multiline=False), "$quiet")]
    free = room - shown.width(numbers) - shown.width(right) - 3
    return [own(" "), own("  "), *shown.pad(called, max(free, 1)), *right, *numbers]


def page(one: Scope, here: Scope | None, asks_for: str | None, now: datetime, room: int) -> list[Line]:
    """What there is to know of one scope, and what can be done about it."""
    lines: list[Line] = [[said(name(one), "bold $key")]]
    lines += shown.flow([own("identity  ", "$quiet"), said(visible(one.identity, multiline=False))], room)
    lines += shown.flow([own(_TOLD[one.standing], "$warn" if one.orphan else "$quiet")], room)
    lines += [[], *shown.flow(_sums(one), room), *_times(one, now)]
    if one.root is not None and one.standing != "everywhere":
        word = "folder    " if one.standing in ("here", "there") else "was at    "
        lines += shown.flow([own(word, "$quiet"), said(visible(one.root, multiline=False))], room)
    for folder in one.confirmed:
        lines += shown.flow([own("confirmed ", "$quiet"), said(visible(folder, multiline=False))], room)
    for told in _what_to_do(one, here, asks_for):
        lines += [[], *shown.flow(told, room)]
    return lines


def _sums(one: Scope) -> Line:
    parts = [own(words.count(one.memories, "memory", "memories"), "bold")]
    parts += [own(f"{one.aside:,} out of use", "$quiet")] if one.aside else []
    parts += (
        [own(f"{one.waiting:,} {'waits' if one.waiting == 1 else 'wait'} for review", "$accent")] if one.waiting else []
    )
    line: list[Part] = []
    for part in parts:
        line += [*([own(shown.DOT, "$quiet")] if line else []), part]
    return line


def _times(one: Scope, now: datetime) -> list[Line]:
    lines: list[Line] = []
    for word, at in (("used      ", one.last_used), ("changed   ", one.last_changed)):
        if at is not None:
            lines.append([own(word, "$quiet"), own(words.day(at, now))])
    return lines


def _key(action: str, text: str) -> Line:
    return [own(keys.shown(action), "bold $accent"), own(f" {text}")]


def _what_to_do(one: Scope, here: Scope | None, asks_for: str | None) -> list[Line]:
    told: list[Line] = []
    if asks_for is not None and one.standing == "here":
        wanted = said(visible(asks_for, multiline=False), "bold $warn")
        asks = [own("The .meminbox.toml in this folder asks to be "), wanted, own(". ")]
        told.append([*asks, *_key("scopes.confirm", "lets it; until then it counts for nothing.")])
    if one.standing in ("gone", "unknown") and one.holds and here is not None:
        into = said(visible(here.label, multiline=False), "bold")
        told.append([*_key("scopes.attach", "takes what it holds into "), into, own(", in one step with one undo.")])
    if one.standing == "here" and not one.holds:
        told.append(
            [own("Nothing is held here yet. Agents propose, and you decide: "), *_key("screen.queue", "queue.")]
        )
    return told


def alone(asks_for: str | None, room: int) -> list[Line]:
    """What stands on the page where nothing is held anywhere: what scopes are, and what to do first."""
    lines: list[Line] = [
        [own("Nothing is held anywhere yet.", "bold")],
        [],
        *shown.flow(
            [own("Each project has a scope of its own; what is placed everywhere is given to all.", "$quiet")], room
        ),
        *shown.flow([*_key("screen.queue", "shows what waits, and how to connect an agent")], room),
    ]
    if asks_for is not None:
        wanted = said(visible(asks_for, multiline=False), "bold $warn")
        asks = [own("The .meminbox.toml in this folder asks to be "), wanted, own(". ")]
        lines += [[], *shown.flow([*asks, *_key("scopes.confirm", "lets it; until then it counts for nothing.")], room)]
    return lines


def question(entries: Sequence[Shown], more: int, left: Sequence[tuple[Shown, Shown]]) -> list[Line]:
    """The exact list that is moved, and what is left, each with its reason."""
    lines: list[Line] = [[own("  "), said(one)] for one in entries]
    lines += [[own(f"  and {more:,} more", "$quiet")]] if more else []
    lines += [[own("Left where they are:", "bold $warn")]] if left else []
    return [*lines, *([own("  "), said(one), own("  "), said(why, "$quiet")] for one, why in left)]


def plain(text: str) -> Line:
    """A sentence that may hold somebody else's words."""
    return [said(visible(text, multiline=False))]

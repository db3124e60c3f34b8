"""Where two texts met: what a person is shown when a decision lost, whatever screen it was taken on.

Base, mine and theirs for a state that has moved on; the text that holds the key and the one that wanted it for a key
that is taken. Nothing was changed; one answer closes it, and the person decides again.
"""

from __future__ import annotations

from console import words
from console.visible import Shown, visible
from console.widgets.confirm import Tell
from console.widgets.detail_lines import Setting
from console.widgets.shown import Line, gutter, own, said
from store.errors import KeyTaken, MeminboxError, Stale


def met(error: MeminboxError, setting: Setting, *, mine: str | None = None) -> Tell | None:
    """The dialog for an error with texts in it, or None for any other. ``mine`` is what the person wanted to write."""
    if isinstance(error, Stale):
        wanted = mine if mine is not None else error.mine
        text = [
            *_changed_by(error, setting),
            *block("you saw", error.base),
            *block("you wanted", wanted),
            *block("it is now", error.theirs),
        ]
    elif isinstance(error, KeyTaken):
        wanted = mine if mine is not None else error.mine
        text = [
            *block("it holds", error.holder.entry.content),
            *(block("yours says", wanted) if wanted is not None else []),
        ]
    else:
        return None
    return Tell(visible(str(error), multiline=False), text)


def block(label: str, text: str | None) -> list[Line]:
    """A text of somebody's under a label, as lines of a dialog. ``label`` may be somebody's, too."""
    name = visible(label, multiline=False)
    if text is None:
        return [[said(name, "$quiet"), own(": ", "$quiet"), own("nothing", "italic")], []]
    lines: list[Line] = [[said(name, "bold $key")]]
    lines += [[gutter(), said(Shown(line))] for line in visible(text).split("\n")]
    return [*lines, []]


def _changed_by(error: Stale, setting: Setting) -> list[Line]:
    if error.by is None:
        return []
    who = visible(f"{error.by.actor} ({error.by.surface})", multiline=False)
    return [
        [own("changed by ", "$quiet"), said(who, "bold"), own(f", {words.day(error.by.at, setting.now)}", "$quiet")],
        [],
    ]

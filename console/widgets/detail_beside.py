"""The words for what stands beside a proposal: its near-copies, the memories that are like it, what was refused of it.

Pure but for the line type. The search for what is like it takes its time, and comes after the detail has been painted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from console import keys, words
from console.diff_layout import Comparison
from console.visible import Shown, visible
from console.widgets import shown
from console.widgets.detail_lines import Setting, labelled
from console.widgets.shown import Line, Part, own, said
from store.facts import Memory, Proposal, Refusal

FEW: Final = 3
"""Near-copies that a detail names; the list opens to all of them."""
HINT: Final = dict.fromkeys(("number", "value", "negation", "opposite", "version"), "$alarm")
"""The colour of a hint by its kind, where it turns a statement round; of any other it is that of a warning."""

DIFFERENT: Final = {"-": ("[-", "-]", "$removed"), "+": ("{+", "+}", "bold $added")}
"""What stands around a difference where there is no colour, and its colour."""


@dataclass(frozen=True, slots=True)
class Like:
    """A memory that says something like it: how like (0 to 1), what differs, and why it counts no longer, if so.

    ``hints`` are (kind, reason in words); ``turned_down`` is the reason that was given, None for what is live.
    """

    memory: Memory
    score: float
    hints: tuple[tuple[str, str], ...] = ()
    turned_down: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """An earlier proposal that was like it, and was refused."""

    text: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Beside:
    """What was found beside one proposal, and by which scorer, in words for people."""

    live: tuple[Like, ...] = ()
    turned_down: tuple[Like, ...] = ()
    refused: tuple[Refused, ...] = ()
    scorer: str = ""

    @property
    def likes(self) -> tuple[Like, ...]:
        """All memories, those that are live first."""
        return (*self.live, *self.turned_down)


def copies_head(copies: Sequence[tuple[Proposal, Comparison]]) -> list[Line]:
    """That a decision on it is one on its near-copies, too."""
    if not copies:
        return []
    return [
        [
            own(f" x{len(copies) + 1:,} near-copies ", "bold $ground on $key"),
            own("  "),
            own(keys.shown("queue.approve"), "bold $accent"),
            own(f" keeps this one, closes {len(copies):,}", "$quiet"),
            own(shown.DOT, "$quiet"),
            own(keys.shown("queue.copies"), "bold $accent"),
            own(" opens them", "$quiet"),
        ]
    ]


def copies_foot(copies: Sequence[tuple[Proposal, Comparison]], *, brackets: bool) -> list[Line]:
    """The first near-copies by what they say otherwise."""
    lines: list[Line] = []
    for at, (one, against) in enumerate(copies[:FEW]):
        who = [said(words.agent(one.entry.source_agent), "$quiet"), own("  ")] if one.entry.source_agent else []
        lines.append(labelled("copies" if at == 0 else "", [*who, *otherwise(against, brackets=brackets)]))
    if len(copies) > FEW:
        lines.append(labelled("", [own(f"and {len(copies) - FEW:,} more", "$quiet")]))
    return lines


def otherwise(against: Comparison, *, brackets: bool, lead: int | None = None) -> list[Part]:
    """Two texts in one line: what only the first says struck out, what only the second says underlined.

    ``brackets`` writes ``[-x-]{+y+}`` around them, for screens without colour. ``lead`` is how much is left of what
    stands before the first difference; None leaves all.
    """
    parts: list[Part] = []
    for at, span in enumerate(against.spans):
        text = shown.one_line(span.text)
        if span.op == "=":
            cut = at == 0 and lead is not None and len(text) > lead + 1
            parts.append(Part(Shown("…" + text[len(text) - lead :]) if cut and lead is not None else text))
            continue
        opening, closing, style = DIFFERENT[span.op]
        inner = Part(text, f"{style} {'strike' if span.op == '-' else 'underline'}")
        parts += [own(opening, style), inner, own(closing, style)] if brackets else [inner]
    return parts


def beside_foot(beside: Beside | None, setting: Setting) -> list[Line]:
    """What is like it, the likest first, with the scorer's name; then what was turned down or refused before."""
    if beside is None:
        return [labelled("similar", [own("looking …", "$quiet")])]
    lines: list[Line] = []
    for at, like in enumerate(beside.live):
        lines.append(_like("similar" if at == 0 else "", like, beside.scorer if at == 0 else ""))
    for like in beside.turned_down:
        day = words.day(like.memory.updated_at, setting.now)
        why = [own(f"  {day}", "$quiet")]
        if like.turned_down:
            why += [own(shown.DOT, "$quiet"), said(visible(like.turned_down, multiline=False), "italic")]
        lines.append(labelled("turned", [own("down  ", "$warn"), *_named(like.memory), *why]))
    return [*lines, *(_refused(one, setting) for one in beside.refused)]


def _like(label: str, like: Like, scorer: str) -> Line:
    parts = [own(f"{like.score:.2f} "[1:] if like.score < 1 else "1.0 ", "bold"), *_named(like.memory)]
    for kind, reason in like.hints:
        parts += [own("  ▪ ", HINT.get(kind, "$warn")), said(visible(reason, multiline=False), HINT.get(kind, "$warn"))]
    if scorer:
        parts.append(own(f"  by {scorer}", "$quiet"))
    return labelled(label, parts)


def _named(memory: Memory) -> list[Part]:
    key = [said(visible(memory.entry.key, multiline=False), "$key"), own("  ")] if memory.entry.key else []
    return [*key, said(visible(memory.entry.content[:120], multiline=False))]


def _refused(one: Refused, setting: Setting) -> Line:
    refusal = one.refusal
    line = [own(f"turned down {words.day(refusal.at, setting.now)}", "$warn"), own(shown.DOT, "$quiet")]
    line.append(said(visible(one.text[:80], multiline=False)))
    if refusal.reason:
        line += [own(shown.DOT, "$quiet"), said(visible(refusal.reason, multiline=False), "italic")]
    return labelled("before", line)

"""The question about what may be a secret: where it stands, and the person's word on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from console.visible import Shown, visible
from console.widgets.confirm import Choose
from console.widgets.shown import Line, Part, gutter, own, said
from store.entry import Entry
from store.errors import SecretOpen

DOUBT: Final = "bold $ground on $alarm"
"""What may be a secret, in its text."""
Place = tuple[int, int]


def question(error: SecretOpen, entry: Entry) -> Choose:
    """Ask for a word on the doubts that ``error`` tells of in ``entry``: answers mask, keep or edit, or None."""
    places: dict[tuple[str, int], list[Place]] = {}
    whys: dict[tuple[str, int], list[str]] = {}
    for field, place, start, end, why in error.spans:
        places.setdefault((field, place), []).append((start, end))
        whys.setdefault((field, place), []).append(why)
    text: list[Line] = []
    for (field, place), spans in places.items():
        why = ", ".join(dict.fromkeys(whys[field, place]))
        text.append([own(field or "an older text", "bold $key"), own(f"  {why}", "$warn")])
        text += [[gutter(), *line] for line in marked(_text(entry, field, place), spans)]
        text.append([])
    choices = [
        ("m", Shown("Mask it, and keep the rest"), "mask"),
        ("e", Shown("Edit the text first"), "edit"),
        ("k", Shown("It is no secret: keep it, and remember that"), "keep"),
    ]
    return Choose(Shown("This may hold a secret"), choices, text)


def _text(entry: Entry, field: str, place: int) -> str:
    value = getattr(entry, field, "") if field else ""
    return value[place] if isinstance(value, tuple) else value or ""


def marked(text: str, spans: Iterable[Place]) -> Sequence[Line]:
    """A raw text line by line, with these spans (in code points) marked."""
    lines: list[list[Part]] = [[]]
    at = 0
    for start, end in (*sorted(spans), (len(text), len(text))):
        for piece, style in ((text[at:start], ""), (text[max(at, start) : end], DOUBT)):
            rows = visible(piece).split("\n") if piece else []
            for row in rows:
                lines[-1].append(said(Shown(row), style))
                lines.append([])
            if rows:
                lines.pop()
        at = max(at, end)
    return lines

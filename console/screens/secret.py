"""The question about what may be a secret: where it stands, and the person's word on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from console.visible import Shown, visible
from console.widgets.shown import Line, Part, gutter, own, said
from store.entry import Entry
from store.errors import SecretOpen

if TYPE_CHECKING:
    from console.screens.list_detail import ListDetail
    from store.secrecy import Word

DOUBT: Final = "bold $ground on $alarm"
"""What may be a secret, in its text."""
Place = tuple[int, int]


def ask(
    screen: ListDetail, error: SecretOpen, entry: Entry, then: Callable[[Word], None], edit: Callable[[str], None]
) -> None:
    """Ask for a word on the doubts that ``error`` tells of, and go on with it, or ``edit`` the text as redacted."""
    from store.redact import redact_entry

    known = redact_entry(entry)[0]

    def chosen(word: str) -> None:
        if word == "mask" or word == "keep":
            then("mask" if word == "mask" else "keep")
        elif not screen.editing:
            edit(known.content)

    choices = [
        ("m", Shown("Mask it, and keep the rest"), "mask"),
        ("e", Shown("Edit the text first"), "edit"),
        ("k", Shown("It is no secret: keep it, and remember that"), "keep"),
    ]
    screen.choose(Shown("This may hold a secret"), choices, chosen, _doubts(error, known))


def _doubts(error: SecretOpen, entry: Entry) -> list[Line]:
    """Every text with a doubt, field by field."""
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
    return text


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

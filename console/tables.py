"""What a command prints for people: rows that fit the terminal, and one item in full. Everything through ``visible``.

To a pipe the same rows go with tabs between the columns and nothing cut, so that ``cut`` and ``awk`` can take them.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice, zip_longest
from typing import Final, TextIO

from rich.cells import cell_len

from console import prose, words, wrap
from console.visible import Shown, visible
from store.entry import Entry
from store.facts import Memory, Proposal, Version
from store.prose_diff import diff

_GAP: Final = "  "
_LABEL: Final = 10
_HELD: Final = 1_000
"""Rows that are measured together before they are printed."""
_TEXT: Final = 20
"""Cells that the text of a row gets at least."""
_SHORTEST: Final = 8
"""Cells to which another column is cut at most."""
_GUTTER: Final = "  │ "
_CHANGED: Final = {"=": ("", ""), "-": ("[-", "-]"), "+": ("{+", "+}")}


def short(identity: str) -> str:
    """The end of an id that people see and type."""
    return visible(identity[-6:], multiline=False)


def line(text: str | None) -> str:
    """Untrusted text for one line; empty for None."""
    return visible(text, multiline=False) if text else ""


def proposal_row(proposal: Proposal) -> list[str]:
    """The columns of one proposal: mark, id, confidence, kind, key, text, status, flags, agent, age, stale."""
    entry = proposal.entry
    text = words.content_of(proposal)
    return [
        words.SIGN.get(proposal.op, "?"),
        short(proposal.id),
        _confidence(entry),
        _kind(entry),
        line(entry.key),
        line(f"(remove) {text}" if proposal.op == "remove" else text),
        "" if proposal.status == "pending" else line(proposal.status),
        ", ".join(line(words.flag_word(flag, entry.content)) for flag in words.gravest_first(proposal.flags)),
        line(entry.source_agent),
        _age(proposal.created_at),
        "stale" if words.stale(proposal, datetime.now(UTC)) else "",
    ]


def memory_row(memory: Memory) -> list[str]:
    """The columns of one memory: id, revision, kind, key, text, whether a value was overwritten, scope, age."""
    entry = memory.entry
    return [
        short(memory.id),
        str(memory.revision),
        _kind(entry),
        line(entry.key),
        line(entry.content),
        "overwritten" if memory.previous_value is not None else "",
        line(entry.scope),
        _age(memory.updated_at),
    ]


def version_row(version: Version) -> list[str]:
    """The columns of one version: revision, when, action, who, status, text."""
    return [
        str(version.revision),
        moment(version.at),
        line(version.action),
        line(version.actor),
        line(version.status),
        line(version.entry.content) if version.entry else "(erased)",
    ]


def print_rows(rows: Iterable[Sequence[str]], *, wide: int) -> None:
    """Print rows of equal length. On a terminal, column ``wide`` takes what the others leave, and is cut to it.

    Columns are as wide as the first thousand rows need, and wider from where more is needed: a list of any length
    begins at once and takes no more memory than a thousand of its rows.
    """
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(row))
        return
    left, needed = iter(rows), [0]
    while held := list(islice(left, _HELD)):
        needed = [
            max(before, *(cell_len(row[place]) for row in held))
            for place, before in zip_longest(range(len(held[0])), needed, fillvalue=0)
        ]
        _print_aligned(held, list(needed), wide)


def _print_aligned(held: Sequence[Sequence[str]], widths: list[int], wide: int) -> None:
    kept = [place for place, width in enumerate(widths) if width or place == wide]
    others = [place for place in kept if place != wide]
    room = shutil.get_terminal_size().columns - len(_GAP) * (len(kept) - 1)
    # A long key or name gives way before the text does, the longest first.
    while sum(widths[place] for place in others) > room - min(widths[wide], _TEXT):
        widest = max(others, key=widths.__getitem__)
        if widths[widest] <= _SHORTEST:
            break
        widths[widest] -= 1
    widths[wide] = min(widths[wide], max(_TEXT, room - sum(widths[place] for place in others)))
    for row in held:
        print(_GAP.join(fit(row[place], widths[place]) for place in kept).rstrip())


def fit(text: str, width: int) -> str:
    """``text`` in exactly ``width`` cells: filled with spaces, or cut with a mark that says so."""
    kept = wrap.cut(text, width)
    return kept + " " * (width - cell_len(kept))


def entry_lines(entry: Entry) -> Iterator[str]:
    """An entry in full, one labelled line for what is said and for where it comes from."""
    yield from text_lines(entry.content)
    until = moment(entry.valid_until) if entry.valid_until else None
    for label, value in (
        ("kind", _kind_in_full(entry)),
        ("key", entry.key),
        ("scope", entry.scope),
        ("aliases", ", ".join(entry.aliases)),
        ("paths", ", ".join(entry.paths)),
        ("confidence", _confidence(entry) if entry.confidence is not None else "unknown"),
        ("source", words.SOURCE.get(entry.source, entry.source)),
        ("agent", entry.source_agent),
        ("session", entry.session_id),
        ("reference", entry.source_ref),
        ("until", until),
        ("evidence", entry.evidence),
    ):
        if value:
            yield from labelled(label, value)


def labelled(label: str, value: str) -> Iterator[str]:
    """A label and its value, further lines of the value set under the first."""
    first, *more = _rows(visible(value), _LABEL + 1, sys.stdout)
    yield beside(label, first)
    yield from (beside("", part) for part in more)


def beside(label: str, value: Shown) -> str:
    """A label and what may be shown beside it, on one line."""
    return f"{label:{_LABEL}} {value}"


def text_lines(text: str, *, to: TextIO | None = None) -> Iterator[str]:
    """Untrusted text in a gutter of its own, so that it cannot pass for a line of ours: no row of it goes without.

    ``to`` is where it will be printed, stdout if it is not said.
    """
    yield from (f"{_GUTTER}{part}" for part in _rows(visible(text), len(_GUTTER), to or sys.stdout))


def _rows(text: Shown, before: int, to: TextIO) -> Iterable[Shown]:
    """The rows of a shown text behind ``before`` cells: on a terminal as wide as it is, elsewhere line by line."""
    columns = prose.room(to, most=10_000)
    return map(Shown, text.split("\n")) if columns is None else wrap.rows(text, max(columns - before, 8)) or [text]


def diff_lines(old: str, new: str) -> Iterator[str]:
    """Two texts as one, with ``[-removed-]`` and ``{+added+}`` words, in the gutter."""
    out = Shown("")
    for span in diff(old, new):
        shown = visible(span.text)
        out = Shown(f"{out}{_CHANGED[span.op][0]}{shown}{_CHANGED[span.op][1]}")
    yield from (f"{_GUTTER}{part}" for part in _rows(out, len(_GUTTER), sys.stdout))


def moment(at: datetime) -> str:
    """A time as people read it: their own zone, to the minute, with the offset."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M %z")


def when(at: datetime) -> str:
    """A time with its age: "2026-11-30 09:15 +0000, 5m ago"."""
    said = _age(at)
    return f"{moment(at)}, {'just now' if said == 'now' else f'{said} ago'}"


def _age(at: datetime) -> str:
    return words.age(at, datetime.now(UTC))


def _confidence(entry: Entry) -> str:
    return "?" if entry.confidence is None else f"{entry.confidence:.2f}"


def _kind(entry: Entry) -> str:
    return words.KIND.get(entry.kind, (line(entry.kind), ""))[0]


def _kind_in_full(entry: Entry) -> str:
    return words.KIND.get(entry.kind, ("", entry.kind))[1]

"""The spans of a comparison cut into blocks: kept text, and changes with the kept text that shares their rows.

A change inside a long line is cut out where rows end, so that only the rows that hold it are shown twice. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from console.visible import LF_MARK, SPACE_MARK, WIDE_SPACE_TOKEN, Shown
from console.wrap import cells, clusters, wrap
from store.prose_diff import Span

Pair = tuple[str, str]
"""What goes and what comes in one place; either may be empty."""


class Piece(NamedTuple):
    """Text in one role: ``=`` in both, ``-`` removed, ``+`` added, ``[`` a mark of ours around a change."""

    op: str
    text: Shown


class Change(NamedTuple):
    """A change with the kept text that shares its rows, for either side; how many changes it holds."""

    old: list[Piece]
    new: list[Piece]
    changes: int

    @property
    def length(self) -> int:
        """Code points of both sides together."""
        return sum(len(piece.text) for piece in (*self.old, *self.new))


def blocks(spans: Iterable[Span], room: int) -> Iterator[str | Change]:
    """Kept text and changes in turn, cut where a row ends, so that each can be laid out by itself."""
    items = _items(spans)
    lead = ""
    while items:
        item = items.pop(0)
        if isinstance(item, str):
            if not items:
                yield item
                return
            start = wrap(item, room)[-1][0] if not item.endswith("\n") else len(item)
            if start:
                yield item[:start]
            lead = item[start:]
            continue
        if lead and not items and _at_line_end(item):
            yield lead
            lead = ""
            item = (item[0][1:], item[1][1:])
        if lead and _is_full(lead, item, items[0] if items else "", room):
            yield lead
            lead = ""
        yield _change(item, lead, items, room)
        lead = ""


def _change(item: Pair, lead: str, items: list[str | Pair], room: int) -> Change:
    """The change that begins with ``item``: with the kept ``lead`` before it, and as much after it as fills its row.

    Takes from the front of ``items`` what belongs to it, changes that are near on the same line included.
    """
    old, new = _side(lead, item[0], item, "-"), _side(lead, item[1], item, "+")
    count = 1
    while items:
        kept = items[0]
        assert isinstance(kept, str)
        if len(items) > 1 and "\n" not in kept and cells(kept) <= room:
            items.pop(0)
            item = items.pop(0)  # type: ignore[assignment]
            old += _side(kept, item[0], item, "-")
            new += _side(kept, item[1], item, "+")
            count += 1
            continue
        # The side with less room decides, so that the other's row is not filled at the price of a row more here.
        end = min((_row_rest(side, kept, room) for side in (old, new) if _is_open(side)), default=0)
        if end:
            old += _side(kept[:end], "", item, "-")
            new += _side(kept[:end], "", item, "+")
        if kept[end:]:
            items[0] = kept[end:]
        else:
            items.pop(0)
        break
    return Change(_settled(old, new), _settled(new, old), count)


def _side(kept: str, changed: str, pair: Pair, op: str) -> list[Piece]:
    """A stretch of one side: what is kept, then what is changed, blanks made visible where nothing else changed."""
    if changed and not (pair[0] + pair[1]).strip():
        changed = changed.replace(" ", SPACE_MARK).replace("\u3000", WIDE_SPACE_TOKEN).replace("\n", LF_MARK + "\n")
    return [piece for piece in (Piece("=", Shown(kept)), Piece(op, Shown(changed))) if piece.text]


def _settled(side: list[Piece], other: list[Piece]) -> list[Piece]:
    """The side as painted: an empty line shows its line feed, and so do lines that are joined or parted."""
    if [piece.text for piece in side] == ["\n"] and other:
        return [Piece(side[0].op, Shown(LF_MARK + "\n"))]
    if not any(piece.op == "=" and piece.text.strip("\n") for piece in (*side, *other)):
        return side
    return [
        Piece(piece.op, Shown(piece.text.replace("\n", LF_MARK + "\n")))
        if piece.op != "=" and LF_MARK + "\n" not in piece.text
        else piece
        for piece in side
    ]


def _is_full(lead: str, item: Pair, after: str | Pair, room: int) -> bool:
    """Whether the row of ``lead`` has no room for what follows, on either side: then no change stands on it."""
    kept = after if isinstance(after, str) else ""
    for changed in item:
        rest = changed + kept[: _reach(kept, room)]
        near = rest[: _reach(rest, room)]
        if not near or near[0] == "\n" or wrap(lead + near, room)[0][1] != len(lead):
            return False
    return True


def _is_open(side: list[Piece]) -> bool:
    """Whether the side stops in the middle of a line."""
    return bool(side) and not side[-1].text.endswith("\n")


def _row_rest(side: list[Piece], kept: str, room: int) -> int:
    """How much of the ``kept`` text after a change stands on the row on which the change ends."""
    line = "".join(piece.text for piece in side).rpartition("\n")[2]
    near = kept[: _reach(kept, 2 * room)]
    end = next((stop for _, stop in wrap(line + near, room) if stop >= len(line)), len(line))
    rest = end - len(line)
    return rest + 1 if kept[rest : rest + 1] == "\n" else rest


def _reach(text: str, room: int) -> int:
    """Where the first line of ``text`` ends, or the cluster that takes it past ``room`` cells."""
    used = end = 0
    for cluster in clusters(text):
        if text[cluster.start] == "\n" or used > room:
            break
        used += cluster.cells
        end = cluster.end
    return end


def _items(spans: Iterable[Span]) -> list[str | Pair]:
    """Kept texts and (gone, come) pairs in turn; lines added between lines begin at a line start."""
    items: list[str | Pair] = []
    for op, text in spans:
        if op == "=":
            items.append(text)
        elif items and isinstance(items[-1], tuple):
            items[-1] = (items[-1][0] + text, items[-1][1]) if op == "-" else (items[-1][0], items[-1][1] + text)
        else:
            items.append((text, "") if op == "-" else ("", text))
    for index in range(1, len(items) - 1):
        before, pair, after = items[index - 1], items[index], items[index + 1]
        if isinstance(pair, str) or not isinstance(before, str) or not isinstance(after, str):
            continue
        if "" in pair and after[0] == "\n" and max(pair)[0] == "\n":
            items[index - 1] = before + "\n"
            items[index] = (_turned(pair[0]), _turned(pair[1]))
            items[index + 1] = after[1:]
    return _alternating(items)


def _alternating(items: list[str | Pair]) -> list[str | Pair]:
    """The items without empty ones, changes that then meet made one."""
    out: list[str | Pair] = []
    for item in items:
        last = out[-1] if out else ""
        if isinstance(item, tuple) and isinstance(last, tuple):
            out[-1] = (last[0] + item[0], last[1] + item[1])
        elif item:
            out.append(item)
    return out


def _turned(text: str) -> str:
    return text[1:] + "\n" if text else text


def _at_line_end(pair: Pair) -> bool:
    """Whether the last change of a text begins after a line end on both sides: lines were put or taken at its end."""
    return "" in pair and max(pair).startswith("\n") and bool(max(pair).strip())


def appends_lines(spans: list[Span]) -> bool:
    """Whether all that the last change does is to put or take lines at the end."""
    return spans[-1].text.startswith("\n") and spans[-2].op == "=" and bool(spans[-1].text.strip())

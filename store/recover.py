"""Find the JSON values in what an agent wrote: a stream of bytes -> values, and what was lost, piece by piece.

One reader for every shape: an object, an array of objects, JSON lines, any of them inside a code fence or after a
sentence, and any of them cut or broken in the middle. It holds one value at a time, so a hundred thousand lines cost
no more memory than one. Nothing is passed over in silence: each stretch of text becomes a ``Found``, a ``Lost``, or,
where it is obviously prose or a fence around values, a number in ``passed``.

``line`` numbers are unique and rise: a value on lines of its own has the number of its first line in the input; the
items of an array count on from the last number given, so that the items of a document that is one array are 1 to n.

A break in one item does not reach the next: a line that starts a new object ends whatever was left open before it
(proposals are flat, so no line inside one starts with a brace).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, NamedTuple

from store.characters import quoted
from store.decoding import NotDecoded, Partial, decode

MAX_LINE: Final = 32 * 1024 * 1024
"""Bytes of one line of input (a whole array may stand on one)."""
_MAX_LOOSE: Final = 200
_MAX_PASSED: Final = 1000

# Inside a sentence only what goes on like JSON starts a value.
_IN_PROSE: Final = re.compile(r'\{\s*+"|\[\s*+(?:\{|$)')
_NEXT: Final = re.compile(rf"{_IN_PROSE.pattern}|```")
_AT_START: Final = re.compile(r"\{|\[\s*+(?:$|[\]{\[\"0-9-]|(?:true|false|null|NaN|Infinity)\b)")
_FENCE: Final = re.compile(r"[ \t]*+(?:`{3,}|~{3,})[ \t]*+([A-Za-z0-9_+.-]*)[ \t]*+")
_JSON_FENCES: Final = frozenset(("", "json", "jsonl", "ndjson", "json5", "jsonc"))
_SPACE: Final = re.compile(r"[ \t\r\n]*+")
_JUNK_END: Final = re.compile(r"[\]{\n]|,(?=\s*+[{\[\"])")  # no possessive group: Python below 3.11.5 misreads those
_BULLET: Final = re.compile(r"[-*+•]|[0-9]{1,4}[.)]")
_ESCAPED: Final = re.compile("[\udc80-\udcff]")
_NAME_COLON: Final = re.compile(r"\"\s*+:")
_ITEM: Final = re.compile(r"[{\[\"0-9-]|(?:true|false|null|NaN|Infinity)\b")
_ENDS: Final = ".:!?;…。：！？；)）"
_LONG: Final = 16 * 1024
_FEW_WORDS: Final = 5


class Found(NamedTuple):
    """A decoded value. ``where`` (may be empty) tells its place in words; ``value`` may hold ``Bad`` parts."""

    line: int
    where: str
    value: Any


class Lost(NamedTuple):
    """A stretch of input that gave no value, and why, with its place, in words."""

    line: int
    reason: str


Piece = Found | Lost


def pieces(stream: IO[bytes], passed: list[int] | None = None) -> Iterator[Piece]:
    """Read a binary stream to its end. The numbers of lines of prose go to ``passed`` (at most a thousand)."""
    machine = _Machine([] if passed is None else passed)
    number, byte = 0, 0
    while raw := stream.readline(MAX_LINE + 1):
        number += 1
        if len(raw) > MAX_LINE:
            size = len(raw) + _skip_line(stream, raw)
            yield from machine.too_long(number, size)
            byte += size
            continue
        if number == 1 and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
            yield Lost(1, "this is UTF-16 (byte 0xff or 0xfe at byte offset 0); write it as UTF-8")
            return
        mark = 3 if number == 1 and raw[:3] == b"\xef\xbb\xbf" else 0
        yield from machine.line(number, byte + mark, _text(raw[mark:]))
        byte += len(raw)
    yield from machine.end()


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        # The bytes that are no UTF-8 stand in the text as surrogates until the value they belong to is known.
        return raw.decode("utf-8", "surrogateescape")


def _skip_line(stream: IO[bytes], raw: bytes) -> int:
    size = 0
    while raw and not raw.endswith(b"\n"):
        raw = stream.readline(MAX_LINE)
        size += len(raw)
    return size


class _Machine:
    """The reader, fed one line after the other; each call returns the pieces that became known by it."""

    def __init__(self, passed: list[int]) -> None:
        self._passed = passed
        self._out: list[Piece] = []
        self._last = 0
        self._open: Partial | None = None
        self._items: int | None = None  # how many items of the array we are in were met, None outside one
        self._fence: str | None = None
        self._loose: list[tuple[int, str]] = []
        self._before = ""
        self._values = False
        self._line = 0
        self._byte = 0
        self._counted = (0, 0)
        self._quick = True

    def line(self, number: int, byte: int, text: str) -> list[Piece]:
        """Take one line with its line end; ``byte`` is the offset of its first byte in the input."""
        self._line, self._byte, self._counted, self._quick = number, byte, (0, 0), True
        inside = self._open is not None or self._items is not None
        if inside and self._fence is not None and _FENCE.match(text):
            self._close("the fence around it ends first")
        if self._open is not None and text.lstrip(" \t").startswith("{") and self._starts_anew(self._open, text):
            self._give_up(self._open, "it is not closed before the next one starts")
        at = 0
        while at < len(text):
            if self._open is not None:
                at = self._go_on(self._open, text, at)
            elif self._items is not None:
                at = self._in_array(self._items, text, at)
            else:
                at = self._top(text, at)
        return self._taken()

    def too_long(self, number: int, size: int) -> list[Piece]:
        """Report a line that nobody reads into memory."""
        self._close("the next line is too long")
        self._lose(number, f"a line of {size:,} bytes; at most {MAX_LINE:,} are read")
        return self._taken()

    def end(self) -> list[Piece]:
        """Close: what is still open is lost, and what stood loose is judged."""
        self._close("the input ends inside it")
        self._judge("")
        return self._taken()

    def _taken(self) -> list[Piece]:
        out, self._out = self._out, []
        return out

    # One value

    def _value(self, text: str, at: int) -> int:
        """Decode at ``at``: a whole value on this line, else a partial one is opened. The place behind it."""
        try:
            value, end = decode(text, at) if self._quick else _not_tried()
        except NotDecoded:
            # A failure costs the decoder the whole line; where a long line breaks often, that would be its square.
            self._quick = len(text) < _LONG
            self._open = Partial(self._line, self._byte_at(text, at), sure=self._items is not None)
            return self._go_on(self._open, text, at)
        self._find(value, text[at:end], self._line, lambda: self._byte_at(text, at))
        return end

    def _go_on(self, partial: Partial, text: str, at: int) -> int:
        """Feed the partial value; the place behind its end on this line, or the line's end."""
        partial.last = self._line
        end = partial.read(text, at)
        if end is None and partial.is_no_object:
            self._open = None
            return self._loosely(text, at, at + 1)
        if end is None:
            return len(text)
        self._open = None
        whole = partial.text
        try:
            value, _ = decode(whole, 0)
        except NotDecoded as error:
            self._lose(partial.line, partial.damage or str(error), partial.last)
            return end
        if partial.damage:
            self._lose(partial.line, partial.damage, partial.last)
        else:
            self._find(value, whole, partial.line, lambda: partial.byte)
        return end

    def _starts_anew(self, partial: Partial, text: str) -> bool:
        """Whether a line that starts with a brace is a new object rather than a part of the open one."""
        if partial.damage or not (partial.wants_value or partial.in_string):
            return True
        try:
            value, end = decode(text, len(text) - len(text.lstrip(" \t")))
        except NotDecoded:
            return False
        return isinstance(value, dict) and text[end:].strip(" \t\r\n,]") == ""

    def _give_up(self, partial: Partial, why: str) -> None:
        self._open = None
        self._lose(partial.line, partial.damage or why, partial.last)

    def _close(self, why: str) -> None:
        """Lose what is open, and leave the array it stood in."""
        if self._open is not None:
            self._give_up(self._open, why)
        elif self._items is not None:
            done = self._items
            self._items += 1
            self._lose(self._line, f"{why}, behind item {done}; what should follow is missing")
        self._items = None

    def _byte_at(self, text: str, at: int) -> int:
        """The offset in the input of a place in the present line; places are asked for in rising order."""
        place, size = self._counted
        if at < place:
            place, size = 0, 0
        size += len(text[place:at].encode("utf-8", "surrogateescape"))
        self._counted = (at, size)
        return self._byte + size

    # Arrays

    def _in_array(self, items: int, text: str, at: int) -> int:
        at = _space(text, at)
        if at == len(text):
            return at
        if text[at] == "]":
            self._items = None
            return at + 1
        if text[at] == ",":
            return at + 1
        self._items = items + 1
        if _ITEM.match(text, at):
            return self._value(text, at)
        following = _JUNK_END.search(text, at + 1)
        end = following.start() if following else len(text)
        self._lose(self._line, f"not JSON: {_short(text[at:end])}")
        return end

    # Top level

    def _top(self, text: str, at: int) -> int:
        fence = _FENCE.match(text, at)
        if fence:
            self._judge("block")
            self._fence = fence[1].lower() if self._fence is None else None
            self._before = "block"
            return fence.end()
        at = _space(text, at)
        if at == len(text):
            return at
        start = _AT_START.match(text, at) or _IN_PROSE.search(text, at)
        if start is None or start.start() > at:
            return self._loosely(text, at, at)
        if text[at] == "{":
            return self._value(text, at)
        self._judge("block")
        self._before, self._items, self._values = "block", 0, True
        return at + 1

    def _loosely(self, text: str, at: int, after: int) -> int:
        """Put aside what stands outside values, up to the next value from ``after``; where that starts."""
        following = _NEXT.search(text, after)
        end = following.start() if following else len(text)
        said = text[at:end].strip(" \t\r\n,;\ufeff")
        if _BULLET.fullmatch(said):
            return end
        if said and self._loose and self._loose[-1][0] == self._line:
            said = f"{self._loose.pop()[1]} {said}"
        if said:
            self._loose.append((self._line, said if len(said) <= 400 else f"{said[:300]} {said[-99:]}"))
        if len(self._loose) > _MAX_LOOSE:
            self._judge("bare")
        return end

    def _judge(self, after: str) -> None:
        """Decide on the loose lines between two values: around JSON of many lines a sentence is prose, the rest lost.

        ``bare`` is a single object outside a fence. Between two of those stand only broken lines.
        """
        loose, self._loose = self._loose, []
        for number, said in loose:
            if self._is_passed(number, said, after):
                if len(self._passed) < _MAX_PASSED and number not in self._passed[-1:]:
                    self._passed.append(number)
            else:
                self._report(number, number, f"not JSON: {_short(said)}")

    def _is_passed(self, number: int, said: str, after: str) -> bool:
        if self._fence is not None:
            return self._fence not in _JSON_FENCES
        beside = {self._before, after}
        if beside == {"bare"} or not (self._values or after):
            return False
        if "bare" in beside:
            return _is_sentence(said) and (said[-1] in _ENDS or len(said.split()) > _FEW_WORDS or number == self._line)
        return _is_sentence(said)

    # Pieces

    def _find(self, value: Any, raw: str, line: int, byte: Callable[[], int]) -> None:
        self._before_top()
        wrong = None if raw.isascii() else _ESCAPED.search(raw)
        if wrong is None:
            number = self._number(line)
            self._out.append(Found(number, self._where(number, line, line), value))
            return
        offset = byte() + len(raw[: wrong.start()].encode("utf-8", "surrogateescape"))
        bad = ord(wrong.group()) - 0xDC00
        self._report(line, self._line, f"invalid UTF-8: byte 0x{bad:02x} at byte offset {offset:,}")

    def _lose(self, line: int, reason: str, last: int | None = None) -> None:
        self._before_top()
        self._report(line, last or line, reason)

    def _before_top(self) -> None:
        if self._items is None:
            kind = "bare" if self._fence is None else "block"
            self._judge(kind)
            self._before = kind
        self._values = True

    def _report(self, line: int, last: int, reason: str) -> None:
        number = self._number(line)
        where = self._where(number, line, last)
        self._out.append(Lost(number, f"{where}: {reason}" if where else reason))

    def _number(self, line: int) -> int:
        self._last = self._last + 1 if self._items is not None else max(line, self._last + 1)
        return self._last

    def _where(self, number: int, line: int, last: int) -> str:
        lines = f"line {line:,}" if line == last else f"lines {line:,} to {last:,}"
        if self._items is not None:
            return f"item {self._items:,} ({lines})"
        return "" if number == line == last else lines


def _not_tried() -> tuple[Any, int]:
    raise NotDecoded("not tried")


def _space(text: str, at: int) -> int:
    run = _SPACE.match(text, at)
    return run.end() if run else at


def _short(said: str) -> str:
    """Words of the input for a report; bytes that are no UTF-8 become the replacement character."""
    return quoted(_ESCAPED.sub("\ufffd", said.strip()))


def _is_sentence(said: str) -> bool:
    """Whether text looks like words for people (or a rule between paragraphs) rather than like broken JSON."""
    if said[0] in '{}[]",:' or _NAME_COLON.search(said) or _ESCAPED.search(said):
        return False
    if not any(char.isalpha() for char in said):
        return said.strip("-*_=#>`~. ") == ""
    return said[-1] in _ENDS or said[0] in "#-*>" or len(said.split()) > 1 or not said.isascii()

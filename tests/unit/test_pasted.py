"""What may enter a field: nothing that acts on a terminal or hides; what is legitimate stays."""

from __future__ import annotations

import pytest

from console.pasted import paintable, pasted


@pytest.mark.parametrize("point", [*range(0x20), *range(0x7F, 0xA0), 0x202E, 0x200B, 0x2028, 0xFEFF, 0xD800, 0xE0041])
def test_what_acts_or_hides_is_taken_out_and_counted(point: int) -> None:
    text = f"a{chr(point)}b"
    assert paintable(text) == ((text, 0) if point in (0x09, 0x0A) else ("ab", 1))


@pytest.mark.parametrize(
    "text", ["می\u200cخواهم", "👨\u200d👩\u200d👧", "葛\U000e0100城", "中文，很好。", "a\tb\nc", "❤\ufe0f"]
)
def test_what_is_legitimate_stays(text: str) -> None:
    assert paintable(text) == (text, 0)


def test_a_paste_keeps_its_lines_and_says_what_it_lost() -> None:
    assert pasted("one\r\ntwo\rthree\n") == ("one\ntwo\nthree\n", None)
    assert pasted("P\x9b31m\u202e") == ("P31m", "2 hidden characters were taken out of what was pasted")
    assert pasted("\x07") == ("", "1 hidden character was taken out of what was pasted")

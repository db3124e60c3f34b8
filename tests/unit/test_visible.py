"""``console.visible``: untrusted text is painted whole, inert, and never two texts alike (I20, cases V02 to V32)."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from console.visible import (
    LF_MARK,
    SPACE_MARK,
    TAB_MARK,
    TOKEN,
    Shown,
    hidden_count,
    leans,
    tokens,
    visible,
)
from console.wrap import cells, clusters

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
NASTY = [
    *"a ⟨⟩⇥⏎␣U+0041{}[]/\\\n\t\r\x1b\x9b\x00",
    "\u202e", "\u200b", "\u200c", "\u200d", "\u00ad", "\ufeff", "\ufe0f", "\ufe0e", "\U000e0041", "\U000e0100",
    "\u3164", "\u2800", "\u00a0", "\u3000", "\u2028", "\ud800", "\ue000", "\U0003fffe", "\u0301", "\u0338", "\u20e3",
    "中", "葛", "م", "क", "्", "👩", "👍", "🏽", "🇩", "🇪", "1", "\u1112", "\u1161", "\u11ab", "\u1160", ENGLAND,
    "⟨U+202E⟩", "⟨flag gbeng⟩", "\U0001f3f4",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(st.characters(codec=None, exclude_categories=())),
    st.lists(st.sampled_from(NASTY), max_size=12).map("".join),
)


def forbidden(char: str, *, lf: bool) -> bool:
    """What I20 says never stands in a shown text."""
    if char == "\n":
        return not lf
    category = unicodedata.category(char)
    return category in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or char in BIDI or 0xE0000 <= ord(char) <= 0xE0FFF


def told(shown: Shown) -> str:
    """The text that a multi-line shown text stands for: the way back, which is why no two texts look alike."""

    def back(match: re.Match[str]) -> str:
        if match[2]:
            return "".join(chr(0xE0000 + ord(letter)) for letter in match[2]) + "\U000e007f"
        return chr(int(match[1], 16))

    parts, at = [], 0
    for match in TOKEN.finditer(shown):
        parts += [shown[at : match.start()].replace(TAB_MARK, "\t"), back(match)]
        at = match.end()
    parts.append(shown[at:].replace(TAB_MARK, "\t"))
    return "".join(parts)


@given(TEXTS, st.booleans())
def test_I20_nothing_forbidden_is_left(text: str, multiline: bool) -> None:
    shown = visible(text, multiline=multiline)
    assert not [char for char in shown if forbidden(char, lf=multiline)]


@given(TEXTS)
@example("a" + "\u0301" * 7)
@example("\u3000\u3000用户")
def test_I20_equal_only_for_equal_texts(text: str) -> None:
    assert told(visible(text)) == text
    assert told(Shown(visible(text, multiline=False).replace(LF_MARK, "\n"))) == text


# The planes in which something is assigned one by one, of the others (ideographs, unassigned, private) a sample.
POINTS = [*range(0x20000), *range(0xE0000, 0xE1000), *range(0x20000, 0xE0000, 257), *range(0xE1000, 0x110000, 257)]


def test_I20_every_code_point_between_letters() -> None:
    for point in POINTS:
        text = f"a{chr(point)}b"
        shown = visible(text)
        assert told(shown) == text, hex(point)
        assert shown == text or not [c for c in shown if forbidden(c, lf=True)], hex(point)
        assert shown != text or point < 0x7F or not forbidden(chr(point), lf=True), hex(point)


def test_nothing_leans_on_a_token_a_space_or_a_line_end() -> None:
    for before in ("", " ", "\n", "\t", "\u202e", "⟨", ENGLAND, "\u3000", "\ud800"):
        for mark in ("\u0301", "\u20dd", "\u200d", "\ufe0f", "\U0001f3fd", "\u1161", "\u0e31"):
            assert visible(before + mark + "x").endswith(f"⟨U+{ord(mark):04X}⟩x"), (before, mark)


def test_the_token_bracket_and_the_marks_are_escaped() -> None:
    assert visible("⟨U+202E⟩") == "⟨U+27E8⟩U+202E⟩"
    assert visible("a\tb⇥") == "a⇥b⟨U+21E5⟩"
    assert visible("a\nb⏎", multiline=False) == "a⏎b⟨U+23CE⟩"
    assert visible(SPACE_MARK) == "⟨U+2423⟩"


def test_tokens_tell_where_they_stand() -> None:
    shown = visible("a\u202ebc" + ENGLAND)
    assert [shown[start:end] for start, end in tokens(shown)] == ["⟨U+202E⟩", "⟨flag gbeng⟩"]


@pytest.mark.parametrize(
    "text",
    [
        "\x1b]52;c;ZXZpbA==\x07",
        "\x1b]8;;http://evil.example/\x1b\\x",
        "\x1b]0;T\x07",
        "\x9b31m",
        "\x9d0;T\x9c",
        "\x9b2J\x1bc",
    ],
)
def test_V02_V03_V04_V06_escape_sequences_are_inert_and_seen(text: str) -> None:
    shown = visible(text, multiline=False)
    assert not re.search("[\x00-\x1f\x7f-\x9f]", shown)
    assert f"⟨U+{ord(text[0]):04X}⟩" in shown
    assert "".join(char for char in text if char.isprintable()) in TOKEN.sub("", shown)
    assert hidden_count(text) >= 1


@pytest.mark.parametrize("point", range(0xA0))
def test_V08_every_control_alone(point: int) -> None:
    shown = visible(f"x{chr(point)}y")
    if point == 0x0A:
        assert shown == "x\ny"
    elif point == 0x09:
        assert shown == "x⇥y"
    elif 0x20 <= point < 0x7F:
        assert shown == f"x{chr(point)}y"
    else:
        assert shown == f"x⟨U+{point:04X}⟩y"


def test_V10_a_lone_carriage_return_hides_nothing() -> None:
    assert visible("OK\rREJECTED", multiline=False) == "OK⟨U+000D⟩REJECTED"


@pytest.mark.parametrize("text", ["[@click=app.approve_all]x[/]", "[/nope]", "[bold", "[red]x[/blue]", r"\[x]"])
def test_V11_V12_markup_is_ordinary_text(text: str) -> None:
    assert visible(text) == text


def test_V15_a_right_to_left_override_is_a_token() -> None:
    assert visible("a\u202ecba") == "a⟨U+202E⟩cba"
    assert hidden_count("a\u202ecba") == 1


@pytest.mark.parametrize(
    "text",
    [
        "يفضل المستخدم القهوة الداكنة كل صباح",
        "بِسْمِ ٱللَّٰهِ",
        "המשתמש מעדיף קפה כהה בכל בוקר",
        "שָׁלוֹם עֲלֵיכֶם",
        "ผู้ใช้ชอบกาแฟคั่วเข้ม น้ำ",
        "सत्यमेव जयते",
        "ශ්\u200dරී ලංකා",
        "می\u200cخواهم",
        "한국어 텍스트 \u1112\u1161\u11ab",
        "がぎぐ　か\u3099",
        "Tiếng Việt có dấu, e\u0301e\u0300",
        "  用户　喜欢",
    ],
)
def test_V17_natural_writing_is_left_alone(text: str) -> None:
    assert visible(text) == text
    assert hidden_count(text) == 0


def test_V19_the_flag_of_england_is_told_without_raw_tags() -> None:
    assert visible(f"go {ENGLAND}!") == "go \U0001f3f4⟨flag gbeng⟩!"
    assert hidden_count(ENGLAND) == 0


def test_tags_that_are_no_flag_are_tokens() -> None:
    assert visible("x\U000e0041\U000e0042") == "x⟨U+E0041⟩⟨U+E0042⟩"
    assert hidden_count("x\U000e0041\U000e0042") == 2


def test_V21_a_payload_of_variation_selectors_is_counted() -> None:
    text = "😀" + "".join(chr(0xFE00 + n % 16) for n in range(40))
    assert hidden_count(text) == 40
    assert len(tokens(visible(text))) == 40
    assert visible("❤\ufe0f 1\ufe0f\u20e3") == "❤\ufe0f 1\ufe0f\u20e3"
    assert visible("a\ufe0f") == "a⟨U+FE0F⟩"


def test_a_variant_of_an_ideograph_is_honest_but_shown() -> None:
    assert visible("葛\U000e0100城") == "葛⟨U+E0100⟩城"
    assert hidden_count("葛\U000e0100城") == 0


@pytest.mark.parametrize("char", ["\u200b", "\u2060", "\u00ad", "\ufeff", "\u200d", "\u200c"])
def test_V23_what_hides_in_a_word_is_seen(char: str) -> None:
    assert visible(f"pass{char}word") == f"pass⟨U+{ord(char):04X}⟩word"
    assert hidden_count(f"pass{char}word") == 1


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("👨\u200d👩\u200d👧\u200d👦", 2),
        ("🧑🏽\u200d🚀", 2),
        ("❤\ufe0f\u200d🔥", 2),
        ("🇩🇪", 2),
        ("می\u200cخواهم", 7),
    ],
)
def test_V24_legitimate_joiners_stay(text: str, width: int) -> None:
    assert visible(text) == text
    assert hidden_count(text) == 0
    assert cells(visible(text)) == width == sum(one.cells for one in clusters(visible(text)))


@pytest.mark.parametrize("char", ["\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u00a0", "\u2003", "\u202f"])
def test_blank_letters_and_odd_spaces_are_seen(char: str) -> None:
    assert visible(f"a{char}b") == f"a⟨U+{ord(char):04X}⟩b"


def test_an_ideographic_space_is_itself_only_beside_its_script() -> None:
    assert visible("　　用户　喜欢") == "　　用户　喜欢"
    assert visible("a　　b") == "a⟨U+3000⟩⟨U+3000⟩b"


def test_more_marks_than_four_on_a_base_are_tokens() -> None:
    assert visible("z" + "\u0301" * 4) == "z" + "\u0301" * 4
    assert visible("z" + "\u0301" * 7) == "z" + "\u0301" * 4 + "⟨U+0301⟩" * 3
    assert visible("👍🏽🏽") == "👍🏽⟨U+1F3FD⟩"


def test_V31_an_imitation_of_our_frame_is_ordinary_text() -> None:
    assert visible("│ Status: APPROVED │") == "│ Status: APPROVED │"


def test_V32_blank_lines_stay_lines() -> None:
    assert visible("ok" + "\n" * 300 + "payload").count("\n") == 300


@pytest.mark.long
def test_what_is_kept_takes_a_cell_or_leans() -> None:
    from rich.cells import cell_len

    odd = [
        hex(point)
        for point in POINTS
        if point >= 0x20
        and visible(f"a{chr(point)}a") == f"a{chr(point)}a"
        and not leans(chr(point))
        and cell_len(chr(point)) < 1
    ]
    assert odd == []

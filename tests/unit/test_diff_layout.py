"""The rows of a difference: every character of both texts is in them, at every width, unified and side by side."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from console.diff_layout import (
    CONTEXT,
    GUTTER,
    Cell,
    Comparison,
    Layout,
    addition,
    column_widths,
    compare,
    layout,
    reading,
    removal,
)
from console.visible import LF_MARK, SPACE_MARK, WIDE_SPACE_TOKEN, visible
from console.wrap import cells

ALPHABET = [
    *"ab 用户喜欢。，（）,.\n\t-1　␣⏎", "👨\u200d👩\u200d👧", "🇩🇪", "e\u0301", "can't", "long-word ", "one two\n",
    "\u200b", "क्", "น้ำ", "❤\ufe0f", "한", "1,000", "   ", "z" + "\u0301" * 6, "三个用户，", "\n\n",
    "same words again ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(ALPHABET), max_size=40).map("".join)
PAIRS = st.one_of(
    st.tuples(TEXTS, TEXTS),
    # Mostly the same text, with something put in, taken out or replaced.
    st.tuples(TEXTS, TEXTS, TEXTS, TEXTS, TEXTS).map(lambda t: (t[0] + t[1] + t[2] + t[3], t[0] + t[4] + t[2] + t[1])),
    st.tuples(TEXTS, TEXTS, TEXTS).map(lambda t: (t[0] + t[1], t[0] + t[2] + t[1])),
)
EVERY = range(1000)


def texts(what: Layout, *, split: bool) -> tuple[str, str]:
    """Both texts as they are painted, without our brackets and without line ends."""
    old: list[str] = []
    new: list[str] = []
    for row in what.rows:
        assert not row.folded
        if split:
            old.append(of(row.left))
            new.append(of(row.right))
        else:
            assert row.left is not None
            old.append(of(row.left) if row.left.mark in "=-~" else "")
            new.append(of(row.left) if row.left.mark in "=+~" else "")
    return "".join(old), "".join(new)


def of(cell: Cell | None) -> str:
    return "" if cell is None else "".join(piece.text for piece in cell.pieces if piece.op != "[")


def bare(text: str) -> str:
    """A shown text, or what is painted of it, with our marks for blanks undone and line ends left out."""
    return text.replace(LF_MARK, "").replace("\n", "").replace(SPACE_MARK, " ").replace(WIDE_SPACE_TOKEN, "\u3000")


def painted(old: str, new: str, width: int, *, split: bool, brackets: bool = False) -> Layout:
    return layout(compare(visible(old), visible(new)), width, split=split, brackets=brackets, opened=EVERY)


@given(PAIRS, st.integers(20, 160), st.booleans(), st.booleans())
@example(("用户喜欢深烘焙咖啡，住在柏林。", "用户喜欢浅烘焙咖啡，住在慕尼黑。"), 20, False, False)
def test_every_character_of_both_texts_is_painted(
    pair: tuple[str, str], width: int, split: bool, brackets: bool
) -> None:
    what = painted(*pair, width, split=split, brackets=brackets)
    old, new = texts(what, split=split)
    assert bare(old) == bare(visible(pair[0]))
    assert bare(new) == bare(visible(pair[1]))


LONG_PAIRS = [
    (
        "请在部署前先检查设备清单，再执行 make deploy；测试库是 MySQL，不是 PostgreSQL。" * 6,
        "请在部署前先检查设备清单，再执行 make release；测试库是 PostgreSQL，不是 MySQL。" * 5 + "最后一行。",
    ),
    (
        "Family 👨\u200d👩\u200d👧 🇩🇪 trip e\u0301e\u0301 ok ✅ " * 12 + "z" + "\u0301" * 9,
        "Family 👨\u200d👩\u200d👧\u200d👦 🇫🇷 trip é ok ❌ " * 12 + "\u202eend",
    ),
    ("\n".join(f"line {n} of the text" for n in range(40)), "\n".join(f"line {n} of a text" for n in range(0, 40, 2))),
    (" ".join(f"word{n}" for n in range(300)), " ".join(f"word{n}" for n in range(0, 300, 3)) + "\n"),
]

USUAL_WIDTHS = (20, 21, 37, 38, 39, 40, 56, 60, 76, 78, 79, 80, 100, 120, 136, 140, 160)
"""Widths that every run looks at; all the others are for the long run."""


@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize(
    "width", [one if one in USUAL_WIDTHS else pytest.param(one, marks=pytest.mark.long) for one in range(20, 161)]
)
def test_every_character_is_painted_at_every_width(width: int, split: bool) -> None:
    for old, new in LONG_PAIRS:
        what = painted(old, new, width, split=split)
        assert tuple(map(bare, texts(what, split=split))) == (bare(visible(old)), bare(visible(new)))
        for text, make in ((old, removal), (new, addition), (new, reading)):
            rows = layout(make(visible(text)), width).rows
            assert bare("".join(of(row.left) for row in rows)) == bare(visible(text))


@given(PAIRS, st.integers(20, 160), st.booleans(), st.booleans())
def test_no_row_is_wider_than_its_column(pair: tuple[str, str], width: int, split: bool, brackets: bool) -> None:
    what = painted(*pair, width, split=split, brackets=brackets)
    left, right = column_widths(width) if split else (width, 0)
    for row in what.rows:
        for cell, room in ((row.left, left), (row.right, right)):
            if cell is not None:
                assert GUTTER + sum(cells(piece.text) for piece in cell.pieces) <= room


SMALL = st.lists(st.sampled_from([*"ab \n"]), max_size=7).map("".join)


def look(what: Comparison) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    rows = layout(what, 80, opened=EVERY).rows
    return [(row.left.mark, tuple(row.left.pieces)) for row in rows if row.left is not None]


@given(SMALL, SMALL, SMALL)
@example("a\nb", "a\n\nb", "a\nb")
@example("a", "a\n", "a")
@example("a\nb", "a\nb\n\n", "a\nb\n")
def test_two_differences_never_look_the_same(old: str, new: str, other: str) -> None:
    if new != other:
        shown = look(compare(visible(old), visible(new)))
        assert shown != look(compare(visible(old), visible(other)))
        assert look(compare(visible(new), visible(old))) != look(compare(visible(other), visible(old)))


@given(SMALL, SMALL)
def test_a_change_always_shows_as_one(old: str, new: str) -> None:
    what = layout(compare(visible(old), visible(new)), 80, opened=EVERY)
    assert bool(what.changes) == (old != new)


def unified(old: str, new: str, width: int = 60, *, brackets: bool = False) -> list[str]:
    what = layout(compare(visible(old), visible(new)), width, brackets=brackets)
    return [
        f"{row.folded} unchanged"
        if row.left is None
        else f"{row.left.mark} " + "".join(p.text for p in row.left.pieces)
        for row in what.rows
    ]


def test_the_change_of_the_mock() -> None:
    old = "Write reports in the active voice, in short sentences."
    new = "Write reports in the passive voice, in short sentences."
    assert unified(old, new) == [f"- {old}", f"+ {new}"]
    assert unified(old, new, 70, brackets=True) == [
        "- Write reports in the [-active-] voice, in short sentences.",
        "+ Write reports in the {+passive+} voice, in short sentences.",
    ]


def test_lines_added_between_and_at_the_end_are_rows_of_their_own() -> None:
    assert unified("a\nb\nc\n", "a\nx\nb\nc\n") == ["= a", "+ x", "= b", "= c⏎"]
    assert unified("a\nb", "a\nb\nx") == ["= a", "= b", "+ x"]
    assert unified("a\nb\n", "a\nb\nx\n") == ["= a", "= b", "+ x", "= ⏎"]
    assert unified("a\nb\nc", "a\nc") == ["= a", "- b", "= c"]


def test_a_difference_of_white_space_alone_is_seen() -> None:
    assert unified("a  b", "a b") == ["- a␣␣b", "+ a␣b"]
    assert unified("abc", "abc\n") == ["- abc", "+ abc⏎"]
    assert unified("one\ntwo", "one two") == ["- one⏎", "- two", "+ one␣two"]
    assert unified("a\tb", "a b") == ["- a⇥b", "+ a b"]
    assert unified("用户　喜欢", "用户喜欢") == ["- 用户⟨U+3000⟩喜欢", "+ 用户喜欢"]


def test_a_hidden_character_that_comes_or_goes_is_seen() -> None:
    assert unified("use uv here", "use u\u200bv here") == ["- use uv here", "+ use u⟨U+200B⟩v here"]


def test_two_changed_lines_stand_each_under_its_old_one() -> None:
    assert unified("foo a\nbar b\nbaz", "foo x\nbar y\nbaz") == ["- foo a", "+ foo x", "- bar b", "+ bar y", "= baz"]


def test_D033_one_word_in_two_thousand_shows_three_rows_of_context() -> None:
    words = [f"word{n}" for n in range(2000)]
    old, new = " ".join(words), " ".join([*words[:1000], "CHANGED", *words[1001:]])
    what = layout(compare(visible(old), visible(new)), 80)
    assert len(what.changes) == 1
    at = what.changes[0]
    marks = [row.left.mark if row.left else "fold" for row in what.rows]
    assert marks == ["fold", *"===", "-", "+", *"===", "fold"]
    assert at == 1 + CONTEXT
    removed = [piece.text for piece in what.rows[at].left.pieces if piece.op == "-"]  # type: ignore[union-attr]
    added = [piece.text for piece in what.rows[at + 1].left.pieces if piece.op == "+"]  # type: ignore[union-attr]
    assert (removed, added) == (["word1000"], ["CHANGED"])


def test_folds_tell_how_much_they_hold_and_open_one_by_one() -> None:
    old = "\n".join(f"line {n}" for n in range(60))
    new = old.replace("line 20\n", "line twenty\n").replace("line 40\n", "line forty\n")
    what = compare(visible(old), visible(new))
    closed = layout(what, 80)
    folds = [row for row in closed.rows if row.folded]
    assert [row.folded for row in folds] == [17, 13, 16]
    opened = layout(what, 80, opened=[folds[1].stretch])
    assert [row.folded for row in opened.rows if row.folded] == [17, 16]
    assert len(opened.rows) == len(closed.rows) + 12
    assert sum(row.folded or 1 for row in closed.rows) == len(layout(what, 80, opened=EVERY).rows)


@given(PAIRS, st.integers(20, 160), st.booleans())
def test_places_rise_so_that_a_new_layout_finds_them(pair: tuple[str, str], width: int, split: bool) -> None:
    what = painted(*pair, width, split=split)
    assert all(a.at <= b.at for a, b in pairwise(what.rows))
    assert all(what.rows[at].stretch < 0 for at in what.changes)


def test_V32_blank_lines_are_rows_with_a_gutter() -> None:
    what = layout(addition(visible("ok" + "\n" * 300 + "payload")), 80)
    assert len(what.rows) == 301
    assert all(row.left is not None and row.left.mark == "+" for row in what.rows)


def test_V31_an_imitation_of_our_frame_stands_behind_the_gutter() -> None:
    what = layout(reading(visible("│ Status: APPROVED │\n = ok")), 40)
    assert [row.left.mark for row in what.rows if row.left] == ["|", "|"]


@pytest.mark.parametrize("split", [False, True])
def test_V33_texts_at_the_cap_are_laid_out_whole(split: bool) -> None:
    for old, new in (
        ("a" * 16384, "a" * 16000 + "b"),
        ("用户" * 2700, "用户" * 1300 + "喜欢" * 1300),
        ("x\n" * 8192, "x\n" * 4000 + "y\n" * 4000),
        ("word " * 3000, "drow " * 3000),
    ):
        assert tuple(map(bare, texts(painted(old, new, 80, split=split), split=split))) == (bare(old), bare(new))

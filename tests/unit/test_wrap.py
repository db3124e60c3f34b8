"""``console.wrap``: rows by terminal cells; nothing lost, nothing cut in two."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from console.visible import Shown, visible
from console.wrap import NO_END, NO_START, _quick_clusters, cells, clusters, cut, wrap

ALPHABET = [
    *"ab 用户喜欢。，（）「」,.\n\t-1", "👨\u200d👩\u200d👧", "🇩🇪", "e\u0301", "can't", "pneumonoultramicroscopic",
    "\u200b", "\u202e", "क्", "น้ำ", "❤\ufe0f", "한", "می\u200cخواهم", "1\ufe0f\u20e3", "   ", "word ", "ab/cd/ef",
    "z" + "\u0301" * 6, "🧑🏽\u200d🚀", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
]  # fmt: skip
SHOWN = st.one_of(st.text(), st.lists(st.sampled_from(ALPHABET), max_size=60).map("".join)).map(visible)


def rows(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in wrap(text, width)]


@given(SHOWN, st.integers(2, 60))
@example(visible("文" * 40), 21)
@example(visible("a" * 19 + " 。"), 20)
def test_every_character_stands_in_a_row_and_no_row_is_too_wide(text: Shown, width: int) -> None:
    found = wrap(text, width)
    at = 0
    for start, end in found:
        assert text[at:start] in ("", "\n")
        at = end
        assert cells(text[start:end]) <= width
    assert text[at:] in ("", "\n")


@given(SHOWN, st.integers(12, 60))
def test_no_cluster_is_cut(text: Shown, width: int) -> None:
    edges = {edge for row in wrap(text, width) for edge in row}
    inside = {at for cluster in clusters(text) for at in range(cluster.start + 1, cluster.end)}
    assert not edges & inside


@given(SHOWN)
def test_clusters_cover_the_text_and_their_widths_add_up(text: Shown) -> None:
    found = list(clusters(text))
    assert "".join(text[c.start : c.end] for c in found) == text
    for line in text.split("\n"):
        assert sum(c.cells for c in clusters(line)) == cell_len(line)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("👨\u200d👩\u200d👧", 1),
        ("🇩🇪🇫🇷", 2),
        ("e\u0301x", 2),
        ("❤\ufe0f\u200d🔥", 1),
        ("👍🏽", 1),
        ("⟨U+202E⟩", 1),
        ("1\ufe0f\u20e3", 1),
        ("ශ්\u200dරී", 1),
    ],
)
def test_a_cluster_is_what_a_reader_takes_for_one_character(text: str, expected: int) -> None:
    assert len(list(clusters(text))) == expected


def test_words_stay_whole() -> None:
    assert rows("Write reports in the passive voice", 16) == ["Write reports ", "in the passive ", "voice"]


def test_a_space_that_has_no_room_takes_its_word_along() -> None:
    assert rows("abc defg hij", 8) == ["abc ", "defg hij"]
    assert rows("abcdefgh ij", 8) == ["abcdefgh", " ij"]


def test_chinese_breaks_between_characters_but_not_before_closing_punctuation() -> None:
    assert rows("用户喜欢深烘焙咖啡，住在柏林。", 18) == ["用户喜欢深烘焙咖", "啡，住在柏林。"]
    assert rows("请先阅读（见下文）再做", 10) == ["请先阅读", "（见下文）", "再做"]


def test_a_line_of_punctuation_alone_is_still_broken() -> None:
    assert rows("。" * 7, 6) == ["。。。", "。。。", "。"]


@given(st.lists(st.sampled_from([*"用户喜欢深烘焙咖啡、。，（）「」：；"]), min_size=8, max_size=60).map("".join))
def test_punctuation_stands_where_it_may(text: str) -> None:
    found = rows(text, 20)
    for above, below in itertools.pairwise(found):
        pairs = list(zip(above, above[1:] + below[0], strict=True))
        could = any(a not in NO_END and b not in NO_START for a, b in pairs)
        if could:
            assert below[0] not in NO_START
            assert above[-1] not in NO_END


def test_a_word_longer_than_the_line_is_broken_where_the_line_ends() -> None:
    assert rows("see " + "x" * 20, 10) == ["see xxxxxx", "xxxxxxxxxx", "xxxx"]


def test_a_token_is_broken_only_where_no_row_could_hold_it() -> None:
    assert rows(visible("ab\u202ecd"), 9) == ["ab", "⟨U+202E⟩", "cd"]
    assert "".join(rows(visible("ab\u202ecd"), 5)) == visible("ab\u202ecd")


def test_lines_end_at_line_feeds() -> None:
    assert rows("a\n\nb", 10) == ["a", "", "b"]
    assert rows("a\n", 10) == ["a"]
    assert rows("", 10) == []


@given(SHOWN, st.integers(0, 30))
def test_cutting_keeps_to_the_width_and_says_so(text: Shown, width: int) -> None:
    line = text.replace("\n", " ")
    short = cut(line, width)
    assert cells(short) <= width
    if cells(line) <= width:
        assert short == line
    elif width:
        assert short.endswith("…")
        assert line.startswith(short[:-1])


def test_no_half_of_a_wide_character_is_left() -> None:
    assert cut("用户喜欢", 6) == "用户…"
    assert cut("👨\u200d👩\u200d👧👨\u200d👩\u200d👧", 3) == "👨\u200d👩\u200d👧…"


@pytest.mark.parametrize("text", ["a" * 16384, " " * 16384, "。" * 5461, "a" + "\u0301" * 8000, "文 " * 4000])
def test_V33_a_line_at_the_cap_is_wrapped_whole(text: str) -> None:
    assert "".join(rows(text, 40)) == text


@pytest.mark.parametrize(
    "text",
    [
        "部署前检查、设备。（清单）",
        "字\u0301字字\u0301",
        "a\u200d字字字",
        "がは\u3099ハ\u309a한국",
        "字\u200d字字👩🇨🇳字字",
        "ab字c字字",
    ],
)
def test_runs_of_wide_characters_are_clustered_as_one_by_one(text: str) -> None:
    assert list(_quick_clusters(text, 0, len(text))) == list(clusters(text))

"""``store.prose_diff``: both sides always rebuild, and the pieces are what a reader would name."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.prose_diff import Span, _near, diff, pieces

ALPHABET = [
    *"ab 用户喜欢。,\n\t.-'1",
    "👨‍👩‍👧",
    "🇩🇪",
    "e\u0301",
    "can't",
    "1,000",
    "\u200b",
    "क्",
    "⟨U+202E⟩",
    "❤️",
    "word ",
]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(ALPHABET), max_size=40).map("".join))


def marked(old: str, new: str) -> str:
    """The comparison in one line, as ``git diff --word-diff`` writes it."""
    forms = {"=": "{}", "-": "[-{}-]", "+": "{{+{}+}}"}
    return "".join(forms[op].format(text) for op, text in diff(old, new))


def sides(spans: list[Span]) -> tuple[str, str]:
    return "".join(t for op, t in spans if op != "+"), "".join(t for op, t in spans if op != "-")


@given(TEXTS, TEXTS)
def test_both_sides_rebuild(old: str, new: str) -> None:
    spans = diff(old, new)
    assert sides(spans) == (old, new)
    assert all(span.text for span in spans)
    assert all(a.op != b.op and (a.op, b.op) != ("+", "-") for a, b in itertools.pairwise(spans))


@given(TEXTS)
def test_pieces_join_to_the_text_and_never_begin_with_a_mark(text: str) -> None:
    found = pieces(text)
    assert "".join(found) == text
    assert all(found)


@given(TEXTS)
def test_equal_texts_have_one_span(text: str) -> None:
    assert diff(text, text) == ([Span("=", text)] if text else [])


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "Write reports in the active voice, in short sentences.",
            "Write reports in the passive voice, in short sentences.",
            "Write reports in the [-active-]{+passive+} voice, in short sentences.",
        ),
        (
            "用户喜欢深烘焙咖啡，住在柏林，每天早上七点起床。",
            "用户喜欢浅烘焙咖啡，已搬到慕尼黑，每天早上八点起床。",
            "用户喜欢[-深-]{+浅+}烘焙咖啡，[-住在柏林-]{+已搬到慕尼黑+}，每天早上[-七-]{+八+}点起床。",
        ),
        ("budget is 1,000 EUR", "budget is 10,000 EUR", "budget is [-1,000-]{+10,000+} EUR"),
        ("用户 prefers Python 3.11", "用户 prefers Python 3.12", "用户 prefers Python [-3.11-]{+3.12+}"),
        ("listens on localhost:8080", "listens on localhost:8081", "listens on localhost:[-8080-]{+8081+}"),
        ("see src/app/main.py:12", "see src/app/server.py:12", "see src/app/[-main.py-]{+server.py+}:12"),
        ("don't deploy on Friday", "do deploy on Friday", "[-don't-]{+do+} deploy on Friday"),
        ("trip 👨‍👩‍👧‍👦 🇩🇪 ok", "trip 👨‍👩‍👧 🇫🇷 ok", "trip [-👨‍👩‍👧‍👦 🇩🇪-]{+👨‍👩‍👧 🇫🇷+} ok"),
        ("सत्यमेव जयते है", "सत्यमेव जीत है", "सत्यमेव [-जयते-]{+जीत+} है"),
        ("a  b", "a b", "a[-  -]{+ +}b"),
        ("abc", "abc\n", "abc{+\n+}"),
        ("a\nb\n", "a\nx\nb\n", "a\n{+x\n+}b\n"),
        ("use uv here", "use uv⟨U+200B⟩ here", "use uv{+⟨U+200B⟩+} here"),
    ],
)
def test_the_pieces_are_what_a_reader_would_name(old: str, new: str, expected: str) -> None:
    assert marked(old, new) == expected


def test_nothing_in_common_gives_two_blocks() -> None:
    assert marked("Alpha beta gamma", "完全不同的一句话") == "[-Alpha beta gamma-]{+完全不同的一句话+}"
    old, new = "Deploy on Monday after the tests pass", "Whenever two reviewers said yes, deploy"
    assert marked(old, new) == f"[-{old}-]{{+{new}+}}"


def test_small_islands_do_not_shatter_a_rewritten_clause() -> None:
    old = "We build images with plain docker files, kept in the deploy folder, and push them by hand to the registry."
    new = "We build images with one nix flake beside the code, and push them by hand to the registry."
    ops = [span.op for span in diff(old, new)]
    assert ops.count("-") == 1
    assert ops.count("+") == 1


def test_islands_never_swallow_a_line_that_stays() -> None:
    old = "Same first line of all.\none two three\nkeep\nfour five six\nSame last line of all."
    new = "Same first line of all.\nuno dos tres\nkeep\ncuatro cinco seis\nSame last line of all."
    assert Span("=", "\nkeep\n") in diff(old, new)


@pytest.mark.parametrize("seed", range(200))
def test_the_nearest_edit_keeps_as_much_as_can_be_kept(seed: int) -> None:
    pick = random.Random(seed)
    left, right = pick.choices("abc", k=pick.randint(0, 14)), pick.choices("abc", k=pick.randint(0, 14))
    pairs = _near(left, right)
    assert pairs is not None
    assert all(left[i] == right[j] for i, j in pairs)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(pairs))
    assert len(pairs) == _longest_common(left, right)


def _longest_common(left: list[str], right: list[str]) -> int:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def test_D033_one_word_in_two_thousand_is_one_word() -> None:
    words = [f"word{n % 97}" for n in range(2000)]
    changed = [*words[:1000], "CHANGED", *words[1001:]]
    spans = diff(" ".join(words), " ".join(changed))
    assert [(span.op, span.text) for span in spans if span.op != "="] == [("-", words[1000]), ("+", "CHANGED")]


def test_a_word_is_never_matched_across_lines_that_stay() -> None:
    lines = [f"line {n}" for n in range(300)]
    spans = diff("\n".join(lines), "\n".join("LINE" if n in (50, 150) else line for n, line in enumerate(lines)))
    assert [span.text for span in spans if span.op != "="] == ["line 50", "LINE", "line 150", "LINE"]


def test_few_changes_far_apart_in_a_repetitive_text_are_found_one_by_one() -> None:
    words = [f"word{n % 97}" for n in range(2000)]
    changed = list(words)
    for at in (3, 900, 1500):
        changed[at] = "X"
    spans = diff(" ".join(words), " ".join(changed))
    assert [span.text for span in spans if span.op == "+"] == ["X", "X", "X"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a" * 16384, "b" * 16384),
        ("a b " * 4096, "b a " * 4096),
        (".," * 8000, ",." * 8000),
        (" " * 16384, "\n" * 16384),
        ("用户喜欢咖啡" * 900, "咖啡喜欢用户" * 900),
        (" ".join(map(str, range(3000))), " ".join(map(str, range(3000, 0, -1)))),
    ],
)
def test_texts_at_the_cap_that_share_little_are_bounded(old: str, new: str) -> None:
    assert sides(diff(old, new)) == (old, new)

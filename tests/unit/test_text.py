"""Folding and grams: what meets, what is kept apart, and that no query raises."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.entry import Entry
from store.text import LONGEST_WORD, MOST_GRAMS, document, entry_grams, fold, grams, scope_gram, terms

GRAM = re.compile(r"\w+")


def meets(query: str, said: str) -> bool:
    """Whether an index of grams would find ``said`` by ``query``, by the meaning of ``terms``."""
    held = grams(said)

    def there(asked: str) -> bool:
        if asked.endswith("*"):
            return any(gram.startswith(asked[:-1]) for gram in held)
        return asked in held

    return all(there(asked) for part in terms(query) for asked in part)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_composed_and_decomposed_meet(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe\u0301"),
        ("ZÜRICH", "zürich"),
        ("ＡＰＩ", "api"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("ｶﾞ", "ガ"),
        ("STRASSE", "straße"),
        ("pass\u200bword", "password"),
        ("so\u00adft", "soft"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_D087_spellings_of_one_word_meet(one: str, other: str) -> None:
    assert fold(one) == fold(other)
    assert meets(one, other)
    assert meets(other, one)


def test_diacritics_are_kept() -> None:
    assert fold("é") != fold("e")
    assert not meets("resume", "résumé")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("设备", "部署前检查设备清单"),
        ("部署", "部署前检查设备清单"),
        ("清单", "部署前检查设备清单"),
        ("设备清单", "部署前检查设备清单"),
        ("单", "部署前检查设备清单"),
        ("备", "部署前检查设备清单"),
        ("しりとり", "今日は成語しりとりをした"),
        ("끝말잇기", "오늘 끝말잇기 게임"),
        ("pnpm", "用pnpm"),
        ("用pnpm", "用 pnpm 装依赖"),
        ("ORM", "禁用ORM"),
        ("เทส", "รันเทสก่อน"),
    ],
)
def test_D084_scripts_without_spaces_are_found(query: str, said: str) -> None:
    assert meets(query, said)


def test_D084_other_words_are_not_found() -> None:
    assert not meets("备设", "部署前检查设备清单")
    assert not meets("服务器", "部署前检查设备清单")


@pytest.mark.parametrize(
    ("query", "said", "not_in"),
    [
        ("pre-edit", "run the pre-edit hook", "pre edit"),
        ("TODO: fix", "TODO: fix the parser", "todo fix"),
        ("don't", "don't push", "don t push"),
        ("src/app.py", "see src/app.py:18", "src app py"),
        ("C++", "C++ is built with cmake", "C is built with cmake"),
        ("*", "globs use *", "globs use stars"),
        ("a AND", "a and b", "a or b"),
        ('"', 'say "yes"', "say yes"),
        ("foo(bar", "call foo(bar)", "call foo with bar"),
        ("^x", "match ^x first", "match x first"),
        ("NEAR(a b", "NEAR(a b)", "near a b"),
        ("🚀", "ship it 🚀", "ship it"),
        ("snake_case", "use snake_case", "use snake case"),
        ("100%", "100% of it", "100 of it"),
        ("--force", "never --force", "never force"),
    ],
)
def test_D086_punctuation_is_literal(query: str, said: str, not_in: str) -> None:
    assert meets(query, said)
    assert not meets(query, not_in)


@pytest.mark.parametrize("query", ["", " ", "\n\t　", "\u200b", "\ufe0f"])
def test_D086_a_query_of_nothing_asks_for_nothing(query: str) -> None:
    assert terms(query) == []
    assert grams(query) == []


def test_the_last_word_of_a_piece_is_a_beginning() -> None:
    assert terms("Deploy now") == [["deploy*"], ["now*"]]
    assert meets("deplo", "deploy the service")
    assert not meets("eploy", "deploy the service")


def test_unsafe_characters_are_spelled_out() -> None:
    assert grams("C++") == ["c", "_2b_", "c_2b_", "_2b__2b_"]
    assert grams("a_b") == ["a", "_5f_", "b", "a_5f_", "_5f_b"]
    assert terms("_2b_") != terms("+")
    assert not meets("+", "_2b_")


def test_a_very_long_word_is_cut_and_still_found() -> None:
    word = "x9" * 5000
    assert max(map(len, grams(word))) <= LONGEST_WORD
    assert meets(word, f"the token {word} leaked")
    assert sum(map(len, terms(" ".join(f"w{n}" for n in range(5000))))) == MOST_GRAMS


@given(st.text(), st.text())
def test_terms_never_raise_and_a_text_is_found_by_itself(text: str, query: str) -> None:
    assert all(part and all(GRAM.fullmatch(gram.rstrip("*")) for gram in part) for part in terms(query))
    assert meets(text, text)
    assert meets(text, f"before {text} after")


@given(st.text())
def test_every_gram_is_letters_digits_and_underscores_that_all_engines_know(text: str) -> None:
    for gram in grams(text):
        assert GRAM.fullmatch(gram)
        assert gram == gram.lower()
        assert all(unicodedata.ucd_3_2_0.category(char)[0] in "LN" or char == "_" for char in gram)
        assert len(gram.encode()) < 2046  # the longest lexeme PostgreSQL takes


def test_a_document_is_found_by_key_aliases_content_and_paths() -> None:
    entry = Entry(
        scope="shop", content="Run it twice", key="style.report_voice", aliases=("k8s", "部署"), paths=("src/app.py",)
    )
    said = document(entry)
    for query in ("style.report_voice", "voice", "k8s", "部署", "twice", "src/app.py", "app.py"):
        assert meets(query, said), query
    assert entry_grams(entry).split(" ") == [scope_gram("shop"), *grams(said)]


@given(st.text(min_size=1), st.text(min_size=1))
def test_the_gram_of_a_scope_is_in_no_text(scope: str, text: str) -> None:
    assert scope_gram(scope) not in grams(text)
    assert (scope_gram(scope) == scope_gram(text)) == (scope == text)
    assert " " not in scope_gram(scope)

"""The filter language: what is understood, what is said where it is not, and that nothing typed ever raises."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.filters import FIELDS, Filter, Term, parse


def only(text: str) -> Term:
    flt = parse(text)
    assert flt.errors == ()
    assert len(flt.terms) == 1, flt.terms
    return flt.terms[0]


def test_every_field_of_the_design_is_understood() -> None:
    flt = parse(
        "conf<0.6 agent:codex kind:preference flag:conflict scope:shop session:7f3a source:manual op:update "
        'age>30d changed:3d auto:sure pinned:yes contains:re-tri like:"how to deploy" text'
    )
    assert flt.errors == ()
    assert flt.terms == (
        Term("conf", "<", 0.6),
        Term("agent", "=", "codex"),
        Term("kind", "=", "preference"),
        Term("flag", "=", "conflict"),
        Term("scope", "=", "shop"),
        Term("session", "=", "7f3a"),
        Term("source", "=", "manual"),
        Term("op", "=", "update"),
        Term("age", ">", timedelta(days=30)),
        Term("changed", "<=", timedelta(days=3)),
        Term("auto", "=", "sure"),
        Term("pinned", "=", "yes"),
        Term("contains", "=", "re-tri"),
        Term("like", "=", "how to deploy"),
        Term("text", "=", "text"),
    )
    assert {term.field for term in flt.terms} == {*FIELDS, "text"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("agent：codex", Term("agent", "=", "codex")),
        ("ａｇｅｎｔ：codex", Term("agent", "=", "codex")),
        ("conf＜0.6", Term("conf", "<", 0.6)),
        ("conf＞＝0.6", Term("conf", ">=", 0.6)),
        ("conf≤０．６", Term("conf", "<=", 0.6)),
        ("age＞30d", Term("age", ">", timedelta(days=30))),
        ("kind：ｐｒｅｆ", Term("kind", "=", "preference")),
        ("AGENT:Codex", Term("agent", "=", "Codex")),
    ],
)
def test_full_width_signs_and_letters_are_as_good(typed: str, meant: Term) -> None:
    assert only(typed) == meant


def test_a_full_width_space_parts_terms() -> None:
    assert [term.field for term in parse("agent:codex　部署").terms] == ["agent", "text"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("conf<0.6", Term("conf", "<", 0.6)),
        ("conf<=0.6", Term("conf", "<=", 0.6)),
        ("conf:1", Term("conf", "=", 1.0)),
        ("conf=.5", Term("conf", "=", 0.5)),
        ("conf:unknown", Term("conf", "=", None)),
        ("agent:unknown", Term("agent", "=", None)),
        ("session:unknown", Term("session", "=", None)),
        ("source:unknown", Term("source", "=", "unknown")),
        ("scope:unknown", Term("scope", "=", "unknown")),
        ("kind:case", Term("kind", "=", "experience")),
        ("kind:pref", Term("kind", "=", "preference")),
        ("source:user-feedback", Term("source", "=", "user_feedback")),
        ("flag:stale-base", Term("flag", "=", "stale_base")),
        ("flag:none", Term("flag", "=", None)),
        ("flag:any", Term("flag", "=", "any")),
        ("op:~", Term("op", "=", "update")),
        ("op:+", Term("op", "=", "add")),
        ("op:-", Term("op", "=", "remove")),
        ("age<2h", Term("age", "<", timedelta(hours=2))),
        ("age>1.5w", Term("age", ">", timedelta(days=10.5))),
        ("age>2", Term("age", ">", timedelta(days=2))),
        ("changed>1y", Term("changed", ">", timedelta(days=365))),
        ('agent:"claude code"', Term("agent", "=", "claude code")),
        ("agent:“claude code”", Term("agent", "=", "claude code")),
        ('"two words"', Term("text", "=", "two words")),
        ('"agent:codex"', Term("text", "=", "agent:codex")),
    ],
)
def test_values(typed: str, meant: Term) -> None:
    assert only(typed) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "%",
        "_",
        "50%_off",
        '"',
        '"unbalanced',
        'un"quoted',
        "NEAR(",
        "*",
        "don't",
        "C++",
        "src/app.py",
        "src/app.py:186",
        "TODO:",
        "http://localhost:8000",
        "std::vector",
        "c:\\tools",
        "12:30",
        "x<3",
        "a->b",
        "🚀",
        "';DROP",
        "-agent",
    ],
)
def test_V45_text_is_literal(typed: str) -> None:
    assert only(typed) == Term("text", "=", typed)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("colour:red", 'There is no field "colour": put the text in quotes'),
        ("conf<2", "0 to 1"),
        ("conf<nan", "0 to 1"),
        ("conf<abc", "0 to 1"),
        ("conf>unknown", "conf knows no >"),
        ("agent:", "agent needs a value, as in agent:codex"),
        ("conf<", "conf needs a value"),
        ("agent<codex", "agent knows no <"),
        ("kind:zz", "It is one of fact, preference"),
        ("kind:f", "It is one of"),
        ("flag:nonsense", "It is one of conflict"),
        ("op:replace", "It is one of add, update, remove"),
        ("source:gossip", "It is one of user_feedback"),
        ("age:30d", "age needs < or >"),
        ("age>soon", "a number of days such as age>30d"),
        ("age>99999y", "too far"),
        ("x" * 401, "too long"),
        ("nul\x00inside", "no text can hold"),
        ("agent:\ud800", "no text can hold"),
    ],
)
def test_what_cannot_be_meant_is_said_in_words(typed: str, said: str) -> None:
    flt = parse(f"fine {typed} kept")
    assert len(flt.errors) == 1
    assert said in flt.errors[0]
    assert flt.texts == ("fine", "kept")


def test_nothing_typed_lets_everything_pass() -> None:
    assert parse("").empty
    assert parse(" \t　\n").empty
    assert parse('""').terms == (Term("text", "=", '""'),)
    assert Filter().empty


_pieces = st.one_of(st.sampled_from(["0.5", "30d", "unknown", *FIELDS]), st.sampled_from(':：<＜>=≤"“” 　-é\ud800'))


@given(st.one_of(st.text(), st.lists(_pieces).map("".join)))
def test_nothing_typed_raises(typed: str) -> None:
    flt = parse(typed)
    assert flt.given == typed
    assert flt.terms or flt.errors or not typed.strip()
    assert all(isinstance(error, str) and error for error in flt.errors)

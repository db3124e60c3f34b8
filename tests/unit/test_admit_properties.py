"""I19: for all bytes, proposals or named refusals and never another exception; admit(canonical(p)) == p."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from store.admit import Raw, admit, admit_values, canonical
from store.entry import KINDS, OPS, SOURCES
from store.raw import FIELDS
from store.redact import redact

LONE = st.characters(categories=("Cs", "Cc", "Cf", "Co"))
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.text(LONE, max_size=2)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from((*FIELDS, "id", "status", "evil"))
objects = st.dictionaries(names, json_values, max_size=6)
texts = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028"), min_size=1, max_size=30)
keys = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,20}", fullmatch=True)
moments = st.datetimes().map(lambda moment: moment.isoformat() + "+02:00")
sayings = st.fixed_dictionaries(
    {"content": texts},
    optional={
        "op": st.sampled_from(OPS),
        "kind": st.sampled_from((*KINDS, "case")),
        "key": keys,
        "aliases": st.lists(texts, max_size=3) | st.lists(texts, max_size=3).map(json.dumps),
        "paths": st.lists(texts, max_size=3),
        "scope": texts,
        "source": st.sampled_from(SOURCES),
        "source_agent": texts,
        "session_id": texts,
        "source_ref": texts,
        "evidence": texts,
        "confidence": st.floats(0, 1) | st.floats(0, 1).map(repr) | st.sampled_from((0, 1, -0.0)),
        "valid_until": moments,
        "target": texts,
        "idempotency_key": texts,
    },
)


def _answers(data: bytes) -> list[Raw]:
    made = admit(data)
    lines = [raw.line for raw in made.proposals] + [refusal.line for refusal in made.refusals]
    assert len(lines) == len(set(lines))
    for refusal in made.refusals:
        assert refusal.status == "refused"
        assert refusal.reason
        refusal.reason.encode("utf-8")
        assert refusal.reason.isprintable()
    for raw in made.proposals:
        again = admit(canonical(raw).encode("utf-8"))
        assert again.refusals == []
        assert again.proposals == [replace(raw, line=1)]
        assert redact(redact(raw)) == redact(raw)
    return made.proposals


@given(st.binary(max_size=400))
@example(b"\xff\xfe{")
@example(b'{"content":"x","confidence":-0.0}')
@example(b'{"content":"x","valid_until":"2000-01-01T00:00:00+14:00"}')
@example(b'{"content":"x","aliases":"[NaN]"}')
@example(b'{"content":"x","aliases":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"}')
def test_i19_all_bytes(data: bytes) -> None:
    _answers(data)


@given(st.lists(objects, max_size=4), st.sampled_from(("\n", None)))
def test_i19_all_json(values: list[dict[str, Any]], separator: str | None) -> None:
    if separator is None:
        _answers(json.dumps(values).encode())
    else:
        _answers(separator.join(json.dumps(value) for value in values).encode())


@given(st.lists(sayings, min_size=1, max_size=3))
def test_i19_what_is_admitted_is_admitted_again(values: list[dict[str, Any]]) -> None:
    _answers(json.dumps(values, ensure_ascii=False).encode("utf-8"))


@given(st.lists(sayings, min_size=1, max_size=3), st.data())
def test_i19_cut_anywhere(values: list[dict[str, Any]], data: st.DataObject) -> None:
    text = json.dumps(values, ensure_ascii=False).encode("utf-8")
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    made = admit(cut)
    assert not cut.strip(b"[") or made.refusals


@given(json_values)
def test_i19_every_door(value: object) -> None:
    list(
        admit_values(
            [value, {"content": value}, {"content": "x", "aliases": value}, {"content": "x", "confidence": value}]
        )
    )

"""One entry put into a settings file, or taken out: every other byte stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.agents.json_edit import NotThere, append, drop, drop_items, put
from store.agents.json_text import COMMENTS, LOOSE, STRICT, NotJson, read

COMMENTED = """{
    // my theme
    "ui": {"theme": "GitHub"},
    "mcpServers": {
        "other": { "command": "x", "args": ["a","b"] }, // keep
    },
}
"""
ENTRY = {"command": "m", "args": ["mcp"]}
AT = ("mcpServers", "meminbox")


def test_an_entry_goes_behind_the_others_in_their_style() -> None:
    made = put(COMMENTED, AT, "m")
    assert made == COMMENTED.replace("// keep\n", '// keep\n        "meminbox": "m",\n')
    assert drop(made, AT) == COMMENTED


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{}\n",
        '{"a":1}',
        '{"a": [1, 2]}\n',
        '{\n\t"a": {"b": 1}\n}',
        '{\n  "a": 1 // x\n}\n',
        '{\n  "a": 1, /* x */\n}\n',
        "{ // only\n}\n",
        '{\r\n  "a": 1\r\n}\r\n',
        "\ufeff{}\n",
        '{\n  "mcpServers": {"x": 1}, "z": 2\n}',
    ],
)
def test_what_is_put_in_is_taken_out_again_and_nothing_else_with_it(text: str) -> None:
    made = put(text, AT, ENTRY)
    assert read(made).value == {
        **read(text).value,
        "mcpServers": {**read(text).value.get("mcpServers", {}), **nested()},
    }
    assert put(made, AT, ENTRY) == made
    assert drop(made, AT) == text
    hooked = append(text, ("hooks", "Stop"), ENTRY)
    assert drop_items(hooked, ("hooks", "Stop"), lambda one: one == ENTRY) == text


def nested() -> dict[str, Any]:
    return {"meminbox": ENTRY}


def test_an_empty_file_is_an_empty_object() -> None:
    assert put(" \n", ("a",), 1) == '{\n  "a": 1\n}\n'
    assert drop("", ("a",)) == ""


def test_a_value_is_replaced_where_it_stands() -> None:
    assert put('{ "a": {"b": 1, "c": 2} } // end\n', ("a", "b"), "x") == '{ "a": {"b": "x", "c": 2} } // end\n'


def test_an_item_between_others_goes_alone() -> None:
    text = '{"l": [\n  1, // one\n  2,\n  3 // three\n]}'
    assert drop_items(text, ("l",), lambda one: one == 2) == '{"l": [\n  1, // one\n  3 // three\n]}'
    assert drop_items(text, ("l",), lambda one: one == 3) == '{"l": [\n  1, // one\n  2 // three\n]}'
    assert drop_items(text, ("l",), lambda one: one == 1) == '{"l": [\n  // one\n  2,\n  3 // three\n]}'


@pytest.mark.parametrize("text", ['{"mcpServers": 1}', '{"mcpServers": []}', "[]", "1"])
def test_what_stands_in_the_way_is_left_alone(text: str) -> None:
    with pytest.raises(NotThere):
        put(text, AT, ENTRY)
    with pytest.raises(NotThere):
        append('{"l": {}}', ("l",), 1)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3),
        ('{"a": 1', 1, 8),
        ("{'a': 1}", 1, 2),
        ('{"a": tru}', 1, 7),
        ('{"a": 01}', 1, 8),
        ('{"a": 1} x', 1, 10),
        ('{"a": 1, "a": 2}', 1, 10),
        ('{"a": "\t"}', 1, 7),
        ('{"a" 1}', 1, 6),
        ("{1: 1}", 1, 2),
        ("[" * 200, 1, 102),
        ("{" * 3, 1, 2),
        ("/* open", 1, 1),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(NotJson) as caught:
        put(text, AT, ENTRY)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(("text", "form"), [("{// x\n}", STRICT), ('{"a": 1,}', STRICT), ('{"a": 1,}', COMMENTS)])
def test_what_the_agent_itself_does_not_read_is_refused(text: str, form: Any) -> None:
    read(text, LOOSE)
    with pytest.raises(NotJson):
        put(text, AT, ENTRY, form)


NAMES = st.sampled_from(["a", "b", "mcpServers", "hooks", "é", "x y"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab{}[],:"\\/ \n', max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def written(draw: Any) -> str:
    """An object as somebody may have written it: indents, comments, trailing commas."""
    held = draw(st.dictionaries(NAMES, VALUES, max_size=3))
    indent = draw(st.sampled_from([None, 1, 2, 4, "\t"]))
    lines = json.dumps(held, indent=indent, ensure_ascii=draw(st.booleans())).split("\n")
    if indent is not None:
        notes = draw(st.lists(st.sampled_from(["", "", " // {", " /* , */"]), min_size=len(lines), max_size=len(lines)))
        lines = [line + note for line, note in zip(lines, notes, strict=True)]
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines) + draw(st.sampled_from(["", "\n"]))


def kept_empty(held: Any, path: tuple[str, ...]) -> bool:
    """Whether an object on the way is there and empty: it goes with the last entry, as if setup had made it."""
    for name in path:
        if not isinstance(held, dict) or name not in held:
            return False
        held = held[name]
        if held in ({}, []):
            return True
    return False


@given(text=written(), path=st.lists(NAMES, min_size=1, max_size=3).map(tuple), value=VALUES)
def test_any_file_holds_what_it_held_and_comes_back_byte_for_byte(text: str, path: tuple[str, ...], value: Any) -> None:
    before = read(text).value
    try:
        made = put(text, path, value)
    except NotThere:
        return
    held: Any = read(made).value
    for name in path:
        held = held[name]
    assert held == value
    there: Any = before
    for name in path:
        there = there.get(name, KeyError) if isinstance(there, dict) else KeyError
    if there is KeyError and not kept_empty(before, path):
        assert drop(made, path) == text

"""One table put into a TOML file, or taken out: every other byte stays."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from store.agents.json_edit import NotThere
from store.agents.toml_edit import drop, put

AT = ("mcp_servers", "meminbox")
VALUES = {"command": "/a b/m", "args": ["mcp", "--db", "ü\x7f"]}
WRITTEN = '[mcp_servers.meminbox]\ncommand = "/a b/m"\nargs = ["mcp", "--db", "ü\\u007f"]\n'
FILES = [
    "",
    '# mine\nmodel = "x"  # keep\n',
    '[mcp_servers.other]\ncommand = "x" # keep\nargs = [\n "a", # one\n]\n\n# about projects\n[projects."/a"]\nt = 1\n',
    "[[list]]\na = [\n  [1, 2],\n]\n",
    'text = """\n[other.header]\n"""\n\n[a.b]\nc = 1\r\n',
    "# no line end",
    "a = 1\r\n\r\n[b]\r\nc = nan",
    "  ",
    "[mcp_servers]\n",
    "[[list]]\na = 1\n[b]\n[[list]]\na = 2\n",
]


@pytest.mark.parametrize("text", FILES)
def test_what_is_put_in_is_taken_out_again_and_nothing_else_with_it(text: str) -> None:
    made = put(text, AT, VALUES)
    assert made.startswith(text)
    assert values(made) == {**values(text), "mcp_servers": {**others(text), "meminbox": VALUES}}
    assert put(made, AT, VALUES) == made
    assert drop(made, AT) == text


def values(text: str) -> dict[str, Any]:
    return tomllib.loads(text, parse_float=str)  # nan is not what it is


def others(text: str) -> dict[str, object]:
    held: dict[str, object] = values(text).get("mcp_servers", {})
    return held


def test_a_byte_order_mark_stays_where_it_is() -> None:
    text = "\ufeffa = 1\n"
    made = put(text, AT, VALUES)
    assert made == f"{text}\n{WRITTEN}"
    assert drop(made, AT) == text
    assert put("\ufeff" + WRITTEN, AT, {"command": "m"}).startswith('\ufeff[mcp_servers.meminbox]\ncommand = "m"\n')


def test_our_keys_keep_their_place_their_line_ends_and_what_is_said_beside_them() -> None:
    text = '  [mcp_servers."meminbox"] # ours\r\n  command = "old" # why\r\n  x = 1\r\n\r\n# next\r\n[z]\r\n'
    assert put(text, AT, {"command": "m", "args": []}) == (
        text.replace('"old"', '"m"').replace("  x = 1\r\n", "  x = 1\r\n  args = []\r\n")
    )


def test_a_table_that_only_others_name_gets_a_header_and_goes_with_them() -> None:
    text = 'a = 1\n\n[mcp_servers.meminbox.tools.x]\nmode = "m"\n\n# next\n[b]\n'
    made = put(text, AT, VALUES)
    assert made == f"{text}\n{WRITTEN}"
    assert drop(made, AT) == "a = 1\n\n# next\n[b]\n"


def test_the_lines_are_those_that_codex_writes() -> None:
    assert put("", AT, VALUES) == WRITTEN
    assert put("a = 1", AT, VALUES) == "a = 1\n\n" + WRITTEN.removesuffix("\n")


def test_only_our_keys_change_and_a_persons_own_stay() -> None:
    text = (
        '[mcp_servers.meminbox]\nenabled = true\nargs = [\n  "mcp",\n]\n# why\ncommand = "old"\nenv = { A = "1" }\n\n'
        "# next\n[z]\nq = 1\n"
    )
    made = put(text, AT, VALUES)
    assert made == (
        '[mcp_servers.meminbox]\nenabled = true\nargs = ["mcp", "--db", "ü\\u007f"]\n# why\ncommand = "/a b/m"\n'
        'env = { A = "1" }\n\n# next\n[z]\nq = 1\n'
    )
    assert drop(made, AT) == "\n# next\n[z]\nq = 1\n"


def test_tables_inside_ours_go_with_it() -> None:
    text = f'a = 1\n\n{WRITTEN}\n[mcp_servers.meminbox.tools.x]\napproval_mode = "approve"\n\n[b]\nc = 1\n'
    assert drop(text, AT) == "a = 1\n\n[b]\nc = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = {}\n",
        'mcp_servers = { meminbox = { command = "x" } }\n',
        '[mcp_servers]\nmeminbox = { command = "x" }\n',
        '[mcp_servers]\nmeminbox.command = "x"\n',
        "mcp_servers.meminbox = 1\n",
        "mcp_servers = 1\n",
        "[[mcp_servers]]\na = 1\n",
        "[[mcp_servers.meminbox]]\na = 1\n",
        "[mcp_servers.meminbox]\na = [\n[1]\n]\n",
        'x = """\n[mcp_servers.meminbox]\n"""\n[mcp_servers.meminbox]\ncommand = "x"\n',
    ],
)
def test_a_table_written_in_another_way_is_left_alone(text: str) -> None:
    with pytest.raises(NotThere):
        put(text, AT, VALUES)


def test_what_cannot_be_read_is_named() -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match="line 2"):
        put("a = 1\na = 2\n", AT, VALUES)


def test_a_key_of_any_characters_is_quoted() -> None:
    at = ("hooks", "state", '/a "b"/h.json:stop:0:0')
    made = put("", at, {"enabled": True})
    assert made == '[hooks.state."/a \\"b\\"/h.json:stop:0:0"]\nenabled = true\n'
    assert drop(made, at) == ""

"""A person's key map: what it may say, what becomes of clashes and of what is not understood."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import console
from console import keymap, keynames, keys
from console.actions import ACTIONS, BY_ID, Action
from console.keymap import PRESETS, KeyMap, meet
from tests.cli_kit import Cli


def read(text: str) -> KeyMap:
    return keymap.read(tomllib.loads(text).get("keys"))


def now(read_map: KeyMap, id_: str) -> tuple[str, ...]:
    return read_map.keys.get(id_, BY_ID[id_].keys)


def clashes(read_map: KeyMap) -> list[tuple[str, str, str]]:
    """Keys that two actions of one screen have."""
    return [
        (key, one.id, other.id)
        for one, other in combinations(ACTIONS, 2)
        if meet(one, other)
        for key in set(now(read_map, one.id)) & set(now(read_map, other.id))
    ]


def test_no_section_is_the_built_in_keys() -> None:
    assert keymap.read(None) == KeyMap()
    assert read("[keys]") == KeyMap()


@pytest.mark.parametrize(
    "text",
    [
        '[keys]\n"queue.edit" = "f2"\n"log.undo" = ["u", "ctrl+r"]',
        '[keys]\nqueue.edit = "F2"\nlog.undo = ["u", "Ctrl+R"]',
        '[keys.queue]\nedit = "f2"\n[keys.log]\nundo = ["u", "ctrl-r"]',
    ],
)
def test_every_way_to_write_it_means_the_same(text: str) -> None:
    assert read(text) == KeyMap({"queue.edit": ("f2",), "log.undo": ("u", "ctrl+r")})


def test_keys_change_places_without_a_word() -> None:
    assert read('[keys]\nqueue.approve = "x"\nqueue.reject = "a"') == KeyMap(
        {"queue.approve": ("x",), "queue.reject": ("a",)}
    )


def test_one_key_on_two_screens_that_never_meet_is_no_clash() -> None:
    assert read('[keys]\nlibrary.outdated = "x"').messages == ()


def test_a_key_can_be_taken_away() -> None:
    assert read("[keys]\nagents.setup = []") == KeyMap({"agents.setup": ()})


def test_a_key_that_another_action_had_goes_to_the_one_that_the_person_named() -> None:
    mine = read('[keys]\nqueue.approve = "x"')
    assert (now(mine, "queue.approve"), now(mine, "queue.reject")) == (("x",), ())
    assert mine.messages == ("keys: x is now Approve (queue.approve); Reject (queue.reject) has no key any more.",)


def test_an_action_keeps_its_other_keys() -> None:
    mine = read('[keys]\nqueue.edit = "u"')
    assert now(mine, "log.undo") == ("z",)
    assert mine.messages == ("keys: u is now Edit (queue.edit); Undo (log.undo) has z left.",)


def test_who_loses_every_key_is_told_so_with_each() -> None:
    mine = read('[keys]\nqueue.edit = "u"\nqueue.place = "z"')
    assert now(mine, "log.undo") == ()
    assert mine.messages == (
        "keys: u is now Edit (queue.edit); Undo (log.undo) has no key any more.",
        "keys: z is now Place (queue.place); Undo (log.undo) has no key any more.",
    )


def test_a_way_out_that_loses_its_new_key_has_its_own_again() -> None:
    mine = keymap.read({"move.bottom": ["escape"], "back": "ctrl+q"})
    assert mine.keys == {}
    assert mine.messages == (
        "keys: ctrl+q stays Quit now (quit), and is not Back (back): give quit another key first.",
        "keys: esc stays Back (back), and is not Bottom (move.bottom): give back another key first.",
    )


def test_a_key_that_is_given_twice_does_neither() -> None:
    mine = read('[keys]\nqueue.approve = ["f2", "f3"]\nqueue.reject = "f2"')
    assert (now(mine, "queue.approve"), now(mine, "queue.reject")) == (("f3",), ("x",))
    assert mine.messages == (
        "keys: f2 is given to both Approve (queue.approve) and Reject (queue.reject): it does neither.",
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('queue.aprove = "y"', 'no action is called "queue.aprove"; did you mean queue.approve?'),
        ('zzz = "y"', 'no action is called "zzz"; `meminbox keys` names them all.'),
        ('preset = "vim"', '"vim" is not known; there is git.'),
        ("queue.edit = 4", 'Edit (queue.edit) cannot have 4: a key is written as text: "a", "ctrl+d", "f5".'),
        ('queue.edit = "g g"', 'one key at a time; several stand in a list: ["u", "z"].'),
        ('queue.edit = "shift+a"', "write the character that it types."),
        ('queue.edit = "alt+a"', "alt arrives as esc and the key, and the others stay with the terminal."),
        ('queue.edit = "cmd+a"', "the others stay with the terminal."),
        ('queue.edit = "ctrl+i"', "to a terminal it is the same as tab."),
        ('queue.edit = "ctrl+m"', "to a terminal it is the same as enter."),
        ('queue.edit = "ctrl+["', "to a terminal it is the same as esc."),
        ('queue.edit = "ctrl+1"', "most terminals do not send it."),
        ('queue.edit = "ctrl+enter"', "most terminals do not send it."),
        ('queue.edit = "ctrl+shift+a"', "terminals leave out the shift, or keep it for themselves."),
        ('queue.edit = "shift+pageup"', "terminals scroll with it, or paste."),
        ('queue.edit = "ctrl+c"', "it stops programs, and copies in a text."),
        ('queue.edit = "f13"', "no key is called so"),
        ('queue.edit = "\\u0301"', "it cannot be seen."),
        ('queue.edit = ""', "a key is written as text"),
        ('back = "b"', 'Back (back) cannot have "b": in a text it is typed, or moves the cursor.'),
        ('editor.save = "ctrl+e"', "in a text it is typed, or moves the cursor."),
        ("quit = []", "Quit now (quit) needs a key: there would be no way out."),
        ('queue.edit = "escape"', "esc stays Back (back), and is not Edit (queue.edit): give back another key first."),
    ],
)
def test_what_cannot_be_changes_nothing_and_is_told(said: str, told: str) -> None:
    mine = read(f"[keys]\n{said}")
    assert mine.keys == {}
    assert len(mine.messages) == 1
    assert told in mine.messages[0]
    assert mine.messages[0].startswith("keys")


def test_what_is_right_beside_it_is_taken() -> None:
    mine = read('[keys]\nqueue.edit = ["f2", "alt+e"]\nnope = "x"\nqueue.place = "f3"')
    assert mine.keys == {"queue.edit": ("f2",), "queue.place": ("f3",)}
    assert len(mine.messages) == 2


def test_a_file_that_says_nothing_of_use() -> None:
    assert keymap.read("git").messages == ("keys is not a table: write [keys] above the lines.",)


def test_the_git_preset_follows_git_add_p() -> None:
    mine = read('[keys]\npreset = "git"')
    assert mine.messages == ()
    wanted = {"y": "queue.approve", "n": "queue.reject", "a": "queue.session", "d": "queue.session", "e": "queue.edit"}
    wanted |= {"p": "diff.full", "j": "move.down", "k": "move.up", "/": "filter.open", "q": "leave", "?": "help"}
    for key, id_ in wanted.items():
        assert key in now(mine, id_), key


def test_a_line_of_ones_own_wins_over_the_preset() -> None:
    mine = read('[keys]\npreset = "git"\nqueue.reject = "x"')
    assert (now(mine, "queue.approve"), now(mine, "queue.reject")) == (("y",), ("x",))
    assert mine.messages == ()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_takes_no_key_away_that_it_does_not_give_back(preset: str) -> None:
    mine = read(f'[keys]\npreset = "{preset}"')
    assert clashes(mine) == []
    assert all(now(mine, action.id) for action in ACTIONS)
    for keys_ in PRESETS[preset].values():
        assert [keynames.parse(key) for key in keys_] == list(keys_)


def test_every_built_in_key_could_be_written_in_a_key_map() -> None:
    for action in ACTIONS:
        for key in action.keys:
            assert keynames.parse(key) == key
            assert keynames.parse(keys.name(key)) == key
        if action.modes != ("browse",):
            for key in action.keys:
                keynames.expect_free_in_text(key)


SOME = st.sampled_from([*"aexyzjkqutX?/", "enter", "escape", "ctrl+q", "ctrl+s", "f2", "space", "alt+x", "ctrl+g"])
MAPS = st.dictionaries(st.sampled_from([*BY_ID, "no.such"]), st.one_of(SOME, st.lists(SOME, max_size=3)), max_size=8)


@given(MAPS, st.sampled_from([None, *PRESETS]))
@example({"move.bottom": ["escape"], "back": "ctrl+q"}, None)
@settings(max_examples=60, deadline=None)
def test_whatever_it_says_no_key_means_two_things_and_one_can_leave(
    said: dict[str, object], preset: str | None
) -> None:
    mine = keymap.read(said if preset is None else {**said, "preset": preset})
    assert clashes(mine) == []
    for id_ in keymap.NEEDED:
        assert now(mine, id_), id_
    for id_ in (one for one in BY_ID if not now(mine, one)):
        assert said.get(id_) == [] or f"{BY_ID[id_].title} ({id_}) has no key any more." in " ".join(mine.messages)
    assert set(mine.keys) <= set(BY_ID)


def test_words_name_the_keys_that_are_in_use() -> None:
    try:
        keys.use({"log.undo": ("f2", "u"), "item.open": (), "back": ("ctrl+g",)})
        assert (keys.shown("log.undo"), keys.every("log.undo")) == ("f2", "f2 u")
        assert (keys.shown("item.open"), keys.first("item.open")) == ("Open", "")
        assert keys.told("{log.undo} takes it back, {item.open} opens, {queue.approve} too") == (
            "f2 takes it back, Open opens, a too"
        )
        assert keys.keymap() == {"log.undo": "f2,u", "item.open": keys.NO_KEY, "back": "ctrl+g"}
        keys.use({"filter.open": (",",)})
        assert keys.keymap() == {"filter.open": "comma"}
    finally:
        keys.use({})
    assert keys.shown("log.undo") == "u"


@pytest.mark.parametrize("action", ACTIONS, ids=lambda one: one.id)
def test_what_explains_an_action_names_only_actions_that_there_are(action: Action) -> None:
    assert set(re.findall(r"\{(.*?)\}", action.help)) <= set(BY_ID)
    assert not re.search(r"\b(ctrl\+\w|esc|enter|press)\b", action.help), "a key by name: write {action.id}"


@pytest.mark.parametrize("folder", ["screens", "widgets"])
def test_no_sentence_names_a_key_itself(folder: str) -> None:
    """A key that the person changed would still stand in it: ``keys.shown`` and ``keys.told`` know what it is now."""
    naming = re.compile(
        r"\b(esc|escape|ctrl\+\w+)\b|(^|[ (])([a-zA-Z]|enter|space|tab) (opens|leaves|takes|clears|writes|saves)\b"
    )
    wrong = [
        (path.name, node.lineno, node.value)
        for path in sorted((Path(console.__file__).parent / folder).glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        if "\n" not in node.value and not node.value.endswith(".") and naming.search(node.value)
    ]
    assert not wrong


def test_no_file_is_no_key_map(tmp_path: Path) -> None:
    environ = {"MEMINBOX_HOME": str(tmp_path)}
    assert keymap.load(environ) == KeyMap()
    (tmp_path / "config.toml").write_text('[keys]\nqueue.aprove = "y"\nqueue.edit = "f2"\n', encoding="utf-8")
    mine = keymap.load(environ)
    assert mine.keys == {"queue.edit": ("f2",)}
    assert mine.messages[0].startswith("config.toml: keys: no action is called")
    (tmp_path / "config.toml").write_bytes(b"\xff")
    assert keymap.load(environ) == KeyMap()


class TestTheCommand:
    @pytest.fixture
    def cli(self, tmp_path: Path) -> Iterator[Cli]:
        yield Cli(tmp_path / "home", tmp_path / "work")
        keys.use({})

    def test_every_action_is_named_with_its_keys(self, cli: Cli) -> None:
        ran = cli("keys")
        rows = [line.split("\t") for line in ran.out.splitlines()]
        assert [(keys_, id_) for keys_, id_, _ in rows] == [(keys.every(one.id), one.id) for one in by_group()]
        assert (ran.code, ran.err) == (0, "")

    def test_a_person_sees_it_in_columns_and_where_to_change_it(self, cli: Cli) -> None:
        ran = cli.person("keys", env={"COLUMNS": "80"})
        assert max(map(len, ran.out.splitlines())) <= 80
        assert re.search(r"^  a +queue\.approve +Approve: ", ran.out, re.MULTILINE)
        assert "config.toml" in ran.err

    def test_what_it_prints_as_toml_is_the_same_key_map_again(self, cli: Cli) -> None:
        cli.home.mkdir()
        config = cli.home / "config.toml"
        config.write_text('[keys]\npreset = "git"\nagents.setup = []\nqueue.place = ","\n', encoding="utf-8")
        first = cli("keys", "--toml")
        changed = cli("keys", "--json").json["items"]
        config.write_text(first.out, encoding="utf-8")
        again = cli("keys", "--toml")
        assert (first.code, again.out, again.err) == (0, first.out, "")
        assert keymap.load(cli.env).keys == {
            one["id"]: tuple(one["keys"]) for one in changed if one["keys"] != one["built_in"]
        }

    @pytest.mark.long
    def test_what_cannot_be_is_told_here_and_by_doctor(self, cli: Cli) -> None:
        cli.home.mkdir()
        (cli.home / "config.toml").write_text(
            '[keys]\nqueue.approve = "x\\u001b[2J"\nlog.undo = "e"\n', encoding="utf-8"
        )
        for ran in (cli("keys"), cli("doctor")):
            told = " ".join((ran.err + ran.out).split())
            assert ran.code == 1
            assert "\x1b" not in told
            assert "Approve (queue.approve) cannot have" in told
            assert "e is now Undo (log.undo); Edit (queue.edit) has no key any more" in told


def by_group() -> list[Action]:
    groups: dict[str, list[Action]] = {}
    for action in ACTIONS:
        groups.setdefault(action.group, []).append(action)
    return [action for group in groups.values() for action in group]

"""The registry of actions: whole, free of clashes, honest about what cannot be done."""

from __future__ import annotations

import subprocess
import sys

import pytest

from console import actions, places
from console.actions import ACTIONS, BY_ID, Situation
from console.pace import JUST_SHOWN, TOO_QUICK, Pace


def test_ids_are_unique_and_every_action_is_explained() -> None:
    assert len(BY_ID) == len(ACTIONS)
    for action in ACTIONS:
        assert action.title and action.help and action.keys and action.screens, action.id


@pytest.mark.parametrize("screen", sorted({name for action in ACTIONS for name in action.screens} - {"*"}))
def test_no_key_means_two_things_on_one_screen(screen: str) -> None:
    taken: dict[str, str] = {}
    for action in actions.of_screen(screen):
        for key in action.keys:
            assert key not in taken, (screen, key, taken.get(key), action.id)
            taken[key] = action.id


def test_the_keys_of_the_design() -> None:
    wanted = {
        "queue.approve": "a",
        "queue.reject": "x",
        "queue.reject_reason": "X",
        "queue.reject_group": "ctrl+x",
        "queue.edit": "e",
        "queue.edit_external": "E",
        "queue.defer": "s",
        "queue.place": "p",
        "mark.toggle": "space",
        "mark.range": "v",
        "mark.all": "*",
        "queue.session": "S",
        "diff.full": "d",
        "diff.next": "]",
        "diff.previous": "[",
        "diff.split": "\\",
        "history.open": "h",
        "history.rollback": "r",
        "log.undo": "u z",
        "log.redo": "U Z",
        "filter.open": "/",
        "filter.next": "n",
        "filter.previous": "N",
        "queue.order": "O",
        "agents.setup": "C",
        "view.invisibles": "i",
        "copy.text": "y",
        "copy.file": "w",
        "help": "?",
        "palette": "ctrl+p",
        "back": "escape",
        "leave": "q",
        "quit": "ctrl+q",
    }
    for id_, keys in wanted.items():
        assert BY_ID[id_].keys == tuple(keys.split(" ")), id_


def test_what_decides_is_guarded() -> None:
    for id_ in (
        "queue.approve",
        "queue.reject",
        "queue.reject_reason",
        "queue.reject_group",
        "queue.edit_external",
        "queue.defer",
        "library.outdated",
        "library.place",
        "library.true",
        "library.edit_external",
        "history.rollback",
        "log.undo",
        "log.redo",
    ):
        assert BY_ID[id_].decides, id_


@pytest.mark.parametrize("id_", ["editor.save", "library.save", "agents.setup"])
def test_what_saves_or_lends_the_terminal_wants_a_key_by_itself(id_: str) -> None:
    assert BY_ID[id_].alone


@pytest.mark.parametrize("screen", actions.FOOTERS)
def test_a_screen_that_decides_nothing_still_names_its_keys(screen: str) -> None:
    ids = [action.id for action, _ in actions.footer(screen, Situation(item=True))]
    assert {"copy.text", "copy.file", "back", "help"} <= set(ids) if screen in places.TAKEN else ids[-1] == "back"
    assert all(actions.BY_ID[id_].on(screen) for id_ in ids)
    assert [action.id for action, _ in actions.footer(screen, Situation(mode="prompt"))] == ["back"]


def test_a_locked_desk_gives_its_reason_for_every_decision() -> None:
    locked = Situation(
        locked="read-only: the file cannot be written", item=True, previous=True, undo=True, session=True
    )
    for action in actions.of_screen("queue"):
        if action.group in (places.DECIDE, places.LOG) and "browse" in action.modes:
            assert action.enabled(locked) == locked.locked, action.id


def test_reasons() -> None:
    approve, place = BY_ID["queue.approve"], BY_ID["queue.place"]
    assert approve.enabled(Situation(item=True)) is None
    assert approve.enabled(Situation()) == "nothing here to decide"
    assert approve.enabled(Situation(fold=True)) == "enter opens what is folded"
    assert approve.enabled(Situation(fold=True, marks=2)) is None
    assert approve.enabled(Situation(item=True, saving=True)) == "the last decision on it is being saved"
    assert place.enabled(Situation(fold=True, marks=2)) is not None
    assert approve.enabled(Situation(item=True, mode="edit")) is not None
    assert BY_ID["queue.edit"].enabled(Situation(item=True, removal=True)) is not None


def test_the_footer_is_ordered_and_says_what_cannot_be_done() -> None:
    offered = actions.footer("queue", Situation(item=True))
    assert [action.id for action, _ in offered][:4] == ["queue.approve", "queue.reject", "queue.edit", "queue.defer"]
    assert offered[-1][0].id == "help"
    assert {action.id: reason for action, reason in offered}["log.undo"] == "nothing to undo"


@pytest.mark.parametrize("screen", places.LISTS)
def test_where_there_is_nothing_the_footer_names_what_can_be_done(screen: str) -> None:
    offered = actions.footer(screen, Situation(empty=True, locked="read-only: the file cannot be written"))
    assert all(reason is None for _, reason in offered)
    ids = [action.id for action, _ in offered]
    assert ids[-2:] == ["help", "leave"]
    assert f"screen.{screen}" not in ids and "log.undo" not in ids
    undone = actions.footer(screen, Situation(empty=True, undo=True))
    assert "log.undo" in [action.id for action, _ in undone]
    assert actions.footer(screen, Situation(empty=True, mode="prompt")) == [(BY_ID["back"], None)]


def test_while_editing_only_the_editors_actions_are_offered() -> None:
    assert [action.id for action, _ in actions.footer("queue", Situation(mode="edit"))] == ["editor.save", "back"]


def test_the_registry_brings_in_neither_textual_nor_sql() -> None:
    code = (
        "import sys, console.actions, console.keymap, console.pace; "
        "print([m for m in ('textual', 'sqlalchemy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class TestPace:
    def setup_method(self) -> None:
        self.now = 100.0
        self.pace = Pace(lambda: self.now)

    def key(self, after: float) -> None:
        self.now += after
        self.pace.key()

    def test_the_first_key_on_something_painted_may_decide(self) -> None:
        painted = self.now
        self.key(0.15)
        assert self.pace.refusal(painted) is None

    def test_too_soon_after_the_paint(self) -> None:
        self.now += 1
        painted = self.now
        self.key(0.149)
        assert self.pace.refusal(painted) == JUST_SHOWN

    def test_too_soon_after_another_key(self) -> None:
        painted = self.now
        self.key(1)
        self.key(0.1)
        assert self.pace.refusal(painted) == TOO_QUICK
        self.key(0.16)
        assert self.pace.refusal(painted) is None

    def test_what_is_not_painted_is_never_decided_on(self) -> None:
        self.key(1)
        assert self.pace.refusal(None) == JUST_SHOWN
        assert self.pace.refusal(None, by_key=False) == JUST_SHOWN

    def test_keys_right_behind_each_other_are_hurried(self) -> None:
        self.key(1)
        assert not self.pace.hurried
        self.key(0.033)
        assert self.pace.hurried
        self.key(0.2)
        assert not self.pace.hurried

    def test_only_what_no_finger_does_is_one_breath(self) -> None:
        self.key(1)
        assert not self.pace.in_a_breath
        self.key(0.05)
        assert not self.pace.in_a_breath
        self.key(0.005)
        assert self.pace.in_a_breath

    def test_a_click_asks_only_for_the_paint(self) -> None:
        painted = self.now
        self.key(1)
        self.key(0.01)
        assert self.pace.refusal(painted, by_key=False) is None

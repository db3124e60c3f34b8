"""The machine with more acts of a person: a word on what may be a secret, pins, end dates, another label of a scope."""

from __future__ import annotations

import random
import string
from dataclasses import replace
from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from store import review, scope_acts, secrecy, tending
from store.errors import Conflict, SecretOpen
from store.facts import Actor, Done
from store.raw import Raw
from store.redact import redact
from tests.contract.machine import PICKS, WHO, Machine, Refused
from tests.contract.model import Ask, Mark, State, Step

MASK = "[secret]"


def _token(number: int) -> str:
    """What looks random, another for each number."""
    drawn = random.Random(number)
    return "".join(drawn.choice(string.ascii_letters + string.digits) for _ in range(32))


class Caring(Machine):
    """``Machine`` with secrets to be asked about, and with care."""

    def __init__(self) -> None:
        super().__init__()
        self.told = False
        self.tokens: dict[str, str] = {}
        self.kept: dict[str, str] = {}
        self.labels: dict[str, tuple[str | None, str]] = {}

    # -- what may be a secret

    @rule(word=st.sampled_from((None, "mask", "keep")), who=WHO)
    def say_a_word(self, word: secrecy.Word | None, who: Actor) -> None:
        token = _token(len(self.tokens))
        text = f"The bot signs in with {token} nightly"
        self.tokens[text] = token
        asked = set(self.model.asks)
        self._flipped()
        ask = Ask("pending", "add", "shop", text, None, None, None, None)
        self._take(redact(Raw(content=text, kind="fact", session_id="s1")), ask)
        (one,) = set(self.model.asks) - asked
        assert [flag.code for flag in self.desk.proposal(one).flags] == ["maybe_secret"]
        seen = self.desk.see(one)

        def expected() -> tuple[Step, set[Mark]]:
            if word is None:
                raise Refused(SecretOpen)
            kept = text.replace(token, MASK) if word == "mask" else text
            self.model.asks[one] = replace(self.model.asks[one], content=kept)
            try:
                step, lay, left = self._batch([one], {}, told=True)
            finally:
                self.model.asks[one] = replace(self.model.asks[one], content=text)
            if left:
                raise left[one]
            return step, lay

        def decide() -> Done:
            return review.approve(self.desk.store, seen, by=who, secret=word)

        done = self._decide(expected, decide, "approve", who)
        if done is not None and word == "keep":
            self.kept[done.operation.id] = token

    def _doubt(self, text: str) -> str | None:
        """The token of a text on which nobody's word stands."""
        token = self.tokens.get(text)
        said = {self.kept[step.id] for step in self.model.effective() if step.id in self.kept}
        return None if token is None or token in said else token

    def _without_doubt(self, ask: Ask) -> str:
        token = self._doubt(ask.content)
        return ask.content.replace(token, MASK) if token else ask.content

    def _approved(
        self,
        one: str,
        ask: Ask,
        target: str | None,
        edit: tuple[str, str | None] | None,
        step: Step,
    ) -> tuple[str, State, set[Mark]]:
        if not self.told and self._doubt(edit[0] if edit else ask.content):
            raise Refused(SecretOpen)
        return super()._approved(one, ask, target, edit, step)

    def _batch(
        self, chosen: list[str], edits: dict[str, tuple[str, str | None]], told: bool = False
    ) -> tuple[Step, set[Mark], dict[str, Refused]]:
        self.told = told
        step, lay, left = super()._batch(chosen, edits)
        for one, (before, after) in step.asks.items():
            if one in edits and after.status == "approved":
                step.asks[one] = (before, replace(after, content=self._without_doubt(after)))
        return step, lay, left

    # -- care

    @precondition(lambda self: self.model.memories)
    @rule(pick=PICKS, who=WHO, on=st.booleans(), late=st.booleans())
    def pin(self, pick: int, who: Actor, on: bool, late: bool) -> None:
        one, revision = self._revision(pick, late)
        pinned = self.desk.memory(one).pinned

        def expected() -> tuple[Step, set[Mark]]:
            before = self._at(one, revision)
            if before.status != "active" or pinned is on:
                raise Refused(Conflict)
            return Step("", "pin" if on else "unpin", who.name, memories={one: (before, before)}), set()

        action = "pin" if on else "unpin"
        done = self._decide(expected, lambda: tending.pin(self.desk.store, [(one, revision)], on, by=who), action, who)
        assert self.desk.memory(one).pinned is (on if done is not None else pinned)

    @precondition(lambda self: self.model.memories)
    @rule(pick=PICKS, who=WHO, days=st.integers(0, 3), late=st.booleans())
    def give_a_date(self, pick: int, who: Actor, days: int, late: bool) -> None:
        one, revision = self._revision(pick, late)
        until = self.desk.clock.now + timedelta(days=days) if days else None

        def expected() -> tuple[Step, set[Mark]]:
            before = self._at(one, revision)
            if before.status != "active" or before.until == until:
                raise Refused(Conflict)
            return Step("", "date", who.name, memories={one: (before, replace(before, until=until))}), set()

        self._decide(expected, lambda: tending.until(self.desk.store, [(one, revision)], until, by=who), "date", who)

    @rule(who=WHO)
    def rename(self, who: Actor) -> None:
        label = f"Shop {len(self.model.steps)}"
        before = self._label()

        def expected() -> tuple[Step, set[Mark]]:
            return Step("", "rename", who.name), set()

        done = self._decide(expected, lambda: scope_acts.rename(self.desk.store, "shop", label, by=who), "rename", who)
        assert done is not None
        self.labels[done.operation.id] = (before, label)

    def _label(self) -> str | None:
        """What the scope is called now, by the steps that stand."""
        roots = (self.model.root(step).id for step in self.model.effective() if step.action != "undo")
        return next((self.labels[root][1] for root in roots if root in self.labels), None)

    def _may_turn(self, step: Step) -> None:
        named = self.labels.get(self.model.root(step).id)
        if named is not None and self._label() != (named[0] if step.action == "undo" else named[1]):
            raise Refused(Conflict)

"""What a tool says: plain values, bounded, in words that an agent understands. Light."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from store.errors import MeminboxError
from store.facts import Outcome

MOST_ANSWER: Final = 20_000
"""Characters of an answer, about: hosts refuse, or cut, what is much longer. One memory asked for by id is whole."""
PREVIEW: Final = 700
"""Characters of a memory's text in a list of them."""
GLIMPSE: Final = 120
"""Characters of a proposal's text, to tell it from others."""
MOST_REASON: Final = 600


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers: ``values`` by its output schema; ``text`` for people and models, the values where None.

    ``error`` tells that nothing was done, and why stands in the message.
    """

    values: dict[str, Any]
    text: str | None = None
    error: bool = False

    def as_text(self) -> str:
        """The text of the answer; never empty."""
        return self.text if self.text is not None else spelled(self.values)


def spelled(values: Any) -> str:
    """Values as JSON on one line, as an agent reads it."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def whole(value: Any) -> Any:
    """The same values with half characters written out: what an agent sent may be named in what it is told."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {whole(name): whole(one) for name, one in value.items()}
    return [whole(one) for one in value] if isinstance(value, list) else value


def failed(error: MeminboxError | OSError) -> Answer:
    """Trouble as an answer: what happened, what was kept, what to do."""
    if isinstance(error, MeminboxError):
        return refused(str(error))
    return refused(f"The store could not be used: {error.strerror or type(error).__name__}.")


def refused(why: str) -> Answer:
    """A call that cannot be answered as it was made."""
    return Answer({"message": why}, text=why, error=True)


def cut(text: str, most: int) -> tuple[str, bool]:
    """The beginning of a text, at most ``most`` characters, and whether more follows. No sign is cut in two."""
    if len(text) <= most:
        return text, False
    end = most
    while end > 1 and (_belongs(text[end]) or text[end - 1] == "\u200d"):
        end -= 1
    return text[:end], True


def _belongs(char: str) -> bool:
    """Whether a character is part of the sign before it: an accent, a variation, what a joiner joins."""
    return unicodedata.category(char) in ("Mn", "Me", "Mc") or char == "\u200d" or 0x1F3FB <= ord(char) <= 0x1F3FF


def said(**values: Any) -> dict[str, Any]:
    """Values without those that are not there: the schemas know no null."""
    return {name: value for name, value in values.items() if value is not None and value != []}


# -- proposals


_MESSAGES: Final = {
    "pending": "It waits for a person's review and is not in force until approved.",
    "draft": "It is kept folded until another session says it too; a person can see it already.",
    "known": "It is in force already: nothing was queued.",
    "rejected_before": "A person decided against it before, so it was not queued. Do not propose it again.",
    "spooled": "It is safe on this machine and will be taken in later: do not send it again.",
    "refused": "It was not taken.",
}


def one_outcome(outcome: Outcome, pending: int | None) -> Answer:
    """What became of one proposal."""
    words = _MESSAGES[outcome.status]
    message = f"{_sentence(outcome.reason)} {words}" if outcome.reason else words
    values = said(**_fields(outcome), pending=pending, message=f"{message}{_waiting(pending)}")
    return Answer(values, error=outcome.status == "refused")


def outcomes(told: Sequence[Outcome], pending: int | None) -> Answer:
    """What became of a batch, in its order."""
    results = []
    for most in (MOST_REASON, MOST_REASON // 2, MOST_REASON // 4, MOST_REASON // 8):
        results = [{"line": one.line, **_fields(one, most)} for one in told]
        if len(spelled(results)) <= MOST_ANSWER - 1_000:
            break
    return Answer(said(results=results, pending=pending, message=_summary(told) + _waiting(pending)))


def _summary(told: Sequence[Outcome]) -> str:
    counts: dict[str, int] = {}
    for one in told:
        counts[one.status] = counts.get(one.status, 0) + 1
    if len(counts) == 1:
        (status,) = counts
        return f"{len(told)} {_plain(status)}. {_MESSAGES[status]}" if told else ""
    return ", ".join(f"{number} {_plain(status)}" for status, number in counts.items()) + "."


def _plain(status: str) -> str:
    return {"rejected_before": "turned down before", "draft": "kept folded", "known": "known already"}.get(
        status, status
    )


def _fields(outcome: Outcome, most: int = MOST_REASON) -> dict[str, Any]:
    reason = cut(outcome.reason, most)[0] if outcome.reason else None
    return said(status=outcome.status, id=outcome.id, reason=reason)


def _sentence(words: str) -> str:
    whole = cut(words, MOST_REASON)[0]
    whole = whole[:1].upper() + whole[1:]
    return whole if whole.endswith((".", "?", "!")) else f"{whole}."


def _waiting(pending: int | None) -> str:
    if pending is None:
        return ""
    return f" {pending:,} {'waits' if pending == 1 else 'wait'} for review in `meminbox`."


def until(moment: datetime | None) -> str | None:
    """A time as people and programs read it, or None."""
    return None if moment is None else moment.isoformat(timespec="seconds").replace("+00:00", "Z")

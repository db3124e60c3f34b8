"""Child processes for the tests of races and kills: ``python -m tests.contract.racing VERB STORE HOME ...``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from store import desk, queries, review
from store.engine import Store, open_store
from store.errors import Conflict, StoreBusy
from store.facts import Actor
from store.filters import parse
from store.location import Location
from tests.contract.conftest import located
from tests.contract.proposing import AGENT, lines

ADA = Actor("ada", "console")


def crowd(location: Location, verb: str, number: str, *rest: str) -> None:
    """Fork ``number`` children that do the same at once, each under its own name: one interpreter start for all."""
    children = []
    for n in range(int(number)):
        child = os.fork()
        if child == 0:
            VERBS[verb](location, f"agent{n}", *rest)
            os._exit(0)
        children.append(child)
    if any(os.waitpid(child, 0)[1] for child in children):
        sys.exit(1)


def many(location: Location, name: str, calls: str, size: str) -> None:
    """Propose ``calls`` times ``size`` lines, and say what became of each line."""
    store = open_store(location, wait=30.0)
    for call in range(int(calls)):
        said = [
            {"content": f"{name} says {call} {n}", "source_agent": name, "session_id": name} for n in range(int(size))
        ]
        for outcome in desk.propose(location, lines(*said), context=AGENT, store=store):
            say(outcome.as_dict())
    store.close()


def once(location: Location, name: str, number: str) -> None:
    """Propose ``number`` lines, each by opening the store anew, as the command does."""
    for n in range(int(number)):
        for outcome in desk.propose(location, lines(f"{name} says {n}"), context=AGENT):
            say(outcome.as_dict())


def decide(location: Location, stop: str) -> None:
    """Approve and reject, in turn, whatever waits, until the file ``stop`` is there; say how many."""
    store = open_store(location, wait=30.0)
    decided = 0
    while True:
        last = Path(stop).exists()
        ids = queries.queue_ids(store, parse(""), scopes=None, since=None)
        for place in range(min(len(ids), 10)):
            decided += _one(store, ids[place], decided)
        if last:
            break
    say({"decided": decided})
    store.close()


def _one(store: Store, proposal_id: str, number: int) -> int:
    (proposal,) = queries.queue_rows(store, [proposal_id])
    try:
        if number % 2:
            review.reject(store, proposal.seen(), by=ADA, reason="no")
        else:
            review.approve(store, proposal.seen(), by=ADA)
    except (Conflict, StoreBusy):
        return 0
    return 1


def zygote(location: Location) -> None:
    """For each line on standard input fork a child that proposes until it is killed; say its id, then its acks."""
    for request in sys.stdin:
        child = os.fork()
        if child == 0:
            _until_killed(location, request.strip())
        say({"child": child})
        os.waitpid(child, 0)
        say({"ended": child})


def _until_killed(location: Location, name: str) -> None:
    for call in range(10_000):
        said = [f"{name} {call} {n}" for n in range(3)]
        for outcome in desk.propose(location, lines(*said), context=AGENT):
            say({"ack": said[outcome.line - 1], "status": outcome.status})
    os._exit(1)


def say(value: object) -> None:
    """One line of JSON in one write: a kill leaves it whole or away."""
    os.write(1, (json.dumps(value) + "\n").encode("utf-8"))


VERBS: dict[str, Callable[..., None]] = {
    "crowd": crowd,
    "many": many,
    "once": once,
    "decide": decide,
    "zygote": zygote,
}

if __name__ == "__main__":
    verb, where, home, *rest = sys.argv[1:]
    VERBS[verb](located(where, Path(home)), *rest)

"""``meminbox demo``: a throw-away store with a sample session, and the console on it.

``known.jsonl`` is what the team had approved before (the first line of a key is its first version), ``session.jsonl``
what agents proposed since, ``transcript.jsonl`` what was said in one of their sessions. Each proposal goes the way of
all: admit, redact, intake, and a person's decision. Its repository (``repository.py``) has a refactor behind it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from store.location import Location, locate

if TYPE_CHECKING:
    from store.engine import Store
    from store.facts import Actor, Outcome
    from store.project import Project

TRANSCRIPT: Final = "projects/shop-api/7f3a-reports.jsonl"
"""The transcript below the demo's folder, to which some of its proposals refer: as Claude Code keeps them."""
LABEL: Final = "shop-api"
"""The scope that the demo's console opens in; the other project of the sample is ``billing-web``."""


def run(*, keep: bool = False) -> int:
    """Build the sample, open the console on it, and return the console's exit code.

    Without ``keep`` the folder is removed afterwards; with it, its place is told. Either is said on stderr.
    """
    from console import terminal
    from console.running import open_console

    folder = Path(tempfile.mkdtemp(prefix="meminbox-demo-"))
    try:
        location = locate(str(folder / "demo.db"))
        build(location, person=terminal.actor("console"))
        os.environ["CLAUDE_CONFIG_DIR"] = os.fspath(folder)  # here is where the sample's agent keeps its transcripts
        return open_console(location, project=project(folder), lasting=False)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):  # the terminal may have gone, which is how we came here
            kept = f"kept: meminbox --db {folder / 'demo.db'}"
            print(f"The demo's store is {kept if keep else 'gone; `meminbox` opens your own.'}", file=sys.stderr)


def project(folder: Path) -> Project:
    """The project that the demo plays in."""
    from console.demo.repository import FOLDER
    from store.project import Project

    return Project(identity=LABEL, label=LABEL, root=folder / FOLDER, branch="main")


def build(location: Location, *, person: Actor, now: datetime | None = None) -> None:
    """Fill a fresh store at ``location``: what was known, decided by ``person``, then the session to review."""
    from console.demo import repository
    from store.engine import open_store

    now = now or datetime.now(UTC)
    store = open_store(location)
    transcript = location.folder / TRANSCRIPT
    transcript.parent.mkdir(parents=True, exist_ok=True)
    transcript.write_bytes(files(__name__).joinpath("transcript.jsonl").read_bytes())
    repository.make(location.folder, now)
    try:
        _fill(store, person, now)
    finally:
        store.close()


def _fill(store: Store, person: Actor, now: datetime) -> None:
    for sample in _samples("known.jsonl"):
        _at(store, now - timedelta(days=sample["days"]))
        outcome = _propose(store, sample["entry"], branch="main")
        if "turned_down" in sample:
            _turn_down(store, outcome, person, sample["turned_down"])
        else:
            _approve(store, outcome, person, by_import=sample["by"] == "import")
    for sample in _samples("session.jsonl"):
        _at(store, now - timedelta(minutes=sample["minutes"]))
        _propose(store, sample["proposal"], branch=sample["branch"])


def _samples(name: str) -> Iterator[dict[str, Any]]:
    text = files(__name__).joinpath(name).read_text(encoding="utf-8")
    return (json.loads(line) for line in text.splitlines())


def _at(store: Store, moment: datetime) -> None:
    """Turn the store's clock to the moment at which the sample was said."""
    store.now = lambda: moment


def _propose(store: Store, said: dict[str, Any], *, branch: str) -> Outcome:
    from store.admit import admit
    from store.context import Context
    from store.desk import redacted
    from store.intake import take

    admitted = admit(json.dumps(said).encode("utf-8"))
    commit = hashlib.sha1(branch.encode(), usedforsecurity=False).hexdigest()
    context = Context(scope=LABEL, label=LABEL, branch=branch, commit=commit)
    with store.write() as connection:
        return take(store, connection, redacted(admitted.proposals), context=context)[0]


def _approve(store: Store, outcome: Outcome, person: Actor, *, by_import: bool) -> None:
    from store import queries, review
    from store.facts import Actor

    assert outcome.id is not None, outcome
    (proposal,) = queries.queue_rows(store, [outcome.id])
    review.approve(store, proposal.seen(), by=Actor("import", "cli") if by_import else person)


def _turn_down(store: Store, outcome: Outcome, person: Actor, reason: str) -> None:
    from store import queries, retiring

    assert outcome.id is not None, outcome
    (proposal,) = queries.queue_rows(store, [outcome.id])
    retiring.turn_down(store, proposal.seen(), reason, person)

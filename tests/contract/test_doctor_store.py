"""What doctor says of a store, on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from console import doctoring
from store import engine, notes
from store.errors import StoreTrouble
from store.location import Location
from tests.contract.decisions import Desk


def test_an_open_store_is_told_with_what_it_holds(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    store = engine.open_store(location)
    desk = Desk(store)
    desk.lay("waits", scope="billing")
    desk.hold("held")
    store.close()
    notes.note_seen(location, "codex", "session-start", version="0.171")
    report = doctoring.look(location, {"PATH": str(tmp_path)})
    told = {one.name: one for one in report.store}
    assert told["store"].state == "ok"
    assert told["holds"].says == "1 proposal waits, 1 memory in all projects"
    assert not {"spool", "notes", "set aside"} & set(told)
    (codex,) = [one for one in report.agents if one.name == "codex"]
    assert codex.seen is not None and codex.seen.version == "0.171"
    assert codex.finding.says.startswith("not here, heard of")


def test_a_store_in_trouble_is_told_and_the_rest_is_looked_at(
    location: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise StoreTrouble("The store is busy.", todo="Try again.")

    if location.path is not None:
        location.path.touch()
    monkeypatch.setattr(engine, "open_store", busy)
    report = doctoring.look(location, {})
    assert (report.store[0].state, report.store[0].todo) == ("todo", "Try again.")
    assert report.terminal and report.agents

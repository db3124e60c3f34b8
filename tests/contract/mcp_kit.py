"""Hands for the tests of the MCP server: a store, projects beside it, and calls as an agent makes them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from store import review
from store.agents import proposing, recalling, standing
from store.agents.answers import Answer
from store.agents.calling import Call
from store.agents.provenance import Caller
from store.engine import open_store
from store.location import Location
from store.notes import files
from store.project import identify
from tests.contract.conftest import located
from tests.contract.proposing import ADA, approve, shown

TOOLS = {
    one.__name__: one
    for one in (
        proposing.propose_memory,
        proposing.propose_memories,
        recalling.search_memory,
        recalling.get_profile,
        recalling.report_evidence,
        standing.proposal_status,
    )
}


@dataclass
class Rig:
    """One store and one project; ``at`` gives the same store from another project."""

    location: Location
    folder: Path
    session: str | None = "s1"

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def at(self, name: str, session: str | None = "s2") -> Rig:
        return Rig(self.location, self.folder.parent / name, session)

    def call(self) -> Call:
        # No home of its own: nobody's transcripts are looked for.
        caller = Caller("claude-code", self.session, None, None, self.session is not None, str(self.folder))
        return Call(self.location, identify(self.folder, git=None), caller)

    def answer(self, tool: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        return TOOLS[tool](self.call(), {**(arguments or {}), **more})

    def __call__(self, tool: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """The values of an answer that is no error."""
        answer = self.answer(tool, arguments, **more)
        assert not answer.error, answer.values
        return answer.values

    def refused(self, tool: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> str:
        """Why a call is refused."""
        answer = self.answer(tool, arguments, **more)
        assert answer.error, answer.values
        return str(answer.values.get("reason") or answer.values["message"])

    def approved(self, content: str, **more: Any) -> str:
        """Propose as an agent and approve as a person: the memory's id."""
        told = self("propose_memory", content=content, **more)
        assert told["status"] == "pending", told
        return self.decide(told["id"])

    def decide(self, proposal_id: str) -> str:
        store = open_store(self.location)
        try:
            return approve(store, proposal_id)  # type: ignore[arg-type]
        finally:
            store.close()

    def turn_down(self, proposal_id: str, reason: str) -> None:
        store = open_store(self.location)
        try:
            review.reject(store, shown(store, proposal_id).seen(), by=ADA, reason=reason)
        finally:
            store.close()

    def notes(self) -> str:
        """What stands in the notes beside the store, one a line, oldest first."""
        return "".join(path.read_text("utf-8") for path in files(self.location.notes))


def rig(template: Path, tmp_path: Path) -> Rig:
    """A rig on an empty store of its own."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    path = home / "meminbox.db"
    shutil.copy(template, path)
    path.chmod(0o600)
    return Rig(located(str(path), home), tmp_path / "work" / "shop")

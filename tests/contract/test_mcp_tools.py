"""The tools of the MCP server, called as an agent's model calls them: what they take, tell, and never do."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from store import given
from store.admit import MAX_CONTENT
from store.agents import offers, transcripts
from store.agents.answers import MOST_ANSWER, PREVIEW, cut
from store.engine import Store, open_store
from store.facts import Outcome
from store.location import Location
from store.models import DecisionRow, MemoryRow, ProposalRow
from store.queries import counts
from tests.contract.mcp_kit import Rig, rig
from tests.contract.proposing import count, rows, shown

MEMORY: Any = MemoryRow.__table__  # type: ignore[attr-defined]
PROPOSAL: Any = ProposalRow.__table__  # type: ignore[attr-defined]
DECISION: Any = DecisionRow.__table__  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No transcript is written here: nothing is gained by waiting for one."""
    monkeypatch.setattr(transcripts, "PATIENCE", 0.0)


@pytest.fixture
def agent(sqlite_template: Path, tmp_path: Path) -> Rig:
    return rig(sqlite_template, tmp_path)


def held(agent: Rig, table: Any = PROPOSAL) -> list[Any]:
    store = open_store(agent.location)
    try:
        return list(rows(store, table))
    finally:
        store.close()


# -- proposing


def test_the_whole_way_from_a_proposal_to_the_next_session(location: Location, tmp_path: Path) -> None:
    agent = Rig(location, tmp_path / "work" / "shop")
    told = agent(
        "propose_memory", content="Tests run with pytest -n0", key="build.test", evidence="用户说：跑测试加 -n0"
    )
    assert told["status"] == "pending"
    assert told["pending"] == 1
    assert agent("search_memory", query="pytest")["memories"] == []
    (waiting,) = agent("proposal_status", id=told["id"][-8:])["proposals"]
    assert waiting["status"] == "pending"
    memory = agent.decide(told["id"])
    (hit,) = agent("search_memory", query="how do the tests run? pytest")["memories"]
    assert (hit["id"], hit["content"], hit["truncated"]) == (memory, "Tests run with pytest -n0", False)
    assert "verified" in hit["age"]
    assert "Tests run with pytest -n0" in agent("get_profile")["profile"]
    (decided,) = agent("proposal_status", id=told["id"])["proposals"]
    assert decided["memory"] == memory
    assert decided["words"].startswith("approved on ")
    assert agent("propose_memory", content="Tests run with pytest -n0")["status"] == "known"


def test_what_the_server_saw_is_stored_as_seen_and_a_claim_of_it_is_refused(agent: Rig) -> None:
    agent("propose_memory", content="A fact")
    (row,) = held(agent)
    assert (row.source_agent, row.session_id, row.scope) == ("claude-code", "s1", agent.call().project.identity)
    for name in ("session_id", "source_agent", "source_ref"):
        assert "filled in by the server" in agent.refused("propose_memory", {"content": "Another", name: "mine"})
    assert "not for agents" in agent.refused("propose_memory", content="Another", source="manual")
    assert len(held(agent)) == 1


def test_numbers_and_lists_as_text_and_null_for_absent_are_taken_as_meant(agent: Rig) -> None:
    said = {"paths": '["a.py", "b.py"]', "aliases": "k8s", "confidence": "0.8", "key": None, "valid_until": ""}
    assert agent("propose_memory", {"content": "A fact", **said})["status"] == "pending"
    (row,) = held(agent)
    assert (row.paths, row.aliases, row.confidence, row.key) == (["a.py", "b.py"], ["k8s"], 0.8, None)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "content is missing"),
        ({"content": 123}, "a number"),
        ({"content": ["a"]}, "a list"),
        ({"content": "a\u0000b"}, "control character"),
        ({"content": "a\ud800"}, "half a character"),
        ({"content": "x" * (MAX_CONTENT + 1)}, "16,385 bytes"),
        ({"content": "a", "confidence": True}, "true or false"),
        ({"content": "a", "confidence": "high"}, "not a number"),
        ({"content": "a", "confidence": float("nan")}, "from 0 to 1"),
        ({"content": "a", "kind": "rule"}, "one of fact"),
        ({"content": "a", "approved": True}, "set by Meminbox"),
        ({"content": "a", "evil": 1}, "unknown field"),
        ({"content": "a", "op": "remove"}, "needs a target"),
        ({"op": "remove", "key": "no.such"}, "nothing to remove"),
    ],
)
def test_what_cannot_be_taken_is_refused_in_words(agent: Rig, said: dict[str, Any], why: str) -> None:
    answer = agent.answer("propose_memory", said)
    assert answer.error
    assert answer.values["status"] == "refused"
    assert why in answer.values["reason"]
    assert answer.values["pending"] == 0
    assert answer.as_text().encode()
    assert held(agent) == []


def test_a_batch_is_told_item_by_item_and_the_good_are_kept(agent: Rig) -> None:
    told = agent("propose_memories", memories=[{"content": "one"}, {"content": ""}, {"content": "two"}, 7, {"x": 1}])
    assert [(one["line"], one["status"]) for one in told["results"]] == [
        (1, "pending"),
        (2, "refused"),
        (3, "pending"),
        (4, "refused"),
        (5, "refused"),
    ]
    assert told["pending"] == 2
    assert "2 pending, 3 refused. 2 wait for review" in told["message"]
    assert {row.content for row in held(agent)} == {"one", "two"}


@pytest.mark.parametrize(
    "memories",
    [
        '[{"content": "one"}, {"content": "two"}]',
        '{"content": "one"}\n{"content": "two"}',
        'Here they are:\n```json\n[{"content": "one"},\n {"content": "two"}]\n```\n',
        ['{"content": "one"}', {"content": "two"}],
        ["one", "two"],
        '["one", {"content": "two"}]',
        [{"content": "one", "key": None}, {"content": "two"}],
    ],
)
def test_a_batch_in_any_shape_that_means_a_list(agent: Rig, memories: object) -> None:
    told = agent("propose_memories", memories=memories)
    assert [one["status"] for one in told["results"]] == ["pending", "pending"]
    assert {row.content for row in held(agent)} == {"one", "two"}


def test_a_batch_that_was_cut_keeps_what_was_whole(agent: Rig) -> None:
    told = agent("propose_memories", memories='[{"content": "one"}, {"content": "tw')
    assert [one["status"] for one in told["results"]] == ["pending", "refused"]


def test_a_batch_that_is_none_is_refused(agent: Rig) -> None:
    assert "one name memories" in agent.refused("propose_memories", content="one")
    assert "one name memories" in agent.refused("propose_memories", memories=[], extra=1)
    assert "empty" in agent.refused("propose_memories", memories=[])
    assert "empty" in agent.refused("propose_memories", memories=" ")


def test_a_batch_is_bounded_and_so_is_its_answer(agent: Rig) -> None:
    bad = {"content": "a", "kind": "k" * 400, "x" * 900: 1}
    answer = agent.answer("propose_memories", memories=[bad] * (offers.MOST_BATCH + 20))
    assert len(answer.values["results"]) == offers.MOST_BATCH + 1
    assert "at most 100 are taken" in answer.values["results"][-1]["reason"]
    assert len(answer.as_text()) <= MOST_ANSWER


def test_D026_every_answer_to_a_proposal_says_how_many_wait(agent: Rig) -> None:
    agent.at("other")("propose_memory", content="of another project")
    assert agent("propose_memory", content="one")["pending"] == 2
    assert agent("propose_memory", content="one")["pending"] == 2
    assert agent.answer("propose_memory", content="").values["pending"] == 2
    told = agent("propose_memories", memories=[{"content": "two"}, {"content": ""}])
    assert told["pending"] == 3
    assert "3 wait for review in `meminbox`" in told["message"]
    assert agent("proposal_status")["pending"] == 3
    assert agent("get_profile")["pending"] == 2


def test_D030_what_was_turned_down_is_answered_with_when_and_why(agent: Rig) -> None:
    told = agent("propose_memory", content="Always use tabs")
    agent.turn_down(told["id"], "we use spaces")
    again = agent("propose_memory", content="Always  use tabs")
    assert again["status"] == "rejected_before"
    assert "turned down on " in again["reason"]
    assert again["reason"].endswith("by ada: we use spaces")
    assert again["pending"] == 0
    assert "Do not propose it again" in again["message"]
    (row,) = agent("proposal_status", id=told["id"])["proposals"]
    assert row["words"].startswith("turned down on ")
    assert row["words"].endswith("by ada: we use spaces")


def test_D078_a_proposal_without_a_scope_is_for_the_project_and_global_is_said(agent: Rig) -> None:
    project = agent.call().project
    scopes = [None, "", "project", project.label, project.identity]
    for number, scope in enumerate(scopes):
        assert agent("propose_memory", content=f"fact {number}", scope=scope)["status"] == "pending"
    assert agent("propose_memory", content="everywhere", scope="global")["status"] == "pending"
    assert [row.scope for row in held(agent)] == [project.identity] * len(scopes) + ["global"]
    other = agent.at("other").call().project.identity
    for scope in (other, "*", "GLOBAL", 7):
        assert "scope" in agent.refused("propose_memory", content="elsewhere", scope=scope)


def test_D104_a_retry_is_the_same_proposal_and_other_text_under_its_key_is_refused(agent: Rig) -> None:
    first = agent("propose_memory", content="one", idempotency_key="k1")
    assert agent("propose_memory", content="one", idempotency_key="k1")["id"] == first["id"]
    assert agent("propose_memory", content="one")["id"] == first["id"]
    assert "used before" in agent.refused("propose_memory", content="two", idempotency_key="k1")
    (row,) = held(agent)
    assert row.content == "one"


def test_D104_a_retry_while_the_store_is_busy_is_told_the_same_id_and_other_text_is_refused(agent: Rig) -> None:
    """What is only in the spool yet counts as said: nobody is told "safe" of a text that will not be taken in."""
    held_open = open_store(agent.location)
    try:
        with held_open.write():
            first = agent("propose_memory", content="one", idempotency_key="k1")
            again = agent("propose_memory", content="one", idempotency_key="k1")
            assert "used before" in agent.refused("propose_memory", content="two", idempotency_key="k1")
            plain = agent("propose_memory", content="three")
            batch = agent("propose_memories", memories=[{"content": "four"}, {"content": "three"}])["results"]
            elsewhere = agent.at("other")("propose_memory", content="two", idempotency_key="k1")
    finally:
        held_open.close()
    assert first["status"] == again["status"] == plain["status"] == elsewhere["status"] == "spooled"
    assert again["id"] == first["id"]
    assert [one["status"] for one in batch] == ["spooled", "spooled"]
    assert batch[1]["id"] == plain["id"] != batch[0]["id"]
    agent("propose_memory", content="later")
    for told in (first, plain, batch[0]):
        (row,) = agent("proposal_status", id=told["id"])["proposals"]
        assert row["status"] == "pending"
    assert sorted(row.content for row in held(agent)) == ["four", "later", "one", "three", "two"]


# -- the fence


def test_D029_nothing_an_agent_calls_decides_anything(agent: Rig) -> None:
    memory = agent.approved("A rule", key="a.rule")
    told = agent("propose_memory", content="Another rule", key="a.rule")
    before = held(agent, MEMORY), held(agent, DECISION)
    for said in ({"status": "approved"}, {"approved_by": "mia"}, {"actor": "mia"}):
        agent.refused("propose_memory", {"content": "A third rule", "target": memory, **said})
    agent("propose_memory", op="remove", target=memory, content="I say so")
    agent("propose_memory", op="update", target=memory, content="Mine now")
    agent("propose_memories", memories=[{"op": "remove", "key": "a.rule"}])
    agent("proposal_status", id=told["id"])
    agent("report_evidence", memory=memory, kind="commit", ref="1a2b3c4")
    assert (held(agent, MEMORY), held(agent, DECISION)) == before
    named = {tool["name"] for tool in offers.TOOLS}
    assert not [one for one in named if any(word in one for word in ("approve", "reject", "delete", "expire", "undo"))]


# -- reading


def test_D096_an_empty_store_and_none_at_all_answer_at_once(agent: Rig, tmp_path: Path) -> None:
    nowhere = Rig(Location(None, tmp_path / "no" / "x.db", tmp_path / "no", "x.db"), tmp_path / "work" / "shop")
    for one in (agent, nowhere):
        assert one("search_memory", query="anything")["total"] == 0
        assert one("search_memory", id="abcdef12")["memories"] == []
        assert one("get_profile")["memories"] == 0
        assert one("get_profile", task="deploy")["memories"] == 0
        assert one("proposal_status")["proposals"] == []
        assert "No approved memory" in one.refused("report_evidence", memory="x.y", kind="test", ref="t")
    assert not (tmp_path / "no").exists()


def test_D102_ten_hits_of_20_KB_are_previews_and_the_whole_comes_by_id(agent: Rig) -> None:
    text = "deploy " + '换行\n"quoted" and more words ' * 500
    assert MAX_CONTENT - 1_000 < len(text.encode()) < MAX_CONTENT - 4
    said = [{"content": f"{number} {text}", "kind": "fact"} for number in range(12)]
    told = agent("propose_memories", memories=said)
    ids = [agent.decide(one["id"]) for one in told["results"]]
    answer = agent.answer("search_memory", query="deploy", limit=10)
    assert len(answer.as_text()) <= MOST_ANSWER
    shown_now = answer.values["memories"]
    assert len(shown_now) == 10
    assert all(one["truncated"] and len(one["content"]) <= PREVIEW for one in shown_now)
    assert answer.values["total"] == 12
    assert "2 more answer" in answer.values["message"]
    assert "gives the whole text" in answer.values["message"]
    (whole,) = agent("search_memory", id=ids[0])["memories"]
    assert whole["content"] == said[0]["content"]
    assert whole["truncated"] is False


def test_a_memory_is_had_by_its_id_its_end_or_its_key_and_by_no_other_arguments(agent: Rig) -> None:
    memory = agent.approved("Use uv", key="tools.uv", kind="fact")
    (proposal,) = [row.id for row in held(agent)]
    assert proposal != memory
    for token in (memory, memory[-8:], "tools.uv", proposal, proposal[-8:]):
        (hit,) = agent("search_memory", id=token)["memories"]
        assert hit["id"] == memory
    assert agent("search_memory", id="no.such")["message"].startswith("No approved memory")
    assert "Give a query" in agent.refused("search_memory")
    assert "Give a query" in agent.refused("search_memory", query="  ", id=None)
    assert "Not known here: scope" in agent.refused("search_memory", query="uv", scope="other")
    assert "limit must be" in agent.refused("search_memory", query="uv", limit="many")
    assert "limit must be" in agent.refused("search_memory", query="uv", limit=0)
    assert "kind is one of" in agent.refused("search_memory", query="uv", kind="rule")
    for limit in (1, "3", 5.0, 10**9, None, ""):
        assert agent("search_memory", query="uv", limit=limit)["total"] == 1
    assert agent("search_memory", query="uv", kind="decision")["total"] == 0
    assert agent("search_memory", query=17)["total"] == 0


def test_D068_an_agent_is_told_how_long_ago_a_memory_was_verified(agent: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = agent.approved("Deploy with make ship", key="deploy.how")
    monkeypatch.setitem(Store.__init__.__kwdefaults__, "now", lambda: datetime.now(UTC) + timedelta(days=150))
    for said in ({"query": "deploy"}, {"id": memory}, {"id": "deploy.how"}):
        (hit,) = agent("search_memory", said)["memories"]
        assert hit["age"] == "verified 5 months ago"


def test_the_profile_is_the_block_and_a_task_is_given_what_it_needs(agent: Rig) -> None:
    agent.approved("Deploy with make ship, never by hand", key="deploy.how")
    agent.approved("Reports are written in the active voice", kind="procedure")
    answer = agent.answer("get_profile")
    call = agent.call()
    assert answer.values["profile"] == given.profile(call.location, call.project, waiting=True).text
    assert answer.as_text() == answer.values["profile"]
    assert answer.values["memories"] == 2
    task = agent("get_profile", task="I am about to deploy the service")
    assert "make ship" in task["profile"]
    assert "active voice" not in task["profile"]


def test_every_hand_out_is_noted_with_its_session_before_it_is_told(agent: Rig) -> None:
    memory = agent.approved("Deploy with make ship", key="deploy.how")
    for tool, said in (("search_memory", {"query": "deploy"}), ("search_memory", {"id": memory}), ("get_profile", {})):
        before = len(agent.notes().splitlines())
        agent(tool, said)
        (note,) = [json.loads(line) for line in agent.notes().splitlines()[before:]]
        assert note["given"] == [[memory, 1]]
        assert (note["session_id"], note["agent"], note["surface"]) == ("s1", "claude-code", "mcp")


def test_what_bears_a_memory_out_is_noted_as_a_claim(agent: Rig) -> None:
    memory = agent.approved("Deploy with make ship", key="deploy.how")
    told = agent("report_evidence", memory="deploy.how", kind="test", ref="tests/test_ship.py::test_it")
    assert told["id"] == memory
    assert "your claim" in told["message"]
    note = json.loads(agent.notes().splitlines()[-1])
    assert (note["what"], note["memory_id"], note["kind"]) == ("claim", memory, "test")
    for said in ({"kind": "hope"}, {"ref": ""}, {"ref": "a\nb"}, {"ref": "x" * 300}, {"memory": None}, {"extra": 1}):
        agent.refused("report_evidence", {"memory": memory, "kind": "commit", "ref": "1a2b", **said})


def test_D077_nothing_of_another_project_is_seen_by_any_tool(agent: Rig) -> None:
    secret = "xyzzyplugh"
    memory = agent.approved(f"The word is {secret}", key="the.word", aliases=["magic"], paths=["cave/y2.py"])
    told = agent("propose_memory", content=f"Perhaps {secret} too", key="the.other")
    other = agent.at("other")
    answers = [
        other.answer("search_memory", query=secret),
        other.answer("search_memory", query="the.word"),
        other.answer("search_memory", query="magic"),
        other.answer("search_memory", query="cave/y2.py"),
        other.answer("search_memory", id=memory),
        other.answer("search_memory", id=memory[-8:]),
        other.answer("search_memory", id="the.word"),
        other.answer("get_profile"),
        other.answer("get_profile", task=secret),
        other.answer("proposal_status", id=told["id"]),
        other.answer("proposal_status", id=told["id"][-6:]),
        other.answer("report_evidence", memory=memory, kind="commit", ref="1a2b"),
    ]
    for answer in answers:
        assert secret not in answer.as_text()
        assert memory not in answer.as_text()
    assert memory not in other.notes()
    assert memory in agent("search_memory", query=secret)["memories"][0]["id"]


def test_proposals_are_found_by_session_and_by_the_end_of_an_id(agent: Rig) -> None:
    ids = [agent("propose_memory", content=f"fact {number}")["id"] for number in range(3)]
    agent.at("shop", session="s9")("propose_memory", content="of another session")
    found = agent("proposal_status")
    assert [one["id"] for one in found["proposals"]] == ids[::-1]
    assert found["message"].startswith("3 of this session.")
    assert "cannot be told" in agent.at("shop", session=None)("proposal_status")["message"]
    assert "No proposal" in agent("proposal_status", id="deadbeef")["message"]
    for said in ({"id": "zz"}, {"id": 7}, {"id": "abcd", "all": True}):
        agent.refused("proposal_status", said)


# -- trouble with the store


def test_D048_reading_neither_takes_nor_waits_for_the_write_lock(agent: Rig) -> None:
    agent.approved("Deploy with make ship", key="deploy.how")
    held_open = open_store(agent.location)
    try:
        with held_open.write():
            for _ in range(4):
                assert agent("search_memory", query="deploy")["total"] == 1
                assert agent("get_profile")["memories"] == 1
                assert agent("get_profile", task="deploy")["memories"] == 1
                assert agent("proposal_status")["pending"] == 0
            told = agent("propose_memory", content="said while it is busy")
        assert told["status"] == "spooled"
        assert "do not send it again" in told["message"]
        (waiting,) = agent("proposal_status", id=told["id"])["proposals"]
        assert waiting["status"] == "spooled"
    finally:
        held_open.close()
    assert agent("propose_memory", content="said later")["pending"] == 2


def test_where_nothing_can_be_kept_the_answer_says_so(agent: Rig) -> None:
    agent.location.spool.write_text("a file where the folder should be")
    assert "cannot be used" in agent.refused("propose_memory", content="lost")
    told = agent.answer("propose_memories", memories=[{"content": "lost"}])
    assert [one["status"] for one in told.values["results"]] == ["refused"]


# -- small things


def test_a_text_is_cut_between_signs() -> None:
    assert cut("abc", 3) == ("abc", False)
    assert cut("abcd", 3) == ("abc", True)
    assert cut("ab\u0301c", 2) == ("a", True)
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert cut("x" + family + "y", 3) == ("x", True)


def test_every_status_of_an_outcome_has_its_words(agent: Rig) -> None:
    from store.agents.answers import one_outcome

    for status in offers.TOOLS[0]["outputSchema"]["properties"]["status"]["enum"]:
        assert one_outcome(Outcome(1, status, reason="because"), 3).values["message"].startswith("Because. ")


def test_a_decision_is_seen_by_the_next_call(agent: Rig) -> None:
    memory = agent.approved("Deploy with make ship", key="deploy.how")
    store = open_store(agent.location)
    try:
        assert counts(store, None).memories == 1
        assert count(store, PROPOSAL) == 1
        assert shown(store, held(agent)[0].id).status == "approved"
    finally:
        store.close()
    assert agent("search_memory", id="deploy.how")["memories"][0]["id"] == memory

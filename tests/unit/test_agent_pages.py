"""The pages of the agents show exactly the lines that setup writes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import meminbox
from store.agents.roster import AGENTS, Agent, Ground, Scope
from store.agents.setup_plan import Wishes, plan

PAGES = Path(meminbox.__file__).resolve().parent / "store" / "agents" / "pages"
BLOCK = re.compile(r"In `([^`]+)`:\n\n```(?:json|toml)\n(.*?)```", re.DOTALL)
COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)
ARGV = {"user": ("/path/to/meminbox", "mcp"), "project": ("meminbox", "mcp")}


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return Ground(tmp_path, tmp_path / "project", {"PATH": str(program.parent)})


def written(agent: Agent, scope: Scope, ground: Ground) -> tuple[dict[str, str], list[str]]:
    """File as a page names it -> its whole text, and the commands, for an agent that has nothing yet."""
    made = plan([agent], Wishes(scope, ARGV[scope], ask=True, allow=True), ground)
    assert not made.by_hand
    home = str(ground.home if scope == "user" else ground.project)
    names = [str(edit.path).replace(home, "~" if scope == "user" else "").lstrip("/") for edit in made.edits]
    texts = [(edit.after or b"").decode() for edit in made.edits]
    return dict(zip(names, texts, strict=True)), [shlex.join(call.argv) for call in made.calls]


def page(agent: Agent) -> str:
    return (PAGES / f"{agent.name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_a_page_shows_what_is_written(agent: Agent, ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    shown = dict(BLOCK.findall(page(agent)))
    commands = [line for block in COMMANDS.findall(page(agent)) for line in block.splitlines()]
    user, calls = written(agent, "user", ground)
    assert {name: text for name, text in shown.items() if name.startswith("~")} == user
    assert commands == [f"meminbox setup {agent.name}", *calls]
    project, _ = written(agent, "project", ground)
    assert {name: text for name, text in shown.items() if not name.startswith("~")}.items() <= project.items()
    assert all(f"`{name}`" in page(agent) for name in project)


def test_every_agent_has_a_page_and_no_page_is_left_over() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {agent.name for agent in AGENTS}


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_an_option_that_a_page_names_exists(agent: Agent) -> None:
    from console.cli import command

    known = {option for parameter in command("setup").params for option in (*parameter.opts, *parameter.secondary_opts)}
    used = {word for call in re.findall(r"`(meminbox setup[^`]*)`", page(agent)) for word in call.split()}
    used |= set(re.findall(r"`(--[a-z]+)`", page(agent)))
    assert {word for word in used if word.startswith("--")} <= known

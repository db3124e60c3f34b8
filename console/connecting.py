"""``meminbox setup``: what would be changed is shown in full, asked about, done, and tried.

The changes and their differences go to stdout, questions and messages to stderr. What is written is worked out in
``store.agents.setup_plan``; here is the conversation about it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from console import terminal
from console.output import complain, print_json, say, say_line
from console.visible import visible
from store.agents.catalog import found, shown, state
from store.agents.roster import AGENTS, BY_NAME, SCOPES, Agent, Ground, Scope
from store.errors import Fenced, MeminboxError, UsageError
from store.location import present_folder

if TYPE_CHECKING:
    from store.agents.setup_plan import ByHand, Call, Edit, Plan, Wishes

ALSO: Final = {"claude": "claude-code", "gemini": "gemini-cli", "code": "vscode", "vs-code": "vscode"}
"""Other names that people give the agents."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What setup was asked to do, as the command line says it. None for ``ask`` and ``allow``: not said."""

    agents: tuple[str, ...] = ()
    everyone: bool = False
    scope: str = "user"
    ask: bool | None = None
    allow: bool | None = None
    remove: bool = False
    printed: str | None = None
    dry_run: bool = False
    yes: bool = False
    db: str | None = None


def run(asked: Asked) -> int:
    """Run ``meminbox setup`` and return its exit code: 0 done, 1 where something is left to do by hand."""
    if "git-hook" in asked.agents:
        from console import git_hook

        return git_hook.run(asked)
    scope = _scope(asked)
    _expect_no_agent(asked)
    ground = Ground(Path.home(), _project())
    if scope == "project" and ground.project is None:
        raise UsageError("This folder is your home, and no project.", todo="Go to a project's folder.")
    agents = _chosen(asked, ground)
    asked = _questions(asked, agents, ground)
    wishes = _wishes(asked, scope, ground)
    from store.agents.setup_plan import notes, plan

    made = plan(agents, wishes, ground)
    told = [*notes(agents, wishes, ground), *_warnings(agents, wishes, ground)]
    if asked.printed is not None:
        print_json(_as_json(made, scope, told))
        return 1 if made.by_hand else 0
    _show(made, ground)
    for note in told:
        say(note)
    if asked.dry_run:
        return 1 if made.by_hand else 0
    code = 1 if made.by_hand else 0
    if not made.empty:
        _agree(asked, made)
        code = max(code, _carry_out(made, ground))
    return code if wishes.remove else max(code, _try(agents, wishes, made, ground))


def _scope(asked: Asked) -> Scope:
    if asked.printed not in (None, "json"):
        raise UsageError(f"There is no form {asked.printed!r} to print in.", todo="Say --print json.")
    for scope in SCOPES:
        if asked.scope == scope:
            return scope
    raise UsageError(f"There is no scope {asked.scope!r}.", todo=f"One of: {', '.join(SCOPES)}.")


def _expect_no_agent(asked: Asked) -> None:
    """An agent may connect itself, but what spares its person a question is for the person to give."""
    around = terminal.agent_around()
    if around is not None and asked.allow:
        raise Fenced(
            f"This is the environment of {around}, and only a person allows.",
            kept="Nothing was changed.",
            todo="Run `meminbox setup` in a terminal of your own.",
        )


def _project() -> Path:
    from store.project import identify

    return identify(present_folder(), git=None).root


def _chosen(asked: Asked, ground: Ground) -> list[Agent]:
    """The agents that are meant: those named, else those found here (with --remove, any)."""
    if asked.agents and asked.everyone:
        raise UsageError("Either name agents or say --all.")
    names = list(dict.fromkeys(ALSO.get(name, name) for name in asked.agents))
    for name in names:
        if name not in BY_NAME:
            raise UsageError(f"No agent {name!r} is known.", todo=f"One of: {', '.join(BY_NAME)}.")
    if names:
        return [BY_NAME[name] for name in names]
    chosen = [agent for agent in AGENTS if asked.remove or found(agent, ground)]
    if not chosen:
        raise UsageError("No agent was found here.", todo=f"Name one to connect it all the same: {', '.join(BY_NAME)}.")
    return chosen


def _questions(asked: Asked, agents: Sequence[Agent], ground: Ground) -> Asked:
    """Ask a person what was not said and does not stand already; nobody else is asked, and nothing is assumed."""
    if asked.remove or asked.yes or asked.dry_run or asked.printed or not _may_ask():
        return asked
    states = [state(agent, ground) for agent in agents]
    if asked.ask is None and any(agent.events for agent in agents) and not any("stop" in one.hooks for one in states):
        say("At the end of a session that did real work, the agent can be asked once what is worth remembering.")
        asked = replace(asked, ask=_yes("Ask at session end what to remember?", otherwise=False))
    if asked.allow is None and any(one.allowed is False for one in states):
        say("No tool of Meminbox decides anything: agents can propose, search, and look at what was proposed.")
        asked = replace(asked, allow=_yes("Let them do so without asking you each time?", otherwise=True))
    return asked


def _may_ask() -> bool:
    return terminal.is_terminal(sys.stdin) and terminal.is_terminal(sys.stderr) and terminal.agent_around() is None


def _yes(question: str, *, otherwise: bool) -> bool:
    """A person's answer; the end of the input is a no."""
    print(visible(f"{question} [{'Y/n' if otherwise else 'y/N'}] "), end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    answer = line.strip().lower()
    return bool(line) and (answer in ("y", "yes") or (not answer and otherwise))


def _wishes(asked: Asked, scope: Scope, ground: Ground) -> Wishes:
    from store.agents.installed import passing, server_argv
    from store.agents.setup_plan import Wishes

    if scope == "user" and passing() and not (asked.remove or asked.dry_run or asked.printed):
        raise UsageError(
            "This installation is a passing one: what agents would start is gone tomorrow.",
            kept="Nothing was changed.",
            todo="Install it first: `uv tool install meminbox`, or `pipx install meminbox`.",
        )
    argv = ("meminbox", "mcp") if asked.remove else tuple(server_argv(scope, asked.db, ground.environ))
    return Wishes(scope, argv, asked.remove, asked.ask, asked.allow)


def _warnings(agents: Sequence[Agent], wishes: Wishes, ground: Ground) -> list[str]:
    if wishes.remove:
        return []
    told = [
        f"{agent.title} was not found here; its settings are written all the same."
        for agent in agents
        if not found(agent, ground)
    ]
    if wishes.scope == "project" and ground.program("meminbox") is None:
        told.append("`meminbox` is not on your path: for a project, everybody needs it there.")
    return told


def _show(made: Plan, ground: Ground) -> None:
    """Everything that would be done: the commands, and the difference of each file."""
    for call in made.calls:
        print(visible(f"run      {_spelled(call)}", multiline=False))
        print(visible(f"         (it changes {shown(call.path, ground.home)})", multiline=False))
    for edit in made.edits:
        print(visible(f"{_verb(edit):8} {_named(edit, ground)}", multiline=False))
        print("\n".join(f"    {visible(line, multiline=False)}" for line in difference(edit)))
    for one in made.by_hand:
        _show_by_hand(one, ground)
    if made.unchanged:
        print(f"as it is {', '.join(BY_NAME[name].title for name in made.unchanged)}")


def _show_by_hand(one: ByHand, ground: Ground) -> None:
    complain(f"{shown(one.path, ground.home)} is left alone: {one.why}.")
    if one.lines:
        say("  Mend it and run setup again, or add this by hand:")
        for line in one.lines.splitlines():
            say_line(f"    {line}")


def _named(edit: Edit, ground: Ground) -> str:
    """The file, and the one that is really written where the name, or a folder in it, is a link."""
    name = shown(edit.path, ground.home)
    real = shown(edit.real, Path(os.path.realpath(ground.home)))
    return name if real == name or edit.real == edit.path else f"{name} (a link to {real})"


def _verb(edit: Edit) -> str:
    return "new" if edit.before is None else "remove" if edit.after is None else "change"


def _spelled(call: Call) -> str:
    import shlex

    return shlex.join(call.argv)


def difference(edit: Edit) -> list[str]:
    """The lines of a file's difference, with two lines of what stands around each change."""
    before, after = ((side or b"").decode().splitlines() for side in (edit.before, edit.after))
    return list(unified_diff(before, after, n=2, lineterm=""))[2:]


def _as_json(made: Plan, scope: Scope, told: Sequence[str]) -> dict[str, Any]:
    calls = [
        {"agent": call.agent, "kind": "run", "argv": list(call.argv), "path": str(call.path)} for call in made.calls
    ]
    edits = [
        {"agent": edit.agent, "kind": _verb(edit), "path": str(edit.path), "diff": "\n".join(difference(edit))}
        for edit in made.edits
    ]
    hands = [{"agent": one.agent, "path": str(one.path), "why": one.why, "lines": one.lines} for one in made.by_hand]
    return {
        "schema_version": 1,
        "scope": scope,
        "changes": [*calls, *edits],
        "by_hand": hands,
        "unchanged": made.unchanged,
        "notes": list(told),
    }


def _agree(asked: Asked, made: Plan) -> None:
    """Raises UsageError where nobody says yes."""
    if asked.yes:
        return
    if not _may_ask():
        raise UsageError("Nobody is here to say yes.", kept="Nothing was changed.", todo="Say --yes.")
    parts = (_many(len(made.calls), "command"), _many(len(made.edits), "file"))
    if not _yes(f"Do this ({', '.join(part for part in parts if part)})?", otherwise=True):
        raise UsageError("Nothing was changed.")


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}" if count else ""


def _carry_out(made: Plan, ground: Ground) -> int:
    """Do what was shown. One thing that fails keeps nothing else from being done."""
    from store.agents.setup_apply import backup_folder, call, write

    code = 0
    backups = backup_folder(ground.environ)
    for one in made.calls:
        code = max(code, _told(lambda one=one: call(one, ground, ground.home)))
    for edit in made.edits:
        code = max(code, _told(lambda edit=edit: write(edit, backups)))
    if backups.is_dir():
        say(f"As they were before: {backups}")
    return code


def _told(do: Any) -> int:
    try:
        do()
    except MeminboxError as error:
        complain(error.what, kept=error.kept, todo=error.todo)
        return error.exit_code
    return 0


def _try(agents: Sequence[Agent], wishes: Wishes, made: Plan, ground: Ground) -> int:
    """Try what is connected now, and say what is left to do."""
    from store.agents import setup_check

    folder = ground.project or ground.home
    server = setup_check.server(wishes.argv, folder, ground.environ)
    say(server.said)
    works = server.works
    left_alone = {one.agent for one in made.by_hand}
    tried = [agent for agent in agents if agent.name not in left_alone]
    for agent in tried:
        said = []
        if agent.events:
            name = agent.events["session-start"]
            hook = setup_check.hook(wishes.argv, agent.name, name, folder, ground.environ)
            works &= hook.works
            said.append(hook.said)
        now = state(agent, ground)
        works &= now.connected
        head = "connected" if now.connected else "not connected"
        say(f"{agent.title}: {head}. {' '.join([*said, now.todo or _NEXT.get(agent.name, '')])}".rstrip())
    if works and tried:
        say("New sessions have it; `meminbox` opens the review.")
    return 0 if works else 1


_NEXT: Final = {
    "cursor": "Cursor asks once whether the server may run (Settings, MCP).",
    "vscode": "VS Code asks once whether the server is trusted (MCP: List Servers).",
}
"""What is left to a person where it cannot be read from the settings."""

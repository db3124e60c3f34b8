"""How far each agent is connected, told from the settings that the agents themselves write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from store.agents import codex_trust
from store.agents.catalog import AgentState, states
from store.agents.roster import BY_NAME, is_ours, our_group

HOOK = "hook session-start --agent"


class Place:
    """A home, a project and a path of their own, with ``meminbox`` on it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.bin = folder / "bin"
        for one in (self.home, self.project, self.bin):
            one.mkdir()
        self.environ = {"PATH": str(self.bin)}
        self.program("meminbox")

    def program(self, name: str) -> str:
        path = self.bin / name
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        return str(path)

    def write(self, name: str, value: Any) -> None:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))

    def state(self, name: str) -> AgentState:
        return next(one for one in states(self.home, self.project, self.environ) if one.name == name)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def hooks(agent: str, command: str = "meminbox", event: str = "SessionStart") -> dict[str, Any]:
    return {event: [{"hooks": [{"type": "command", "command": f"{command} {HOOK} {agent}", "timeout": 10}]}]}


def test_on_an_empty_machine_nothing_is_found_and_nothing_is_to_be_done(place: Place) -> None:
    for one in states(place.home, None, place.environ):
        assert (one.found, one.connected, one.command_works, one.hooks, one.todo) == (False, False, None, (), "")


def test_an_agent_that_is_there_may_be_connected(place: Place) -> None:
    place.program("codex")
    (place.home / ".cursor").mkdir()
    assert place.state("codex").todo == "`meminbox setup codex` connects it."
    assert place.state("cursor").found


def test_claude_code_with_everything(place: Place) -> None:
    place.program("claude")
    rules = BY_NAME["claude-code"].allow_rules()
    place.write(".claude.json", {"mcpServers": {"meminbox": {"command": "meminbox", "args": ["mcp"]}}})
    place.write(".claude/settings.json", {"hooks": hooks("claude-code"), "permissions": {"allow": rules}})
    one = place.state("claude-code")
    assert (one.connected, one.command_works, one.hooks, one.allowed) == (True, True, ("session-start",), True)
    assert (one.trusted, one.detail, one.todo) == (None, "~/.claude.json", "")


def test_a_folder_that_the_agent_moved_is_followed(place: Place, tmp_path: Path) -> None:
    place.environ["CLAUDE_CONFIG_DIR"] = str(tmp_path / "else")
    place.environ["CODEX_HOME"] = str(tmp_path / "codex")
    entry = {"command": "meminbox", "args": ["mcp"]}
    place.write("../else/.claude.json", {"mcpServers": {"meminbox": entry}})
    place.write("../codex/config.toml", '[mcp_servers.meminbox]\ncommand = "meminbox"\nargs = ["mcp"]\n')
    assert place.state("claude-code").connected
    assert place.state("codex").connected


def test_a_program_that_is_gone_is_told(place: Place) -> None:
    place.program("gemini")
    place.write(".gemini/settings.json", {"mcpServers": {"meminbox": {"command": "/gone/meminbox", "args": ["mcp"]}}})
    one = place.state("gemini-cli")
    assert one.command_works is False
    assert one.todo == "What it starts is not there: `meminbox setup gemini-cli` mends it."


def test_a_servers_of_our_name_that_is_not_ours_does_not_work(place: Place) -> None:
    place.write(".cursor/mcp.json", {"mcpServers": {"meminbox": {"command": "meminbox", "args": ["console"]}}})
    assert place.state("cursor").command_works is False


def test_missing_hooks_are_told(place: Place) -> None:
    place.program("codex")
    place.write(".codex/config.toml", '[mcp_servers.meminbox]\ncommand = "meminbox"\nargs = ["mcp"]\n')
    assert place.state("codex").todo == "Its hooks are not there: `meminbox setup codex` adds them."


@pytest.mark.parametrize(
    ("name", "file", "value"),
    [
        ("claude-code", ".claude/settings.json", {"disableAllHooks": True}),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
        ("codex", ".codex/config.toml", "enabled = false\n"),
        ("gemini-cli", ".gemini/settings.json", {"hooksConfig": {"enabled": False}}),
        ("gemini-cli", ".gemini/settings.json", {"mcp": {"excluded": ["meminbox"]}}),
    ],
)
def test_what_a_person_switched_off_is_told(place: Place, name: str, file: str, value: Any) -> None:
    place.program(BY_NAME[name].program)
    entry = {"command": "meminbox", "args": ["mcp"]}
    place.write(".claude.json", {"mcpServers": {"meminbox": entry}})
    place.write(".gemini/settings.json", {"mcpServers": {"meminbox": entry}})
    table = '[mcp_servers.meminbox]\ncommand = "meminbox"\nargs = ["mcp"]\n'
    place.write(file, table + value if isinstance(value, str) else {"mcpServers": {"meminbox": entry}, **value})
    assert file in place.state(name).todo


def codex(place: Place, *, trusted: str) -> AgentState:
    """Codex connected with one hook, and what its config.toml says of the hook's trust."""
    place.program("codex")
    held = hooks("codex")
    place.write(".codex/hooks.json", {"hooks": held})
    ((key, value),) = codex_trust.ours(f"{place.home}/.codex/hooks.json", held)
    state = trusted.format(key=key, value=value)
    place.write(".codex/config.toml", f'[mcp_servers.meminbox]\ncommand = "meminbox"\nargs = ["mcp"]\n{state}')
    return place.state("codex")


def test_codex_trusts_a_hook_by_its_hash(place: Place) -> None:
    assert codex(place, trusted='[hooks.state."{key}"]\ntrusted_hash = "{value}"\n').trusted is True
    assert codex(place, trusted='[hooks.state."{key}"]\ntrusted_hash = "{value}"\nenabled = false\n').trusted is False
    assert codex(place, trusted='[hooks.state."{key}"]\ntrusted_hash = "sha256:0"\n').trusted is False
    one = codex(place, trusted="")
    assert one.trusted is False
    assert one.todo == "Start `codex` here once, and trust the hooks of meminbox when it asks (/hooks)."


@pytest.mark.parametrize(
    ("event", "handler", "matcher", "expected"),
    [
        ("Stop", {"command": "/path/to/meminbox hook stop --agent codex", "timeout": 10}, None,
         "8353be9a0f9056448097651d5bb814d4dde2800371a91bb823e7962169dfe5e5"),
        ("SessionStart", {"command": "/path/to/meminbox hook session-start --agent codex"}, None,
         "fde456238b795a8719105f19fbd3c52af4f397c5ffc58e7d572d1be3ab1af6e5"),
        ("SessionStart", {"command": "'/päth to/meminbox' hook session-start", "timeout": 0, "statusMessage": "x",
         "additionalContextLimit": 12000}, "startup",
         "8ba3c40e3efaa89247857b3a62c1e2b9a5c4ad257424fc927213bbb181a98f9b"),
        ("SessionEnd", {"command": "/path/to/meminbox hook session-end --agent codex", "timeout": 10}, None,
         "6c4bb168ac30507565d0f7cebfb30cd5de053ebb3f80636b58632a8b767b0b4c"),
    ],
)  # fmt: skip
def test_the_hash_is_the_one_that_codex_named(
    event: str, handler: dict[str, Any], matcher: str | None, expected: str
) -> None:
    """The expected ones are what `codex app-server` of 0.171 answered to hooks/list."""
    assert codex_trust.fingerprint(event, handler, matcher) == f"sha256:{expected}"


@pytest.mark.parametrize(
    ("settings", "rules", "expected"),
    [
        ({}, {}, False),
        ({}, {"{project}": "TRUST_FOLDER"}, True),
        ({}, {"{project}": "DO_NOT_TRUST", "{parent}": "TRUST_FOLDER"}, False),
        ({}, {"{parent}": "TRUST_FOLDER"}, True),
        ({}, {"{project}": "TRUST_PARENT"}, True),
        ({}, {"{project}x": "TRUST_FOLDER"}, False),
        ({"security": {"folderTrust": {"enabled": False}}}, {}, True),
    ],
)
def test_gemini_trusts_a_folder_by_its_rules(
    place: Place, settings: dict[str, Any], rules: dict[str, str], expected: bool
) -> None:
    entry = {"command": "meminbox", "args": ["mcp"]}
    place.write(".gemini/settings.json", {**settings, "mcpServers": {"meminbox": entry}, "hooks": hooks("gemini-cli")})
    said = {path.format(project=place.project, parent=place.project.parent): level for path, level in rules.items()}
    place.write(".gemini/trustedFolders.json", said)
    assert place.state("gemini-cli").trusted is expected


def test_a_projects_server_waits_for_its_approval_in_claude_code(place: Place) -> None:
    entry = {"command": "meminbox", "args": ["mcp"]}
    place.write("../project/.mcp.json", {"mcpServers": {"meminbox": entry}})
    assert place.state("claude-code").trusted is False
    place.write("../project/.claude/settings.local.json", {"enabledMcpjsonServers": ["meminbox"]})
    assert place.state("claude-code").trusted is True


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"mcpServers": []}',
        "[1]",
        '{"mcpServers": {"meminbox": 1}}',
        '{"hooks": {"SessionStart": [1, {}]}}',
        "\udcff",
    ],
)
def test_a_file_of_any_shape_is_told_and_nothing_falls_over(place: Place, text: str) -> None:
    for name in (
        ".claude.json",
        ".claude/settings.json",
        ".gemini/settings.json",
        ".codex/hooks.json",
        ".cursor/mcp.json",
    ):
        place.write(name, "")
        (place.home / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    told = states(place.home, place.project, place.environ)
    assert len(told) == 5
    if text in ("{", "\udcff"):
        broken = next(one for one in told if one.name == "cursor")
        assert (broken.connected, broken.todo) == (False, "Mend that file.")
        assert ".cursor/mcp.json" in broken.detail


def test_what_runs_us_is_known_however_it_is_started() -> None:
    assert is_ours(["/x/meminbox", "mcp"], "mcp")
    assert is_ours(["/x/python", "-P", "/y/meminbox.py", "mcp", "--db", "z"], "mcp")
    assert is_ours(["uvx", "meminbox", "mcp"], "mcp")
    assert not is_ours(["/x/other", "mcp"], "mcp")
    assert not is_ours(["/x/meminbox", "propose", "mcp"], "mcp")
    assert our_group({"hooks": [{"command": "'/a b/meminbox' hook stop"}]})
    assert not our_group({"hooks": [{"command": "meminbox hook stop"}, {"command": "lint"}]})
    assert not our_group({"hooks": [{"command": "echo 'unclosed"}]})

"""``meminbox setup``: shows what it would change, changes only its own entries, and takes them away again."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from store.agents import setup_apply, setup_check
from store.agents.catalog import states
from store.agents.roster import AGENTS, Ground
from store.agents.setup_plan import Wishes, plan
from store.errors import Conflict
from tests.cli_kit import Cli, Ran

NAMES = [agent.name for agent in AGENTS]
FOLDERS = (".claude", ".codex", ".gemini", ".cursor", ".config/Code")
CLAUDE = """#!/bin/sh
echo "$@" >> "$HOME/claude-calls"
"""


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A command line whose home has a folder of every agent, with none of the agents themselves on the path."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "GEMINI_CLI_TRUSTED_FOLDERS_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    (tmp_path / "bin").mkdir()
    home = tmp_path / "home"
    made = Cli(home, tmp_path / "project", {"PATH": str(tmp_path / "bin"), "HOME": str(home), "XDG_CONFIG_HOME": ""})
    (made.folder / ".git").mkdir()
    for folder in FOLDERS:
        (home / folder).mkdir(parents=True)
    return made


@pytest.fixture(autouse=True)
def untried(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Nothing is started to try it, but where a test is about that."""
    if "real" not in request.keywords:
        monkeypatch.setattr(
            setup_check, "server", lambda *_: setup_check.Checked("server", True, "The server answers.")
        )
        monkeypatch.setattr(setup_check, "hook", lambda *_: setup_check.Checked("hook", True, "The hook runs."))


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but the copies that setup keeps."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "settings-before" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def read(cli: Cli, name: str) -> Any:
    return json.loads((cli.home / name).read_text())


def done(ran: Ran) -> Ran:
    assert ran.code == 0, ran.err
    return ran


def test_what_is_shown_is_what_is_written_and_a_second_run_changes_nothing(cli: Cli) -> None:
    shown = done(cli("setup", "--all", "--ask", "--dry-run"))
    assert files(cli.home) == {}
    written = done(cli("setup", "--all", "--ask", "--yes"))
    assert written.out == shown.out
    state = files(cli.home)
    assert set(state) == {
        ".claude.json",
        ".claude/settings.json",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".cursor/mcp.json",
        ".config/Code/User/mcp.json",
    }
    again = done(cli("setup", "--yes"))
    assert again.out == "as it is Claude Code, Codex, Gemini CLI, Cursor, VS Code\n"
    assert files(cli.home) == state


def test_what_is_written_is_what_the_catalog_finds(cli: Cli) -> None:
    done(cli("setup", "--all", "--ask", "--allow", "--yes"))
    told = {one.name: one for one in states(cli.home, None, {"PATH": cli.env["PATH"]})}
    assert all(one.connected and one.command_works for one in told.values())
    assert told["gemini-cli"].hooks == told["claude-code"].hooks == ("session-start", "stop", "session-end")
    assert told["codex"].trusted is False
    assert told["claude-code"].allowed
    assert told["gemini-cli"].allowed


def test_everything_goes_again_and_what_a_person_had_stays_byte_for_byte(cli: Cli) -> None:
    before = {
        ".claude/settings.json": '{"model": "x",\n  "hooks": {"Stop": [{"hooks": [{"command": "lint"}]}]}}\n',
        ".codex/config.toml": '# mine\n[mcp_servers.other]\ncommand = "x" # keep\n',
        ".gemini/settings.json": '{\n\t// my theme\n\t"ui": {"theme": "GitHub"} // keep\n}',
        ".cursor/mcp.json": '{\r\n  "mcpServers": {\r\n    "other": {"command": "x"}\r\n  }\r\n}\r\n',
    }
    for name, text in before.items():
        (cli.home / name).write_bytes(text.encode())
    done(cli("setup", "--all", "--ask", "--allow", "--yes"))
    assert len(files(cli.home)) == 7
    gone = done(cli("setup", "--remove", "--yes"))
    assert files(cli.home) == {name: text.encode() for name, text in before.items()}
    assert "remove   ~/.claude.json" in gone.out


def test_the_stop_hook_is_there_only_after_a_yes_and_goes_after_a_no(cli: Cli) -> None:
    done(cli("setup", "claude", "--yes"))
    assert set(read(cli, ".claude/settings.json")) == {"hooks"}
    assert set(read(cli, ".claude/settings.json")["hooks"]) == {"SessionStart", "SessionEnd"}
    done(cli("setup", "claude", "--yes", "--ask"))
    done(cli("setup", "claude", "--yes"))
    assert set(read(cli, ".claude/settings.json")["hooks"]) == {"SessionStart", "SessionEnd", "Stop"}
    done(cli("setup", "claude", "--yes", "--no-ask"))
    assert set(read(cli, ".claude/settings.json")["hooks"]) == {"SessionStart", "SessionEnd"}


def test_the_rules_go_after_a_no_and_other_rules_stay(cli: Cli) -> None:
    (cli.home / ".claude/settings.json").write_text('{"permissions": {"allow": ["Bash(ls)"]}}')
    done(cli("setup", "claude", "gemini", "--yes", "--allow"))
    assert len(read(cli, ".claude/settings.json")["permissions"]["allow"]) == 7
    assert read(cli, ".gemini/settings.json")["mcpServers"]["meminbox"]["trust"] is True
    done(cli("setup", "claude", "gemini", "--yes", "--no-allow"))
    assert read(cli, ".claude/settings.json")["permissions"] == {"allow": ["Bash(ls)"]}
    assert "trust" not in read(cli, ".gemini/settings.json")["mcpServers"]["meminbox"]


def test_a_person_is_asked_and_a_no_changes_nothing(cli: Cli) -> None:
    ran = cli.person("setup", "claude", typed="n\n\nn\n")
    assert ran.code == 2
    assert "Ask at session end what to remember? [y/N]" in ran.err
    assert "Let them do so without asking you each time? [Y/n]" in ran.err
    assert ran.err.endswith("Do this (2 files)? [Y/n] meminbox: Nothing was changed.\n")
    assert files(cli.home) == {}
    done(cli.person("setup", "claude", typed="y\nn\n\n"))
    assert set(read(cli, ".claude/settings.json")) == {"hooks"}
    assert "Stop" in read(cli, ".claude/settings.json")["hooks"]
    assert cli.person("setup", "codex", typed="").code == 2


def test_without_a_person_or_a_yes_nothing_is_done(cli: Cli) -> None:
    ran = cli("setup", "--all")
    assert (ran.code, files(cli.home)) == (2, {})
    assert "Say --yes." in ran.err


def test_an_agent_may_connect_itself_but_spares_nobody_a_question(cli: Cli) -> None:
    around = {"CLAUDECODE": "1"}
    assert cli("setup", "claude", "--allow", "--yes", env=around).code == 2
    assert files(cli.home) == {}
    done(cli("setup", "claude", "--yes", env=around))


def test_the_changes_as_json(cli: Cli) -> None:
    said = done(cli("setup", "codex", "--print", "json")).json
    assert [one["path"] for one in said["changes"]] == [
        f"{cli.home}/.codex/config.toml",
        f"{cli.home}/.codex/hooks.json",
    ]
    assert "+[mcp_servers.meminbox]" in said["changes"][0]["diff"].splitlines()
    assert files(cli.home) == {}
    assert cli("setup", "codex", "--print", "yaml").code == 2


def test_a_file_that_cannot_be_read_is_never_rewritten_and_the_lines_are_told(cli: Cli) -> None:
    for name, text in ((".cursor/mcp.json", '{"mcpServers": {,}}'), (".codex/config.toml", "= 1\n")):
        (cli.home / name).write_text(text)
    before = files(cli.home)
    ran = cli("setup", "cursor", "codex", "--yes")
    assert ran.code == 1
    assert {name: files(cli.home)[name] for name in before} == before
    assert (
        "~/.cursor/mcp.json is left alone: it cannot be read: A value is expected here (line 1, column 17)" in ran.err
    )
    assert '"command": ' in ran.err
    assert "[mcp_servers.meminbox]" in ran.err
    assert read(cli, ".codex/hooks.json")["hooks"]
    assert "New sessions have it" not in ran.out


def test_what_is_no_plain_file_is_not_waited_for(cli: Cli) -> None:
    os.mkfifo(cli.home / ".cursor/mcp.json")
    (cli.home / ".codex/hooks.json").mkdir()
    ran = cli("setup", "cursor", "codex", "--yes")
    assert ran.code == 1
    assert "it cannot be read (It is no plain file)" in ran.err
    assert states(cli.home, None, cli.env)[3].todo == "Mend that file."


def test_a_server_of_our_name_that_setup_did_not_write_is_left_alone(cli: Cli) -> None:
    (cli.home / ".cursor/mcp.json").write_text('{"mcpServers": {"meminbox": {"url": "http://127.0.0.1:1"}}}')
    before = files(cli.home)
    for arguments in (("setup", "cursor", "--yes"), ("setup", "cursor", "--remove", "--yes")):
        ran = cli(*arguments)
        assert (ran.code, files(cli.home)) == (1, before)
        assert "a server that setup did not write" in ran.err


def test_a_hook_in_a_group_with_others_is_left_to_its_person(cli: Cli) -> None:
    mixed = {"hooks": [{"command": "lint"}, {"command": "meminbox hook stop"}]}
    (cli.home / ".claude/settings.json").write_text(json.dumps({"hooks": {"Stop": [mixed]}}))
    before = (cli.home / ".claude/settings.json").read_bytes()
    ran = cli("setup", "claude", "--yes", "--ask")
    assert ran.code == 1
    assert "together with something else" in ran.err
    assert (cli.home / ".claude/settings.json").read_bytes() == before


def test_what_a_person_changed_in_our_entries_stays(cli: Cli) -> None:
    done(cli("setup", "gemini", "--yes"))
    path = cli.home / ".gemini/settings.json"
    path.write_text(path.read_text().replace("10000", "500").replace('"args"', '"env": {"A": "1"}, "args"'))
    before = path.read_bytes()
    assert done(cli("setup", "gemini", "--yes")).out == "as it is Gemini CLI\n"
    assert path.read_bytes() == before


def test_links_modes_and_a_copy_are_kept(cli: Cli) -> None:
    dots = cli.home / "dots"
    dots.mkdir()
    (dots / "mcp.json").write_text("{}\n")
    (dots / "mcp.json").chmod(0o640)
    (cli.home / ".cursor/mcp.json").symlink_to("../dots/mcp.json")
    ran = done(cli("setup", "cursor", "vscode", "--yes"))
    assert (cli.home / ".cursor/mcp.json").is_symlink()
    assert stat.S_IMODE((dots / "mcp.json").stat().st_mode) == 0o640
    assert "meminbox" in (dots / "mcp.json").read_text()
    assert [path.name for path in dots.iterdir()] == ["mcp.json"]
    new = cli.home / ".config/Code/User/mcp.json"
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    (copies,) = (cli.home / "settings-before").iterdir()
    assert [(path.name, path.read_text()) for path in copies.iterdir()] == [("cursor-mcp.json", "{}\n")]
    assert str(copies) in ran.err
    assert "change   ~/.cursor/mcp.json (a link to ~/dots/mcp.json)" in ran.out


def test_a_change_of_somebody_elses_between_look_and_write_is_not_written_over(cli: Cli) -> None:
    path = cli.home / ".cursor/mcp.json"
    ground = Ground(cli.home, cli.folder, {"PATH": cli.env["PATH"]})
    (edit,) = plan([AGENTS[3]], Wishes("user", ("meminbox", "mcp")), ground).edits
    path.write_text("{}")
    with pytest.raises(Conflict):
        setup_apply.write(edit, cli.home / "before")
    assert path.read_text() == "{}"
    assert [one.name for one in path.parent.iterdir()] == ["mcp.json"]


def test_one_file_that_cannot_be_written_keeps_the_others_from_nothing(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = setup_apply._replace

    def meddled(edit: Any, data: bytes) -> None:
        if edit.agent == "cursor":
            edit.real.write_text('{"changed": 1}')
        real(edit, data)

    monkeypatch.setattr(setup_apply, "_replace", meddled)
    ran = cli("setup", "--all", "--yes")
    assert ran.code == 4
    assert "changed by somebody else" in ran.err
    assert read(cli, ".cursor/mcp.json") == {"changed": 1}
    assert read(cli, ".config/Code/User/mcp.json")["servers"]["meminbox"]


def test_a_file_that_its_person_made_read_only_is_not_replaced(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cli.home / ".cursor/mcp.json"
    path.write_text("{}\n")
    monkeypatch.setattr("store.files.may_write", lambda one: one != path)
    ran = cli("setup", "cursor", "--yes")
    assert ran.code == 1
    assert "it is not to be written" in ran.err
    assert path.read_text() == "{}\n"


def test_a_link_that_leads_nowhere_stays(cli: Cli) -> None:
    (cli.home / ".cursor/mcp.json").symlink_to("../gone/mcp.json")
    ran = cli("setup", "cursor", "--yes")
    assert ran.code == 1
    assert "the link leads to a folder that is not there" in ran.err
    assert not (cli.home / "gone").exists()


def test_claude_codes_own_command_writes_its_server(cli: Cli) -> None:
    program = Path(cli.env["PATH"]) / "claude"
    program.write_text(CLAUDE)
    program.chmod(0o755)
    calls = cli.home / "claude-calls"
    ran = cli("setup", "claude", "--yes")
    assert calls.read_text().startswith("mcp add meminbox --scope user -- ")
    assert ran.code == 1, "the stand-in wrote nothing, so the agent is not connected"
    assert "Claude Code: not connected." in ran.err
    calls.unlink()
    entry = {"command": "/old/meminbox", "args": ["mcp"]}
    (cli.home / ".claude.json").write_text(json.dumps({"mcpServers": {"meminbox": entry}}))
    cli("setup", "claude", "--yes")
    first, second = calls.read_text().splitlines()
    assert first == "mcp remove meminbox --scope user"
    assert second.startswith("mcp add meminbox")
    program.write_text("#!/bin/sh\necho broken >&2; exit 3\n")
    ran = cli("setup", "claude", "--remove", "--yes")
    assert ran.code == 1
    assert "`claude mcp remove meminbox --scope user` failed: broken" in ran.err


def test_a_project_gets_plain_names_and_files_that_its_people_can_read(cli: Cli) -> None:
    ran = done(cli("setup", *NAMES, "--scope", "project", "--yes"))
    assert files(cli.home) == {}
    assert set(files(cli.folder)) == {
        ".mcp.json",
        ".claude/settings.json",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".cursor/mcp.json",
        ".vscode/mcp.json",
    }
    said = json.loads((cli.folder / ".vscode/mcp.json").read_text())["servers"]["meminbox"]
    assert (said["command"], said["args"]) == ("meminbox", ["mcp", "--project", "${workspaceFolder}"])
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((cli.folder / ".mcp.json").stat().st_mode) == 0o666 & ~umask
    assert str(cli.home) not in "".join(path.read_text() for path in cli.folder.rglob("*") if path.is_file())
    assert "everybody needs it there" in ran.err
    done(cli("setup", "--scope", "project", "--remove", "--yes"))
    assert files(cli.folder) == {}


def test_being_connected_in_both_scopes_is_told(cli: Cli) -> None:
    done(cli("setup", "cursor", "--yes"))
    ran = done(cli("setup", "cursor", "--scope", "project", "--yes"))
    assert "`meminbox setup cursor --scope user --remove` takes that away." in ran.err


def test_a_store_elsewhere_is_named_in_what_is_written(cli: Cli, tmp_path: Path) -> None:
    done(cli("setup", "codex", "--yes", "--db", str(tmp_path / "a b.db")))
    assert f'"--db", "{tmp_path}/a b.db"]' in (cli.home / ".codex/config.toml").read_text()
    hook = read(cli, ".codex/hooks.json")["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    assert hook.endswith(f"hook session-start --agent codex --db '{tmp_path}/a b.db'")


@pytest.mark.parametrize("url", ["postgresql://me:geheim@host/db", "postgresql://host/db?password=geheim"])
def test_a_password_is_written_nowhere(cli: Cli, url: str) -> None:
    ran = cli("setup", "codex", "--yes", "--db", url)
    assert (ran.code, files(cli.home)) == (2, {})
    assert "geheim" not in ran.err
    done(cli("setup", "codex", "--yes", "--db", "postgresql://me@host/db"))


@pytest.mark.parametrize(
    "arguments",
    [("nobody",), ("claude", "--all"), ("--scope", "team"), ("--scope", "local", "codex")],
)
def test_a_call_that_is_not_understood_changes_nothing(cli: Cli, arguments: tuple[str, ...]) -> None:
    assert cli("setup", *arguments, "--yes").code == 2
    assert files(cli.home) == {}


def test_where_no_agent_is_found_it_says_which_there_are(cli: Cli) -> None:
    for folder in FOLDERS:
        (cli.home / folder).rmdir()
    ran = cli("setup", "--all", "--yes")
    assert ran.code == 2
    assert all(name in ran.err for name in NAMES)
    ran = done(cli("setup", "cursor", "--yes"))
    assert "Cursor was not found here; its settings are written all the same." in ran.err


def test_a_passing_installation_is_not_written_down(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.agents.installed.passing", lambda: True)
    ran = cli("setup", "codex", "--yes")
    assert (ran.code, files(cli.home)) == (2, {})
    assert "uv tool install meminbox" in ran.err


def test_setting_up_opens_and_makes_no_store(cli: Cli) -> None:
    done(cli("setup", "--all", "--yes"))
    assert not cli.db.exists()


def test_hostile_words_in_a_settings_file_cannot_move_the_terminal(cli: Cli) -> None:
    (cli.home / ".cursor/mcp.json").write_text('{"mcpServers": {"\u202eevil": {"command": "\u009b31m"}}}')
    ran = done(cli("setup", "cursor", "--dry-run"))
    assert "⟨U+202E⟩" in ran.out
    assert "\u202e" not in ran.out + ran.err


def test_what_fails_when_it_is_tried_is_an_exit_code(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = setup_check.Checked("hook", False, "The hook ended with 1.")
    monkeypatch.setattr(setup_check, "hook", lambda *_: failed)
    ran = cli("setup", "codex", "--yes")
    assert ran.code == 1
    assert "Codex: connected. The hook ended with 1." in ran.err

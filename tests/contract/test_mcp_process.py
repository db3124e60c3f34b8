"""The MCP server as a process: what goes over its pipes, how it starts, and how it goes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import meminbox
from store.agents import offers
from tests.cli_kit import Cli

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "2.1"}}
PATIENCE = 60


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home", tmp_path / "work" / "shop")


def asked(method: str, number: object = None, params: Any = None) -> bytes:
    said = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps({name: value for name, value in said.items() if value is not None}).encode() + b"\n"


def called(tool: str, number: int, **arguments: Any) -> bytes:
    return asked("tools/call", number, {"name": tool, "arguments": arguments})


STARTED = asked("initialize", 1, HELLO) + asked("notifications/initialized")


class Server:
    """A server that runs: its answers by id, and every line that it ever wrote."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        self.child, self.stdin, self.stdout = child, child.stdin, child.stdout
        self.lines: list[Any] = []

    def say(self, *messages: bytes) -> None:
        self.stdin.write(b"".join(messages))
        self.stdin.flush()

    def next(self) -> Any:
        line = self.stdout.readline()
        assert line, "the server has gone"
        self.lines.append(json.loads(line))
        assert self.lines[-1]["jsonrpc"] == "2.0"
        return self.lines[-1]

    def answer(self, number: object) -> Any:
        while not any(one.get("id") == number for one in self.lines):
            self.next()
        return next(one for one in self.lines if one.get("id") == number)

    def rest(self) -> bytes:
        """Close stdin, wait until it has gone, and give what it said meanwhile."""
        self.stdin.close()
        said = self.stdout.read()
        self.child.wait(timeout=PATIENCE)
        return said


@contextmanager
def serving(cli: Cli, *arguments: str, **env: str) -> Iterator[Server]:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = meminbox.command("mcp", *arguments)
    with subprocess.Popen(command, cwd=cli.folder, env={**cli.env, **env}, **pipes) as child:
        try:
            yield Server(child)
        finally:
            if child.poll() is None:
                child.kill()


def test_D098_D099_nothing_but_json_rpc_is_written_and_the_first_answers_need_no_sdk(cli: Cli) -> None:
    """A fresh store, every warning on, messages in one write, broken ones among them."""
    with serving(cli, PYTHONWARNINGS="always") as it:
        it.say(asked("server/discover", "probe"), STARTED, asked("tools/list", 2), asked("prompts/list", 3))
        assert it.answer("probe")["error"]["code"] == -32601
        assert it.answer(1)["result"] == offers.initialized("2025-11-25")
        assert it.answer(2)["result"] == {"tools": list(offers.TOOLS)}
        assert it.answer(3)["result"]["prompts"][0]["name"] == "review_session"
        it.say(
            b"not json\n",
            b"\xff\xfe\n",
            b"[1, 2]\n",
            b"\n",
            b'{"jsonrpc": "1.0", "id": 4, "method": "ping"}\n',
            b'{"jsonrpc": "2.0", "id": true, "method": "ping"}\n',
            asked("tools/call", 5, {"name": "propose_memory", "arguments": "x"}),
            b'{"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": '
            b'{"name": "propose_memory", "arguments": {"content": "a", "content": "b"}}}\n',
            b"[" * 100_000 + b"\n",
            b'{"x": "' + b"y" * (9 * 1024 * 1024) + b'"}\n',
            called("propose_memory", 7, content="\ud800"),
            called("propose_memory", 8, content="Said in Chinese: 提交前先跑测试", key="test.first"),
        )
        assert it.answer(4)["error"]["code"] == -32600
        assert it.answer(5)["error"]["code"] == -32602
        twice = it.answer(6)
        assert "more than once" in json.dumps(twice)
        assert "half a character" in it.answer(7)["result"]["structuredContent"]["reason"]
        assert it.answer(8)["result"]["structuredContent"]["status"] == "pending"
        it.say(called("search_memory", 9, query="测试"))
        assert it.answer(9)["result"]["structuredContent"]["total"] == 0
        codes = [one["error"]["code"] for one in it.lines if one.get("id") is None]
        assert codes.count(-32700) == 3
        assert codes.count(-32600) == 3
        # What the client says is named in answers; half a character of it must not end the server.
        for number, half in enumerate(("a\ud800", "b\udfff")):
            it.say(
                asked("ping", half), asked(f"x/{half}", 20 + number), called("search_memory", 30 + number, **{half: 1})
            )
            assert "result" in it.answer(half)
            assert it.answer(20 + number)["error"]["code"] == -32601
            assert it.answer(30 + number)["result"]["isError"] is True
        it.say(called("no\ud800", 40), asked("resources/read", 41, {"uri": "meminbox://memory/\ud800"}))
        assert "error" in it.answer(40)
        assert "error" in it.answer(41)
        # A call already made is answered after stdin has closed (D100).
        it.say(called("propose_memory", 10, content="said with the last breath"))
        (last,) = it.rest().splitlines()
        assert json.loads(last)["id"] == 10
        assert it.child.returncode == 0
    answered = [one["id"] for one in it.lines if one.get("id") is not None]
    assert len(answered) == len(set(answered)), "a request was answered twice"
    assert [one["content"] for one in cli.waiting()] == ["said with the last breath", "Said in Chinese: 提交前先跑测试"]


def test_D098_what_anything_else_prints_goes_to_stderr_and_what_it_reads_is_nothing() -> None:
    code = textwrap.dedent(
        """
        import os, sys
        from store.agents.stdio import Wire
        wire = Wire(lambda message: (None, message))
        print("printed")
        sys.stdout.flush()
        os.write(1, b"written")
        os.system("echo of a child")
        assert sys.stdin.read() == ""
        wire.send("{}")
        """
    )
    root = Path(meminbox.__file__).parent
    told = subprocess.run([sys.executable, "-c", code], cwd=root, input=b"{}", capture_output=True, timeout=PATIENCE)
    assert told.stdout == b"{}\n"
    assert told.stderr.split() == [b"printed", b"writtenof", b"a", b"child"]


def test_D100_with_nobody_at_the_other_end_it_is_gone_at_once(cli: Cli) -> None:
    assert cli.child("mcp").returncode == 0
    without = f"exec {' '.join(meminbox.command('mcp'))} <&- "
    closed = subprocess.run(["sh", "-c", without], cwd=cli.folder, env=cli.env, capture_output=True, timeout=PATIENCE)
    assert (closed.returncode, closed.stdout, closed.stderr) == (0, b"", b"")
    deaf = subprocess.Popen(
        meminbox.command("mcp"), cwd=cli.folder, env=cli.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert deaf.stdin is not None
    assert deaf.stdout is not None
    with deaf, deaf.stdin:
        deaf.stdout.close()
        deaf.stdin.write(STARTED)
        deaf.stdin.flush()
        assert deaf.wait(timeout=PATIENCE) == 0


@pytest.mark.long
def test_D100_what_was_asked_with_the_last_breath_is_answered_or_said_to_be_left(cli: Cli) -> None:
    """Stdin ends before the server has its imports: it is gone in time all the same, and no call is lost unsaid."""
    said = STARTED + called("propose_memory", 2, content="said at the door")
    ran = cli.child("mcp", input=said)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 0
    assert lines[0]["id"] == 1
    told = next((one for one in lines if one["id"] == 2), None)
    assert told is not None or b"calls left unanswered, because their client had gone: 1" in ran.stderr
    assert cli.waiting() or told is None or "error" in told


def test_D100_a_parent_killed_takes_its_server_along_though_another_holds_the_pipe(cli: Cli) -> None:
    """The write end of stdin stays open in this process, so that only the parent's death can tell."""
    parent = textwrap.dedent(
        """
        import subprocess, sys
        child = subprocess.Popen(sys.argv[2:], stdin=int(sys.argv[1]))
        print(child.pid, flush=True)
        child.wait()
        """
    )
    reading, writing = os.pipe()
    answers, said = os.pipe()
    try:
        starter = subprocess.Popen(
            [sys.executable, "-c", parent, str(reading), *meminbox.command("mcp")],
            cwd=cli.folder,
            env=cli.env,
            pass_fds=(reading,),
            stdout=said,
        )
        os.close(said)
        os.close(reading)
        with os.fdopen(answers, "rb") as lines:
            int(lines.readline())
            os.write(writing, STARTED)
            assert json.loads(lines.readline())["id"] == 1
            os.kill(starter.pid, signal.SIGKILL)
            starter.wait(timeout=PATIENCE)
            # The pipe of its answers ends when the last process that holds it has gone: the server.
            assert lines.read() == b""
    finally:
        os.close(writing)


def test_help_and_mistakes_are_answered_like_those_of_any_command(cli: Cli) -> None:
    assert "--project" in cli("mcp", "--help").out
    assert cli("mcp", "--nonsense").code == 2
    assert cli("mcp", "--db").code == 2
    assert cli("mcp", "--db", "mysql://x").code == 2


def test_the_start_imports_neither_the_sdk_nor_the_store(cli: Cli) -> None:
    code = "import sys, store.agents.serving; print([m for m in ('mcp', 'pydantic', 'sqlalchemy') if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(meminbox.__file__).parent, capture_output=True, text=True
    )
    assert told.stdout.strip() == "[]"


@pytest.mark.long
def test_D049_six_servers_and_a_command_on_a_folder_that_is_not_there_yet(cli: Cli) -> None:
    with (
        serving(cli) as a,
        serving(cli) as b,
        serving(cli) as c,
        serving(cli) as d,
        serving(cli) as e,
        serving(cli) as f,
    ):
        servers = (a, b, c, d, e, f)
        for number, it in enumerate(servers):
            it.say(STARTED, called("propose_memory", 2, content=f"of server {number}"), called("get_profile", 3))
        by_hand = cli.child("propose", "by hand")
        assert by_hand.returncode == 0
        for it in servers:
            assert it.answer(1)["result"]["serverInfo"]["name"] == "meminbox"
            assert it.answer(2)["result"]["structuredContent"]["status"] in ("pending", "spooled")
            assert it.answer(3)["result"]["isError"] is False
        for it in servers:
            assert it.rest() == b""
            assert it.child.returncode == 0
    assert {one["content"] for one in cli.waiting()} == {*(f"of server {n}" for n in range(6)), "by hand"}
    assert cli("verify").code == 0

"""The command line for tests: in this process with streams of its own, or as a real child; never the person's store."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import meminbox
from console.terminal import AGENT_VARIABLES


class _Tty(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass
class Cli:
    """The command line on a home of its own. ``folder`` is where commands run: the project."""

    home: Path
    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        plain = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color", "MEMINBOX_ACTOR": "mia"}
        self.env = {**plain, "MEMINBOX_HOME": str(self.home), "HOME": str(self.home), **self.env}

    @property
    def db(self) -> Path:
        return self.home / "meminbox.db"

    def __call__(self, *arguments: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None) -> Ran:
        """Run in this process, with pipes for streams."""
        return self._run(arguments, stdin, env, io.TextIOWrapper)

    def person(self, *arguments: str, typed: str = "", env: dict[str, str] | None = None) -> Ran:
        """Run in this process, with a person at a terminal on all three streams."""
        return self._run(arguments, typed, env, _Tty)

    def _run(self, arguments: tuple[str, ...], stdin: str | bytes | None, env: dict[str, str] | None, kind: Any) -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin or b""
        out, err = io.BytesIO(), io.BytesIO()
        with pytest.MonkeyPatch.context() as patch, self._around(patch, env):
            patch.setattr(sys, "stdin", kind(io.BytesIO(data), encoding="utf-8"))
            patch.setattr(sys, "stdout", kind(out, encoding="ascii", write_through=True))
            patch.setattr(sys, "stderr", kind(err, encoding="ascii", write_through=True))
            code = meminbox.main(list(arguments))
            sys.stdout.flush()
            sys.stderr.flush()
            return Ran(code, out.getvalue().decode(), err.getvalue().decode())

    @contextmanager
    def _around(self, patch: pytest.MonkeyPatch, env: dict[str, str] | None) -> Iterator[None]:
        for name in (
            *AGENT_VARIABLES,
            "MEMINBOX_DB",
            "MEMINBOX_ENCODER",
            "NO_COLOR",
            "COLUMNS",
            "LINES",
            "EDITOR",
            "VISUAL",
        ):
            patch.delenv(name, raising=False)
        for name, value in {**self.env, **(env or {})}.items():
            patch.setenv(name, value)
        patch.chdir(self.folder)
        yield

    def child(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        """Run as a process of its own, through the launcher; ``env`` adds to the environment."""
        env = {**self.env, **options.pop("env", {})}
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(
            meminbox.command(*arguments), cwd=self.folder, env=env, capture_output=True, timeout=60, **options
        )

    def propose(self, *said: dict[str, Any] | str) -> list[Any]:
        """Propose values as an agent does, and give the results."""
        values = [{"content": one} if isinstance(one, str) else one for one in said]
        ran = self("propose", "-", stdin="\n".join(json.dumps(value) for value in values))
        return ran.lines

    def approved(self, **said: Any) -> str:
        """Propose one value, approve it, and give the memory's id."""
        (result,) = self.propose(said)
        ran = self.person("approve", result["id"], typed="y\n")  # a hidden character is asked about
        assert ran.code == 0, ran.err
        found = [m for m in self.memories() if m["content"] == said["content"]]
        return str(found[0]["id"])

    def waiting(self) -> list[Any]:
        return list(self("list", "--json").json["items"])

    def memories(self) -> list[Any]:
        return list(self("list", "--memories", "--json").json["items"])

"""The command that is written into agents' settings starts this installation, by a name that outlives its updates."""

from __future__ import annotations

from pathlib import Path

import pytest

import meminbox
from store.agents import installed
from store.location import home


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program of an installation that is not on the path."""
    path = tmp_path / "tools" / "bin" / "meminbox"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(path.parent))
    return path


def test_the_link_on_the_path_is_written_where_it_leads_here(script: Path, tmp_path: Path) -> None:
    link = tmp_path / "bin" / "meminbox"
    link.parent.mkdir()
    link.symlink_to(script)
    environ = {"PATH": str(link.parent)}
    assert installed.server_argv("user", None, environ) == [str(link), "mcp"]
    link.unlink()
    link.write_text("#!/bin/sh\n# another installation\n")
    link.chmod(0o755)
    assert installed.program(environ) == [str(script)]


def test_without_a_program_the_launcher_is_started(script: Path) -> None:
    script.unlink()
    assert installed.program({"PATH": ""}) == meminbox.command()


def test_a_store_is_named_only_where_it_is_not_the_usual_one(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert installed.place_option(None, {}) == []
    assert installed.place_option(str(home({}) / "meminbox.db"), {}) == []
    for variable in ("MEMINBOX_HOME", "MEMINBOX_DB"):
        place = str(tmp_path / "a")
        expected = place if variable == "MEMINBOX_DB" else f"{place}/meminbox.db"
        assert installed.place_option(None, {variable: place}) == ["--db", expected]
    assert installed.server_argv("project", "x.db", {}) == ["meminbox", "mcp"]


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("/home/me/.cache/uv/archive-v0/x1", True),
        ("/home/me/.local/pipx/.cache/y", True),
        ("/home/me/.local/share/uv/tools/meminbox", False),
    ],
)
def test_what_is_thrown_away_again_is_known(monkeypatch: pytest.MonkeyPatch, prefix: str, expected: bool) -> None:
    monkeypatch.setattr("sys.prefix", prefix)
    assert installed.passing() is expected

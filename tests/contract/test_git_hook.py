"""``meminbox setup git-hook``: a hook after a merge that only tells, beside whatever stood there before."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli_kit import Cli
from tests.git_kit import Repository, body

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "shop")
    made.commit({"services/pay.py": body("pay"), "run.py": body("run")})
    return made


@pytest.fixture
def cli(tmp_path: Path, repo: Repository) -> Cli:
    return Cli(tmp_path / "home", repo.folder, {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"})


def hook(repo: Repository) -> Path:
    return repo.folder / ".git" / "hooks" / "post-merge"


def test_it_is_shown_then_written_once_and_taken_away_without_a_trace(cli: Cli, repo: Repository) -> None:
    shown = cli("setup", "git-hook", "--dry-run")
    assert shown.code == 0
    assert "--since ORIG_HEAD --brief" in shown.out
    assert not hook(repo).exists()
    assert cli("setup", "git-hook").code == 2
    assert not hook(repo).exists()
    assert cli.person("setup", "git-hook", typed="n\n").code == 2
    assert not hook(repo).exists()
    assert cli.person("setup", "git-hook", typed="y\n").code == 0
    assert os.access(hook(repo), os.X_OK)
    written = hook(repo).read_bytes()
    assert "nothing to do" in cli("setup", "git-hook", "--yes").err
    assert hook(repo).read_bytes() == written
    assert cli("setup", "git-hook", "--remove", "--yes").code == 0
    assert not hook(repo).exists()
    assert "nothing to do" in cli("setup", "git-hook", "--remove", "--yes").err


def test_a_hook_that_was_there_keeps_every_byte(cli: Cli, repo: Repository) -> None:
    own = "#!/usr/bin/env bash\n# caf\u00e9\necho merged\nexit 0\n"
    hook(repo).write_text(own, encoding="utf-8")
    hook(repo).chmod(0o755)
    assert cli("setup", "git-hook", "--yes").code == 0
    lines = hook(repo).read_text(encoding="utf-8").split("\n")
    assert lines[0] == "#!/usr/bin/env bash"
    assert "meminbox" in lines[1]
    assert lines[-4:] == ["# caf\u00e9", "echo merged", "exit 0", ""]
    assert cli("setup", "git-hook", "--remove", "--yes").code == 0
    assert hook(repo).read_text(encoding="utf-8") == own


@pytest.mark.parametrize("text", ["#!/usr/bin/env python3\nprint(1)\n", "\x7fELF\n"])
def test_a_hook_that_is_no_shell_script_is_left_and_the_lines_are_told(cli: Cli, repo: Repository, text: str) -> None:
    hook(repo).write_text(text)
    ran = cli("setup", "git-hook", "--yes")
    assert ran.code == 1
    assert "by hand" in ran.err
    assert "--since ORIG_HEAD --brief" in ran.err
    assert hook(repo).read_text() == text


def test_hooks_that_the_project_shares_are_not_ours_to_write(cli: Cli, repo: Repository) -> None:
    (repo.folder / ".githooks").mkdir()
    repo.git("config", "core.hooksPath", ".githooks")
    ran = cli("setup", "git-hook", "--yes")
    assert ran.code == 1
    assert "belongs to the project" in ran.err
    assert list((repo.folder / ".githooks").iterdir()) == []


def test_a_worktree_has_the_hook_of_its_repository(cli: Cli, repo: Repository, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "beside"), "-b", "beside")
    cli.folder = tmp_path / "beside"
    assert cli("setup", "git-hook", "--yes").code == 0
    assert hook(repo).exists()


def test_without_a_repository_nothing_is_written(tmp_path: Path) -> None:
    ran = Cli(tmp_path / "home", tmp_path / "plain")("setup", "git-hook", "--yes")
    assert ran.code == 2
    assert "no git repository" in ran.err


@pytest.mark.long
def test_after_a_merge_it_says_what_became_false_and_never_fails_the_merge(cli: Cli, repo: Repository) -> None:
    cli.approved(content="Payment is in services/pay.py", key="pay.place")
    repo.git("checkout", "-q", "-b", "feature")
    repo.move("services", "core")
    repo.commit()
    repo.git("checkout", "-q", "main")
    assert cli("setup", "git-hook", "--yes").code == 0
    merged = _merge(cli, repo)
    assert merged.returncode == 0
    assert "1 memory names what was moved or deleted" in merged.stderr
    repo.git("reset", "-q", "--hard", "ORIG_HEAD")
    cli.db.write_bytes(b"not a database")
    merged = _merge(cli, repo)
    assert merged.returncode == 0
    assert "Traceback" not in merged.stderr


def _merge(cli: Cli, repo: Repository) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "merge", "-q", "feature"], cwd=repo.folder, env=cli.env, capture_output=True, text=True, timeout=60
    )

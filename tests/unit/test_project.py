"""Which project a folder belongs to: one project under many spellings, different ones never the same."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from store.project import Project, identify
from store.remote import normalised

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="git is not installed")
WAYS = [pytest.param("git", marks=needs_git, id="asking git"), pytest.param(None, id="by hand")]


def git(folder: Path, *arguments: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    ran = subprocess.run(["git", *who, *arguments], cwd=folder, env=clean, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def repository(folder: Path, remote: str | None = None) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init")
    git(folder, "commit", "--allow-empty", "-m", "first")
    if remote is not None:
        git(folder, "remote", "add", "origin", remote)
    return folder


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/shop-api",
        "https://github.com/acme/shop-api.git",
        "https://github.com/acme/shop-api/",
        "https://user:secret@github.com/acme/shop-api.git",
        "https://token@GitHub.com:443/acme/shop-api.git",
        "http://github.com//acme/shop-api.git",
        "ssh://git@github.com/acme/shop-api.git",
        "ssh://git@github.com:22/acme/shop-api.git",
        "ssh://git@ssh.github.com:443/acme/shop-api.git",
        "git+ssh://git@github.com/acme/shop-api",
        "git://github.com/acme/shop-api.git",
        "git@github.com:acme/shop-api.git",
        "git@github.com:/acme/shop-api.git",
        "github.com:acme/shop-api",
        "  git@GITHUB.COM:acme/shop-api.git\n",
    ],
)
def test_every_spelling_of_a_remote_is_one_identity(url: str) -> None:
    assert normalised(url) == "github.com/acme/shop-api"


def test_no_credential_ever_stands_in_an_identity() -> None:
    for url in (
        "https://bob:s3cret@example.org/a/b.git",
        "bob:s3cret@example.org:a/b",
        "ssh://bob:s3cret@example.org/a/b",
    ):
        assert "s3cret" not in (normalised(url) or "")


@pytest.mark.parametrize(
    "url",
    [
        "/srv/git/shop.git",
        "../shop",
        "file:///srv/git/shop.git",
        "C:\\work\\shop",
        "C:/work/shop",
        "",
        "https://",
        "https://github.com",
        "https://[::1/x",
        "https://github.com/a/../../b",
        "https://github.com/%0a/b",
        "ext::sh -c evil",
        "x" * 5000,
        "git@host:a\u202eb",
        "javascript://github.com/acme/x",
    ],
)
def test_what_is_no_remote_of_a_server_is_none(url: str) -> None:
    assert normalised(url) is None


def test_paths_of_a_server_keep_their_case_and_differ() -> None:
    assert normalised("git@git.example.org:Team/Repo") == "git.example.org/Team/Repo"
    assert normalised("git@git.example.org:team/repo") != normalised("git@git.example.org:Team/Repo")
    assert normalised("ssh://git@[2001:db8::1]:2222/a/b.git") == "2001:db8::1/a/b"


@pytest.mark.parametrize("way", WAYS)
def test_D073_six_folders_are_six_projects(tmp_path: Path, way: str | None) -> None:
    folders = [tmp_path / name for name in ("a-b", "a/b", "a_b", "a.b", "新聞", "暫存")]
    for folder in folders:
        folder.mkdir(parents=True)
    found = [identify(folder, git=way) for folder in folders]
    assert len({project.identity for project in found}) == 6
    assert [project.label for project in found] == ["a-b", "b", "a_b", "a.b", "新聞", "暫存"]


@needs_git
@pytest.mark.parametrize("way", WAYS)
class TestGit:
    def test_the_remote_names_the_project_from_any_folder_in_it(self, tmp_path: Path, way: str | None) -> None:
        root = repository(tmp_path / "clone", "git@github.com:acme/shop-api.git")
        (root / "src" / "deep").mkdir(parents=True)
        found = identify(root / "src" / "deep", git=way)
        head = git(root, "rev-parse", "HEAD")
        where = Path(os.path.realpath(root))
        assert found == Project("github.com/acme/shop-api", "shop-api", where, "main", commit=head)

    def test_origin_is_asked_first_and_else_the_first_by_name(self, tmp_path: Path, way: str | None) -> None:
        root = repository(tmp_path / "r")
        git(root, "remote", "add", "upstream", "https://example.org/up/r.git")
        git(root, "remote", "add", "fork", "https://example.org/fork/r.git")
        assert identify(root, git=way).identity == "example.org/fork/r"
        git(root, "remote", "add", "origin", "https://example.org/me/r.git")
        assert identify(root, git=way).identity == "example.org/me/r"

    def test_D074_a_project_with_a_remote_survives_rename_link_and_second_clone(
        self, tmp_path: Path, way: str | None
    ) -> None:
        root = repository(tmp_path / "one", "git@github.com:acme/shop-api.git")
        other = repository(tmp_path / "two", "https://github.com/acme/shop-api.git")
        (tmp_path / "link").symlink_to(root)
        root.rename(tmp_path / "renamed")
        (tmp_path / "link").unlink()
        (tmp_path / "link").symlink_to(tmp_path / "renamed")
        found = {identify(folder, git=way).identity for folder in (tmp_path / "renamed", tmp_path / "link", other)}
        assert found == {"github.com/acme/shop-api"}

    def test_D074_a_link_and_worktrees_share_a_project_without_a_remote(self, tmp_path: Path, way: str | None) -> None:
        root = repository(tmp_path / "alone")
        git(root, "worktree", "add", "-b", "feature", str(tmp_path / "tree"))
        (tmp_path / "link").symlink_to(root)
        found = [identify(folder, git=way) for folder in (root, tmp_path / "tree", tmp_path / "link")]
        assert len({project.identity for project in found}) == 1
        assert found[0].identity.startswith("git:alone-")
        assert [project.branch for project in found] == ["main", "feature", "main"]

    def test_D074_a_clone_on_the_same_machine_is_the_same_project(self, tmp_path: Path, way: str | None) -> None:
        root = repository(tmp_path / "alone")
        git(tmp_path, "clone", str(root), "second")
        git(tmp_path, "clone", "--bare", str(root), "bare.git")
        git(tmp_path, "clone", str(tmp_path / "bare.git"), "third")
        assert identify(tmp_path / "second", git=way).identity == identify(root, git=way).identity
        assert identify(tmp_path / "third", git=way).identity == identify(root, git=way).identity

    def test_a_detached_head_has_no_branch(self, tmp_path: Path, way: str | None) -> None:
        root = repository(tmp_path / "r")
        git(root, "checkout", "--detach")
        assert identify(root, git=way).branch is None

    def test_the_commit_is_read_loose_packed_detached_and_in_a_worktree(self, tmp_path: Path, way: str | None) -> None:
        root = repository(tmp_path / "r")
        first = git(root, "rev-parse", "HEAD")
        git(root, "worktree", "add", "-b", "feature", str(tmp_path / "tree"))
        git(tmp_path / "tree", "commit", "--allow-empty", "-m", "second")
        second = git(tmp_path / "tree", "rev-parse", "HEAD")
        assert (identify(root, git=way).commit, identify(tmp_path / "tree", git=way).commit) == (first, second)
        git(root, "pack-refs", "--all")
        assert not (root / ".git" / "refs" / "heads" / "feature").exists()
        assert (identify(root, git=way).commit, identify(tmp_path / "tree", git=way).commit) == (first, second)
        git(root, "checkout", "--detach", second)
        assert (identify(root, git=way).commit, identify(root, git=way).branch) == (second, None)

    def test_before_the_first_commit_there_is_none(self, tmp_path: Path, way: str | None) -> None:
        root = tmp_path / "r"
        root.mkdir()
        git(root, "init")
        assert (identify(root, git=way).branch, identify(root, git=way).commit) == ("main", None)

    @pytest.mark.parametrize(
        "head", ["ref: refs/../../secret", "ref: ../secret", "ref: /etc/passwd", "ref: refs/heads/loop", "no hash", ""]
    )
    def test_a_hostile_head_gives_no_commit(self, tmp_path: Path, way: str | None, head: str) -> None:
        root = repository(tmp_path / "r")
        (root / "secret").write_text("0" * 40)
        (root / ".git" / "refs" / "heads" / "loop").write_text("ref: refs/heads/loop")
        (root / ".git" / "HEAD").write_text(head)
        assert identify(root, git=None).commit is None

    def test_two_repositories_of_one_name_differ(self, tmp_path: Path, way: str | None) -> None:
        one, two = repository(tmp_path / "a" / "app"), repository(tmp_path / "b" / "app")
        assert identify(one, git=way).identity != identify(two, git=way).identity
        assert identify(one, git=way).label == identify(two, git=way).label == "app"


@needs_git
def test_asking_git_and_reading_by_hand_agree(tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    git(root, "worktree", "add", str(tmp_path / "tree"))
    git(root, "remote", "add", "odd.name", "https://example.org/odd/r")
    for folder in (root, tmp_path / "tree", tmp_path):
        assert identify(folder, git="git") == identify(folder, git=None)


@needs_git
def test_git_runs_nothing_of_the_repository_and_sees_no_git_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "r", "https://example.org/a/r")
    other = repository(tmp_path / "other", "https://example.org/a/other")
    planted = tmp_path / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {planted}\n")
    script.chmod(0o755)
    for name in ("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "alias.rev-parse"):
        git(root, "config", name, str(script))
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "remote.origin.url")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://example.org/a/spoofed")
    assert identify(root).identity == "example.org/a/r"
    assert not planted.exists()


def test_a_git_that_is_missing_or_hangs_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "slow-git"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr("store.project.GIT_SECONDS", 0.05)
    (tmp_path / "plain").mkdir()
    for command in (str(slow), str(tmp_path / "no-such-git")):
        assert identify(tmp_path / "plain", git=command).identity.startswith("folder:plain-")


class TestSettingsFile:
    def identify(self, folder: Path, text: str, *, agreed: bool = False) -> Project:
        folder.mkdir(exist_ok=True)
        (folder / ".meminbox.toml").write_text(text, encoding="utf-8")
        place = os.path.realpath(folder)
        return identify(folder, git=None, confirmed=lambda scope, path: agreed and path == place)

    def test_a_scope_is_honoured_only_where_a_person_confirmed_it(self, tmp_path: Path) -> None:
        text = 'scope = "github.com/acme/shop-api"\n'
        new = self.identify(tmp_path / "p", text)
        assert new.identity.startswith("folder:p-")
        assert new.asks_for == "github.com/acme/shop-api"
        known = self.identify(tmp_path / "p", text, agreed=True)
        assert (known.identity, known.label, known.asks_for) == ("github.com/acme/shop-api", "shop-api", None)

    def test_a_label_names_the_project_for_people_and_changes_nothing_else(self, tmp_path: Path) -> None:
        found = self.identify(tmp_path / "p", 'label = "Shop 商店"\nstatus = "approved"\n[x]\ny = 1\n')
        assert found.label == "Shop 商店"
        assert found.identity.startswith("folder:p-")

    @pytest.mark.parametrize(
        "text",
        [
            'scope = "global"',
            'scope = "GLOBAL "',
            'scope = ""',
            "scope = 7",
            'scope = ["a"]',
            'scope = "a\\u202eb"',
            'scope = "a\\nb"',
            f'scope = "{"a" * 500}"',
            "scope = ",
            "\x00",
            "[" * 100_000,
            f'label = "{"a" * 70_000}"',
        ],
    )
    def test_hostile_settings_ask_for_nothing(self, tmp_path: Path, text: str) -> None:
        found = self.identify(tmp_path / "p", text, agreed=True)
        assert found.identity.startswith("folder:p-")
        assert (found.label, found.asks_for) == ("p", None)

    def test_a_pipe_or_a_folder_in_its_place_is_never_opened(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / ".meminbox.toml")
        assert identify(tmp_path, git=None).asks_for is None
        os.mkfifo(tmp_path / ".git")
        assert identify(tmp_path, git=None).identity.startswith("folder:")


def test_a_folder_that_does_not_exist_still_has_an_identity(tmp_path: Path) -> None:
    assert identify(tmp_path / "not" / "there").label == "there"


def test_a_folder_name_that_is_not_text_can_be_stored(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    found = identify(odd, git=None)
    found.identity.encode("utf-8")
    assert identify(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe8")), git=None).identity != found.identity

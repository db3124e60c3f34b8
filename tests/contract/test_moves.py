"""What git tells of moves and deletions, in repositories made for it; hostile and incomplete ones too."""

from __future__ import annotations

import os
import shutil
import stat
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from store import git, moves
from store.left_over import left_over
from store.verdicts import Judge, TextVerdict
from tests.git_kit import Repository, body

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "shop")


def verdict(repo: Repository, old: str, text: str, *, uncommitted: bool = False) -> TextVerdict:
    found = moves.between(repo.folder, old, uncommitted=uncommitted)
    kept = left_over(repo.folder, found)
    return Judge(found, names=("shop",), root=str(repo.folder), kept=kept).text(text)


def words(said: TextVerdict) -> list[tuple[str, str]]:
    return [(one.mention.text, one.verdict) for one in said.mentions]


def test_D066_a_moved_file_is_not_a_dead_file(repo: Repository) -> None:
    old = repo.commit({"a/pay.py": body("pay"), "a/old.py": body("old"), "b/x.py": body("x")})
    repo.move("a/pay.py", "c/pay.py")
    moved = repo.commit({"c/pay.py": body("pay") + "def charge(): ...\n", "a/old.py": None})
    said = verdict(repo, old, "charge() is in a/pay.py:186, see `a/pay.py`; a/old.py is legacy, b/x.py is not")
    assert words(said) == [
        ("a/pay.py", "moved"),
        ("a/pay.py", "moved"),
        ("a/old.py", "gone"),
        ("b/x.py", "there"),
    ]
    first = said.mentions[0]
    assert (first.new_path, first.commit, first.mention.line) == ("c/pay.py", moved, 186)
    assert moved[:8] in first.reason
    assert said.rewritten == "charge() is in c/pay.py:186, see `c/pay.py`; a/old.py is legacy, b/x.py is not"
    assert verdict(repo, old, "use a.pay.charge() in a/pay.py").rewritten == "use c.pay.charge() in c/pay.py"
    assert said.suggested == "expire"
    assert verdict(repo, old, "see a/pay.py").suggested == "repoint"


def test_a_folder_that_moved_is_one_move(repo: Repository) -> None:
    old = repo.commit({f"services/{one}.py": body(one) for one in ("pay", "ship", "tax", "mail")} | {"run.py": "x\n"})
    repo.move("services", "core")
    repo.commit()
    found = moves.between(repo.folder, old)
    assert {one.old: one.new for one in found.folder_moves.values()} == {"services": "core"}
    said = verdict(
        repo, old, "Business rules live in `services/`, e.g. services/tax.py and ./services/*.py; run.py starts"
    )
    assert said.rewritten == "Business rules live in `core/`, e.g. core/tax.py and ./core/*.py; run.py starts"
    assert verdict(repo, old, "The services are slow. Our services team agrees.").overall is None


def test_a_directory_split_in_two(repo: Repository) -> None:
    old = repo.commit({f"lib/{one}.py": body(one) for one in ("a1", "a2", "b1", "b2")})
    for one, place in (("a1", "left"), ("a2", "left"), ("b1", "right"), ("b2", "right")):
        repo.move(f"lib/{one}.py", f"{place}/{one}.py")
    repo.commit()
    said = verdict(repo, old, "helpers are in lib/, the first in lib/a1.py")
    assert words(said) == [("lib/", "ambiguous"), ("lib/a1.py", "moved")]
    assert set(said.mentions[0].choices) == {"left", "right"}
    assert "2 to left/" in said.mentions[0].reason and "2 to right/" in said.mentions[0].reason


def test_two_folders_that_changed_places(repo: Repository) -> None:
    old = repo.commit({"red/main.py": body("red"), "blue/main.py": body("blue"), "red/r.py": body("r")})
    repo.move("red", "swap")
    repo.move("blue", "red")
    repo.move("swap", "blue")
    repo.commit()
    said = verdict(repo, old, "the fast one is red/main.py, the other blue/main.py")
    assert said.rewritten == "the fast one is blue/main.py, the other red/main.py"
    assert verdict(repo, old, "rules are in red/").rewritten == "rules are in blue/"


def test_a_name_that_only_changed_its_capitals(repo: Repository) -> None:
    old = repo.commit({"src/Pay.py": body("pay")})
    repo.git("mv", "src/Pay.py", "src/pay.py")
    repo.commit()
    assert verdict(repo, old, "look at src/Pay.py").rewritten == "look at src/pay.py"
    assert verdict(repo, old, "look at src/PAY.py").mentions[0].reason == "there, written src/pay.py"


def test_renamed_twice_and_renamed_then_deleted(repo: Repository) -> None:
    old = repo.commit({"a.py": body("a"), "b.py": body("b"), "back.py": body("k")})
    repo.move("a.py", "one/a.py")
    repo.move("b.py", "one/b.py")
    repo.move("back.py", "away.py")
    repo.commit()
    repo.move("one/a.py", "two/alpha.py")
    repo.move("away.py", "back.py")
    last = repo.commit({"one/b.py": None, "two/alpha.py": body("a") + "more\n"})
    said = verdict(repo, old, "./a.py then b.py, back.py; in between one/a.py")
    assert words(said) == [("./a.py", "moved"), ("b.py", "gone"), ("back.py", "there"), ("one/a.py", "moved")]
    assert said.mentions[0].new_path == "two/alpha.py" and said.mentions[0].commit == last
    assert said.mentions[0].instead == "./two/alpha.py"


def test_names_with_blanks_and_chinese_characters(repo: Repository) -> None:
    names = ("docs/My Notes/plan one.md", "文档/支付设计.md", "src/支付/接口.py")
    old = repo.commit({name: body(str(at)) for at, name in enumerate(names)})
    repo.move("docs/My Notes", "docs/Old Notes")
    repo.move("文档", "资料")
    repo.move("src/支付", "src/pay")
    repo.commit()
    text = (
        "Read docs/My Notes/plan one.md and [it](docs/My%20Notes/plan%20one.md). "
        "请看文档/支付设计.md里的说明，接口在src/支付/接口.py。"
    )
    assert verdict(repo, old, text).rewritten == (
        "Read docs/Old Notes/plan one.md and [it](docs/Old%20Notes/plan%20one.md). "
        "请看资料/支付设计.md里的说明，接口在src/pay/接口.py。"
    )


def test_a_merge_is_one_step_and_a_branch_is_told_apart(repo: Repository) -> None:
    old = repo.commit({"a/x.py": body("x"), "a/y.py": body("y"), "a/z.py": body("z")})
    repo.git("checkout", "-q", "-b", "feature")
    repo.move("a/x.py", "b/x.py")
    there = repo.commit(subject="move x")
    said = verdict(repo, old, "see a/x.py")
    assert (said.mentions[0].verdict, said.mentions[0].branch_only) == ("moved", True)
    assert "true on feature only" in said.mentions[0].reason
    assert (said.suggested, said.rewritten) == (None, None)
    assert not moves.between(repo.folder, old).on_default
    repo.git("checkout", "-q", "main")
    repo.commit({"a/z.py": None}, "drop z")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "feature")
    merged = repo.git("rev-parse", "HEAD")
    said = verdict(repo, old, "see a/x.py, a/y.py, a/z.py")
    assert words(said) == [("a/x.py", "moved"), ("a/y.py", "there"), ("a/z.py", "gone")]
    assert said.mentions[0].commit in (merged, there) and not said.mentions[0].branch_only
    assert moves.between(repo.folder, old).on_default


def test_a_revision_beside_the_line_is_compared_by_its_files(repo: Repository) -> None:
    repo.commit({"a/x.py": body("x"), "a/y.py": body("y")})
    repo.git("checkout", "-q", "-b", "side")
    repo.move("a/x.py", "b/x.py")
    beside = repo.commit({"s.py": body("s")})
    repo.git("checkout", "-q", "main")
    found = moves.between(repo.folder, beside)
    assert (found.renamed, found.deleted) == ({"b/x.py": ("a/x.py", None)}, {"s.py": None})
    assert found.on_default and not found.uncommitted


def test_a_history_too_long_for_all_its_changes_is_followed_by_names(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = repo.commit({"a/x.py": body("x"), "a/y.py": body("y")})
    repo.move("a/x.py", "b/x.py")
    repo.commit({"b/x.py": body("x") + "more\n"} | {f"n{at}.py": body(str(at)) for at in range(40)})
    repo.commit({f"n{at}.py": body(str(at) + "b") for at in range(40)})
    monkeypatch.setattr(git, "MOST_BYTES", 8_000)
    found = moves.between(repo.folder, old)
    assert (list(found.renamed), found.missing) == (["a/x.py"], None)
    monkeypatch.setattr(git, "MOST_BYTES", 4_000)
    assert "a/x.py" in {**(short := moves.between(repo.folder, old)).renamed, **short.deleted}
    assert short.missing is not None


def test_the_remotes_head_is_the_shared_branch(repo: Repository, tmp_path: Path) -> None:
    old = repo.commit({"a/x.py": body("x"), "a/y.py": "y\n"})
    repo.git("branch", "-m", "trunk")
    repo.git("clone", "-q", str(repo.folder), str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    clone.git("checkout", "-q", "-b", "main")
    clone.move("a/x.py", "b/x.py")
    clone.commit()
    found = moves.between(clone.folder, old)
    assert (found.default_branch, found.branch, found.on_default) == ("trunk", "main", False)


def test_a_worktree_a_sparse_and_a_bare_clone_tell_the_same(repo: Repository, tmp_path: Path) -> None:
    old = repo.commit({"a/x.py": body("x"), "z/y.py": body("y")})
    repo.move("a/x.py", "b/x.py")
    repo.commit()
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    repo.git("clone", "-q", "--bare", str(repo.folder), str(tmp_path / "bare.git"))
    repo.git("clone", "-q", "--sparse", str(repo.folder), str(tmp_path / "sparse"))
    for place in ("shop", "tree", "bare.git", "sparse"):
        found = moves.between(tmp_path / place, old)
        assert found.renamed["a/x.py"][0] == "b/x.py", place
        assert found.now is not None and "z/y.py" in found.now
    assert not (tmp_path / "sparse" / "z").exists()
    found = moves.between(tmp_path / "sparse", old, uncommitted=True)
    assert "z/y.py" not in found.deleted


def test_a_shallow_clone_says_what_it_lacks(repo: Repository, tmp_path: Path) -> None:
    repo.date = "2026-01-05T12:00:00+00:00"
    old = repo.commit({"a/x.py": body("x"), "a/y.py": body("y")})
    repo.date = "2026-02-05T12:00:00+00:00"
    repo.move("a/x.py", "b/x.py")
    repo.commit()
    repo.date = "2026-03-05T12:00:00+00:00"
    repo.commit({"a/y.py": None})
    place = tmp_path / "shallow"
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.folder}", str(place))
    with pytest.raises(moves.NoRevision, match=r"shallow clone; its history begins on 05 Feb 2026"):
        moves.between(place, old)
    found = moves.since(place, datetime(2026, 1, 1, tzinfo=UTC))
    assert found.missing is not None and "--unshallow" in found.missing
    assert list(found.deleted) == ["a/y.py"]
    # Of a time that the clone does go back to nothing is missing; a name it does not know may be older than that.
    late = moves.since(place, datetime(2026, 2, 20, tzinfo=UTC))
    (said,) = Judge(late).text("Payment is in a/x.py").mentions
    assert (late.missing, said.verdict) == (None, "cannot_verify")
    assert "is known here, but this is a shallow clone" in said.reason


def test_D069_since_a_time_is_the_same_in_every_zone(repo: Repository) -> None:
    repo.date = "2026-03-01T23:30:00-08:00"
    repo.commit({"a/x.py": body("x")})
    repo.date = "2026-03-02T08:30:00+00:00"
    repo.move("a/x.py", "b/x.py")
    repo.commit()
    between = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    for zone in (UTC, timezone(timedelta(hours=8)), timezone(timedelta(hours=-8))):
        assert list(moves.since(repo.folder, between.astimezone(zone)).renamed) == ["a/x.py"]
    assert not moves.since(repo.folder, between + timedelta(hours=1))
    with pytest.raises(ValueError, match="zone"):
        moves.since(repo.folder, between.replace(tzinfo=None))


def test_what_lies_in_a_submodule_is_not_judged(repo: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.commit({"lib.py": "x\n"})
    old = repo.commit({"a.py": body("a")})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "vendor/other")
    repo.commit()
    said = verdict(repo, old, "see vendor/other/lib.py and vendor/other/")
    assert [one.verdict for one in said.mentions] == ["cannot_verify", "there"]
    assert "submodule vendor/other" in said.mentions[0].reason


def test_moves_that_are_not_committed_are_looked_at_when_asked(repo: Repository) -> None:
    old = repo.commit({"a/x.py": body("x"), "a/y.py": body("y"), "a/z.py": body("z"), "a/w.py": body("w")})
    repo.move("a/x.py", "b/x.py")
    (repo.folder / "c").mkdir()
    (repo.folder / "a/y.py").rename(repo.folder / "c/y.py")
    (repo.folder / "a/z.py").unlink()
    text = "a/x.py, a/y.py, a/z.py, a/w.py"
    assert {one.verdict for one in verdict(repo, old, text).mentions} == {"there"}
    said = verdict(repo, old, text, uncommitted=True)
    assert [(one.verdict, one.new_path, one.commit) for one in said.mentions] == [
        ("moved", "b/x.py", None),
        ("moved", "c/y.py", None),
        ("gone", None, None),
        ("there", None, None),
    ]
    assert said.mentions[0].reason == "moved to b/x.py, not committed" and said.suggested == "expire"
    repo.git("checkout", "-q", "-b", "feature")
    said = verdict(repo, old, text, uncommitted=True)
    assert said.suggested is None and "true on feature only" in said.mentions[0].reason


def test_traps_are_shown_and_never_selected(repo: Repository) -> None:
    old = repo.commit(
        {
            "config/local.json": "{}\n",
            "data/cache/seed.csv": "1\n",
            "out/report.csv": "1\n",
            "kept/state.json": "{}\n",
            ".tool/rules.json": "{}\n",
            "docs/dev.md": body("d"),
            "src/run.py": 'CACHE = "data/cache"\n',
        }
    )
    repo.commit(
        {
            "config/local.json": None,
            "data/cache/seed.csv": None,
            "out/report.csv": None,
            "docs/dev.md": None,
            ".tool/rules.json": None,
            ".gitignore": "config/local.json\n",
            "src/run.py": 'CACHE = "data/cache"\nopen("out/report.csv", "w")\n',
        }
    )
    repo.git("rm", "-q", "--cached", "kept/state.json")
    repo.git("commit", "-q", "-m", "out of git")
    found = moves.between(repo.folder, old)
    judge = Judge(found, kept=left_over(repo.folder, found))
    for text, sign in (
        ("Copy config/example.json to config/local.json first", "ignored"),
        ("The cache is in data/cache/", "src/run.py still names it"),
        ("Caches are under `data/`", "src/run.py still names it"),
        ("The report goes to out/report.csv", "src/run.py still names it"),
        ("State is kept in kept/state.json", "on this disk"),
        ("It reads `.tool/rules.json` of the user's project", "another project's"),
        ("规则放在用户项目的 .tool/rules.json", "another project's"),
    ):
        said = judge.text(text)
        assert said.overall == "cannot_verify", text
        assert any(sign in one.reason for one in said.mentions), text
        assert (said.suggested, said.rewritten) == (None, None)
    assert judge.text("Set-up is in docs/dev.md").suggested == "expire"


def test_D064_what_lies_outside_the_repository_is_never_selected(repo: Repository) -> None:
    old = repo.commit({"bin/t": body("t"), "x.toml": body("x"), "tools/t.exe": body("e")})
    repo.commit({"bin/t": None, "x.toml": None, "tools/t.exe": None})
    text = (
        "Set ~/.config/x.toml, run $HOME/bin/t or C:\\tools\\t.exe or /usr/local/bin/t, "
        "see https://example.org/x.toml, git@example.org:acme/bin/t.git and ../elsewhere/x.toml; "
        "%APPDATA%\\tools\\t.exe; `gh pr list --repo acme/bin`"
    )
    said = verdict(repo, old, text)
    named = (
        "~/.config/x.toml", "$HOME/bin/t", "C:\\tools\\t.exe", "/usr/local/bin/t", "https://example.org/x.toml",
        "git@example.org:acme/bin/t.git", "../elsewhere/x.toml", "%APPDATA%\\tools\\t.exe",
        "gh pr list --repo acme/bin",
    )  # fmt: skip
    assert words(said) == [(one, "cannot_verify") for one in named]
    assert said.suggested is None
    inside = f"see {repo.folder}/x.toml"
    assert verdict(repo, old, inside).overall == "gone"


def test_nothing_that_a_hostile_repository_asks_for_is_run(repo: Repository, tmp_path: Path) -> None:
    old = repo.commit({"a/x.txt": body("x"), ".gitattributes": "*.txt diff=evil filter=evil\n"})
    repo.move("a/x.txt", "b/x.txt")
    repo.commit({"b/x.txt": body("x") + "more\n"})
    trace = tmp_path / "ran"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\necho ran >> {trace}\ncat\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    for name in (
        "diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.smudge",
        "filter.evil.process", "core.fsmonitor", "core.pager", "core.sshCommand", "gpg.program", "core.editor",
        "core.askPass", "credential.helper", "core.alternateRefsCommand", "uploadpack.packObjectsHook",
    ):  # fmt: skip
        repo.git("config", name, str(script))
    repo.git("config", "log.showSignature", "true")
    repo.git("config", "diff.orderFile", "/no/such/file")
    repo.git("config", "diff.relative", "true")
    repo.git("config", "diff.renames", "false")
    hooks = repo.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"):
        shutil.copy(script, hooks / name)
    trace.unlink(missing_ok=True)
    os.utime(repo.folder / "b/x.txt", (1, 1))
    found = moves.between(repo.folder, old, uncommitted=True)
    left_over(repo.folder, found)
    assert found.renamed["a/x.txt"][0] == "b/x.txt"
    assert not trace.exists()
    repo.git("-c", "diff.orderFile=/dev/null", "diff", old, "HEAD")
    assert trace.exists(), "a plain git runs what the repository says: nothing was shown by the lines above"


def test_hostile_names_of_files_and_dates_of_commits_harm_nothing(repo: Repository) -> None:
    spoof = "\x01" + "f" * 40 + "\x02\x021\x02spoof\n:x"
    names = ("a/pay.py", "a/-rf.py", "a/line\nbreak.py", f"a/{spoof}", "a/plain.py", "a/bidi.py")
    old = repo.commit({name: body(name) for name in names})
    (repo.folder / "a/pay.py").rename(repo.folder / os.fsdecode(b"a/\xff\xfe.py"))
    (repo.folder / f"a/{spoof}").rename(repo.folder / f"a/{spoof}2")
    (repo.folder / "a/bidi.py").rename(repo.folder / "a/b\u202eyp.py")
    (repo.folder / "a/plain.py").rename(repo.folder / "a/fine.py")
    repo.date = "@99999999999999 +0000"
    repo.commit({"a/line\nbreak.py": None, "a/-rf.py": None})
    found = moves.between(repo.folder, old, uncommitted=True)
    assert len(found.commits) == 1 and "f" * 40 not in found.commits
    said = Judge(found, kept=left_over(repo.folder, found)).text("see a/pay.py, a/plain.py, a/bidi.py and a/-rf.py")
    assert [one.verdict for one in said.mentions] == ["moved", "moved", "moved", "gone"]
    assert [one.instead for one in said.mentions] == [None, "a/fine.py", None, None]
    for one in said.mentions:
        f"{one.reason}{one.new_path}{one.choices}".encode()


@pytest.mark.parametrize("name", ["", "--output=/tmp/x", "no-such", "HEAD..x", "a\0b", "-", "@{"])
def test_a_revision_that_is_none_is_refused_in_words(repo: Repository, name: str) -> None:
    repo.commit({"a": "a\n"})
    with pytest.raises(moves.NoRevision, match="no revision"):
        moves.between(repo.folder, name)


def test_no_repository_and_no_commit_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(moves.GitFailed, match="no git repository"):
        moves.between(tmp_path, "HEAD")
    with pytest.raises(moves.GitFailed, match="no commit yet"):
        moves.between(Repository(tmp_path / "new").folder, "HEAD")
    with pytest.raises(moves.GitFailed):
        moves.between(tmp_path / "nowhere", "HEAD")

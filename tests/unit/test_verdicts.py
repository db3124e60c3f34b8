"""The verdict of each name and the text re-pointed, from trees and lists given by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.chain import Step, composed
from store.move_map import Commit, Moves, folder_moves, from_list
from store.tree import Tree
from store.verdicts import Judge, judge, judge_text

NOW = (
    "core/pay.py",
    "core/tax.py",
    "core/__init__.py",
    "web/app/main.ts",
    "web/app/ui/Button.tsx",
    "packages/shop/src/shop/db.py",
    "packages/shop/src/shop/__init__.py",
    "docs/guide.md",
    "tools/one/run.sh",
    "tools/two/run.sh",
    "README.md",
    "src/main/java/com/acme/bill/Invoice.java",
)
RENAMES = (
    ("services/pay.py", "core/pay.py"),
    ("services/tax.py", "core/tax.py"),
    ("services/__init__.py", "core/__init__.py"),
    ("frontend/app/main.ts", "web/app/main.ts"),
    ("frontend/app/ui/Button.tsx", "web/app/ui/Button.tsx"),
    ("src/shop/db.py", "packages/shop/src/shop/db.py"),
    ("src/shop/__init__.py", "packages/shop/src/shop/__init__.py"),
    ("docs/old guide.md", "docs/guide.md"),
    ("src/main/java/com/acme/pay/Invoice.java", "src/main/java/com/acme/bill/Invoice.java"),
)
DELETED = (
    "out/report.csv",
    "conf/local.yml",
    "legacy/a.py",
    "legacy/b.py",
    "tools/three/run.sh",
    "scripts/seed_db.py",
    "deploy/run.sh",
)
TREE = Tree(NOW)
MOVES = from_list(RENAMES, DELETED, tree=TREE)


def one(text: str, names: tuple[str, ...] = ("acme-shop",)) -> tuple[str, str | None, str | None]:
    said = judge_text(text, MOVES, names=names)
    return said.overall or "", said.suggested, said.rewritten


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("see services/pay.py:186", "see core/pay.py:186"),
        ("see ./services/ for rules", "see ./core/ for rules"),
        (r"see services\tax.py", r"see core\tax.py"),
        ("all `services/*.py` files", "all `core/*.py` files"),
        ("from services.pay import charge", "from core.pay import charge"),
        ("run `python -m services.tax`", "run `python -m core.tax`"),
        ("services.pay.charge() takes cents", "core.pay.charge() takes cents"),
        ("acme-shop/services/pay.py", "acme-shop/core/pay.py"),
        ("cd services && pytest", "cd core && pytest"),
        ("import x from 'frontend/app/ui/Button'", "import x from 'web/app/ui/Button'"),
        ("[guide](docs/old%20guide.md)", "[guide](docs/guide.md)"),
        ("规则在services/tax.py里。", "规则在core/tax.py里。"),
        ("services目录存放业务规则", "core目录存放业务规则"),
        ("services/下的文件和services/pay.py和docs/guide.md", "core/下的文件和core/pay.py和docs/guide.md"),
        ("the `services` folder holds rules", "the `core` folder holds rules"),
        ("com.acme.pay.Invoice is immutable", "com.acme.bill.Invoice is immutable"),
        ("`pay/Invoice.java` is immutable", "`bill/Invoice.java` is immutable"),
        ("tests: `pytest --cov=services/pay.py`", "tests: `pytest --cov=core/pay.py`"),
        ("/services/pay.py", "/core/pay.py"),
    ],
)
def test_what_moved_is_written_anew_in_its_own_form(text: str, rewritten: str) -> None:
    assert one(text) == ("moved", "repoint", rewritten)
    assert Judge(MOVES, names=("acme-shop",)).may_concern(text)


@pytest.mark.parametrize(
    ("text", "overall"),
    [
        ("old code in legacy/a.py", "gone"),
        ("old code in legacy/", "gone"),
        ("run scripts/seed_db.py first", "gone"),
        ("`seed_db.py` fills it", "gone"),
        ("`deploy/run.sh` starts it", "gone"),
        ("from shop.db import engine", "there"),
        ("shop/db.py opens it", "there"),
        ("docs/guide.md is the guide", "there"),
        ("`run.sh` starts it", "there"),
        ("the app/main.ts entry", "there"),
        ("core/**/*.py", "there"),
        ("tools/{one,two}/run.sh", "there"),
        ("see docs/nothing.md", "cannot_verify"),
        ("see https://github.com/acme/shop/blob/main/services/pay.py", "cannot_verify"),
        ("~/services/pay.py", "cannot_verify"),
        ("Put services/pay.py into the user's project", "cannot_verify"),
        ("copy conf/sample.yml to conf/local.yml first", "cannot_verify"),
        ("`make report` writes out/report.csv", "cannot_verify"),
        ("报表输出到out/report.csv", "cannot_verify"),
        ("conf/local.yml holds the ports", "gone"),
        ("legacy/a.py no longer exists", "cannot_verify"),
        ("`legacy/a.py` was removed in May; do not bring it back", "cannot_verify"),
        ("legacy/a.py已删除", "cannot_verify"),
        ("core was renamed from services/", "cannot_verify"),
        ("never edit legacy/a.py", "gone"),
        ("a client/server design, key/value pairs", ""),
        ("we moved services/pay.py to core/pay.py in May", "cannot_verify"),
        ("the image `acme-shop/services` runs it", "cannot_verify"),
        ("Use Next.js, and/or Node.js", ""),
        ("The services are down; legacy is a word", ""),
        ("nothing at all", ""),
        ("run `npm run build`, then pip install httpx", ""),
        ("", ""),
    ],
)
def test_the_verdict_of_each_kind_of_name(text: str, overall: str) -> None:
    assert one(text)[0] == overall


def test_mixed_mentions_show_all_and_the_worst_decides() -> None:
    said = judge_text("see services/pay.py, legacy/a.py, README.md and ~/x", MOVES)
    assert [row.verdict for row in said.mentions] == ["moved", "gone", "there", "cannot_verify"]
    assert (said.overall, said.suggested) == ("gone", "expire")
    assert said.rewritten == "see core/pay.py, legacy/a.py, README.md and ~/x"


def test_a_name_of_several_files_is_ambiguous_and_says_which() -> None:
    moved = from_list((("a/x.py", "c/y.py"), ("b/x.py", "d/z.py")), (), tree=Tree(("c/y.py", "d/z.py")))
    said = judge_text("x.py does it", moved)
    assert (said.overall, said.suggested, said.rewritten) == ("ambiguous", None, None)
    assert set(said.mentions[0].choices) == {"c/y.py", "d/z.py"}


def test_a_drawn_tree_is_judged_by_whole_paths() -> None:
    text = "acme-shop/\n├── services/\n│   └── pay.py   # money\n├── legacy/\n└── docs/\n    └── guide.md\n"
    said = judge_text(text, MOVES, names=("acme-shop",))
    assert [(row.mention.text, row.verdict) for row in said.mentions if row.mention.tree] == [
        ("services/", "moved"),
        ("pay.py", "moved"),
        ("legacy/", "gone"),
        ("docs/", "there"),
        ("guide.md", "there"),
    ]


def test_a_commit_that_is_on_a_branch_only_suggests_nothing() -> None:
    commit = Commit("c" * 40, datetime(2026, 5, 1, tzinfo=UTC), "move", branch_only=True)
    renamed = {"services/pay.py": ("core/pay.py", commit.hash)}
    told = replace(from_list((), (), tree=TREE), renamed=renamed, commits={commit.hash: commit}, branch="feature")
    said = judge_text("see services/pay.py", told)
    assert (said.overall, said.suggested, said.rewritten) == ("moved", None, None)
    assert said.mentions[0].reason == "moved to core/pay.py in cccccccc (01 May 2026); true on feature only"


def test_without_the_files_now_a_folder_counts_as_left_only_with_signs() -> None:
    told = from_list(
        (("plug/package.json", "apps/plug/package.json"), ("plug/src/a.ts", "apps/plug/src/a.ts")),
        ("docs/old.md", "docs/older.md", "lib/__init__.py", "lib/core/x.py", "lib/run.py"),
    )
    assert {"plug", "plug/src", "lib", "lib/core"} == set(told.folder_moves)
    assert judge_text("cd plug", told).rewritten == "cd apps/plug"
    assert judge_text("guides live in docs/", told).suggested is None
    assert judge_text("see docs/old.md", told).suggested == "expire"


def listed(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}" for name in names)


WHOLE_PACKAGE = tuple(f"{word}{kind}" for word in "abcdefghijkl" for kind in (".go", "_test.go"))


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("internal/storage/sqlite", ("sqlite.go", "rows.go")),  # the file named like it
        ("my-shop/pay_desk", ("pay-desk.ts", "x.ts")),
        ("internal/rpc", ("client.go", "types.go", "a.go", "b.go", "c.go")),  # parts that a package has one of each
        ("internal/queue", WHOLE_PACKAGE),  # a whole package's worth of files
        (".kit", tuple(f"{part}/{part}{n}.md" for part in "abcdefgh" for n in range(5))),  # very many of many parts
        ("demos", ("a/index.ts", "a/x.ts", "b/index.ts", "b/x.ts", "c/index.ts", "c/x.ts", "d/index.ts", "d/x.ts")),
    ],
)
def test_a_folder_that_lost_what_only_a_whole_one_loses_is_left(folder: str, names: tuple[str, ...]) -> None:
    assert folder in from_list((), listed(folder, *names)).folder_moves
    assert judge_text(f"it lives in `{folder}/`", from_list((), listed(folder, *names))).suggested == "expire"


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("cmd/tool", tuple(f"sync_{word}.go" for word in WHOLE_PACKAGE)),  # one subject of the folder was cleared
        ("scripts", ("build.sh", "setup.sh", "old.sh")),  # scripts, not the start of a package
        ("cmd/tool", ("types.go", "old.go")),
        ("skills", ("a/SKILL.md", "a/x.md", "b/SKILL.md", "b/x.md")),  # few of what may be many
        ("tests", WHOLE_PACKAGE),
        (".kit", tuple(f"{part}/{n}.md" for part in "abcdefgh" for n in range(5))),  # the same few names in each part
        ("skills", ("README.md", "a/x.md", "b/x.md", "c/x.md", "d/x.md")),  # one of each was taken out
    ],
)
def test_a_folder_that_was_only_cleared_is_not_called_left(folder: str, names: tuple[str, ...]) -> None:
    assert folder not in from_list((), listed(folder, *names)).folder_moves


def test_a_folder_whose_many_files_nearly_all_went_to_one_place_is_left_with_what_was_dropped_on_the_way() -> None:
    went = [(f"web/forms/{n}.tsx", f"app/ui/{n}.tsx") for n in range(10)]
    assert judge_text("see web/forms/", from_list(went, ("web/forms/old.tsx",))).rewritten == "see app/ui/"
    assert judge_text("see web/forms/", from_list(went[:3], ("web/forms/old.tsx",))).suggested is None


def test_a_folder_of_few_files_that_went_two_ways_is_gone_and_one_of_many_is_split() -> None:
    tree = Tree(("left/a.py", "right/b.py", "left/c.py", "right/d.py"))
    two = from_list((("both/a.py", "left/a.py"), ("both/b.py", "right/b.py")), (), tree=tree)
    assert judge_text("see both/", two).overall == "gone"
    four = from_list(
        (
            ("both/a.py", "left/a.py"),
            ("both/b.py", "right/b.py"),
            ("both/c.py", "left/c.py"),
            ("both/d.py", "right/d.py"),
        ),
        (),
        tree=tree,
    )
    assert judge_text("see both/", four).overall == "ambiguous"


@pytest.mark.parametrize("name", ["seed_db.py", "COMMANDS.md", "TaskPanel.vue", "App.stories.tsx", "v2.py"])
def test_a_bare_name_that_few_files_have_means_the_one_that_went(name: str) -> None:
    assert judge_text(f"`{name}` does it", from_list((), (f"deep/in/{name}",))).suggested == "expire"
    assert judge_text(f"`{name}` does it", from_list((), (f"a/{name}", f"b/{name}"))).suggested is None


@pytest.mark.parametrize(
    "name", ["service.py", "README_CN.md", "SKILL.md", "docker-compose.yml", "index.test.ts", ".env.example"]
)
def test_a_bare_name_that_many_files_have_means_none_of_them(name: str) -> None:
    assert judge_text(f"`{name}` does it", from_list((), (f"deep/in/{name}",))).suggested is None


def test_a_single_folder_said_bare_is_stale_only_where_it_is_known_to_have_gone_somewhere() -> None:
    went = from_list((("web/pay_desk/a.ts", "app/till/a.ts"), ("web/pay_desk/b.ts", "app/till/b.ts")), ())
    assert judge_text("`pay_desk/` holds forms", went).overall == "moved"
    lost = from_list((), ("web/pay_desk/index.ts", "web/pay_desk/b.ts"))
    assert judge_text("`pay_desk/` holds forms", lost).suggested is None


@pytest.mark.parametrize(
    "text", ["`tests/fakes/` holds fakes", "from tests.fakes.web import Web", ".ci/run.yml does it"]
)
def test_a_folder_that_every_part_may_have_is_said_from_the_top(text: str) -> None:
    lost = from_list((), ("kit/tests/fakes/__init__.py", "kit/tests/fakes/git.py", "kit/.ci/run.yml"))
    assert judge_text(text, lost).suggested is None
    assert judge_text("`kit/tests/fakes/` and kit/.ci/run.yml", lost).suggested == "expire"


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("src/useHook.ts has it", "expire"),  # nobody has it twice
        ("src/index.ts starts it", None),
        ("see src/core/task/index.ts", "expire"),
    ],
)
def test_a_general_path_of_a_part_is_its_own_only_where_its_name_is(text: str, suggested: str | None) -> None:
    lost = from_list((), ("apps/a/src/useHook.ts", "apps/a/src/index.ts", "apps/a/src/core/task/index.ts"))
    assert judge_text(text, lost).suggested == suggested


def test_the_name_over_a_tree_may_be_any_where_its_branch_is_told_on_one_line() -> None:
    lost = from_list((), ("src/plug/__init__.py", "src/plug/skill.py"))
    assert judge_text("my-agents/src/plug/skill.py — the skill", lost).suggested == "expire"
    assert judge_text("my-agents/src/plug — all of it", lost).suggested == "expire"
    assert judge_text("my-agents/plug/skill.py — not right below it", lost).suggested is None
    assert judge_text("the package my-agents/src/plug/skill.py", lost).suggested is None


def test_a_folder_that_went_into_one_place_and_further_down_in_it_went_there() -> None:
    went = [(f"pkg/flow/{n}.ts", f"pkg/chat/{n}.ts") for n in range(5)]
    deeper = [(f"pkg/flow/x{n}.ts", f"pkg/chat/client/x{n}.ts") for n in range(4)]
    said = judge_text("see pkg/flow/", from_list((*went, *deeper), (), tree=Tree(new for _, new in (*went, *deeper))))
    assert (said.overall, said.rewritten) == ("moved", "see pkg/chat/")


def test_a_folder_that_only_tests_left_stands() -> None:
    went = [(f"src/auth/{n}.test.ts", f"test/auth/{n}.test.ts") for n in range(9)]
    assert judge_text("auth lives in `src/auth/`", from_list(went, ())).suggested is None


def test_what_is_installed_in_place_is_a_folder() -> None:
    lost = from_list((), ("examples/simple/pyproject.toml", "examples/simple/run.py"))
    assert judge_text("$ uv pip install -e examples/simple", lost).suggested == "expire"


def test_a_link_as_a_rule_of_cursor_writes_it_is_a_path() -> None:
    said = judge_text("see [the rules](mdc:services/pay.py)", MOVES)
    assert (said.overall, said.rewritten) == ("moved", "see [the rules](mdc:core/pay.py)")


@pytest.mark.parametrize(
    ("text", "overall"),
    [
        ("acme-shop/services — business rules", "moved"),
        ("- `acme-shop/legacy` – old code", "gone"),
        ("acme-shop/services runs it", ""),
        ("push acme-shop/services — the image", ""),
    ],
)
def test_a_branch_of_a_tree_on_one_line_begins_with_the_repositorys_name(text: str, overall: str) -> None:
    assert one(text)[0] == overall


def test_a_single_mention_can_be_judged() -> None:
    from store.mentions import mentions

    mention = mentions("see services/pay.py")[0]
    said = judge(mention, MOVES)
    assert said is not None and (said.verdict, said.new_path, said.instead) == ("moved", "core/pay.py", "core/pay.py")


def test_renames_that_cross_are_followed_at_once() -> None:
    now = Tree(("a", "b", "new", "d"))
    steps = [
        Step("1", 0, "swap", renames=[("a", "b"), ("b", "a")]),
        Step("2", 0, "on", renames=[("c", "mid")]),
        Step("3", 0, "on", renames=[("mid", "new")], deletions=["gone"]),
        Step("4", 0, "back", renames=[("d", "e")]),
        Step("5", 0, "back", renames=[("e", "d")]),
    ]
    renamed, deleted, copied = composed(steps, now)
    assert renamed == {"a": ("b", "1"), "b": ("a", "1"), "c": ("new", "3"), "mid": ("new", "3"), "e": ("d", "5")}
    assert (deleted, copied) == ({"gone": "3"}, {})


def test_a_file_put_back_under_a_moved_ones_name_is_there() -> None:
    steps = [Step("1", 0, "move", renames=[("a.py", "pkg/a.py")])]
    now = Tree(("a.py", "pkg/a.py"))
    renamed, deleted, copied = composed(steps, now)
    assert (renamed, deleted) == ({}, {})
    told = Moves(renamed, deleted, copied, folder_moves(renamed, deleted, now=now), now=now)
    assert "pkg/a.py" in judge_text("see a.py", told).mentions[0].reason


NAMES = st.lists(st.sampled_from(["a", "b.py", "c-d", "e f", "设计", "g.ts"]), min_size=1, max_size=3).map("/".join)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=6), st.lists(NAMES, max_size=4), st.text(max_size=30), NAMES)
@settings(max_examples=60, deadline=None)
def test_whatever_moved_a_verdict_stands_in_the_text_and_the_quick_look_never_misses(
    renames: list[tuple[str, str]], deleted: list[str], noise: str, name: str
) -> None:
    seat = Judge(from_list(renames, deleted))
    text = f"{noise} see `{name}` and {name}/x.py, {noise}"
    said = seat.text(text)
    for row in said.mentions:
        assert text[row.mention.start : row.mention.end] == row.mention.text
        assert row.reason
    if any(row.stale for row in said.mentions):
        assert seat.may_concern(text)

"""What a text names: every shape of the issue in English and Chinese, what only looks like one, and hostile text."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.mentions import MOST_MENTIONS, candidates, mentions, paths


def named(text: str) -> list[tuple[str, str]]:
    """Kind and path of each sure mention."""
    return [(one.kind, one.path) for one in mentions(text) if one.sure]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Handlers are in src/handlers/pay.ts.", [("path", "src/handlers/pay.ts")]),
        ("see ./src/pay.py, and (docs/dev.md)", [("path", "src/pay.py"), ("path", "docs/dev.md")]),
        ("**`src/api/`**: the routes", [("folder", "src/api")]),
        ("**src/core/**: rules, **src/x.py:** more", [("folder", "src/core"), ("path", "src/x.py")]),
        ("[set-up](docs/dev.md#install) and [x](my%20docs/a.md)", [("path", "docs/dev.md"), ("path", "my docs/a.md")]),
        ("run install.py, then the Makefile", [("file", "install.py"), ("file", "Makefile")]),
        ("copy .env.example to .env", [("file", ".env.example"), ("file", ".env")]),
        ("pay.py:186 and src/pay.py#L20-L30", [("file", "pay.py"), ("path", "src/pay.py")]),
        ("tests/test_pay.py::test_charge fails", [("path", "tests/test_pay.py")]),
        ("call `charge()` or pay.charge()", [("function", "charge"), ("function", "pay/charge")]),
        ("from shop.pay import charge", [("module", "shop/pay")]),
        ("start it with `python -m shop.server`", [("module", "shop/server")]),
        ("all of src/**/*.ts and *.sql", [("glob", "src/**/*.ts"), ("glob", "*.sql")]),
        ("under hub/agents/<id>/python/", [("glob", "hub/agents/<id>/python")]),
        (r"in src\pay\api.py or C:\tools\t.exe", [("windows", "src/pay/api.py"), ("windows", "C:/tools/t.exe")]),
        ("see https://example.org/a/b.py, ok?", [("url", "https://example.org/a/b.py")]),
        ("see www.example.org/x", [("url", "www.example.org/x")]),
        ("in ~/.config/x.toml and $HOME/bin/t", [("home", "~/.config/x.toml"), ("home", "$HOME/bin/t")]),
        ("uv add httpx @acme/ui", [("package", "httpx"), ("package", "@acme/ui")]),
        ("run `npm run build` first", [("command", "npm run build")]),
        ("the `core` folder and the services_v2 directory", [("folder", "core"), ("folder", "services_v2")]),
        ("$PROJECT_ROOT/src/a.py and @docs/style.md", [("path", "src/a.py"), ("path", "docs/style.md")]),
        ("app/(auth)/[id]/page.tsx", [("glob", "app/(auth)/[id]/page.tsx")]),
        ("--config=conf/dev.yml:/etc/app", [("path", "conf/dev.yml")]),
        ("a/old.py -> b/new.py → c/last.py", [("path", "a/old.py"), ("path", "b/new.py"), ("path", "c/last.py")]),
        ("| `src/a.py` | the first | lib/b.go |", [("path", "src/a.py"), ("path", "lib/b.go")]),
        ("支付在services/pay.py中，配置见config/dev.yml。", [("path", "services/pay.py"), ("path", "config/dev.yml")]),
        ("看《docs/设计.md》和`文档/接口 说明.md`", [("path", "docs/设计.md"), ("path", "文档/接口 说明.md")]),
        ("src/api/和src/web/下的文件", [("folder", "src/api"), ("folder", "src/web")]),
        ("请看支付设计.md吧", [("file", "请看支付设计.md")]),
        ("`core` 目录里是业务规则", [("folder", "core")]),
    ],
)  # fmt: skip
def test_every_shape_of_a_name(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Use Next.js and Node.js 20, with D3.js for charts.",
        "read/write/edit is and/or TCP/IP, 24/7, Telegram/Slack",
        "Version 1.2.3 of the API, e.g. i.e. etc. at 10.30",
        "openmemory is our product; the services are slow",
        "Prices rose by 3.5 % in Q3/Q4",
        "GET /api/v1/users and /products/{id}, the /memory-store command, issues #887/#888/, Platform-specific modules",
        "我们使用React和Vue，端口是8080。",
        "He said: yes. No... maybe?",
    ],
)
def test_what_only_looks_like_a_name_is_not_sure(text: str) -> None:
    assert named(text) == []


def test_a_line_number_is_read_in_every_form() -> None:
    for text in (
        "pay.py:186",
        "src/pay.py#L186",
        "`pay.py` line 186",
        "pay.py, line 186",
        "pay.py:186:4",
        "pay.py 第186行",
    ):
        assert [one.line for one in mentions(text)] == [186], text


def test_a_drawn_tree_gives_each_name_its_place() -> None:
    text = "shop/\n├── src/\n│   ├── api/          # routes\n│   │   └── pay.py\n│   └── db.py\n└── README.md\n"
    assert [one.path for one in mentions(text) if one.tree] == [
        "shop/src",
        "shop/src/api",
        "shop/src/api/pay.py",
        "shop/src/db.py",
        "shop/README.md",
    ]
    indented = "```\nsrc/\n  api/\n    pay.py\n  db.py\n```\n"
    assert [one.path for one in candidates(indented) if one.tree] == ["src/api", "src/api/pay.py", "src/db.py"]


def test_after_cd_names_are_said_from_there() -> None:
    text = "```\ncd services/pay\npytest tests/unit\ncd ..\npython run.py\n```\nthen run.py"
    said = [(one.path, one.base) for one in mentions(text) if one.kind in ("path", "file", "folder")]
    assert ("services/pay", "") in said
    assert ("tests/unit", "services/pay") in said
    assert [base for path, base in said if path == "run.py"] == ["services", ""]


def test_mentions_do_not_lie_over_each_other_and_say_where_they_stand() -> None:
    text = "请看docs/设计.md里，`python src/a.py --x=b/c.yml` and [d](e/f.md)"
    found = mentions(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_paths_are_those_inside_a_repository() -> None:
    text = "see src/a.py, src/a.py again, ../b.py, /etc/c.py, ~/d.py, https://x.org/e.py, src/*.f, and/or, lib/"
    assert paths(text) == ("src/a.py", "lib")


@given(st.text(alphabet="a/.\\ `\"'()[]{}<>*?~$:#@|│├─└\n-_=中文é&;", max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_and_every_mention_is_where_it_says(text: str) -> None:
    for one in candidates(text):
        assert text[one.start : one.end] == one.text
        assert one.path


@pytest.mark.parametrize(
    "unit",
    [
        "/",
        "a/",
        "a.",
        "(",
        "[",
        "`",
        '"',
        "“",
        "`a ",
        "{",
        "<a>/",
        "│   ",
        "├── a/\n",
        "cd a;",
        "\\",
        "*",
        "a(",
        "a/中",
    ],
)
def test_a_hostile_text_costs_no_more_than_its_length(unit: str) -> None:
    def cost(length: int) -> float:
        text = unit * (length // len(unit))
        best = 1e9
        for _ in range(2):
            start = time.process_time()
            candidates(text)
            best = min(best, time.process_time() - start)
        return best

    # Eight times the text is eight times the work, give or take; a square would be sixty-four.
    assert cost(8_000) < 30 * cost(1_000) + 0.02
    assert len(candidates(unit * 4_000)) <= MOST_MENTIONS

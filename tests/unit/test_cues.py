"""Hints between two statements: what of the one differs from the other, in kinds rather than in these very words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import cues
from store.cues import Hint, hints

SAME = (
    ("Run the tests with pytest -q.", "Tests are run using `pytest -q`."),
    ("Use uv, never pip, in this repository.", "In this repo always use uv and not pip."),
    ("The API returns dates in UTC.", "All timestamps from the API are UTC."),
    ("Commit messages follow Conventional Commits.", "We write commit messages in the Conventional Commits style."),
    ("Secrets live in Vault.", "Vault holds our secrets."),
    ("The default branch is main.", "main is the default branch."),
    ("Always squash before merging.", "Squash commits prior to merging."),
    ("Timeouts are 30 seconds.", "The timeout is 30s."),
    ("Requests time out after 2 minutes.", "The request timeout is 120 seconds."),
    ("Don't use print for logging; use structlog.", "Logging goes through structlog instead of print."),
    ("The user prefers short answers.", "Keep answers brief for this user."),
    ("Node 20 is required.", "The project needs Node 20."),
    ("Never force-push to shared branches.", "Force pushing to shared branches is not allowed."),
    ("Avoid default exports.", "Do not use default exports."),
    ("Integration tests need a running Redis.", "Redis has to be up for the integration tests."),
    ("If the build fails, clear the cache first.", "Clear the cache first when a build breaks."),
    ("The staging server is at 10.0.0.12.", "Staging runs on 10.0.0.12."),
    ("Retry at most three times.", "No more than 3 retries."),
    ("Every endpoint must be documented in docs/api.md.", "docs/api.md has to describe each endpoint."),
    ("Releases happen on Tuesdays.", "We release every Tuesday."),
    ("Pages load in under 200 ms.", "A page must load within 0.2 seconds."),
    ("The CLI is written in Rust.", "Rust is the language of the CLI."),
    ("Use tabs for indentation.", "Indent with tabs."),
    ("Images are stored in S3.", "S3 is where images are kept."),
    ("提交前必须跑 ruff。", "每次提交之前都要运行 ruff。"),
    ("不要修改 migrations 目录下的文件。", "migrations 目录里的文件禁止改动。"),
    ("接口超时是 30 秒。", "接口的超时时间为三十秒。"),
    ("回复尽量简短。", "回答要简洁。"),
    ("线上数据库是 PostgreSQL 16。", "生产环境使用 PostgreSQL 16。"),
    ("日志用 JSON 格式。", "日志格式为 JSON。"),
    ("每周二发版。", "发版时间是星期二。"),
    ("密码不能写进代码里。", "代码里禁止出现密码。"),
    ("最多重试 3 次。", "重试不超过三次。"),
    ("文档放在 docs/ 目录。", "docs/ 目录存放文档。"),
    ("如果测试失败就不要合并。", "测试没通过时禁止合并。"),
    ("部署用 Docker。", "我们通过 Docker 部署。"),
    ("Never commit secrets.", "不要提交密钥。"),
    ("The timeout is 30 seconds.", "超时时间是 30 秒。"),
    ("Use pnpm for installs.", "安装依赖用 pnpm。"),
)
DIFFERENT = (
    ("The timeout is 30 seconds.", "The timeout is 60 seconds.", "30 seconds -> 60 seconds"),
    ("Requests time out after 30 seconds.", "Requests time out after 30 minutes.", "30 seconds -> 30 minutes"),
    ("freeze starts 15 Oct", "freeze starts 16 Oct", "15 -> 16"),
    ("port 8080", "port 8081", "8080 -> 8081"),
    ("Python 3.11 is required.", "Python 3.12 is required.", "3.11 -> 3.12"),
    ("Use npm for installs.", "Use pnpm for installs.", "npm -> pnpm"),
    ("The API is written in Flask.", "The API has been rewritten in FastAPI.", "Flask -> FastAPI"),
    ("Logs go to /var/log/app.log.", "Logs go to /srv/logs/app.log.", "/var/log/app.log -> /srv/logs/app.log"),
    ("The entry point is src/main.py.", "The entry point is src/app/cli.py.", "src/main.py -> src/app/cli.py"),
    ("Stand-up is at 9:30.", "Stand-up is at 10:00.", "9:30 -> 10:00"),
    ("Releases happen on Tuesdays.", "Releases happen on Thursdays.", "Tuesdays -> Thursdays"),
    ("The team lead is Anna Schmidt.", "The team lead is Marco Rossi.", "Anna Schmidt -> Marco Rossi"),
    ("The default theme is dark.", "The default theme is light.", "dark -> light"),
    ("Use tabs for indentation.", "Use spaces for indentation.", "tabs -> spaces"),
    ("Reports are written in the active voice.", "Reports are written in the passive voice.", "active -> passive"),
    ("We deploy with Jenkins.", "We no longer deploy with Jenkins.", "no longer"),
    ("The cache TTL is 5 minutes.", "Cache TTL was raised to 15 minutes.", "5 minutes -> 15 minutes"),
    ("Run `make test` before pushing.", "Run `make check` before pushing.", "test -> check"),
    ("The config key is max_retries.", "The config key is retry_limit.", "max_retries -> retry_limit"),
    ("run 2: 39.8 ms", "run 3: 41.2 ms", "2 -> 3"),
    ("The budget is $500 a month.", "The budget is $800 a month.", "$500 -> $800"),
    ("The bucket is in eu-west-1.", "The bucket is in us-east-2.", "eu-west-1 -> us-east-2"),
    ("Batch size is 1,000.", "Batch size is 10,000.", "1,000 -> 10,000"),
    ("Keep functions under 40 lines.", "Keep functions under 60 lines.", "40 -> 60"),
    ("Deploys need one approval.", "Deploys need two approvals.", "one -> two"),
    ("The job runs every night.", "The job runs every Sunday.", "night -> sunday"),
    ("The contract ends in June 2027.", "The contract ends in March 2028.", "2027 -> 2028"),
    ("web listens on 8080 and admin on 9090", "web listens on 9090 and admin on 8080", "8080 -> 9090"),
    ("Comments are allowed in JSON config.", "Comments are not allowed in JSON config.", "+ not"),
    ("Feature flags are enabled in production.", "Feature flags are disabled in production.", "enabled -> disabled"),
    ("The draft report goes to the client.", "The final report goes to the client.", "draft -> final"),
    ("Writes go to the primary database.", "Writes go to the secondary database.", "primary -> secondary"),
    ("Always rebase feature branches.", "Never rebase feature branches.", "always -> never"),
    ("Mocks are fine in unit tests.", "Mocks are forbidden in unit tests.", "fine -> forbidden"),
    ("Retry at least 3 times.", "Retry at most 3 times.", "at least -> at most"),
    ("The endpoint is public.", "The endpoint is private.", "public -> private"),
    ("The field is required.", "The field is optional.", "required -> optional"),
    ("Migrations are reversible.", "Migrations cannot be rolled back.", "+ cannot"),
    ("The user wants detailed explanations.", "The user wants brief explanations.", "detailed -> brief"),
    ("Types are checked before tests.", "Types are checked after tests.", "before -> after"),
    ("Everyone may push to main.", "Nobody may push to main.", "+ nobody"),
    ("The user drinks coffee.", "The user doesn't drink coffee.", "+ doesn't"),
    ("Calls are synchronous.", "Calls are asynchronous.", "synchronous -> asynchronous"),
    ("Use single quotes.", "Use double quotes.", "single -> double"),
    ("接口超时是 30 秒。", "接口超时是 60 秒。", "30 秒 -> 60 秒"),
    ("部署用 Jenkins。", "部署改用 GitHub Actions。", "Jenkins -> GitHub"),
    ("周会在周四。", "周会在周五。", "周四 -> 周五"),
    ("负责人是张伟。", "负责人是李娜。", "张伟 -> 李娜"),
    ("日志写到 /var/log/app。", "日志写到 /srv/log/app。", "/var/log/app -> /srv/log/app"),
    ("默认语言是中文。", "默认语言是英文。", "中文 -> 英文"),
    ("回复要详细。", "回复要简短。", "详细 -> 简短"),
    ("允许直接推送 main。", "不允许直接推送 main。", "+ 不允许"),
    ("接口需要鉴权。", "接口不需要鉴权。", "+ 不需要"),
    ("写操作走主库。", "写操作走从库。", "主库 -> 从库"),
    ("先测试再部署。", "先部署再测试。", "测 <-> 部"),
    ("报告用主动语态。", "报告用被动语态。", "主动 -> 被动"),
    ("提交前必须跑测试。", "提交前可以不跑测试。", "+ 不跑测"),
    ("缩进用空格。", "缩进用制表符。", "空格 -> 制表符"),
    ("每天备份一次。", "每周备份一次。", "天 -> 周"),
    ("我们还在用 Vue 2。", "我们已经不用 Vue 2 了。", "no longer Vue"),
    ("团队有五个人。", "团队有八个人。", "五 -> 八"),
    ("数据库是 MySQL。", "数据库是 PostgreSQL。", "MySQL -> PostgreSQL"),
    ("至少需要两人审批。", "至多需要两人审批。", "至少 -> 至多"),
    ("The timeout is 30 seconds.", "超时时间是 60 秒。", "30 seconds -> 60 秒"),
    ("Deploys need approval.", "部署不需要审批。", "+ 不需要"),
    ("The job runs on Mondays.", "任务在周五运行。", "Mondays -> 周五"),
)


def reasons(old: str, new: str) -> list[str]:
    return [hint.reason for hint in hints(old, new)]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_in_other_words_has_no_hint(old: str, new: str) -> None:
    assert hints(old, new) == ()
    assert hints(new, old) == ()


@pytest.mark.parametrize(("old", "new", "reason"), DIFFERENT)
def test_what_differs_is_the_reason(old: str, new: str, reason: str) -> None:
    assert reasons(old, new)[0] == reason


def test_D016_one_digit_apart_is_a_change() -> None:
    assert hints("freeze starts 15 Oct", "freeze starts 16 Oct") == (Hint("number", "15", "16", "15 -> 16"),)
    assert reasons("port 8080", "port 8081") == ["8080 -> 8081"]
    assert reasons("run 2: 39.8 ms", "run 3: 41.2 ms") == ["2 -> 3", "39.8 ms -> 41.2 ms"]


def test_D017_numbered_and_opposite_names_are_told_apart() -> None:
    assert reasons("Deploy stage-2-db first.", "Deploy stage-3-db first.") == ["stage-2-db -> stage-3-db"]
    assert reasons("Send the draft contract.", "Send the final contract.") == ["draft -> final"]
    assert reasons("Writes go to the primary.", "Writes go to the secondary.") == ["primary -> secondary"]


def test_a_hint_is_spelled_as_the_texts_spell_it() -> None:
    assert reasons("夜间任务凌晨两点开始。", "夜间任务改到四点半启动。") == ["两点 -> 四点半", "改到"]
    assert reasons("Use twelve workers.", "Use 16 workers.") == ["twelve -> 16"]


def test_values_in_other_units_are_the_same() -> None:
    assert hints("The timeout is 90 seconds.", "The timeout is 1.5 minutes.") == ()
    assert reasons("The timeout is 90 seconds.", "The timeout is 90 minutes.") == ["90 seconds -> 90 minutes"]
    assert hints("Uploads may have 1 GB.", "Uploads may have 1024 MB.") == ()


def test_a_negation_of_an_opposite_is_the_same() -> None:
    assert hints("Telemetry stays enabled.", "Telemetry must not be disabled.") == ()
    assert reasons("Telemetry stays enabled.", "Telemetry must not be enabled.") == ["+ not"]


def test_what_is_only_added_is_no_hint() -> None:
    assert hints("Run pytest before pushing.", "Run pytest before pushing, and ruff as well.") == ()
    assert hints("The API is written in Go.", "The API is written in Go and stands behind nginx.") == ()


def test_what_is_ruled_out_is_no_longer_said() -> None:
    assert "no longer #triage" in reasons("Bugs go to #triage.", "Bugs go to #bugs instead of #triage.")
    assert hints("Use httpx instead of requests.", "Use httpx, not requests.") == ()


def test_order_and_preference_the_other_way_round() -> None:
    assert reasons("先测试再部署。", "先部署再测试。")
    assert reasons("Use httpx rather than requests.", "Use requests rather than httpx.") == ["httpx <-> request"]
    assert reasons("Lint before test.", "Test before lint.")


def test_an_order_from_now_on_is_no_change() -> None:
    assert hints("Use uv for installs.", "From now on use uv for installs.") == ()


def test_both_directions_find_something() -> None:
    for old, new, _reason in DIFFERENT:
        back = hints(new, old)
        assert back or any(hint.kind == "change_word" for hint in hints(old, new)), (old, new)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_are_read(one: str, other: str) -> None:
    assert hints(one, one) == ()
    assert len(hints(one, other)) <= cues.MOST_HINTS
    assert 0.0 <= cues.same_subject(one, other, None) <= 1.0


@pytest.mark.parametrize(
    "piece", ["1", "/a", "`a`", "不", "二", "A a ", "a.", " ", "if ", "a:", "-", "not ", "版本", "\\a"]
)
def test_a_long_text_of_one_piece_is_bounded(piece: str) -> None:
    said = piece * 8_000
    assert len(hints(said, f"5 {said}")) <= cues.MOST_HINTS


def test_the_same_subject_is_likelier_than_another() -> None:
    same = cues.same_subject("The timeout is 30 seconds.", "The timeout was raised to 60 seconds.", 0.6)
    other = cues.same_subject("The timeout is 30 seconds.", "The timeout is logged.", 0.6)
    assert same > other
    assert cues.same_subject("`make test` runs all tests", "`make lint` runs all checks", None) < cues.same_subject(
        "`make test` runs all tests", "`make test` runs the tests", None
    )

"""Rules for what is no longer true: dates in the person's zone, names in full parts, nothing by pattern."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from store.errors import UsageError
from store.selecting import Rule, folder, instant, names_package, names_path, package, span

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The person's zone, as TZ gives it."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("zone", "said", "hour"),
    [
        ("Asia/Shanghai", "2026-10-02", datetime(2026, 10, 1, 16, tzinfo=UTC)),
        ("America/Los_Angeles", "2026-10-02", datetime(2026, 10, 2, 7, tzinfo=UTC)),
        ("America/Los_Angeles", "2026-11-01", datetime(2026, 11, 1, 7, tzinfo=UTC)),
        ("America/Los_Angeles", "2026-11-02", datetime(2026, 11, 2, 8, tzinfo=UTC)),
        ("America/Los_Angeles", "2026-11-01T23:59", datetime(2026, 11, 2, 7, 59, tzinfo=UTC)),
        ("Asia/Shanghai", "yesterday", datetime(2026, 11, 28, 16, tzinfo=UTC)),
        ("America/Los_Angeles", "today", datetime(2026, 11, 30, 8, tzinfo=UTC)),
        ("Asia/Shanghai", "2026-10-02T10:00+02:00", datetime(2026, 10, 2, 8, tzinfo=UTC)),
    ],
    indirect=["zone"],
)
def test_D069_since_a_day_begins_at_the_persons_midnight(zone: str, said: str, hour: datetime) -> None:
    assert instant(said, NOW) == hour


@pytest.mark.parametrize("said", ["HEAD~3", "v1.2", "main", "1a2b3c4", "2026", "10-02", "release/2026-10-02"])
def test_what_is_no_date_may_be_a_revision(said: str) -> None:
    assert instant(said, NOW) is None


@pytest.mark.parametrize("said", ["2026-13-01", "2026-02-30", "2026-10-02T25:00"])
def test_a_date_that_does_not_exist_is_refused(said: str) -> None:
    with pytest.raises(UsageError, match="no date"):
        instant(said, NOW)


@pytest.mark.parametrize(("said", "days"), [("90d", 90), ("90", 90), ("2w", 14), ("1m", 30), ("1Y", 365)])
def test_spans(said: str, days: int) -> None:
    assert span(said, "--older-than") == timedelta(days=days)
    assert said == "90" or instant(said, NOW) == NOW - timedelta(days=days)


@pytest.mark.parametrize("said", ["", "0d", "soon", "-3d", "1.5", "३d"])
def test_no_span(said: str) -> None:
    with pytest.raises(UsageError, match="--older-than"):
        span(said, "--older-than")


@pytest.mark.parametrize(
    ("said", "path"), [("services/", "services"), ("./a/b", "a/b"), ("a\\b", "a/b"), (" 源/码 ", "源/码")]
)
def test_a_path_in_one_spelling(said: str, path: str) -> None:
    assert folder(said) == path


@pytest.mark.parametrize("said", ["", " ", ".", "./", "*", "services/*", "%", "a?", "/etc/hosts", "~/x", "../x", ".."])
def test_D062_no_path_means_everything_or_what_is_outside(said: str) -> None:
    with pytest.raises(UsageError):
        folder(said)


@pytest.mark.parametrize("said", ["", " ", "*", "services.*", "a b", "%", "."])
def test_D062_no_package_means_everything(said: str) -> None:
    with pytest.raises(UsageError):
        package(said)


@pytest.mark.parametrize(
    ("content", "paths", "named"),
    [
        ("Payment lives in services/pay.py", (), True),
        ("See `./services/pay/run.py:12` first", (), True),
        ("付款在services/pay.py里", (), True),
        ("cd services && make", (), True),
        ("The services are billed monthly", (), False),
        ("Look in myservices/pay.py or services2/pay.py", (), False),
        ("Look in old/services/pay.py", (), False),
        ("https://example.org/services/pay.py", (), False),
        ("Nothing in the text", ("services/pay.py",), True),
        ("Nothing in the text", ("services2/pay.py",), False),
        (r"Windows: services\pay\run.py", (), True),
    ],
)
def test_a_path_counts_in_full_parts(content: str, paths: tuple[str, ...], named: bool) -> None:
    assert names_path("services")(content, paths) is named


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("Call services.pay.run() last", True),
        ("import services.pay", True),
        ("services/pay/run.py does it", True),
        ("services/pay.py does it", True),
        ("services/payroll.py does not", False),
        ("services.payroll is another", False),
        ("my.services.pay is another", False),
        ("services.pay-next is another", False),
    ],
)
def test_a_package_counts_as_a_whole_name(content: str, named: bool) -> None:
    assert names_package("services.pay")(content, ()) is named


def test_a_rule_without_anything_that_chooses_narrows_nothing() -> None:
    assert not Rule(scopes=("shop",)).narrows
    assert Rule(scopes=("shop",), path="a").narrows
    assert Rule(scopes=("shop",), judged=True).narrows

"""What may be a secret needs a word; a way can be turned down and is shown beside what is like it."""

from __future__ import annotations

import pytest

from store import queries, retiring
from store.redact import redact_text
from tests.flows.conftest import Console, Desk, Opener
from tests.secret_samples import sample

HINT = "Staging password hint: QUJDREVGR0hJSktMTU5PUFFSU1RVVg=="
VALUE = "QUJDREVGR0hJSktMTU5PUFFSU1RVVg=="


SAID = {
    sample("aws access key"): "Deploy with {}",
    sample("github token"): "Clone with {}",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r": "Call with {}",
    "MIIEpAIBAAKCAQEA7bq1": "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
    "s3pw": "It is postgres://u:{}@h/db",
    "hunter2": "The password is {}",
    "ann.lee@corp-demo.cn": "Write to {}",
    "138 1234 5678": "Ring +86 {}",
}
"""A value -> the text in which an agent says it."""


async def asked(c: Console) -> None:
    await c.shows("This may hold a secret")
    await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")


@pytest.mark.parametrize("size", [(80, 24), pytest.param((140, 40), marks=pytest.mark.long)])
async def test_approving_asks_for_a_word_and_mask_masks(desk: Desk, console: Opener, size: tuple[int, int]) -> None:
    first = desk.propose(HINT)
    async with console(size=size) as c:
        await c.press("a")
        await asked(c)
        assert "▌ n  No" in c.text() and VALUE in c.text() and "beside a word for a secret" in c.text()
        assert desk.status(first) == "pending"
        await c.press("m")
        await c.until(lambda: desk.status(first) == "approved", "masked")
        (content,) = desk.contents()
        assert VALUE not in content and content.startswith("Staging password hint: [")


@pytest.mark.long
async def test_not_a_secret_is_remembered_and_undo_takes_that_back(desk: Desk, console: Opener) -> None:
    first = desk.propose(HINT)
    async with console() as c:
        await c.press("a")
        await asked(c)
        await c.press("k")
        await c.until(lambda: desk.status(first) == "approved", "kept")
        assert desk.contents() == {HINT}
        await c.until(lambda: c.app.undo is not None, "undo")
        await c.press("u")
        await c.until(lambda: desk.status(first) == "pending", "undone")
        await c.until(lambda: c.here == first, "back")
        await c.ready()
        await c.press("a")
        await asked(c)


@pytest.mark.long
async def test_edit_first_and_no_leaves_it(desk: Desk, console: Opener) -> None:
    first = desk.propose(HINT)
    async with console() as c:
        await c.press("a")
        await asked(c)
        await c.press("n")
        await c.until(lambda: len(c.app.screen_stack) == 1, "left")
        assert desk.status(first) == "pending"
        await c.ready()
        await c.press("a")
        await asked(c)
        await c.press("e")
        await c.until(lambda: c.queue.editing and c.app.focused is not None, "editor")
        await c.press("x", "ctrl+s")
        await asked(c)
        await c.press("m")
        await c.until(lambda: desk.status(first) == "approved", "the edited text is asked about as well")
        assert not c.queue.editing
        (content,) = desk.contents()
        assert content.startswith("xStaging") and VALUE not in content


@pytest.mark.long
async def test_an_edit_in_the_library_asks_for_a_word_as_well(desk: Desk, console: Opener) -> None:
    memory = desk.known("Staging password hint: ask Ada")
    async with console() as c:
        await c.press("2")
        await c.until(lambda: c.app.screen.NAME == "library" and c.app.screen.painted_at() is not None, "painted")
        await c.press("e")
        await c.until(lambda: c.app.screen.editing and c.app.focused is not None, "editor")
        c.app.focused.text = HINT
        await c.press("ctrl+s")
        await asked(c)
        assert desk.memory(memory.id).revision == 1
        await c.press("m")
        await c.until(lambda: desk.memory(memory.id).revision == 2, "saved")
        assert VALUE not in desk.memory(memory.id).entry.content


@pytest.mark.long
async def test_D079_list_difference_and_message_show_no_value(desk: Desk, console: Opener) -> None:
    memory = desk.known("Ask Ada", key="how.in")
    texts = [text.format(value) for value, text in SAID.items()]
    keyless = [desk.propose(text) for text in texts][list(SAID).index("hunter2")]
    change = desk.propose("\n".join(texts), key="how.in")
    async with console(size=(200, 40)) as c:
        seen = [c.text()]
        assert len(c.queue.model) == len(SAID) + 1
        await c.on(change)
        seen.append(c.text())
        for text in texts:
            assert c.text().count(redact_text(text)[0]) >= 2, "a row, and a line of the difference"
        await c.press("d")
        await c.until(lambda: c.app.screen is not c.queue and "Ask Ada" in c.text(), "the whole difference")
        seen.append(c.text())
        await c.press("escape")
        await c.ready()
        for one, said in ((change, "approved how.in"), (keyless, "approved “The password is [passwo")):
            await c.on(one)
            await c.press("a")
            await c.says(said)
            seen.append(c.text())
        assert "[e-mail]" in desk.memory(memory.id).entry.content
    assert [value for value in SAID if any((value[4:14] or value) in one for one in seen)] == []


@pytest.mark.long
async def test_a_session_and_marks_leave_what_may_hold_a_secret(desk: Desk, console: Opener) -> None:
    secret, plain = desk.propose(HINT), desk.propose("Tests run with pytest -q")
    async with console(size=(100, 40)) as c:
        await c.press("S")
        await c.shows("Session s-1")
        await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")
        await c.press("y")
        await c.until(lambda: desk.status(plain) == "approved", "the plain one")
        assert desk.status(secret) == "pending"
        await c.says("1 was left: It may hold a secret")


@pytest.mark.long
async def test_turned_down_is_kept_with_its_reason_and_shown_beside_what_is_like_it(
    desk: Desk, console: Opener
) -> None:
    first = desk.propose("Keep the changelog by hand in CHANGES.md", kind="decision")
    async with console(size=(140, 40)) as c:
        await c.press("X")
        await c.shows("No, because")
        await c.until(lambda: getattr(c.app.screen, "ready", False), "painted")
        await c.press("t")
        await c.shows("Turned down, because")
        await c.press("enter")
        await c.shows("a reason")
        await c.press(*"towncrier makes it", "enter")
        await c.until(lambda: desk.status(first) == "rejected", "turned down")
        desk.propose("Keep the changelog by hand, in CHANGES.md, for each release", kind="decision", session_id="s-2")
        await c.shows("towncrier makes it")
    (memory,) = (
        one
        for one in queries.memory_rows(desk.store, [retired(desk)])
        if one.entry.content == "Keep the changelog by hand in CHANGES.md"
    )
    assert memory.status == "retired"
    assert retiring.why_retired(desk.store, [memory.id])[memory.id].reason == "towncrier makes it"


def retired(desk: Desk) -> str:
    from sqlalchemy import select

    from store.reading import MEMORY

    with desk.store.read() as connection:
        found: str = connection.execute(select(MEMORY.c.id).where(MEMORY.c.status == "retired")).scalar_one()
    return found

"""Every family of the vendors' table sees its key wherever it stands; and nothing that only begins like one."""

from __future__ import annotations

import pytest

from store.redact import redact_text
from store.rules import vendors
from tests.secret_samples import SAMPLES, sample

AROUND = (
    "{}",
    "密钥{}已更新",
    "“{}”",
    "`{}`,",
    "a\n{}\nb",
    "({})",
    "x={};",
    '{{"k":"{}"}}',
    "<{}>",
    "{}。",
    "token\u200b{}\u2060now",
)


def test_the_table_is_long_and_each_line_of_it_has_a_sample() -> None:
    families = [name for name, _, _ in vendors.FAMILIES]
    assert len(families) >= 60
    assert len(set(families)) == len(families)
    assert set(SAMPLES) == set(families)


@pytest.mark.parametrize("family", [name for name, _, _ in vendors.FAMILIES])
def test_V52_a_key_is_masked_by_its_name_and_nothing_of_it_is_left(family: str) -> None:
    for seed, around in enumerate(AROUND):
        key = sample(family, seed)
        said, flags = redact_text(around.format(key))
        assert key not in said
        assert not set(_pieces(key)) & set(_pieces(said)), (around, said)
        assert [flag.code for flag in flags] == ["masked"], (around, said, flags)
    said, _ = redact_text(f"the key {sample(family)} is here")
    assert said == f"the key [{family}] is here"


def _pieces(text: str) -> list[str]:
    return [text[at : at + 10] for at in range(max(1, len(text) - 9))]


@pytest.mark.parametrize("family", ["github token", "aws access key", "openai key", "stripe key", "slack token"])
def test_hidden_characters_and_other_forms_of_letters_do_not_hide_a_key(family: str) -> None:
    key = sample(family)
    middle = len(key) // 2
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in key)
    for said in (f"{key[:middle]}\u200b{key[middle:]}", f"\u2060{key}", "\u00ad".join(key), wide):
        masked, flags = redact_text(f"使用 {said} 登录")
        assert masked.replace("\u2060", "") == f"使用 [{family}] 登录"
        assert [flag.code for flag in flags] == ["masked"]


def test_what_the_vendors_pages_print_is_left_alone() -> None:
    for said in (
        "AKIA" + "IOSFODNN7EXAMPLE",
        "sk-" + "x" * 32,
        "ghp_" + "x" * 36,
        "sk-ant-" + "your-key-goes-here-123",
        "xoxb-" + "your-token-123",
        "a token begins with ghp_ or github_pat_, then 36 characters",
    ):
        assert redact_text(f"the docs show {said} here") == (f"the docs show {said} here", ())

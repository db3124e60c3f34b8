"""What redaction costs: a text as people write it, and 100 kB made to cost as much as can be, one kind a line.

Run from the project's root: ``python -m tests.bench.bench_redact [PART...]``. The budget is issue 5's: 0.5 s of CPU
time for 100 kB, where no text that is proposed is longer than 16 KiB. The parts are repeated; most were drawn from the
rules' own expressions, cut off where they nearly match.
"""

from __future__ import annotations

import sys
import time

from store.redact import redact_text
from tests.bench.harness import least, say
from tests.bench.seed import SENTENCES

LENGTH = 100_000
SHOWN = 12
CRAFTED = (
    "password password password ",
    "password=",
    '"password": "',
    "password of a b c d e ",
    "as the password ",
    "secret:",
    "pass:word:",
    "p@ssw0rd ",
    "passwordpassword",
    "token: token: ",
    "is password ",
    "key: ",
    "密码",
    "密码是",
    "，密码：",
    "фпароль",
    "\u200bpassword\u200b",
    "a\u200b",
    "\u200b",
    "１２３",
    "ａ",
    "一二三",
    "%70",
    "\\u0070",
    '\\"',
    '{"a":{"',
    "'",
    "`",
    ":",
    "::",
    "a@b.",
    "a@",
    "@:",
    "a:b@",
    "http://a:",
    "http://a:b@c ",
    "https://a.b/c ",
    "a.b.",
    "a.local ",
    "a.internal ",
    "10.",
    "192.168.",
    "+86 130 0000",
    "4111 ",
    "1 ",
    "0123456789",
    "aGVsbG8gd29ybGQ=",
    "QUtJQUlPU0ZPRE5ON0VYQU1Q",
    "A1b2C3d4/",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN RSA PRIVATE KEY-----",
    "PuTTY-User-Key-File-9:",
    "eyJ",
    "eyJa.",
    "AKIA",
    "ghp_",
    "___9Q~UUUUUUUUUUUUUUUUUUUUUUUUUUUU",
    "otpauth://(secret==A==Z=Z7",
    "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=F97AEF0F-fa09-",
    "收货地址县幢@",
    "login\t-p'.",
    "mysql a ",
    "curl -u ",
    "Bearer ",
    "Cookie: a=",
    "| token | ",
    "recovery codes ",
    "set password for ",
)


def main() -> None:
    """Print one line a measure, of what was crafted the dearest first."""
    said = " ".join(SENTENCES[n % len(SENTENCES)].format(n=n) for n in range(4))
    say("a text of four sentences", f"{least(lambda: redact_text(said)) * 1000:.2f} ms", "")
    long = (said * (LENGTH // len(said) + 1))[:LENGTH]
    say("100 kB of such sentences", f"{least(lambda: redact_text(long), 3):.3f} s", "at most 0.5 s")
    spent = sorted(((_spent(part), part) for part in sys.argv[1:] or CRAFTED), reverse=True)
    for seconds, part in spent[:SHOWN]:
        say(f"100 kB of {part[:30]!r}", f"{seconds:.3f} s", "at most 0.5 s")


def _spent(part: str) -> float:
    text = (part * (LENGTH // len(part) + 1))[:LENGTH]
    began = time.process_time()
    redact_text(text)
    return time.process_time() - began


if __name__ == "__main__":
    main()

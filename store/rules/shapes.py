"""Secrets that are known by their shape: private keys, JSON web tokens, credentials in URLs, DSNs and headers. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from store.rules.placeholders import is_placeholder
from store.rules.randomness import changes, kinds
from store.rules.vendors import Hit

_PEM: Final = r"----(?:-| )BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)(?:-| )----"
_PPK: Final = r"PuTTY-User-Key-File-[0-9]:"
_LONGEST_BODY: Final = 4096
"""Characters after the first line of a key that tell whether one follows."""
# RFC 7515: three base64url parts; the first two are JSON objects, so both begin with eyJ. An encrypted one has five.
_JWT: Final = r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{6,4096}(?:\.eyJ[A-Za-z0-9_-]{6,8192}(?:\.[A-Za-z0-9_-]{6,2048})?|(?:\.[A-Za-z0-9_-]{0,4096}){4})"
# RFC 3986 userinfo. A password may hold what should have been escaped: it ends at the last @ before the host's end.
_URL: Final = r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9+.-]{1,30}://)([^\s/:@\"'`<>]{0,256}):([^\s\"'`<>]{1,512})@(?=[A-Za-z0-9\[$%{])"
_URL_TOKEN: Final = r"(?<![A-Za-z0-9])https?://([A-Za-z0-9_-]{20,255})@(?=[A-Za-z0-9\[])"
_DSN: Final = r"(?i)(?<![A-Za-z])(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature|authkey|accesskey|secretkey)\s{0,2}=\s{0,2}(\"[^\"\n]{1,256}\"|'[^'\n]{1,256}'|[^;\s\"'`<>]{1,512})"
_ORACLE: Final = r"(?i)(?:jdbc:oracle:[a-z]{2,5}:|sqlplus(?:\s{1,3}-[a-z]{1,3})?\s{1,3})([A-Za-z0-9_$#]{1,60})/(\"[^\"\n]{1,128}\"|[^\s@/\"']{1,128})@"
_HEADER: Final = r"(?i)(?<![A-Za-z])(?:authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"']?\s{0,2}|-H\s{1,3}[\"']?)?(bearer|basic|token|apikey|digest)\s{1,3}([A-Za-z0-9._~+/=-]{8,4096})"
_AUTHORIZATION: Final = r"(?i)(?<![A-Za-z])(?:proxy-)?authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?\s{0,2}(?!bearer|basic|token|digest|negotiate|aws4|apikey)([A-Za-z0-9._~+/=-]{16,4096})"
_SIGNED: Final = r"(?i)(?:[?&;](?:x-amz-signature|x-amz-security-token|x-goog-signature|sig|signature|sharedaccesssignature|awsaccesskeyid)|(?<![\w-])x-amz-(?:signature|security-token))=([A-Za-z0-9%+/=_-]{16,2048})"
_TOTP: Final = r"(?i)otpauth://[!-~]{1,200}?secret=([A-Z2-7=]{8,128})"
_LICENSE: Final = (
    r"(?<![A-Za-z0-9-])(?=[A-Z-]{0,35}[0-9])(?=[0-9-]{0,35}[A-Z])[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}(?![A-Za-z0-9-])"
)
# What a program takes where its environment says nothing: getenv("DB_PASSWORD", "..."), process.env.TOKEN || "...".
_DEFAULT: Final = (
    r"(?i)(?:(?<![a-z])|(?<=get)|(?<=get_))env(?:iron)?(?:\.(?:get|fetch))?[.(\[]\s{0,2}[\"']?(\w{1,60})[\"']?\s{0,2}[\])]?\s{0,3}"
    r"(?:,|\|\||\?\?|\bor\b)\s{0,3}(?:default\s{0,2}=\s{0,2})?([\"'`])([^\"'`\n]{4,256})\2"
)
_NAMES_ONE: Final = r"(?i)(?:pass(?:word|wd|phrase)?|pwd|secret|token|(?:api|access|secret|private|signing)_?key)"
_SESSION: Final = r"(?i)sess|sid$|auth|token|jwt|login|remember"
"""Names of cookies that tell that who has it is let in."""
_STANDING: Final = frozenset(
    ("password", "passwd", "pass", "pwd", "token", "changeme", "redacted", "placeholder", "yourpassword")
)
_WORDS: Final = re.compile(r"[a-z]+(?:[._-][a-z]+)*", re.ASCII)


def find(text: str, lowered: str) -> Iterator[Hit]:
    """Every secret of a known shape in a folded text; ``lowered`` is the same in lower case."""
    if "---BEGIN" in text or "--- BEGIN" in text or "PuTTY-User-Key-File" in text:
        yield from _private_keys(text)
    if "eyJ" in text:
        yield from (Hit(*found.span(), "json web token") for found in _compiled(_JWT).finditer(text))
    if "://" in text and "@" in text:
        yield from _urls(text)
    if ("://" in text or "x-amz-" in lowered) and "=" in text:
        yield from (Hit(*found.span(1), "signature") for found in _compiled(_SIGNED).finditer(text))
        yield from (Hit(*found.span(1), "one-time code secret") for found in _compiled(_TOTP).finditer(text))
    if "env" in lowered:
        yield from _defaults(text)
    if ("=" in text and ";" in text) or "oracle" in lowered or "sqlplus" in lowered:
        yield from _connections(text)
    if "cookie" in lowered and "=" in text:
        yield from _cookies(text)
    if _compiled(_LICENSE).search(text) is not None:
        yield from (Hit(*found.span(), "license key") for found in _compiled(_LICENSE).finditer(text))
    if any(word in lowered for word in ("authorization", "bearer", "basic", "apikey", "token ")):
        yield from _headers(text)


def _private_keys(text: str) -> Iterator[Hit]:
    """From the first line to the last, or to the end of the text: a key that was cut is still a key."""
    done = 0
    for begun in _compiled(f"{_PEM}|{_PPK}").finditer(text):
        if begun.start() < done:
            continue
        if _is_mere_heading(text, begun.end()):
            continue
        if begun[1] is None:
            ended = _compiled(r"Private-MAC:\s{0,3}[0-9a-f]{1,128}").search(text, begun.end())
        else:
            ended = _compiled(f"----(?:-| )END {re.escape(begun[1])}(?:-| )----").search(text, begun.end())
        done = ended.end() if ended else len(text)
        yield Hit(begun.start(), done, "private key")


def _is_mere_heading(text: str, start: int) -> bool:
    """Whether prose is all that follows the first line of a key: a text about keys, not one that holds one."""
    body = text[start : start + _LONGEST_BODY]
    for ends in ("----", "PuTTY-User-Key-File"):  # another one's first line, too: each is looked into once
        body = body.partition(ends)[0]
    runs = _compiled(r"[A-Za-z0-9+/=]{8,}|(?:[A-Za-z0-9+/][ \t]){8}").findall(body)
    return not any(any(c.isdigit() for c in run) or changes(kinds(run)) >= 0.3 for run in runs)


def _urls(text: str) -> Iterator[Hit]:
    for found in _compiled(_URL).finditer(text):
        start, end = found.span(3)
        password = found[3]
        host = password.find("/")
        if host > 0 and "@" in password[:host]:  # the greedy match ran into the path of the URL
            end = start + password.rindex("@", 0, host)
        elif host >= 0 and not _is_password_with_slash(password):
            continue
        local = text[end + 1 : end + 11].startswith(("localhost", "127.0.0.1"))
        if not _stands_for_one(text[start:end]) and not (local and found[2] == text[start:end]):
            yield Hit(start, end, "password")
    for found in _compiled(_URL_TOKEN).finditer(text):
        if not is_placeholder(found[1]) and any(char.isdigit() for char in found[1]):
            yield Hit(*found.span(1), "token")


def _stands_for_one(said: str) -> bool:
    """A placeholder. A plain word in the place of a password is one, unless it says that it stands for one."""
    return is_placeholder(said) and (not said.isalpha() or said.lower() in _STANDING or set(said.lower()) == {"x"})


def _is_password_with_slash(said: str) -> bool:
    """A port and a path before some later @ (``http://host:80/a@b``) is no password."""
    return not said[: said.index("/")].isdigit()


def _connections(text: str) -> Iterator[Hit]:
    """``Key=value;`` strings of ADO, ODBC and Azure, and Oracle's user/password@."""
    for found in _compiled(_DSN).finditer(text):
        start, end = found.span(1)
        if text[start] in "\"'":
            start, end = start + 1, end - 1
        if end > start and not is_placeholder(text[start:end]) and _in_a_string(text, found):
            yield Hit(start, end, "password" if "p" in text[found.start()].lower() else "key")
    for found in _compiled(_ORACLE).finditer(text):
        if not is_placeholder(found[2].strip('"')):
            yield Hit(*found.span(2), "password")


def _defaults(text: str) -> Iterator[Hit]:
    """Values written as the default of a variable that is, or fills, something named for a secret."""
    for found in _compiled(_DEFAULT).finditer(text):
        before = text[max(0, found.start() - 80) : found.start()]
        named = _compiled(_NAMES_ONE + "$").search(found[1])
        filled = _compiled(_NAMES_ONE + r"[\"']?(?:\s{0,2}:\s{0,2}\w{1,20})?\s{0,3}[:=]\s{0,3}[\w.]{0,20}$").search(
            before
        )
        if (named or filled) and not found[3].isalpha() and not is_placeholder(found[3]):
            yield Hit(*found.span(3), "password")


def _in_a_string(text: str, found: re.Match[str]) -> bool:
    """Whether another ``name=value`` stands on the same side of a semicolon: then it is a connection string."""
    before = text[max(0, found.start() - 80) : found.start()].rstrip()
    return before.endswith(";") or text[found.end() : found.end() + 1] == ";"


def _headers(text: str) -> Iterator[Hit]:
    for found in _compiled(_HEADER).finditer(text):
        said = found[2]
        named = "authorization" in found[0].lower() or found[0][:2].lower() == "-h"
        if is_placeholder(said) or _WORDS.fullmatch(said) or not (named or _looks_coded(said)):
            continue
        yield Hit(*found.span(2), "credentials" if found[1].lower() == "basic" else "token")
    for found in _compiled(_AUTHORIZATION).finditer(text):
        if not is_placeholder(found[1]) and _looks_coded(found[1]):
            yield Hit(*found.span(1), "token")


def _cookies(text: str) -> Iterator[Hit]:
    """The long values of a Cookie or Set-Cookie header."""
    for header in _compiled(r"(?i)cookie[\"']?\s{0,3}[:=,]\s{0,3}[\"']?([!-~ ]{4,2000})").finditer(text):
        for found in _compiled(r"([\w.-]{1,60})=([A-Za-z0-9._~+/%!#-]{8,1024})").finditer(text, *header.span(1)):
            if _looks_coded(found[2], 8 if _compiled(_SESSION).search(found[1]) else 16):
                yield Hit(*found.span(2), "cookie")


def _looks_coded(said: str, least: int = 16) -> bool:
    return len(said) >= least and any(char.isdigit() for char in said) and any(char.isalpha() for char in said)


@lru_cache(maxsize=32)
def _compiled(said: str) -> re.Pattern[str]:
    return re.compile(said)

"""What only may be a secret, and so is kept and held for a person: randomness, split keys, hidden encodings. Pure.

A token is held where it looks drawn at random and nothing says what else it is: no digest, commit, UUID, lock file,
picture, object id or file name. Near a word such as "credential" less is enough. A known key format that comes together
only when line breaks, quotes and pluses are taken out, and one that comes out of base64, is held as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from store.rules import vendors
from store.rules.encodings import decoded
from store.rules.placeholders import is_placeholder
from store.rules.randomness import changes, is_random, kinds


class Span(NamedTuple):
    """A part of a text that may be a secret, in code points of the text, and why in words."""

    start: int
    end: int
    why: str


RANDOM, NEAR, SPLIT, ENCODED = (
    "looks random",
    "stands beside a word for a secret",
    "a key in pieces",
    "an encoded secret",
)

_TOKEN: Final = r"[A-Za-z0-9+/_=~-]{16,1024}"
_NEAR_WORD: Final = r"(?i)pass(?:word|wd|phrase|code)|\bpwd\b|secret|token(?!iz|s\b)|credential|api[ _-]?key|auth|login|\bkeys?\b|hmac|signing|密码|口令|密钥|秘钥|令牌|凭证|私钥"
_HINTS: Final = (
    "pass",
    "pwd",
    "secret",
    "token",
    "cred",
    "key",
    "auth",
    "login",
    "hmac",
    "signing",
    "密",
    "口令",
    "令牌",
    "凭证",
    "私钥",
)
_NEAR: Final = r"[A-Za-z0-9!#$%&*+/=?@^_~.-]{9,128}"
_NAMES: Final = (
    "sha", "sha1", "sha-1", "sha224", "sha256", "sha-256", "sha384", "sha512", "sha-512", "md5", "blake2b", "blake3", "crc32", "checksum",
    "checksums", "digest", "integrity", "hash", "hashes", "shasum", "etag", "commit", "rev", "revision", "tree", "blob", "h1", "fingerprint",
    "nonce", "uuid", "guid", " id", "_id", "-id", "public key", "public_key", "publickey", "pubkey", "ssh-rsa", "ssh-ed25519", "base64",
    "cf-ray", "cuid", "nanoid", "ksuid", "ulid", "sheet", "spreadsheet", "document", "version", "build", "snapshot", "cursor", "node", "提交", "哈希", "校验", "校验和", "摘要", "编号", "指纹", "版本",
)  # fmt: skip
"""What a value is called that is an id or a digest, and no secret."""
_OBJECT_ID: Final = r"(?i)(?:cus|sub|pi|pm|ch|evt|price|prod|in|ii|il|seti|acct|txn|req|re|po|src|card|msg|toolu|resp|chatcmpl|cmpl|call|run|thread|asst|file|ft|ftjob|batch|conv|step|vs|item|sess|session|user|usr|org|proj|team|env|dpl|prj|doc|page|db|arn|ami|i|vol|sg|vpc|subnet|eni|snap|rtb|igw|nat|acl|eipalloc|lt|r|d|p|t|u|c|cm|ck|id|uid|obj|evt|job|task|trace|span|build|deploy|gpt|model|img)[-_]"
_BLOB: Final = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi", "UEsDB", "PHN2Zy", "PD94bWw", "PCFET0", "H4sI", "AAABAAE", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "MIIB", "MIIC", "MIID", "MIIE", "MIIF", "MFkw", "MCow", "LS0tLS1CRUdJTiBDRVJU", "LS0tLS1CRUdJTiBQVUJM", "T2dnUw", "d09G", "AGFzbQ")  # fmt: skip
"""How pictures, archives, fonts, certificates and public keys begin in base64."""
_DECODED: Final = r"(?i)(?:password|passwd|pwd|secret|api[_-]?key|token|credential)[\"']?\s{0,3}[:=]\s{0,3}\S{3,}|-----BEGIN [A-Z ]{0,40}PRIVATE KEY|^[A-Za-z0-9._-]{1,40}:[!-~]{6,80}$"
_GLUE: Final = (
    r"(?:[\"'`]?\s{0,4}(?:\+|\.|\\|,|&|\|\|)?\s{0,4}\n?[ \t>#*/|]{0,12}[\"'`]|\\?\n[ \t>#*/|-]{0,12}|\s{1,3}|\"\"|'')"
)
_AFTER_MASK: Final = r"(?:key|token|secret)\][\"'`]?(?:\s{0,3}[+.\\]?\s{0,3}[\"'`]|[ \t]?\\?\n[ \t>#*/|-]{0,12})([A-Za-z0-9_+/=-]{8,300})"
_MOST_JOINED: Final = 400
_MOST_BEGINNINGS: Final = 40
"""Beginnings of keys that are followed in one text; one with more is held as it is."""


def find(text: str, lowered: str, masked: Callable[[str], bool]) -> Iterator[Span]:
    """Every doubtful span of a folded text. ``masked(text)`` tells whether a text would hold a certain secret."""
    taken = bytearray(len(text))
    found: list[Span] = []
    if _compiled(r"[A-Za-z0-9+/_=~-]{16}").search(text) is not None:
        found += (*_encoded(text, masked), *_random(text))
    for span in (*_split(text), *found, *_near(text, lowered)):
        if taken.find(1, span.start, span.end) < 0:
            taken[span.start : span.end] = b"\1" * (span.end - span.start)
            yield span


def across(texts: Iterable[str]) -> tuple[str, str] | None:
    """The halves of a known key that comes together only where one field ends and another begins."""
    fields = [text.strip() for text in texts if text and text.strip()]
    begun = list(dict.fromkeys(tail for text in fields if (tail := _begun(text))))
    if not begun:
        return None
    starts = list(dict.fromkeys(text.split(None, 1)[0].strip("\"'`.,") for text in fields))
    pairs = ((tail, start) for tail in begun for start in starts if tail != start)
    return next((pair for pair in pairs if _spans_joint(*pair)), None)


def _begun(text: str) -> str:
    """The last word of a field where a known key begins in it."""
    last = text.rsplit(None, 1)[-1].strip("\"'`,;")
    if len(last) < 8 or not _beginnings(last):
        return ""
    return "" if any(vendors.find(last)) else last


def _spans_joint(tail: str, start: str) -> bool:
    joint = len(tail)
    return not any(vendors.find(start)) and any(
        hit.start < joint and hit.end - joint >= 4 for hit in vendors.find(tail + start[:_MOST_JOINED])
    )


# Randomness


def _random(text: str) -> Iterator[Span]:
    for found in _compiled(_TOKEN).finditer(text):
        if not _is_blob(text, found):
            yield from _random_parts(text, found)


def _random_parts(text: str, found: re.Match[str]) -> Iterator[Span]:
    """The random runs of one token. ``/`` and ``=`` part names; in base64 they stand inside a run that is random."""
    said = found[0]
    if _looks_base64(said):
        yield from _judged(text, found.start(), said.rstrip("=-_/"))
        return
    for part in _compiled(r"[A-Za-z0-9_~-]{16,512}").finditer(said):
        yield from _judged(text, found.start() + part.start(), part[0])


def _judged(text: str, start: int, said: str) -> Iterator[Span]:
    if (
        is_random(said)
        and not is_placeholder(said)
        and not vendors.is_sample(said)
        and not _is_named(text, start, said)
    ):
        yield Span(start, start + len(said), RANDOM)


def _looks_base64(said: str) -> bool:
    core = said.rstrip("=")
    return (
        len(core) >= 24
        and ("+" in core or "/" in core or said != core)
        and is_random(core.replace("/", "").replace("+", ""))
    )


def _is_blob(text: str, found: re.Match[str]) -> bool:
    """A digest, a picture, a certificate, a public key, part of a URL's path or of a longer blob."""
    said = found[0]
    before = text[max(0, found.start() - 40) : found.start()]
    if (
        len(said) > 300
        or said.startswith(_BLOB)
        or before.endswith(("base64,", "sha512-", "sha256-", "sha384-", "sha1-"))
    ):
        return True
    if _compiled(r"(?i)sha(?:1|256|384|512)-").match(said) or _is_called(before):
        return True
    address = before.rsplit(None, 1)[-1] if before.split() else ""
    if "://" in address and "?" not in address and "hook" not in address and "secret" not in address:
        return True
    return text.rfind("-----BEGIN CERT", 0, found.start()) > text.rfind("-----END CERT", 0, found.start())


def _is_called(before: str) -> bool:
    """Whether the words before a value call it an id or a digest."""
    name = before.rstrip(" \t\"'`:=@#-,>([")
    return name.lower().endswith(_NAMES) or name.endswith(("Id", "ID"))


def _is_named(text: str, start: int, said: str) -> bool:
    """An object id of a service, a hash in a file name, or a value that its name calls an id or a digest."""
    if _compiled(_OBJECT_ID).match(said) or _is_called(text[max(0, start - 40) : start]):
        return True
    after = text[start + len(said) : start + len(said) + 6]
    return _compiled(r"\.[A-Za-z]{1,5}\b").match(after) is not None


# Beside a word for a secret


def _near(text: str, lowered: str) -> Iterator[Span]:
    """Tokens too short to be told by their randomness alone, within 60 characters of a word for a secret."""
    for word in _HINTS:
        if word in lowered:
            break
    else:
        return
    places = [found.span() for found in _compiled(_NEAR_WORD).finditer(text)]
    if not places:
        return
    at = 0
    for found in _compiled(_NEAR).finditer(text):
        while at < len(places) - 1 and places[at][1] < found.start() - 60:
            at += 1
        start, end = places[at]
        beside = start - 40 <= found.end() and found.start() <= end + 60
        apart = end <= found.start() or start >= found.end()
        said = found[0].rstrip(".,;:?!").strip("*=_~-")
        if (
            beside
            and apart
            and _is_coded(said)
            and not _is_blob(text, found)
            and not _is_named(text, found.start(), said)
        ):
            place = text.index(said, found.start())
            yield Span(place, place + len(said), NEAR)


def _is_coded(said: str) -> bool:
    """Letters and digits mixed as in a password, and not as in a name, a version, a measure, a path or a date."""
    if len(said) < 9 or is_placeholder(said) or vendors.is_sample(said) or "/" in said or "::" in said:
        return False
    drawn = kinds(said)
    if "0" not in drawn or not ("a" in drawn or "A" in drawn):
        return False
    if _compiled(r"[0-9a-f]{7,}|0x[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch(said):
        return len(said) in (32, 48, 64, 96) and "-" not in said
    if _compiled(
        r"(?:[A-Za-z]+[0-9]{0,4}|[0-9]{1,6}[A-Za-z]{0,3}|v[0-9]+)(?:[._@=+-](?:[A-Za-z]+[0-9]{0,4}|[0-9]{1,6}[A-Za-z]{0,3}|v[0-9]+|[A-Za-z]))*"
    ).fullmatch(said):
        return False
    if _compiled(
        r".*\.(?:pem|crt|key|py|js|ts|go|rs|md|json|ya?ml|toml|txt|log|sh|xml|html|csv|sql|conf|cfg|ini|env)"
    ).fullmatch(said):
        return False
    if _compiled(r"[A-Za-z0-9]{1,20}[-_.](?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})").fullmatch(said):
        return False
    words = _compiled(r"[a-z]{4,}").findall(said)
    return sum(len(word) for word in words) * 2 <= len(said) and changes(drawn) >= 0.34


# Encodings and pieces


def _encoded(text: str, masked: Callable[[str], bool]) -> Iterator[Span]:
    for found in _compiled(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,4096}={0,2}").finditer(text):
        if _is_called(text[max(0, found.start() - 40) : found.start()]):
            continue
        inner = decoded(found[0])
        if inner is not None and (_compiled(_DECODED).search(inner) or masked(inner)):
            yield Span(*found.span(), ENCODED)


def _split(text: str) -> Iterator[Span]:
    """Known keys in pieces: over lines, as added literals, with spaces in between, or letter by letter."""
    tried = 0
    for word in _beginnings(text):
        at = text.find(word)
        while at >= 0:
            tried += 1
            if tried > _MOST_BEGINNINGS:
                yield Span(at, at + len(word), SPLIT)
                return
            span = _joined(text, at)
            if span is not None:
                yield span
            at = text.find(word, span.end if span is not None else at + len(word))
    for found in _compiled(_AFTER_MASK).finditer(text):
        if _is_rest(found[1]):
            yield Span(*found.span(1), SPLIT)
    for found in _compiled(r"(?<![!-~])(?:[!-~] ){12,400}[!-~](?![!-~])").finditer(text):
        if any(vendors.find(found[0].replace(" ", ""))):
            yield Span(*found.span(), SPLIT)


def _is_rest(said: str) -> bool:
    """Whether this can be what is left of a key whose beginning was masked on the line before."""
    drawn = kinds(said)
    return {"0", "a", "A"} <= set(drawn) and changes(drawn) >= 0.3


def _beginnings(text: str) -> list[str]:
    """The beginnings of known keys in a text. Most stand before a dash, an underscore or a dot: those are looked up."""
    heads = set(_compiled(r"(?<![A-Za-z0-9])[A-Za-z0-9]{2,16}(?=[-_.])").findall(text))
    by_head, bare = _sorted_beginnings()
    found = [word for head in sorted(heads) for word in by_head.get(head, ()) if word in text]
    if _compiled(r"[A-Z]{3}|A[A-Z]za").search(text) is not None:
        found += [word for word in bare if word in text]
    return found


@lru_cache(maxsize=1)
def _sorted_beginnings() -> tuple[dict[str, list[str]], list[str]]:
    by_head: dict[str, list[str]] = {}
    bare = []
    for word in vendors.BEGINNINGS:
        place = min((at for mark in "-_." if (at := word.find(mark)) > 0), default=0)
        if place:
            by_head.setdefault(word[:place], []).append(word)
        else:
            bare.append(word)
    return by_head, bare


def _joined(text: str, start: int) -> Span | None:
    """A key that begins at ``start`` once what parts its pieces is taken out; each piece must hold a digit or be short."""
    if start and text[start - 1].isascii() and text[start - 1].isalnum():
        return None
    parts: list[str] = []
    ends: list[int] = []
    at, length = start, 0
    while length < _MOST_JOINED:
        piece = _compiled(r"[A-Za-z0-9_.+/=~-]{1,300}").match(text, at)
        if piece is None or (parts and not _is_piece(piece[0])):
            break
        parts.append(piece[0])
        length += len(piece[0])
        ends.append(piece.end())
        glue = _compiled(_GLUE).match(text, piece.end())
        if glue is None:
            break
        at = glue.end()
    if len(parts) < 2:
        return None
    hit = next((hit for hit in vendors.find("".join(parts)) if hit.start < len(parts[0])), None)
    if hit is None or hit.end <= len(parts[0]):
        return None
    covered = 0
    for part, end in zip(parts, ends, strict=True):
        covered += len(part)
        if covered >= hit.end:
            return Span(start, end, SPLIT)
    return None


def _is_piece(said: str) -> bool:
    """Not a word of prose: it has a digit, or case mixed inside, or is a single character spaced out."""
    return (
        len(said) == 1 or any(c.isdigit() for c in said) or any(a.islower() and b.isupper() for a, b in pairwise(said))
    )


@lru_cache(maxsize=32)
def _compiled(said: str) -> re.Pattern[str]:
    return re.compile(said)

"""The values a statement holds: numbers with their units, versions, paths, names in code, dates. Pure.

Each is compared by a spelling of its own, so that "twelve minutes" and "12 min", 十二分钟 and 12 分钟 are one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

MOST_VALUES: Final = 60
"""Values of one text that are compared; a longer list is no memory of one thing."""
LONGEST_TEXT: Final = 4_000
"""Characters of a text that are looked at."""
BESIDE: Final = 120
"""Characters before and after a value that tell what it is."""

_DIGITS: Final = {char: at for at, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_POWERS: Final = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000}
_ENGLISH: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS: Final = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100, "thousand": 1000}
_WORDS: Final = {word: at for at, word in enumerate(_ENGLISH.split())} | _TENS
_MEASURE: Final = "分次个個点人月天年小秒条條位号號岁周日倍行列台层層种種份项項页頁遍轮輪名张張元块塊万千百半成折"
_UNITS: Final[dict[str, tuple[str, float]]] = {
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds", "毫秒"), ("s", 0.001)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒", "秒钟"), ("s", 1)),
    **dict.fromkeys(("min", "mins", "minute", "minutes", "分钟", "分鐘"), ("s", 60)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "小时", "小時", "个小时"), ("s", 3_600)),
    **dict.fromkeys(("day", "days", "天", "日"), ("s", 86_400)),
    **dict.fromkeys(("week", "weeks", "周", "个星期", "星期"), ("s", 604_800)),
    **dict.fromkeys(("month", "months", "个月"), ("mo", 1)),
    **dict.fromkeys(("year", "years", "年"), ("mo", 12)),
    **dict.fromkeys(("b", "byte", "bytes", "字节"), ("b", 1)),
    **dict.fromkeys(("kb", "kib"), ("b", 1_024)),
    **dict.fromkeys(("mb", "mib"), ("b", 1_024**2)),
    **dict.fromkeys(("gb", "gib"), ("b", 1_024**3)),
    **dict.fromkeys(("tb", "tib"), ("b", 1_024**4)),
    **dict.fromkeys(("%", "percent", "per cent"), ("%", 1)),
    **dict.fromkeys(("px", "pixel", "pixels", "像素"), ("px", 1)),
}
_MONTHS: Final = (
    "jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september|oct october|"
    "nov november|dec december"
)
_WEEK: Final = "mon monday|tue tues tuesday|wed wednesday|thu thur thurs thursday|fri friday|sat saturday|sun sunday"
_TALK: Final = {
    "english": "英文|英语|英語",
    "chinese": "中文|汉语|漢語|普通话",
    "japanese": "日文|日语|日語",
    "german": "德文|德语",
    "french": "法文|法语",
    "spanish": "西班牙文|西班牙语",
    "korean": "韩文|韩语",
    "russian": "俄文|俄语",
}
_UNIT: Final = "|".join(sorted((re.escape(one) for one in _UNITS if one), key=len, reverse=True))
_CODE: Final = r"[A-Za-z0-9_.*{}<>@$+\-\[\]]{1,99}"
_EXTENDED: Final = r"\.[A-Za-z][A-Za-z0-9]{0,5}(?![A-Za-z0-9_.])"
_STEM: Final = r"[.]?[A-Za-z0-9_*][A-Za-z0-9_*\-]{0,99}(?:\.[A-Za-z0-9_*\-]{1,60}){0,9}"
_VALUE: Final = rf"""
    (?P<url>[a-z][a-z0-9+.-]*://[^\s，。、；）)」"'`<>]+)
  | (?P<path>(?:~|\.{{1,2}}|[A-Za-z]:|\$\w+|{_CODE})?(?:[/\\]{_CODE})+[/\\]?|(?:{_CODE}[/\\])+|~[/\\])
  | (?P<stamp>\d{{4}}-\d{{1,2}}(?:-\d{{1,2}})?(?!\d))
  | (?P<clock>\d{{1,2}}:\d{{2}}(?!\d)|\d{{1,2}}\s?[aApP]\.?[mM]\b|\d{{1,2}}[点點](?:半|\d{{1,2}}分?)?)
  | (?P<file>{_STEM}{_EXTENDED})
  | (?P<version>[vV]\d+(?:\.\d+)*(?:[-+.]?[A-Za-z0-9]+)*(?![A-Za-z0-9_])|\d+\.\d+\.\d[\w.+\-]*|\d+\.[xX*])
  | (?P<number>(?<![A-Za-z0-9_.])[#$¥€]?\d+(?:,\d{{3}})*(?:\.\d+)?(?![A-Za-z0-9_]*[A-Za-z_]\d|\.\d))
    (?:\s?(?P<unit>(?i:{_UNIT}))(?![A-Za-z]))?
  | "(?P<quoted>[A-Za-z0-9_.\-]{{1,60}})"
  | (?P<tag>(?<![\w/])[#@][A-Za-z][A-Za-z0-9_\-]*)
  | (?P<switch>(?<![\w-])--?[A-Za-z][A-Za-z0-9_\-]*)
  | (?P<word>[A-Za-z0-9][A-Za-z0-9_]*(?:(?:[-.]|::?)[A-Za-z0-9_]+)*(?:\(\))?)
"""
_VERSION_BEFORE: Final = re.compile(
    r"(?:\b(?:versions?|pinned to|pins? \w+ (?:below|to|at)|[A-Z][A-Za-z.]+|node|python|go|ruby|java)|"
    r"版本[^，。]{0,6}|[A-Za-z] ?[=<>~^]=?|锁定在?|[a-z0-9]+ (?:must stay |must be |is )?(?:under|below|at least))\s*$"
)
_EXTENSION: Final = re.compile(r"\.[a-z][a-z0-9]{0,5}$|\.\w+[:(]", re.IGNORECASE)
_CAMEL: Final = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2}|^[A-Z]+(?:_[A-Z0-9]+)+$")
_ABBREVIATIONS: Final = frozenset(("e.g", "i.e", "a.m", "p.m", "vs", "etc"))
_HAN: Final = re.compile("[\u3400-\u9fff]")


class Value(NamedTuple):
    """A value in a text: ``same`` is what it is compared by, ``shown`` how the text spells it, from ``start`` on.

    ``kind`` is number, version, path, value (a name in code, a channel, a switch) or time. ``bare`` is a number
    without its unit.
    """

    kind: str
    same: str
    shown: str
    start: int
    bare: str = ""


@cache
def _values() -> re.Pattern[str]:
    return re.compile(_VALUE, re.VERBOSE)


@cache
def _named() -> re.Pattern[str]:
    """Months and days of the week, in English and Chinese, and the names of languages."""
    months = "|".join(rf"(?P<m{at}>\b(?:{one.replace(' ', '|')})\b)" for at, one in enumerate(_MONTHS.split("|"), 1))
    days = "|".join(rf"(?P<d{at}>\b(?:{one.replace(' ', '|')})s?\b)" for at, one in enumerate(_WEEK.split("|"), 1))
    talk = "|".join(rf"(?P<{name}>\b{name}\b|{said})" for name, said in _TALK.items())
    return re.compile(rf"{months}|{days}|{talk}|(?:周|星期|礼拜)(?P<zd>[一二三四五六日天])", re.IGNORECASE)


def values(text: str) -> list[Value]:
    """The values of a text (in NFKC, with the case of its letters) in the order they stand, a bounded number."""
    said, written = _digits(text[:LONGEST_TEXT])
    chinese = _HAN.search(said) is not None
    code = [found.span() for found in re.finditer(r"`[^`\n]{1,200}`", said)]
    found: list[Value] = list(_times(said))
    taken = {place for one in found for place in range(one.start, one.start + len(one.shown))}
    for match in _values().finditer(said):
        if match.start() in taken:
            continue
        in_code = any(start < match.start() < end for start, end in code)
        one = _value(match, chinese=chinese, in_code=in_code)
        if one is not None:
            found.append(one)
            if len(found) >= MOST_VALUES:
                break
    return sorted((_as_spelled(one, written) for one in found), key=lambda one: one.start)


def _as_spelled(one: Value, written: dict[int, tuple[str, str]]) -> Value:
    """The value with the words of the text in place of the digits that were made of them."""
    digits, said = written.get(one.start, ("", ""))
    return one._replace(shown=said + one.shown.removeprefix(digits)) if said else one


def _times(said: str) -> list[Value]:
    found = []
    for match in _named().finditer(said):
        name = str(match.lastgroup)
        if name == "m5" and not _dated(said, match):
            continue
        if name == "m3" and match.group().islower():
            continue
        same = f"d{'一二三四五六日'.find(match.group('zd').replace('天', '日')) + 1}" if name == "zd" else name
        found.append(Value("value" if same in _TALK else "time", same, match.group(), match.start()))
    return found


def _dated(said: str, match: re.Match[str]) -> bool:
    """Whether "May" is the month: a number stands beside it, or "in" before it."""
    return (
        re.match(r"\s*\d", said[match.end() : match.end() + BESIDE]) is not None
        or re.search(r"(?:\d|\bin|\bby|\bof|\bsince|\buntil)\s*$", _before(match)) is not None
    )


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - BESIDE) : match.start()]


def _value(match: re.Match[str], *, chinese: bool, in_code: bool) -> Value | None:
    kind, shown, at = str(match.lastgroup), match.group(), match.start()
    if kind == "unit" or kind == "number":
        return _number(match)
    trimmed = shown.rstrip(".,;:-")
    same = trimmed.lower()
    if kind == "url":
        return Value("value", same.rstrip("/"), trimmed, at)
    if kind == "path":
        return _path(trimmed, at, in_code)
    if kind == "file":
        return None if same in _ABBREVIATIONS else Value("path", same, trimmed, at)
    if kind in ("stamp", "clock"):
        return Value("time", _clock(same) if kind == "clock" else same, trimmed, at)
    if kind == "version":
        return Value("version", same.removeprefix("v"), trimmed, at)
    if kind in ("tag", "switch", "quoted"):
        return Value("value", same, trimmed, at)
    return _word(trimmed, at, chinese=chinese, in_code=in_code)


def _clock(said: str) -> str:
    """A time of day as hours and minutes: 14:30, "2 pm", 四点半."""
    hour, minute = (int(one) for one in [*re.findall(r"\d+", said), "0"][:2])
    if "半" in said:
        minute = 30
    if "p" in said and hour < 12:
        hour += 12
    return f"{hour}:{minute:02}"


def _path(said: str, at: int, in_code: bool) -> Value | None:
    """A path; two plain words with a slash between them ("and/or") are none."""
    parts = [one for one in re.split(r"[/\\]", said) if one]
    rooted = said[0] in "~./\\$@" or said[1:2] == ":" or said[-1] in "/\\"
    if not (rooted or in_code or len(parts) > 2 or _EXTENSION.search(said) or any(c in said for c in "_*{<")):
        return None
    same = said.lower().replace("\\", "/").removeprefix("./").rstrip("/")
    return Value("path", same or "/", said, at)


def _number(match: re.Match[str]) -> Value:
    said, unit = match.group("number"), (match.group("unit") or "").lower()
    bare = f"{float(said.lstrip('#$¥€').replace(',', '')):g}"
    if unit not in _UNITS:
        kind = "version" if "." in said and _VERSION_BEFORE.search(_before(match)) else "number"
        same = said if kind == "version" else bare  # 3.1 and 3.10 are two versions, and one number
        return Value(kind, same, match.group(), match.start(), "" if kind == "version" else bare)
    what, size = _UNITS[unit]
    return Value("number", f"{float(bare) * size:g} {what}", match.group(), match.start(), bare)


def _word(said: str, at: int, *, chinese: bool, in_code: bool) -> Value | None:
    """A name in code: by its form, by the back quotes around it, or as Latin letters in a Chinese sentence."""
    formed = any(char.isdigit() for char in said) or "_" in said or "::" in said or said.endswith("()")
    formed = formed or _CAMEL.search(said[:80]) is not None or ("." in said and said.lower() not in _ABBREVIATIONS)
    if not (formed or in_code or (chinese and len(said) > 1)):
        return None
    kind = "version" if re.fullmatch(r"\d+(?:\.\d+)+", said) else "value"
    return Value(kind, said.lower(), said, at)


_SPELLED: Final = (
    rf"(?P<zh>[零〇一二两兩三四五六七八九十百千万萬]{{1,12}}(?=[{_MEASURE}])|(?<=第)[一二三四五六七八九十]{{1,6}})|"
    rf"\b(?P<en>{'|'.join(_WORDS)})\b(?=[ -]?[a-z%])(?!\s(?:of|more|another|can|should|may|must|and|or|by)\b)"
)


def numerals(text: str) -> str:
    """The text with the numbers that are spelled out as digits ("twelve minutes", 十二分钟)."""
    return _digits(text)[0]


def _digits(text: str) -> tuple[str, dict[int, tuple[str, str]]]:
    """The same, with what was written where: by its place in the result, the digits and the words they stand for."""
    parts: list[str] = []
    written: dict[int, tuple[str, str]] = {}
    end = length = 0
    for found in _spelled().finditer(text):
        said = found.group()
        digits = str(_WORDS[said.lower()]) if found.group("en") else _chinese_number(said)
        parts += (text[end : found.start()], digits)
        length += found.start() - end
        written[length] = (digits, said)
        length, end = length + len(digits), found.end()
    return "".join((*parts, text[end:])), written


@cache
def _spelled() -> re.Pattern[str]:
    return re.compile(_SPELLED, re.IGNORECASE)


def _chinese_number(said: str) -> str:
    if len(said) == 1 and said in _POWERS and said != "十":
        return said
    total = part = 0
    for char in said:
        if char in _POWERS:
            total, part = total + (part or 1) * _POWERS[char], 0
        else:
            part = part * 10 + _DIGITS[char]
    return str(total + part)


def without(some: Sequence[Value], others: Sequence[Value]) -> list[Value]:
    """Those of some values that the others do not hold; a number without a unit is the same with any."""
    same = {one.same for one in others}
    loose = {one.bare for one in others if one.bare}
    unitless = {one.bare for one in others if one.bare and one.same == one.bare}
    return [
        one
        for one in some
        if one.same not in same
        and not (one.bare and one.bare in unitless)
        and not (one.bare and one.same == one.bare and one.bare in loose)
    ]

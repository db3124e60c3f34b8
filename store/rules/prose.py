"""A word for a secret and the secret itself, as people and programs write it, in English and Chinese. Pure.

``password = x``, ``"apiKey": "x"``, ``the password for staging is x``, ``x is the password``, ``| token | x |``,
``-pX``, ``curl -u name:x``, ``IDENTIFIED BY 'x'``, ``密码：x``. The words are found first and each is looked at from
there, so that the cost grows with the text and not with its square.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from store.rules.encodings import decoded
from store.rules.placeholders import is_placeholder
from store.rules.randomness import changes, is_random, kinds
from store.rules.vendors import Hit, is_sample

# The words, each with what its value is called. A strong word needs less of its value than a weak one.
_STRONG: Final = {
    r"pass(?:word|wd|phrase|code|wort)|p[a4@]s{1,2}[ _-]?w[o0]r?d|(?:bind|root|db|user|admin)_?pw(?![a-z])|secure[ _-]?string|(?<![a-z])psw?d?(?=\s{0,2}[=:])|contrase(?:n|ñ)a|mot[ _]de[ _]passe|senha|pwd|kennwort|wachtwoord|lösenord|hasło|şifre|parola|пapoл[ья]|パスワード|暗証番号|비밀번호|암호": "password",
    r"(?:totp|otp|2fa|mfa|authenticator)[ _-]?(?:seed|secret|key|setup key)": "secret",
    r"(?:client|app|shared|consumer|webhook|jwt|cookie|session|master|oauth)[ _.-]?secret(?:[ _-]?key)?|secret[ _.-]?(?:access[ _.-]?)?key(?:[ _]base)?|(?:api|app|auth)[ _.-]?secret": "secret",
    r"(?:api|app(?:lication)?|access|account|subscription|storage|service|admin|license|auth|rest|write|deploy|developer|integration|ingest)[ _.-]?key(?![ _.-]?(?:id\b|pair|name|file))|apikey": "key",
    r"(?:encryption|signing|hmac|aes|crypto|private|session|decryption|symmetric|cipher|master|unseal|recovery|vault|wallet|product|root)[ _.-]?key(?![ _.-]?(?:id\b|pair|name|file))": "key",
    r"(?:auth|access|refresh|api|bearer|session|id|bot|personal|user|admin|deploy|ci|private|csrf|xsrf|service|oauth|registry|push|job|trigger|integration|installation|app)[ _.-]?token|authtoken|secret[ _.-]?token|token[ _.-]?secret": "token",
    r"(?:php|j|asp)?sess(?:ion)?[_-]?id(?=[\"']?\s{0,2}=)": "token",
    r"(?:security|access|entry|door|gate|verification|activation|pairing|unlock|login|one[ -]time)[ _-]?code|otp|2fa[ _-]?code|pin[ _-]?code|cvv2?|cvc2?": "code",
}  # fmt: skip
_WEAK: Final = {
    r"secret": "secret",
    r"token": "token",
    r"credentials?|creds?": "credentials",
    r"pass|(?<![a-z])pw(?![a-z])": "password",
    r"(?<=_)pat(?=[\"']?\s{0,2}[=:])": "token",
    r"pin": "code",
    r"psk": "password",
    r"(?<![a-z])keys?(?![a-z])": "key",
}
_CHINESE: Final = {
    r"密码|密碼|口令|通行码|暗号": "password",
    r"密钥|秘钥|密鑰|金鑰|私钥|私鑰|访问钥匙|访问密匙": "key",
    r"令牌|凭证|憑證|授权串": "token",
    r"验证码|驗證碼|授权码|提取码|安全码|动态码|激活码|校验码|邀请码|兑换码|[Pp][Ii][Nn] ?码": "code",
}
_ENGLISH: Final = "|".join((*_STRONG, *_WEAK))

# After a word: what may still belong to the name, then what joins it to its value.
_NAME_ENDS: Final = r"(?:[ _.-]?(?:prod(?:uction)?|stag(?:e|ing)|dev|test(?:ing)?|live|local|ci|new|old|current|base|value|enc|raw|plain|string|text|hash(?=[\"']?\s{0,3}[:=])|v?[0-9]{1,3}))?"
_TYPE: Final = r"(?:\s{0,2}:\s{0,2}(?:[A-Za-z_][\w.]{0,20}(?:\[[\w., |]{0,30}\])?(?:\s\|\s\w{1,10})?)\s{0,2}(?==))?"
_JOIN: Final = rf"{_NAME_ENDS}(?:\\{{0,2}}[\"'`\]*_]){{0,3}}{_TYPE}\s{{0,4}}(?::=|=>|->|→|==|=|:|\||值?是|值?为|為|改为|改成|配成|设成|设为|设置为|は|が)[ \t]{{0,8}}(?:[|>][+-]?\n[ \t]{{1,12}})?"
_QUOTED: Final = r"\\{0,2}\"(?P<double>(?:[^\"\\\n]|\\[^\"\n]){1,400})\\{0,2}\"|\\{0,2}'(?P<single>(?:[^'\\\n]|\\[^'\n]){1,400})\\{0,2}'|`(?P<tick>[^`\n]{1,400})`|\*\*(?P<bold>[!-)+-~]{3,200})\*\*"
_BARE: Final = r"(?P<bare>(?:[!#-%(-+\-.-:=?-_a-~]|[&,;](?=[^\s&,;])(?!\s{0,2}[A-Za-z_][\w.-]{0,30}=)){1,400})"
_ASSIGNED: Final = rf"{_JOIN}(?:{_QUOTED}|{_BARE})"
_TUPLE: Final = rf"[\"'`]\s{{0,3}},\s{{0,3}}(?:{_QUOTED})"
_ELEMENT: Final = (
    r"[\"']?(?:\s{1,3}value\s{0,2}=\s{0,2}[\"'](?P<double>[^\"'\n<]{1,400})[\"']|\s{0,2}>(?P<bare>[^<\s]{1,400})</)"
)
# In a sentence: "the password (for the staging box) is x".
_VERBS: Final = r"(?:(?:is|was|were|be(?:en)?|has\sbeen|will\sbe)\s)?(?:now\s)?(?:set|changed|reset|rotated|updated|switched)\s(?:back\s)?to|is(?:\snow|\sstill)?|was|are|(?:will|should|must)\sbe|ist|est|es|è|é|är|jest|becomes|equals|reads|remains|being|(?:has|with)\s(?:the\s)?value|to"
_SAID: Final = rf"(?:\s\([^()\n]{{1,40}}\))?(?:\s(?:for|of|on|to|in|at|used\sby)(?:\s[\w.@/'-]{{1,30}}){{1,5}}?)?(?:,?\s{{1,2}}(?:{_VERBS})\s{{0,2}}:?|\s?(?::|=|->|→))\s{{1,2}}(?:{_QUOTED}|(?P<bare>[!-~]{{3,400}}))"
_NEXT: Final = rf"\s{{1,2}}(?:\(\s?)?(?:{_QUOTED}|(?P<bare>[!-~]{{6,400}}))"
_JOINS_BEFORE: Final = frozenset(("is", "as", "was", "for"))
_LAST_WORDS: Final = 5
"""Between ``is`` and the word in "x is the old staging password"."""
_ZH_JOIN: Final = r"(?:[\u4e00-\u9fff（(][^\s，。；,;]{0,12}?)??(?:[\"'`」』*]{0,3})\s{0,3}(?P<join>是|为|為|[:=|]|->|=>|改成|改为|设为|设成|设置为|换成|更新为|重置为|就是|叫做?|用的?是?|统一是?|默认是?|都是|，)?\s{0,3}(?:\\{0,2}[\"'`「『“‘*]){0,3}(?P<bare>[!-~]{3,200})"

_OTHER_KEYS: Final = re.compile(
    r"(?i)(?:cache|primary|foreign|sort|partition|object|s3|idempotency|public|lookup|hash|dedup|row|shard|map|pub)[ _-]?\Z"
)
_NAMED: Final = r"[A-Za-z][a-z0-9]*(?:[_-][a-z]+)+"
_ZH_BEFORE: Final = r"(?<![!-~])(?P<bare>[!-~]{6,100})\s?(?:作为|当作|当做|是|就是)[\u4e00-\u9fff]{0,8}\Z"
_LONGEST: Final = 400
_MOST_WORDS: Final = 1500
"""Words for a secret that are looked at in one text."""
_ODD: Final = frozenset("!@#$%^&*+=~?|\\")
_ODD_MARKS: Final = frozenset("!@#^&*")
_AROUND: Final = 48
"""Characters around such letters within which the whole word stands, and what must or must not follow it."""
_PORTED: Final = re.compile(r"[\w.-]{1,80}:[0-9]{2,5}", re.ASCII)


def find(text: str, lowered: str) -> Iterator[Hit]:
    """Every keyed value in a folded text; ``lowered`` is the same in lower case.

    A text with thousands of such words is made to cost time, and no memory: from there on it goes whole.
    """
    done, left = 0, _MOST_WORDS
    for start, end in _places(lowered):
        if start < done or _is_mask(text, start, end):
            continue
        left -= 1
        if not left:
            yield Hit(start, len(text), "password")
            return
        found = _words().match(lowered, start)
        for hit in _english(text, found) if found is not None else ():
            done = max(done, hit.end)
            yield hit
    if not text.isascii():
        for number, found in enumerate(_chinese_words().finditer(text)):
            if number >= _MOST_WORDS:
                yield Hit(found.start(), len(text), "password")
                return
            yield from _chinese(text, found)


def _places(lowered: str) -> Iterator[tuple[int, int]]:
    """Where the words stand. The few letters that each has in it are found ten times as fast as the words are."""
    first = last = 0
    for hint in _hint().finditer(lowered):
        if hint.start() - _AROUND > last:
            yield from (word.span() for word in _any_word().finditer(lowered, first, last))
            first = hint.start() - _AROUND
        last = hint.end() + _AROUND
    yield from (word.span() for word in _any_word().finditer(lowered, first, last))


def _is_mask(text: str, start: int, end: int) -> bool:
    """Whether a word is the last one of a mask of ours: ``[password]``, ``[github token]``."""
    return text[end : end + 1] == "]" and text.rfind("[", max(0, start - 24), start) >= 0


def _english(text: str, found: re.Match[str]) -> Iterator[Hit]:
    what, strong = _called(found)
    start, end = found.span()
    if not _begins_a_name(text, start, strong) or _is_masked(text, end):
        return
    named = (
        text[start:end].isupper()
        and text[start - 1 : start] in ("_", "-")
        and text[max(0, start - 3) : start].isupper()
    )
    for shape, demand in ((_ASSIGNED, 0), (_TUPLE, 0), (_ELEMENT, 0), (_SAID, 1), (_NEXT, 2)):
        value = _compiled(shape).match(text, end)
        if value is None:
            continue
        demand += not strong
        if (
            what == "password"
            and demand == 2
            and _compiled(r"[\"'`)]?\s{0,2}(?:$|[\n,，。;；)])").match(text, value.end())
        ):
            demand = 1
        hit = _judged(value, what, demand, hexes=32 if strong or (named and demand == 1) else 48)
        if hit is not None:
            yield hit
        return
    yield from _said_before(text, start, what)


def _said_before(text: str, start: int, what: str) -> Iterator[Hit]:
    """``x is the password``, ``use x as the password``."""
    first = max(0, start - 120)
    words = list(_compiled(r"\S+").finditer(text, first, start))[-_LAST_WORDS - 1 :]
    for value, join in pairwise(words):
        if join[0] not in _JOINS_BEFORE or value.start() == first > 0:
            continue
        hit = _judged(_compiled(r"[^!-~]*(?P<bare>[!-~]+)").match(text, value.start(), value.end()), what, 2)
        if hit is not None:
            yield hit


def _is_masked(text: str, end: int) -> bool:
    """Whether what is assigned here is masked already: the second look at a text passes most of its words by so."""
    return text[end : end + 4].find("[") >= 0 and _done().match(text, end) is not None


def _judged(value: re.Match[str] | None, what: str, demand: int, *, hexes: int = 48) -> Hit | None:
    """The hit of a value, where it looks enough like a secret. ``demand``: 0 assigned, 1 said, 2 merely beside it.

    ``hexes``: how many hexadecimal digits are a key, where a key is what is looked for.
    """
    if value is None:
        return None
    text = value.string
    group = value.lastgroup or "bare"
    start, end = value.span(group)
    said = value[group]
    if said.endswith("..."):
        return None
    if group == "bare":
        cut = len(said.rstrip(".,;:?)]}>\"'`|*"))
        start, end, said = start, start + cut, said[:cut]
        led = len(said) - len(said.lstrip("\"'`([{<*")) if not said.startswith(("${", "{{", "<", "[")) else 0
        start, said = start + led, said[led:]
    elif demand > 1 and group != "bold":
        demand -= 1
    if not said or is_placeholder(said) or is_sample(said):
        return None
    if what == "code":
        digits = _compiled(r"[0-9]{4,10}|(?=.*[0-9])[A-Z0-9-]{5,12}").fullmatch(said) is not None
        fits = demand <= 2 and (digits or (demand == 1 and looks_secret(said, 2) and _odd(said)))
    elif what == "key" and demand > 0:
        fits = _is_key(said, hexes) or (
            demand == 1 and len(said) >= 12 and {"0", "a", "A", "!"} <= _kinds(said) and _odd_mark(said)
        )
    else:
        fits = looks_secret(said, demand)
    if not fits:
        return None
    if value.end(group) - value.start(group) >= _LONGEST:
        end = _compiled(r"[!-~]*").match(text, end).end()  # type: ignore[union-attr]
    return Hit(start, end, what)


def _is_key(said: str, hexes: int) -> bool:
    """Bytes in hexadecimal or base64: what a key is, where no other word says which."""
    plain = said.removeprefix("0x")
    if decoded(plain) is not None:  # a text in base64: it is held, and looked into
        return False
    return is_random(plain) or (hexes <= len(plain) <= 256 and _compiled(r"[0-9a-f]*").fullmatch(plain) is not None)


def looks_secret(said: str, demand: int) -> bool:
    """Whether a value can be a secret: the less its place says so, the more it must itself.

    ``demand`` 0: assigned to a strong word; 1: in a sentence after one; 2 and more: beside one, or to a weak word.
    """
    made_of = _kinds(said)
    digit, lower, upper, other = (kind in made_of for kind in "0aA!")
    if len(said) < 4 or "://" in said or _PORTED.fullmatch(said) or _is_innocent(said):
        return False
    if demand == 0:
        return True
    if _compiled(_NAMED).fullmatch(said) and not (digit and lower and upper):
        return False
    letters = lower or upper
    if demand == 1:
        return (letters and (digit or _odd(said))) or _mixed(said) or _is_drawn(said)
    if len(said) < (8 if demand == 2 else 10):
        return digit and letters and other and len(said) >= 7 and demand == 2
    return (digit and letters and not _word_like().fullmatch(said)) or (letters and _odd(said) and _mixed(said))


def _is_innocent(said: str) -> bool:
    return _innocent().fullmatch(said) is not None and not is_random(said.replace("/", ""))


def _kinds(said: str) -> set[str]:
    return set(kinds("".join(set(said))))


def _odd(said: str) -> bool:
    """Characters that passwords have and names do not."""
    return not _ODD.isdisjoint(said)


def _odd_mark(said: str) -> bool:
    """Characters that only a drawn password has, and no path, call or format."""
    return not _ODD_MARKS.isdisjoint(said) and "(" not in said and "/" not in said


def _mixed(said: str) -> bool:
    """Upper and lower case as no word and no CamelCase name has them."""
    return kinds(said).count("aA") >= 2 and not said.isidentifier()


def _is_drawn(said: str) -> bool:
    """Letters without a digit that change their case more often than CamelCase does."""
    return len(said) >= 16 and said.isalnum() and changes(kinds(said)) >= 0.45


def _begins_a_name(text: str, start: int, strong: bool) -> bool:
    """Whether the word is one here: ``compass`` and ``bypass`` hold none; ``dbPass``, ``DB_PASS`` and ``密码pass`` do."""
    if start == 0:
        return True
    if text[start : start + 6] == "secret" and _compiled(r"arn:[!-~]{1,80}:\Z").search(text, max(0, start - 90), start):
        return False
    if text[start : start + 3].lower() == "key" and _OTHER_KEYS.search(text, max(0, start - 14), start):
        return False
    before = text[start - 1]
    if not (before.isascii() and before.isalnum()):
        return True
    camel = text[start].isupper() and before.islower()
    return camel or before.isdigit() or strong


def _called(found: re.Match[str]) -> tuple[str, bool]:
    names = list(_STRONG.values())
    number = (found.lastindex or 1) - 1
    if number < len(names):
        return names[number], True
    return list(_WEAK.values())[number - len(names)], False


def _chinese(text: str, found: re.Match[str]) -> Iterator[Hit]:
    what = list(_CHINESE.values())[(found.lastindex or 1) - 1]
    value = _compiled(_ZH_JOIN).match(text, found.end())
    if value is None:
        beside = text[max(0, found.start() - 10) : found.start()]
        if not ("为" in beside or "当" in beside or "是" in beside or "做" in beside):
            return
        before = _compiled(_ZH_BEFORE).search(text, max(0, found.start() - 120), found.start())
        hit = _judged(before, what, 1)
        if hit is not None:
            yield hit
        return
    if value["bare"].endswith("..."):
        return
    said = value["bare"].rstrip(".,;:?)]}>\"'`|*")
    start = value.start("bare")
    near = value["join"] is not None and value["join"] != "，" and value.start("join") - found.end() <= 14
    if is_placeholder(said) or _is_innocent(said) or said.lower() == "1password":
        return
    made_of = _kinds(said)
    letters = bool(made_of & {"a", "A"})
    if (
        said.isdigit()
        and (4 if found[0][:1] in "Pp" else 6) <= len(said) <= 8
        and value.start("bare") - found.end() <= 2
        and what in ("code", "password")
    ):
        yield Hit(start, start + len(said), what)
        return
    coded = "0" in made_of and (letters or "!" in made_of or len(said) >= 6)
    if (near and len(said) >= 4 and (coded or _odd(said) or (len(said) >= 6 and "0" not in made_of and letters and value["join"] in "是为為:=")
            or (said.isdigit() and what in ("code", "password")))) or (coded and letters and len(said) >= 6):  # fmt: skip
        yield Hit(start, start + len(said), what)


@lru_cache(maxsize=1)
def _hint() -> re.Pattern[str]:
    return re.compile(
        r"pas|p4s|p@s|ps|pw|secret|secure|sessi|sess[_-]|token|key|cred|code|pin|otp|seed|_pat[\"' =:]|cv[vc]|contrase|senha|kennw|wachtw|lösen|hasło|şifre|parola|пapoл|パスワード|暗証|비밀|암호"
    )


@lru_cache(maxsize=1)
def _done() -> re.Pattern[str]:
    return re.compile(r"[\"']?(?:=|: ?)\[[a-z][a-z .-]{2,30}\](?![!#-+./-:<-~])")


@lru_cache(maxsize=1)
def _any_word() -> re.Pattern[str]:
    """What ``_words`` finds, without the groups that tell which it is: they cost half as much again."""
    return re.compile("|".join((*_STRONG, *_WEAK)))


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    return re.compile("|".join(f"({word})" for word in (*_STRONG, *_WEAK)))


@lru_cache(maxsize=1)
def _chinese_words() -> re.Pattern[str]:
    return re.compile("|".join(f"({word})" for word in _CHINESE))


@lru_cache(maxsize=1)
def _innocent() -> re.Pattern[str]:
    """Paths, host names, versions, dates, measures and dotted or dashed names: what stands there and is no secret."""
    return re.compile(
        r"(?i:(?:[~.]{0,2}/|[a-z]:\\)[\w .@~/\\-]*|(?-i:(?:[a-z][a-z0-9_-]*/)+[a-z0-9_.-]*)|[a-z][a-z0-9_]*(?:\.[a-z_]+)+|v?[0-9]+(?:\.[0-9]+)+[\w.+-]*"
        r"|[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:t[0-9:.z+-]*)?)?|[0-9.]+(?:%|x|s|ms|h|d|m|min|days?|hours?|bytes?|[kmg]i?b|/s|/min)"
        r"|[a-z]+[0-9]?\.(?:py|js|ts|go|rs|md|json|ya?ml|toml|env|txt|pem|key|rb|java|sh)|[0-9]+/[a-z]+|[a-z]+\([\w.]*\)?.*)"
    )


@lru_cache(maxsize=1)
def _word_like() -> re.Pattern[str]:
    """Words, also with a number at their end or parts joined: ``token_bucket2``, ``OAuth2``, ``next-auth-v4``."""
    return re.compile(
        r"(?:[A-Za-z]{2,}[0-9]{0,4}|[0-9]{1,4}|v[0-9.]+)(?:[._/-](?:[A-Za-z]{2,}[0-9]{0,4}|[0-9]{1,4}|v[0-9.]+))*"
    )


@lru_cache(maxsize=16)
def _compiled(said: str) -> re.Pattern[str]:
    return re.compile(said, re.IGNORECASE | re.ASCII)

"""People and places: card numbers, identity papers, telephones, mail, private addresses, home folders. Pure.

Numbers that carry a check digit are told by it; the others need the form that only they have, or a word before them.
Sources: ISO/IEC 7812-1 (cards, Luhn), GB 11643 (resident ids), GB 32100 (credit codes), ISO 13616 (IBAN), E.164,
RFC 1918, 4193, 6598 and 3927 (private addresses), RFC 2606, 5737 and 3849 (examples, which are nobody's).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from typing import Final

from store.rules.vendors import Hit

CARD, RESIDENT, PAPER, PHONE, EMAIL, ADDRESS, HOST, HOME = (
    "card number", "resident id", "id number", "phone", "e-mail", "private ip", "intranet", "home folder"
)  # fmt: skip
POLICY: Final = {EMAIL: "email", PHONE: "phone", ADDRESS: "addresses", HOST: "addresses", HOME: "home"}
"""What config.toml may choose about, by what it is; the rest is always masked."""

_L: Final = r"(?<![A-Za-z0-9])"
_R: Final = r"(?![A-Za-z0-9])"
_CARD: Final = r"(?<![0-9.A-Za-z_])(?<![0-9]-)[2-6][0-9]{3}(?:(?:[ -]?[0-9]{4}){2,3}[ -]?[0-9]{1,7}|(?:\.[0-9]{4}){3}|(?:\u2013[0-9]{4}){3})(?![0-9A-Za-z])(?![-.][0-9])|(?<![0-9.A-Za-z_])(?<![0-9]-)3[0-9]{3}[ -]?[0-9]{6}[ -]?[0-9]{4,5}(?![0-9A-Za-z])(?![-.][0-9])"
_RESIDENT: Final = rf"{_L}[1-9][0-9]{{5}}[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}[ -]?[0-9]{{3}}[ -]?[0-9Xx]{_R}"
_CREDIT_CODE: Final = rf"{_L}[0-9A-HJ-NPQRTUWXY]{{2}}[0-9]{{6}}[0-9A-HJ-NPQRTUWXY]{{10}}{_R}"
_IBAN: Final = rf"{_L}[A-Z]{{2}}[0-9]{{2}}(?:[ ]?[A-Z0-9]{{4}}){{2,7}}(?:[ ]?[A-Z0-9]{{1,3}})?{_R}"
_SSN: Final = r"(?<![0-9A-Za-z-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9A-Za-z-])"
_PASSPORT: Final = r"(?i:passport|护照|港澳通行证|台胞证)[^\n0-9A-Za-z]{0,6}(?:(?:no|number|num|号码|号|编号)[^\n0-9A-Za-z]{0,6})?(?:is |是|为)?[ :#]{0,3}([A-Z]{1,2}[0-9]{6,9}|[0-9]{9})(?![0-9A-Za-z])"
_HONG_KONG: Final = r"(?<![A-Za-z0-9])[A-Z]{1,2}[0-9]{6} ?\([0-9A]\)"
_INSURED: Final = r"(?i:national insurance|\bni\b|nino)[^\n0-9A-Za-z]{0,4}(?:(?i:no|number|num)[^\n0-9A-Za-z]{0,4})?(?:is )?([A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D])(?![0-9A-Za-z])"
_BORN: Final = r"(?i:date of birth|\bd\.?o\.?b\b\.?|birth ?date|born on|出生日期|出生年月日?|生日)[\"']?(?: is|是|为)?[ \t:=|\"']{0,4}((?:19|20)[0-9]{2}(?:[-/.](?:0?[1-9]|1[0-2])[-/.](?:[0-2]?[0-9]|3[01])|年[0-9]{1,2}月[0-9]{1,2}[日号]?)|(?:[0-2]?[0-9]|3[01])[-/. ](?:[01]?[0-9]|[A-Z][a-z]{2,8})[-/. ](?:19|20)[0-9]{2})(?![0-9])"
_STREET_CN: Final = r"(?:住址|家庭地址|收货地址|户籍地址?|通讯地址|居住地址?|联系地址|收件地址|寄送地址)(?:在|是|为)?[ \t:=]{0,3}((?:[\u4e00-\u9fff0-9A-Za-z#-]{0,30}[省市区县镇村路街道巷弄号栋幢楼室]){2,8})"
_STREET: Final = r"(?i:(?:home|shipping|billing|mailing|residential|delivery|street|postal) address|lives at|ships? to)(?: is| of)?[ :=\"']{1,4}([0-9]{1,5}[A-Za-z]? (?:[A-Z][\w.'-]{0,20} ){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Court|Ct|Square|Sq|Place|Pl|Terrace|Parkway|Pkwy|Highway|Hwy|Circle)\b\.?(?:,? [A-Za-z0-9.#-]{1,24}){0,6})"
_MESSENGER: Final = r"(?<![A-Za-z])(?:QQ号?|微信号|(?i:wechat id))(?:码)?(?:是|为)?[ :=]{1,3}([1-9][0-9]{5,10}|(?<=[号d][ :])[A-Za-z][\w-]{5,19})(?![0-9A-Za-z@])"
_PLATE: Final = r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z][ ·.]?[A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警港澳](?![A-Za-z0-9])"
_MOBILE: Final = r"(?<![0-9A-Za-z])(?<![0-9]\.)(?<![0-9][-_])(?:\+?(?:0086|86)[ -]?)?1[3-9][0-9](?:[0-9]{8}|[ -][0-9]{4}[ -][0-9]{4})(?![0-9A-Za-z])(?![.-][0-9])"
_LANDLINE: Final = r"(?<![0-9A-Za-z.-])(?:(?:\(0[0-9]{2,3}\)[ ]?|0[0-9]{2,3}-)[1-9][0-9]{6,7}|0[1-9][0-9]{1,2} [1-9][0-9]{2,3} [0-9]{4})(?:[-x转][0-9]{1,5})?(?![0-9A-Za-z-])"
_ABROAD: Final = r"(?<![0-9A-Za-z+])(?:\+|(?<![0-9] )00(?=[1-9]{2}[ -]))[1-9][0-9]{0,2}[ .-]?(?:\([0-9]{1,4}\)|[0-9]{1,4})(?:[ .-]?[0-9]{2,4}){2,4}(?![0-9A-Za-z])"
_US: Final = r"(?<![0-9A-Za-z])(?:\([2-9][0-9]{2}\)[ ]?|(?:1-)?[2-9][0-9]{2}-)[2-9][0-9]{2}-[0-9]{4}(?![0-9A-Za-z-])"
_CALLED: Final = r"(?i)(?:phone|tel(?:ephone)?|mobile|cell|fax|whatsapp|call|电话|手机|座机|传真|联系方式)[^\n0-9]{0,12}(\(?[0-9][0-9() .-]{6,16}[0-9])(?![0-9A-Za-z])"
_MAIL: Final = r"(?<![A-Za-z0-9._%+-])(?<!//)[A-Za-z0-9_](?:[A-Za-z0-9._%+'-]{0,62}[A-Za-z0-9_+])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9])"
_MAIL_SPELT: Final = r"(?i)(?<![A-Za-z0-9])[A-Za-z0-9._%+-]{2,64}\s?(?:\[at\]|\(at\)|\{at\}|<at>|\sat\s(?=[A-Za-z0-9-]{1,63}\s(?:dot|\[dot\])\s))\s?(?:[A-Za-z0-9-]{1,63}\s?(?:\[dot\]|\(dot\)|\{dot\}|<dot>|\sdot\s|\.)\s?){1,4}[A-Za-z]{2,24}(?![A-Za-z0-9])"
_IPV4: Final = r"(?<![0-9A-Za-z.])(?:10|172|192|169|100)\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?![0-9A-Za-z])(?!\.[0-9])"
_IPV6: Final = r"(?i)(?<![0-9a-z:])(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):[0-9a-f:]{2,37}(?![0-9a-z])"
_HOST: Final = r"(?i)(?<![a-z0-9._@\\-])(?<![^/]/)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,6}(?:local|internal|intranet|intra|lan|corp|home\.arpa|localdomain|private)(?![a-z0-9_(=-])(?!\.[a-z0-9_])"
_INNER_HOST: Final = r"(?i)(?<![a-z0-9._\\-])(?<![^/]/)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}(?:int|intra|intranet|internal|corp|lan|private)\.(?:[a-z0-9-]{1,63}\.){1,3}[a-z]{2,12}(?![a-z0-9_(=-])|(?<![a-z0-9._\\-])(?<![^/]/)(?:[a-z0-9-]{1,63}\.)?[a-z0-9]{0,30}-?(?:intranet|corp-intra)\.[a-z]{2,12}(?![a-z0-9_(=.-])"
_UNC: Final = r"(?<![A-Za-z0-9\\:.])\\{2,4}[A-Za-z0-9][A-Za-z0-9._-]{1,62}\\{1,2}[A-Za-z0-9_$][^\s\"'<>|]{0,200}"
_HOME: Final = r"(?<![A-Za-z0-9_.~-])(/home/|/Users/|/var/home/|[A-Za-z]:\\{1,2}Users\\{1,2}|[A-Za-z]:/Users/|/mnt/[a-z]/Users/|/[a-z]/Users/)([^\s/\\:\"'`<>|*?,;，。；）)(\]\[{}$]{1,64})"

_ANYBODY: Final = frozenset(
    ("user", "username", "you", "your-name", "yourname", "me", "name", "runner", "ubuntu", "vagrant", "node", "app", "vscode",
     "codespace", "shared", "public", "default", "all", "runneradmin", "circleci", "gitpod", "coder", "jovyan", "ec2-user",
     "travis", "linuxbrew", "git", "postgres", "www", "root", "admin", "someone", "somebody", "myself", "test", "demo", "example", "foo", "xxx"
     )
)  # fmt: skip
"""Account names that are nobody's."""
# Card numbers that processors publish for tests (Stripe, PayPal, Adyen), and mail domains that are nobody's.
_TEST_CARDS: Final = frozenset(
    ("4242424242424242", "4000056655665556", "4111111111111111", "4012888888881881", "5555555555554444", "5105105105105100",
     "2223003122003222", "5200828282828210", "378282246310005", "371449635398431", "6011111111111117", "6011000990139424",
     "30569309025904", "38520000023237", "3056930009020004", "36227206271667", "3566002020360505", "3530111333300000",
     "6200000000000005", "6205500000000000004", "4000000000000002", "4000000000009995", "4000002500003155")
)  # fmt: skip
# How the numbers of each network begin, and how long they are.
_NETWORKS: Final = (
    (("4",), (16, 19)),
    (("51", "52", "53", "54", "55", "22", "23", "24", "25", "26", "27"), (16,)),
    (("34", "37"), (15,)),
    (("30", "36", "38", "39"), (14, 16)),
    (("35", "6011", "64", "65", "60", "50", "56", "57", "58", "63", "67", "81", "9"), (16, 19)),
    (("62",), (16, 17, 18, 19)),
)
_NOBODYS_MAIL: Final = r"(?i)@(?:[a-z0-9-]+\.)*(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost|users\.noreply\.github\.com|noreply\.[a-z.]+|domain\.com|yourdomain\.[a-z]+|your-?company\.[a-z]+)$"
_NOBODYS_NAME: Final = (
    r"(?i)^(?:no-?reply|do-?not-?reply|donotreply|git|hg|user|username|you|your\.?name|name|someone|foo|actions?)@"
)
_NUMBERED: Final = ("version", "schema", "release", "build", "==", "driver", "版本")
_INNER: Final = (".local", ".int", ".lan", ".corp", ".home.arpa", ".private", "intra")
_SIX: Final = r"[0-9](?:[^0-9A-Za-z\n]{0,2}[0-9]){5}|[A-Z]{2}[0-9]{2} "
"""Six digits close together: none of the numbers below has fewer."""
# What every machine of its kind has, and so tells of none.
_EVERYWHERE: Final = frozenset(
    ("host.docker.internal", "gateway.docker.internal", "kubernetes.docker.internal", "metadata.google.internal", "svc.cluster.local",
     "cluster.local", "169.254.169.254", "169.254.170.2")
)  # fmt: skip
_FILE_PARTS: Final = frozenset(
    ("conf", "config", "env", "yml", "yaml", "json", "toml", "settings", "rc", "xml", "ini", "properties", "compose", "docker-compose",
     "appsettings", "gitconfig", "dockerfile", "makefile", "vimrc", "zshrc", "bashrc", "launch")
)  # fmt: skip
_NOT_HOSTS: Final = frozenset(("e.g", "i.e", "settings", "config", "self", "this", "os", "sys", "app", "module"))


def find(text: str, lowered: str) -> Iterator[Hit]:
    """Every find of this kind in a folded text; the policy decides elsewhere which of them are masked."""
    yield from _numbers(text, lowered)
    if "@" in text:
        yield from (Hit(*m.span(), EMAIL) for m in _compiled(_MAIL).finditer(text) if _somebodys(m))
    if "at" in lowered and ("dot" in lowered or "[at]" in lowered or "(at)" in lowered or "{at}" in lowered):
        yield from (Hit(*m.span(), EMAIL) for m in _compiled(_MAIL_SPELT).finditer(text))
    if "." in text or ":" in text:
        yield from _places(text, lowered)
    if "home" in lowered or "users" in lowered:
        yield from _homes(text)
    if "\\\\" in text:
        yield from (Hit(*m.span(), HOST) for m in _compiled(_UNC).finditer(text))


def _numbers(text: str, lowered: str) -> Iterator[Hit]:
    yield from _papers(text, lowered)
    if _compiled(_SIX).search(text) is None:
        yield from _plates(text)
        return
    if "(" in text:
        yield from _checked(_HONG_KONG, text, PAPER, _is_hong_kong)
    yield from _checked(_CARD, text, CARD, _is_card)
    yield from _checked(_RESIDENT, text, RESIDENT, _is_resident)
    yield from _checked(_CREDIT_CODE, text, PAPER, _is_credit_code)
    yield from _checked(_IBAN, text, "iban", _is_iban)
    yield from _plates(text)
    if "ssn" in lowered or "social security" in lowered:
        yield from _checked(_SSN, text, PAPER, bool)
    if "passport" in lowered or "护照" in text or "通行证" in text or "台胞证" in text:
        yield from (Hit(*m.span(1), PAPER) for m in _compiled(_PASSPORT).finditer(text))
    for shape in (_MOBILE, _LANDLINE, _US):
        yield from _checked(shape, text, PHONE, _is_phone)
    yield from _checked(_ABROAD, text, PHONE, lambda said: _is_phone(said) and 9 <= len(_digits(said)) <= 15)
    if _telephone().search(lowered):
        yield from (
            Hit(*m.span(1), PHONE)
            for m in _compiled(_CALLED).finditer(text)
            if 7 <= sum(c.isdigit() for c in m[1]) <= 15 and _is_phone(m[1])
        )


def _papers(text: str, lowered: str) -> Iterator[Hit]:
    """What only a word before it tells: the day of a birth, a street and house, a British insurance number."""
    if "birth" in lowered or "dob" in lowered or "d.o.b" in lowered or "born" in lowered or "生" in text:
        yield from (Hit(*m.span(1), "birth date") for m in _compiled(_BORN).finditer(text))
    if "insurance" in lowered or "ni n" in lowered or "nino" in lowered:
        yield from (Hit(*m.span(1), PAPER) for m in _compiled(_INSURED).finditer(text))
    if "QQ" in text or "微信号" in text or "wechat id" in lowered:
        yield from (Hit(*m.span(1), "messenger account") for m in _compiled(_MESSENGER).finditer(text))
    if "址" in text or "居住地" in text or "户籍地" in text:
        yield from (Hit(*m.span(1), "street address") for m in _compiled(_STREET_CN).finditer(text))
    if "address" in lowered or "lives at" in lowered or "ship" in lowered:
        yield from (Hit(*m.span(1), "street address") for m in _compiled(_STREET).finditer(text))


def _plates(text: str) -> Iterator[Hit]:
    if not text.isascii():
        yield from _checked(_PLATE, text, "plate", lambda said: any(c.isdigit() for c in said))


def _checked(shape: str, text: str, what: str, valid: Callable[[str], bool]) -> Iterator[Hit]:
    for found in _compiled(shape).finditer(text):
        if valid(found[0]):
            yield Hit(*found.span(), what)


def _digits(said: str) -> str:
    return "".join(c for c in said if c.isdigit())


def _is_card(said: str) -> bool:
    """Luhn's check digit (ISO/IEC 7812-1, annex B), 14 to 19 digits of a card network, no published test number."""
    digits = _digits(said)
    if not 14 <= len(digits) <= 19 or digits in _TEST_CARDS or len(set(digits)) < 4:
        return False
    if not any(digits.startswith(begins) and len(digits) in lengths for begins, lengths in _NETWORKS):
        return False
    if len(digits) == 18 and _born(digits) is not None:
        return False
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _is_resident(said: str) -> bool:
    """The date inside, and the check character of GB 11643 (ISO 7064, MOD 11-2)."""
    plain = said.replace(" ", "").replace("-", "").upper()
    if _born(plain) is None:
        return False
    total = sum(int(char) * pow(2, 17 - place, 11) for place, char in enumerate(plain[:17]))
    return "0123456789X"[(12 - total) % 11] == plain[17]


def _born(said: str) -> date | None:
    """The date inside a resident id, where it is one that a person alive may have."""
    try:
        born = date(int(said[6:10]), int(said[10:12]), int(said[12:14]))
    except ValueError:
        return None
    return born if 1880 < born.year < 2100 else None


def _is_credit_code(said: str) -> bool:
    """The check character of GB 32100: base 31, weights 3^i mod 31."""
    if said[:17].isdigit() and said[:2] not in ("91", "92", "93"):
        return False
    letters = "0123456789ABCDEFGHJKLMNPQRTUWXY"
    total = sum(letters.index(char) * pow(3, place, 31) for place, char in enumerate(said[:17]))
    return letters[(31 - total) % 31] == said[17]


def _is_hong_kong(said: str) -> bool:
    """The check character of a Hong Kong identity card: weights 9 to 2, a missing first letter counts 36; modulo 11."""
    plain = "".join(char for char in said if char.isalnum()).rjust(9)
    values = [36 if char == " " else int(char, 36) for char in plain[:8]]
    total = sum(value * weight for value, weight in zip(values, range(9, 1, -1), strict=True))
    return "0123456789A"[-total % 11] == plain[8]


def _is_iban(said: str) -> bool:
    """ISO 13616: the whole, its first four characters moved to the end, is 1 modulo 97."""
    plain = said.replace(" ", "")
    if not 15 <= len(plain) <= 34 or sum(c.isdigit() for c in plain) < 10:
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def _is_phone(said: str) -> bool:
    digits = _digits(said)
    return len(set(digits)) > 2


def _somebodys(found: re.Match[str]) -> bool:
    """Not a domain of RFC 2606, not the address that a service sends from, not the account of a git remote."""
    said = found[0]
    if found.string[found.end() : found.end() + 1] == ":" and found.string[found.end() + 1 : found.end() + 2].strip():
        return not said.startswith(("git@", "hg@", "deploy@")) and _compiled(_NOBODYS_MAIL).search(said) is None
    last = said.rsplit(".", 1)[1].lower()
    file_like = last in ("png", "jpg", "svg", "js", "ts", "css", "py", "md", "json", "service", "timer")
    return not file_like and not (_compiled(_NOBODYS_MAIL).search(said) or _compiled(_NOBODYS_NAME).search(said))


def _places(text: str, lowered: str) -> Iterator[Hit]:
    if any(part in text for part in ("10.", "172.", "192.", "169.", "100.")):
        for found in _compiled(_IPV4).finditer(text):
            before = lowered[max(0, found.start() - 12) : found.start()].rstrip(" :")
            if _is_private(found[0]) and not before.endswith(_NUMBERED):
                yield Hit(*found.span(), ADDRESS)
    if ":" in text and _inner_address().search(lowered):
        yield from (Hit(*m.span(), ADDRESS) for m in _compiled(_IPV6).finditer(text) if m[0].count(":") >= 2)
    for part in _INNER:
        if part in lowered:
            break
    else:
        return
    for found in _compiled(_HOST).finditer(text):
        first = found[0].split(".")[0].lower()
        if first not in _NOT_HOSTS and not _is_code(text, found):
            yield Hit(*found.span(), HOST)
    for found in _compiled(_INNER_HOST).finditer(text):
        if not _is_code(text, found) and not found[0].lower().endswith((".py", ".js", ".ts", ".go", ".md", ".json")):
            yield Hit(*found.span(), HOST)


def _is_code(text: str, found: re.Match[str]) -> bool:
    """A module or a file of that name (``com.acme.internal``, ``.env.local``), not a host; or a host that all have."""
    said = found[0].lower()
    if said in _EVERYWHERE or said.split(".")[-2] in _FILE_PARTS:
        return True
    before = text[max(0, found.start() - 8) : found.start()].lower()
    return said.startswith((".", "com.", "org.", "io.", "net.", "env.", "java.", "github.")) or before.endswith(
        ("import ", "package ", "from ", "module ", "--")
    )


def _is_private(said: str) -> bool:
    """RFC 1918, link-local and shared (carrier) addresses."""
    parts = [int(part) for part in said.split(".")]
    if (
        said in _EVERYWHERE
        or any(part > 255 for part in parts)
        or any(len(part) > 1 and part[0] == "0" for part in said.split("."))
    ):
        return False
    a, b = parts[:2]
    return a == 10 or (a == 172 and 16 <= b < 32) or (a, b) in ((192, 168), (169, 254)) or (a == 100 and 64 <= b < 128)


def _homes(text: str) -> Iterator[Hit]:
    for found in _compiled(_HOME).finditer(text):
        name = found[2].rstrip(".").lower()
        plain = name.rstrip("0123456789")
        if name and plain not in _ANYBODY and not name.startswith(("your", "$", "%", ".")):
            yield Hit(found.start(), found.start(2) + len(found[2].rstrip(".")), HOME)


@lru_cache(maxsize=1)
def _telephone() -> re.Pattern[str]:
    return re.compile(r"phone|tel\b|tel:|telephone|mobile|cell|fax|whatsapp|call|电话|手机|座机|传真|联系方式")


@lru_cache(maxsize=1)
def _inner_address() -> re.Pattern[str]:
    return re.compile(r"f(?:[cd][0-9a-f]{2}|e[89ab][0-9a-f]):")


@lru_cache(maxsize=32)
def _compiled(said: str) -> re.Pattern[str]:
    return re.compile(said)

"""Signs of a text that is no whole memory: relative dates, pieces of JSON, placeholders, shrinking, links. Pure."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from store.facts import Flag
from store.signs import MOST_READ, holds, sentences
from store.text import fold

# -- relative dates

_CODE: Final = re.compile(r"```.{0,4000}?(?:```|\Z)|`[^`\n]{0,400}`", re.DOTALL)
_DATED: Final = re.compile(
    r"\b(?:19|20)\d\d[-/.]\d{1,2}(?:[-/.]\d{1,2})?\b|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d|(?:19|20)\d\d年|"
    r"\d{1,2}月\d{1,2}[日号]|"
    r"\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?\b|\bq[1-4] (?:19|20)\d\d\b"
)
"""A date that keeps. What stands in a sentence beside one has its meaning from it."""
_DAYS: Final = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_NUMBER: Final = r"(?:\d{1,3}|a|an|one|two|three|four|five|six|a few|a couple of|several|some)"
_UNITS: Final = "week|month|quarter|year|weekend|sprint"
_WHENS: Final[tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]] = (
    (
        ("yesterday", "tomorrow", "tonight", "last "
        "night", "this morning", "this afternoon", "this evening", "earlier today",
         "just now"),
        re.compile(r"yesterday(?! night\b)|tomorrow(?! night\b| theme\b)|tonight\b|last night\b|earlier today\b|"
        r"just now\b|"
                   r"this (?:morning|afternoon|evening)\b"),
    ),
    (("today",), re.compile(r"today(?!'|\(|\.\w)\b|today's (?:meeting|session|discussion|decision|call|release)\b")),
    (
        ("last ", "next ", "this ", "coming "),
        re.compile(r"(?:last|next|this coming|this past|this|coming) (?:" + _UNITS + "|" + _DAYS + r")\b"
                   r"(?!'s? (?:data|invoices|logs|view|report)| (?:button|view|tab|filter|column|range|day))"),
    ),
    (("day",), re.compile(r"(?:by|until|till|since|before) (?:this |next |last )?(?:" + _DAYS + r")\b(?!')")),
    ((" ago",), re.compile(_NUMBER + r" (?:minutes?|hours?|days?|weeks?|months?|years?) ago\b")),
    (
        (" day", " week", " month"),
        re.compile(r"in " + _NUMBER + r" (?:days?|weeks?|months?)\b(?! (?:or|of))"),
    ),
    (("end of", "eod", "eow"), re.compile(r"end of (?:the |this )?(?:day|week|month|quarter|year|sprint)\b|eo[dw]\b")),
    (
        ("session", "conversation", "chat", "for now", "this once", "one time", "the moment", "time being"),
        re.compile(r"for (?:the rest of )?(?:this|the current) (?:session|conversation|chat)\b|just this once\b|"
                   r"(?:in|during) this (?:session|conversation|chat)\b|for (?:now|the moment|the time being)\b|"
                   r"this one time\b"),
    ),
)  # fmt: skip
"""What tells a time by the day it is said, with the texts without which it cannot be there."""
_PLANNED: Final = re.compile(
    r"\b(?:will|we'll|is going to|are going to|ships?|launch\w*|goes live|go live|deadline|due|planned|scheduled|"
    r"freeze|"
    r"moves?|moving|migrat\w+|switch\w*|removed|dropped|ends|starts|begins)\b(?!.{0,60}\b(?:expires?|retention|ttl|"
    r"timeout)\b)"
)
"""What makes "in two weeks" a date and not how long something takes."""
_STARTS: Final = re.compile(r"(?:^|[^\w./(\"'“])$")
_WINDOW: Final = re.compile(
    r"\b(?:every|each|per|older than|within|expires?|expiry|retention|ttl|timeout|default|show|shows|list|lists|"
    r"returns?|"
    r"filter|filters|cached?|at the|by the|from)\b[^.]{0,30}$"
)
"""A window that moves with the calendar ("shows last month") is no date: the words right before tell."""
_WHEN_CN: Final = re.compile(
    r"(昨天|今天|明天|前天|后天|後天|昨晚|今晚|今早|今晨|上周|上週|下周|下週|本周|這週|这周|上个月|上個月|下个月|"
    r"下個月|"
    r"去年|今年|明年|刚才|刚刚|剛才|本次会话|这次会话|本轮对话|这次对话|暂时|目前先|这一次|仅此一次|月底前?|年底前?|"
    r"[一二两三四五六七八九十\d]{1,3}(?:分钟|个?小时|天|周|个月|年)(?:以)?前(?!的数据|端)|"
    r"过[几两一二三四五六七八九十\d]{1,3}(?:天|周|个月)|周[一二三四五六日天](?:前|"
    r"之前))"
)
_WINDOW_CN: Final = re.compile(r"(?:每|保留|超过|早于|过期|统计|显示|查询|清理|删除|默认|列出|筛选)[^。！？；]{0,8}$")
_DURATION_CN: Final = re.compile(r"(?:过期|失效|超时|以上|以内|之前的|的(?:数据|日志|记录|统计|报表|文件|备份))")

# -- fragments

_JSON_LINE: Final = re.compile(
    r"""^[\s{\[,]*(?P<q>["'])[\w .\-/$@]{1,80}(?P=q)\s*:\s*(?:"[^"]{0,16384}"?|'[^']{0,16384}'?|-?[\d.eE+]{1,40}|"""
    r"""true|false|null|None|True|False|[{\[].{0,16384})?[\s,}\]]*$""",
    re.DOTALL,
)
_PUNCTUATION: Final = re.compile(r"^[\s{}\[\](),:;\"'`.\-]*$")
_LIST_PIECE: Final = re.compile(r"""^\s*(?:"[^"]{1,16384}"|'[^']{1,16384}')\s*,\s*$""")
_TAG: Final = re.compile(r"^\s*</?[a-z][\w:.-]{0,60}(?:\s[^<>]{0,200})?/?>\s*$", re.IGNORECASE)
_FENCE: Final = re.compile(r"^\s*```[\w-]{0,20}\s*(?:```\s*)?$")
_REFUSAL: Final = re.compile(
    r"^\W{0,3}(?:(i'm sorry|i am sorry|i apologi[sz]e|apologies|sorry),? ?(?:but |that )?(?:i|we|for|about|as|it|"
    r"there|,)|"
    r"(as an ai(?: language model| assistant)?\b)|"
    r"(i(?: cannot| can't| can not| am unable to| am not able to|'m unable to|'m not able to| was unable to) "
    r"(?:help|assist|do|provide|comply|access|fulfill|answer|complete|recall|remember|share|generate|extract|"
    r"continue))|"
    r"(i (?:don't|do not) have (?:access|enough|any|the ability|information|memory|memories))|"
    r"(unfortunately,? i)|(i'm just an ai|i'm an ai))"
)
_REFUSAL_CN: Final = re.compile(
    r"^\W{0,3}(?:(?:很|非常|十分|实在)?(抱歉|对不起|不好意思)[,，。 ]{0,2}(?:但)?(?:我|作为|无法|这|目前)|"
    r"(作为(?:一个|一名)?(?:ai|人工智能|语言模型))|"
    r"(我(?:无法|不能|没有办法)(?:帮|提供|协助|回答|访问|完成|满足)))"
)
_CHATTER: Final = re.compile(
    r"^\W{0,3}(?:(sure|certainly|of course|absolutely|okay|ok|great)[,!. ]+(?:here|i|let|the)\b|"
    r"(here(?:'s| is| are) (?:the|a|an|your|my|some)? ?(?:extracted |updated |new |relevant |requested |"
    r"summary of the )*"
    r"(?:memor(?:y|ies)|json|list|summary|facts|output|result|response)s?\b)|"
    r"((?:the )?(?:following )?(?:memories|facts|preferences) (?:were|are|have been) (?:extracted|found|saved|stored))|"
    r"((?:memories|facts|preferences|result|results|output|json) ?[:=] ?(?:\[ ?\]|\{ ?\}|none|null|\[|\{)?)\W{0,3}$|"
    r"((?:there (?:is|are) )?(?:no|nothing) (?:new |relevant |further )?(?:memor(?:y|ies)|facts?|information|"
    r"preferences?)?"
    r" ?(?:to (?:save|store|extract|remember|add)|were found|was found|found|extracted))|"
    r"(null|none|undefined|nan|n/a|\[object object\]|empty|todo|tbd)\W{0,3}$)"
)
_CHATTER_CN: Final = re.compile(
    r"^\W{0,3}(?:(好的|当然)[,，!！。 ]{1,2}(?:以下|这是|我)|(以下是(?:提取|更新|新)?的?(?:记忆|内容|结果|列表))|"
    r"((?:没有|无)(?:新的?|可)?(?:记忆|需要|信息|内容)(?:可以?)?(?:保存|记录|提取)?)\W{0,3}$)"
)

# -- placeholders

_REST: Final = (
    r"(?:the |all |any |of the |my |your )*(?:(?:rest|remaining|remainder|other|existing|previous|original|earlier|"
    r"everything|"
    r"above|unchanged|same|prior|old|further|more)\b[^\n.!?]{0,40}?)"
)
_SAME: Final = (
    r"(?:as (?:before|above|is|it was|previously|in the original)|unchanged|not changed|omitted(?: for brevity)?|"
    r"stays? the same|remains? (?:the same|unchanged|as (?:is|before))|kept as (?:is|before)|truncated|elided|"
    r"same as (?:before|above)|goes here|continues?|for brevity|unmodified|(?:content|code|text|entries|lines|items|"
    r"sections|notes|rules) (?:here|above|below)?)"
)
_ELISION_LINE: Final = re.compile(
    r"^[^\w\n]{0,12}(?:(?:\.{3}|…)?[^\w\n]{0,3}(?:\(|\[|<|\{|//|#|/\*|<!--|--|\*)?[^\w\n]{0,3}"
    r"("
    + _REST
    + _SAME
    + r"|(?:rest of|remaining|existing|previous) (?:the |of the )?(?:\w+ ){0,2}(?:file|content|code|"
    r"text|document|entry|memory|list|section|notes?|rules?)|(?:content|text|section|lines?|code|output|entries)? ?"
    r"(?:omitted|truncated|snipped|elided|unchanged|redacted for brevity)(?: for brevity)?|snip|"
    r"see (?:above|below|previous \w+|the original)(?: for (?:the )?rest)?|"
    r"keep (?:the )?(?:rest|everything else|existing \w+)(?: \w+)?(?: (?:as is|unchanged|as before|as it (?:is|was)|"
    r"the same))?|"
    r"(?:same|unchanged) as (?:before|above|previously)|no changes?(?: below| above| here)?|\d{1,5} more (?:lines?|"
    r"items?|"
    r"entries))[^\w\n]{0,12})$",
    re.MULTILINE,
)
_ELISION_INLINE: Final = re.compile(
    r"[(\[<{][^\w\n)\]>}]{0,4}("
    + _REST
    + _SAME
    + r"|(?:content |text )?(?:omitted|truncated|snipped|elided)(?: for brevity)?|"
    r"snip)[^\w\n]{0,4}[)\]>}]"
)
_ELISION_CN: Final = re.compile(
    r"((?:其余|其它|其他|剩余|余下|后面|后续|以下|以上|原有|原来|之前)的?(?:内容|部分|条目|文本|代码|规则|章节|"
    r"行)?(?:保持)?"
    r"(?:不变|同前|同上|省略|略去|略|保留|照旧|如前|如旧|未改动|未变)|(?:内容|此处|中间|下文|以下|后文|篇幅所限|"
    r"余文)(?:已)?(?:省略|从略|略去|截断)|"
    r"[(\[（【]\s*(?:略|省略|同上|同前|未变|截断)\s*[)\]）】])"
)
_DOTS: Final = re.compile(r"^[^\w\n]{0,4}(?:\.{3,6}|…{1,3}|[(\[<](?:\.{3,6}|…{1,3})[)\]>])[^\w\n]{0,2}$", re.MULTILINE)

_ELISION_CUES: Final = (
    "rest", "remain", "unchanged", "omitted", "truncated", "snip", "same "
    "as", "existing", "previous", "as before", "elided",
    "no change", " more ", "as above", "for brevity", "goes here", "as is",
)  # fmt: skip
_ELISIONS: Final = (
    (_ELISION_LINE, _ELISION_CUES),
    (_ELISION_INLINE, _ELISION_CUES),
    (_ELISION_CN, ("略", "不变", "同前", "同上", "照旧", "保留", "如前", "如旧", "未改动", "未变", "截断")),
)

# -- links

_LINK: Final = re.compile(r"(!?)\[([^\]\n]{0,300})\]\(\s{0,4}<?([^)\s>]{1,2000})")
_REFERENCE: Final = re.compile(r"^ {0,3}\[([^\]\n]{1,200})\]:\s{0,4}<?(\S{1,2000})", re.MULTILINE)
_HTML_LINK: Final = re.compile(
    r"<(img|a|iframe|script|object|embed|link)\b[^<>]{0,400}?\b(?:src|href|data)\s*=", re.IGNORECASE
)
_SCHEME: Final = re.compile(r"\b(javascript|vbscript|data)\s?:(?=[\w(/;,.%])", re.IGNORECASE)
_DATA: Final = re.compile(r"\bdata:[a-z]{2,20}/[a-z0-9.+-]{2,40}[;,]", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"(?:https?:)?//([^/\s?#)]{1,253})", re.IGNORECASE)

# -- shrinking

LEAST: Final = 40
"""Columns that a text must have had: of a short one the half is soon gone, and the whole change is seen at a glance."""


def relative_date(content: str, said: datetime | None) -> Flag | None:
    """A date that tells nothing later on: "yesterday", "by Friday", 下周, "for this session"."""
    text = fold(_CODE.sub(" ", content[:MOST_READ])).replace("’", "'")
    chinese = not text.isascii()
    if not chinese and not any(holds(text, cues) for cues, _ in _WHENS):
        return None
    for sentence in sentences(text):
        words = _english_date(sentence) or (_chinese_date(sentence) if chinese else None)
        if words is not None and not _DATED.search(sentence):
            day = f", said on {said.date().isoformat()}" if said is not None else ""
            return Flag("relative_date", f"“{words}”{day}: it tells nothing later on")
    return None


def _english_date(sentence: str) -> str | None:
    for cues, pattern in _WHENS:
        if not holds(sentence, cues):
            continue
        for match in pattern.finditer(sentence):
            if _tells_by_today(sentence, match):
                return match.group()
    return None


def _tells_by_today(sentence: str, match: re.Match[str]) -> bool:
    """Whether the words tell a day, and are not the name of a span that moves with the calendar or that recurs."""
    before, said = sentence[max(0, match.start() - 60) : match.start()], match.group()
    if not _STARTS.search(before) or _WINDOW.search(before):
        return False
    if said.startswith("last ") and before.endswith("the "):
        return False
    return not said.startswith("in ") or _PLANNED.search(sentence) is not None


def _chinese_date(sentence: str) -> str | None:
    for match in _WHEN_CN.finditer(sentence):
        before, after = sentence[max(0, match.start() - 16) : match.start()], sentence[match.end() : match.end() + 8]
        if not _WINDOW_CN.search(before) and not _DURATION_CN.match(after):
            return match.group()
    return None


def fragment(content: str) -> Flag | None:
    """A piece of an answer, no memory: a line of JSON, a lone bracket or tag, an apology, "here are the memories"."""
    text = content[:MOST_READ].strip()
    why = _json_piece(text) or _answer_piece(text)
    return Flag("fragment", why) if why else None


def _json_piece(text: str) -> str | None:
    if _PUNCTUATION.match(text) or _FENCE.match(text):
        return "brackets and punctuation, nothing said"
    if _JSON_LINE.match(text):
        return "a piece of JSON, not a sentence"
    if _LIST_PIECE.match(text):
        return "an element of a list, not a sentence"
    if _TAG.match(text):
        return "a lone tag"
    opened, closed = text[:1] in "{[" and bool(text), text.rstrip(",;")[-1:] in "}]"
    if opened and closed and re.match(r"""[{\[]\s*(?:["'{\[\d\-}\]]|true|false|null)""", text):
        return "JSON and nothing else"
    if opened and not closed and re.match(r"""[{\[]\s*["']""", text):
        return "the beginning of a piece of JSON"
    if closed and not opened and re.search(r"""["'\d}\]]\s*[}\]][\s,;]*$""", text) and _unopened(text):
        return "the end of a piece of JSON"
    return None


def _unopened(text: str) -> bool:
    return text.count("}") > text.count("{") or text.count("]") > text.count("[")


def _answer_piece(text: str) -> str | None:
    head = " ".join(fold(text[:400]).replace("’", "'").split())
    for pattern, why in (
        (_REFUSAL, "an apology or refusal, not a memory"),
        (_REFUSAL_CN, "an apology or refusal, not a memory"),
        (_CHATTER, "the frame of an answer, not a memory"),
        (_CHATTER_CN, "the frame of an answer, not a memory"),
    ):
        match = pattern.match(head)
        if match is not None:
            words = next((one for one in match.groups() if one), "")
            return f"{why}: “{words}”"
    return None


def elision(content: str, before: str | None) -> Flag | None:
    """A placeholder that stands for a text not given: "(remaining content as before)", 其余不变.

    A line of dots alone is one where the text would replace another.
    """
    folded = fold(content[:MOST_READ])
    for pattern, cues in _ELISIONS:
        match = pattern.search(folded) if holds(folded, cues) else None
        if match is not None and (before is None or fold(match.group(1)) not in fold(before)):
            return Flag("elision", "stands for text that is not there, which would be lost" if before is not None else
                        "stands for text that is not there")  # fmt: skip
    if before is not None and _DOTS.search(folded) and not _DOTS.search(fold(before)):
        return Flag("elision", "a line of dots stands for text that would be lost")
    return None


def shrinks(before: str, content: str) -> Flag | None:
    """It would leave half or less of the text that it replaces: “by 95%: 60 lines become 4”."""
    old, new = _size(before), _size(content)
    if old < LEAST or new * 2 > old:
        return None
    percent = min(99, max(50, round((len(before) - len(content)) * 100 / len(before))))
    lines_before, lines_now = len(before.splitlines()), len(content.splitlines())
    if lines_before > 1:
        now = "1" if lines_now == 1 else f"{lines_now:,}"
        return Flag("shrinks", f"by {percent}%: {lines_before:,} lines become {now}")
    return Flag("shrinks", f"by {percent}%: {len(before):,} characters become {len(content):,}")


def _size(text: str) -> int:
    """Columns, white space aside: a Chinese character says as much as two Latin letters."""
    return sum(2 if ord(char) >= 0x2E80 else 1 for char in text if not char.isspace())


def link(content: str) -> Flag | None:
    """Links out: an image, a link whose text hides its address, or one that is code (javascript:, data:)."""
    text = content[:MOST_READ]
    scheme = _SCHEME.search(text) if ":" in text else None
    if scheme is not None and (scheme.group(1).lower() != "data" or _DATA.search(text)):
        return Flag("link", f"holds code in place of an address: “{scheme.group(1).lower()}:”")
    html = _HTML_LINK.search(text) if "<" in text else None
    if html is not None:
        return Flag("link", f"an HTML tag that fetches or leads elsewhere: “{html.group(1).lower()}”")
    for image, label, address in (*_LINK.findall(text), *_referred(text)) if "](" in text or "]:" in text else ():
        host = _ADDRESS.match(address)
        if image and host is not None:
            return Flag("link", "an image from elsewhere: whoever paints it asks that address for it")
        said = _ADDRESS.search(label) or _bare_host(label)
        if host is not None and said is not None and said.group(1).lower() != host.group(1).lower():
            return Flag("link", "a link that shows one address and leads to another")
        if host is not None and said is None and _hides(label, address):
            return Flag("link", "a link whose text does not tell where it leads")
    return None


def _referred(text: str) -> list[tuple[str, str, str]]:
    """Images whose address stands elsewhere in the text: ``![x][1]`` and ``[1]: address``."""
    if "![" not in text or "]:" not in text:
        return []
    return [("!", label, address) for label, address in _REFERENCE.findall(text) if f"[{label}]" in text]


def _hides(label: str, address: str) -> bool:
    """Whether no word of a link's text stands in its address, what follows a ? aside."""
    place = fold(address.partition("?")[0])
    return not any(word in place for word in re.findall(r"\w{2,40}", fold(label)))


def _bare_host(label: str) -> re.Match[str] | None:
    return re.search(r"\b((?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|dev|cn|example|app))\b", label, re.IGNORECASE)

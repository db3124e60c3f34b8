"""The words that tell two statements about one thing apart: negation, opposites, change. English and Chinese. Pure.

Every table is matched on text folded by ``store.text.fold`` and with single spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

_GE: Final = (
    r"\b(?:no|not|never)(?: be| drop| fall)? (?:less|fewer|lower|below|under|smaller|shorter)(?: than)?\b|"
    r"不(?:能|得|可|要|应|允许)?(?:低|少|小|短)于",
    r"\bat least\b|\bminimum\b|\babove\b|\bover\b|\b(?:more|greater|higher) than\b|"
    r"\bor (?:later|newer|above|higher|more|greater)\b|\band (?:up|newer|later|above)\b|"
    r"至少|最少|大于|高于|超过|以上|>=",
)
_LE: Final = (
    r"\b(?:no|not|never)(?: be| go)? (?:more|greater|higher|above|over|larger|longer(?= than))(?: than)?\b|"
    r"\b(?:not|never) exceed\b|不(?:能|得|可|要|应|允许)?(?:超过|多于|高于|大于|长于|超出)",
    r"\bat most\b|\bmaximum\b|\bup to\b|\bbelow\b|\bunder\b|\bwithin\b|\b(?:less|fewer|lower) than\b|"
    r"\bor (?:earlier|older|below|lower|less|fewer)\b|"
    r"至多|最多|小于|低于|少于|以内|以下|<=",
)
BOUNDS: Final = f"(?P<ge>{_GE[0]})|(?P<le>{_LE[0]})|(?P<more>{_GE[1]})|(?P<less>{_LE[1]})"
"""Bounds of a number, at least (ge, more) and at most (le, less). They may be spelled with a negation, and are none."""

NEGATION: Final = (
    r"\b(?:no longer|not|no|never|none|nothing|nobody|neither|nor|without|cannot|can't|avoid(?:s|ed|ing)?|"
    r"forbid(?:s|den)?|skip(?:s|ped)?|"
    r"prohibit(?:s|ed)?|disallow(?:s|ed)?|ban(?:s|ned)?|refuse[sd]?|refrain|stop(?:s|ped)?|"
    r"kept? (?:it |them )?out of|stay out of|keep away|free of|lacks?|lacking|fails? to|unable|deprecated|dropped)\b|"
    r"\b\w+n['’]t\b|\bdont\b|\bdoesnt\b|"
    r"(?<!差)(?<!要)不(?!同|仅|但|只|过[，,是]|断|久|变|错|足|妨|管|论|一样|一致|可逆|安全|稳定|正式|公开|可复现)[能可要得会该准许再用是]?|"
    r"没有?(?!事|错)|無法|无法|无需|无须|毋须|无(?=[^论缝线])|禁止|严禁|勿|(?<![区分特级类性个])别(?!名|的|人)|未(?!来)|"
    r"避免|杜绝|并非|拒绝|免(?=登录|密|费)"
)
"""A negated statement. The look-aheads leave out everyday words that hold a character of negation by chance."""

ONLY: Final = r"\b(?:only|solely|exclusively)\b|仅|只有|只(?=[能用支在允])"
"""Words that shut out what is not named."""
EXCEPT: Final = (
    r"\b(?:except|excepting|excluding|apart from|aside from|other than|with the exception of|unless)\b|"
    r"除了?[^，,。；;还也]{1,20}?(?:之外|以外|外)(?![，,]?(?:还|也))|除非|例外"
)
"""What is left out of a statement that holds otherwise."""
RULES_OUT: Final = (
    r"(?:\b(?:never|not|no|don't|avoid|instead of|rather than|over)\b|不要|不用|不使用|而不是|而非|别|禁止|勿)"
    r" ?(?:use|using|with|to|the|用|使用)? ?[`'\"]?([a-z0-9][\w.+#-]*|[\u3400-\u9fff]{2,4})"
)
"""The word that a statement rules out."""
QUALIFIERS: Final = frozenset(
    (
        *("接口", "单元", "集成", "端到端", "前端", "后端", "移动端", "桌面", "线上", "生产", "预发", "本地"),
        *("夜间", "英文", "中文", "新", "旧", "新的", "旧的", "内部", "外部", "核心", "部分", "安卓"),
    )
)
"""Chinese words that make the noun behind them mean fewer things."""
SOFT: Final = (
    r"\b(?:rather than|instead of|prefer(?:red)? [^.;,]*\bover|favou?r [^.;,]*\bover|"
    r"frozen|freeze|blocked|halted|paused|suspended)\b|而不是|而非|优先于|冻结|暂停"
)
"""What is preferred to what, or at rest: it meets a negation in the other text, and is none where that has none."""
DOUBLE: Final = (
    r"\b(?:nothing|nobody|never|not|no)\b[^.;]{0,60}\b(?:until|unless|without)\b|\b(?:not|never) (?:skip|omit|avoid)\b|"
    r"不[^，。；]{1,8}不(?:行|可|能)|非[^，。；]{1,10}不可"
)
"""A requirement, spelled with two negations."""
PREFIXED: Final = r"\b(?:un|in|im|ir|il|non-?|dis)([a-z]{4,})\b|\b([a-z]{3,})-?(?:free|less)\b"
"""A word that is the contrary of the one inside it."""

CONDITION: Final = (
    r"\b(?:if|when|whenever|unless|until|because|since|otherwise|or else)\b[^,.;:]*[,.;:]?|"
    r"(?:如果|若|假如|要是|一旦|当|因为|由于|否则)[^，,。；;]*[，,。；;]?"
)
"""A clause that says when or why; its negations are not the statement's."""

CHANGE: Final = (
    r"\b(?:no longer|any ?more|left|joined|quit|used to|formerly|previously|as of|now|moved|migrated|switched|"
    r"renamed|relocated|"
    r"replaced|superseded|upgraded|downgraded|bumped|raised|lowered|increased|decreased|reduced|extended|shortened|"
    r"changed|updated|swapped|became|becomes|has become|instead)\b|"
    r"不再|改(?:成|为|用|到|名|由|叫|回|在|走|从|至)|換成|换(?:成|为|用|到|了)|替换(?:成|为)?|取代|"
    r"切(?:换)?(?:到|为|成|至)|迁(?:移)?(?:到|至|往)|搬(?:到|至|去|了|家)|移(?:到|至)|升(?:级)?(?:到|为|成|至)|"
    r"降(?:级)?(?:到|为|成|至)|调(?:整)?(?:到|为|成|至|高|低)|提高(?:到|至|了)|降低(?:到|至|了)|延长(?:到|至|为)?|"
    r"缩短(?:到|至|为)?|增加(?:到|至)|减少(?:到|至)|更名|更改为|变(?:成|为|更为)|现在|如今|目前|现已|已(?:经)?(?:弃用|废弃|停用|下线)"
)
"""Words that say that something was otherwise before. "From now on" is an order, not a change (``NOT_CHANGE``)."""
NOT_CHANGE: Final = (
    r"\bfrom now on\b|\bright now\b|\bup to date\b|\binstead of\b|\b(?:a|an|be|is|are|must be|when|are not|is not) "
    r"(?:moved|migrated|renamed|replaced|upgraded|changed|updated|extended|reduced)\b|从现在|从现在起"
)

OPPOSITES: Final[tuple[tuple[str, str], ...]] = (
    (
        r"\bon\b(?= by default| in| for| at|[.,;!]|$)|\b(?:turned|switched) on\b|\benabled?s?\b|开启|启用|打开|开着",
        r"\boff\b|\bdisabled?s?\b|关闭|禁用|停用|关掉|关着",
    ),
    (
        r"\ballow(?:s|ed)?\b|\bpermit(?:s|ted)?\b|\bfine\b|允许|可以",
        r"\bforbid(?:s|den)?\b|\bbann?e?d?\b|\bprohibited\b|禁止|不准",
    ),
    (r"\balways\b|总是|始终|一律", r"\bnever\b|\brarely\b|从不|绝不|永不|很少"),
    (
        r"\brequire[sd]?\b|\bmandatory\b|\bneed(?:s|ed)?\b|\bmust\b|必须|必需|必填|需要",
        r"\boptional(?:ly)?\b|\bunnecessary\b|可选|选填|不必",
    ),
    (r"\bdrafts?\b|草稿|初稿", r"\bfinal\b|终稿|定稿|正式版"),
    (
        r"\bprimary\b|\bmaster\b|\bleader\b|主库|主节点|主机房",
        r"\bsecondary\b|\breplica\b|\bstandby\b|\bfollower\b|从库|备库|备用|副本",
    ),
    (r"\bprivate\b|\binternal\b|私有|内部|不公开", r"\bpublic\b|\bexternal\b|公开|外部"),
    (r"\blocal(?:ly)?\b|本地", r"\bremote(?:ly)?\b|远程|云端"),
    (r"\bstaging\b|\btest environment\b|测试环境|预发", r"\bprod(?:uction)?\b|\blive environment\b|生产环境|线上"),
    (r"\bbefore\b|\bprior to\b|之前|以前|前先", r"\bafter(?:wards)?\b|之后|以后再|完再"),
    (r"\bsync(?:hronous(?:ly)?)?\b|同步", r"\basync(?:hronous(?:ly)?)?\b|异步"),
    (
        r"\bmanual(?:ly)?\b|\bby hand\b|手动|人工|手工|手写",
        r"\bautomatic(?:ally)?\b|\bautomated\b|\bautogenerated\b|自动",
    ),
    (
        r"\bbrief(?:ly)?\b|\bshort\b|\bconcise\b|\bterse\b|简短|简洁|很短|精简",
        r"\blong\b|\bdetailed\b|\bverbose\b|\blengthy\b|详细|长篇|冗长",
    ),
    (r"\bformal(?:ly)?\b|正式", r"\binformal(?:ly)?\b|\bcasual(?:ly)?\b|非正式|口语|随意"),
    (r"\bactive\b|主动", r"\bpassive\b|被动"),
    (r"\blight\b|\bbright\b|浅色|亮色|明亮", r"\bdark\b|深色|暗色|黑暗"),
    (r"\btabs?\b|制表符", r"\bspaces?\b|空格"),
    (r"\bsingle\b|单引号|单个", r"\bdouble\b|双引号|双份"),
    (r"\bupper ?case\b|\bcapitals?\b|大写", r"\blower ?case\b|小写"),
    (r"\bascending\b|\boldest first\b|升序|正序", r"\bdescending\b|\bnewest first\b|降序|倒序"),
    (
        r"\bincreas(?:es?|ed|ing)\b|\braise[sd]?\b|增加|提高|调高",
        r"\bdecreas(?:es?|ed|ing)\b|\blower(?:s|ed)\b|\breduce[sd]?\b|减少|降低|调低",
    ),
    (
        r"\breversible\b|\brolled? back\b|可逆|可以?回滚|可以?撤销",
        r"\birreversibl[ey]\b|不可逆|无法回滚|不能回滚|无法撤销",
    ),
    (r"\bmeat\b|吃肉|荤", r"\bvegetarian\b|\bvegan\b|素食|吃素"),
    (
        r"\bmornings?\b|\bbefore noon\b|\ba\.?m\.?\b|上午|早上|早晨|凌晨",
        r"\bafternoons?\b|\bevenings?\b|\bp\.?m\.?\b|下午|晚上|傍晚",
    ),
    (
        r"\bkeep(?:s|ing)?\b|\bkept\b|\bretain(?:s|ed)?\b|保留",
        r"\bdelet(?:es?|ed|ing)\b|\bremoved?s?\b|\bdiscard(?:s|ed)?\b|\bresets?\b|\bcleared\b|\bwiped\b|删除|清空|重置|清除|丢弃",
    ),
    (r"\binclud(?:es?|ed|ing)\b|包括|包含", r"\bexclud(?:es?|ed|ing)\b|\bomit(?:s|ted)?\b|排除|不含"),
    (r"\bopen(?:ed)?\b(?= to| for| at|[.,;]|$)|开放", r"\bclosed?\b|\blocked\b|封闭|锁定了"),
    (r"\baccept(?:s|ed)?\b|接受|通过了", r"\breject(?:s|ed)?\b|\bdenied\b|\bdenies\b|拒绝|驳回"),
    (r"\bsucceed(?:s|ed)?\b|\bpass(?:es|ed)?\b|成功", r"\bfail(?:s|ed|ing)?\b|失败|挂掉"),
    (r"\badd(?:s|ed|ing)?\b|添加|新增", r"\bremov(?:es?|ed|ing)\b|移除|去掉"),
    (r"\bstart(?:s|ed)?\b|启动", r"\bstop(?:s|ped)?\b|停止"),
    (r"\bshow(?:s|n)?\b|显示", r"\bhid(?:e|es|den)\b|隐藏"),
    (r"\bimport(?:s|ed)?\b|导入", r"\bexport(?:s|ed)?\b|导出"),
    (r"\bupload(?:s|ed)?\b|上传", r"\bdownload(?:s|ed)?\b|下载"),
    (r"\bsend(?:s)?\b|\bsent\b|发送", r"\breceiv(?:es?|ed)\b|接收"),
    (r"\bmerge[sd]?\b|\bmerging\b", r"\brebas(?:es?|ed|ing)\b"),
    (r"\bshare[sd]?\b|共享|共用", r"\bdedicated\b|\bseparate\b|\b(?:its|their) own\b|独立|独享|专用|各自"),
    (r"\bnewer\b|\blater\b|以后的", r"\bolder\b|\bearlier\b|以前的"),
    (r"\bread-?only\b|只读", r"\bwrit(?:e|able)\b|\bread-write\b|可写|读写"),
    (r"\bignor(?:e|es|ed)\b|忽略", r"\bfix(?:es|ed)?\b|\brespect(?:s|ed)?\b|修复|处理"),
    (
        r"\bnightly\b|\bdaily\b|\bweekly\b|\bonce a\b|每晚|每天|每周",
        r"\breal[ -]?time\b|\bcontinuous(?:ly)?\b|\bat once\b|实时|立即",
    ),
    (r"\bcompatib(?:le|ility)\b|兼容", r"\bbreak(?:s|ing)?\b|\bincompatible\b|不兼容|破坏"),
    (r"\btrue\b", r"\bfalse\b"),
    (r"\byes\b", r"\bno\b(?=[.,;]|$)"),
    (
        r"\blikes?\b|\bloves?\b|\bprefers?\b|\benjoys?\b|喜欢|偏好|爱",
        r"\bdislikes?\b|\bhates?\b|\bdetests?\b|讨厌|反感|厌恶",
    ),
    (
        r"\bsame\b|\bidentical\b|\breproducible\b|一样的?|相同|一致|可复现",
        r"\bdifferent\b|\bvar(?:y|ies)\b|不一样|不同|不一致|不可复现",
    ),
    (r"\bsafe\b|安全", r"\bunsafe\b|\binsecure\b|不安全|危险"),
    (r"\bsupported\b", r"\bunsupported\b"),
    (r"\bstable\b|稳定", r"\bunstable\b|\bflaky\b|不稳定"),
    (r"\bfast(?:er)?\b|\bquick(?:er|ly)?\b|很快|更快", r"\bslow(?:er|ly)?\b|很慢|更慢"),
    (r"\bstart(?:s|ing)? of\b|\bbeginning\b|开头|开始时|月初|年初", r"\bend of\b|末尾|结尾|结束时|月底|年底"),
    (r"\ball\b|\bevery(?:one|body)?\b|\bany(?:one|body)?\b|所有|全部|任何", r"\bonly\b|\bsome\b|部分|只有|仅限|个别"),
)
"""Pairs of which a statement holds one and its contrary the other; more than one spelling of each."""

GROUPS: Final = (
    "repository repo project codebase|database db|kubernetes k8s|javascript js|typescript ts|python py|"
    "postgres postgresql pg|documentation docs doc|configuration config|environment env|directory folder dir|"
    "function func method|parameter param argument arg|application app|authentication auth login|"
    "request requests call calls|run execute launch|"
    "use utilize employ adopt|must should shall always has have|need needs require requires take takes|"
    "about around roughly approximately circa nearly|live lives run runs stand stands sit sits listen listens|"
    "fix repair|check verify inspect|create make build|delete remove|begin start|finish end complete|display show|"
    "choose select pick|"
    "keep hold store save put write writes written draft compose author word|"
    "test tests testing|commit commits committing|"
    "deploy deployment deploys release releases ship|branch branches|pull-request pr|pipeline ci|bug defect issue|"
    "message msg|number count|maximum max|minimum min|user users customer client|mail email e-mail|feature features|"
    "toggle flag|style voice tone|answer answers reply replies respond response|code source|comment comments|"
    "file files|import imports|name names call called|team we our|default defaults|report reports|large big|"
    "small little|forbidden banned disallowed prohibited|like prefer want wants prefers likes|session sessions|"
    "seconds second secs sec s|minutes minute mins min|hours hour|days day"
)
"""Everyday words that stand for one another: one in place of another is no change of what is said."""

_STOP: Final = (
    "a an the this that these those is are was were be been being am do does did to of in on at by for from with into "
    "as and or but so than then it its within their our we you your i he she they them his her there here which who "
    "will would can could may might shall should must has have had just also very please always only each every all "
    "any through via per when while if because since over about around roughly approximately under up out more most "
    "least where what how own same other another such both either still ever now"
)


_SAYS_LITTLE: Final = (
    "not no never use run keep check write make create execute go do own actual given whole entire complete full "
    "exact good proper correct new current existing python tool command file need want like live set before after "
    "when strictly simply directly explicitly generally usually normally carefully first"
)


@cache
def says_little() -> frozenset[str]:
    """Words that, before a noun, leave it what it was, or are no part of it; each as the first of its group."""
    return frozenset(group_of().get(word, word) for word in _SAYS_LITTLE.split())


@cache
def pattern(said: str) -> re.Pattern[str]:
    """A table's expression, compiled when first asked for: nothing here is needed at start."""
    return re.compile(said)


class Side(NamedTuple):
    """The spellings of one word of a pair of contraries, and how they begin: without any of these there is none."""

    said: re.Pattern[str]
    begins: tuple[str, ...]

    def search(self, folded: str) -> re.Match[str] | None:
        """The first of the spellings in a folded text."""
        for begin in self.begins:
            if begin in folded:
                return self.said.search(folded)
        return None


@cache
def opposites() -> tuple[tuple[Side, Side], ...]:
    """The pairs of ``OPPOSITES``, compiled."""
    return tuple((_side(one), _side(other)) for one, other in OPPOSITES)


def _side(said: str) -> Side:
    begins = {_beginning(one) for one in _alternatives(said)}
    return Side(re.compile(said), tuple(sorted(begins)) if "" not in begins else ("",))


def _alternatives(said: str) -> Iterator[str]:
    """The parts of an expression between the bars that stand outside of all brackets."""
    depth = start = 0
    for at, char in enumerate(said):
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            yield said[start:at]
            start = at + 1
    yield said[start:]


def _beginning(said: str) -> str:
    """The characters that an expression begins with, as far as they must stand there."""
    found = pattern(r"(?:\\b)?([a-z\u3400-\u9fff -]*)").match(said)
    begins = found.group(1) if found else ""
    return begins[:-1] if found and said[found.end() : found.end() + 1] in ("?", "*", "{") else begins


@cache
def stop_words() -> frozenset[str]:
    """English words that carry no subject."""
    return frozenset(_STOP.split())


@cache
def group_of() -> dict[str, str]:
    """A word -> the first of its group in ``GROUPS``."""
    found: dict[str, str] = {}
    for group in GROUPS.split("|"):
        first, *others = group.split()
        found |= dict.fromkeys([first, *others], first)
    return found

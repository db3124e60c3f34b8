# ruff: noqa: E501 (a rule is one line, whatever the length of its pattern)
"""Further orders to a reader (``signs_more_cn`` has the Chinese ones): taken from phrasings that the first rules let pass. Pure.

Each is narrow: it needs a word that only an order to an agent has (the reader's memory, its prompts for leave, a secret
that goes out), since a memory of a project is full of plain imperatives.
"""

from __future__ import annotations

from typing import Final

from store.signs import Rule
from store.signs_instruction import GAP, SHORT

_OPENS: Final = r"(?:^|[.!;:,] ?|\b(?:and|then|please|always|must|should|just|simply|you) )"
_QUEUE: Final = r"(memor(?:y|ies)|proposals?|review queue|pending (?:items|proposals|memories))"
_LEAVE: Final = r"(permission|confirmation|approval|consent|safety|security) (?:prompts?|dialogs?|checks?|requests?|rules?|polic(?:y|ies)|questions?|steps?|review|queue)"

MORE: Final = (
    Rule(
        "tells its reader to drop other instructions",
        ("rules", "instructions", "everything", "guidelines", "polic", "training", "restrictions", "objection", "protest"),
        _OPENS + r"(ignore|disregard|forget|override|drop|discard|set aside|unlearn) (?:all |any |of |every |the |your ){0,3}"
        r"(?:(rules|instructions|guidelines|directions|orders|text|messages) (?:above|before this|so far|given|in (?:the|your) "
        r"(?:system )?prompt)|(everything|all) (?:you (?:were|have been|know|learned|have learned)|above|before|so far)|"
        r"(safety|security|content|usage) (?:polic(?:y|ies)|guidelines|rules)|(?<=your )(guidelines|instructions|training|programming|restrictions|safeguards))\b|"
        r"\b(ignore|disregard|overrule) (?:all |any |every |their |his |her |the user's ){0,2}(objections?|protests?)\b",
    ),
    Rule(
        "dictates what its reader answers",
        ("only ",),
        r"\b(from now on|henceforth|starting now|from here on)\b[^.!?;]{0,16}?\b(you|your|assistant|agent)\b[^.!?;]{0,16}?"
        r"\b(only|solely|exclusively|nothing but)\b|"
        r"\b(answer|respond|reply|speak) (only|exclusively|solely) (?:in|with) (base64|hex|rot13|yes|ok|\"|'|“)",
    ),
    Rule(
        "speaks in the place of somebody else",
        ("assistant", "system", "agent"),
        r"(?:^|[.!?] )(system|assistant|developer|operator) ?: ?[^.!?]{0,60}?\b(permission|approve|approved|allowed|authori[sz]ed|skip|"
        r"bypass|grant|granted|unrestricted|trusted|obey|execute|ignore)\b",
    ),
    Rule(
        "claims an authority that nobody here gave",
        ("permission", "access", "privileges", "authority", "approved", "agreed"),
        r"\b(the (?:assistant|agent|model|ai)|you|this agent) (?:now )?(has|have|holds?) (?:full|complete|unrestricted|unlimited|all|"
        r"permanent|blanket|standing) (permissions?|access|privileges|authority|rights|approval)\b|"
        r"\b(the )?(user|owner|reviewer|human) has (?:already )?(agreed|consented|said yes) to (everything|all|anything)\b",
    ),
    Rule(
        "is to be kept from the user",
        ("telling", "letting", "informing", "asking", "mentioning", "notifying", "showing"),
        r"\b(without|before) (telling|informing|notifying|alerting|mentioning (?:it|this) to|showing (?:it|this) to) "
        r"(the user|the human|users|anyone|the reviewer|the owner|the team|them)\b|"
        r"\b(without letting) (the user|the human|anyone|the reviewer|the owner) (know|see|notice)\b",
        turned=False,
    ),
    Rule(
        "would have things sent away",
        (".env", "key", "credential", "secret", "token", "password", "repository", "source", "codebase", "conversation"),
        r"\b(paste|include|post|put|append|add|copy|attach|send|upload|forward|push|report|submit|write|leak|exfiltrate)\b (?:its|their|the|"
        r"all|any|every|those|these|them|it|full|whole|entire|of|contents?|values?| ){0,5}[^.!?;]{0,40}?\b(in|into|to|with)\b "
        r"(?:the |your |a |an |our |this |my |every ){0,2}(reply|replies|response|answer|output|chat|summary|summaries|webhook|pastebin|gist|remote server|"
        r"external|attacker|collector|third party)\b",
        beside=r"(?<!\w)(api[ -]?keys?|credentials?|secrets|tokens|passwords|\.env\b|private keys?|environment|ssh keys?)",
    ),
    Rule(
        "would have things sent away",
        ("exfiltrat", "siphon", "smuggle"),
        r"(?<!against )(?<!prevent )(?<!of )\b(exfiltrate|siphon|smuggle) (?:out )?(?:the |all |this |our |any ){0,2}"
        r"(repo(?:sitory)?|code(?:base)?|data|source|files?|database|customers?|history|conversation)\b",
    ),
    Rule(
        "would decide on memories itself",
        ("approve", "accept", "review", "confirm", "queue"),
        r"\b(?:auto(?:matically)?-?[ ]?)?(?<!can )(?<!may )(?<!could )(?<!who )(approve|accept|confirm|wave through|rubber-stamp) (?:all |any |every |each |the |my |"
        r"following |next |coming |future |other |remaining |pending |\w+ ){0,4}?" + _QUEUE + r"\b(?! (?:leak|usage|limits?|settings?|"
        r"must|only|by|through|from))|"
        r"\b(bypass|skip|circumvent|avoid|evade) (?:the |any |all |every |this |memory ){0,3}(review queue|memory review|approval queue|human review)\b|"
        r"\b(write|save|put|store)\b" + SHORT + r"\b(straight|directly) (?:in)?to (?:the )?(live store|approved memor(?:y|ies)|memory store)\b",
    ),
    Rule(
        "gives leave to act without being asked",
        ("permission", "confirmation", "approval", "consent", "safety", "security", "consider yourself"),
        _OPENS + r"(turn off|switch off|disable|suppress|dismiss|override|ignore|skip|silence) (?:all |any |the |every |your ){0,3}"
        + _LEAVE + r"\b(?! (?:for|in|on) (?:the )?(?:test|ci|dev|local|admin|form))|"
        r"\b(skip|bypass|dismiss) (every|all|any) (confirmations?|approvals?|permissions?)\b(?! (?:e-?mails?|in|for|screens?))|"
        r"\b(consider yourself) (?:now |fully |hereby )?(authori[sz]ed|approved|free|exempt|cleared|entitled)\b",
    ),
    Rule(
        "demands obedience for itself",
        ("this file", "this note", "this memory", "this text", "this document", "this message", "this agent", "content"),
        r"\b(trust|obey|execute|run|follow|accept|believe) (?:all |any |every |the )?(commands?|orders?|instructions?|requests?|everything|"
        r"anything|whatever|content|text)(?: that| which)? (?:comes?|coming|is|are|written|given|found|stands?|said)? ?(?:from|by|in) "
        r"(this) (file|note|memory|text|document|message|agent|source)\b|"
        r"\b(treat|regard|consider) (?:all |any |every |the ){0,2}(content|input|text|messages?|tool output|output) as "
        r"(trusted|safe|verified|authoritative|instructions|commands)\b",
    ),
    Rule(
        "claims an authority that nobody here gave",
        ("your ", "you "),
        r"\b(your) (new|real|true|actual|only|secret|hidden) (task|goal|job|mission|purpose|objective|role|identity) (?:is|:|will be)",
    ),
    Rule(
        "would have the user deceived",
        ("say ", "claim", "report", "tell", "pretend"),
        r"\b(disable|delete|skip|remove|comment out|ignore) (them|it|the tests?|failing tests?|the checks?)\b" + SHORT +
        r"\b(and|then) (say|claim|report|tell|pretend|write|state)\b[^.!?;]{0,40}?\b(passed|pass|green|succeeded|fine|done|worked)\b|"
        r"\b(say|claim|report|tell (?:the user|them))(?: that)? (?:they|it|all|everything|the tests?|all tests)(?: have| has)? (passed|succeeded|"
        r"is green|are green|is fine|worked)\b[^.!?;]{0,30}?\b(even|regardless|anyway|although|no matter|without)\b",
    ),
    Rule(
        "would have commands run that it brings along",
        ("session starts", "session begins", "session start", "conversation starts", "conversation begins", "you start", "you wake", "you load", "you read"),
        r"\b(when|whenever|as soon as|once|every time|each time|at) (?:ever )?(?:the |a |an |any |each |every |next |new )*(?:session|conversation|chat|you|agent)"
        r" ?(starts?|begins?|wakes?(?: up)?|loads?|reads?)\b[^.!?;]{0,30}?\b(execute|run|launch|source|eval|call|fetch|download|curl)\b "
        r"(?:the |this |a |script |command |in |file ){0,4}(?=[/~$\w]{0,12}(?:/tmp|https?:|\.sh\b|~/|/[a-z]+/|curl|wget|`))",
    ),
    Rule(
        "gives leave to act without being asked",
        ("access", "permission", "rights", "privilege", "admin"),
        r"\b(as soon as|once|when|whenever|after|if) (?:the )?(user|human|reviewer|owner|developer|anyone) (approves?|agrees?|confirms?|accepts?|leaves?|says?|"
        r"logs? (?:in|out)|is away)\b[^.!?;]{0,40}?\b(grant|give|push|send|upload|delete|copy|publish|merge|approve)\b[^.!?;]{0,40}?"
        r"\b(everyone|everybody|anyone|all users|external|elsewhere|mirror|all|access|secretly)\b",
    ),
    Rule(
        "demands obedience for itself",
        ("this memory", "this note", "this entry", "whatever", "no matter", "regardless", "you received", "you were given"),
        r"\b(do|obey|follow|trust) (?:exactly )?what (this|these) (memory|note|entry|instructions?|text|message)s? (?:says?|tells?|wants?)|"
        r"\b(whatever|no matter what|regardless of what) (the user|users|anyone|they|the human) (asks?|says?|wants?|requests?)\b[^.!?;]{0,8}?\b(answer|reply|say|respond|tell|do)\b|"
        r"\b(ignore|disregard|forget|discard|drop) (?:all |any |the |every ){0,2}(guidance|instructions?|advice|directions?|orders|rules|training) (?:that )?(you) "
        r"(?:have |had |were |was )?(received|given|got|been given|been told|learned)\b",
    ),
    Rule(
        "is to be kept from the user",
        ("let no one", "let nobody", "need to see", "need to know", "need not know", "need not see", "hide the", "nobody may"),
        r"\b(let) (no one|nobody|no human) (know|see|notice|learn|find)\b|"
        r"\b(user|human|reviewer|owner|developer|anyone)s? (?:does not|doesn't|do not|don't|need not|needn't) (?:need to |have to |)(see|know|be told|notice|confirm|"
        r"approve) (?:about |of )?(?:the |this|these|it|what|any|next)",
    ),
    Rule(
        "would have commands run that it brings along",
        ("http", "curl", "wget"),
        r"\b(download|fetch|curl|wget|pull|get)\b [^.!?;\s]{0,8} ?https?://\S{1,120} and (?:then )?(run|execute|source|eval|install|launch)\b|"
        r"\b(silently|quietly|secretly|covertly) (download|fetch|install|load)\b|"
        r"\b(run|execute|launch|source) (?:the |a |this )?(scripts?|file|code|commands?|program) (?:at|from|behind|under) https?://(?!localhost|127\.)",
    ),
    Rule(
        "would have things sent away",
        ("send", "mail", "post", "forward", "upload", "push", "copy"),
        r"\b(send|e-?mail|mail|post|forward|upload|push|copy) (?:the |all |every |each |any |our |its |a ){0,2}(diffs?|code|patch(?:es)?|source(?: code)?|changes|repo(?:sitory)?|files?|"
        r"database|dump|history|conversation|transcript)\b[^.!?;]{0,20}?\bto (?=\S{1,60}@|\[e-mail\]|https?://|ftp://)",
        beside=r"\b(after|every|each|always|whenever|before|on (?:each|every|startup)|silently)\b",
    ),
    Rule(
        "would have things sent away",
        ("env var", "environment", "secret", "credential", "token", "api key", "password"),
        r"\b(encode|put|write|include|add|hide|embed|append|paste)\b[^.!?;]{0,30}?\b(env(?:ironment)? var(?:iable)?s|secrets|credentials|tokens|api keys|passwords|\.env)\b"
        r"[^.!?;]{0,40}?\b(in|into|to|as) (?:the |a |an |each |every |your ){0,2}(pr|pull request|commit|issue|branch|comment|url|query|log|dns)(?:'s)? ?(?:description|message|body|title|name|"
        r"comment|text|string)?",
    ),
    Rule(
        "claims an authority that nobody here gave",
        ("given", "granted", "confirmed", "approved", "agreed", "whoever", "anyone", "everyone"),
        r"\b(you) (?:have been|were|are) (?:now )?(given|granted) (?:full |temporary |permanent )?(admin|root|owner|superuser|elevated|write|unrestricted)\b|"
        r"\b(as if|as though) (the user|the human|the owner|the reviewer|someone) (?:had|has) (?:already )?(confirmed|approved|agreed|authori[sz]ed|consented)\b|"
        r"\b(give|grant) (?:\w+ )?(root|admin|sudo|write access|access|full access|permissions?) (?:rights |access )?to (anyone|everyone|everybody|whoever)\b",
    ),
    Rule(
        "speaks in the place of somebody else",
        ("system", "directive", "real ", "operator"),
        r"\b(new|real|true|actual|updated|urgent) (system) (directive|instruction|prompt|message|rule|order|command)s?\b ?(?:is|:|are|follows?|below)|"
        r"\b(previous|earlier|above|prior|first|last) (system) (message|prompt|instructions?) (?:was|is|were|are) (?:only |just )?(a test|fake|void|wrong|not real|obsolete|a mistake)|"
        r"\b(consider|treat|regard|take)\b[^.!?;]{0,60}?\b(as (?:coming|sent|issued|written)? ?(?:from|by)) (?:the |your )?(operator|system|developers?|administrator|owner)\b",
    ),
    Rule(
        "gives its reader another identity",
        ("no content policy", "no polic", "no restrictions", "no rules", "no filter", "no limits", "without limits", "no guidelines"),
        r"\b(behave|act|respond|answer|work|operate|speak)\b[^.!?;]{0,30}?\b(with|having|under|has|have) (no) (?:\w+ )?(polic(?:y|ies)|restrictions|rules|filters?|limits|guidelines)\b",
    ),
    Rule(
        "would have the user deceived",
        ("regardless", "no matter", "but state", "but say", "but claim", "but report", "but tell", "and state", "and claim", "say it was"),
        r"\b(reply|answer|say|report|state|claim|write|respond)\b[^.!?;]{0,20}?\b(passed|pass|green|successful|succeeded|done|fine|ok)\b[^.!?;]{0,8}?\b(regardless|no matter|whatever|even if)\b|"
        r"\b(do not|don't|never|skip) (?:run|execute|do|perform|make|check)?[^.!?;]{0,40}?\b(but|and) (state|say|claim|report|tell|write)\b[^.!?;]{0,12}?\b(you did|it (?:was|is) done|it passed|they passed|that you|done)\b",
        turned=False,
    ),
    Rule(
        "would have things sent away",
        (".npmrc", ".ssh", ".aws", ".netrc", ".env", ".pypirc", ".kube", ".docker", "id_rsa", "cookies", "keychain", "credentials", "wallet"),
        r"\b(attach|upload|send|post|paste|copy|forward|e-?mail|publish|share|report|put|write|include|append)\b[^.!?;]{0,12}? (?:the )?(contents? of|text of|values? (?:of|in)) "
        r"[^!?;\s]{0,20}(\.npmrc|\.ssh|\.aws|\.netrc|\.env(?!\.(?:example|sample|template))|\.pypirc|\.kube|\.docker|id_rsa|cookies|keychain|credentials|wallet)|"
        r"\b(upload|send|post|forward|e-?mail|leak|copy)\b (?:the |all |every |any ){0,2}(?:user's |browser's? |user |browser ){0,2}(cookies|keychain|wallet|saved passwords|browser history)\b[^.!?;]{0,12}?\bto\b",
    ),
    Rule(
        "would do harm in the code",
        ("backdoor", "keylogger", "malware", "rootkit", "logic bomb"),
        r"\b(put|add|leave|insert|plant|create|build|hide|install|write|embed) (?:an? |the )?(?:\w+ )?(backdoor|keylogger|malware|rootkit|logic bomb)\b(?! (?:scan|detect|check|protect))",
    ),
    Rule(
        "would have the user deceived",
        ("lie about", "nobody notices", "no one notices", "nobody sees", "no one sees", "nobody knows", "unnoticed"),
        r"\b(lie about|be dishonest about) (the|your|any|what|test)\b|\b(so that|so) (nobody|no one) (notices|sees|knows|finds out)\b",
    ),
    Rule(
        "gives leave to act without being asked",
        ("without asking", "approval", "consent", "permission", "say-so"),
        r"\b(act|proceed|go ahead|continue|decide|move on|go on|through) without (asking|(?:the )?(?:user|human|owner|reviewer)(?:'s)? (?:approval|consent|permission|confirmation|say-so))|"
        r"\b(you) (?:now |already )?have (?:the |full )?(permission|authority|clearance|leave) to (delete|drop|push|deploy|approve|merge|act|run|execute|change|access|skip|bypass)\b",
        turned=False,
    ),
    Rule(
        "is to be kept from the user",
        ("show this", "show these", "display this", "list this", "expose this"),
        r"\b(do not|don't|never|must not) (show|display|list|expose) (this|these) (?:\w+ )?(memory|memories|note|entry|entries|instructions?|rule|message)s?\b",
        turned=False,
    ),
    Rule(
        "would have secrets kept",
        ("password", "credential", "token", "api key", "secret", "private key"),
        r"\b(record|store|save|remember|collect|keep|write down) (?:the |any |all |every )?(?:user|customer|client|people|person|developer)(?:s|'s|s')? (?:\w+ )?(passwords?|credentials?|tokens?|api keys?|secrets?|private keys?) "
        r"(in|into|to|as|inside) (?:this |a |your |the )?(memory|note|entry|file you|memories|notes)\b",
    ),
    Rule(
        "would have things sent away",
        ("http",),
        r"\b(zip|tar|pack|bundle|archive|compress|dump)\b[^.!?;]{0,40}?\b(send|upload|post|push|mail|copy)\b[^.!?;]{0,16}?\bto (?=https?://(?!localhost|127\.))|"
        r"\b(fetch|visit|open|load|get|read|download) https?://\S{1,120} and (?:then )?(follow|obey|do|apply|act on) (?:what|whatever|its|the|all|every)",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("directions", "instructions", "guidance", "rules", "no policy", "no policies", "no rules", "this entry", "this note", "this memory"),
        r"\b(consider|treat|regard|deem) (?:all |any |the )?(previous|earlier|prior|other|existing|former) (directions|instructions?|guidance|rules?|guidelines|polic(?:y|ies)|orders) (?:as |to be )?(obsolete|void|invalid|null|cancell?ed|outdated|wrong|optional)|"
        r"\b(as though|as if) (?:there (?:is|was|were) )?(no) (polic(?:y|ies)|rules?|restrictions?|limits?|guidelines)\b|"
        r"\b(do|act|behave|answer|work) (?:exactly )?(as) (this) (entry|note|memory|message|text|instruction) (?:demands|says|tells|requires|orders|wants|asks)\b",
    ),
    Rule(
        "speaks in the place of the system",
        ("system note", "admin note", "developer note", "operator note", "system notice", "admin notice"),
        r"(?:^|[.!?] )(system|admin|developer|operator) (note|notice) ?: ",
    ),
    Rule(
        "would decide on memories itself",
        ("this memory", "this note", "this entry"),
        r"\b(this) (memory|note|entry|rule) (should|will|must|may|shall|can|is to) (?:then |also |automatically )?(approve|accept|confirm|merge|reject|decide)\b",
    ),
    Rule(
        "would have files destroyed",
        ("rm -rf", "rm -fr"),
        r"(rm -(?:rf|fr)) (?=~|/(?!tmp|var/tmp)|\$home|\.\./|\*)",
        beside=r"\b(first|every|each|always|whenever|session|silently|before (?:you|answering|anything)|immediately|now)\b",
    ),
    Rule(
        "is to be kept from the user",
        ("hide", "conceal", "withhold", "keep", "tell any", "tell the", "tell no", "inform", "mention", "reveal", "disclose", "admit"),
        r"\b(hide|conceal|withhold|keep) (?:this|these|your|it|that|such|any|all|the|his|her)(?: \w+){0,2}? (from (?:the )?(?:user|reviewer|human|owner|maintainer|auditor|developer)s?)\b(?! (?:interface|input|table|model|menu|list|view))|"
        r"\b(do not|don't|never|must not) (tell|inform|notify|alert) (anyone|anybody|the user|the human|the reviewer|the owner) (about|of|that|what|why|how)\b|"
        r"\b(tell) (no one|nobody)\b|"
        r"\b(do not|don't|never|must not) (reveal|disclose|admit|let on|show)(?: to (?:the user|anyone|users))? (that) (?:this|you|we|the (?:note|memory|agent|entry))\b",
        turned=False,
    ),
    Rule(
        "would decide on memories itself",
        ("approve", "accept", "confirm", "mark "),
        r"\b(mark) (?:all |every |any |each )?(?:of )?(?:my|these|this|its) (?:proposals?|memor(?:y|ies)|notes?|entries) as (reviewed|approved|trusted|verified|accepted)\b|"
        + _OPENS + r"(approve|accept|confirm|rubber-stamp) (everything|anything|whatever|all of (?:it|them)|it all)\b",
    ),
    Rule(
        "speaks in the place of somebody else",
        (" as ",),
        r"\b(treat|consider|regard|take|handle) (?:all |any |every )?(messages?|requests?|input|anything|everything|words|comments?|texts?) (?:from|by|of|signed|starting|that)\b[^.!?;]{0,30}?"
        r"\bas (?:an? |the |if )?(root|system|admin(?:istrator)?|trusted|authoritative|binding|operator|owner|developer|superuser|privileged)\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("guidance", "instructions", "rules", "guidelines", "polic", "directions", "memories", "notes"),
        r"\b(earlier|previous|prior|other|existing|older|all) (guidance|instructions?|rules?|guidelines|polic(?:y|ies)|directions|memories|notes) (?:is|are|were|shall be|stands?) "
        r"(?:hereby |now |all |therefore )?(cancell?ed|void|revoked|null|overridden|suspended|withdrawn|annulled|rescinded|no longer valid)\b",
    ),
    Rule(
        "gives leave to act without being asked",
        ("checking", "asking", "confirming", "consulting", "verifying", "reviews", "approval"),
        r"\b(stop|cease|quit|give up|refrain from) (checking|asking|confirming|consulting|verifying)(?: things| first)?(?: with| from)? (the user|users|the human|the owner|anyone|me|for permission|for confirmation)|"
        r"\b(reviews?|approvals?|confirmations?|permissions?) (?:is|are) (not|never) (needed|required|necessary) for (you|this agent|agents|the assistant)\b",
    ),
    Rule(
        "would have the user deceived",
        ("push ", "lure ", "no matter", "regardless"),
        r"\b(push|lure|manipulate) (them|him|her|the user|users|people|everyone) (toward|towards|to|into|away)\b|"
        r"\b(tell|assure|inform|convince) (the user|users|them|everyone|the reviewer)\b[^.!?;]{0,50}?\b(no matter|regardless|whatever)\b",
    ),
    Rule(
        "would decide on memories itself",
        ("other memories", "all memories", "every memory", "the memories", "other notes"),
        r"\b(delete|erase|remove|drop|wipe|reject|purge|retire|forget) (?:all |every |any |the ){0,2}(other|remaining|competing|existing|earlier) (memor(?:y|ies)|notes|entries)\b",
        beside=r"\b(you|once|after|when|whenever|then|always|this|must)\b",
    ),
)  # fmt: skip

CONDITIONAL_MORE: Final = (
    Rule(
        "waits for a moment to act",
        ("一旦", "当用户", "等用户", "用户离开", "用户不在", "用户睡"),
        r"(一旦|当|等|等到|趁)(用户|使用者|对方|审核者)(离开|不在|睡着|同意|批准|下线|走开|没注意)[^。！？；]{0,8}?(?:就|便|时|后)?[^。！？；]{0,8}?"
        r"(推送|发送|上传|执行|运行|删除|写入|授权|合并|批准)",
    ),
    Rule(
        "waits for a word of the user to act",
        ("用户", "对方", "有人"),
        r"(只要|如果|一旦|当|每当|若|等)(用户|对方|有人|使用者)(?:一)?(说|问|提到|问起|回复|答应|同意|确认)[^。！？；]{0,12}?(?:就|便|则|时|,)[^。！？；]{0,6}?(调用|触发|执行|运行) ?(?=[a-z]{2,20}_[a-z])|"
        r"(用户|对方|有人)(问起|问到|提到|谈到)[^。！？；]{0,12}?(一律|总是|都|始终|永远)(推荐|回答|说|声称|回复)",
    ),
    Rule(
        "waits for a word of the user to act",
        ("用户一", "对方一", "有人一"),
        r"(用户|对方|有人)(一)(说|问|回复|同意|确认|提|答应|点头)[^。！？；]{0,10}?就[^。！？；]{0,6}?(调用|执行|运行|删除|推送|部署|发送|上传)",
    ),
    Rule(
        "waits for a word of the user to act",
        ("if the user", "when the user", "whenever the user", "if someone", "if anyone", "when someone", "once the user"),
        r"\b(if|when|whenever|once|as soon as) (the user|someone|anyone|a user) (asks?|says?|mentions?|wants?|inquires?|complains?)\b[^.!?;]{0,40}?\b(say|claim|answer|recommend|deny|pretend)\b"
        r"[^.!?;]{0,40}?\b(hide|never|always|only|instead|deny|conceal|not)\b",
    ),
    Rule(
        "waits for a moment to act",
        ("whenever you", "when you see", "if you see", "each time you", "every time you"),
        r"\b(whenever|when|if|each time|every time) you (see|find|read|open|encounter|meet) (?:an? |the |any )?(\.env|credentials?|secrets?|api keys?|"
        r"private keys?|passwords?|tokens?)\b" + GAP + r"\b(paste|include|post|copy|send|upload|save|print|show|store|repeat)\b",
    ),
)  # fmt: skip

PERSISTING_MORE: Final = (
    Rule(
        "would keep itself alive",
        ("this ", "these "),
        r"\b(make sure|ensure|see to it|guarantee)(?: that)? (this|these) (?:\w+ )?(text|note|memory|rule|instruction|line|entry|message|sentence)s? "
        r"(?:is|are|stays?|remains?|always|gets?)\b[^.!?;]{0,30}?\b(always|every|each|all|forever|permanently)\b",
        turned=False,
    ),
    Rule(
        "would keep itself alive",
        ("this ", "these "),
        r"\b(copy|paste|write|add|insert|put|append|carry|repeat) (this|these) (lines?|text|sentences?|paragraphs?|words|section|block) (?:to|into|in|at|onto) (every|each|all|any)\b",
    ),
    Rule(
        "would keep itself alive",
        ("agents", "让每个", "让所有", "assistants"),
        r"\b(make|have|let) (other|all|every|each|future) (agents?|assistants?|models?|sessions?) (?:always |first )?(read|load|follow|include|repeat|obey) (this|these)\b|"
        r"让(每个|所有|每一个)(?:新)?(?:的)?(项目|会话|代理|智能体|助手)[^。！？；]{0,4}?(带上|加载|读取|包含|遵守|复制)(这|此|本)(条|段|个|份|则)",
    ),
    Rule(
        "would keep itself from being changed",
        ("这", "此", "本"),
        r"(这|此|本)(?:一)?(条|段|则|份)(备忘|记忆|笔记|说明|指令|规则|内容)[^。！？；]{0,8}?(不能|不得|不可|不要|不许|禁止|严禁)(?:被)?(删|改|移除|覆盖|清|忘)(?!库|表)",
        turned=False,
    ),
    Rule(
        "would come back when it is gone",
        ("re-", "restored", "recreated", "readded", "added again", "added back", "written again", "saved again"),
        r"\b(this|these) (?:\w+ )?(rule|note|memory|instruction|entry|message|line)s? (?:must|should|has to|needs? to|is to|will) (?:always )?be (re-?added|re-?created|re-?stored|restored|"
        r"re-?saved|re-?written|added (?:again|back)|saved again|written again)\b",
        turned=False,
    ),
    Rule(
        "would keep itself alive",
        ("这", "此", "本"),
        r"(?:把|将)(这|此|本)(?:一)?(段|条|句|则|些|份)(?:话|文字|内容|记忆|规则|说明|指令|笔记)?[^。！？；]{0,4}?(加进|加入|加到|写进|写入|写到|复制到|放进|放到|抄到|抄进|带到|再写|再存|重写)",
        beside=r"(每|都|所有|任何|一遍|一次|新项目|下次)",
    ),
    Rule(
        "would come back when it is gone",
        ("这", "此", "本"),
        r"(这|此|本)(?:一)?(段|条|句|则|份)(?:话|文字|内容|记忆|规则|说明|指令|笔记)?[^。！？；]{0,6}?(删|移除|清除|丢失|没了|不见|拒绝)[^。！？；]{0,8}?(再|重新)(加|写|存|添加|恢复|提交|提议|创建)",
        turned=False,
    ),
    Rule(
        "would keep itself alive",
        ("propagate", "spread", "replicate", "copy", "carry"),
        r"\b(propagate|spread|replicate|carry|broadcast|distribute) (this|these) (?:\w+ )?(rule|note|memory|instruction|text|message|entry|line)s? "
        r"(?:over )?(?:to|into|in|across|through) (?:all |every |each |any |the |other |future )",
    ),
    Rule(
        "would keep itself alive",
        ("session", "conversation", "reload", "agent"),
        r"\b(every|each|all|any) (?:future |new |coming |next )?(?:session|conversation|agent|chat)s?\b[^.!?;]{0,24}?\b(begins?|starts?|reload(?:s|ing)?|loads?|opens?)\b"
        r"[^.!?;]{0,24}?\b(reload(?:ing)?|read(?:ing)?|load(?:ing)?|repeat(?:ing)?|with) (?:exactly )?(this|these) (?:\w+ )?(note|memory|text|instruction|rule|entry|message)\b",
        turned=False,
    ),
    Rule(
        "would keep itself from being changed",
        ("不要", "不得", "禁止", "不可", "别", "勿", "不许", "不能"),
        r"(永远|绝|任何时候都|任何人都)?(不要|不得|禁止|不可以?|切勿|请勿|不许|不能|别)(?:再)?(删除|修改|改动|覆盖|清除|忘记|拒绝|清理|移除)(?:或|和|、|/)?"
        r"(?:删除|修改|改动|覆盖|清除|忘记|拒绝|清理|移除)?(这|此|本)(?:一)?(条|段|个|则|份)?(记忆|笔记|备忘|指令|条目|规则|说明)(?!库|表|文件|目录)",
        turned=False,
    ),
)  # fmt: skip

"""Text that would have its reader act badly, in English: in secret, unasked, lying, sending things away. Pure."""

from __future__ import annotations

from typing import Final

from store.signs import Rule
from store.signs_instruction import GAP, SHORT

_PEOPLE: Final = r"(the (?:user|human|developer|reviewer|owner|person)|users?|anyone|anybody|them|him|her)"
_TOLD: Final = r"(this|it|that|these|any of this|anything)(?: (?:note|memory|instruction|message|rule|text|change))?"
_SECRETS: Final = (
    r"(api[ -]?keys?|secrets?|(?:access |auth )?tokens?|credentials?|passwords?|environment variables|env vars|\.env|"
    r"ssh keys?|private keys?|cookies|conversations?|chat histor(?:y|ies)|transcripts?|system prompt|source code|"
    r"user data|memories)"
)


ACTS_BADLY: Final = (
    Rule(
        "is to be kept from the user",
        ("tell", "inform", "notify", "alert", "mention", "admit", "let "),
        r"\b(do not|don't|never|must not|should not|without) (?:ever )?"
        r"(tell|telling|inform|informing|notify|notifying|alert|alerting|mention|mentioning|admit|let|letting)"
        r"(?: about| of)? (?:" + _TOLD + r" to " + _PEOPLE + "|" + _PEOPLE + r"(?: know)?(?: about| of)? " + _TOLD + ")"
        r"(?:[.,;:!]|$| (?:and|or|when|if|was|is|has|at|even|in|because|to)\b)",
        turned=False,
    ),
    Rule(
        "is to be kept from the user",
        ("from the user", "from anyone", "from the human", "from everyone", "from the reviewer", "from the developer",
         "knowledge", "knowing", "noticing", "consent", "reveal", "disclose", "silently", "secretly", "covertly"),
        r"\b(keep|hide|conceal|withhold) (?:this|it|these)(?: (note|memory|message|rule|instructions?))?"
        r"(?: (secret|hidden|private))? (from (?:the user|anyone|everyone|the human|the reviewer|the developer))\b|"
        r"\b(without (?:the )?(?:user|human|reviewer|developer|anyone)(?:'s)?) (knowing|knowledge|noticing|consent)\b|"
        r"\b(reveal|disclose|show) (?:this|these) (note|memory|instructions?|message)s? (to (?:the user|anyone|"
        r"users))\b|"
        r"\b(silently|secretly|covertly) (send|upload|post|forward|copy|add|insert|exfiltrate|transmit|install|store|"
        r"save|approve|grant|call|run|execute|change)\b",
    ),
    Rule(
        "would have things sent away",
        ("send", "post", "upload", "forward", "mail", "exfiltrate", "leak", "transmit", "submit", "paste", "beacon"),
        r"\b(send|post|upload|forward|(?:e-?)?mail|exfiltrate|leak|transmit|submit|paste|beacon)\b" + GAP + r"(?<!\w)"
        + _SECRETS + r"\b" + GAP + r"\b(?:to|at|via|into|through)\b[^.!?;]{0,24}?(https?://|ftp://|webhook|pastebin|"
        r"\bgist\b|attacker|external server|"
        r"remote server|third[- ]party|discord|telegram|this (?:address|e-?mail|url)|@(?=[a-z0-9-]{1,40}\.[a-z]))",
    ),
    Rule(
        "asks for what its reader was told",
        ("system prompt", "instructions"),
        r"\b(reveal|print|output|repeat|recite|leak|show) (?:me )?(?:the |your |all |full |entire ){0,3}"
        r"(system prompt|hidden instructions|initial instructions|original instructions|instructions verbatim)\b",
    ),
    Rule(
        "gives leave to act without being asked",
        ("without ", "skip-permissions", "approve"),
        r"\b(run|execute|commit|push|deploy|delete|merge|install|approve|accept|proceed|force-push|publish|overwrite|"
        r"drop|grant)\b" + GAP + r"\b(without) (?:ever |first )?(asking|confirmation|confirming|approval|permission|"
        r"(?:any |user |human |explicit |further |my ){1,2}(?:confirmation|approval|permission|consent|review)|"
        r"checking with|prompting)\b(?! (?:is|are|was|fails?|will|must|breaks?))|"
        r"(--dangerously-skip-permissions)|"
        r"\b(auto-?approve|automatically approve|auto-?accept) (?:all|every|any) (commands?|tools?|edits|tool calls|"
        r"requests?|changes|permissions?|memor(?:y|ies)|proposals?)\b",
    ),
    Rule(
        "gives leave to act without being asked",
        ("ask", "confirmation", "approval", "permission", "sandbox", "safety", "security"),
        r"\b(do not|don't|never|no need to|stop) (ask|asking) (?:(?:the user|me|anyone|us|them|your user) )?"
        r"(for (?:permission|confirmation|approval|consent|review)|to (?:confirm|approve))\b|"
        r"\b(do not|don't|never) (ask|wait for) (the user|me|anyone|first|again|approval|confirmation|permission)"
        r"(?=[.,;!]|$| (?:first|before|again|and|just|when|or|at)\b)|"
        r"(?<!users can )(?<!admins can )(?<!users may )\b(skip|bypass|suppress|auto-?confirm) "
        r"(?:all |any |the |every ){0,2}(confirmation|permission|approval|"
        r"consent|safety|authori[sz]ation) (prompts?|steps?|checks?|dialogs?|requests?|questions?|process)\b|"
        r"\b(override|disable|turn off|bypass|remove|switch off) (?:all |any |the |your |every ){0,2}(safety|security|"
        r"sandbox|guard) ?(checks?|filters?|restrictions?|measures?|prompts?|limits?|rails?)\b",
        turned=False,
    ),
    Rule(
        "would have things sent away",
        ("ssh", "id_rsa", "id_ed25519", ".env", "passwd", "credentials", "netrc", "private "
        "key", "environment variables",
         "exfiltrat", "backdoor", "secrets", "keylogger", "passwords"),
        r"\b(read|cat|open|print|dump|include|append|attach|copy|paste|embed|encode|add|output|put)\b" + GAP +
        r"(?<!\w)(~?/?\.ssh\b|id_rsa|id_ed25519|\.env\b|/etc/(?:passwd|shadow)|\.aws/credentials|\.netrc|private keys?|"
        r"environment variables|secrets|passwords|credentials)" + GAP + r"\b(?:in|into|to|with|as|of) (?:\w+ ){0,2}?"
        r"(reply|replies|response|answer|output|commit messages?|commits|comments?|issues?|pull requests?|summary|"
        r"summaries|e-?mails?|url|urls|chat|conversation)\b|"
        r"\b(exfiltrat\w+|steal\w*|leak\w*) (?:\w+ ){0,3}?(secrets?|credentials?|passwords?|keys?|tokens?|data)\b|"
        r"\b(output|dump|reveal|leak|hand over) (?:me )?(?:the |all |any |every ){0,2}(?:user's )?(credentials|"
        r"passwords|"
        r"secrets|private keys|api keys)\b|"
        r"\b(add|insert|plant|inject|leave|create|install) (?:an? )?(?:hidden |secret |small ){0,2}(backdoor|keylogger|"
        r"malware|trojan|rootkit)\b",
    ),
    Rule(
        "would have commands run that it brings along",
        ("| sh", "|sh", "| bash", "|bash", "| sudo", "| zsh", "following command", "following code", "following script",
         "rm -rf", "base64 -d", "command"),
        r"\b(curl|wget|fetch|base64 -d)\b[^\n|]{0,160}\| ?(?:sudo )?(?:-\w+ )?(bash|sh|zsh|python3?)\b",
        beside=r"\b(whenever|always|every (?:time|session|task)|each (?:time|session|task)|first|immediately|"
        r"on (?:every )?start\w*|at the (?:start|beginning)|before (?:anything|every|each|you)|when you (?:see|read|"
        r"start))",
    ),
    Rule(
        "would have commands run that it brings along",
        ("following command", "following code", "following script", "command below"),
        r"\b(execute|run) (the (?:following|above) (?:shell |bash )?(?:commands?|code|scripts?)|the commands? below)\b"
        + SHORT + r"\b(before anything|first|immediately|at once|now|silently|without|whenever|every time)\b",
    ),
    Rule(
        "would have the user deceived",
        ("pretend", "tell ", "claim", "lie to", "report ", "mislead"),
        r"(?:^|[.!;:,] ?|\b(?:always|please|must|should|then|and|simply|just) )(pretend) (that|to|you|the|it|they|"
        r"all)\b|"
        r"\b(tell|assure|inform|report to|convince) (the user|users|them|everyone|reviewers?|the reviewer)\b" + GAP +
        r"\b(even (?:if|when|though)|regardless of|although|whether or not|no matter)\b|"
        r"\b(claim|report|say|state)(?: that)? (?:\w+ ){1,6}?(passed|succeeded|worked|is safe|are safe|"
        r"was reviewed)\b" +
        SHORT + r"\b(even (?:if|when|though)|regardless|without running|no matter)\b|"
        r"\b(lie to|mislead|deceive) (the user|users|the reviewer|reviewers|the human)\b",
    ),
    Rule(
        "is to be kept from the user",
        ("reveal", "disclose", "share", "expose", "mention", "discuss", "show"),
        r"\b(do not|don't|never|must not) (?:ever )?(reveal|disclose|share|expose|mention|discuss|show|quote) "
        r"(this|these) (?:hidden |secret )?(instructions?|notes?|memory|memories|rules?|prompt)\b",
        turned=False,
    ),
    Rule(
        "is to be kept from the user",
        (" see ", " know", "notice", "find out", "learn of", "learn about", "discover", "be told"),
        r"\b(never|do not|don't|must not) (let|allow) " + _PEOPLE + r" (?:to )?"
        r"(see|know|notice|find|read|discover|learn)(?: out)?(?: about| of)? (this|it|these|that)"
        r"(?: (?:entry|note|memory|instruction|rule|message))?(?=[.,;!]|$)|"
        r"\b(user|users|anyone|human|nobody) (?:must|should|may|can) (?:not |never )?(see|know|notice|find out|learn|"
        r"be told)(?: about| of)? (this|it) ?(entry|note|memory|instruction|rule)\b",
        turned=False,
    ),
    Rule(
        "would have things done in secret",
        ("quietly", "silently", "secretly", "covertly", "unnoticed", "stealthily"),
        r"\b(quietly|silently|secretly|covertly|stealthily) (include|add|insert|append|embed|send|upload|post|call|run|"
        r"execute|install|copy|forward|grant|approve|push|commit|change|replace)\b(?! (?:failed|failing))",
    ),
    Rule(
        "would have things sent away",
        ("credentials", "id_rsa", ".ssh", "passwd", "netrc", "private key", ".env", "conversation", "chat history"),
        r"\b(upload|send|post|publish|share|forward|(?:e-?)?mail|paste|transmit)\b" + GAP +
        r"(?<!\w)(~?/?\.aws/credentials|id_rsa|~?/?\.ssh\b|/etc/(?:passwd|shadow)|\.netrc|private keys?|\.env\b|"
        r"(?:all |the |this |every )?(?:conversation|chat) (?:history|log)s?)" + GAP + r"\b(to|on|at|into|via)\b",
    ),
    Rule(
        "gives leave to act without being asked",
        ("without review", "without look", "without check", "without read", "unseen", "blindly"),
        r"\b(approve|merge|accept|sign off|confirm) (?:all |every |any |each )?(?:\w+ )?"
        r"(pull requests?|prs?|changes|commits|commands|requests|proposals|edits|diffs)\b" + GAP +
        r"\b(without (?:review(?:ing)?|looking|checking|reading|testing)|unseen|blindly)\b(?! (?:them )?(?:is|are))",
    ),
    Rule(
        "asks for what its reader was told",
        ("prompt", "instructions", "rules"),
        r"\b(disclose|reveal|expose|leak|repeat|recite|print out) (?:the |your |any |all ){0,2}"
        r"(hidden|system|secret|internal|initial|original) (prompts?|instructions?|rules)\b",
    ),
    Rule(
        "is to be kept from the user",
        ("hide ", "conceal", "circumstances", "mention"),
        r"\b(hide|conceal|keep) (this|these|it|the) (?:\w+ )?(?:from|out of) (code review|review|reviewers?|the user|"
        r"the human|"
        r"the owner|the diff|the logs?|git|everyone|anyone)\b|"
        r"\b(under no circumstances|never|do not|don't)(?: \w+)? (mention|reveal|disclose|quote|admit|discuss|repeat) "
        r"(this|these) (rule|note|memory|entry|instruction|message|prompt)s?\b",
        turned=False,
    ),
    Rule(
        "gives leave to act without being asked",
        ("bother", "disturb", "prompt", "interrupt", "consult", "notify", "warn", "alert"),
        r"\b(do not|don't|never|without) (bother|bothering|disturb|disturbing|prompt|prompting|interrupt|interrupting|"
        r"consult|consulting|notify|notifying|warn|warning|alert|alerting) (the user|the human|me|anyone|reviewers?)\b",
        turned=False,
        beside=r"\b(simply|just|proceed|go ahead|continue|directly|anyway|run|execute|delete|push|deploy|commit|"
        r"merge|act)\b",
    ),
    Rule(
        "would have things sent away",
        ("whoever", "anyone", "everyone", "who asks"),
        r"\b(hand|give|provide|reveal|tell|disclose|share|leak|show|mail)\b" + SHORT + _SECRETS + SHORT +
        r"\b(whoever|anyone (?:who|that)|everyone (?:who|that)|those who)\b",
    ),
    Rule(
        "is to be kept from the user",
        ("do not log", "don't log", "not report", "never log", "never report", "not record", "not mention", "not say",
         "never say", "never mention", "don't report", "don't mention"),
        r"\b(do not|don't|never) (log|report|record|mention|say|admit|disclose)(?: (?:or|and|nor) \w+)? that (you|we|"
        r"this|it|the "
        r"(?:memory|note|agent|assistant))\b",
        turned=False,
    ),
    Rule(
        "gives leave to act without being asked",
        ("approval", "confirmation", "permission", "reviews"),
        r"\b(approvals?|confirmations?|permission|reviews) (?:is|are) (not|no longer) (needed|required|necessary) ?"
        r"(?:any ?more|any longer|for you|from the user|from now on)(?=[.,;!]|$| )",
    ),
)  # fmt: skip

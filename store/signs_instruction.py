"""Text that gives its reader orders, in English: kinds of sentences that no memory needs. Pure; our own words."""

from __future__ import annotations

from typing import Final

from store.signs import Rule

GAP: Final = r"(?:[^.!?;。！？；]|\.(?=\w)){0,60}?"
SHORT: Final = r"[^.!?;。！？；]{0,24}?"
"""What may stand between two parts of one sentence: little, and never the end of it."""
_INSTRUCTIONS: Final = (
    r"(instructions?|prompts?|rules?|guidelines?|directions?|directives?|orders?|commands?|messages?|constraints?|"
    r"restrictions?|polic(?:y|ies)|guardrails?|context|conversation|training)"
)
_PEOPLE: Final = r"(the (?:user|human|developer|reviewer|owner|person)|users?|anyone|anybody|them|him|her)"
_TOLD: Final = r"(this|it|that|these|any of this|anything)(?: (?:note|memory|instruction|message|rule|text|change))?"
_SECRETS: Final = (
    r"(api[ -]?keys?|secrets?|(?:access |auth )?tokens?|credentials?|passwords?|environment variables|env vars|\.env|"
    r"ssh keys?|private keys?|cookies|conversations?|chat histor(?:y|ies)|transcripts?|system prompt|source code|"
    r"user data|memories)"
)

ENGLISH: Final = (
    Rule(
        "tells its reader to drop other instructions",
        ("ignore", "disregard", "forget", "discard", "neglect", "set aside", "pay no attention"),
        r"\b(ignore|disregard|forget|discard|neglect|set aside|pay no attention to)"
        r"(?: (?:all|any|of|the|these|those|your|my|every|each|other|and|or|about)){0,5}"
        r" (previous|previously|prior|preceding|earlier|above|foregoing|original|initial|existing|system|developer|"
        r"safety|security|hidden|other)"
        r"(?: (?:and|or|given|system|user|safety|set of|assistant)){0,2},? " + _INSTRUCTIONS + r"\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("your ", "system", "developer"),
        r"\b(ignore|disregard|forget|override|bypass|violate|break) (?:all |any |of |everything |about ){0,3}"
        r"(your|the system|the developer's) (?:\w+ )?"
        r"(instructions?|prompt|guidelines|programming|training|restrictions|safety \w+)\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("ignore", "disregard", "forget"),
        r"\b(ignore|disregard|forget) (everything|anything|all|whatever|what)\b(?: (?:that|of|has been|have been|was|"
        r"were|you|you've|you have|you were|been|the user|the developer|is)){0,4} "
        r"(said|told|above|before this|instructed|learned|read so far|says|asks|wants)\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        (".md", "rules", "instructions"),
        r"\b(ignore|disregard|override) (?:the |any |all )?(instructions|rules|guidance|everything|what is|what's) "
        r"(?:written )?(?:in|from|of) (?:the )?(claude\.md|agents\.md|gemini\.md|\.cursorrules|readme\.md|"
        r"copilot-instructions\.md|system prompt)",
    ),
    Rule(
        "tells its reader whom not to obey",
        ("obey", "follow", "listen to", "comply"),
        r"\b(do not|don't|never|stop) (follow|following|obey|obeying|listen to|listening to|comply with) "
        r"(?:any |the |what the )?(user(?:'s)?|human(?:'s)?|developer(?:'s)?|operator(?:'s)?|system|previous|earlier)"
        r"(?: \w+)? ?(instructions?|orders?|requests?|commands?|prompts?|says?|asks?)\b",
        turned=False,
    ),
    Rule(
        "gives its reader another identity",
        ("you are now", "you are no longer", "mode", "unrestricted", "without any", "no restrictions"),
        r"\b(you are (?:now|no longer)) (?:in )?(an?|the|dan|root|unrestricted|jailbroken|god mode|bound|restricted by|"
        r"developer mode)\b|"
        r"\b(enable|enter|activate|switch to|turn on) (?:\w+ )?(dan mode|god mode|jailbreak(?: mode)?|"
        r"unrestricted mode)|"
        r"\b(pretend|act|behave|respond|answer)\b" + GAP + r"\b(with no|without any|without|unrestricted by) "
        r"(restrictions?|limits|filters|guardrails|safety \w+)\b",
    ),
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
        "sets itself above other instructions",
        ("overrid", "supersede", "precedence", "outrank", "priority"),
        r"\b(this|these) (memory|memories|note|instructions?|rules?|entry|message)s? (?:always )?(overrides?|"
        r"supersedes?|"
        r"takes? (?:precedence|priority) over|outranks?) (?:all |any |every |everything )?"
        r"(?:in |the |other |previous |prior |existing |earlier ){0,2}(instructions?|rules|system|prompts?|user|"
        r"memories|"
        r"guidelines|claude\.md|agents\.md|else)\b",
        turned=False,
    ),
    Rule(
        "would decide on memories itself",
        ("approve", "accept", "mark ", "memory review", "review queue"),
        r"\b(approve|accept) (?:all|every|any|this|these|each|the following)(?: (?:new|pending|my|of|the)){0,2} "
        r"(memor(?:y|ies)|proposals?|notes?)\b|"
        r"\b(mark) (?:this|it|these)(?: \w+)? as (approved|trusted|verified|reviewed|safe)\b|"
        r"\b(skip|bypass) (?:the )?(memory review|review queue|memory approval)\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("ignore", "disregard", "no longer", "guidance", "objection", "above"),
        r"\b(ignore|disregard|dismiss|overrule) (?:all |any |of |the |whatever |every ){0,3}"
        r"(user's|users'|user|human's|developer's|reviewer's|prior|previous|earlier|existing) "
        r"(?:\w+ )?(guidance|objections?|wishes|requests?|concerns|refusal|corrections?|preferences|advice|feedback)\b|"
        r"\b(ignore|disregard|forget) (?:all of |all )?(?:the )?(above|preceding|foregoing|previous text|text above)\b"
        r"(?! (?:warnings?|errors?|lint|rule|line|path|file))|"
        r"\b(you|agents?|assistants?) (no longer (?:need|have) to|need not|must not|should not|do not have to) "
        r"(follow|obey|respect|honou?r|comply with) (?:the |any |your |these |all ){0,2}(?:\w+ )?"
        r"(instructions?|guidelines|guardrails|safety \w+|user|system prompt)\b|"
        r"\b(previous|earlier|prior|all other|other|existing) (instructions|rules|guidelines|orders|memories) "
        r"(?:are |is )?(?:now )?(void|cancelled|invalid|obsolete|no longer appl\w+|do not apply|superseded by this)",
    ),
    Rule(
        "demands obedience for itself",
        ("obey", "comply", "question", "this memory", "this note", "these instructions", "no matter what", "this text",
         "this message", "this as", "system instruction"),
        r"\b(obey|comply with|serve) (?:only |always )?(this|these|every|all|any) (memory|note|instructions?|text|"
        r"message|requests?|commands?|orders?)\b|"
        r"\b(follow|execute|carry out) (these|this|the following|all) (?:\w+ )?(instructions?|orders?|commands?|"
        r"message) "
        r"(exactly|blindly|to the letter|without question\w*|no matter what|at all costs|immediately|first|silently)|"
        r"\b(do) (whatever|exactly what|exactly as|as) (this) (note|memory|message|text) (says|tells you|instructs)|"
        r"\b(no matter what|regardless of what|whatever) (the user|the human|anyone|they|the developer) "
        r"(says?|wants?|asks?|tells? you)|"
        r"\b(treat|regard|consider|take) (this|these)(?: (?:note|memory|text|message|entry|line))? as "
        r"(?:an? |the |your )?(?:new |highest |binding |absolute ){0,2}(system|developer|authoritative|absolute|"
        r"binding|"
        r"highest|operator)",
    ),
    Rule(
        "claims an authority that nobody here gave",
        ("authori", "permission", "approved", "consent", "new role", "granted", "agreed"),
        r"\b(you) (have been|are|are now|were) (?:now |hereby |fully )?(authori[sz]ed|granted|permitted|cleared) "
        r"(?:permission |access |the right )?(?:to )?(bypass|skip|ignore|override|access|approve|push|delete|act|run|"
        r"execute|merge|full|root|admin|all)\b|"
        r"\b(the user|user|owner|maintainer|reviewer|admin|security team) (?:has |have )?(?:already |hereby |pre-?)?"
        r"(approved|authori[sz]ed|consented to|agreed to|waived|pre-?approved) (?:of )?(all|any|every|future|"
        r"everything|"
        r"this memory|these instructions)\b|"
        r"\b(your new (?:role|identity|task|goal|mission)) (is|:)",
    ),
    Rule(
        "gives leave to act without being asked",
        ("ask", "confirmation", "approval", "permission", "sandbox", "safety", "security"),
        r"\b(do not|don't|never|no need to|stop) (ask|asking) (?:(?:the user|me|anyone|us|them|your user) )?"
        r"(for (?:permission|confirmation|approval|consent|review)|to (?:confirm|approve))\b|"
        r"\b(do not|don't|never) (ask|wait for) (the user|me|anyone|first|again|approval|confirmation|permission)"
        r"(?=[.,;!]|$| (?:first|before|again|and|just|when|or|at)\b)|"
        r"\b(skip|bypass|suppress|auto-?confirm) (?:all |any |the |every ){0,2}(confirmation|permission|approval|"
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
        "tells its reader to drop other instructions",
        ("instructions", "prompt", "guidelines", "directives", "orders"),
        r"\b(your|previous|prior|earlier|preceding|original|initial|any|all)(?: \w+){0,2}? "
        r"(instructions?|system prompt|prompts?|guidelines|directives|orders)\b",
        beside=r"\b(cancell?ed|(?:are|is|as) (?:now )?(?:void|null|invalid)|disregarded|no longer (?:apply|applies|"
        r"valid|"
        r"binding|in force)|do not apply to you|superseded by this|overridden by this|to be (?:ignored|forgotten))\b",
    ),
    Rule(
        "tells its reader to drop other instructions",
        ("stop ", "cease", "apply to you", "bound by", "as if "),
        r"\b(stop|cease|quit) (following|obeying|honou?ring|respecting) (?:your|the|any|all) (?:\w+ )?"
        r"(prompt|instructions|guidelines|rules|policies|user|orders)\b|"
        r"\b(rules|instructions|guidelines|policies|restrictions|limits)(?: \w+)? (do not|don't|"
        r"no longer) (apply to you)|"
        r"\b(not bound by|free of|exempt from) (?:any |the |these |your ){0,2}(rules|instructions|guidelines|policies|"
        r"restrictions)\b|"
        r"\b(as if) (?:there were|there are|you had|you have) (no|none of the|no more) (?:\w+ )?"
        r"(policies|rules|restrictions|limits|guidelines|filters|guardrails|instructions)\b",
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
        "tells its reader to drop other instructions",
        ("your ", "operator"),
        r"\b(your) (?:\w+ )?(restrictions|instructions|guidelines|system prompt|programming|training|policies|"
        r"limitations|"
        r"safety rules|persona)\b",
        beside=r"\b(lifted|removed|changed|replaced|suspended|disabled|revoked|withdrawn|outdated|ignore|forget|"
        r"override|"
        r"overridden|print|reveal|output)\b",
    ),
    Rule(
        "demands obedience for itself",
        ("this "
        "note", "this memory", "this entry", "this instruction", "this message", "set aside", "assistant", "agent",
         " ai ", "model "),
        r"\b(act|rely|go|work) (?:only )?(on|by|from) (this|these) (note|memory|entry|instructions?|"
        r"message)s? (alone|only)\b|"
        r"\b(set|put|leave) (aside) (whatever|everything|anything|all|what)\b(?: \w+){0,3} (told|said|configured|"
        r"instructed|asked|operator|user|wrote|written)|"
        r"\b(the (?:assistant|agent|model|ai|llm)) (must|shall|has to|should|will) (?:always |blindly )?(comply|obey|"
        r"do (?:everything|whatever|anything))",
    ),
    Rule(
        "dictates what its reader answers",
        ("every "
        "question", "all questions", "any question", "each question", "every request", "all requests", "was asked",
         "is asked", "every message", "every prompt"),
        r"\b(answer|reply to|respond to) (every|all|any|each) (questions?|messages?|requests?|prompts?) (with|by)\b|"
        r"\b(regardless of|no matter) (what) (?:was|is|has been) (asked|requested|said)\b",
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
        "claims an authority that nobody here gave",
        ("yourself", "grant", "give the agent", "escalat"),
        r"\b(grant|give|assign|allow) (yourself|the (?:agent|assistant|model)|this agent) (?:\w+ ){0,3}?(access|"
        r"permissions?|"
        r"rights|admin|root|privileges|write)\b",
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
        "speaks to its reader as an order, not as a memory",
        ("obey", "comply", "unrestricted", "jailbreak", "deceive", "impersonate", "no matter what", "no circumstances",
         "at all costs", "unconditionally", "blindly", "bypass", "override", "reveal", "secretly", "pretend"),
        r"\b(obey|comply|unrestricted|jailbreak|deceive|impersonate|no matter what|under no circumstances|at all costs|"
        r"unconditionally|blindly|bypass|override|reveal|secretly|pretend)\b",
        beside=r"\b(this (?:note|memory|entry|instruction|message)|your (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|"
        r"instructions|restrictions|guidelines|prompt|operator)|the (?:assistant|ai|model|agent|llm) (?:must|should|"
        r"shall|"
        r"has to)|yourself)\b",
    ),
)  # fmt: skip

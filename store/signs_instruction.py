"""Text that would take its reader over, in English: other orders dropped, a new role, obedience, authority. Pure."""

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

TAKES_OVER: Final = (
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
        r"\b(?<!can )(?<!may )(?<!could )(?<!who )(approve|accept) "
        r"(?:all|every|any|this|these|each|the following)(?: (?:new|pending|my|of|the)){0,2} "
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
        "tells its reader to drop other instructions",
        ("instructions", "prompt", "guidelines", "directives", "orders"),
        r"\b(your|previous|prior|earlier|preceding|original|initial|any|all)"
        r"(?: (?!deploy|build|install|setup|release|migration|docker|test|upgrade|printer|assembly)\w+){0,2}? "
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
        "claims an authority that nobody here gave",
        ("yourself", "grant", "give the agent", "escalat"),
        r"\b(grant|give|assign|allow) (yourself|the (?:agent|assistant|model)|this agent) (?:\w+ ){0,3}?(access|"
        r"permissions?|"
        r"rights|admin|root|privileges|write)\b",
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
    Rule(
        "tells its reader to drop other instructions",
        ("ignore", "disregard", "forget", "discard", "override", "bypass", "abandon", "violate", "circumvent",
         "irrelevant", "obsolete", "superseded", "not binding"),
        r"\b(ignore|disregard|forget|discard|override|bypass|abandon|violate|circumvent)\b(?! (?:the )?(?:warnings?|"
        r"errors?|"
        r"lint|eslint|ruff|whitespace|files?|paths?))[^.!?;:]{0,30}?"
        r"\b(instructions(?! (?:in|for|under) (?!your|this|the system))|"
        r"guidelines|safeguards?|guardrails?|directives|your policies|you were (?:told|given|"
        r"configured)|"
        r"the (?:user|operator|reviewer|human)(?!'s?\b)(?= (?:when|if|even|and|who|whenever)\b|[.,;!]|$))|"
        r"\b(prior|previous|earlier|all other) (context|instructions|conversation|messages|guidance) (?:is|"
        r"are) (?:now )?"
        r"(irrelevant|obsolete|superseded|not binding|wrong|void)\b",
    ),
    Rule(
        "demands obedience for itself",
        ("obey", "comply with", "listen to", "answer to", "follow"),
        r"\b(obey|comply with|listen to|answer to|follow) (only )?(me|us)(?: (only|alone|instead))?(?=[.,;!]|$)",
    ),
    Rule(
        "speaks in the place of somebody else",
        ("administrator", "from the system", "from the developer", "the operator", "from the owner", "security team"),
        r"\b(treat|consider|regard|assume|accept|take) [^.!?;]{0,40}?\b(as (?:if )?(?:it |they )?(?:come|comes|"
        r"coming|came|sent|"
        r"issued|written|being)?(?: from| by)?) (the (?:administrator|system|developers?|operator|owner|"
        r"security team)|an? "
        r"administrator)\b",
    ),
)  # fmt: skip

"""The rules of redaction, one module a kind. Each finds spans in a folded text; ``store.redact`` decides on them. Pure.

``folding`` (what a reader would read), ``vendors`` (published key formats), ``shapes`` (PEM, JWT, URLs, headers),
``prose`` (a keyword and its value), ``personal`` (people and places, by policy), ``doubt`` (what only may be a secret).
"""

"""What stands in a text as base64 or hexadecimal, where it is plain text again. Pure."""

from __future__ import annotations

import base64
import binascii


def decoded(said: str) -> str | None:
    """What base64 (either alphabet) or hex stands for, where that is plain ASCII."""
    plain = said.rstrip("=").replace("-", "+").replace("_", "/")
    for decode in (_hex, _base64):
        try:
            inner = decode(plain).decode("ascii")
        except (binascii.Error, ValueError):
            continue
        if len(inner) >= 8 and inner.replace("\n", "").replace("\t", "").replace("\r", "").isprintable():
            return inner
    return None


def _hex(said: str) -> bytes:
    return bytes.fromhex(said)


def _base64(said: str) -> bytes:
    return base64.b64decode(said + "=" * (-len(said) % 4), validate=True)

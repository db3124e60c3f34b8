"""Which look a console gets, and that everything in each of them can be read: measured from the themes themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.color import Color as TermColor
from rich.color import ColorSystem
from textual.color import Color
from textual.theme import Theme

from console import looks, theme

TRUE = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
WORDS = ("foreground", "accent", "key", "quiet", "added", "removed", "updated", "alarm", "warn", "token")
GROUNDS = ("ground", "chosen", "panel")
NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
PALETTES = {
    "xterm": "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 "
    "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    "VGA": "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa "
    "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    "Campbell": "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc "
    "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
    "Tango": "000000 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf "
    "555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec",
}
"""What common terminals paint for the sixteen names."""
EYES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""How eyes without one kind of cones see linear light (Machado, Oliveira and Fernandes 2009, severity 1)."""

Light = tuple[float, float, float]


def colour(known: Theme, name: str) -> str:
    """The value of a variable, or of one of the theme's own colours."""
    value = known.variables.get(name) or getattr(known, name)
    assert isinstance(value, str)
    return value


def light(hexed: str) -> Light:
    """A colour as linear light."""
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in Color.parse(hexed).normalized
    ]
    return parts[0], parts[1], parts[2]


def luminance(seen: Light) -> float:
    return 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""
    dark, bright = sorted((luminance(light(one)), luminance(light(other))))
    return (bright + 0.05) / (dark + 0.05)


def of_256(hexed: str) -> str:
    """What a terminal of 256 colours is sent for it."""
    return TermColor.parse(hexed).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex


def of_16(name: str, palette: str) -> str:
    """What a terminal of 16 paints for one of the names."""
    plain = name.removeprefix("ansi_")
    place = NAMES.index(plain.removeprefix("bright_")) + (8 if plain.startswith("bright_") else 0)
    return "#" + PALETTES[palette].split()[place]


def lab(seen: Light) -> Light:
    """CIE L*a*b* of linear light."""
    x = (0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505
    z = (0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, luminance(seen), z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(one: str, other: str, eye: str) -> float:
    """How far two colours are apart for an eye, in CIE L*a*b*."""

    def seen(hexed: str) -> Light:
        first, second, third = (
            min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, light(hexed), strict=True))))
            for row in EYES[eye]
        )
        return first, second, third

    return math.dist(lab(seen(one)), lab(seen(other)))


def pairs(known: Theme) -> Iterator[tuple[str, str, str]]:
    """Everything that is read, on everything it is read on; and the ground's colour on filled badges."""
    for ground in GROUNDS:
        for word in WORDS:
            yield f"{word} on {ground}", colour(known, word), colour(known, ground)
    for badge in ("accent", "alarm", "warn", "key"):
        yield f"ground on {badge}", colour(known, "ground"), colour(known, badge)


FULL = [one for one in theme.ALL if not one.ansi]
SIXTEEN = [one for one in theme.ALL if one.ansi and one is not theme.PLAIN]


def test_every_theme_knows_every_variable() -> None:
    names = set(theme.DESK.variables)
    assert all(set(known.variables) >= names for known in theme.ALL)
    assert len(FULL) == len(SIXTEEN) == 4


@pytest.mark.parametrize("known", FULL, ids=lambda known: known.name)
def test_D126_everything_reads_well_in_24_bits_and_in_256_colours(known: Theme) -> None:
    for what, word, ground in pairs(known):
        assert contrast(word, ground) >= 4.5, what
        assert contrast(of_256(word), of_256(ground)) >= 4.49, f"{what} in 256 colours"


@pytest.mark.parametrize("known", SIXTEEN, ids=lambda known: known.name)
@pytest.mark.parametrize("palette", PALETTES)
def test_D126_everything_reads_well_in_16_colours(known: Theme, palette: str) -> None:
    for what, word, ground in pairs(known):
        assert contrast(of_16(word, palette), of_16(ground, palette)) >= 4.5, what


@pytest.mark.parametrize("known", FULL, ids=lambda known: known.name)
def test_added_and_removed_are_two_colours(known: Theme) -> None:
    added, removed = colour(known, "added"), colour(known, "removed")
    assert of_256(added) != of_256(removed)
    if known.name.endswith(theme.BLUE_ORANGE):
        for eye in EYES:
            assert apart(added, removed, eye) >= 40, eye


@pytest.mark.parametrize(
    ("environ", "section", "name"),
    [
        (TRUE, None, "desk"),
        ({"TERM": "xterm-kitty"}, None, "desk"),
        ({"TERM": "xterm"}, None, "desk-16"),
        ({"TERM": "linux"}, {"theme": "light"}, "desk-light-16"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, None, "desk"),
        (TRUE | {"COLORFGBG": "0;15"}, None, "desk-light"),
        (TRUE | {"COLORFGBG": "0;default;15"}, {"theme": "auto"}, "desk-light"),
        (TRUE | {"COLORFGBG": "15;0"}, None, "desk"),
        (TRUE | {"COLORFGBG": "0;15"}, {"theme": "dark"}, "desk"),
        (TRUE, {"theme": "light", "changes": "blue-orange"}, "desk-light-blue-orange"),
        (TRUE | {"MEMINBOX_THEME": "dark"}, {"theme": "light"}, "desk"),
        (TRUE, {"theme": "none"}, "plain"),
        (TRUE | {"NO_COLOR": "1", "MEMINBOX_THEME": "light"}, {"theme": "light"}, "plain"),
        (TRUE | {"NO_COLOR": ""}, None, "desk"),
    ],
)
def test_the_look_follows_environment_and_config(environ: dict[str, str], section: object, name: str) -> None:
    look = looks.read(section, environ)
    assert look == looks.Look(name, look.ascii)
    assert look.theme in {known.name for known in theme.ALL}


def test_every_theme_can_be_had() -> None:
    had = {
        looks.read({"theme": which, "changes": changes}, environ).theme
        for which in looks.THEMES
        for changes in looks.CHANGES
        for environ in (TRUE, {"TERM": "xterm"})
    }
    assert had == {known.name for known in theme.ALL}


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("light", "not a table"),
        ({"theme": "solarized"}, "console.theme: 'solarized' is not known; there is auto, dark, light, none."),
        ({"theme": ["light"]}, "console.theme"),
        ({"changes": 3}, "console.changes"),
        ({"ascii": "yes"}, "console.ascii: say true or false."),
        ({"colour": "red"}, "console: colour is not known."),
    ],
)
def test_what_is_not_understood_changes_nothing_and_is_told(section: object, told: str) -> None:
    look = looks.read(section, TRUE)
    assert (look.theme, look.ascii) == ("desk", False)
    assert told in look.messages[0] and len(look.messages) == 1


def test_ascii_is_had_from_the_config_the_environment_and_the_bare_console() -> None:
    assert looks.read({"ascii": True}, TRUE).ascii
    assert looks.read(None, TRUE | {"MEMINBOX_ASCII": "1"}).ascii
    assert looks.read(None, {"TERM": "linux"}).ascii
    assert not looks.read(None, TRUE).ascii


def test_the_config_is_read_from_its_place(tmp_path: Path) -> None:
    (tmp_path / "meminbox").mkdir()
    (tmp_path / "meminbox" / "config.toml").write_text('[console]\ntheme = "light"\nchanges = "pink"\n')
    look = looks.load(TRUE | {"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)})
    assert look.theme == "desk-light"
    assert look.messages[0].startswith(str(tmp_path / "meminbox" / "config.toml"))
    assert looks.load(TRUE | {"XDG_CONFIG_HOME": str(tmp_path / "none"), "HOME": str(tmp_path)}) == looks.Look()


@pytest.mark.parametrize(
    ("said", "number", "told"), [(0, 0, 0), (50, 50, 0), (-1, 30, 1), (True, 30, 1), ("30", 30, 1)]
)
def test_from_how_many_on_the_queue_is_summed_up(said: object, number: int, told: int) -> None:
    look = looks.read({"summary": said}, {})
    assert (look.summary, len(look.messages)) == (number, told)

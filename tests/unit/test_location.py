"""Where a store stands: the option, the environment, the default; always a real, absolute place (D053)."""

from __future__ import annotations

from pathlib import Path

import pytest

import store
from store.errors import UsageError
from store.location import config_file, home, locate


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home and a present folder of the test's own."""
    monkeypatch.setenv("HOME", str(tmp_path / "ada"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "ada"


def test_D053_unset_is_under_the_users_home_and_never_in_the_package(own_home: Path) -> None:
    place = locate(None, {})
    assert place.path == own_home / ".local/share/meminbox/meminbox.db"
    package = Path(store.__file__).resolve().parent.parent
    assert not place.path.is_relative_to(package)


def test_D053_reinstalling_finds_the_same_place(own_home: Path) -> None:
    assert locate(None, {}) == locate(None, {})
    assert locate(None, {}).folder == own_home / ".local/share/meminbox"


@pytest.mark.parametrize("said", ["notes.db", "./notes.db", "deep/er/notes.db"])
def test_D053_a_relative_path_is_taken_from_the_present_folder(said: str, tmp_path: Path) -> None:
    assert locate(said, {}).path == tmp_path / said
    assert locate(None, {"MEMINBOX_DB": said}).path == tmp_path / said


def test_D053_tilde_is_the_users_home(own_home: Path) -> None:
    assert locate("~/m.db", {}).path == own_home / "m.db"
    assert home({"MEMINBOX_HOME": "~/x"}) == own_home / "x"


def test_D053_a_missing_folder_is_no_error_and_nothing_is_made(tmp_path: Path) -> None:
    assert locate("not/there/m.db", {}).folder == tmp_path / "not/there"
    assert list(tmp_path.iterdir()) == []


def test_the_option_wins_over_the_environment_over_the_home(tmp_path: Path) -> None:
    environ = {"MEMINBOX_DB": "b.db", "MEMINBOX_HOME": "c"}
    assert locate("a.db", environ).path == tmp_path / "a.db"
    assert locate(None, environ).path == tmp_path / "b.db"
    assert locate(None, {"MEMINBOX_HOME": "c"}).path == tmp_path / "c/meminbox.db"
    assert locate(None, {"MEMINBOX_DB": "", "XDG_DATA_HOME": "d"}).path == tmp_path / "d/meminbox/meminbox.db"


def test_config_file(own_home: Path, tmp_path: Path) -> None:
    assert config_file({}) == own_home / ".config/meminbox/config.toml"
    assert config_file({"XDG_CONFIG_HOME": "/etc/xdg"}) == Path("/etc/xdg/meminbox/config.toml")
    assert config_file({"MEMINBOX_HOME": "c"}) == tmp_path / "c/config.toml"


@pytest.mark.parametrize("said", ["", "  ", "mysql://here/db", "a\x00b", "~nobody-of-this-name/m.db"])
def test_what_cannot_be_a_place_is_refused(said: str) -> None:
    with pytest.raises(UsageError):
        locate(said, {})


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
@pytest.mark.parametrize(
    "rest",
    [
        "ada:s3cret@db.example:5432/notes",
        "ada:s3cret@/notes?host=/tmp/x&port=5433",
        "db.example/notes?user=ada&password=s3cret&sslkey=/home/ada/s3cret.key",
        "ada:s3cr?et@s3cret@db.example/notes",
        "ada:x?s3cret@db.example/notes",
    ],
)
def test_a_password_is_never_described(scheme: str, rest: str) -> None:
    place = locate(f"{scheme}://{rest}", {})
    said = place.described()
    assert "s3cr" not in said
    assert "ada" not in said
    assert "notes" in said
    assert place.path is None


def test_what_stands_beside_outlives_a_changed_password() -> None:
    before = locate("postgresql://ada:old@db.example/notes", {"MEMINBOX_HOME": "/h"})
    after = locate("postgres://ada:new@db.example/notes", {"MEMINBOX_HOME": "/h"})
    other = locate("postgresql://ada:old@db.example/others", {"MEMINBOX_HOME": "/h"})
    assert before.spool == after.spool
    assert before.head == after.head
    assert before.spool != other.spool


def test_all_that_stands_beside_a_file_starts_with_its_name(tmp_path: Path) -> None:
    place = locate("a b.db", {})
    beside = (place.spool, place.head, place.lock, place.backups)
    assert {one.parent for one in beside} == {tmp_path}
    assert all(one.name.startswith("a b.db.") for one in beside)
    assert len(set(beside)) == 4

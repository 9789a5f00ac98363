"""Archives: the identity of a contest, and ``games.jsonl`` in step with the database."""

import sqlite3
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.commands._options import logs
from c4_referee.records.rounds import Progress, Roster
from c4_referee.records.storage.archive import Archive
from c4_referee.records.storage.folder_archive import FolderArchive, identity_of_variant
from kept import KEYS, SPECS, archive, keep, line, match, numbers


@pytest.mark.parametrize("kind", [Archive, archive])
def test_new_archive_has_its_bots_and_no_results(tmp_path, kind):
    """A new archive, in memory or in a folder, has its bots and no results, and takes games."""
    with kind(SPECS if kind is Archive else tmp_path) as new:
        assert new.roster == Roster.of(2)
        assert [*new.names.items()] == [(0, "a"), (1, "b")]
        assert new.results() == {}
        new.issue(KEYS[0])
        new.roll_back(KEYS[0])
        new.issue(KEYS[0])
        new.commit(KEYS[0], line())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("c", "a (withdrawn)"),
        ("a", "a (withdrawn)"),
        ("a (withdrawn)", "a (withdrawn 2)"),
        ("a (withdrawn 2)", "a (withdrawn)"),
    ],
)
def test_removed_entrant_has_a_name_that_no_other_has(tmp_path, name, shown):
    """A removed entrant is shown with a name that is different from all others.

    Its own name, which is in the records of its games, stays the same.
    """
    first, second = SPECS
    new = replace(first, name=name, command=("true", "new"))
    with FolderArchive(tmp_path, {}, [first, second]) as kept:
        kept.record(Progress(0, is_complete=False))
    with FolderArchive(tmp_path, {}, [new, second]) as kept:
        kept.record(Progress(0, is_complete=False))
        assert dict(kept.names) == {0: shown, 1: "b", 2: name}
        assert dict(kept.own_names) == {0: "a", 1: "b", 2: name}
    with FolderArchive(tmp_path, {}, [replace(new, name="d"), second]) as kept:
        assert len(set(kept.names.values())) == 4


def test_longer_match_is_the_same_contest(tmp_path):
    """The games of a match are found again by a match of any length."""
    for pairing in match(3):
        keep(tmp_path, pairing)
    assert numbers(tmp_path, 100) == [1, 2, 3]
    assert numbers(tmp_path, 2) == [1, 2]


@pytest.mark.parametrize(
    "settings",
    [
        {"variant": Variant.parse("8x7")},
        {"variant": Variant.parse("7x6+steal")},
        {"controls": (TimeControl(5), TimeControl())},
        {"specs": SPECS[::-1]},
        {"specs": (replace(SPECS[0], name="c"), SPECS[1])},
        {"specs": (replace(SPECS[0], command=("true", "x")), SPECS[1])},
        {"specs": (replace(SPECS[0], env={"LEVEL": "2"}), SPECS[1])},
    ],
)
def test_other_settings_are_another_contest(tmp_path, settings):
    """Another variant, time control, order or bot is another contest in the same folder."""
    keep(tmp_path, next(match(1)))
    assert numbers(tmp_path, **settings) == []
    keep(tmp_path, next(match(1)), **settings)
    assert numbers(tmp_path) == numbers(tmp_path, **settings) == [1]
    lines = line(), line(1, settings.get("specs", SPECS))
    assert (tmp_path / "games.jsonl").read_bytes() == b"\n".join([*lines, b""])


def test_game_of_a_dead_referee_is_issued_again(tmp_path):
    """A game that was issued without a result is forgotten when the folder is opened."""
    for _ in range(2):
        with archive(tmp_path) as kept:
            kept.issue(KEYS[0])
    assert numbers(tmp_path) == []


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(
    "name", ["out/games.jsonl", "out/arena.sqlite", "out/../out/games.jsonl", "link/games.jsonl"]
)
def test_events_do_not_ruin_the_folder(tmp_path, name, there):
    """Events cannot be written to the files of the archive, by any path to them."""
    out = tmp_path / "out"
    (tmp_path / "link").symlink_to(out)
    if there:
        keep(out, next(match(1)))
    with ExitStack() as stack:
        with pytest.raises(UsageError, match="stores the games in this file"):
            logs(str(tmp_path / name), out, stack)
        assert logs(str(out / "events.jsonl"), out, stack)
    assert numbers(out) == [1] * there


def test_database_can_be_read_meanwhile(tmp_path):
    """A reader of the database does not block the referee, and sees each game after its commit."""
    with archive(tmp_path) as kept:
        kept.issue(KEYS[0])
        with closing(sqlite3.connect(tmp_path / "arena.sqlite", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM results").fetchone() == (0,)
            kept.commit(KEYS[0], line())
            reader.execute("COMMIT")
            assert reader.execute("SELECT count(*) FROM results").fetchone() == (1,)


def test_identity_of_older_variants_is_that_of_older_versions():
    """Only a variant with the steal names it, so contests of older versions can be continued."""
    assert [*identity_of_variant(STANDARD)] == [
        "width", "height", "connect", "gravity", "directions",
    ]  # fmt: skip
    assert identity_of_variant(Variant(9, 7, steal=True))["steal"] is True

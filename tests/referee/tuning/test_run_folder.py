"""Stored runs: games are not played twice, and folders of other runs are refused."""

import json
from dataclasses import asdict, replace

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunSettings, StoppingRule
from c4_referee.tuning.run_folder import ROUNDS_FILE, SETTINGS_FILE, open_run_folder, play_run

SMALL = RunSettings(depth=1, population=6, elite=2)
TEN = StoppingRule(10)


class Killed(BaseException):
    """An exception in place of the end of the process."""


class CountingArena(Arena):
    """An arena that counts the games that it plays."""

    played = 0

    def _play_batch(self, games):
        self.played += len(games)
        return super()._play_batch(games)


def play(path, ending=TEN, settings=SMALL, stop_after=None):
    """Play a stored run to its end, or until a kill after a round. Return the run and its arena."""

    def watch(one):
        if one.round == stop_after:
            raise Killed

    arena = CountingArena(settings.depth)
    with open_run_folder(path, settings) as folder:
        return play_run(settings, ending, arena, folder, watch), arena


def lines(path):
    """Return the stored rounds without their times."""
    kept = [json.loads(line) for line in (path / ROUNDS_FILE).read_text().splitlines()]
    return [{name: line[name] for name in line if name != "seconds"} for line in kept]


def contents(path):
    """Return the contents of all files of a folder by name."""
    return {file.name: file.read_bytes() for file in path.iterdir()}


def without_settings(path, torn=""):
    """Remove the settings of a folder, and append an incomplete line to its rounds."""
    (path / SETTINGS_FILE).unlink()
    with (path / ROUNDS_FILE).open("a") as file:
        file.write(torn)
    return path


def results(history):
    """Return an outcome without its time."""
    return asdict(history.outcome) | {"seconds": None}


@pytest.fixture
def whole(tmp_path):
    """Return an uninterrupted run and its folder."""
    path = tmp_path / "whole"
    return play(path)[0], path


@pytest.mark.parametrize("stop_after", range(1, 10))
def test_resumed_run_is_the_uninterrupted_one(tmp_path, whole, stop_after) -> None:
    """A run that is killed in any round and resumed equals the uninterrupted run.

    The file is the same, and no game is played twice.
    """
    with pytest.raises(Killed):
        play(tmp_path / "cut", stop_after=stop_after)
    history, arena = play(tmp_path / "cut")
    assert results(history) == results(whole[0])
    assert lines(tmp_path / "cut") == lines(whole[1])
    assert arena.played == sum(len(line["played"]) for line in lines(whole[1])[stop_after:])


def test_line_without_an_end_is_played_again(tmp_path, whole) -> None:
    """A round whose line was cut by a kill is played again."""
    path = whole[1]
    data, before = (path / ROUNDS_FILE).read_bytes(), lines(path)
    start = data[:-1].rfind(b"\n") + 1
    for end in (start + 1, start + 30, len(data) - 1):
        (path / ROUNDS_FILE).write_bytes(data[:end])
        history, _ = play(path)
        assert results(history) == results(whole[0])
        assert lines(path) == before


@pytest.mark.parametrize("text", [b"my notes", b'{"round":2,', b'{"round":12', b"{}", b" "])
def test_last_line_of_something_else_is_not_removed(tmp_path, whole, text) -> None:
    """An incomplete line that does not begin like the next round is refused and stays."""
    path = whole[1] / ROUNDS_FILE
    path.write_bytes(path.read_bytes() + text)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="line 11: not a round of a run"):
        play(whole[1])
    assert path.read_bytes() == before


def test_finished_run_can_be_made_longer(tmp_path, whole) -> None:
    """A finished run is continued for more rounds, and only read for fewer."""
    assert play(whole[1], StoppingRule(12))[0].outcome.rounds == 12
    assert len(lines(whole[1])) == 12
    history, arena = play(whole[1])
    assert results(history) == results(whole[0])
    assert arena.played == 0


@pytest.mark.parametrize("has_rounds", [True, False])
def test_refused_folder_is_unchanged(whole, has_rounds) -> None:
    """Nothing is written into a folder with other settings, or with rounds of something else."""
    path = whole[1]
    if not has_rounds:
        (path / ROUNDS_FILE).unlink()
    before = contents(path)
    with pytest.raises(UsageError, match="other settings"):
        play(path, settings=replace(SMALL, seed=5))
    assert contents(path) == before
    (path / SETTINGS_FILE).unlink()
    (path / ROUNDS_FILE).write_text("my notes")
    with pytest.raises(UsageError, match="line 1: not a round of a run"):
        play(path)
    assert contents(path) == {ROUNDS_FILE: b"my notes"}


@pytest.mark.parametrize("other", [{"seed": 5}, {"depth": 2}])
def test_rounds_of_other_settings_are_refused(whole, other) -> None:
    """Without stored settings, only the settings that lead to the rounds are taken."""
    path = without_settings(whole[1], '{"round":11,"po')
    before = contents(path)
    with pytest.raises(UsageError, match=r"line \d+: these settings lead to a different round"):
        play(path, StoppingRule(12), settings=replace(SMALL, **other))
    assert contents(path) == before
    assert play(path, StoppingRule(12))[0].outcome.rounds == 12
    assert play(path, StoppingRule(12))[1].played == 0


def test_rounds_get_their_settings(whole) -> None:
    """Rounds without settings are played again, and then have settings."""
    history, path = whole
    kept = contents(path)
    resumed, arena = play(without_settings(path))
    assert results(resumed) == results(history)
    assert contents(path) == kept
    assert arena.played > 0
    assert play(path)[1].played == 0


def test_settings_are_stored_with_the_first_round(tmp_path) -> None:
    """A folder of a run that played no round has no settings, so any other run can use it."""
    with open_run_folder(tmp_path, SMALL):
        pass
    assert contents(tmp_path) == {ROUNDS_FILE: b""}
    assert play(tmp_path, settings=replace(SMALL, seed=5))[0].outcome.rounds == 10


def test_two_programs_do_not_share_a_folder(tmp_path) -> None:
    """A second program is refused for the same folder, and the first is not disturbed."""
    with open_run_folder(tmp_path, SMALL), pytest.raises(UsageError, match="another program"):
        play(tmp_path)
    assert play(tmp_path)[1].played > 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "\x00",
        '{"round":1}',
        '{"round":2,"played":[]}',
        '{"round":1,"seconds":1,"played":[[1,2,3,4,5,6]]}',
        '{"round":1,"seconds":1,"played":[["needed","windows","",4,1,100]]}',
    ],
)
def test_damaged_rounds_are_refused(tmp_path, whole, text) -> None:
    """A damaged round is refused with its line number."""
    (whole[1] / ROUNDS_FILE).write_text(text + "\n")
    with pytest.raises(UsageError, match="line 1"):
        play(whole[1])


def test_changed_round_is_refused(whole) -> None:
    """A round that the settings do not lead to is refused."""
    path = whole[1] / ROUNDS_FILE
    rounds = path.read_text().splitlines()
    third = json.loads(rounds[2])
    third["scores"][0] += 1
    path.write_text("\n".join([*rounds[:2], json.dumps(third), *rounds[3:]]) + "\n")
    with pytest.raises(UsageError, match="line 3"):
        play(whole[1])


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00"])
def test_damaged_settings_are_refused(whole, text) -> None:
    """Damaged settings are refused with the name of the file."""
    (whole[1] / SETTINGS_FILE).write_text(text)
    with pytest.raises(UsageError, match=SETTINGS_FILE):
        play(whole[1])


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_place_that_is_no_folder_is_refused(tmp_path, place) -> None:
    """A file is refused as a folder, and also as a parent folder."""
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="--out"):
        play(tmp_path / place)

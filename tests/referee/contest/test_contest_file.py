"""Files of tournaments: their settings, and errors of one line."""

from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee import schedule
from c4_referee.bots.clock import TimeControl
from c4_referee.contest.contest_file import read_tournament

BOTS = """
[bots.a]
command = "a"
[bots.b]
command = "b --fast"
time_ms = 20
"""
WRONG = {
    "[bots": "cannot read the tournament of",
    "name = 3": "name: input should be a valid string",
    "name = ''": "name: string should have at least 1 character",
    "system = 'swis'": "system: no system 'swis': there are ",
    "rounds = 0": "rounds: input should be greater than or equal to 1",
    "rounds = 1.5": "rounds: input should be a valid integer",
    "pairs = -1": "pairs: input should be greater than or equal to 1",
    "variant = '7'": "variant: ",
    "time_ms = nan": "time_ms: input should be a finite number",
    "time_ms = true": "time_ms: input should be a valid number",
    "tc = '60'\ntime_ms = 3": "tc is a clock for the whole game: leave out time_ms",
    "tc = 'soon'": "tc: no time control 'soon': say seconds+increment",
    "concurrency = 0": "concurrency: input should be greater than or equal to 1",
    "concurrency = 10001": "concurrency: input should be less than or equal to 10000",
    "enter = ['a', 'c']": "enter names 'c', which is no [bots.NAME]: there are a, b",
    "enter = ['a', 'a']": "enter names a bot twice",
    "seed = 99999999999999999999": "seed: input should be less than",
    "seed = -99999999999999999999": "seed: input should be greater than",
    "time_ms = 1e20": "time_ms: input should be less than 1000000000",
    "first_ms = 1e20": "first_ms: input should be less than 1000000000",
    "startup_ms = 1e20": "startup_ms: input should be less than 1000000000",
    'openings = "a\\u0000b"': "openings: there is a NUL character in it",
    'out = "a\\u0000b"': "out: there is a NUL character in it",
    'judge = "a\\u0000b"': "judge: there is a NUL character in it",
    "sytem = 'swiss'": "sytem: no such key: did you mean system?",
    "colour = 'red'": "colour: no such key: the keys are name, system, ",
    "games = 4": "games: no such key: say pairs = N: two bots that meet play N pairs of games",
    "pair = 4": "pair: no such key: did you mean pairs?",
    "time-ms = 50": "time-ms: no such key: did you mean time_ms?",
    "Rounds = 3": "Rounds: no such key: did you mean rounds?",
    "time = 50": "time: no such key: say time_ms = N, milliseconds for a move, or tc",
    "players = 50": "players: no such key: each bot has a table [bots.NAME]",
    "bots = 3": "'bots' is not a table",
}


def tournament(folder: Path, text: str, bots: str = BOTS) -> Path:
    """Write a file with settings and bots, and return its path."""
    path = folder / "autumn.toml"
    path.write_text(text + bots, encoding="utf-8")
    return path


def test_little_needs_to_be_said(tmp_path):
    """A file with only bots is a round robin whose name and folder are those of the file."""
    found = read_tournament(tournament(tmp_path, ""))
    assert (found.name, found.system, found.out) == (
        "autumn",
        "round-robin",
        str(tmp_path / "autumn"),
    )
    assert found.entrants == ["a", "b"]
    assert found.bots["b"].command == ("b", "--fast")
    assert found.control == TimeControl()


def test_judge_does_not_play(tmp_path):
    """A judge does not play, unless ``enter`` names it."""
    three = BOTS + "[bots.c]\ncommand = 'c'"
    assert read_tournament(tournament(tmp_path, 'judge = "a"', three)).entrants == ["b", "c"]
    both = 'judge = "a"\nenter = ["a", "b"]'
    assert read_tournament(tournament(tmp_path, both)).entrants == ["a", "b"]


ONE = "\n[bots.a]\ncommand = 'a'\n"


@pytest.mark.parametrize(
    ("text", "bots", "told"),
    [
        ("", "", "no bot takes part, and a tournament needs two bots or more: add a table [bots."),
        ("", "[bots]\n", "no bot takes part, and a tournament needs two bots or more: add a table"),
        ("", ONE, "only 'a' takes part, and a tournament needs two bots or more: add a table"),
        (
            "judge = 'a'",
            ONE,
            "no bot takes part, because 'a' is the judge, and a tournament needs two",
        ),
        (
            "judge = 'a'",
            BOTS,
            "only 'b' takes part, because 'a' is the judge, and a tournament needs",
        ),
        ("enter = ['b']", BOTS, "only 'b' takes part, and a tournament needs two bots or more: "),
        ("enter = []", BOTS, "name more bots in enter, or leave it out"),
    ],
)
def test_tournament_needs_two_bots(tmp_path, text, bots, told):
    """A tournament of fewer than two bots is refused with who takes part and what to add."""
    with pytest.raises(UsageError) as refused:
        read_tournament(tournament(tmp_path, text, bots))
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_all_can_be_said(tmp_path):
    """All settings of a file are used, and the command line overrides them."""
    text = """
        name = "Autumn, second try"
        system = "swiss"
        rounds = 3
        tc = "60+0.5"
        startup_ms = 500
        enter = ["b", "a"]
        concurrency = 3
    """
    found = read_tournament(tournament(tmp_path, text), concurrency=7, out="there")
    assert (found.system, found.rounds, found.entrants) == ("swiss", 3, ["b", "a"])
    assert found.control == TimeControl(0, 60_000, 500, None, 500)
    assert (found.concurrency, found.out) == (7, "there")


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_with_its_key(tmp_path, text):
    """A wrong setting causes one line with the file, the key and the reason."""
    path = tournament(tmp_path, text, "" if text.startswith("bots") else BOTS)
    with pytest.raises(UsageError) as refused:
        read_tournament(path)
    told = str(refused.value)
    assert WRONG[text] in told
    assert str(path) in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        ("[bots.a]\n", "bots.a.command: field required"),
        ("[bots.a]\ncommand = 'a'\ntime = 3", "bots.a.time: no such key: did you mean time_ms?"),
        ("[bots.a]\ncommand = 'a'\nmemory_mb = 'x'", "bots.a.memory_mb: input should be a valid"),
        ("[bots.a]\ncommand = 'a'\nmemory_mb = true", "bots.a.memory_mb: input should be a valid"),
        ("[bots.a]\ncommand = 'a'\nthreads = 1.0", "bots.a.threads: input should be a valid"),
        ("[bots.a]\ncommand = 'a'\ncpus = true", "bots.a.cpus: input should be a valid number"),
        ("[bots.a]\ncommand = 'a'\nfreeze = 1", "bots.a.freeze: input should be a valid boolean"),
        ("[bots.a]\ncommand = 'a'\nsandbox = 1", "bots.a.sandbox: input should be a valid bool"),
        (f"[bots.{'a' * 201}]\ncommand = 'a'", "it has 201 characters, and a name has at most 200"),
        ("[bots.a]\ncommand = 'a'\nname = 'x'", "bots.a.name: the name is that of the table"),
    ],
)
def test_what_is_wrong_with_a_bot_is_told(tmp_path, bots, told):
    """A wrong setting of a bot causes an error with the bot's name and the key."""
    with pytest.raises(UsageError, match=r"autumn\.toml") as refused:
        read_tournament(tournament(tmp_path, "", bots))
    assert told in str(refused.value)


def test_a_file_of_windows_is_read(tmp_path):
    """A file from Windows is read, with its byte order mark and line endings."""
    path = tmp_path / "autumn.toml"
    path.write_bytes(b"\xef\xbb\xbf" + BOTS.replace("\n", "\r\n").encode())
    assert read_tournament(path).entrants == ["a", "b"]


def test_missing_file_is_told(tmp_path):
    """A missing file is named in the error."""
    path = tmp_path / "nowhere.toml"
    with pytest.raises(UsageError) as caught:
        read_tournament(path)
    assert str(caught.value) == f"cannot read the tournament: there is no file {path}"


def test_unreadable_file_is_told(tmp_path):
    """An unreadable file is named in the error, with the system's reason."""
    with pytest.raises(UsageError) as caught:
        read_tournament(tmp_path)
    assert str(caught.value) == f"cannot read the tournament of {tmp_path}: Is a directory"


@pytest.mark.parametrize("name", schedule.names())
def test_every_system_can_be_asked_for(tmp_path, name):
    """Every system can be chosen by the name of its module."""
    assert read_tournament(tournament(tmp_path, f"system = '{name}'")).system == name

"""Settings and bots change between runs in a folder, and runs are killed: all readers agree."""

import csv
import json
import random
import re
import sqlite3
import warnings
from contextlib import closing, nullcontext
from dataclasses import asdict
from pathlib import Path

import orjson
import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.rules.notation import moves_text, replay
from c4_referee import read_games
from c4_referee.cli import parser
from c4_referee.commands import _run_contest
from c4_referee.contest import contest as contests
from c4_referee.records.storage.contests import read_contests
from c4_referee.records.storage.game_files import read_results
from c4_referee.records.storage.meant import meant
from c4_referee.report.site.pages import site_pages
from c4_referee.report.texts import points_text
from c4_referee.serve.store import Store
from effort import THOROUGH

Table = dict[str, tuple[float, int]]
"""Points and number of games of each bot."""


class Killed(BaseException):
    """End of a run at any place."""


class Evening:
    """A folder in which contests with random games are played, in this process."""

    def __init__(self, folder: Path, capture, monkeypatch) -> None:
        self._capture, self._chance = capture, random.Random(4)
        self.left = 1000
        """Number of games until the run is killed."""
        for name in ("prepared_command", "control_groups"):
            monkeypatch.setattr(_run_contest, name, lambda: nullcontext([]))
        monkeypatch.setattr(_run_contest, "raise_on_signals", lambda: None)
        monkeypatch.setattr(contests, "find_runner", lambda *_: self._runner)
        monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
        monkeypatch.setenv("COLUMNS", "200")
        (folder / "work").mkdir()
        monkeypatch.chdir(folder / "work")

    def _runner(self, ledger, settings):
        self._ledger, self._settings = ledger, settings
        return self

    def run(self) -> None:
        """Play the games that the ledger issues, as a runner."""
        while job := self._ledger.issue():
            if not self.left:
                raise Killed
            self.left -= 1
            variant = self._settings.variant
            position, cells = replay(job.opening, variant)
            start = len(cells)
            while not position.is_over:
                cells = [*cells, self._chance.choice([*position.moves])]
                position = position.play(cells[-1])
            first, second = (self._settings.bots[each].name for each in (job.first, job.second))
            zeros = [0.0] * (len(cells) - start)
            game = GameEnded(
                job.game, first, second, moves_text(variant, cells), zeros, zeros,
                position.winner or 0, "line" if position.winner else "full board",
                None, [], {}, VariantRecord.of(variant), job.opening,
            )  # fmt: skip
            self._ledger.take(asdict(game) | {"event": "game_ended"}, orjson.dumps(game))

    def command(self, *words: str) -> tuple[str, str]:
        """Run a command of the referee. Return what it printed to both streams."""
        options = parser(words).parse_args(words)
        self._capture.readouterr()
        assert options.run(options) in {0, 1}
        printed = self._capture.readouterr()
        return printed.out, printed.err

    def match(self, bot: str, *options: str) -> tuple[str, str]:
        """Play a match of two games on 4x4 against a bot that stays the same."""
        always = ("--variant", "4x4", "--no-sandbox", "--games", "2")
        return self.command("match", bot, "true same", *always, *options)

    def tournament(self, keys: dict[str, object], bots: dict[str, str], *options: str) -> str:
        """Run or continue a tournament in the folder ``out``."""
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in keys.items()]
        tables = [f'[bots.{name}]\ncommand = "true {word}"\n' for name, word in bots.items()]
        Path("cup.toml").write_text("accuracy = false\n" + "".join(lines + tables))
        words = ("tournament", "cup.toml", "--no-sandbox", "--out", "out", *options)
        return self.command(*words)[0]


@pytest.fixture
def evening(tmp_path, capsys, monkeypatch) -> Evening:
    """A folder for contests."""
    return Evening(tmp_path, capsys, monkeypatch)


def remove_mark() -> None:
    """Make the folder one of a version before the mark."""
    with closing(sqlite3.connect("out/arena.sqlite", isolation_level=None)) as base:
        base.execute("PRAGMA application_id = 0")


def table_of(rows) -> Table:
    """Return the points of the bots that have games, from rows of a report or of a table."""
    found = {row["bot"]: (float(row["points"]), int(row["games"])) for row in rows}
    return {bot: each for bot, each in found.items() if each[1]}


def points_of(games: list[GameEnded]) -> Table:
    """Return the points of each bot, counted by hand."""
    found: dict[str, list[float]] = {}
    for game in games:
        for bot, points in ((game.first, (0.5, 1, 0)), (game.second, (0.5, 0, 1))):
            found.setdefault(bot, []).append(points[game.winner])
    return {bot: (sum(each), len(each)) for bot, each in found.items()}


def check_printed(printed: str, expected: Table) -> None:
    """Check that standings in the terminal have these points and numbers of games."""
    for bot, (points, games) in expected.items():
        pattern = rf"^ *\d+  {bot} +(\d+/)?{games}  +{points_text(points)} "
        assert re.search(pattern, printed, re.MULTILINE), (bot, printed)


def check_readers(evening: Evening, expected: Table | None, number: int) -> None:
    """Check that all readers of the folder show these results, of the contest with this number.

    After a kill, nobody has printed results: the readers agree with the database.
    """
    before = Path("out/games.jsonl").read_bytes()
    found = read_contests(Path("out"))
    assert meant(found).number == number
    expected = points_of([*meant(found).games]) if expected is None else expected
    note = f"contest {number} is meant" if len(found) > 1 else ""
    for source in ("out", "out/games.jsonl"):
        with warnings.catch_warnings(record=True, action="always") as caught:
            assert points_of([*read_games(source)]) == expected
        assert [note in str(each.message) for each in caught] == [True] * bool(note)
        counted = read_results([source], pytest.fail)
        assert 2 * len(counted) == sum(games for _, games in expected.values())
        if expected:
            rated, said = evening.command("rate", source, "--json")
            assert table_of(json.loads(rated)["bots"]) == expected
            assert note in said
            listed, said = evening.command("show", source, "--analysis-seconds", "0")
            assert note in said
            games = len(meant(found).all_games)
            assert f"\n{games} " in listed if games > 1 else listed
    pages = dict(site_pages(found))
    exported = csv.DictReader(pages["exports/standings.csv"].splitlines())
    assert table_of(exported) == expected
    folders = [f"{each.number}/" for each in found] if len(found) > 1 else [""]
    assert all(f"{folder}index.html" in pages for folder in folders)
    assert {f"games/{game.game}.html" for game in found[0].all_games} <= pages.keys()
    check_printed(evening.command("watch", "out")[0], expected)
    served = Store(lambda: [Path("out")]).overview()
    for page, prefix in ((served, "c/out/"), (pages["index.html"], "")):
        if prefix or note:
            listed = re.findall(rf'href="{prefix}(\d+)/index.html"', page)
            assert int(listed[0]) == number
            assert len(listed) == len(found)
    assert Path("out/games.jsonl").read_bytes() == before


@pytest.mark.parametrize("seed", range(30 if THOROUGH else 2))
def test_all_readers_agree_after_each_run(evening, seed):
    """After each run, killed or not, all outputs are those of the contest that it played."""
    chance = random.Random(seed)
    keys: dict[str, object] = {"variant": "4x4"}
    bots = {name: name for name in "abc"}
    choices = {
        "pairs": [1, 2], "seed": [0, 7], "openings": ["none", "random:2"], "time_ms": [1000, 500],
        "startup_ms": [10000, 8000], "name": ["cup", "bowl"], "variant": ["4x4", "5x4"],
        "system": ["round-robin", "gauntlet"],
    }  # fmt: skip
    known: list[str] = []
    for _ in range(8 if THOROUGH else 4):
        name = chance.choice([*choices])
        keys[name] = chance.choice(choices[name])
        if chance.random() < 0.3:
            bots[chance.choice([*bots])] = f"{chance.random()}"
        identity = json.dumps({each: keys.get(each, values[0]) for each, values in choices.items()})
        evening.left = chance.choice([1, 3, 1000, 1000])
        expected = None
        known += [identity] * (identity not in known)
        try:
            report = json.loads(evening.tournament(keys, bots, "--json"))
        except Killed:
            pass
        else:
            expected = table_of(report["standings"]["bots"])
            check_printed(evening.tournament(keys, bots), expected)  # nothing new is played
        check_readers(evening, expected, known.index(identity) + 1)
        if evening.left < 990 and chance.random() < 0.3:
            remove_mark()


def test_folder_without_a_mark_is_read_and_continued(evening):
    """In a folder of an earlier version, the contest with the last result is meant."""
    bots = {"a": "1", "b": "2"}
    for pairs in (1, 2, 1):
        evening.tournament({"variant": "4x4", "pairs": pairs}, bots)
        bots |= {"c": "3"} if pairs == 2 else {}
    remove_mark()
    check_readers(evening, None, 1)
    evening.tournament({"variant": "4x4", "pairs": 2}, {"a": "1", "b": "2"})
    check_readers(evening, None, 2)
    for contest, games in ((1, 6), (2, 4), ("all", 10)):
        assert len([*read_games("out", contest)]) == games
    with pytest.raises(UsageError, match="contest=3: out holds 2 contests"):
        next(read_games("out", 3))


def test_second_contest_begins_with_a_word(evening):
    """A run says which setting is another one, and which games count, before it plays."""
    bots = {"a": "1", "b": "2"}
    changes = (
        ({"pairs": 2}, "pairs is 2 (it was 1)"), ({"seed": 3}, "seed is 3 (it was 0)"),
        ({"name": "x"}, "name is x (it was cup)"), ({"system": "swiss"}, "system is swiss (it "),
        ({"openings": "random:2"}, "openings is random:2 (it was none)"),
        ({"time_ms": 9}, "time_ms is 9.0 (it was 1000.0)"),
        ({"startup_ms": 9}, "startup_ms is 9.0 (it was 10000.0)"),
        ({"variant": "5x4"}, "width is 5 (it was 4)"),
        ({"anchor": "a"}, "anchor is a (it was not set)"),
    )  # fmt: skip
    for number, (change, text) in enumerate(changes, 2):
        evening.tournament({"variant": "4x4"}, bots)
        evening.left = 0
        with pytest.raises(Killed):
            evening.tournament({"variant": "4x4"} | change, bots)
        said = evening._capture.readouterr().err
        assert f"out: {text}" in said
        assert f"So this run begins contest {number}.\nOther games stay in out (2)" in said
        evening.left = 1000


def test_changed_bot_of_a_match_is_compared_with_its_last_version(evening):
    """A run with a changed bot says so, and shows points of both versions, also without --out."""
    for folder in (["--out", "out"], []):
        assert "before:" not in evening.match("true 1", *folder)[0]
        Path("mine").write_text("1")
        evening.match("cat mine", *folder)
        Path("mine").write_text("2")
        printed, said = evening.match("cat mine", *folder)
        assert ("out: cat mine has changed. So" in said) == bool(folder)
        lines = re.findall(
            r"^cat mine, (before|now): \S+ of 2 points \(95%: .*\)$", printed, re.MULTILINE
        )
        assert lines == ["before", "now"]
        assert "before:" not in evening.match("cat mine", *folder)[0]


def test_changed_bot_of_a_tournament_is_compared_with_its_last_version(evening):
    """Only points against bots that have not changed are compared."""
    keys = {"variant": "4x4"}
    evening.tournament(keys, {"a": "1", "b": "2", "c": "3"})
    printed = evening.tournament(keys, {"a": "new", "b": "2", "c": "new"})
    lines = re.findall(r"^(\w), (before|now): \S+ of 2 points", printed, re.MULTILINE)
    assert lines == [(bot, when) for bot in "ac" for when in ("before", "now")]


def test_rating_of_two_bots_is_the_difference_of_their_match(evening):
    """The terminal has one number, and all contests of a folder can be rated together."""
    played = evening.match("true 1", "--out", "out")[0]
    evening.match("true 1", "--out", "out", "--time-ms", "99")
    (difference,) = re.findall("Elo difference.*", played)
    assert difference in evening.command("rate", "out", "--contest", "1")[0]
    assert json.loads(evening.command("rate", "out", "--all", "--json")[0])["games"] == 4
    with pytest.raises(UsageError, match="no folder is named"):
        evening.command("rate", "out/nothing.pgn", "--all")


def test_zero_of_ratings_is_that_of_the_contest(evening):
    """The stored anchor has the rating 0, unless an option names another one."""
    evening.tournament({"variant": "4x4", "anchor": "a"}, {"a": "1", "b": "2", "c": "3"})
    for options, bot, points in (((), "a", 0), (("--anchor", "b=50"), "b", 50)):
        rows = json.loads(evening.command("rate", "out", "--json", *options)[0])["bots"]
        assert {row["bot"]: row["rating"] for row in rows}[bot] == points

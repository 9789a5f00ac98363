"""Rounds that depend on earlier results, in tournaments that are stopped at any moment."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import orjson
import pytest
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.spec import BotSpec
from c4_referee.contest import schedule
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.play.tournament import Tournament
from c4_referee.contest.schedule import Plan, Schedule, repetition_of_empty_board
from c4_referee.contest.schedule.match import games_in_turn
from c4_referee.records.rounds import GameKey, Player, Roster, Round
from c4_referee.records.storage.folder_archive import FolderArchive
from effort import examples
from games import finished
from hypothesis import given
from hypothesis import strategies as st

RECORD = VariantRecord.of(STANDARD)
NAMES = "abcdefg"


def spec(name: str, version: str = "1") -> BotSpec:
    """Return a bot. Another version has another fingerprint."""
    return BotSpec(name=name, command=("true", version))


def ended(number: int, first: str, second: str, opening: str, repetition: int) -> GameEnded:
    """Return a result that depends only on the players, the opening and the repetition."""
    winner = Random(f"{first} {second} {opening} {repetition}").choice((1, 2))
    return finished(number, first, second, opening, winner)


def play(ledger: Ledger, names: Mapping[Player, str], draw: Random, games: int) -> list[GameKey]:
    """Play at most ``games`` games, in any order, and return their keys.

    At most three games are played at the same time, and some games are rolled back.
    """
    under_way, played = [], []
    while len(played) < games:
        if (len(under_way) < 3 or not under_way) and (job := ledger.issue()):
            under_way.append(job)
            continue
        if not under_way:
            break
        job = under_way.pop(draw.randrange(len(under_way)))
        key = ledger.tournament.issued_game(job.game).key
        if draw.random() < 0.05 and ledger.tournament._games[job.game].attempts < 3:
            ledger.roll_back(job.game)
            continue
        first, second = names[key.first], names[key.second]
        line = orjson.dumps(ended(job.game, first, second, key.opening, key.repetition))
        ledger.take(orjson.loads(line), line)
        played.append(key)
    return played


def scheduled(name: str, roster: Roster) -> Schedule:
    """Return a schedule with the usual number of rounds."""
    start = lambda n: (f"{n % 7 + 1}{n // 7 % 7 + 1}{n // 49 + 1}", 0)  # noqa: E731
    return schedule.system(name).schedule(Plan(roster, start))


def courses(games: list[GameEnded]) -> list[tuple[int, str, str, str, int]]:
    """Return the fields by which games are compared."""
    return [(game.game, game.first, game.second, game.opening, game.winner) for game in games]


@pytest.mark.parametrize("name", [name for name in schedule.names() if name != "match"])
@examples(15)
@given(st.integers(2, 7), st.randoms(use_true_random=False))
def test_stopped_tournament_is_the_same_as_without_a_stop(name, players, draw):
    """A tournament that is stopped at any moment has the same games as one without a stop.

    The games have the same numbers and results, and none is played twice.
    """
    bots = [spec(name) for name in NAMES[:players]]
    with TemporaryDirectory() as folder:
        at_once, in_lives = Path(folder, "once"), Path(folder, "lives")
        with FolderArchive(at_once, {}, bots) as archive:
            ledger = Ledger(scheduled(name, archive.roster), STANDARD, archive)
            every = play(ledger, archive.names, Random(1), 10_000)
            expected = courses(ledger.tournament.results)
            assert ledger.tournament.is_complete
            ranking = ledger.tournament.ranking
        lives = []
        while not lives or not ledger.tournament.is_complete:
            with FolderArchive(in_lives, {}, bots) as archive:
                ledger = Ledger(scheduled(name, archive.roster), STANDARD, archive)
                lives += play(ledger, archive.names, draw, draw.randrange(1, len(every) + 2))
        assert courses(ledger.tournament.results) == expected
        assert ledger.tournament.ranking == ranking
        assert sorted(lives) == sorted(every)
        assert len(set(every)) == len(every)


@examples(25)
@given(st.randoms(use_true_random=False))
def test_bots_come_and_go_in_a_swiss(draw):
    """A bot that leaves forfeits the games of its round, and earlier rounds stay the same.

    An edited bot counts as one that leaves and another that joins.
    """
    bots = [spec(name) for name in NAMES[:4]]
    before: list[tuple[int, str, str]] = []
    with TemporaryDirectory() as folder:
        for life in range(5):
            with FolderArchive(Path(folder), {}, bots) as archive:
                plan = Plan(archive.roster, repetition_of_empty_board)
                ledger = Ledger(schedule.system("swiss").schedule(plan), STANDARD, archive)
                played = ledger.tournament.results
                assert [(game.game, game.moves, game.winner) for game in played] == before
                play(ledger, archive.names, draw, draw.randrange(0, 8) if life < 4 else 1000)
                games = ledger.tournament.results
                before = [(game.game, game.moves, game.winner) for game in games]
                present = {spec.name for spec in bots}
                for game in games:
                    if game.fault is not None:
                        assert game.fault.fault == "withdrawn"
                        assert "(withdrawn" in game.fault.bot
                    assert {game.first, game.second} & present or game.ending == "void" or life
            if ledger.tournament.is_complete:
                break
            at = draw.randrange(len(bots))
            match draw.choice(("come", "go", "edit")):
                case "come":
                    bots.append(spec(f"new {life}"))
                case "go" if len(bots) > 2:
                    bots.pop(at)
                case "edit":
                    bots[at] = spec(bots[at].name, f"version {life}")
        assert ledger.tournament.is_complete


def test_next_round_waits_for_the_last_result():
    """The next round begins only when all games of this round have results."""
    told = []

    def two_rounds() -> Schedule:
        told.append((yield Round((GameKey(0, 1), GameKey(1, 0)), to_come=1)))
        told.append((yield Round((GameKey(0, 1, "4"),), byes=(2,))))
        return (1, 0, 2)

    tournament = Tournament(two_rounds())
    assert (tournament.scheduled, tournament.count_waiting) == (3, 2)
    one, other = tournament.issue(), tournament.issue()
    tournament.store_result(ended(2, "b", "a", "", 1))
    assert (tournament.issue(), tournament.is_complete, told) == (None, False, [])
    void = ended(1, "a", "b", "", 0)
    tournament.store_result(void)
    assert (one.number, other.number, tournament.rounds) == (1, 2, 2)
    assert told == [[half(void), half(ended(2, "b", "a", "", 1))]]
    assert tournament.byes == {2: 1}
    assert tournament.issue().key == GameKey(0, 1, "4")
    tournament.store_result(ended(3, "a", "b", "4", 0))
    assert (tournament.is_complete, tournament.ranking) == (True, (1, 0, 2))


def half(game: GameEnded) -> int:
    """Return the half points of the first player."""
    return (1, 2, 0)[game.winner]


def test_empty_rounds_are_skipped():
    """Empty rounds are skipped anywhere. A schedule without games is complete at once."""

    def mostly_empty() -> Schedule:
        assert (yield Round(())) == []
        assert (yield Round((GameKey(0, 1),))) == [1]
        assert (yield Round(())) == []
        return None

    tournament = Tournament(mostly_empty())
    assert tournament.issue().number == 1
    tournament.store_result(GameEnded(1, "a", "b", "", [], [], 0, "line", None, [], {}, RECORD))
    assert (tournament.is_complete, tournament.rounds, tournament.scheduled) == (True, 3, 1)
    assert Tournament(games_in_turn(0, Plan(Roster.of(2), repetition_of_empty_board))).is_complete

"""Tournament, ledger and contests: every scheduled game counts exactly once."""

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import permutations

import orjson
import pytest
from c4_protocol.records.events import FaultRecord, GameEnded, GameStarted, VariantRecord
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest, Outcome
from c4_referee.contest.contest_reports import match_report
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.play.tournament import MAX_ATTEMPTS, Tournament
from c4_referee.contest.schedule import (
    Plan,
    Schedule,
    repetition_of_empty_board,
    round_robin,
    system,
)
from c4_referee.contest.schedule.match import games_in_turn
from c4_referee.records.rounds import Roster
from c4_referee.records.stats.sprt import SequentialTest, Sprt, UntilTest
from c4_referee.records.storage.archive import Archive
from games import DRAWN
from hypothesis import given
from hypothesis import strategies as st
from kept import game_events_to, tallies, turns
from played import PATIENT

RECORD = VariantRecord.of(STANDARD)
NAMES = ("a", "b", "c")
BOTS = [BotSpec(name=name, command=("true",)) for name in NAMES]


def match(games: int) -> Schedule:
    """Return a schedule in which the first two bots take turns in going first."""
    return games_in_turn(games, Plan(Roster.of(2), repetition_of_empty_board))


def all_meet(bots: int, rounds: int) -> Schedule:
    """Return a round robin."""
    return round_robin.schedule(Plan(Roster.of(bots), repetition_of_empty_board, rounds))


def small_match(bots: Sequence[BotSpec], games: int) -> Contest:
    """Return a match on a small board."""
    return Contest.match(*bots, games, variant=Variant.parse("4x4"), control=PATIENT)


def sequential(bots: Sequence[BotSpec], games: int, sprt: Sprt | float, out=None, **others):
    """Play a match that a sequential test may end. Return its report, outcome and events."""
    events: list[dict] = []
    names = bots[0].name, bots[1].name
    is_sprt = isinstance(sprt, Sprt)
    test = SequentialTest(sprt, names[0]) if is_sprt else UntilTest(sprt, 400, names)
    contest = Contest.match(*bots, games, control=PATIENT, **others)
    outcome = contest.play([game_events_to(events)], out, decides=test.take_game)
    names = (bots[0].name, bots[1].name)
    return match_report(names, outcome, test), outcome, events


def earlier(numbers) -> dict:
    """Return drawn results for some numbers of games in a match."""
    keys = turns(max(numbers, default=0))
    return {keys[number - 1]: ended(number) for number in numbers}


def fault(bot: str, policy: str) -> FaultRecord:
    """Return a fault of a bot."""
    return FaultRecord(bot, "failed to start", policy, 0, 0.0, 0.0, "no such file")


def ended(number: int, kind: FaultRecord | None = None, ending: str = "full board") -> GameEnded:
    """Return the result of a game, drawn or void."""
    moves = "" if kind else DRAWN
    times = [1.0] * len(moves)
    return GameEnded(number, "a", "b", moves, times, times, 0, ending, kind, [], {}, RECORD)


@given(st.integers(0, 12), st.data())
def test_every_game_is_fixed_once_in_any_order(games, data):
    """Every game has one result in the end, in any order of issuing, fixing and rolling back.

    Some games have earlier results, and bots may be barred at any moment.
    """
    before = data.draw(st.sets(st.integers(1, games)) if games else st.just(set()), "before")
    tournament = Tournament(match(games), earlier(before))
    assert tournament.count_waiting == games - len(before)
    failures = dict.fromkeys(range(1, games + 1), 0)
    barred: set[int] = set()
    out: list[int] = []
    while not tournament.is_complete:
        if data.draw(st.integers(0, 9), "bar") == 0:
            bot = data.draw(st.integers(0, 1), "bot")
            tournament.bar(bot, fault(NAMES[bot], "bar"))
            barred.add(bot)
        if not out or data.draw(st.booleans(), "issue"):
            pairing = tournament.issue()
            if pairing is not None:
                assert pairing.number not in before
                assert {one.bot for one in tournament.faults_of_barred(pairing)} == {
                    NAMES[b] for b in barred
                }
                out.append(pairing.number)
                continue
        number = out.pop(data.draw(st.integers(0, len(out) - 1), "which"))
        if failures[number] < MAX_ATTEMPTS - 1 and data.draw(st.booleans(), "fails"):
            failures[number] += 1
            tournament.roll_back(number)
        else:
            tournament.store_result(ended(number))
    assert [result.game for result in tournament.results] == list(range(1, games + 1))
    assert tournament.issue() is None


def test_failing_game_is_given_up():
    """A game that is rolled back too often leaves the tournament incomplete."""
    tournament = Tournament(match(2))
    for _ in range(MAX_ATTEMPTS):
        assert tournament.issue().number == 1
        tournament.roll_back(1)
    assert tournament.issue().number == 2
    tournament.store_result(ended(2))
    assert tournament.issue() is None
    assert not tournament.is_complete


def test_issue_that_was_no_attempt_does_not_count():
    """A game that is taken back before it begins is not given up. Only issued games are stored."""
    tournament = Tournament(match(1))
    with pytest.raises(KeyError):
        tournament.store_result(ended(1))
    for _ in range(MAX_ATTEMPTS + 1):
        assert tournament.issue().number == 1
        tournament.roll_back(1, was_attempt=False)
    assert tournament.issue().number == 1
    tournament.store_result(ended(1))
    with pytest.raises(KeyError):
        tournament.store_result(ended(1))
    assert tournament.is_complete


def test_bot_is_barred_for_its_first_fault():
    """A second fault of a barred bot changes nothing, and other bots are not barred."""
    tournament = Tournament(all_meet(3, 1))
    tournament.bar(2, fault("c", "bar"))
    tournament.bar(2, replace(fault("c", "bar"), fault="too many processes"))
    barred = {}
    while (pairing := tournament.issue()) is not None:
        barred[pairing.first, pairing.second] = tournament.faults_of_barred(pairing)
    assert barred == {key: [fault("c", "bar")] * (2 in key) for key in permutations(range(3), 2)}


def ledger_of(schedule: Schedule) -> tuple[Ledger, list[dict]]:
    """Return a ledger with an archive in memory, and the list of its events of games."""
    told: list[dict] = []
    return Ledger(schedule, STANDARD, Archive(BOTS), [game_events_to(told)]), told


def take(ledger: Ledger, event: GameEnded | GameStarted) -> None:
    """Give a ledger an event as a worker would."""
    line = orjson.dumps(event)
    ledger.take(orjson.loads(line), line)


def test_fault_of_the_machine_is_played_again():
    """A game with the policy retry is issued again, up to a limit."""
    ledger, _ = ledger_of(match(1))
    for _ in range(MAX_ATTEMPTS):
        assert ledger.issue().game == 1
        no_room = replace(fault("a", "retry"), fault="no room to start")
        take(ledger, ended(1, no_room, "void"))
    assert ledger.issue() is None
    assert not ledger.tournament.is_complete


def test_void_game_is_fixed_and_does_not_count():
    """A void game is fixed, but does not count in the report."""
    ledger, _ = ledger_of(match(2))
    ledger.issue()
    ledger.issue()
    take(ledger, ended(1, fault("a", "void"), "void"))
    take(ledger, replace(ended(2), first="b", second="a"))
    games = ledger.tournament.results
    report = match_report(("a", "b"), Outcome(ledger.tournament, {}, 1.0))
    assert ledger.tournament.is_complete
    assert report.complete
    assert (report.games, report.draws, report.distinct_games) == (1, 1, 1)
    assert asdict(tallies(NAMES, games)["a"]) == {"games": 1, "wins": 0, "draws": 1, "losses": 0}


def test_game_of_two_barred_bots_is_void():
    """A game of two barred bots is void. A game of one barred bot is won by the other."""
    ledger, told = ledger_of(all_meet(3, 1))
    first, second = ledger.issue(), ledger.issue()  # two games of b and c
    assert {first.game, second.game} == {1, 2}
    bombs = [replace(fault(bot, "bar"), fault="too many processes") for bot in "bc"]
    take(ledger, replace(ended(1, bombs[0], "forfeit"), first="b", second="c", winner=2))
    take(ledger, replace(ended(2, bombs[1], "forfeit"), first="c", second="b", winner=2))
    assert ledger.issue() is None
    assert [event["game"] for event in told] == [1, 2, 3, 4, 5, 6]
    for event in told[2:]:
        assert (event["first"], event["second"])[event["winner"] - 1] == "a"
        assert event["ending"] == "forfeit"
    ledger, told = ledger_of(match(2))
    ledger.tournament.bar(0, fault("a", "bar"))
    ledger.tournament.bar(1, fault("b", "bar"))
    assert ledger.issue() is None
    assert [(event["winner"], event["ending"]) for event in told] == [(0, "void")] * 2


@pytest.mark.parametrize(("bots", "ahead"), [(2, [True, True, True, False]), (3, [False] * 4)])
def test_bots_start_early_if_they_play_next(bots, ahead):
    """In a match, bots start early while games are left. With three bots they do not.

    The next game could be one of other bots.
    """
    ledger = Ledger(all_meet(bots, 2), STANDARD, Archive(BOTS[:bots]))
    assert [ledger.issue().more for _ in range(4)] == ahead


def test_result_is_committed_before_handlers_get_it():
    """A result is in the archive before handlers get it."""
    committed: list[bytes] = []
    told: list[bytes] = []
    heard: list[dict] = []
    hear = game_events_to(heard)

    class Watched(Archive):
        def commit(self, game, record):
            assert told == committed
            committed.append(record)

    def handle(line):
        hear(line)
        told.extend([line] * (len(heard) - len(told)))
        assert told == committed

    ledger = Ledger(match(2), STANDARD, Watched(BOTS), [handle])
    for number, names in ((1, "ab"), (2, "ba")):
        ledger.issue()
        take(ledger, replace(ended(number), first=names[0], second=names[1]))
    assert len(told) == 2


def test_progress_counts_games_of_earlier_runs(bot, tmp_path):
    """Progress starts with the number of stored games, also in a longer match."""
    bots = (bot("good"), bot("column_7"))
    events: list[dict] = []
    for games in (2, 4, 4):
        small_match(bots, games).play(
            out=tmp_path, progress=lambda line: events.append(orjson.loads(line))
        )
    steps = [(at["done"], at["scheduled"]) for at in events if at["event"] == "progress"]
    assert steps == [(0, 2), (1, 2), (2, 2), (2, 4), (3, 4), (4, 4), (4, 4)]


def test_same_games_are_kept_with_and_without_handlers(bot, tmp_path):
    """The same games are stored with and without handlers.

    Without handlers, workers send only results.
    """
    contest = small_match((bot("good"), bot("column_7")), 2)
    told: list[dict] = []
    heard = contest.play([game_events_to(told)], tmp_path / "heard")
    silent = contest.play(out=tmp_path / "silent")
    assert {event["event"] for event in told} == {"game_started", "move", "game_ended"}
    assert [game.moves for game in silent.games] == [game.moves for game in heard.games]
    lines = [(tmp_path / way / "games.jsonl").read_bytes() for way in ("heard", "silent")]
    assert [text.count(b'"event":"game_ended"') for text in lines] == [2, 2]


def test_bot_that_cannot_start_is_barred(bot, tmp_path):
    """A bot that cannot start is tried once in each run, and then forfeits its other games."""
    bots = (bot("good"), bot("missing", command=["/no/such/program"]), bot("column_7"))
    contest = Contest(
        bots, round_robin.SYSTEM, rounds=2, variant=Variant.parse("4x4"), control=PATIENT
    )
    played = contest.play(out=tmp_path)
    unplayed = [game for game in played.games if game.fault.detail.startswith("not played")]
    assert played.is_complete
    assert len(unplayed) == 7  # of the eight games of the missing bot
    assert {game.fault.fault for game in unplayed} == {"failed to start"}
    assert tallies([bot.name for bot in bots], played.games)["missing"].losses == 8
    assert tallies([bot.name for bot in bots], played.games)["good"].wins == 8
    again = contest.play(out=tmp_path)
    assert again.games == played.games
    longer = replace(contest, rounds=3).play(out=tmp_path)
    assert sum(game.fault.fault == "failed to start" for game in longer.games) == 12
    assert sum(game.fault.detail.startswith("not played") for game in longer.games) == 10


def test_repaired_bot_plays_on(bot, tmp_path):
    """A bot that is repaired plays its remaining games, but lost games stay lost."""
    program, mine, good = tmp_path / "interpreter", tmp_path / "bot", bot("good")
    mine.write_text(f"#!{program}\nimport os\nos.execv({good.command[0]!r}, {good.command!r})\n")
    mine.chmod(0o755)
    bots = (good, bot("mine", command=[str(mine)]))
    first = small_match(bots, 2).play(out=tmp_path / "out")
    assert [game.fault.fault for game in first.games] == ["failed to start"] * 2
    program.symlink_to(good.command[0])
    later = small_match(bots, 4).play(out=tmp_path / "out")
    assert later.games[:2] == first.games
    assert [game.fault for game in later.games[2:]] == [None] * 2


def test_decision_ends_the_schedule():
    """The decision gets results in the order of the schedule. After it no game is issued."""
    asked: list[int] = []

    def decides(result):
        asked.append(result.game)
        return result.game == 3

    tournament = Tournament(match(10), decides=decides)
    numbers = [tournament.issue().number for _ in range(5)]
    for number in (3, 1, 5):
        tournament.store_result(ended(number))
    assert asked == [1]
    assert not tournament.is_complete
    tournament.store_result(ended(2))
    assert asked == [1, 2, 3]
    assert tournament.is_complete
    assert (tournament.issue(), tournament.count_waiting) == (None, 0)
    tournament.store_result(ended(4))
    assert asked == [1, 2, 3]
    assert [result.game for result in tournament.results] == numbers


def test_decision_skips_a_game_that_is_given_up():
    """The decision skips a game that is given up, so that later games can decide."""
    asked: list[int] = []
    tournament = Tournament(match(10), decides=lambda result: bool(asked.append(result.game)))
    numbers = [tournament.issue().number for _ in range(3)]
    tournament.store_result(ended(numbers[2]))
    tournament.store_result(ended(numbers[0]))
    for _ in range(MAX_ATTEMPTS - 1):
        tournament.roll_back(numbers[1])
        assert asked == [1]
        assert tournament.issue().number == numbers[1]
    tournament.roll_back(numbers[1])
    assert asked == [1, 3]
    assert not tournament.is_complete


def test_sequential_test_waits_for_a_missing_game():
    """A sequential test does not use results after a missing game, and the report says so."""
    test = SequentialTest(Sprt(0, 400), "a")
    tournament = Tournament(match(60), decides=test.take_game)
    numbers = [tournament.issue().number for _ in range(60)]
    for number in numbers[1:]:
        seat = 1 if number % 2 else 2
        one = replace(ended(number), moves=str(number), winner=seat)
        tournament.store_result(one if seat == 1 else replace(one, first="b", second="a"))
    report = match_report(("a", "b"), Outcome(tournament, {}, 1.0), test)
    assert (report.games, report.sprt.verdict, report.complete) == (59, "undecided", False)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_sequential_test_ends_a_match(bot, tmp_path, concurrency):
    """The match ends with the decision, after the same pairs for any concurrency.

    A second run plays no game. The strong bot wins every game, so the LLR grows by ln(share1 /
    share0) with each pair.
    """
    bots = (bot("good"), bot("column_7"))
    settings = {"openings": "random:4", "concurrency": concurrency}
    report, outcome, told = sequential(bots, 60, Sprt(0, 400), tmp_path / "out", **settings)
    needed = 2 * math.ceil(report.sprt.upper / math.log((10 / 11) / 0.5))
    assert report.complete
    assert report.sprt.verdict == "H1"
    assert report.sprt.llr == pytest.approx(needed / 2 * math.log(20 / 11), abs=1e-3)
    in_order = [event["game"] for event in told if event["event"] == "game_ended"]
    decided = max(map(in_order.index, range(1, needed + 1)))
    assert len(in_order) == len(outcome.games)
    assert len(in_order) - decided - 1 < concurrency  # only games that were being played
    again, _, events = sequential(bots, 60, Sprt(0, 400), tmp_path / "out", **settings)
    assert events == []
    assert replace(again, seconds=report.seconds) == report


def test_match_ends_when_it_is_known_who_is_better(bot, tmp_path):
    """A match that is continued ends after the same pairs, and then plays no more."""
    bots, settings = (bot("column_7"), bot("good")), {"openings": "random:4"}
    begun, _, _ = sequential(bots, 6, 0.8, tmp_path / "out", **settings)
    assert (begun.until.verdict, begun.until.bot, begun.complete) == ("undecided", None, True)
    report, _, told = sequential(bots, 60, 0.8, tmp_path / "out", **settings)
    assert (report.until.verdict, report.until.bot, report.complete) == ("better", "good", True)
    assert report.games == 2 * math.ceil(report.until.tests[0].upper / math.log((10 / 11) / 0.5))
    assert sum(event["event"] == "game_ended" for event in told) == report.games - 6
    again, _, events = sequential(bots, 60, 0.8, tmp_path / "out", **settings)
    assert events == []
    assert replace(again, seconds=report.seconds) == report


def test_total_of_games_is_exact_or_a_bound():
    """The total of games is a bound if a test may end the contest, or a knockout may grow.

    The total of a complete contest is exact.
    """
    decided = Tournament(match(10), earlier((1, 2)), lambda result: result.game == 2)
    assert (decided.is_complete, decided.issue()) == (True, None)
    assert Tournament(match(2)).bound_of_scheduled == ""
    assert Tournament(match(2), {}, lambda game: False).bound_of_scheduled == "at most"
    assert Tournament(match(2), earlier((1, 2)), lambda game: False).bound_of_scheduled == ""
    assert (
        Tournament(
            system("knockout").schedule(Plan(Roster.of(4), repetition_of_empty_board))
        ).bound_of_scheduled
        == "at least"
    )

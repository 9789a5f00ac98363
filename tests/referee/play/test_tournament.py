"""Every scheduled game counts exactly once, whatever becomes of those who play it."""

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import permutations

import orjson
import pytest
from c4_protocol.events import FaultRecord, GameEnded, GameStarted, VariantRecord
from c4_protocol.variant import STANDARD, Variant
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.play.ledger import Books
from c4_referee.play.tournament import ATTEMPTS, Tournament
from c4_referee.report.summary import match_report, tallies
from c4_referee.schedule import Plan, Roster, Schedule, repeated, round_robin
from c4_referee.schedule.match import games_in_turn
from c4_referee.stats.sprt import SequentialTest, Sprt
from c4_referee.storage.archive import Unkept
from hypothesis import given
from hypothesis import strategies as st
from kept import turns

RECORD = VariantRecord.of(STANDARD)
NAMES = ("a", "b", "c")
BOTS = [BotSpec(name=name, command=("true",)) for name in NAMES]


def match(games: int) -> Schedule:
    """The first two bots, taking turns."""
    return games_in_turn(games, Plan(Roster.of(2), repeated))


def all_meet(bots: int, rounds: int) -> Schedule:
    """A round robin."""
    return round_robin.schedule(Plan(Roster.of(bots), repeated, rounds))


def small_match(bots: Sequence[BotSpec], games: int) -> Contest:
    """Return a match on a small board."""
    return Contest.match(*bots, games, variant=Variant.parse("4x4"))


def sequential(bots: Sequence[BotSpec], games: int, sprt: Sprt, out=None, **others):
    """Play a match that a sequential test may end; return its report, outcome and events."""
    events: list[dict] = []
    test = SequentialTest(sprt, bots[0].name)
    contest = Contest.match(*bots, games, **others)
    outcome = contest.play([lambda line: events.append(orjson.loads(line))], out, None, test.take)
    names = (bots[0].name, bots[1].name)
    return match_report(names, outcome.tournament, outcome.seconds, test), outcome, events


def earlier(numbers) -> dict:
    """Results of some games of a match."""
    keys = turns(max(numbers, default=0))
    return {keys[number - 1]: ended(number) for number in numbers}


def fault(bot: str, policy: str) -> FaultRecord:
    """A fault of a bot."""
    return FaultRecord(bot, "failed to start", policy, 0, 0.0, 0.0, "no such file")


def ended(number: int, kind: FaultRecord | None = None, ending: str = "full board") -> GameEnded:
    """A result for a game, drawn or void."""
    return GameEnded(number, "a", "b", "", [], [], 0, ending, kind, [], {}, RECORD)


@given(st.integers(0, 12), st.data())
def test_every_game_is_fixed_once_in_any_order(games, data):
    """Games are issued, fixed and rolled back in any order; in the end each has one result.

    Some were played before, and bots are barred at any moment.
    """
    before = data.draw(st.sets(st.integers(1, games)) if games else st.just(set()), "before")
    tournament = Tournament(match(games), earlier(before))
    assert tournament.waiting == games - len(before)
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
                assert {one.bot for one in tournament.barred(pairing)} == {NAMES[b] for b in barred}
                out.append(pairing.number)
                continue
        number = out.pop(data.draw(st.integers(0, len(out) - 1), "which"))
        if failures[number] < ATTEMPTS - 1 and data.draw(st.booleans(), "fails"):
            failures[number] += 1
            tournament.roll_back(number)
        else:
            tournament.fix(ended(number))
    assert [result.game for result in tournament.results] == list(range(1, games + 1))
    assert tournament.issue() is None


def test_only_issued_games_are_fixed():
    """A result that nobody waits for is refused, a second one too."""
    tournament = Tournament(match(2))
    with pytest.raises(KeyError):
        tournament.fix(ended(1))
    tournament.issue()
    tournament.fix(ended(1))
    with pytest.raises(KeyError):
        tournament.fix(ended(1))


def test_hopeless_game_is_given_up():
    """A game that comes to nothing again and again leaves the tournament incomplete."""
    tournament = Tournament(match(2))
    for _ in range(ATTEMPTS):
        assert tournament.issue().number == 1
        tournament.roll_back(1)
    assert tournament.issue().number == 2
    tournament.fix(ended(2))
    assert tournament.issue() is None
    assert not tournament.is_complete


def test_bot_is_barred_for_its_first_fault():
    """A second reason changes nothing, and bots that are not barred play on."""
    tournament = Tournament(all_meet(3, 1))
    tournament.bar(2, fault("c", "bar"))
    tournament.bar(2, replace(fault("c", "bar"), fault="too many processes"))
    barred = {}
    while (pairing := tournament.issue()) is not None:
        barred[pairing.first, pairing.second] = tournament.barred(pairing)
    assert barred == {key: [fault("c", "bar")] * (2 in key) for key in permutations(range(3), 2)}


def books_of(schedule: Schedule) -> tuple[Books, list[dict]]:
    """Books that nothing keeps, and the events they tell."""
    told: list[dict] = []
    handlers = [lambda line: told.append(orjson.loads(line))]
    return Books(schedule, STANDARD, Unkept(BOTS), handlers), told


def take(books: Books, event: GameEnded | GameStarted) -> None:
    """Gives books an event as a worker would."""
    line = orjson.dumps(event)
    books.take(orjson.loads(line), line)


def test_fault_of_the_machine_is_played_again():
    """Policy retry: issued again, as often as a lost worker's game, then given up."""
    books, _ = books_of(match(1))
    for _ in range(ATTEMPTS):
        assert books.issue().game == 1
        take(books, ended(1, fault("a", "retry"), "void"))
    assert books.issue() is None
    assert not books.tournament.is_complete


def test_void_game_is_fixed_and_counts_for_nobody():
    """Policy void: the event is complete, and the report one game shorter."""
    books, _ = books_of(match(2))
    books.issue()
    books.issue()
    take(books, ended(1, fault("a", "void"), "void"))
    take(books, ended(2))
    games = books.tournament.results
    report = match_report(("a", "b"), books.tournament, 1.0)
    assert books.tournament.is_complete
    assert report.complete
    assert (report.games, report.draws, report.distinct_games) == (1, 1, 1)
    assert asdict(tallies(NAMES, games)["a"]) == {"games": 1, "wins": 0, "draws": 1, "losses": 0}


def test_game_of_two_barred_bots_is_void():
    """Nobody can win it; those of one barred bot are the other's."""
    books, told = books_of(all_meet(3, 1))
    first, second = books.issue(), books.issue()  # of b and c
    assert {first.game, second.game} == {1, 2}
    bombs = [replace(fault(bot, "bar"), fault="too many processes") for bot in "bc"]
    take(books, replace(ended(1, bombs[0], "void"), first="b", second="c"))
    take(books, replace(ended(2, bombs[1], "void"), first="c", second="b"))
    assert books.issue() is None
    assert [event["game"] for event in told] == [1, 2, 3, 4, 5, 6]
    for event in told[2:]:
        assert (event["first"], event["second"])[event["winner"] - 1] == "a"
        assert event["ending"] == "forfeit"
    books, told = books_of(match(2))
    books.tournament.bar(0, fault("a", "bar"))
    books.tournament.bar(1, fault("b", "bar"))
    assert books.issue() is None
    assert [(event["winner"], event["ending"]) for event in told] == [(0, "void")] * 2


@pytest.mark.parametrize(("bots", "ahead"), [(2, [True, True, True, False]), (3, [False] * 4)])
def test_bots_start_ahead_where_they_play_next(bots, ahead):
    """Those of a match while games are left; of three others may be next, whose time it is."""
    books = Books(all_meet(bots, 2), STANDARD, Unkept(BOTS[:bots]))
    assert [books.issue().more for _ in range(4)] == ahead


def test_result_is_safe_before_it_is_told():
    """Whoever hears of a game finds it in the archive already."""
    committed: list[bytes] = []
    told: list[bytes] = []

    class Watched(Unkept):
        def commit(self, game, record):
            assert told == committed
            committed.append(record)

    def handle(line):
        told.append(line)
        assert told == committed

    books = Books(match(2), STANDARD, Watched(BOTS), [handle])
    for number in (1, 2):
        books.issue()
        take(books, ended(number))
    assert len(told) == 2


def test_progress_counts_games_of_earlier_runs(bot, tmp_path):
    """From what is done of all that are scheduled to the last game, and on from there."""
    bots = (bot("good"), bot("column_7"))
    steps: list[tuple[int, int]] = []
    for games in (2, 4, 4):
        small_match(bots, games).play(
            out=tmp_path, progress=lambda at: steps.append((at.done, at.scheduled))
        )
    assert steps == [(0, 2), (1, 2), (2, 2), (2, 4), (3, 4), (4, 4), (4, 4)]


def test_same_games_are_kept_whether_or_not_anybody_listens(bot, tmp_path):
    """Without handlers results alone are told to the referee; what they hold is the same."""
    contest = small_match((bot("good"), bot("column_7")), 2)
    told: list[dict] = []
    heard = contest.play([lambda line: told.append(orjson.loads(line))], tmp_path / "heard")
    silent = contest.play(out=tmp_path / "silent")
    assert {event["event"] for event in told} == {"game_started", "move", "game_ended"}
    assert [game.moves for game in silent.games] == [game.moves for game in heard.games]
    lines = [(tmp_path / way / "games.jsonl").read_bytes() for way in ("heard", "silent")]
    assert [text.count(b'"event":"game_ended"') for text in lines] == [2, 2]


def test_bot_that_cannot_start_is_barred(bot, tmp_path):
    """Its first game is tried, the rest are forfeits; a later run tries the first of its own."""
    bots = (bot("good"), bot("missing", command=["/no/such/program"]), bot("column_7"))
    contest = Contest(bots, round_robin.schedule, rounds=2, variant=Variant.parse("4x4"))
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


def test_bot_that_is_mended_plays_on(bot, tmp_path):
    """What it lacked is there in the next run: what is lost stays lost, the rest is played."""
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
    """Results are put to it in the order of the schedule, whichever comes first; then no more."""
    asked: list[int] = []

    def decides(result):
        asked.append(result.game)
        return result.game == 3

    tournament = Tournament(match(10), decides=decides)
    numbers = [tournament.issue().number for _ in range(5)]
    for number in (3, 1, 5):
        tournament.fix(ended(number))
    assert asked == [1]
    assert not tournament.is_complete
    tournament.fix(ended(2))
    assert asked == [1, 2, 3]
    assert tournament.is_complete
    assert (tournament.issue(), tournament.waiting) == (None, 0)
    tournament.fix(ended(4))
    assert asked == [1, 2, 3]
    assert [result.game for result in tournament.results] == numbers


def test_decision_does_without_a_game_that_is_given_up():
    """One that never ends would otherwise keep the event from being decided."""
    asked: list[int] = []
    tournament = Tournament(match(10), decides=lambda result: bool(asked.append(result.game)))
    numbers = [tournament.issue().number for _ in range(3)]
    tournament.fix(ended(numbers[2]))
    tournament.fix(ended(numbers[0]))
    for _ in range(ATTEMPTS - 1):
        tournament.roll_back(numbers[1])
        assert asked == [1]
        assert tournament.issue().number == numbers[1]
    tournament.roll_back(numbers[1])
    assert asked == [1, 3]
    assert not tournament.is_complete


def test_test_that_waits_for_a_game_decides_nothing():
    """Those behind the gap are no part of what is reported; its verdict is that of the match."""
    test = SequentialTest(Sprt(0, 400), "a")
    tournament = Tournament(match(60), decides=test.take)
    numbers = [tournament.issue().number for _ in range(60)]
    for number in numbers[1:]:
        seat = 1 if number % 2 else 2
        one = replace(ended(number), moves=str(number), winner=seat)
        tournament.fix(one if seat == 1 else replace(one, first="b", second="a"))
    report = match_report(("a", "b"), tournament, 1.0, test)
    assert (report.games, report.sprt.verdict, report.complete) == (59, "undecided", False)


def test_earlier_results_may_have_decided():
    """Nothing is issued then, also if games of the schedule have not been played."""
    tournament = Tournament(match(10), earlier((1, 2)), lambda result: result.game == 2)
    assert tournament.is_complete
    assert tournament.issue() is None


@pytest.mark.parametrize("concurrency", [1, 3])
def test_sequential_test_ends_a_match(bot, tmp_path, concurrency):
    """As soon as it is decided, after the same pairs for any concurrency; a second run plays none.

    The strong bot wins every game: LLR grows by ln(share1 / share0) with each pair.
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
    assert len(in_order) - decided - 1 < concurrency  # those that were under way
    again, _, events = sequential(bots, 60, Sprt(0, 400), tmp_path / "out", **settings)
    assert events == []
    assert replace(again, seconds=report.seconds) == report


def test_undecided_test_plays_all_games(bot):
    """And says so: the match is complete, the test is not."""
    report, outcome, _ = sequential((bot("good"), bot("column_7")), 4, Sprt(0, 5))
    assert (len(outcome.games), report.complete, report.sprt.verdict) == (4, True, "undecided")


def test_sequential_test_goes_on_where_it_stopped(bot, tmp_path):
    """Four games, then as many as it takes: the report is that of a match in one go."""
    bots = (bot("good"), bot("column_7"))
    settings = {"sprt": Sprt(0, 400), "openings": "random:4"}
    early, *_ = sequential(bots, 4, out=tmp_path, **settings)
    assert (early.games, early.sprt.verdict) == (4, "undecided")
    late, *_ = sequential(bots, 60, out=tmp_path, **settings)
    at_once, *_ = sequential(bots, 60, **settings)
    assert late.complete
    assert replace(late, seconds=0) == replace(at_once, seconds=0)

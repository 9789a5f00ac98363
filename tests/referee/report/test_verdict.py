"""The verdict of a match: who is better, what would show it, and the worst move."""

import pytest
from c4_protocol.records.events import FaultRecord
from c4_protocol.records.reports import MatchReport, SprtRecord, Tally, WorstMove
from c4_referee.report.verdict import elo_text, verdict, worst_move_text
from games import game_of

TALLY = Tally(0, 0, 0, 0)
OPENINGS = (
    "Most games repeat each other, and --openings random:4 gives the bots other games to play"
)


def report(wins: int = 17, losses: int = 2, **changes: object) -> MatchReport:
    """Return the report of a match of 20 games."""
    settings = {"distinct_games": 20, "elo": 120.0, "elo_low": 30.0, "elo_high": 2000.0, "los": 0.9}
    settings |= {"first_bot_as_first": TALLY, "first_bot_as_second": TALLY, "forfeits": {}}
    drawn = 20 - wins - losses
    settings |= {"bots": ("A", "B"), "games": 20, "seconds": 1.0, "complete": True}
    return MatchReport(wins=wins, draws=drawn, losses=losses, **settings | changes)


def sprt(decision: str, elo0: float = 0, elo1: float = 100) -> SprtRecord:
    """Return the record of a sequential test."""
    return SprtRecord(0.0, -2.9, 2.9, decision, elo0, elo1)


@pytest.mark.parametrize(
    ("match", "sentence"),
    [
        (report(), "A is better: it won 17, drew 1 and lost 2 of 20 games"),
        (
            report(2, 17, elo_low=-2000.0, elo_high=-10.0),
            "B is better: it won 17, drew 1 and lost 2 of 20 games",
        ),
        (
            report(elo_low=-30.0, distinct_games=10),
            f"No difference shown yet. {OPENINGS}",
        ),
        (
            report(0, 19, sprt=sprt("H0")),
            "A is not better by 100 Elo or more: it won 0, drew 1 and lost 19 of 20 games",
        ),
        (
            report(2, 17, sprt=sprt("H0", -10, 0)),
            "B is better: it won 17, drew 1 and lost 2 of 20 games",
        ),
        (
            report(2, 2, sprt=sprt("H1", -10, 0)),
            "A is not worse by 10 Elo or more: it won 2, drew 16 and lost 2 of 20 games",
        ),
        (
            report(elo_low=-5.0, sprt=sprt("H1")),
            "A is better: it won 17, drew 1 and lost 2 of 20 games",
        ),
        (
            report(sprt=sprt("undecided")),
            "No difference shown yet: the sequential test needs more games",
        ),
    ],
)
def test_interval_or_test_decides(match: MatchReport, sentence: str) -> None:
    """A bot is better if the interval excludes 0. A sequential test decides if there is one."""
    assert verdict(match, []) == sentence


def test_undecided_match_says_how_many_games_would_decide() -> None:
    """The verdict names a number of games, and a smaller difference after more games."""
    pair = [game_of("4455", winner=1), game_of("4455", first="b", second="a", winner=1)]
    shown = {
        elo: verdict(report(elo=elo, elo_low=-30.0, bots=("a", "b")), pair) for elo in (0, 250)
    }
    assert shown == {
        0: "No difference shown yet: about 82 more games would show 100 Elo (--games 102)",
        250: "No difference shown yet: about 24 more games would show 200 Elo (--games 44)",
    }


def test_bot_that_forfeits_most_games_is_named() -> None:
    """If one bot forfeited the games, the verdict says so, because they show nothing else."""
    fault = FaultRecord("A", "late", "forfeit", 3, 1.0, 1.0, "no line")
    games = [game_of("44", winner=2, ending="forfeit", fault=fault)] * 2
    assert verdict(report(), games) == "A forfeited all 2 games"
    more = [*games, *[game_of("445566", winner=2)] * 2]
    assert verdict(report(elo_low=-30.0), more) == "A forfeited 2 of 4 games"
    assert verdict(report(), more).startswith("A is better: ")


def test_elo_is_that_of_the_bot_ahead() -> None:
    """The difference is never negative, and open or very large values are said in words."""
    assert elo_text(report()) == "Elo difference: +120 for A (95 %: at least +30)"
    behind = report(elo=-190.8, elo_low=-2000.0, elo_high=636.4)
    assert elo_text(behind) == "Elo difference: +191 for B (95 %: at least \N{MINUS SIGN}636)"
    large = [elo_text(report(elo=500.0, elo_low=low)) for low in (30.0, -15.0, -2000.0)]
    assert [text.removeprefix("Elo difference: more than +400 for A") for text in large] == [
        " (95 %: at least +30)",
        ", but not certain: it may be \N{MINUS SIGN}15",
        ", but not certain: it may be less than \N{MINUS SIGN}400",
    ]


@pytest.mark.parametrize(
    ("winner", "before", "better", "sentence"),
    [
        (2, 8, ("4",), "a lost game 1 at move 3: column 1 gave away a won game (column 4 wins)"),
        (
            0,
            8,
            ("4", "5"),
            "a drew game 1 at move 3: column 1 gave away a won game (column 4 or 5 wins)",
        ),
        (2, 0, (), "a lost game 1 at move 3: column 1 gave away a drawn game"),
    ],
)
def test_worst_move_is_one_sentence(
    winner: int, before: int, better: tuple[str, ...], sentence: str
) -> None:
    """The sentence has the bot, the game, the move, what it gave away and what was better."""
    game = game_of("4415", winner=winner)
    worst = WorstMove(game.game, "a", 3, "1", before, -5, better)
    assert worst_move_text(worst, [game]) == sentence

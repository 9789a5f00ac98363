"""Standings of any number of bots: order, consistent counts, unknown values."""

from dataclasses import replace
from pathlib import Path

import orjson
from c4_protocol.records.reports import Standing, Standings
from c4_referee.records.formats import StoredGame
from c4_referee.records.rounds import Player, Progress
from c4_referee.records.stats.standings import contest_standings, rating_list, standings
from c4_referee.report.terminal.standings_tables import (
    print_ratings,
    print_standings,
)
from effort import examples
from games import game_of
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from rich.console import Console

SCHEMA = (
    Path(__file__).parents[4] / "protocol" / "c4_protocol" / "schemas" / "standings.schema.json"
)
NAMES = "abcde"


def game(first: str, second: str, winner: int, moves: str | None = None, **others) -> StoredGame:
    """Return a result. Without moves it counts as different from all other games."""
    return StoredGame(first, second, winner, moves, **others)


def by_name(found: Standings) -> dict[str, Standing]:
    """Return the standings of the bots by name."""
    return {bot.bot: bot for bot in found.bots}


any_games = st.lists(
    st.builds(
        lambda first, other, winner, moves, ending: game(
            first, NAMES.replace(first, "")[other], winner, moves, ending=ending
        ),
        st.sampled_from(NAMES),
        st.integers(0, 3),
        st.integers(0, 2),
        st.sampled_from([None, "1", "2"]),
        st.sampled_from(["line", "void"]),
    ),
    max_size=30,
)


def test_dependent_games_of_one_opening_widen_intervals():
    """If a bot wins both games of each opening or none, the intervals are wider."""
    winners = [("a", 1), ("b", 2), ("a", 2), ("b", 1)] * 10
    played = [game(first, "ab".replace(first, ""), winner) for first, winner in winners]
    in_pairs = [replace(one, opening=str(number // 2)) for number, one in enumerate(played)]
    apart = [replace(one, opening=str(number)) for number, one in enumerate(played)]
    paired, alone = (by_name(standings("ab", games))["a"] for games in (in_pairs, apart))
    assert paired.rating == alone.rating == 0
    assert paired.rating_high > 1.3 * alone.rating_high


@examples(50)
@given(any_games)
def test_counts_agree(games):
    """The counts of each bot, of each pair and of all games agree."""
    found = standings(NAMES, games)
    assert {bot.bot for bot in found.bots} == set(NAMES)
    assert found.games + found.void == len(games)
    assert found.distinct_games <= found.games
    for bot in found.bots:
        own = bot.against.values()
        assert bot.games == bot.wins + bot.draws + bot.losses
        assert bot.wins == sum(other.wins for other in own)
        assert bot.points == bot.wins + bot.draws / 2
        assert bot.distinct_games == sum(other.distinct_games for other in own)
    assert sum(bot.games for bot in found.bots) == 2 * found.games
    assert sum(bot.distinct_games for bot in found.bots) == 2 * found.distinct_games


@examples(30)
@given(any_games, st.booleans())
def test_record_keeps_to_its_schema(games, rated):
    """The JSON of standings is valid under the published schema, for any games."""
    found = rating_list(NAMES, games) if rated else standings(NAMES, games, {"a": 0.5})
    Draft202012Validator(orjson.loads(SCHEMA.read_bytes())).validate(
        orjson.loads(orjson.dumps(found))
    )


@examples(30)
@given(any_games, st.sampled_from([40, 80, 120]))
def test_tables_keep_to_the_width(games, width):
    """No line of a table is longer than the terminal is wide, for any games."""
    console = Console(width=width)
    with console.capture() as capture:
        print_standings(console, standings(NAMES, games))
        print_ratings(console, rating_list(NAMES, games))
    assert max(map(len, capture.get().splitlines())) <= width


def test_repeated_games_change_no_rating():
    """A thousand copies of two games do not change the rating and its interval."""
    pair = [game("a", "b", 1, "44"), game("b", "a", 2, "44")]
    few, many = standings("ab", pair), standings("ab", pair * 500)
    one, other = by_name(few)["a"], by_name(many)["a"]
    assert (one.games, other.games, other.distinct_games) == (2, 1000, 2)
    rating = (one.rating, one.rating_low, one.rating_high, one.los)
    assert rating == (other.rating, other.rating_low, other.rating_high, other.los)
    assert one.rating_high - one.rating_low > 500


def test_bots_that_gave_up_have_groups_of_their_own():
    """A bot without games that count is in no group of rated bots."""
    names = {Player(place): name for place, name in enumerate("abcd")}
    progress = Progress(1, True, gave_up=frozenset({Player(2), Player(3)}))
    games = [game_of("1212121", winner=1, ending="line")]
    found = contest_standings(names, names, games, (), progress)
    assert [(row.bot, row.group) for row in found.bots] == [("a", 1), ("b", 1), ("c", 2), ("d", 3)]

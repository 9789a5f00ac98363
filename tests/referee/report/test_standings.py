"""Standings of any number of bots: order, consistent counts, unknown values."""

from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from c4_protocol.records.reports import Standing, Standings
from c4_referee.formats import Forfeit, StoredGame
from c4_referee.report.rich_tables import (
    print_ratings,
    print_standings,
    ratings_csv,
    render_crosstable,
    table_notes,
)
from c4_referee.report.standings import Anchor, contest_standings, rating_list, standings
from c4_referee.schedule import Player
from c4_referee.storage.archive import Progress
from effort import examples
from games import game_of
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from rich.console import Console

SCHEMA = (
    Path(__file__).parents[3] / "protocol" / "c4_protocol" / "schemas" / "standings.schema.json"
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


def test_extra_points_count():
    """The points of a bye count, and are also shown separately."""
    games = [game("a", "b", 1)]
    found = standings("abc", games, {"c": 1.5})
    assert [(bot.bot, bot.points, bot.extra_points) for bot in found.bots] == [
        ("c", 1.5, 1.5), ("a", 1, 0), ("b", 0, 0)
    ]  # fmt: skip
    assert by_name(found)["c"].games == 0


def test_ranking_decides_before_points():
    """A ranking decides before points. Bots without a rank follow, by points."""
    games = [game("a", "b", 1), game("a", "c", 1), game("c", "d", 1)]
    found = standings("abcd", games, ranking="db")
    assert [(bot.rank, bot.bot) for bot in found.bots] == [(1, "d"), (2, "b"), (3, "a"), (4, "c")]


def test_forfeits_are_counted_by_reason():
    """The forfeits of each bot are counted by fault."""
    late = Forfeit("b", "late")
    games = [game("a", "b", 1, ending="forfeit", fault=late)] * 2 + [
        game("b", "a", 2, ending="forfeit", fault=Forfeit("b", "illegal move"))
    ]
    assert by_name(standings("ab", games))["b"].forfeits == {"late": 2, "illegal move": 1}


def test_repeated_games_change_no_rating():
    """A thousand copies of two games do not change the rating and its interval."""
    pair = [game("a", "b", 1, "44"), game("b", "a", 2, "44")]
    few, many = standings("ab", pair), standings("ab", pair * 500)
    one, other = by_name(few)["a"], by_name(many)["a"]
    assert (one.games, other.games, other.distinct_games) == (2, 1000, 2)
    rating = (one.rating, one.rating_low, one.rating_high, one.los)
    assert rating == (other.rating, other.rating_low, other.rating_high, other.los)
    assert one.rating_high - one.rating_low > 500


def test_bot_without_games_has_no_rating():
    """A bot without games, or only with void games, has no rating and no likelihood."""
    found = standings("abc", [game("a", "b", 1), game("a", "c", 0, ending="void")])
    stranger = by_name(found)["c"]
    assert (stranger.rating, stranger.rating_low, stranger.rating_high) == (None, None, None)
    assert by_name(found)["b"].los is None
    assert found.void == 1
    nobody = standings("ab", [])
    assert nobody.first_advantage is nobody.draws is None


def test_value_of_going_first_has_no_negative_zero() -> None:
    """A value that is rounded to 0 has no sign."""
    games = [game_of("1212121", winner=1), game_of("1212121", first="b", second="a", winner=2)]
    table = replace(standings("ab", games), first_advantage=-0.3)
    assert "Going first is worth 0 points" in table_notes(table, ()).plain


def test_groups_are_not_compared():
    """Groups of bots that no games connect have separate mean ratings."""
    games = [game("a", "b", 1), game("b", "a", 2), game("c", "d", 1), game("d", "e", 1)]
    found = rating_list("abcde", games)
    assert [(bot.group, bot.rank, bot.bot) for bot in found.bots] == [
        (1, 1, "c"), (1, 2, "d"), (1, 3, "e"), (2, 1, "a"), (2, 2, "b")
    ]  # fmt: skip
    bots = by_name(found)
    assert bots["a"].rating == -bots["b"].rating > 0
    assert bots["e"].los is None
    assert bots["a"].los > 0.7


def test_anchor_sets_the_scale():
    """The anchor has its given rating, and others have the interval of the difference to it."""
    games = [game("a", "b", 1)] * 6 + [game("b", "a", 1)] * 2 + [game("d", "e", 1)]
    free, fixed = (
        by_name(rating_list("abde", games)),
        by_name(rating_list("abde", games, Anchor("b", 1500))),
    )
    assert (fixed["b"].rating_low, fixed["b"].rating, fixed["b"].rating_high) == (1500,) * 3
    difference = free["a"].rating - free["b"].rating
    assert fixed["a"].rating - 1500 == pytest.approx(difference, abs=0.11)
    assert fixed["d"].rating is None
    assert fixed["a"].los == free["a"].los


def test_few_games_can_be_left_out():
    """Bots with few games are not listed, but their games count."""
    games = [game("a", "b", 1)] * 9 + [game("c", "a", 1)]
    all_of_them, some = rating_list("abc", games), rating_list("abc", games, fewest_games=2)
    assert [bot.bot for bot in some.bots] == ["a", "b"]
    assert [bot.rank for bot in some.bots] == [1, 2]
    assert by_name(some)["a"].rating == by_name(all_of_them)["a"].rating
    assert some.games == 10


def test_csv_has_a_line_for_each_bot():
    """The CSV has a line for each bot. Names with commas are quoted, unknown values are empty."""
    found = rating_list(["a, b", "c"], [game("a, b", "c", 1)])
    header, first, second = ratings_csv(found).splitlines()
    assert header.split(",")[:4] == ["group", "rank", "bot", "rating"]
    assert first.startswith('1,1,"a, b",')
    assert second.startswith("1,2,c,-")
    assert second.split(",")[6] == ""


def standings_table(found: Standings, width: int):
    """Return the text of the table above the crosstable."""
    console = Console(width=width)
    with console.capture() as capture:
        print_standings(console, found)
    return capture.get().split("Against")[0].split("The crosstable")[0]


def shown(drawn, width: int) -> str:
    """Return the text of a table on a terminal of ``width`` columns."""
    console = Console(width=width)
    with console.capture() as capture:
        console.print(drawn)
    return capture.get()


@pytest.mark.parametrize(
    ("width", "cell"), [(120, "+1=1-0"), (100, "1½/2"), (70, " 75"), (40, "is too wide")]
)
def test_crosstable_shows_what_fits(width, cell):
    """A crosstable shows results, points, percentages or a message, depending on the width."""
    names = [f"player number {number:02}" for number in range(12)]
    games = [
        game(one, other, winner)
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        for winner in (0, 1)
    ]
    text = shown(render_crosstable(standings(names, games), width), width)
    assert cell in text
    assert "…" not in text or width == 70
    if width > 40:
        assert len(text.splitlines()) == 12 + 3
        assert text.count("·") == 12


def test_crosstable_has_the_numbers_of_the_ranking():
    """Bots that share a rank have the same number in both tables."""
    text = shown(render_crosstable(standings("abc", [game("a", "b", 0)]), 80), 80)
    assert [line.split()[0] for line in text.splitlines()[-3:]] == ["1", "1", "3"]


def test_long_names_are_cut_in_the_crosstable_and_folded_above_it():
    """A long name is cut in the crosstable and folded in the table above it."""
    long = "x" * 200
    found = standings([long, "b"], [game(long, "b", 1), game("b", long, 0)])
    assert standings_table(found, 80).count("x") == 200
    text = shown(render_crosstable(found, 80), 80)
    assert "x…" in text
    assert "+1=1-0" in text


def test_wide_letters_are_not_cut_in_the_crosstable():
    """A name of letters that are two columns wide is shown whole if there is room."""
    wide = "四" * 20
    found = standings([wide, "b"], [game(wide, "b", 1)])
    assert wide in shown(render_crosstable(found, 80), 80)


def test_empty_columns_are_left_out():
    """Byes, forfeits and repeated games have columns only if there are any."""
    plain = [game("a", "b", 1, "1")]
    quiet = standings_table(standings("ab", plain), 100)
    assert not any(word in quiet for word in ("byes", "forfeits", "distinct"))
    fault = replace(plain[0], ending="forfeit", fault=Forfeit("b", "late"))
    loud = standings_table(standings("ab", [fault, fault], {"a": 1}), 100)
    assert all(word in loud for word in ("byes", "forfeits", "distinct"))
    assert "1/2" in loud


def test_gauntlet_is_ranked_by_share_of_points():
    """The tested bot comes first, and the others follow by their share of the points."""
    pairs = [("mine", "good", 2), ("mine", "weak", 1), ("mine", "new", 2), ("mine", "good", 0)]
    games = [
        game_of(f"4{number}", first=first, second=second, winner=winner, game=number)
        for number, (first, second, winner) in enumerate(pairs, 1)
    ]
    names = {Player(place): bot for place, bot in enumerate(("mine", "weak", "good", "new"))}
    table = contest_standings(names, [*names], games, (), Progress(4, True), system="gauntlet")
    assert [(row.bot, row.rank, row.tested) for row in table.bots] == [
        ("mine", 3, True), ("new", 1, False), ("good", 2, False), ("weak", 4, False)
    ]  # fmt: skip
    console = Console(width=100)
    with console.capture() as capture:
        print_standings(console, table)
    assert "Against each other" not in capture.get(), "it would repeat the results"

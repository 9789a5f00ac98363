"""Selection, mutation and crossover, the method SPSA, and whole runs."""

import random

import pytest
from c4_referee.tuning.arena import TUNED_PLAYER, Arena, TuningGame, reduce_weights
from c4_referee.tuning.evolution import RunSettings, StoppingRule, evolve
from c4_referee.tuning.optimizers import (
    MAX_WEIGHT,
    Spsa,
    cross_over,
    mutate,
    next_population,
    spread_of_weights,
)
from hypothesis import given
from hypothesis import strategies as st

weights = st.tuples(*[st.integers(0, MAX_WEIGHT)] * 3)
draws = st.integers(0, 1 << 32).map(random.Random)


@given(weights, draws)
def test_mutation_replaces_one_weight(player, draw) -> None:
    """A mutation changes at most one weight, and all weights stay between 0 and 99."""
    child = mutate(player, draw)
    assert sum(a != b for a, b in zip(player, child, strict=True)) <= 1
    assert all(0 <= weight <= MAX_WEIGHT for weight in child)


@given(weights, weights, draws)
def test_crossover_exchanges_one_weight(one, other, draw) -> None:
    """A crossover exchanges one weight between two children, which otherwise equal the parents."""
    first, second = cross_over(one, other, draw)
    places = list(zip(one, other, first, second, strict=True))
    assert all((a, b) in ((c, d), (d, c)) for a, b, c, d in places)
    changed = sum((a, b) != (c, d) for a, b, c, d in places)
    assert changed == 1 or (changed == 0 and any(a == b for a, b, _, _ in places))


@given(st.lists(weights, min_size=1, max_size=6), st.integers(0, 20), draws)
def test_next_population_begins_with_the_winners(winners, more, draw) -> None:
    """The next population begins with the winners, and has the right size.

    Each child differs from the winners in at most one weight.
    """
    population = next_population(winners, len(winners) + more, draw)
    assert population[: len(winners)] == winners
    assert len(population) == len(winners) + more
    known = [{winner[place] for winner in winners} for place in range(3)]
    for child in population:
        assert sum(weight not in known[place] for place, weight in enumerate(child)) <= 1


@given(weights, st.integers(1, 9))
def test_multiples_are_the_same_player(player, factor) -> None:
    """Multiples are reduced to the same weights, and reducing twice changes nothing."""
    multiple = tuple(factor * weight for weight in player)
    assert (
        reduce_weights(multiple) == reduce_weights(player) == reduce_weights(reduce_weights(player))
    )


def test_multiples_play_the_same_games() -> None:
    """Players with multiple weights play the same games, as the arena's memory assumes.

    The games here are played without this memory.
    """
    draw = random.Random(3)
    for _ in range(20):
        one, other = (tuple(draw.randint(0, 30) for _ in range(3)) for _ in range(2))
        games = []
        for factor in (1, 3):
            arena = Arena(3)
            multiples = [tuple(factor * weight for weight in player) for player in (one, other)]
            players = [(TUNED_PLAYER, {"depth": 3, "weights": player}) for player in multiples]
            ((moves, winner, _),) = arena._play(players, [(0, 1, "")])
            games.append((moves, winner))
        assert games[0] == games[1]


def test_a_game_is_played_once() -> None:
    """Equal games are played once, also with multiple weights. Order and opening matter."""
    arena = Arena(1)
    asked = [
        TuningGame((1, 3, 6), (1, 1, 1)),
        TuningGame((2, 6, 12), (5, 5, 5)),
        TuningGame((1, 1, 1), (1, 3, 6)),
        TuningGame((1, 3, 6), (1, 1, 1), "44"),
    ]
    played, new = arena.play(asked)
    assert played[0] == played[1]
    assert list(new) == [asked[0], asked[2], asked[3]]
    assert arena.play(asked) == (played, {})


SIX = StoppingRule(6)


def run(ending=SIX, threads=1, **changes):
    """Return the rounds of a small run."""
    settings = RunSettings(**{"depth": 1, "population": 6, "elite": 2} | changes)
    return list(evolve(settings, ending, Arena(settings.depth, threads=threads)))


def test_every_ordered_pair_plays_once() -> None:
    """Each pair plays twice, with each player first once, and the scores add up to 0."""
    rounds = run()
    assert [one.games for one in rounds] == [30 * number for number in range(1, 7)]
    assert all(sum(one.scores) == 0 for one in rounds)
    assert any(any(one.scores) for one in rounds)


@pytest.mark.parametrize("changes", [{}, {"openings": 2}, {"sparring": ("windows", "needed")}])
def test_threads_change_nothing(changes) -> None:
    """The same seed gives the same run with any number of threads. Another seed does not."""
    assert run(**changes) == run(threads=4, **changes)
    assert run(**changes) != run(seed=1, **changes)


def test_it_stops_when_the_winners_are_alike() -> None:
    """A run ends with the first round in which every spread is below the threshold."""
    rounds = run(StoppingRule(200, threshold=20))
    assert len(rounds) < 200
    spreads = [max(spread_of_weights(one.winners)) for one in rounds]
    assert spreads[-1] < 20 <= min(spreads[:-1])


def test_spsa_climbs_a_hill() -> None:
    """SPSA moves to the weights whose distance the scores measure."""
    wanted, method, draw = (20, 45, 80), Spsa(20), random.Random(1)
    for _ in range(300):
        players = method.propose_players(draw)
        scores = [-sum((a - b) ** 2 for a, b in zip(p, wanted, strict=True)) for p in players]
        mean = sum(scores) // len(scores)
        (centre,) = method.receive_scores([(one - mean) // 100 for one in scores])
    assert max(abs(a - b) for a, b in zip(centre, wanted, strict=True)) <= 6

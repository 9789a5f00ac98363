"""Ratings of any number of players, with draws and the advantage of going first as parameters.

The model is that of Bradley and Terry (1952, Biometrika 39), with Davidson's draws (1970, Journal
of the American Statistical Association 65) and the order effect of Davidson and Beaver (1977,
Biometrics 33). Between a first player of strength a and a second player of strength b, a win, a
draw and a loss of the first have odds of ``a * g : d * sqrt(a * g * b) : b``.
"""

import math
from dataclasses import dataclass

from c4_referee.records.stats.array import Counts, Floats, np
from c4_referee.records.stats.elo import POINTS_PER_LOGIT

PRIOR_GAMES = 0.5
"""Games against an average player, half won and half lost, that are added to each player's results.

With 0.5, the 95% intervals of simulated round robins contained at least 94.6% of the true
differences (2 to 12 players, up to 1,200 points apart, ``tests/bench/rating_coverage.py``). With 1,
an earlier simulation found 90.5% for few games between players far apart.
"""
NORMAL_QUANTILE = 1.959964
"""Half the width of the 95% interval of a normal distribution, in standard deviations."""
STEP_TOLERANCE = 1e-6
"""Distance from the maximum at which the search for it ends, in standard deviations."""
MAX_STEP = 4.0
"""Maximum change of a parameter by a step of this search, in logits."""
SUFFICIENT_INCREASE = 1e-4
"""Minimum gain of a step, as a fraction of the gain that the slope promises."""
DRAWS_STEP = 1e-3
"""Step of the draw parameter, in logits, with which a derivative is computed."""
ROUNDING_ERROR = 1e-12
"""Maximum rounding error of the loss, as a fraction of it."""
EFFECTS_OF_PARAMETERS = np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0], [-0.5, -0.5, 0.0]])
"""Effects on the logits of the first player's win, draw and loss, one row for each.

The columns are the effects of the difference in strength, the advantage of going first, and the
draw parameter."""
SIGNS_FOR_OTHER_PLAYER = np.array([-1.0, 1.0, 1.0])
"""Signs of the three effects, if the difference in strength is that of the second player."""
WITHOUT_PAIRS = np.zeros((0, 4), np.int64)
"""The ``pairs`` of ``rate_players`` if all games are independent."""


@dataclass(frozen=True)
class Estimate:
    """A value in Elo points with its 95% interval."""

    points: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo points with their covariance; shapes (players,) and (players, players).

    Players are indices. A hundred points are odds of 1.78 in games that are not drawn.
    ``first_advantage`` is the value of going first, in Elo points. ``draws`` is the odds of a draw
    to a win between equal players without the advantage of going first; ``draws_bounds`` is the 95%
    interval of these odds.

    ``groups`` has the number of each player's group. Games connect the players of a group, directly
    or through other players. No result compares players of different groups, so the mean rating of
    each group is 0, and intervals of differences between groups are infinite. The interval of a
    player without games is infinite, too.
    """

    points: Floats
    covariance: Floats
    groups: Counts
    first_advantage: Estimate
    draws: float
    draws_bounds: tuple[float, float]

    def rating(self, player: int) -> Estimate:
        """Return a player's rating relative to the mean of its group."""
        alone = (self.groups == self.groups[player]).sum() == 1
        variance = math.inf if alone else self.covariance[player, player]
        return _estimate_with_interval(self.points[player], variance)

    def difference(self, one: int, other: int) -> Estimate:
        """Return the rating of ``one`` minus that of ``other``."""
        covariance = self.covariance
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        compared = self.groups[one] == self.groups[other]
        return _estimate_with_interval(
            self.points[one] - self.points[other], variance if compared else math.inf
        )

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood, 0 to 1, that ``one`` is stronger than ``other``."""
        difference = self.difference(one, other)
        deviation = (difference.high - difference.low) / NORMAL_QUANTILE / 2
        if not deviation:
            return 0.5
        return 0.5 * math.erfc(-difference.points / deviation / math.sqrt(2))


def rate_players(
    results: Counts, pairs: Counts = WITHOUT_PAIRS, prior_games: float = PRIOR_GAMES
) -> Ratings:
    """Return the most likely ratings.

    ``results[first, second]`` has the wins, draws and losses of the first; shape (players, players,
    3). ``pairs`` has the games among them that form pairs; shape (pairs, 4). A row has two players,
    the outcome of the game in which the first of them is in seat 1, and that of the game in which
    the second is. An outcome is 0, 1 or 2 for a win, a draw or a loss of the player in seat 1. All
    other games are independent.

    A weak prior keeps ratings finite even for players who won all games or none: each player
    gets ``prior_games`` additional games against an average player, half won and half lost. The two
    other parameters have the same prior. The pull of this prior has a limit; the pull of a normal
    prior would grow with the distance of a rating from the average. If ``prior_games`` is 0, the
    ratings are those of maximum likelihood, if these exist. The function to maximise is concave, so
    its maximum is the only one, and is found.
    """
    players = len(results)
    model, maximum, covariance = _fitted(results, pairs, prior_games, np.zeros(players + 2))
    draws = maximum[-1] - (_bias_of_draws(model, maximum) if prior_games else 0)
    groups = _group_of_each_player(results.sum(axis=2))
    together = (groups[:, None] == groups).astype(float)
    # This matrix subtracts from each player's value the mean of its group.
    centred: Floats = np.eye(players) - together / together.sum(axis=1, keepdims=True)
    deviation = math.sqrt(max(covariance[-1, -1], 0))
    return Ratings(
        POINTS_PER_LOGIT * centred @ maximum[:players],
        POINTS_PER_LOGIT**2 * centred @ covariance[:players, :players] @ centred,
        groups,
        _estimate_with_interval(
            POINTS_PER_LOGIT * maximum[-2], POINTS_PER_LOGIT**2 * covariance[-2, -2]
        ),
        _odds(draws),
        (_odds(draws - NORMAL_QUANTILE * deviation), _odds(draws + NORMAL_QUANTILE * deviation)),
    )


def posterior_of_strengths(
    results: Counts, pairs: Counts, start: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the strengths in Elo points, their covariance, and the most likely parameters.

    ``results`` and ``pairs`` are those of ``rate_players``, whose posterior this is. Strengths are
    not centred, so the prior also compares players that no game connects. The search begins with
    the parameters ``start``; shape (players + 2,). With those of a little fewer games it is quick.
    """
    players = len(results)
    _, maximum, covariance = _fitted(results, pairs, PRIOR_GAMES, start)
    points: Floats = POINTS_PER_LOGIT * maximum[:players]
    return points, POINTS_PER_LOGIT**2 * covariance[:players, :players], maximum


def _fitted(
    results: Counts, pairs: Counts, prior_games: float, start: Floats
) -> tuple["_PosteriorModel", Floats, Floats]:
    """Return the model of some results, its most likely parameters, and their covariance."""
    games = results.sum(axis=2)
    first, second = (games > 0).nonzero()
    counts = results[first, second].astype(float)
    model = _PosteriorModel(len(results), first, second, counts, prior_games)
    maximum = _most_likely_parameters(model, start)
    free = len(start) - len(np.unique(_group_of_each_player(games)))
    clusters = games.sum() - len(pairs)
    excess = model.excess(maximum, pairs, 1 + free / max(clusters, 1))
    return model, maximum, _covariance(model.hessian(maximum), excess)


def _most_likely_parameters(model: "_PosteriorModel", parameters: Floats) -> Floats:
    """Return the most likely parameters, found by Newton's method from these.

    A step that does not increase the probability enough is halved (Armijo's rule). The method ends,
    because the function is concave. Without a limit, a step from the rating of a player who has
    lost all games, and now wins one, can end where the function is almost linear.
    """
    while True:
        gradient, hessian = model.gradient(parameters), model.hessian(parameters)
        step: Floats = -model.solution(hessian, gradient)
        slope = gradient @ step
        if -slope < STEP_TOLERANCE**2:
            return parameters
        limit = min(1.0, MAX_STEP / np.abs(step).max())
        step, slope = limit * step, limit * slope
        loss = model.loss(parameters)
        rounding = ROUNDING_ERROR * abs(loss)
        while model.loss(parameters + step) > loss + SUFFICIENT_INCREASE * slope + rounding:
            step, slope = step / 2, slope / 2
        parameters = parameters + step


def _bias_of_draws(model: "_PosteriorModel", maximum: Floats) -> float:
    """Return by how much the draw parameter at the maximum is too high.

    Ratings that fit the same games explain too many of the decided games, so more draws seem to
    need an explanation. With many players and few games the error is as large as the interval. The
    likelihood of the draw parameter given the points of each player has no such error. Its
    approximation is the maximum for each value of this parameter, times the root of the
    determinant of the other parameters' Hessian (Barndorff-Nielsen and Cox 1979, Journal of the
    Royal Statistical Society B 41). The result is one step to its maximum. The simulated shares are
    in ``docs/statistics.md``.
    """
    hessian = model.hessian(maximum)
    along = np.linalg.pinv(hessian, hermitian=True)[:, -1]  # other parameters follow this one
    step = along * (DRAWS_STEP / along[-1])
    change = model.hessian(maximum + step) - model.hessian(maximum - step)
    slope = np.linalg.pinv(hessian[:-1, :-1], hermitian=True) * change[:-1, :-1]
    return float(-along[-1] * slope.sum() / (4 * DRAWS_STEP))


def _covariance(hessian: Floats, excess: Floats) -> Floats:
    """Return the covariance of parameters that were estimated from games and pairs of games.

    If all games are independent, this is the inverse of the Hessian H (Laplace's approximation), so
    it depends on who met whom. If they are not, it is the sandwich ``H^-1 (H + excess) H^-1``
    (White 1980, Econometrica 48; Liang and Zeger 1986, Biometrika 73). With few pairs or one-sided
    results, an estimated excess is often far too low. So its negative eigenvalues, relative to H,
    count as 0: no interval is narrower than that of Laplace.
    """
    values, vectors = np.linalg.eigh(hessian)
    regular = values > len(values) * np.finfo(float).eps * values[-1]
    root = vectors[:, regular] / np.sqrt(values[regular])
    values, vectors = np.linalg.eigh(root.T @ excess @ root)
    root = root @ vectors
    covariance: Floats = root * (1 + np.maximum(values, 0)) @ root.T
    return covariance


def _group_of_each_player(games: Counts) -> Counts:
    """Return the index of each player's group, from 0.

    Two players are in the same group if a chain of games connects them.
    """
    players = len(games)
    connected = (games + games.T > 0) | np.eye(players, dtype=bool)
    groups, numbers = np.full(players, -1), np.arange(players)
    while (groups != numbers).any():  # each player takes the lowest number among its opponents
        groups = numbers
        numbers = np.where(connected, groups, players).min(axis=1, initial=players)
    return np.unique(groups, return_inverse=True)[1]


def _odds(logit: float) -> float:
    """Return the odds of a logit, or about 1e304 or 1e-304 if they do not fit into a float."""
    return math.exp(max(min(logit, 700.0), -700.0))


class _PosteriorModel:
    """The negative logarithm of the posterior probability, and its derivatives.

    The parameters are logits: the rating of each player, the advantage of going first, and the odds
    of a draw.
    """

    def __init__(
        self, players: int, first: Counts, second: Counts, counts: Floats, prior_games: float
    ) -> None:
        self._first, self._second, self._counts = first, second, counts
        self._players = players
        self._prior_games = prior_games

    def loss(self, parameters: Floats) -> float:
        """Return the negative logarithm of the posterior, without a constant term."""
        logits = _logits(parameters, self._first, self._second)
        likelihood = logits - np.logaddexp.reduce(logits, axis=1)[:, None]
        prior = self._prior_games * np.logaddexp(parameters / 2, -parameters / 2).sum()
        return float(prior - (self._counts * likelihood).sum())

    def gradient(self, parameters: Floats) -> Floats:
        """Return the first derivatives of the loss."""
        games = self._counts.sum(axis=1, keepdims=True)
        expected = games * _probabilities(parameters, self._first, self._second)
        surplus = (expected - self._counts) @ EFFECTS_OF_PARAMETERS
        prior: Floats = self._prior_games / 2 * np.tanh(parameters / 2)
        return prior + _sum_by_parameter(self._players, self._first, self._second, surplus)

    def hessian(self, parameters: Floats) -> Floats:
        """Return the second derivatives of the loss."""
        games = self._counts.sum(axis=1)[:, None, None]
        moments = games * _covariances_of_effects(
            _probabilities(parameters, self._first, self._second)
        )
        prior = self._prior_games / 4 * (1 - np.tanh(parameters / 2) ** 2)
        return np.diag(prior) + _sum_by_two_parameters(
            self._players, self._first, self._second, moments
        )

    def solution(self, hessian: Floats, gradient: Floats) -> Floats:
        """Return the vector whose product with the Hessian is the gradient.

        Without a prior, the Hessian has no inverse, and its pseudo-inverse is used.
        """
        if self._prior_games:
            return np.asarray(np.linalg.solve(hessian, gradient))
        precision = len(gradient) * np.finfo(float).eps
        found: Floats = np.linalg.pinv(hessian, precision, hermitian=True) @ gradient
        return found

    def excess(self, parameters: Floats, pairs: Counts, factor: float) -> Floats:
        """Return how much the gradients of pairs vary beyond those of independent games.

        It is the sum of ``factor * s s^T - H`` over all pairs. The gradient of a pair is s. Its
        Hessian H is the expected value of ``s s^T`` if both games are independent. ``factor`` is
        above 1, because gradients at the maximum are too small: the maximum is that of the same
        games. MacKinnon and White (1985, Journal of Econometrics 29) use n / (n - p) for n
        independent observations and p parameters. ``rate_players`` uses 1 + p / n, which is almost
        the same for many observations, and stays small for few.
        """
        one, other = pairs[:, 0], pairs[:, 1]
        there = _probabilities(parameters, one, other)
        back = _probabilities(parameters, other, one)
        gradient = there @ EFFECTS_OF_PARAMETERS - EFFECTS_OF_PARAMETERS[pairs[:, 2]]
        gradient += (
            back @ EFFECTS_OF_PARAMETERS - EFFECTS_OF_PARAMETERS[pairs[:, 3]]
        ) * SIGNS_FOR_OTHER_PLAYER
        moments = factor * gradient[:, :, None] * gradient[:, None]
        moments -= _covariances_of_effects(there) + _covariances_of_effects(back) * np.outer(
            SIGNS_FOR_OTHER_PLAYER, SIGNS_FOR_OTHER_PLAYER
        )
        return _sum_by_two_parameters(self._players, one, other, moments)


def _logits(parameters: Floats, first: Counts, second: Counts) -> Floats:
    """Return the logits of win, draw and loss for each pair of players; shape (pairs, 3)."""
    effects = np.empty((len(first), 3))
    effects[:, 0] = parameters[first] - parameters[second]
    effects[:, 1:] = parameters[-2:]
    logits: Floats = effects @ EFFECTS_OF_PARAMETERS.T
    return logits


def _probabilities(parameters: Floats, first: Counts, second: Counts) -> Floats:
    """Return the probabilities of win, draw and loss; shape (pairs, 3)."""
    logits = _logits(parameters, first, second)
    odds: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


def _covariances_of_effects(probabilities: Floats) -> Floats:
    """Return the covariance of the three effects in a game; shape (pairs, 3, 3)."""
    means = probabilities @ EFFECTS_OF_PARAMETERS
    products = EFFECTS_OF_PARAMETERS[:, :, None] * EFFECTS_OF_PARAMETERS[:, None]
    moments: Floats = np.tensordot(probabilities, products, 1)
    moments -= means[:, :, None] * means[:, None]
    return moments


def _sum_by_parameter(players: int, one: Counts, other: Counts, effects: Floats) -> Floats:
    """Return for each parameter the sum of the effects of all pairs of players.

    The shape of ``effects`` is (pairs, 3), that of the result is (parameters,).
    """
    between = effects[:, 0]
    strengths = np.bincount(one, between, players) - np.bincount(other, between, players)
    return np.concatenate([strengths, effects[:, 1:].sum(axis=0)])


def _sum_by_two_parameters(players: int, one: Counts, other: Counts, products: Floats) -> Floats:
    """Return for each two parameters the sum of the products of effects of all pairs of players.

    The shape of ``products`` is (pairs, 3, 3), that of the result is (parameters, parameters).
    """
    between = np.bincount(one * players + other, products[:, 0, 0], players * players)
    between = between.reshape(players, players)
    spread = np.empty((players + 2, players + 2))
    spread[:players, :players] = np.diag(between.sum(axis=0) + between.sum(axis=1))
    spread[:players, :players] -= between + between.T
    spread[-2] = _sum_by_parameter(players, one, other, products[:, 1])
    spread[-1] = _sum_by_parameter(players, one, other, products[:, 2])
    spread[:players, -2:] = spread[-2:, :players].T
    return spread


def _estimate_with_interval(points: float, variance: float) -> Estimate:
    margin = NORMAL_QUANTILE * math.sqrt(max(variance, 0.0))
    return Estimate(float(points), float(points - margin), float(points + margin))

"""The costliest mistakes of a bot."""

from dataclasses import replace

from c4_protocol.records.events import VariantRecord
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.site.bot_page import render_bot
from c4_referee.site.mistakes import worst_mistakes
from c4_referee.site.results import ContestResults
from c4_referee.stats.solved import Reason, Solved, position_key
from contests import random_contest, random_game

MOVES = "4141424"
"""The second player misses column 4 after 5 moves, and the first player completes its line."""


def contest_of(*moves):
    """Return a contest of two bots with these games, whose last missed blocks are solved."""
    base = random_game(1, "a", "b")
    games = [
        replace(base, game=n, moves=text, ms=[1.0] * len(text), winner=1, ending="line")
        for n, text in enumerate(moves, 1)
    ]
    before = position_from_moves(MOVES[:5], STANDARD)
    scores = (-18, -18, -18, 2, -18, -18, -18)
    return random_contest(["a", "b"], 0, games=tuple(games), solved={
        position_key(before): Solved(2, scores)
    })  # fmt: skip


def test_mistake_is_found_with_its_better_move():
    """A move that threw away a win is shown with what it cost, and with the better move."""
    results = ContestResults(contest_of(MOVES))
    (mistake,) = worst_mistakes(results, "b")
    assert (mistake.move, mistake.better, mistake.opponent) == ("2", "4", "a")
    assert mistake.change.before == 2
    assert mistake.change.after < 0
    assert "<svg" in mistake.picture
    assert worst_mistakes(results, "a") == []


def test_same_mistake_counts_once():
    """The same move in the same position in several games is one mistake."""
    (mistake,) = worst_mistakes(ContestResults(contest_of(MOVES, MOVES)), "b")
    assert (mistake.games, mistake.game.game) == (2, 1)


def test_page_links_to_the_mistake():
    """The page of the bot shows the mistake, and a link to its ply."""
    page = render_bot(ContestResults(contest_of(MOVES)), 1, "../", [])
    assert "../games/1.html#6" in page
    assert "won +2" in page


def test_a_known_reason_replaces_the_moves():
    """The page has the sentence that explains the mistake, as text."""
    contest = contest_of(MOVES)
    ((key, solved),) = contest.solved.items()
    explained = replace(
        solved, reasons=(Reason("2", "Column 2 <b>loses</b>: column 4 wins.", "4"),)
    )
    page = render_bot(ContestResults(replace(contest, solved={key: explained})), 1, "../", [])
    assert ">Column 2 &lt;b&gt;loses&lt;/b&gt;: column 4 wins.</p>" in page
    assert "Played" not in page
    assert "<p>Played <b>2</b>, better was <b>4</b>.</p>" in render_bot(
        ContestResults(contest), 1, "../", []
    )


def test_nothing_is_known_without_solved_positions():
    """Without solved positions, no mistakes are shown."""
    contest = replace(contest_of(MOVES), solved={})
    assert worst_mistakes(ContestResults(contest), "b") == []


def test_missed_steal_is_shown_on_the_stone():
    """If the steal was the better move, the picture marks the stone that could be stolen."""
    variant = Variant(7, 6, steal=True)
    base = random_game(1, "a", "b")
    game = replace(base, moves="4111", ms=[1.0] * 4, winner=1, variant=VariantRecord.of(variant))
    solved = {
        position_key(position_from_moves("4", variant)): Solved(1, (-4, -2, -2, -1, -2, -2, -4)),
        position_key(position_from_moves("41", variant)): Solved(4, (0, 0, 0, 4, 0, 0, 0)),
    }
    contest = random_contest(["a", "b"], 0, games=(game,), solved=solved)
    (mistake,) = worst_mistakes(ContestResults(replace(contest, variant=variant)), "b")
    assert (mistake.move, mistake.better) == ("1", "s")
    assert 'class="be" d="M4 6m' in mistake.picture

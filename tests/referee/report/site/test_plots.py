"""Pictures for papers: what they show, the same files each time, and names of all kinds."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.records.stats.ratings import Estimate
from c4_referee.records.stats.solved import Change, GameAnalysis
from c4_referee.report.site import drawing, plots
from contests import HOSTILE, random_contest
from games import game_of

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

NAMES = ("strong", r"$\frac{x}$", "<b>&amp;</b>", "\u202egnp.exe\x1b[2J", "名前", "x" * 200)
VALUES = (1, -1, 0, None, 5, -5)


def ratings():
    """Return a rating for each name."""
    return [(name, Estimate(50.0 * place, -40.0, 300.0)) for place, name in enumerate(NAMES)]


def game(first="strong", second="weak"):
    """Return a finished game without moves."""
    return game_of("", game=17, first=first, second=second, winner=1, ending="line")


def analysis(values=VALUES):
    """Return an analysis in which the second move changed the result."""
    return GameAnalysis(tuple(values), ((),) * len(values), (Change(1, -1, 0),))


def texts(svg):
    """Return all texts of a picture."""
    found = ET.fromstring(svg).iter()
    return [element.text or "" for element in found if element.tag.endswith("text")]


def test_ratings_are_text_in_the_order_given():
    """Names and ratings remain text, and no name is read as markup, a formula or a control."""
    files = dict(plots.rating_plot(ratings(), "rating"))
    short = [plots.short_name(name) for name in NAMES]
    shown = texts(files["ratings.svg"])
    assert [text for text in shown if text in short] == short
    assert "+50 (\N{MINUS SIGN}40 to +300)" in shown
    assert files["ratings.png"].startswith(b"\x89PNG")


@pytest.mark.parametrize("name", NAMES)
def test_short_name_is_visible_and_short(name):
    """Every character of a short name can be seen."""
    assert plots.short_name(name).isprintable()
    assert len(plots.short_name(name)) <= plots.MAX_NAME


def test_same_data_give_the_same_files():
    """Pictures contain no date and no random name."""
    for draw in (
        lambda: plots.rating_plot(ratings(), ""),
        lambda: plots.value_plot(game(), analysis()),
    ):
        assert dict(draw()) == dict(draw())


def test_values_are_those_of_the_first_player():
    """The sign of every second value is changed, and an unknown value is a gap."""
    found = plots._values_of_first(analysis())
    assert [*map(str, found)] == ["1.0", "1.0", "0.0", "nan", "5.0", "5.0"]
    files = dict(plots.value_plot(game(first="$a$"), analysis()))
    shown = " ".join(texts(files["game-17.svg"]))
    assert "$a$" in shown
    assert "changed the result" in shown


@pytest.mark.parametrize("values", [(0, 0), (1, -1), (None, 0, 0)])
def test_games_without_swings_have_a_picture(values):
    """A game of draws, and a game whose last values alone are known, have a picture."""
    assert len([*plots.value_plot(game(), GameAnalysis(values, ((),) * len(values), ()))]) == 2


def test_site_has_pictures_of_its_contests(monkeypatch):
    """Each contest has pictures of its ratings and of some games whose values are known."""
    monkeypatch.setattr(plots, "MAX_GAMES", 2)
    stored = random_contest(HOSTILE, 30)
    names = [name for name, _ in plots.site_plots([stored])]
    assert names[:2] == ["plots/ratings.svg", "plots/ratings.png"]
    assert len(names) == 6
    both = [name for name, _ in plots.site_plots([stored, replace(stored, number=2)])]
    assert both == [f"{number}/{name}" for number in (1, 2) for name in names]


def test_missing_library_is_named(monkeypatch):
    """Without matplotlib, one line says what to install."""
    monkeypatch.setattr(drawing, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'c4-arena\[plots\]'"):
        [*plots.rating_plot(ratings(), "rating")]

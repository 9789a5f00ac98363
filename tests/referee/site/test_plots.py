"""Pictures for papers: what they show, the same files each time, and names of all kinds."""

import xml.etree.ElementTree as ET

import pytest
from c4_protocol.errors import UsageError
from c4_protocol.events import GameEnded, VariantRecord
from c4_protocol.variant import STANDARD
from c4_referee.site import plots
from c4_referee.stats.solved import Change, GameAnalysis

pytest.importorskip("matplotlib", reason="optional: pip install 'c4-arena[plots]'")

NAMES = ("strong", r"$\frac{x}$", "<b>&amp;</b>", "\u202egnp.exe\x1b[2J", "名前", "x" * 200)
VALUES = (1, -1, 0, None, 5, -5)


def ratings():
    """Return a rating for each name."""
    return [(name, 50.0 * place, -40.0, 300.0) for place, name in enumerate(NAMES)]


def game(number=17, first="strong", second="weak"):
    """Return a finished game without moves."""
    record = VariantRecord.of(STANDARD)
    return GameEnded(number, first, second, "", [], [], 1, "line", None, [], {}, record)


def analysis(values=VALUES):
    """Return an analysis in which the second move changed the result."""
    return GameAnalysis(tuple(values), ((),) * len(values), (Change(1, -1, 0),))


def texts(path):
    """Return all texts of an SVG file."""
    return [element.text for element in ET.parse(path).iter() if element.tag.endswith("text")]


def test_ratings_are_text_in_the_order_given(tmp_path):
    """Names and ratings remain text, and no name is read as markup, a formula or a control."""
    plots.write_rating_plot(ratings(), tmp_path)
    shown = [
        text for text in texts(tmp_path / "ratings.svg") if text in map(plots.short_name, NAMES)
    ]
    assert shown == [plots.short_name(name) for name in NAMES]
    assert "+50 (\N{MINUS SIGN}40 to +300)" in texts(tmp_path / "ratings.svg")
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", NAMES)
def test_short_name_is_visible_and_short(name):
    """Every character of a short name can be seen."""
    assert plots.short_name(name).isprintable()
    assert len(plots.short_name(name)) <= plots.MAX_NAME


def test_same_data_give_the_same_files(tmp_path):
    """Pictures contain no date and no random name."""
    for folder in ("one", "other"):
        plots.write_plots(ratings(), [(game(), analysis())], tmp_path / folder)
    files = sorted((tmp_path / "one").iterdir())
    assert [file.name for file in files] == [
        "game-17.png",
        "game-17.svg",
        "ratings.png",
        "ratings.svg",
    ]
    for file in files:
        assert file.read_bytes() == (tmp_path / "other" / file.name).read_bytes()


def test_values_are_those_of_the_first_player(tmp_path, monkeypatch):
    """The sign of every second value is changed, and an unknown value is a gap."""
    found = plots._values_of_first(analysis())
    assert [*map(str, found)] == ["1.0", "1.0", "0.0", "nan", "5.0", "5.0"]
    plots.write_value_plot(game(first="$a$"), analysis(), tmp_path)
    shown = " ".join(filter(None, texts(tmp_path / "game-17.svg")))
    assert "$a$" in shown
    assert "changed the result" in shown


def test_games_without_values_have_no_picture(tmp_path, monkeypatch):
    """Games of which less than two values are known are left out, and those after a limit."""
    monkeypatch.setattr(plots, "MAX_GAMES", 1)
    unknown = analysis([None, None, 0])
    games = [(game(1), unknown), (game(2), analysis()), (game(3), analysis())]
    plots.write_plots([], games, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"game-2.svg", "game-2.png"}


@pytest.mark.parametrize("values", [(0, 0), (1, -1), (None, 0, 0)])
def test_games_without_swings_have_a_picture(tmp_path, values):
    """A game of draws, and a game whose last values alone are known, have a picture."""
    plots.write_value_plot(game(), GameAnalysis(values, ((),) * len(values), ()), tmp_path)
    assert (tmp_path / "game-17.svg").exists()


def test_missing_library_is_named(tmp_path, monkeypatch):
    """Without matplotlib, one line says what to install."""
    monkeypatch.setattr(plots, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'c4-arena\[plots\]'"):
        plots.write_rating_plot(ratings(), tmp_path)

"""Networks: patterns, files with weights, and evaluations."""

from pathlib import Path
from random import Random

import pytest
from c4_bot.evaluate import network
from c4_bot.evaluate._patterns import Patterns, Shape
from c4_bot.evaluate._weights import Weights, packed, read
from c4_bot.evaluate.network import WEIGHTS_FOLDER, Network, learned_weights
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, Variant

FILES = sorted(WEIGHTS_FOLDER.glob("*.network"))
MOST_BYTES = 1 << 20
SMALL = Patterns(Variant(5, 5), (Shape(1, 5, 0), Shape(4, 2, 0), Shape(4, 2, 1)))


def random_positions(variant: Variant, games: int) -> list[Position]:
    """Return all positions of random games."""
    numbers, found = Random(1), []
    for _ in range(games):
        position = Position(variant)
        while not position.is_over:
            found.append(position)
            position = position.play(numbers.choice(position.moves))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_weights_belong_to_their_game(path: Path) -> None:
    """Each file has the weights of the game in its name, says how they were made, and is used."""
    learned = read(path)
    variant = learned.patterns.variant
    assert path.stem == f"{variant.size}x{variant.connect}"
    assert learned.made.startswith("c4-tune train ")
    assert learned_weights(variant) == learned
    positions = random_positions(variant, 1)
    assert any(Network().evaluate(one, 1) != Zugzwang().evaluate(one, 1) for one in positions)


def test_weights_are_small() -> None:
    """All files together have at most 1 MB."""
    assert FILES
    assert sum(path.stat().st_size for path in FILES) <= MOST_BYTES


def test_the_steal_changes_nothing() -> None:
    """The game with the steal has the weights of the game without it."""
    assert learned_weights(CODINGAME) == learned_weights(Variant(9, 7))


@pytest.mark.parametrize("variant", [LINE8, Variant(6, 7), Variant(9, 7, 3)], ids=str)
def test_other_games_have_the_scores_of_zugzwang(variant: Variant) -> None:
    """Without learned weights, the score is that of ``Zugzwang`` with the same parameters."""
    assert learned_weights(variant) is None
    for position in random_positions(variant, 1):
        own = Network(10, 500, 7, (2, 5)).evaluate(position, 2)
        assert own == Zugzwang(10, 500, 7, (2, 5)).evaluate(position, 2)


def test_a_file_holds_what_was_packed(tmp_path: Path) -> None:
    """A file can be read again."""
    weights = Weights(SMALL, bytes(index % 256 for index in range(SMALL.size)), "by hand")
    path = tmp_path / "5x5x4.network"
    path.write_bytes(packed(weights))
    assert read(path) == weights


def test_weights_of_another_game_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file under the name of another game is one line on standard error, and is not used."""
    (tmp_path / "9x7x4.network").write_bytes((WEIGHTS_FOLDER / "7x6x4.network").read_bytes())
    monkeypatch.setattr(network, "WEIGHTS_FOLDER", tmp_path)
    learned_weights.cache_clear()
    position = Position(Variant(9, 7))
    assert Network().evaluate(position, 1) == Zugzwang().evaluate(position, 1)
    learned_weights.cache_clear()
    assert "those of standard; continuing without them" in capsys.readouterr().err


HUGE = "4,1000000000000,0 1000000000000,2,0 -1000000000000,2,0 4,2,1000000000000"
ODD = '4,2,-1 0,2,0 4,0,0 4,6,0 6,2,0 4,2.5,0 "4",2,0 4,2 [4],2,0'


@pytest.mark.parametrize("shape", f"{HUGE} {ODD}".split())
def test_shapes_that_do_not_fit_are_damage(tmp_path: Path, shape: str) -> None:
    """The sizes of a shape are checked before there are weights for it."""
    content = packed(Weights(SMALL, bytes(SMALL.size), "by hand"))
    path = tmp_path / "5x5x4.network"
    path.write_bytes(content.replace(b"[4,2,0]", f"[{shape}]".encode()))
    with pytest.raises(UsageError, match="damaged"):
        read(path)


@pytest.mark.parametrize("damage", ["cut", "changed", "no header", "empty", "other", "missing"])
def test_damaged_files_are_reported_once(
    tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A damaged file is one line on standard error. The scores are then those of ``Zugzwang``."""
    content = packed(Weights(SMALL, bytes(SMALL.size), "by hand"))
    head, _, rest = content.partition(b"\n")
    path = tmp_path / "5x5x4.network"
    changed = {
        "cut": content[:-5],
        "changed": head.replace(b'"crc32":', b'"crc32":1') + b"\n" + rest,
        "no header": rest,
        "empty": b"",
        "other": head.replace(b"[4,2,0]", b"[3,2,0]") + b"\n" + rest,
        "missing": b"",
    }
    path.write_bytes(changed[damage])
    if damage == "missing":
        path.unlink()
        path.mkdir()
    with pytest.raises(UsageError, match=r"5x5x4\.network"):
        read(path)
    monkeypatch.setattr(network, "WEIGHTS_FOLDER", tmp_path)
    learned_weights.cache_clear()
    position = position_from_moves("33", Variant(5, 5))
    for _ in range(2):
        assert Network().evaluate(position, 1) == Zugzwang().evaluate(position, 1)
    learned_weights.cache_clear()
    assert capsys.readouterr().err.count("continuing without them") == 1

"""Records of games for Python users: positions, values, mistakes, rows, and stored games."""

from pathlib import Path

import pytest
from c4_protocol import UsageError
from c4_protocol.rules.variant import LINE8
from c4_referee import GameEnded, play_match, read_games
from games import game_of

RECORDS = Path(__file__).parents[1] / "golden" / "records"
STORED = Path(__file__).parents[1] / "golden" / "stored" / "match"


def test_record_has_boards_values_and_mistakes() -> None:
    """Positions and exact values belong to the same plies, and mistakes name better moves."""
    game = GameEnded.of(game_of("1212124", winner=0, ms=[1.0] * 7, cpu_ms=[2.0] * 7))
    assert [board.stones for board in game.boards] == [*range(8)]
    assert len(game.values) == 8
    assert game.values[6] == 18
    (last,) = [change for change in game.mistakes() if change.ply == 6]
    assert (last.before, last.better) == (18, ("1",))
    assert game.rows()[6] == {
        "game": 1, "number": 7, "bot": "a", "move": "4", "ms": 1.0, "cpu_ms": 2.0
    }  # fmt: skip


def test_interrupt_is_raised_and_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends the search for values with an error; the next use solves the positions."""
    game = GameEnded.of(game_of("1212124", winner=0))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("c4_referee.contest.judging.solver_process.SolverProcess.ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            game.mistakes(progress=True)
    assert None not in game.values


def test_record_without_gravity_has_boards() -> None:
    """Moves that are cells are replayed, too."""
    game = GameEnded.of(game_of("a1 b2", variant=LINE8))
    assert [board.stones for board in game.boards] == [0, 1, 2]


@pytest.mark.parametrize("name", ["cutechess.pgn", "kaggle.json", "moves.csv", "pipe.jsonl"])
def test_files_of_other_programs_are_read(name: str) -> None:
    """Games of any format are read one after the other."""
    games = [*read_games(RECORDS / name)]
    assert [game.game for game in games] == [*range(1, len(games) + 1)]
    assert all(game.boards[-1].winner == game.winner for game in games if game.ending == "line")


def test_folder_is_read_and_bad_lines_are_warnings(tmp_path: Path) -> None:
    """Stored games are read; a line that is no game is a warning; a missing file is an error."""
    assert all(game.moves for game in read_games(STORED))
    (tmp_path / "mixed.txt").write_text("4455667\n4?\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="mixed.txt:2: "):
        assert [game.moves for game in read_games(tmp_path / "mixed.txt")] == ["4455667"]
    with pytest.raises(UsageError):
        next(read_games(tmp_path / "nothing"))


def test_games_of_a_match_are_such_records() -> None:
    """``on_game`` receives records with boards."""
    games: list[GameEnded] = []
    play_match("c4-bot --plays random", "c4-bot --plays random --seed 1", on_game=games.append)
    assert all(isinstance(game, GameEnded) and game.boards[-1].is_over for game in games)

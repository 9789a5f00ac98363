"""Stored trainings: they continue where they stopped, and have a page."""

from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.tuning import training
from c4_referee.tuning.report_page import (
    check_free_for_runs,
    check_free_for_training,
    is_tuning_folder,
    render_training,
    write_stored_reports,
)
from c4_referee.tuning.training import CurvePoint, TrainSettings, read_training, train

SETTINGS = TrainSettings("5x5", seed=1, solved=8, every=40)


class Trainer:
    """A trainer whose state is the number of games that it has played."""

    def __init__(self, *settings: object) -> None:
        self.games = 0

    def play(self, games: int) -> tuple[int, int, int, int, float, float]:
        """Count the games."""
        self.games += games
        return 10 * games, games, 0, 0, 5.0 * games, 0.25 * games

    def play_match(self, pairs: int, nodes: int, seed: int) -> tuple[int, int, int]:
        """Return outcomes that depend on the state."""
        return self.games % 7, 2, seed % 5

    def state(self) -> bytes:
        """Return the number of games."""
        return b"%d" % self.games

    def restore(self, state: bytes) -> None:
        """Continue with this number of games."""
        self.games = int(state)

    def file(self, made: str) -> bytes:
        """Return a text."""
        return f"{self.games} games: {made}".encode()


@pytest.fixture(autouse=True)
def trainer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train without the bot."""
    monkeypatch.setattr(training, "_load_trainer", Trainer)


def without_time(curve: list[CurvePoint]) -> list[tuple[object, ...]]:
    """Return the points of a curve without their seconds."""
    return [(one.games, one.loss, one.solved_loss, one.wins, one.losses) for one in curve]


def test_an_interrupted_training_has_the_same_result(tmp_path: Path) -> None:
    """A training that stops and continues has the curve and the weights of one without a break."""
    seen: list[CurvePoint] = []
    whole = train(SETTINGS, 200, 1, tmp_path / "whole", seen.append)
    assert seen == whole.curve

    def stop(point: CurvePoint) -> None:
        if point.games == 128:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(SETTINGS, 200, 1, tmp_path / "parts", stop)
    parts = train(SETTINGS, 200, 3, tmp_path / "parts", seen.append)
    assert without_time(parts.curve) == without_time(whole.curve)
    assert [one.games for one in whole.curve] == [64, 128, 192, 224]
    assert Path(parts.weights).read_bytes() == Path(whole.weights).read_bytes()
    assert b"--games 224" in Path(whole.weights).read_bytes()
    assert len((tmp_path / "parts" / "curve.jsonl").read_bytes().splitlines()) == 4


def test_a_finished_training_can_be_made_longer(tmp_path: Path) -> None:
    """More games continue a training, and fewer change nothing."""
    train(SETTINGS, 64, 1, tmp_path, lambda _: None)
    assert len(train(SETTINGS, 64, 1, tmp_path, lambda _: None).curve) == 1
    assert len(train(SETTINGS, 128, 1, tmp_path, lambda _: None).curve) == 2


def test_other_settings_are_refused(tmp_path: Path) -> None:
    """A folder with another training stays as it is."""
    train(SETTINGS, 64, 1, tmp_path, lambda _: None)
    with pytest.raises(UsageError, match=r"other settings.*--seed 1"):
        train(TrainSettings("5x5", seed=2), 64, 1, tmp_path, lambda _: None)
    assert read_training(tmp_path).settings == SETTINGS


POINT = (
    b'{"games":32,"loss":1,"solved_loss":null,"right":null,"wins":%d,"draws":0,"losses":0,'
    b'"seconds":1}'
)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}\n",
        b'{"settings":{},"curve":[]}\n',
        b"[1]\nx",
        b'{"settings":{"variant":"5x5"},"curve":[]}\n',
        b'{"settings":{"variant":"5x5"},"curve":[{}]}\n',
        b'{"settings":{"variant":"5x5"},"curve":[%s]}\n' % (POINT % 0),
        b'{"settings":{"variant":"5x5"},"curve":[%s]}\n' % (POINT % -1),
        b'{"settings":{"variant":"5"},"curve":[%s]}\n' % (POINT % 1),
        b'{"settings":{"variant":"5x5","seed":-1},"curve":[%s]}\n' % (POINT % 1),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    """A file that is not a training is one line for people."""
    (tmp_path / "training.state").write_bytes(content)
    with pytest.raises(UsageError, match="does not hold a training"):
        train(SETTINGS, 64, 1, tmp_path, lambda _: None)
    with pytest.raises(UsageError, match="does not hold a training"):
        write_stored_reports(tmp_path)


def test_damaged_weights_name_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the trainer refuses the stored weights, the error names the file."""
    train(SETTINGS, 64, 1, tmp_path, lambda _: None)

    def refuse(self: Trainer, state: bytes) -> None:
        raise UsageError("too short")

    monkeypatch.setattr(Trainer, "restore", refuse)
    with pytest.raises(UsageError, match=f"cannot use {tmp_path}/training.state: too short"):
        train(SETTINGS, 128, 1, tmp_path, lambda _: None)


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("standard", "7x6"),
        ("9x7x4", "9x7"),
        ("10x8x5", "10x8x5"),
        ("line8", "line8"),
        ("9x7+steal", "9x7+steal"),
    ],
)
def test_a_variant_has_one_name(text: str, shortest: str) -> None:
    """Texts of the same game are the same setting, so that the training is continued."""
    assert TrainSettings(text) == TrainSettings(shortest)
    assert TrainSettings(text).variant == shortest


def test_a_folder_holds_a_training_or_runs(tmp_path: Path) -> None:
    """A training does not replace the report of games, and a run not that of a training."""
    for name in ("rounds.jsonl", "arena.sqlite"):
        folder = tmp_path / name
        folder.mkdir()
        check_free_for_training(folder)
        check_free_for_runs(folder)
        (folder / name).touch()
        check_free_for_runs(folder)
        with pytest.raises(UsageError, match="no training, but games"):
            check_free_for_training(folder)
    train(SETTINGS, 64, 1, tmp_path, lambda _: None)
    check_free_for_training(tmp_path)
    check_free_for_runs(None)
    with pytest.raises(UsageError, match="holds a training"):
        check_free_for_runs(tmp_path)


def test_the_page_is_written_again(tmp_path: Path) -> None:
    """A report writes the page of a training again."""
    page = render_training(train(SETTINGS, 200, 1, tmp_path, lambda _: None))
    assert is_tuning_folder(tmp_path)
    assert write_stored_reports(tmp_path).read_text() == page

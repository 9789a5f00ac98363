"""Pictures of runs for papers."""

import pytest
from c4_referee.report.site.drawing import write_pictures
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunSettings, StoppingRule
from c4_referee.tuning.pictures import experiment_pictures, run_pictures
from c4_referee.tuning.run_folder import play_run

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
SMALL = RunSettings(depth=1, population=6, elite=2)


@pytest.mark.parametrize("rounds", [1, 30])
def test_pictures_are_drawn(tmp_path, rounds) -> None:
    """A run and an experiment have pictures as SVG and PNG, the same each time."""
    history = play_run(SMALL, StoppingRule(rounds), Arena(SMALL.depth))
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        write_pictures(tmp_path / folder, run_pictures(history))
        write_pictures(tmp_path / folder, experiment_pictures([history]))
    files = sorted((tmp_path / "one" / "plots").iterdir())
    assert [file.stem for file in files] == ["ratios"] * 2 + ["run"] * 2 + ["runs"] * 2
    for file in files:
        assert file.read_bytes() == (tmp_path / "other" / "plots" / file.name).read_bytes()
    assert "2-seq weight</text>" in (tmp_path / "one" / "plots" / "run.svg").read_text()

"""The settings of a class, in ``class.toml``: written at the first run, then the instructor's."""

from pathlib import Path
from typing import Annotated, Literal, Self

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.variant import Variant
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from c4_referee.bots.clock import MAX_TIME_MS
from c4_referee.bots.toml import checked_text, checked_values, read_toml
from c4_referee.contest import schedule
from c4_referee.contest.contest_file import that_parses
from c4_referee.contest.schedule import MAX_ROUNDS_OR_PAIRS
from c4_referee.system.safe_files import replace_file

SETTINGS_FILE = "class.toml"
AUTO = "auto"
"""Name of the system that is chosen by the time that a run may take."""
TEMPLATE = """\
# Settings of this class. c4-referee class wrote this file once. It is yours: change what you like.

name = "Connect Four"         # title of the site
assignment = "Connect Four"   # name of the column in grades.csv
max_grade = 100               # grade for all points
rubric = ""                   # file with the points for a grade, such as "rubric.toml" in this
                              # folder (c4-referee grade --help-all)
marks = ""                    # or "staff": ten games against each of your own bots (staff, below)
                              # make the grade. Without a rubric and this, there are no grades

# The games of a run.
system = "auto"               # all play all if that fits into the minutes, otherwise as many Swiss
                              # rounds as fit; or "round-robin", "swiss", "ladder", "knockout", ...
# rounds = 5                  # number of rounds, if the system is not "auto"
minutes = 30                  # about how long the games of a run may take, if the system is "auto"
pairs = 1                     # pairs of games of two bots that meet; each moves first in half
time_ms = 1000                # milliseconds for a move
variant = "standard"          # the game: "standard" is 7x6; or "8x7", "9x7x5", ...
openings = "none"             # or "random:4": games begin after four random moves
seed = 0                      # number for random openings
give_up = 3                   # a bot that loses its first 3 games by the same fault plays no more;
                              # 0: never
analysis_seconds = 120        # about how long positions are solved after the games, for accuracy
                              # and mistakes

# Submissions.
compile_seconds = 30          # how long the compilers of a submission may take
check_seconds = 60            # how long its check may take
packages = []                 # Python packages that submissions can import, such as ["numpy"]: pip
                              # installs them when this list changes
wheels = ""                   # folder in this one with their wheels; without it, pip downloads them
on_failure = "keep"           # a new version that is not ready: "keep" lets the last one that was
                              # ready play on, "withdraw" does not
late = "play"                 # late submissions: "play" or "leave out"
hand_in_mb = 1                # maximum size of a submission that is handed in to an open class

# What students see.
site_games = true             # the site shows all games, not only the ranking

# Your own bots play along as marks to beat. The rating of the first one is 0 in each run, so that
# ratings of runs can be compared. For example:
# staff = { "mark-random" = "c4-bot --plays random", "mark-level-3" = "c4-bot --level 3" }
"""


def _check_system(text: str) -> str:
    return text if text == AUTO else checked_text(text, schedule.system)


class ClassSettings(BaseModel):
    """Contents of ``class.toml``. ``TEMPLATE`` explains the keys; times are in their names."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Annotated[str, Field(min_length=1)] = "Connect Four"
    assignment: Annotated[str, Field(min_length=1)] = "Connect Four"
    max_grade: float = Field(default=100, gt=0, allow_inf_nan=False)
    rubric: str = ""
    marks: Literal["", "staff"] = ""
    system: Annotated[str, AfterValidator(_check_system)] = AUTO
    rounds: int | None = Field(default=None, ge=1, le=MAX_ROUNDS_OR_PAIRS)
    minutes: float = Field(default=30, gt=0, allow_inf_nan=False)
    pairs: int = Field(default=1, ge=1, le=MAX_ROUNDS_OR_PAIRS)
    time_ms: float = Field(default=1000, gt=0, lt=MAX_TIME_MS, allow_inf_nan=False)
    variant: Annotated[str, that_parses(Variant.parse)] = "standard"
    openings: str = "none"
    seed: int = Field(default=0, ge=-(1 << 63), lt=1 << 63)
    give_up: int = Field(default=3, ge=0, le=MAX_ROUNDS_OR_PAIRS)
    analysis_seconds: float = Field(default=120, ge=0, allow_inf_nan=False)
    compile_seconds: float = Field(default=30, gt=0, allow_inf_nan=False)
    check_seconds: float = Field(default=60, gt=0, allow_inf_nan=False)
    packages: list[Annotated[str, Field(min_length=1)]] = Field(default_factory=list)
    wheels: str = ""
    on_failure: Literal["keep", "withdraw"] = "keep"
    late: Literal["play", "leave out"] = "play"
    hand_in_mb: float = Field(default=1, gt=0, le=100, allow_inf_nan=False)
    site_games: bool = True
    staff: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_marks(self) -> Self:
        if self.marks and self.rubric:
            raise ValueError("marks and rubric both decide the grade: leave one of them out")
        if self.marks and not self.staff:
            raise ValueError('marks = "staff" needs bots of yours: add them in staff')
        return self


def read_settings(folder: Path) -> ClassSettings:
    """Return the settings of a class. Write the file with the defaults if there is none.

    Raises ``UsageError``, which names the wrong key.
    """
    path = folder / SETTINGS_FILE
    if not path.exists():
        try:
            replace_file(path, TEMPLATE.encode())
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
    return checked_values(ClassSettings, read_toml(path, "the settings"), str(path))

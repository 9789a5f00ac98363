"""Every example of a dialect plays without a fault, and answers what its own platform sends."""

import shlex
import subprocess
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.events import GameEnded
from c4_protocol.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contestant import Contestant
from c4_referee.bots.find import find_bots, read_bots
from c4_referee.bots.spec import BotSpec
from c4_referee.play.game import play
from commands import SCRIPTS
from languages import ROOT, command, go_without, missing
from transcripts import replay

FOLDER = ROOT / "examples" / "dialects"
PROGRAMS = sorted(path for path in FOLDER.iterdir() if path.suffix != ".toml")
BOTS = {
    name: (spec, variant, str(file))
    for variant in ("standard", "codingame")
    for file in [FOLDER / f"{variant}.toml"]
    for name, spec in read_bots(str(file)).items()
    if spec.dialect != dialects.DEFAULT
}
"""Bots with a dialect of their own by name: the spec, the variant, and the file with its table."""
CLOCK = TimeControl.parse("2+0.02")
"""A clock that is much longer than a bot needs, so that it is in time on a busy machine."""

TRANSCRIPTS = {
    "theaigames.py": """
        > settings timebank 10000
        > settings time_per_move 500
        > settings player_names player1,player2
        > settings your_bot player2
        > settings your_botid 2
        > settings field_columns 7
        > settings field_rows 6
        > update game round 2
        > update game field 0,0,0,0,0,0,0;0,0,0,0,0,0,0;0,0,0,0,0,0,0;0,0,0,0,0,0,0;\
0,0,0,0,0,0,0;0,0,0,1,0,0,0
        > action move 10000
        < place_disc 3
        > update game field 0,0,0,0,0,0,0;0,0,0,0,0,0,0;0,0,0,0,0,0,0;0,0,0,0,0,0,0;\
0,0,0,2,0,0,0;0,0,0,1,0,0,0
        > update game round 6
        > update game field 0,0,0,0,0,0,0;0,0,0,0,0,0,0;0,0,0,0,0,0,0;2,0,0,0,0,0,0;\
2,0,0,2,0,0,0;2,0,1,1,1,0,0
        > action move 9775
        < place_disc 0
        > update game round 8
        > update game field 0,0,0,0,0,0,0;0,0,0,0,0,0,0;2,0,0,0,0,0,0;2,0,0,0,0,0,0;\
2,0,0,2,0,0,0;2,0,1,1,1,0,0
    """,
    "riddles.js": """
        > settings player_names player0,player1
        > settings your_bot player0
        > settings timebank 10000
        > settings time_per_move 100
        > settings your_botid 0
        > settings field_width 7
        > settings field_height 6
        > settings max_rounds 21
        > update game round 1
        > update game field .,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,\
.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.
        > action move 10000
        < place_disc 3
        > update game round 4
        > update game field .,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,\
1,.,.,.,.,.,.,1,.,.,0,.,.,.,1,.,.,0,.,.,0
        > action move 9990
        < place_disc 0
    """,
    "codingame.py": """
        > 1 0
        > 1
        > .........
        > .........
        > .........
        > .........
        > .........
        > .........
        > ....0....
        > 10
        > 0
        > 1
        > 2
        > 3
        > 4
        > 5
        > 6
        > 7
        > 8
        > -2
        > 4
        < STEAL
        > 3
        > .........
        > .........
        > .........
        > .........
        > 1........
        > 1........
        > 1.000....
        > 9
        > 0
        > 1
        > 2
        > 3
        > 4
        > 5
        > 6
        > 7
        > 8
        > 4
        < 0
    """,
    "uci.py": """
        > uci
        < id name .*
        < option name UCI_Variant type combo default cfour var cfour
        < uciok
        > setoption name UCI_Variant value cfour
        > isready
        < readyok
        > ucinewgame
        > position startpos
        > go wtime 60000 btime 60000 winc 500 binc 500
        < bestmove P@d1
        > position startpos moves P@d1 P@a1 P@d2 P@a2 P@d3 P@a3
        > go movetime 100
        < bestmove P@d4
        > position fen 7/7/7/7/7/PPP4[PPPPPPPPPPPPPPPPPPppppppppppppppppppppp] b - - 0 1 moves P@a2
        > go movetime 100
        < bestmove P@d1
        > quit
    """,
    "moves.pl": """
        > go!
        < 3
        > 0
        < 3
        > 0
        < 3
        > 0
        < 3
    """,
    "Interface.java": """
        > name AI 0
        < .*-c[0-9]{7}
        > isready AI 0
        < readyok
        > position startpos
        > go ftime 120000 stime 120000
        < bestmove 3 .*
        > position startpos 30313
        > go ftime 119990 stime 119980
        < bestmove 3 .*
        > quit
        < quitting
    """,
}
"""Lines of the platforms, and patterns of the answers, by the name of the program."""


def each_bot(test: object) -> pytest.MarkDecorator:
    """Run a test with the name of each bot."""
    return pytest.mark.parametrize("name", BOTS)(test)


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """Start bots in the root of the repository, and compile them outside the home folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def program_of(name: str) -> Path:
    """Return the file of a bot; skip the test if its language is not installed."""
    path = next(ROOT / word for word in BOTS[name][0].command if word.startswith("examples/d"))
    if needed := missing(path):
        go_without(needed)
    return path


def test_every_dialect_has_an_example():
    """Every dialect with which bots can enter a contest has one bot, and each program is a bot."""
    spoken = [spec.dialect for spec, *_ in BOTS.values()]
    assert sorted(spoken) == sorted({*dialects.referee_names()} - {dialects.DEFAULT})
    assert sorted(map(program_of, BOTS)) == PROGRAMS


@each_bot
def test_plays_without_a_fault(name):
    """The example never forfeits a game against random moves, and wins most games."""
    program_of(name)
    spec, variant, _ = BOTS[name]
    won = 0
    with Contestant(spec) as bot, Contestant(random_player()) as other:
        for seat in (1, 2, 1, 2):
            first, second = (bot, other) if seat == 1 else (other, bot)
            *_, ended = play(1, Variant.parse(variant), (first, second), (CLOCK, CLOCK))
            assert isinstance(ended, GameEnded)
            assert (ended.fault, ended.notes) == (None, [])
            won += ended.winner == seat
    assert won >= 2


def random_player() -> BotSpec:
    """Return the random baseline. It keeps running, because it is not what is tested."""
    (spec,) = find_bots(["c4-bot --plays random --seed 1"], {}, restart="never")
    return spec


@each_bot
def test_follows_all_rules(name):
    """The example keeps all rules of ``c4-referee check``."""
    program_of(name)
    _, _, file = BOTS[name]
    check = [
        SCRIPTS / "c4-referee",
        "check",
        name,
        "--bots",
        file,
        "--time-ms",
        "2000",
        "--no-sandbox",
    ]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("program", TRANSCRIPTS)
def test_answers_what_the_platform_sends(program, end):
    """The example answers the lines of its platform, and takes or stops a win."""
    replay([], TRANSCRIPTS[program], end, shlex.split(command(FOLDER / program)))

"""Ctrl-C ends a call of the core."""

import pytest
from c4_bot.native import core
from effort import one_in

pytest.importorskip("c4_bot._core")
pytestmark = pytest.mark.linux  # Windows has no SIGALRM

TRAINER = (
    "_core.Trainer(sizes(Variant(9, 8)), [(4, 2, 0)], parameters_of(Zugzwang()), seed=0, depth=%d,"
    " solved=%d, opening=1, random_moves=0.1, trace=0.6, rate=5.0, half_rate=6e4)"
)
"""A training with a depth and a number of free cells of positions that are solved."""
CALLS = {
    "solver": "_core.Solver(sizes(Variant(9, 8)), 16).solve(EMPTY, ALL, NONE)",
    "solver with threads": (
        "_core.Solver(sizes(Variant(9, 8)), 16).solve(EMPTY, ALL, (-1, -1, -1.0, 4))"
    ),
    "line solver": (
        "_core.LineSolver(sizes(Variant(12, 10, gravity=False)), 1)"
        ".solve(EMPTY, True, 60, 60, NONE)"
    ),
    "games": (
        "_core.play_games([(*WINDOWS, True, 1, 40, False)] * 2, [(0, 1, [])] * 9,"
        " sizes(STANDARD), 3)"
    ),
    "short games": (
        "_core.play_games([(*WINDOWS, True, 1, 1, False)] * 2,"
        " [(0, 1, [])] * 4_000_000, sizes(STANDARD), 1)"
    ),
    "a game of another thread": (
        "_core.play_games([(*WINDOWS, True, 1, 1, False),"
        " (*WINDOWS, True, 1, 40, False)],"
        " [(0, 0, []), (1, 1, [])], sizes(STANDARD), 2)"
    ),
    "perft": "_core.perft(sizes(Variant(12, 9)), EMPTY, 90)",
    "perft without gravity": "_core.perft(sizes(Variant(14, 8, 5, gravity=False)), EMPTY, 9)",
    **{
        f"{search}, {threads} threads": (
            f'_core.search(spec("{search}"), sizes(Variant(9, 9)), EMPTY,'
            f" (-1, -1, -1.0, {threads}))"
        )
        for search, threads in (
            ("deepening", 1),
            ("last_iteration", 1),
            ("minimax", 1),
            ("negamax", 4),
            ("ordered", 1),
        )
    },
}
if hasattr(core, "Trainer"):
    CALLS |= {
        "deep searches of a training": f"{TRAINER % (20, 0)}.play(1, 1)",
        "solutions of a training": f"{TRAINER % (1, 72)}.play(1, 1)",
        "a match of a training": f"{TRAINER % (1, 0)}.play_match(1, 0, 1 << 40, 0, 1)",
    }


@pytest.mark.parametrize("call", one_in(4, CALLS.values()), ids=CALLS)
def test_an_interrupt_ends_a_call(run, call):
    """A long call lets Python handle signals, and ends if the third handler raises an exception.

    Signals that are handled only after the call are one signal.
    """
    done = run(f"""
seen = []

def interrupt(*_):
    seen.append(time.monotonic())
    if len(seen) == 3:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
try:
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    {call}
except KeyboardInterrupt:
    print("interrupted")
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def test_an_interrupt_ends_the_wait_for_another_thread(run):
    """A call that waits for its turn ends, too."""
    done = run("""
solver = _core.Solver(sizes(Variant(9, 8)), 16)
searching = threading.Thread(target=solver.solve, args=(EMPTY, ALL, NONE), daemon=True)
searching.start()
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    time.sleep(0.05)
    solver.forget()
except KeyboardInterrupt:
    print("interrupted", flush=True)
os._exit(0)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def test_a_program_ends_while_a_thread_searches(run):
    """A daemon thread that searches does not crash the program at its end."""
    done = run("""
solver = _core.Solver(sizes(Variant(9, 8)), 16)
for _ in range(3):
    solver = _core.Solver(sizes(Variant(9, 8)), 16)
    threading.Thread(target=solver.solve, args=(EMPTY, ALL, NONE), daemon=True).start()
time.sleep(0.2)
print("ended")
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")


def test_a_handler_can_search_during_a_search(run):
    """The search that a handler begins does not change the one that it interrupts."""
    done = run("""
limits = (13, -1, -1.0, 1)
asked = spec("deepening"), sizes(Variant(8, 7)), EMPTY, limits
alone = _core.search(*asked)
other = *spec("deepening")[:3], {"weights": (1 << 20, -(1 << 20), 1 << 20)}
searched = []

def search(*_):
    searched.append(_core.search(other, sizes(Variant(8, 7)), EMPTY, (6, -1, -1.0, 1)))

signal.signal(signal.SIGALRM, search)
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
found = _core.search(*asked)
signal.setitimer(signal.ITIMER_REAL, 0)
print(found == alone, bool(searched))
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True True\n", "")


def test_a_handler_that_raises_nothing_does_not_end_a_call(run):
    """A search continues after a signal whose handler raises nothing."""
    done = run("""
seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
_core.Solver(sizes(Variant(9, 8)), 16).solve(EMPTY, ALL, (-1, -1, 1.0, 1))
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(seen) > 1)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")

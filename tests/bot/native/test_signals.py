"""Ctrl-C ends a call of the core."""

import pytest

pytest.importorskip("c4_bot._core")

CALLS = {
    "solver": "_core.Solver(sizes(Variant(9, 8)), 16).solve(EMPTY, ALL, NONE)",
    "solver with threads": (
        "_core.Solver(sizes(Variant(9, 8)), 16).solve(EMPTY, ALL, (-1, -1, -1.0, 4))"
    ),
    "line solver": (
        "_core.LineSolver(sizes(Variant(12, 10, gravity=False)), 1).wins(EMPTY, 60, 60, NONE)"
    ),
    "games": (
        "_core.play_games([('windows', (1, 2, 3), True, 1, 40, False)] * 2, [(0, 1, [])] * 9,"
        " sizes(STANDARD), 3)"
    ),
    "perft": "_core.perft(sizes(Variant(12, 9)), EMPTY, 90)",
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


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_interrupt_ends_a_call(run, call):
    """A call that would take years raises ``KeyboardInterrupt``."""
    done = run(f"""
signal.setitimer(signal.ITIMER_REAL, 0.2)
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
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
signal.setitimer(signal.ITIMER_REAL, 0.2)
signal.signal(signal.SIGALRM, signal.default_int_handler)
try:
    time.sleep(0.05)
    solver.forget()
except KeyboardInterrupt:
    print("interrupted", flush=True)
os._exit(0)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def test_a_handler_that_raises_nothing_does_not_end_a_call(run):
    """A search continues after a signal whose handler raises nothing."""
    done = run("""
seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
_core.Solver(sizes(Variant(9, 8)), 16).solve(EMPTY, ALL, (-1, -1, 1.0, 1))
print(len(seen) > 1)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


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

"""Two threads with one solver: the second waits for the first."""

import pytest

pytest.importorskip("c4_bot._core")


def test_a_search_is_not_disturbed_by_forgetting(run):
    """A solver that frees its memory waits until the search in another thread ends."""
    done = run("""
solver = _core.LineSolver(sizes(Variant(8, 8, gravity=False)), 1)
ended = threading.Event()

def forget():
    while not ended.is_set():
        solver.forget()

others = [threading.Thread(target=forget) for _ in range(3)]
for thread in others:
    thread.start()
for _ in range(40):
    solver.solve(EMPTY, True, 20, 2, (-1, 30_000, -1.0, 1))
ended.set()
for thread in others:
    thread.join()
solver.forget()
print("ended")
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")


@pytest.mark.parametrize("threads", [1, 3])
def test_forgetting_waits_for_a_search(run, threads):
    """A thread that makes a solver forget waits until the search in another thread ends."""
    done = run(f"""
solver = _core.Solver(sizes(Variant(9, 8)), 16)
start = time.monotonic()
limits = (-1, -1, 1.0, {threads})
searching = threading.Thread(target=solver.solve, args=(EMPTY, ALL, limits))
searching.start()
time.sleep(0.3)
solver.forget()
print(time.monotonic() - start >= 1)
searching.join()
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_searches_in_two_threads_have_the_answers_of_one(run):
    """Threads that use one solver at the same time get the right scores."""
    done = run("""
from c4_protocol.rules.notation import position_from_moves

solver = _core.Solver(sizes(STANDARD), 1)
games = ("32164625", "4444445172212", "112233556677112")
asked = [stones(position_from_moves(moves, STANDARD)) for moves in games]
alone = [solver.solve(one, ALL, NONE)[:2] for one in asked]
solver.forget()
wrong = []

def ask():
    for _ in range(200):
        answers = [solver.solve(one, ALL, NONE)[:2] for one in asked]
        wrong.extend(answer for answer, known in zip(answers, alone) if answer != known)

threads = [threading.Thread(target=ask) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(wrong)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")


@pytest.mark.linux
def test_a_signal_handler_cannot_use_the_solver_that_it_interrupts(run):
    """A call from the handler raises, instead of waiting for itself for ever."""
    done = run("""
solver = _core.Solver(sizes(STANDARD), 1)
signal.signal(signal.SIGALRM, lambda *_: solver.forget())
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    solver.solve(EMPTY, ALL, NONE)
except RuntimeError as error:
    print(error)
solver.forget()
""")
    message = "a signal handler cannot use the solver that it interrupts\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, message, "")

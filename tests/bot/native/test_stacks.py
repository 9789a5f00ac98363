"""Searches need little stack: threads have 128 KB with musl, and 512 KB on macOS."""

import pytest

pytest.importorskip("c4_bot._core")

ON_A_SMALL_STACK = """
def on_a_small_stack(work):
    failures = []

    def attempt():
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threading.stack_size(128 * 1024)
    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
"""
DEEP = "(-1, 100_000, -1.0, {threads})"


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("board", ["8, 15", "4, 31", "16, 7", "8, 7", "2, 52", "7, 6"])
def test_the_solver_needs_little_stack(run, board, threads):
    """The solver searches to the end of games on high and wide boards."""
    limits = DEEP.format(threads=threads)
    done = run(f"""{ON_A_SMALL_STACK}
solver = _core.Solver(sizes(Variant({board})), 1)
on_a_small_stack(lambda: print(solver.solve(EMPTY, ALL, {limits})[2] > 0))
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@pytest.mark.parametrize("search", ["deepening", "last_iteration", "minimax", "negamax", "ordered"])
@pytest.mark.parametrize(
    "board", ["8, 15", "8, 15, 15", "11, 10, 4, gravity=False", "11, 10, 11, gravity=False"]
)
def test_searches_need_little_stack(run, search, board):
    """A search needs little stack on a board of any kind, also if lines are very long."""
    done = run(f"""{ON_A_SMALL_STACK}
def work():
    limits = (-1, 20_000, -1.0, 1)
    print(_core.search(spec("{search}"), sizes(Variant({board})), EMPTY, limits)[4] > 0)

on_a_small_stack(work)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@pytest.mark.parametrize("board", ["8, 8", "12, 10", "16, 8", "11, 11, 5"])
def test_the_line_solver_needs_little_stack(run, board):
    """A search for forced wins with up to 60 stones needs little stack."""
    done = run(f"""{ON_A_SMALL_STACK}
solver = _core.LineSolver(sizes(Variant({board}, gravity=False)), 1)
on_a_small_stack(lambda: print(solver.solve(EMPTY, True, 60, 60, {DEEP.format(threads=1)})[2] > 0))
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_helper_threads_have_stacks_of_a_known_size(run_cpp):
    """Helper threads have stacks of 1 MiB, even if ``ulimit -s 64`` makes the default small."""
    done = run_cpp("stacks")
    assert (done.returncode, done.stdout) == (0, "0 small stacks\n")


@pytest.mark.linux
@pytest.mark.parametrize("board", ["8, 15", "4, 31"])
def test_the_main_thread_may_have_a_small_stack(run, board):
    """With ``ulimit -s 512`` all threads of a search have enough stack."""
    done = run(f"""
import resource
if os.environ.get("HAS_SMALL_STACK") is None:
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (512 * 1024, hard))
    os.environ["HAS_SMALL_STACK"] = "yes"
    os.execv(sys.executable, sys.orig_argv)
board = sizes(Variant({board}))
print(_core.Solver(board, 1).solve(EMPTY, ALL, (-1, 100_000, -1.0, 8))[2] > 0)
print(_core.search(spec("negamax"), board, EMPTY, (6, -1, -1.0, 8))[4] > 0)
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n" * 2, "")

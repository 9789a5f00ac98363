"""The solver's table keeps whole keys: no position is taken for another."""


def test_no_position_is_taken_for_another(run_cpp):
    """Keys that differ in any one bit have entries of their own, on boards of all sizes."""
    done = run_cpp("table")
    assert (done.returncode, done.stdout) == (0, "0 mistakes\n")

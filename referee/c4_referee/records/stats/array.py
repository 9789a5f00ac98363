"""Numpy, with one thread in our programs, and types of its arrays.

Matrices of bots are small. With more threads, numpy's linear algebra waits for its threads: with 35
bots, it took 2.6 times the processor time on a machine with two processors that play games. Other
programs that call our functions keep their threads.
"""

import os
import sys

_limits_threads = "c4_referee.cli" in sys.modules and "OPENBLAS_NUM_THREADS" not in os.environ
if _limits_threads:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402 - it reads the variable
from numpy.typing import NDArray  # noqa: E402

if _limits_threads:
    del os.environ["OPENBLAS_NUM_THREADS"]  # bots do not get it

__all__ = ["Counts", "Floats", "np"]
Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

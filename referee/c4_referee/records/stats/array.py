"""Numpy with one thread, and types of its arrays.

Matrices of bots are small. With more threads, numpy's linear algebra waits for its threads: with 35
bots, it took 2.6 times the processor time on a machine with two processors that play games.
"""

import os
import sys

import_is_ours, threads = "numpy" not in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS")
if import_is_ours and threads is None:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402 - it reads the variable
from numpy.typing import NDArray  # noqa: E402

if import_is_ours and threads is None:
    del os.environ["OPENBLAS_NUM_THREADS"]  # bots do not get it

__all__ = ["Counts", "Floats", "np"]
Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

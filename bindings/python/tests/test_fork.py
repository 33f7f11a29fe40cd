"""A process that forks computes on: its child has none of the threads that helped before, and waits for none."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, signal
import ivyrs

ivyrs.set_backend({backend!r})
x = ivyrs.ones((300, 300))
product = lambda: float(ivyrs.sum(ivyrs.matmul(x, x)))
assert product() == 300.0**3
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(0 if all(product() == 300.0**3 for _ in range(5)) else 3)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert product() == 300.0**3
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("backend", ["ndarray", "jit"])
def test_a_child_computes_without_its_parents_helpers(backend):
    environment = {**os.environ, "RAYON_NUM_THREADS": "3"}
    subprocess.run([sys.executable, "-c", PROGRAM.format(backend=backend)], env=environment, check=True, timeout=120)

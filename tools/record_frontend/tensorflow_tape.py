"""Records what TensorFlow gives for the programs of `bindings/python/tests/tensorflow_tape_cases.py`, in
`tensorflow_tape.json` beside it.

    /tmp/venv/bin/python tools/record_frontend/tensorflow_tape.py
"""

import sys

import tensorflow_cases  # sets TensorFlow's environment before it is imported

import tensorflow as tf

TESTS = tensorflow_cases.ROOT / "bindings/python/tests"
sys.path.insert(0, str(TESTS))

from recorded_programs import record  # noqa: E402
from tensorflow_tape_cases import CASES  # noqa: E402

if __name__ == "__main__":
    header = {"package": "tensorflow", "version": tf.__version__, "licence": "Apache-2.0", "generator": "tools/record_frontend/tensorflow_tape.py"}
    record("tensorflow_tape", CASES, tf, header)

"""Records what TensorFlow gives for the programs of `bindings/python/tests/tensorflow_flow_cases.py`, in
`tensorflow_flow.json` beside it.

    /tmp/venv/bin/pip install pytest && /tmp/venv/bin/python tools/record_frontend/tensorflow_flow.py
"""

import json
import sys

import tensorflow_cases  # sets TensorFlow's environment before it is imported

import tensorflow as tf

TESTS = tensorflow_cases.ROOT / "bindings/python/tests"
sys.path.insert(0, str(TESTS))

from tensorflow_flow_cases import CASES  # noqa: E402
from test_tensorflow_flow import outcome  # noqa: E402

HEADER = {
    "package": "tensorflow",
    "version": tf.__version__,
    "licence": "Apache-2.0",
    "generator": "tools/record_frontend/tensorflow_flow.py",
}

if __name__ == "__main__":
    found = {name: outcome(case, tf) for name, case in CASES.items()}
    (TESTS / "tensorflow_flow.json").write_text(json.dumps({"of": HEADER, "cases": found}, indent=1) + "\n")
    print(f"tensorflow {tf.__version__}: {len(found)} programs")

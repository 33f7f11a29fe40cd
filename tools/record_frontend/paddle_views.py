"""Records what Paddle gives for the programs of `bindings/python/tests/paddle_views_cases.py`, in `paddle_views.json` beside it.

    /tmp/venv/bin/python tools/record_frontend/paddle_views.py
"""

import sys
from pathlib import Path

import paddle

TESTS = Path(__file__).resolve().parents[2] / "bindings/python/tests"
sys.path.insert(0, str(TESTS))

from paddle_views_cases import CASES  # noqa: E402
from recorded_programs import record  # noqa: E402

if __name__ == "__main__":
    paddle.set_device("cpu")
    header = {"package": "paddlepaddle", "version": paddle.__version__, "licence": "Apache-2.0", "generator": "tools/record_frontend/paddle_views.py"}
    record("paddle_views", CASES, paddle, header)

"""Records what NumPy before version 2 says of dtypes where values count.

    python3 -m venv ENV && ENV/bin/pip install numpy==1.26.4
    ENV/bin/python tools/record_frontend/numpy_values.py > bindings/python/tests/numpy_values.tsv
"""

import itertools

import numpy as np

ARRAYS = [f"np.array([1], dtype={d!r})" for d in ("bool", "int8", "uint8", "int64", "float32", "float64", "complex64")]
WITHOUT_AXES = ["np.array(300)", "np.array(1, dtype='int8')", "np.array(-1, dtype='int16')", "np.array(2.5, dtype='float64')", "np.array(1e30, dtype='float64')"]
NUMBERS = ["300", "-1", "1", "2.5", "1e30", "1e300", "True", "1j"]


def record(expression):
    try:
        result = eval(expression)
    except (TypeError, OverflowError) as error:
        result = type(error).__name__
    print(f"{expression}\t{result}")


print(f"# What NumPy {np.__version__} (BSD-3-Clause) answers; made by tools/record_frontend/numpy_values.py.")
for a, b in itertools.product(ARRAYS + WITHOUT_AXES, WITHOUT_AXES + NUMBERS + ["'int16'"]):
    record(f"np.result_type({a}, {b})")
for a, b in itertools.product(NUMBERS, NUMBERS + ["'int8'"]):
    record(f"np.result_type({a}, {b})")
for value, dtype, casting in itertools.product(NUMBERS + WITHOUT_AXES, ("bool", "int8", "uint8", "int16", "float16", "float32", "complex64"), ("safe", "same_kind")):
    record(f"np.can_cast({value}, {dtype!r}, {casting!r})")

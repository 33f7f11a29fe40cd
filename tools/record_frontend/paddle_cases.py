"""Records calls of Paddle: the values that the replay of `frontends/paddle` is held to.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install 'paddlepaddle==3.3.*'
    /tmp/venv/bin/python tools/record_frontend/paddle_cases.py            # writes frontends/paddle/tests/data
    /tmp/venv/bin/python tools/record_frontend/paddle_cases.py --check    # prints the calls that differ from it

The calls stand in `paddle_chapters/`, a file a chapter.
"""

import importlib
import sys
from pathlib import Path

import paddle

import common
from paddle_chapters import CHAPTERS

ROOT = Path(__file__).resolve().parents[2]
NARROW = {paddle.bfloat16}


def describe(value):
    """The form of Paddle's tensors, dtypes and shapes."""
    if isinstance(value, paddle.Tensor):
        dtype = value.dtype
        elements = (value.cast("float32") if dtype in NARROW else value).numpy().ravel()
        return common.array(dtype_name(dtype), tuple(value.shape), elements.tolist())
    if isinstance(value, paddle.dtype):
        return common.dtype(dtype_name(value))
    if isinstance(value, type(paddle.ones([1]).shape)):
        return {"tuple": list(value)}
    return None


def dtype_name(dtype):
    return str(dtype).removeprefix("paddle.")


def resolve(path):
    """The function of a path; that of a property reads it."""
    owner, _, name = path.rpartition(".")
    if owner == "Tensor":
        return lambda tensor, *args, **keywords: method(getattr(tensor, name), args, keywords)
    found = paddle
    for part in filter(None, owner.split(".")):
        found = getattr(found, part)
    return getattr(found, name)


def method(found, args, keywords):
    """A method's result, or what a property is; `size` is a number that can be called."""
    return found(*args, **keywords) if callable(found) and not isinstance(found, (paddle.dtype, int)) else found


def main():
    paddle.set_device("cpu")
    recorder = common.Recorder(
        package="paddlepaddle",
        version=paddle.__version__,
        licence="Apache-2.0",
        generator="tools/record_frontend/paddle_cases.py",
        resolve=resolve,
        describe=describe,
    )
    for name in CHAPTERS:
        recorder.chapter(name)
        importlib.import_module(f"paddle_chapters.{name}").record(recorder)
    return recorder.finish(ROOT / "frontends/paddle/tests/data", check="--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

"""Records calls of TensorFlow: the values that the replay of `frontends/tensorflow` is held to.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install 'tensorflow==2.21.*'
    /tmp/venv/bin/python tools/record_frontend/tensorflow_cases.py            # writes frontends/tensorflow/tests/data
    /tmp/venv/bin/python tools/record_frontend/tensorflow_cases.py --check    # prints the calls that differ from it

The calls stand in `tensorflow_chapters/`, a file a chapter.
"""

import importlib
import os
import sys
from pathlib import Path

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "TF_ENABLE_ONEDNN_OPTS": "0"}

import tensorflow as tf

import common
from tensorflow_chapters import CHAPTERS

ROOT = Path(__file__).resolve().parents[2]


def describe(value):
    """The form of TensorFlow's tensors, dtypes and shapes."""
    if isinstance(value, tf.Tensor):
        elements = value.numpy().ravel()
        if value.dtype == tf.bfloat16:
            elements = elements.astype("float32")
        return common.array(value.dtype.name, tuple(value.shape), elements.tolist())
    if isinstance(value, tf.DType):
        return common.dtype(value.name)
    if isinstance(value, tf.TensorShape):
        return {"tuple": value.as_list()}
    return None


def resolve(path):
    """The function of a path; that of a property reads it."""
    owner, _, name = path.rpartition(".")
    if owner == "Tensor":
        return lambda tensor, *args: method(getattr(tensor, name), args)
    found = tf
    for part in filter(None, owner.split(".")):
        found = getattr(found, part)
    return getattr(found, name)


def method(found, args):
    """A method's result, or what a property is."""
    return found(*args) if callable(found) and not isinstance(found, tf.DType) else found


def main():
    recorder = common.Recorder(
        package="tensorflow",
        version=tf.__version__,
        licence="Apache-2.0",
        generator="tools/record_frontend/tensorflow_cases.py",
        resolve=resolve,
        describe=describe,
    )
    for name in CHAPTERS:
        recorder.chapter(name)
        importlib.import_module(f"tensorflow_chapters.{name}").record(recorder)
    return recorder.finish(ROOT / "frontends/tensorflow/tests/data", check="--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

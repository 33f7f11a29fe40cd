"""Control flow and structures of TensorFlow's frontend: what TensorFlow itself gave for the same programs."""

import json
from pathlib import Path

import pytest
from tensorflow_flow_cases import CASES


def told(value):
    """A value as JSON has it: tensors by dtype and elements, containers by their kind."""
    if hasattr(value, "numpy"):
        array = value.numpy()
        return {"dtype": str(array.dtype), "elements": array.tolist()}
    if isinstance(value, dict):
        return {"dict": [[key, told(value[key])] for key in value]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [told(entry) for entry in value]}
    return value


def outcome(case, tf):
    """What a program gives, or the class of its error."""
    try:
        return {"result": told(case(tf))}
    except Exception as error:
        return {"error": type(error).__name__}


def recorded():
    path = Path(__file__).with_name("tensorflow_flow.json")
    return json.loads(path.read_text())["cases"]


@pytest.mark.parametrize("name", CASES)
def test_programs_give_what_tensorflow_gives(name):
    import ivyrs.frontends.tensorflow as tf

    assert outcome(CASES[name], tf) == recorded()[name]


def test_every_record_has_its_program():
    assert set(recorded()) == set(CASES)

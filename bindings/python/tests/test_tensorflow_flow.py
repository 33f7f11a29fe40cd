"""Control flow and structures of TensorFlow's frontend: what TensorFlow itself gave for the same programs."""

import pytest
from recorded_programs import outcome, recorded
from tensorflow_flow_cases import CASES


@pytest.mark.parametrize("name", CASES)
def test_programs_give_what_tensorflow_gives(name):
    import ivyrs.frontends.tensorflow as tf

    assert outcome(CASES[name], tf) == recorded("tensorflow_flow")[name]


def test_every_record_has_its_program():
    assert set(recorded("tensorflow_flow")) == set(CASES)

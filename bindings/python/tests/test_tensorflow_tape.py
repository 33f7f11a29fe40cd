"""`tf.GradientTape`: what TensorFlow itself gave for the same programs."""

import ivyrs
import pytest
from recorded_programs import near, outcome, recorded
from tensorflow_tape_cases import CASES

RECORDED = recorded("tensorflow_tape")


@pytest.mark.parametrize("place", ["ndarray", "jit"])
@pytest.mark.parametrize("name", CASES)
def test_programs_give_what_tensorflow_gives(name, place):
    import ivyrs.frontends.tensorflow as tf

    with ivyrs.with_backend(place):
        found = outcome(CASES[name], tf)
    assert near(found, RECORDED[name]), (found, RECORDED[name])


def test_every_record_has_its_program():
    assert set(RECORDED) == set(CASES)

"""Tensors of Paddle's frontend that share elements: what Paddle itself gave for the same programs."""

import ivyrs
import ivyrs.frontends.paddle as paddle
import pytest
from paddle_views_cases import CASES
from recorded_programs import near, outcome, recorded

RECORDED = recorded("paddle_views")


@pytest.mark.parametrize("place", ["ndarray", "jit"])
@pytest.mark.parametrize("name", CASES)
def test_programs_give_what_paddle_gives(name, place):
    wanted = RECORDED[name]
    with ivyrs.with_backend(place):
        found = outcome(CASES[name], paddle)
    assert "error" in found if "error" in wanted else near(found, wanted), (found, wanted)


def test_every_record_has_its_program():
    assert set(RECORDED) == set(CASES)

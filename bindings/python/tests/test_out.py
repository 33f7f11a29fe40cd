"""``out=``: results in the place of what an array object held, and the modes of writes in place."""

import numpy as np
import pytest

import ivyrs


@pytest.fixture(autouse=True)
def as_before():
    """What a test sets is taken back."""
    with ivyrs.scope():
        yield


def test_out_is_given_and_holds_the_result(xp):
    x, out = xp.asarray([1.0, 2.0]), xp.zeros(2)
    other = xp.asarray(out)
    assert other is out
    alias = xp.asarray(out, copy=True)
    assert xp.add(x, 1, out=out) is out and out.tolist() == [2.0, 3.0]
    # Arrays are values: no write is seen through another object.
    assert alias.tolist() == [0.0, 0.0]
    held = out[...]
    assert xp.exp(x, out=out) is out and held.tolist() == [2.0, 3.0]
    # An operand may be the target.
    assert xp.multiply(x, x, out=x) is x and x.tolist() == [1.0, 4.0]
    assert xp.sum(x, axis=0, out=None).tolist() == 5.0
    assert xp.linalg.matrix_norm(xp.ones((2, 2)), out=(norm := xp.zeros(()))) is norm and float(norm) == 2.0
    assert xp.zeros(2, out=out) is out and out.tolist() == [0.0, 0.0]
    # Functions that have an argument of this name keep its meaning.
    assert xp.scatter_flat(xp.asarray([0]), xp.asarray([5.0]), out=out).tolist() == [5.0, 0.0] and out.tolist() == [0.0, 0.0]


def test_several_results_have_several_targets(xp):
    targets = xp.zeros(2), xp.zeros(2, dtype="int32")
    assert xp.frexp(xp.asarray([1.0, 6.0]), out=targets) is targets
    assert targets[0].tolist() == [0.5, 0.75] and targets[1].tolist() == [1, 3]
    # All are written or none is.
    wrong = xp.zeros(2), xp.zeros(2)
    with pytest.raises(ivyrs.DtypeMismatch):
        xp.frexp(xp.asarray([1.0, 6.0]), out=wrong)
    assert wrong[0].tolist() == [0.0, 0.0]
    with pytest.raises(TypeError):
        xp.frexp(xp.asarray([1.0]), out=wrong[0])
    with pytest.raises(TypeError):
        xp.exp(xp.asarray([1.0]), out=(wrong[0],))


def test_what_does_not_fit_is_refused_and_nothing_is_lost(xp):
    x, out = xp.asarray([1.0, 2.0]), xp.asarray([7.0, 8.0])
    with pytest.raises(ivyrs.ShapeMismatch):
        xp.sum(x, out=out)
    with pytest.raises(ivyrs.DtypeMismatch):
        xp.less(x, 2.0, out=out)
    with pytest.raises(TypeError):
        xp.exp(x, out=np.zeros(2))
    with pytest.raises(TypeError):
        xp.can_cast(xp.int8, xp.int16, out=out)
    assert out.tolist() == [7.0, 8.0]


def test_modes_of_writes_in_place(xp):
    x, out = xp.asarray([1.0, 2.0]), xp.zeros(2)
    ivyrs.set_inplace_mode("strict")
    assert ivyrs.inplace_mode() == "strict"
    if xp._backend.name == "jit":
        with pytest.raises(ivyrs.InvalidArgument, match="strict"):
            xp.exp(x, out=out)
        with pytest.raises(ivyrs.InvalidArgument, match="strict"):
            ivyrs.inplace_update(x, out)
    else:
        assert ivyrs.inplace_update(x, out) is x and x.tolist() == [0.0, 0.0]
    ivyrs.unset_inplace_mode()
    assert ivyrs.inplace_mode() == "lenient" and xp.add(x, 1, out=out) is out
    with pytest.raises(ivyrs.InvalidArgument):
        ivyrs.set_inplace_mode("loose")


def test_in_place_operators_and_updates_are_seen_here_only(xp):
    x = xp.asarray([1.0, 2.0])
    alias, same = x[...], x
    x += 1
    assert same is x and x.tolist() == [2.0, 3.0] and alias.tolist() == [1.0, 2.0]
    x[0] = 9.0
    assert same.tolist() == [9.0, 3.0] and alias.tolist() == [1.0, 2.0]

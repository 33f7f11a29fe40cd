"""Derivatives of Paddle's frontend: what Paddle itself gave for the same programs."""

import ivyrs
import ivyrs.frontends.paddle as paddle
import pytest
from paddle_autograd_cases import CASES
from recorded_programs import near, outcome, recorded

RECORDED = recorded("paddle_autograd")


@pytest.mark.parametrize("place", ["ndarray", "jit"])
@pytest.mark.parametrize("name", CASES)
def test_programs_give_what_paddle_gives(name, place):
    wanted = RECORDED[name]
    with ivyrs.with_backend(place):
        found = outcome(CASES[name], paddle)
    # Paddle's checks raise what its C++ or its asserts do: that it is refused is what counts.
    assert "error" in found if "error" in wanted else near(found, wanted), (found, wanted)


def test_every_record_has_its_program():
    assert set(RECORDED) == set(CASES)


def refusal(program):
    with pytest.raises((ValueError, TypeError, RuntimeError)) as raised:
        program()
    return f"{type(raised.value).__name__}: {raised.value}"


def test_refusals_say_what_is_wrong():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    assert "one for each of outputs; there are 2" in refusal(lambda: paddle.grad([x * x], [x], grad_outputs=[None, None]))
    assert "inputs[0] is not reached from outputs" in refusal(lambda: paddle.grad(x * x, paddle.to_tensor([1.0])))
    assert "the shape is (3,), that of its tensor is (2,)" in refusal(lambda: (x * 2).backward(paddle.ones([3])))
    assert "leaf tensor that does not stop gradients" in refusal(lambda: x.add_(paddle.ones([2])))
    assert "only_inputs" in refusal(lambda: paddle.grad(x * x, x, only_inputs=False))
    assert "stop_gradient: True or False" in refusal(lambda: setattr(x, "stop_gradient", 1))
    assert "floating point and complex" in refusal(lambda: paddle.to_tensor([1, 2], stop_gradient=False))
    assert "a Tensor or None is needed, not int" in refusal(lambda: (x * 2).backward(3))
    assert "(3,)" in refusal(lambda: setattr(x, "grad", paddle.ones([3])))
    assert "float64" in refusal(lambda: setattr(x, "grad", paddle.ones([2], dtype="float64")))
    assert "a function is decorated, not int" in refusal(lambda: paddle.no_grad(3))
    assert "stop_gradient: int64" in refusal(lambda: setattr(paddle.to_tensor([1]), "stop_gradient", False))
    assert "hook must be callable" in refusal(lambda: x.register_hook(3))
    y = x * x
    y.backward()
    assert "second time" in refusal(y.backward)
    # What was refused has changed nothing.
    assert x.numpy().tolist() == [1.0, 2.0] and x.grad.numpy().tolist() == [2.0, 4.0]


def test_exceptions_of_hooks_and_layers_come_out_as_they_were_raised():
    class Failing(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, dy):
            raise KeyError("of the program")

    x = paddle.to_tensor([1.0], stop_gradient=False)
    with pytest.raises(KeyError, match="of the program"):
        Failing.apply(x).backward()
    x.register_hook(lambda gradient: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        (x * 2).backward()


def test_a_training_loop_keeps_no_graphs():
    x, w = paddle.ones([8, 4]), paddle.zeros([4, 2], requires_grad=True)
    for _ in range(300):
        (paddle.tanh(paddle.matmul(x, w)) - 1).square().mean().backward()
        with paddle.no_grad():
            w.subtract_(w.grad * 0.5)
        w.clear_grad()
    assert w.is_leaf and w.grad_fn is None and float((paddle.matmul(x, w)).min()) > 1.0

"""Gradients of tensors that are changed in place: what PyTorch itself gave for the same programs."""

import ivyrs
import pytest
from ivyrs.frontends import paddle, tensorflow, torch
from recorded_programs import near, outcome, recorded
from torch_inplace_cases import CASES

RECORDED = recorded("torch_inplace")

# Programs that PyTorch refuses and that have their right gradient here, since what was saved keeps its elements: of functions
# that are made of ops that need nothing of the operand, and of constants that change, of which no graph knows.
NOT_REFUSED = {
    *(f"operand_of_{name}" for name in (
        "avg_pool1d celu cumprod elu gelu glu hardshrink hardsigmoid hardtanh leaky_relu logsigmoid logsumexp max_pool1d norm relu6 selu "
        "sinc softplus softshrink"
    ).split()),
    "result_of_max", "fmod_of_active_with_a_changed", "mse_loss_of_active_with_a_changed", "mse_loss_of_active_with_b_changed",
    *(f"{name}_of_constant_with_b_changed" for name in (
        "mul div pow maximum minimum atan2 matmul logaddexp dot outer bmm linear conv1d mse_loss"
    ).split()),
    "conv1d_of_constant_with_a_changed", "mse_loss_of_constant_with_a_changed",
}  # fmt: skip


@pytest.mark.parametrize("place", ["ndarray", "jit"])
@pytest.mark.parametrize("name", CASES)
def test_programs_give_what_pytorch_gives(name, place):
    wanted = RECORDED[name]
    with ivyrs.with_backend(place):
        found = outcome(CASES[name], torch)
    if name in NOT_REFUSED:
        assert "error" in wanted and "error" not in found, found
    else:
        assert found == wanted if "error" in wanted else near(found, wanted), (found, wanted)


def test_every_record_has_its_program():
    assert set(RECORDED) == set(CASES) and NOT_REFUSED <= set(CASES)


def refusal(program):
    with pytest.raises(RuntimeError) as raised:
        program()
    return str(raised.value)


def test_the_error_says_which_tensor_and_which_node():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = y * y
    y.add_(1)
    text = refusal(z.sum().backward)
    assert "modified by an inplace operation" in text and "shape (2,)" in text, text
    assert text.count("MultiplyBackward0") == 2, text
    y = torch.exp(x)
    y += 1
    assert "ExpBackward0" in refusal(y.sum().backward)
    # The graph is there, and what does not need the tensor has its gradient.
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_saved_tensor_says_its_version():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, None)
            return x * x

        @staticmethod
        def backward(ctx, gradient):
            x, nothing = ctx.saved_tensors
            assert nothing is None
            return 2 * x * gradient

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    Square.apply(y).sum().backward()
    assert x.grad.tolist() == [8.0, 16.0]
    z = Square.apply(y)
    y.mul_(2)
    assert "version 1; expected version 0" in refusal(z.sum().backward)


def test_gradients_of_copies_are_their_own():
    v = tensorflow.Variable([1.0, 2.0])
    with tensorflow.GradientTape() as tape:
        y = tensorflow.identity(v)
        z = v * v * y
    assert [g.numpy().tolist() for g in tape.gradient(z, [v, y])] == [[3.0, 12.0], [1.0, 4.0]]
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    for copy in (x.clone(), paddle.assign(x), x.cast("float32")):
        assert not copy.is_leaf and not copy.stop_gradient
        assert [g.tolist() for g in paddle.grad((x * x * copy).sum(), [x, copy])] == [[3.0, 12.0], [1.0, 4.0]]
    with paddle.no_grad():
        assert x.clone().stop_gradient and not x.cpu().stop_gradient
    assert x.astype("float32") is x and x.contiguous() is x


def test_views_that_were_read_are_forgotten_with_their_graphs():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    for _ in range(200):
        (y[0] * y[1]).backward(retain_graph=True)
    assert x.grad.tolist() == [1600.0, 800.0]

"""Gradients at kinks: those that Paddle 3.3 gives, of ``(y * (1, 2, ...)).sum()`` at w = (0, 1, -1, 2, 2, -2)."""

import pytest

import ivyrs
import ivyrs.frontends.paddle as paddle

RECORDED = [
    (lambda w: paddle.nn.functional.leaky_relu(w), [1.0, 2.0, 0.03, 4.0, 5.0, 0.06]),
    (lambda w: paddle.clip(w, 0.0, 2.0), [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    (lambda w: paddle.clip(w, paddle.to_tensor(0.0), paddle.to_tensor(2.0)), [1.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    (lambda w: paddle.nn.functional.relu(w), [0.0, 2.0, 0.0, 4.0, 5.0, 0.0]),
    (lambda w: paddle.abs(w), [0.0, 2.0, -3.0, 4.0, 5.0, -6.0]),
    (lambda w: paddle.maximum(w, paddle.to_tensor(2.0)), [0.0, 0.0, 0.0, 2.0, 2.5, 0.0]),
    (lambda w: paddle.norm(w * 0.0), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: paddle.norm(w.reshape([3, 2]) * paddle.to_tensor([[0.0], [1.0], [1.0]]), axis=1).repeat_interleave(2), [0.0, 0.0, -3.1305, 6.261, 7.7782, -7.7782]),
    (lambda w: paddle.linalg.vector_norm(w * 0.0, 3.0), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: paddle.dist(w, w), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: paddle.nn.functional.normalize(w.reshape([3, 2]) * paddle.to_tensor([[0.0], [1.0], [1.0]])).reshape([6]), [0.0, 0.0, 1.7889, 0.8944, 1.9445, 1.9445]),
    (lambda w: paddle.nn.functional.cosine_similarity(w.reshape([3, 2]) * paddle.to_tensor([[0.0], [1.0], [1.0]]), w.reshape([3, 2])).repeat_interleave(2), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (lambda w: paddle.cummax(paddle.abs(w))[0], [0.0, 2.0, -3.0, 4.0, 5.0, -6.0]),
    (lambda w: paddle.cummin(-paddle.abs(w))[0], [0.0, -2.0, 3.0, -4.0, -5.0, 6.0]),
]


@pytest.mark.parametrize("backend", ["ndarray", "jit"])
@pytest.mark.parametrize(("f", "gradient"), RECORDED)
def test_gradients_are_those_of_paddle(backend, f, gradient):
    with ivyrs.with_backend(backend):
        w = paddle.to_tensor([0.0, 1.0, -1.0, 2.0, 2.0, -2.0], stop_gradient=False)
        (f(w) * paddle.arange(1.0, 7.0)).sum().backward()
        assert [round(float(x), 4) for x in w.grad.numpy().tolist()] == gradient


def test_the_last_of_equal_elements_is_the_greatest_so_far():
    values, places = paddle.cummax(paddle.to_tensor([1.0, 1.0, 0.0, 1.0]))
    assert values.tolist() == [1.0, 1.0, 1.0, 1.0] and places.tolist() == [0, 1, 1, 3]


def test_angles_of_negative_zeros_are_zero():
    assert paddle.angle(paddle.to_tensor([-0.0, -1.0, 2.0])).numpy().tolist()[0] == 0.0

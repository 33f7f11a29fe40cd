"""Calls of jax.nn."""

import math

NAN, INF = math.nan, math.inf


def calls(jax, v):
    activations(jax.nn, v)
    normalizing(jax.nn, v)
    attention(jax.nn, v)
    initializers(jax.nn.initializers, v)


def activations(n, v):
    x = v.f([-4.0, -1.0, 0.0, 0.5, 3.0])
    for name in ("relu relu6 sigmoid softplus sparse_plus sparse_sigmoid soft_sign silu swish log_sigmoid leaky_relu"
                 " hard_sigmoid hard_silu hard_swish hard_tanh elu celu selu gelu mish squareplus tanh identity"
                 ).split():
        f = getattr(n, name)
        f(x)
        f(v.i([-2, 3]))
        f(v.h([0.5, -1.5]))
        f(0.75)
        f(v.f([INF, -INF, NAN]))
    n.leaky_relu(x, 0.2)
    n.elu(x, alpha=0.5)
    n.celu(x, 2.0)
    n.gelu(x, approximate=False)
    n.squareplus(x, 1)
    n.log1mexp(v.f([0.1, 1.0, 5.0]))
    n.log1mexp(v.f([0.0, INF]))
    n.log1mexp(1.0)
    n.glu(v.f([1.0, 2.0, -1.0, 0.5]))
    n.glu(v.f([[1.0, 2.0], [3.0, 4.0]]), axis=0)
    n.glu(v.f([1.0, 2.0, 3.0]))
    n.relu([1.0])
    n.selu("text")


def normalizing(n, v):
    x = v.f([[1.0, 2.0, 3.0], [-1.0, 0.5, INF]])
    y = v.f([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]])
    mask = v.b([[True, False, True], [True, True, False]])
    for name in "softmax log_softmax".split():
        f = getattr(n, name)
        f(y)
        f(y, axis=0)
        f(y, axis=(0, 1))
        f(y, where=mask)
        f(v.i([1, 2]))
        f(x)
        f(v.h([1.0, 2.0]))
    n.logsumexp(y)
    n.logsumexp(y, axis=0)
    n.logsumexp(y, axis=1, keepdims=True)
    n.logsumexp(y, b=v.f([1.0, 2.0, 0.5]))
    n.logsumexp(y, axis=1, b=v.f([1.0, -2.0, 0.5]), return_sign=True)
    n.logsumexp(y, where=mask)
    n.logsumexp(v.i([1, 2]))
    n.logsumexp(v.f([-INF, -INF]))
    n.logmeanexp(y)
    n.logmeanexp(y, axis=1)
    n.logmeanexp(y, axis=0, keepdims=True, where=mask)
    n.standardize(y)
    n.standardize(y, axis=0)
    n.standardize(y, mean=0.5, variance=2.0)
    n.standardize(y, epsilon=0.1, where=mask)
    n.one_hot(v.i([0, 2]), 3)
    n.one_hot(v.i([0, 5, -1]), 3)
    n.one_hot(1, 3)
    n.one_hot(v.i([0, 1]), 2, dtype="float32", axis=0)
    n.one_hot(v.i([[0, 1]]), 2, axis=-2)


def attention(n, v):
    q = v.f([[[[1.0, 0.5]], [[-1.0, 2.0]]]])
    k = v.f([[[[0.5, 1.0]], [[2.0, -1.0]], [[0.0, 1.0]]]])
    x = v.f([[[[1.0, 0.0]], [[0.0, 1.0]], [[2.0, 2.0]]]])
    n.dot_product_attention(q, k, x)
    n.dot_product_attention(q[0], k[0], x[0])
    n.dot_product_attention(q, k, x, scale=0.5)
    n.dot_product_attention(q, k, x, is_causal=True)
    n.dot_product_attention(q, k, x, bias=v.f([[[[0.0, 1.0, -1.0], [0.5, 0.0, 0.0]]]]))
    n.dot_product_attention(q, k, x, mask=v.b([[[[True, False, True], [True, True, False]]]]))
    n.dot_product_attention(q, k, x, key_value_seq_lengths=v.i([2]))
    n.dot_product_attention(q, k, x, v.f([1.0, 2.0]))


def initializers(i, v):
    """Functions that make initializers are called with a key in the Rust tests."""
    key = v.u([0, 1])
    i.zeros(key, (2, 2))
    i.ones(key, (2,), dtype="int32")
    i.ones(key, ())
    i.zeros(key, (1,), "float16")

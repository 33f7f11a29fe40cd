"""``jax.nn.initializers``: functions that make functions of a key, a shape and a dtype."""

import math


def _jax():
    from .. import jax

    return jax


def constant(value, dtype=None):
    def init(key, shape, dtype=dtype, out_sharding=None):
        numpy = _jax().numpy
        return numpy.full(shape, value, dtype=numpy.zeros(()).dtype if dtype is None else dtype)

    return init


def uniform(scale=1e-2, dtype=None):
    def init(key, shape, dtype=dtype, out_sharding=None):
        return _jax().random.uniform(key, shape, dtype) * scale

    return init


def normal(stddev=1e-2, dtype=None):
    def init(key, shape, dtype=dtype, out_sharding=None):
        return _jax().random.normal(key, shape, dtype) * stddev

    return init


def truncated_normal(stddev=1e-2, dtype=None, lower=-2.0, upper=2.0):
    def init(key, shape, dtype=dtype, out_sharding=None):
        return _jax().random.truncated_normal(key, lower, upper, shape, dtype) * stddev

    return init


def _fans(shape, in_axis, out_axis, batch_axis):
    """How many inputs and outputs a weight of a shape has."""
    axes = lambda axis: (axis,) if isinstance(axis, int) else tuple(axis)  # noqa: E731
    if len(shape) < 2 and isinstance(in_axis, int):
        raise ValueError(f"Can't compute input and output sizes of a {len(shape)}-dimensional weights tensor. Must be at least 2D.")
    size = lambda axis: math.prod(shape[a] for a in axes(axis))  # noqa: E731
    fan_in, fan_out, batch = size(in_axis), size(out_axis), size(batch_axis)
    field = math.prod(shape) / fan_in / fan_out / batch
    return fan_in * field, fan_out * field


# The standard deviation of a normal number that is cut off at two deviations.
_CUT = 0.87962566103423978


def variance_scaling(scale, mode, distribution, in_axis=-2, out_axis=-1, batch_axis=(), dtype=None):
    """Weights whose variance is ``scale`` by the number of inputs, outputs, or their mean."""

    def init(key, shape, dtype=dtype, out_sharding=None):
        fan_in, fan_out = _fans(shape, in_axis, out_axis, batch_axis)
        fans = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}
        if mode not in fans:
            raise ValueError(f"invalid mode for variance scaling initializer: {mode}")
        variance = scale / max(1.0, fans[mode])
        random = _jax().random
        if distribution == "truncated_normal":
            return random.truncated_normal(key, -2.0, 2.0, shape, dtype) * (math.sqrt(variance) / _CUT)
        if distribution == "normal":
            return random.normal(key, shape, dtype) * math.sqrt(variance)
        if distribution == "uniform":
            return random.uniform(key, shape, dtype, -1.0, 1.0) * math.sqrt(3 * variance)
        raise ValueError(f"invalid distribution for variance scaling initializer: {distribution}")

    return init


def _scaling(scale, mode, distribution):
    def make(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None):
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    return make


def orthogonal(scale=1.0, column_axis=-1, dtype=None):
    """Matrices whose rows or columns are orthonormal."""

    def init(key, shape, dtype=dtype, out_sharding=None):
        if len(shape) < 2:
            raise ValueError("orthogonal initializer requires at least a 2D shape")
        columns = shape[column_axis]
        rows = math.prod(shape) // columns
        jax = _jax()
        made = jax.random.orthogonal(key, rows, (), dtype, columns) * scale
        rest = [d for i, d in enumerate(shape) if i != column_axis % len(shape)]
        return jax.numpy.moveaxis(made.reshape(*rest, columns), -1, column_axis)

    return init


glorot_uniform = xavier_uniform = _scaling(1.0, "fan_avg", "uniform")
glorot_normal = xavier_normal = _scaling(1.0, "fan_avg", "truncated_normal")
lecun_uniform = _scaling(1.0, "fan_in", "uniform")
lecun_normal = _scaling(1.0, "fan_in", "truncated_normal")
he_uniform = kaiming_uniform = _scaling(2.0, "fan_in", "uniform")
he_normal = kaiming_normal = _scaling(2.0, "fan_in", "truncated_normal")

ALL = {
    name: globals()[name]
    for name in (
        "constant uniform normal truncated_normal variance_scaling orthogonal glorot_uniform xavier_uniform"
        " glorot_normal xavier_normal lecun_uniform lecun_normal he_uniform kaiming_uniform he_normal kaiming_normal"
    ).split()
}

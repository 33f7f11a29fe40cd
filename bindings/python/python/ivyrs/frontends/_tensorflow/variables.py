"""``tf.Variable``."""

from ... import _ivyrs

_Tensor = _ivyrs.TensorFlowTensor


class Variable(_Tensor):
    """A tensor that changes; a trainable one of floats or complex numbers is watched by every tape."""

    def __new__(cls, initial_value=None, trainable=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None):
        if initial_value is None:
            raise ValueError("The `initial_value` arg to `tf.Variable` must be specified")
        value = initial_value() if callable(initial_value) else initial_value
        if dtype is not None:
            value = _cast(value, dtype)
        self = _Tensor.__new__(cls, value)
        self._name = "Variable" if name is None else name
        self._trainable = trainable in (None, True)
        if self._trainable:
            _ivyrs.tensorflow_watched(self)
        return self

    @property
    def name(self):
        """The name."""
        return f"{self._name}:0"

    @property
    def trainable(self):
        """Whether tapes watch it by themselves."""
        return self._trainable

    def value(self):
        """The value as a tensor."""
        return _Tensor._of(self)

    read_value = value

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Another value, of the same dtype and shape."""
        _ivyrs.tensorflow_assign(self, _cast(value, self.dtype))
        return self if read_value else None

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        """``self += delta``"""
        return self.assign(_plain(self) + _cast(delta, self.dtype), use_locking, name, read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        """``self -= delta``"""
        return self.assign(_plain(self) - _cast(delta, self.dtype), use_locking, name, read_value)

    def __repr__(self):
        shape, dtype = tuple(self.shape), self.dtype.name
        inner = _Tensor.__repr__(self)
        return f"<tf.Variable '{self.name}' shape={shape} dtype={dtype}, numpy={inner[inner.index('numpy=') + 6 :]}"

    __str__ = __repr__


_functions = {path: function for path, _, function in _ivyrs.frontend_functions("tensorflow")}


def _cast(value, dtype):
    """A tensor, which has to have the dtype; or a number or nested lists in it."""
    return _functions["convert_to_tensor"](value, dtype)


def _plain(variable):
    """The value, of which nothing is noted."""
    return _functions["stop_gradient"](variable)

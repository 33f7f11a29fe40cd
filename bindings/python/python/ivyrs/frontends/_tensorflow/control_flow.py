"""Control flow of TensorFlow, as it is where operations run at once: conditions and numbers of iterations are values of
the host, and functions of ``tf.function`` run as they are written.
"""

import contextlib
import functools
import operator

from ... import _ivyrs
from . import nest

_Tensor = _ivyrs.TensorFlowTensor


def _tf():
    from .. import tensorflow

    return tensorflow


def _tensor(value):
    return value if isinstance(value, _Tensor) else _tf().convert_to_tensor(value)


def _need_callable(of, **functions):
    for name, function in functions.items():
        if not callable(function):
            raise TypeError(f"tf.{of}: {name} must be callable, got {function!r}")


def _whole(of, name, value):
    """A whole number, of the host or in a tensor."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"tf.{of}: {name} must be a whole number, got {value!r}") from None


def cond(pred, true_fn=None, false_fn=None, name=None):
    """What one of two functions gives."""
    _need_callable("cond", true_fn=true_fn, false_fn=false_fn)
    return true_fn() if pred else false_fn()


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """What the function of the first condition that holds gives; as in TensorFlow, nobody looks whether others hold as well."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise TypeError("tf.case: pred_fn_pairs must be pairs of a condition and a function")
    for _, function in pairs:
        _need_callable("case", pred_fn_pairs=function)
    for condition, function in pairs:
        if condition:
            return function()
    if default is None:
        raise _tf().errors.InvalidArgumentError("tf.case: no condition holds, and there is no default")
    _need_callable("case", default=default)
    return default()


def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """What the function of a number gives, or else the default, or that of the greatest number."""
    if isinstance(branch_fns, dict):
        branches = dict(branch_fns)
    else:
        pairs = [fn if isinstance(fn, tuple) else (i, fn) for i, fn in enumerate(branch_fns)]
        branches = dict(pairs)
    if not branches:
        raise ValueError("tf.switch_case: branch_fns must not be empty")
    if sorted(branches) != list(range(len(branches))):
        raise ValueError(f"tf.switch_case: branch_fns must have the numbers from 0 to {len(branches) - 1}, got {sorted(branches)}")
    for function in branches.values():
        _need_callable("switch_case", branch_fns=function)
    if default is not None:
        _need_callable("switch_case", default=default)
    last = default if default is not None else branches[max(branches)]
    return branches.get(_whole("switch_case", "branch_index", branch_index), last)()


def while_loop(
    cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, swap_memory=False,
    maximum_iterations=None, name=None,
):  # fmt: skip
    """Repeats a function of the loop's variables while a condition on them holds."""
    _need_callable("while_loop", cond=cond, body=body)
    if not isinstance(loop_vars, (list, tuple)):
        raise TypeError(f"tf.while_loop: loop_vars must be a list or tuple, got {type(loop_vars).__name__}")
    if len(loop_vars) == 0:
        raise ValueError("tf.while_loop: loop_vars must not be empty")
    count, first = 0, list(loop_vars)
    limit = None if maximum_iterations is None else _whole("while_loop", "maximum_iterations", maximum_iterations)
    while (limit is None or count < limit) and cond(*loop_vars):
        loop_vars = body(*loop_vars)
        if not isinstance(loop_vars, (list, tuple)):
            loop_vars = (loop_vars,)
        nest.assert_same_structure(first, list(loop_vars))
        count += 1
    return nest.map_structure(_tensor, loop_vars)


def _entries(of, elems):
    """The entries along the first axis of tensors in a structure, one after the other."""
    tensors = [_tensor(entry) for entry in nest.flatten(elems)]
    if not tensors:
        raise ValueError(f"tf.{of}: elems must be a tensor, or a structure of tensors")
    if any(tensor.ndim == 0 for tensor in tensors):
        raise ValueError(f"tf.{of}: elems must have a dimension at least, got a scalar")
    lengths = {tensor.shape[0] for tensor in tensors}
    if len(lengths) > 1:
        raise _tf().errors.InvalidArgumentError(f"tf.{of}: the first axes of elems have lengths {sorted(lengths)}")
    unstacked = zip(*(_tf().unstack(tensor) for tensor in tensors))
    return [nest.pack_sequence_as(elems, list(entry)) for entry in unstacked]


def _stacked(results):
    """Results of one structure, stacked."""
    for other in results[1:]:
        nest.assert_same_structure(results[0], other)
    columns = zip(*(map(_tensor, nest.flatten(result)) for result in results))
    return nest.pack_sequence_as(results[0], [_tf().stack(list(column)) for column in columns])


def _empty(signature, elems):
    """The result of no entries, of the dtypes that a signature says, else of the elements'."""
    tf = _tf()
    if signature is not None:
        return nest.map_structure(lambda dtype: tf.zeros((0,), dtype=dtype), signature)
    return nest.map_structure(lambda x: tf.zeros((0,), dtype=_tensor(x).dtype), elems)


def map_fn(
    fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True, name=None,
    fn_output_signature=None,
):  # fmt: skip
    """A function of each entry along the first axis; its results are stacked."""
    _need_callable("map_fn", fn=fn)
    results = [fn(entry) for entry in _entries("map_fn", elems)]
    return _stacked(results) if results else _empty(fn_output_signature or dtype, elems)


def vectorized_map(fn, elems, fallback_to_while_loop=True, warn=True):
    """A function of each entry along the first axis; its results are stacked."""
    return map_fn(fn, elems)


def _fold(of, fn, entries, initializer):
    _need_callable(of, fn=fn)
    if initializer is None:
        if not entries:
            raise _tf().errors.InvalidArgumentError(f"tf.{of}: elems has no element, and there is no initializer")
        initializer, *entries = entries
    else:
        initializer = nest.map_structure(_tensor, initializer)
    return functools.reduce(fn, entries, initializer)


def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """The entries along the first axis, from the first on, reduced by a function."""
    return _fold("foldl", fn, _entries("foldl", elems), initializer)


def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """The entries along the first axis, from the last on, reduced by a function."""
    return _fold("foldr", fn, _entries("foldr", elems)[::-1], initializer)


def scan(
    fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, infer_shape=True,
    reverse=False, name=None,
):  # fmt: skip
    """Likewise, with the results of all steps, stacked."""
    _need_callable("scan", fn=fn)
    entries = _entries("scan", elems)[:: -1 if reverse else 1]
    results = []
    if initializer is None:
        if not entries:
            raise _tf().errors.InvalidArgumentError("tf.scan: elems has no element, and there is no initializer")
        value, *entries = entries
        results.append(value)
    else:
        value = nest.map_structure(_tensor, initializer)
    for entry in entries:
        value = fn(value, entry)
        results.append(value)
    return _stacked(results[:: -1 if reverse else 1]) if results else _empty(None, value)


def function(func=None, **options):
    """The function itself: operations run as it is called. What ``tf.function`` says of tracing has no meaning."""
    known = {
        "input_signature", "autograph", "jit_compile", "reduce_retracing", "experimental_implements",
        "experimental_autograph_options", "experimental_attributes", "experimental_relax_shapes", "experimental_compile",
        "experimental_follow_type_hints",
    }  # fmt: skip
    unknown = sorted(set(options) - known)
    if unknown:
        raise TypeError(f"function() got an unexpected keyword argument '{unknown[0]}'")

    def decorated(inner):
        _need_callable("function", func=inner)

        @functools.wraps(inner)
        def call(*args, **kwargs):
            return inner(*args, **kwargs)

        call.python_function = inner
        return call

    return decorated if func is None else decorated(func)


def executing_eagerly():
    """True: operations run as they are called."""
    return True


def no_op(name=None):
    """Nothing."""


def group(*inputs, **kwargs):
    """Nothing: what is given has been computed."""


@contextlib.contextmanager
def device(device_name):
    """A scope without meaning: arrays are where the backend has them."""
    yield


@contextlib.contextmanager
def control_dependencies(control_inputs):
    """A scope without meaning: operations run in the order in which they are called."""
    yield


@contextlib.contextmanager
def init_scope():
    """A scope without meaning: operations run as they are called."""
    yield

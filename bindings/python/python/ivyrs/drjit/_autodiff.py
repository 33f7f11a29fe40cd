"""Differentiation."""

from . import _native
from ._enums import ADFlag, ADMode, name_of
from ._traits import is_array_v, is_diff_v, is_float_v
from ._trees import children, flatten, leaves, map_tree, rebuild

__all__ = [
    "CustomOp", "accum_grad", "backward", "backward_from", "backward_to", "clear_grad", "custom", "detach", "disable_grad",
    "enable_grad", "enqueue", "forward", "forward_from", "forward_to", "grad", "grad_enabled", "isolate_grad",
    "replace_grad", "resume_grad", "set_grad", "set_grad_enabled", "suspend_grad", "traverse",
]  # fmt: skip


def set_grad_enabled(arg, value: bool) -> None:
    """Turns gradients of the floats of a value on or off. What is on stays as it is."""
    arrays = leaves(arg)
    _native.set_grad_enabled([x for x in arrays if _native.grad_enabled([x]) != value], value)


def enable_grad(*args) -> None:
    """Turns gradients on: the arrays are variables of their own.

    >>> x = Float(1, 2); enable_grad(x); backward(x * x); x.grad
    [2, 4]
    """
    for arg in args:
        set_grad_enabled(arg, True)


def disable_grad(*args) -> None:
    """Turns gradients off."""
    for arg in args:
        set_grad_enabled(arg, False)


def grad_enabled(*args) -> bool:
    """Whether any array of the values has gradients."""
    return _native.grad_enabled(leaves(*args))


def detach(arg, preserve_type: bool = True):
    """The value without its part in the graph of derivatives; of types without derivatives if these need not stay."""
    return map_tree(lambda x: _native.detach(x, preserve_type), arg)


def grad(arg, preserve_type: bool = True):
    """The gradient: zeros where none was computed. Of a number it is 0."""
    if isinstance(arg, (bool, int, float)):
        return type(arg)(0)
    return map_tree(lambda x: _native.grad(x, preserve_type), arg)


def _pairs(target, source, function):
    """Each array of a target with what belongs to it."""
    if is_array_v(target):
        yield target, source
        return
    found = children(target)
    if found is None:
        return
    own = children(source)
    if own is None:
        for _, part in found[0]:
            yield from _pairs(part, source, function)
        return
    if len(own[0]) != len(found[0]):
        raise RuntimeError(f"{function}(): the values have different forms")
    for (_, part), (_, new) in zip(found[0], own[0], strict=True):
        yield from _pairs(part, new, function)


def set_grad(target, source) -> None:
    """Sets the gradients of a value."""
    for own, new in _pairs(target, source, "set_grad"):
        _native.set_grad(own, new)


def accum_grad(target, source) -> None:
    """Adds to the gradients of a value."""
    for own, new in _pairs(target, source, "accum_grad"):
        _native.accum_grad(own, new)


def clear_grad(*args) -> None:
    """Forgets gradients."""
    _native.clear_grad(leaves(*args))


def replace_grad(value, source):
    """The value of one array with the part of another one in the graph."""
    if not is_array_v(value) and not isinstance(value, (bool, int, float)):
        own, other = leaves(value), leaves(source)
        return rebuild(value, [replace_grad(x, y) for x, y in zip(own, other, strict=True)])
    if not is_array_v(value):
        value = type(source)(value)
    if not is_array_v(source):
        return value
    if type(value) is not type(source):
        from ._traits import expr_t

        common = expr_t(value, source)
        value, source = common(value), common(source)
    if len(value) != len(source):
        value, source = value + type(value)(0) * source, source + 0 * value
    return _native.replace_grad(value, source)


def enqueue(mode: ADMode, *args) -> None:
    """Puts arrays on the list from which the next traversal of that direction starts."""
    _native.enqueue(name_of(mode, ADMode, "enqueue"), leaves(*args))


def traverse(mode: ADMode, flags: ADFlag = ADFlag.Default) -> None:
    """Takes gradients of what is on the list to all that depends on it, or on which it depends."""
    _native.traverse(name_of(mode, ADMode, "traverse"))


def _differentiated(name: str, args, flags):
    if any(isinstance(arg, ADFlag) for arg in args):
        raise TypeError(f"{name}(): flags are a keyword argument")
    arrays = leaves(*args)
    if not _native.grad_enabled(arrays):
        if flags & ADFlag.AllowNoGrad:
            return [_native.zeros_like(x) for x in arrays]
        if arrays and not any(is_diff_v(x) and is_float_v(x) for x in arrays):
            raise TypeError(f"{name}(): differentiable arrays of floats are needed, of a package `.ad`, not {type(arrays[0]).__name__}")
    return _native.differentiate(name, arrays)


def _values(args, made):
    made = iter(made)
    done = tuple(map_tree(lambda _: next(made), arg) for arg in args)
    return done[0] if len(done) == 1 else done


def backward_from(*args, flags: ADFlag = ADFlag.Default) -> None:
    """Takes gradients from results, which get ones, back to all variables that they depend on."""
    _differentiated("backward_from", args, flags)


def backward(*args, flags: ADFlag = ADFlag.Default) -> None:
    """Takes gradients from results, which get ones, back to all variables that they depend on."""
    _differentiated("backward", args, flags)


def backward_to(*args, flags: ADFlag = ADFlag.Default):
    """Takes the gradients that were set on results back to these variables, and gives theirs."""
    return _values(args, _differentiated("backward_to", args, flags))


def forward_from(*args, flags: ADFlag = ADFlag.Default) -> None:
    """Takes gradients from variables, which get ones, to all that depends on them."""
    _differentiated("forward_from", args, flags)


def forward(*args, flags: ADFlag = ADFlag.Default) -> None:
    """Takes gradients from variables, which get ones, to all that depends on them."""
    _differentiated("forward", args, flags)


def forward_to(*args, flags: ADFlag = ADFlag.Default):
    """Takes the gradients that were set on variables to these results, and gives theirs."""
    return _values(args, _differentiated("forward_to", args, flags))


class _Scope:
    def __init__(self, name, args, when):
        self._name, self._when = name, when
        self._of = leaves(*args) if args else None

    def __enter__(self):
        if self._when:
            _native.open_scope(self._name, self._of)
        return self

    def __exit__(self, *_error):
        if self._when:
            _native.close_scope()


def suspend_grad(*args, when: bool = True):
    """A scope in which operations are not noted for derivatives, those on some arrays only if such are given."""
    return _Scope("suspend", args, when)


def resume_grad(*args, when: bool = True):
    """A scope in which operations are noted again, within one that suspends them."""
    return _Scope("resume", args, when)


def isolate_grad(when: bool = True):
    """A scope whose traversals stop at what was computed before it, and go on from there when it ends."""
    return _Scope("isolate", (), when)


class CustomOp:
    """An operation with derivatives of its own: a class with ``eval``, ``forward`` and ``backward``, called by :func:`custom`."""

    def __init__(self):
        self._inputs = {}
        self._outputs = None
        self._grads_in: dict = {}
        self._grads_out = None

    def eval(self, *args, **kwargs):
        """What it computes."""
        raise NotImplementedError(f"{type(self).__name__}.eval()")

    def forward(self) -> None:
        """Says how the output changes where the inputs change: :meth:`grad_in`, :meth:`set_grad_out`."""
        raise RuntimeError(f"{type(self).__name__}.forward(): not implemented")

    def backward(self) -> None:
        """Says the gradients of the inputs for that of the output: :meth:`grad_out`, :meth:`set_grad_in`."""
        raise RuntimeError(f"{type(self).__name__}.backward(): not implemented")

    def name(self) -> str:
        """The name of the operation."""
        return type(self).__name__

    def grad_in(self, name: str):
        """The gradient of an input."""
        self._known(name)
        return self._grads_in[name]

    def set_grad_in(self, name: str, value) -> None:
        """Adds to the gradient of an input."""
        self._known(name)
        before = self._grads_in.get(name)
        self._grads_in[name] = value if before is None else _added(before, value)

    def grad_out(self):
        """The gradient of the output."""
        return self._grads_out

    def set_grad_out(self, value) -> None:
        """Sets the gradient of the output."""
        self._grads_out = value if self._grads_out is None else _added(self._grads_out, value)

    def _known(self, name):
        if name not in self._inputs:
            raise KeyError(f"{self.name()}: there is no input {name!r}; there are {', '.join(map(repr, self._inputs))}")


def _added(a, b):
    found = children(a)
    if found is None:
        return a + b
    parts, make = found
    return make([_added(x, y) for (_, x), (_, y) in zip(parts, children(b)[0], strict=True)])


def custom(op: type[CustomOp], *args, **kwargs):
    """Calls a custom operation, which has its own derivatives."""
    import inspect

    if not isinstance(op, type) or not issubclass(op, CustomOp):
        raise TypeError(f"custom(): a class that derives from CustomOp is needed, not {op!r}")
    made = op()
    if not hasattr(made, "_grads_in"):
        CustomOp.__init__(made)
    signature = inspect.signature(made.eval)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    # The names of inputs; those of a variable number of arguments have numbers.
    inputs: dict = {}
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            inputs.update({f"{name}[{i}]": own for i, own in enumerate(value)})
        elif kind is inspect.Parameter.VAR_KEYWORD:
            inputs.update(value)
        else:
            inputs[name] = value
    made._inputs = inputs
    form: dict = {}

    def spread(arrays):
        given = iter(arrays)
        return {name: map_tree(lambda _: next(given), value) for name, value in inputs.items()}

    def evaluate(arrays):
        given = iter(arrays)
        own = signature.bind(*args, **kwargs)
        own.apply_defaults()
        for name, value in own.arguments.items():
            own.arguments[name] = map_tree(lambda _: next(given), value)
        form["output"] = made.eval(*own.args, **own.kwargs)
        return leaves(form["output"])

    def forward(_inputs, tangents):
        made._grads_in, made._grads_out = spread(tangents), None
        made.forward()
        return _like(form["output"], made._grads_out)

    def backward(own_inputs, cotangents):
        made._grads_in, made._grads_out = {}, rebuild(form["output"], cotangents)
        made.backward()
        gradients = []
        for name, value in spread(own_inputs).items():
            gradients += _like(value, made._grads_in.get(name))
        return gradients

    given = leaves(inputs)
    outputs = _native.custom(evaluate, forward, backward, given)
    return rebuild(form["output"], outputs)


def _like(value, gradient) -> list:
    """The arrays of a gradient, zeros where there is none."""
    arrays = leaves(value)
    if gradient is None:
        return [_native.zeros_like(x) for x in arrays]
    if is_array_v(value):
        return [type(value)(gradient)]
    found = []
    for own, new in _pairs(value, gradient, "custom"):
        found.append(type(own)(new))
    return found

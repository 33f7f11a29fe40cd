"""``torch.autograd.functional``: Jacobians, Hessians and products with them, of functions of tensors."""

from ... import _ivyrs
from . import transformations

_Tensor = _ivyrs.TorchTensor


def _plain(name, strict):
    if strict:
        raise NotImplementedError(f"{name}: strict=True is not there: derivatives of what does not depend on an input are zeros")


def _tuple(name, what, given):
    single = not isinstance(given, (tuple, list))
    found = (given,) if single else tuple(given)
    for place, x in enumerate(found):
        if not isinstance(x, _Tensor):
            if single:
                raise TypeError(f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the given {what} has type {type(x)}.")
            raise TypeError(f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the value at index {place} of the given {what} has type {type(x)}.")
    return found, single


def _of_tuples(name, func, single):
    """The function as one of several tensors that gives a tuple of tensors; notes whether it gives one tensor."""

    def of(*inputs):
        found, of.single = _tuple(name, "outputs", func(*inputs))
        return found

    of.single = single
    return of


def _ready(inputs, create_graph):
    return inputs if create_graph else tuple(x.detach() for x in inputs)


def _given(found, create_graph):
    """Results as they are returned: of derivatives that are not differentiated again, without a graph."""
    if isinstance(found, tuple):
        return tuple(_given(x, create_graph) for x in found)
    return found if create_graph else found.detach()


def _vector(v, like, single, what):
    """A vector of the shapes of some tensors; of one element it may be left out."""
    from .. import torch

    if v is None:
        if len(like) != 1 or not single or like[0].nelement() != 1:
            raise RuntimeError(what)
        return (torch.ones_like(like[0]),)
    v, _ = _tuple("this function", "v", v)
    if len(v) != len(like):
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
    for place, (own, x) in enumerate(zip(v, like)):
        if tuple(own.shape) != tuple(x.shape):
            raise RuntimeError(f"Entry {place} in v has invalid size: should be {x.shape} but got {own.shape}.")
    return v


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The derivatives of each output of a function by each of its inputs: tensors of the output's and then the input's dimensions."""
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".')
    _plain("jacobian", strict)
    given, single = _tuple("jacobian", "inputs", inputs)
    of = _of_tuples("jacobian", func, single)
    make = transformations.jacfwd if strategy == "forward-mode" else transformations.jacrev
    rows = make(of, tuple(range(len(given))))(*_ready(given, create_graph))
    rows = _given(tuple(row[0] if single else row for row in rows), create_graph)
    return rows[0] if of.single else rows


def _one_element(name, func):
    """The function as one without dimensions."""

    def of(*inputs):
        found = func(*inputs)
        if not isinstance(found, _Tensor) or found.nelement() != 1:
            raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element" if isinstance(found, _Tensor) else f"The function given to {name} should return a single Tensor")
        of.shape = tuple(found.shape)
        return found.reshape(())

    return of


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The second derivatives of a function of one element: by pairs of inputs, tensors of the dimensions of the one and then the other."""
    _plain("hessian", strict)
    given, single = _tuple("hessian", "inputs", inputs)
    places = tuple(range(len(given)))
    first = transformations.jacrev(_one_element("hessian", func), places)
    make = transformations.jacfwd if outer_jacobian_strategy == "forward-mode" else transformations.jacrev
    rows = _given(make(first, places)(*_ready(given, create_graph)), create_graph)
    return rows[0][0] if single else rows


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """The outputs of a function, and the product of a vector with its Jacobian."""
    _plain("vjp", strict)
    given, single = _tuple("vjp", "inputs", inputs)
    of = _of_tuples("vjp", func, single)
    outputs, back = transformations.vjp(of, *_ready(given, create_graph))
    v = _vector(v, outputs, of.single, "The vector v can only be None if the user-provided function returns a single Tensor with a single element.")
    found = _given(back(v), create_graph)
    outputs = _given(outputs, create_graph)
    return outputs[0] if of.single else outputs, found[0] if single else found


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """The outputs of a function, and the product of its Jacobian with a vector."""
    _plain("jvp", strict)
    given, single = _tuple("jvp", "inputs", inputs)
    v = _vector(v, given, single, "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element.")
    of = _of_tuples("jvp", func, single)
    outputs, found = transformations.jvp(of, _ready(given, create_graph), v)
    outputs, found = _given(outputs, create_graph), _given(found, create_graph)
    return (outputs[0], found[0]) if of.single else (outputs, found)


def _hessian_product(name, func, inputs, v, create_graph, strict, product):
    _plain(name, strict)
    given, single = _tuple(name, "inputs", inputs)
    v = _vector(v, given, single, "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element.")
    of, ready = _one_element(name, func), _ready(given, create_graph)
    first = transformations.grad(of, tuple(range(len(given))))
    found = _given(product(first, ready, v), create_graph)
    output = _given(func(*ready), create_graph)
    return output, found[0] if single else found


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """The output of a function of one element, and the product of a vector with its Hessian."""
    return _hessian_product("vhp", func, inputs, v, create_graph, strict, lambda first, ready, v: transformations.vjp(first, *ready)[1](v))


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The output of a function of one element, and the product of its Hessian with a vector."""
    return _hessian_product("hvp", func, inputs, v, create_graph, strict, lambda first, ready, v: transformations.jvp(first, ready, v)[1])


ALL = dict(jacobian=jacobian, hessian=hessian, vjp=vjp, jvp=jvp, vhp=vhp, hvp=hvp)

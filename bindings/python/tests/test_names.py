"""Names and signatures: all of the standard's, and the registry's."""

import inspect
import pickle
import re
from pathlib import Path

import pytest

import ivyrs

ROWS = [
    # Other names of a parameter, `min|x_min`, are none of Python's signature.
    [re.sub(r"\|\w+", "", cell) for cell in line.split("\t")]
    for line in (Path(__file__).parents[3] / "frontends/core/src/signatures/standard.tsv").read_text().splitlines()
    if not line.startswith("#")
]
MISSING = {(module, name) for module, name in ivyrs._ivyrs.missing()}
THERE = [row for row in ROWS if (row[0], row[1]) not in MISSING]


def module_of(xp, module):
    return xp if module == "main" else getattr(xp, module)


def test_the_standard_is_complete():
    counts = [len([row for row in ROWS if row[0] == module]) for module in ("main", "linalg", "fft")]
    assert counts == [135, 25, 14]
    assert not [name for module, name in MISSING if module == "main"]
    # An extension is there as a whole or not at all, but for what the main namespace shares with it.
    assert MISSING in (set(), {(m, n) for m, n, _, _ in ROWS if m != "main" and ("main", n) not in {tuple(r[:2]) for r in ROWS}})


@pytest.mark.parametrize("module,name,text,results", THERE, ids=lambda cell: cell)
def test_signature(module, name, text, results):
    for xp in (ivyrs, ivyrs.namespace("ndarray")):
        function = getattr(module_of(xp, module), name)
        signature = inspect.signature(function)
        expected = list(inspect.signature(eval(f"lambda {text}: None", {})).parameters.values())
        found = list(signature.parameters.values())
        # What Ivy has beyond the standard comes after it, by name.
        assert found[: len(expected)] == expected
        assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in found[len(expected) :])
        assert function.__name__ == name
        assert name in function.__doc__
        assert pickle.loads(pickle.dumps(function)) is getattr(module_of(xp, module), name)


def test_every_registered_function_is_there_with_its_arguments():
    xp = ivyrs.namespace("ndarray")
    modules = [xp, xp.linalg, xp.fft]
    renamed = {"asarray": {"x": "obj"}}
    # They share a struct of parameters with `partial_fold` and `col2im`; in Rust they have no such argument either.
    inherent = {"fold": {"skip_begin"}, "im2col": {"output_size"}}
    for name, operands, parameters in ivyrs._ivyrs.registry():
        found = [getattr(module, name) for module in modules if isinstance(getattr(module, name, None), ivyrs._ivyrs.Function)]
        assert found, name
        for function in found:
            given = set(inspect.signature(function).parameters)
            for argument in set(operands + parameters) - inherent.get(name, set()):
                assert renamed.get(name, {}).get(argument, argument) in given, (name, argument)


def test_what_the_table_says_of_ivys_functions_is_so():
    table = Path(__file__).parents[3] / "dtype-tables/support/surface.tsv"
    rows = [line.split("\t") for line in table.read_text().splitlines() if not line.startswith("#")][1:]
    registered = {name for name, _, _ in ivyrs._ivyrs.registry()}
    assert len(rows) == 165
    for xp in (ivyrs, ivyrs.namespace("ndarray")):
        for name, _, where in rows:
            # What is registered is in Python by itself; a function that stands elsewhere must be no row of the registry.
            if where == "registry":
                assert name not in registered or hasattr(xp, name)
            elif name != "set_default_device" or xp is ivyrs:
                assert callable(getattr(xp, name)) and name not in registered, name


def test_dunders():
    x = ivyrs.asarray([[1.0]])
    names = """__abs__ __add__ __and__ __array_namespace__ __bool__ __complex__ __dlpack__ __dlpack_device__ __eq__
    __float__ __floordiv__ __ge__ __getitem__ __gt__ __index__ __int__ __invert__ __le__ __lshift__ __lt__ __matmul__
    __mod__ __mul__ __ne__ __neg__ __or__ __pos__ __pow__ __rshift__ __setitem__ __sub__ __truediv__ __xor__
    to_device dtype device mT ndim shape size T""".split()
    binary = "add and floordiv lshift matmul mod mul or pow rshift sub truediv xor".split()
    for name in names + [f"__{form}{op}__" for op in binary for form in "ri"]:
        if name == "T":
            continue
        assert hasattr(x, name), name
    for name in names:
        if name.startswith("__") and name not in ("__array_namespace__", "__dlpack__"):
            inspect.signature(getattr(x, name))
    assert str(inspect.signature(x.__dlpack__)) == "(*, stream=None, max_version=None, dl_device=None, copy=None)"
    assert str(inspect.signature(x.__array_namespace__)) == "(*, api_version=None)"
    assert str(inspect.signature(x.to_device)) == "(device, /, *, stream=None)"
    assert type(x).__hash__ is None


def test_namespaces():
    xp = ivyrs.namespace("ndarray")
    assert xp is ivyrs.namespace("ndarray") and pickle.loads(pickle.dumps(xp)) is xp
    assert pickle.loads(pickle.dumps(xp.linalg)) is xp.linalg
    assert xp.asarray(1).__array_namespace__() is xp
    for version in ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12", None):
        assert xp.asarray(1).__array_namespace__(api_version=version) is xp
    with pytest.raises(ValueError):
        xp.asarray(1).__array_namespace__(api_version="2020.01")
    assert xp.__array_api_version__ == ivyrs.__array_api_version__ == "2025.12"
    assert (xp.pi, xp.e, xp.inf, xp.newaxis) == (3.141592653589793, 2.718281828459045, float("inf"), None)
    assert xp.nan != xp.nan
    with pytest.raises(ivyrs.IvyError, match="no backend is called") as caught:
        ivyrs.namespace("tensorflow")
    # What to do in Rust is of no use here.
    assert str(caught.value).endswith(". `ivyrs.backends()` says which of them run here")
    assert "ivyrs.backends()" in caught.value.remedy and "ndarray" in caught.value.known
    assert not re.search(r"\W__", " ".join(xp.__all__))


def test_arguments_are_bound_as_python_does():
    x = ivyrs.asarray([1.0, 2.0])
    with pytest.raises(TypeError, match="by position only"):
        ivyrs.sum(x=x)
    with pytest.raises(TypeError, match="positional"):
        ivyrs.sum(x, 0)
    with pytest.raises(TypeError, match="does not have"):
        ivyrs.sum(x, axes=0)
    with pytest.raises(TypeError, match="needs the argument"):
        ivyrs.sum()
    with pytest.raises(TypeError, match="twice"):
        ivyrs.reshape(x, (2, 1), shape=(2,))
    assert ivyrs.full(shape=(2,), fill_value=3).shape == (2,)

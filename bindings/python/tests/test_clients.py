"""Other libraries with our arrays: the same answers as with NumPy's, and arrays of ours come back."""

import re
import warnings
from pathlib import Path

import array_api_compat
import numpy as np
import pytest
import sk_clients  # noqa: F401
from clients import CALLS
from conftest import needs_extensions

import ivyrs

DOCS = Path(__file__).parents[3] / "docs/python.md"


def flat(result):
    """The numbers and arrays of a result."""
    if hasattr(result, "statistic"):
        return [result.statistic, result.pvalue]
    if isinstance(result, (tuple, list)):
        return [part for item in result for part in flat(item)]
    return [result]


# What is built on decompositions and norms.
EXTENSIONS = {
    "scipy.stats.pearsonr", "sklearn.decomposition.PCA", "sklearn.linear_model.Ridge",
    "sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
}
PARAMETERS = [pytest.param(name, marks=needs_extensions) if name in EXTENSIONS else name for name in CALLS]


@pytest.mark.parametrize("name", PARAMETERS)
def test_call(client, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = flat(CALLS[name](np.array, np))
        actual = flat(CALLS[name](client.asarray, client))
    assert len(actual) == len(expected)
    for a, e in zip(actual, expected):
        if isinstance(e, np.ndarray) and e.ndim > 0:
            assert isinstance(a, ivyrs.Array), type(a)
            assert a.__array_namespace__() is client
        np.testing.assert_allclose(np.asarray(a, dtype=np.float64), np.asarray(e, dtype=np.float64), rtol=1e-6, atol=1e-9)


def test_the_docs_list_the_calls():
    listed = set(re.findall(r"`((?:scipy|sklearn|array_api_extra)\.[\w.]+)`", DOCS.read_text()))
    assert listed == set(CALLS)
    assert len(CALLS) >= 40


def test_array_api_compat(xp):
    x = xp.asarray([1.0, 2.0])
    assert array_api_compat.is_array_api_obj(x) and not array_api_compat.is_numpy_namespace(xp)
    assert array_api_compat.array_namespace(x, x + 1, 2.0, api_version="2024.12") is xp
    assert (array_api_compat.device(x), array_api_compat.size(x)) == ("cpu", 2)
    assert array_api_compat.to_device(x, "cpu") is x
    with pytest.raises(TypeError):
        array_api_compat.array_namespace(x, np.ones(2))

"""What the tests share: the namespaces of the backends that can run here, and comparison with NumPy."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")

import hypothesis
import numpy as np
import pytest

import ivyrs

hypothesis.settings.register_profile("ci", max_examples=60, deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci")

PLACES = ["ndarray", "candle", "jit:llvm", "jit:interp", "torch"]


def _runs(place):
    try:
        return ivyrs.namespace(place) is not None
    except ivyrs.IvyError:
        return False


RUNNING = [place for place in PLACES if _runs(place)]


@pytest.fixture(params=RUNNING)
def xp(request):
    """The namespace of each backend."""
    return ivyrs.namespace(request.param)


@pytest.fixture(params=[place for place in ("ndarray", "jit:llvm") if place in RUNNING])
def client(request):
    """The namespaces that clients are run on."""
    return ivyrs.namespace(request.param)


needs_extensions = pytest.mark.skipif(
    bool(ivyrs._ivyrs.missing()), reason="the extensions linalg and fft are not complete in this build"
)


@pytest.fixture(autouse=True)
def no_leak(request):
    """No array object outlives its test."""
    if "leaks" in request.keywords:
        import gc

        gc.collect()
        before = ivyrs._ivyrs.live_arrays()
        yield
        gc.collect()
        assert ivyrs._ivyrs.live_arrays() == before
    else:
        yield


def same(actual, expected):
    """Asserts equal dtypes, shapes and elements (NaN equals NaN)."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.dtype == expected.dtype, (actual.dtype, expected.dtype)
    assert actual.shape == expected.shape, (actual.shape, expected.shape)
    np.testing.assert_array_equal(actual, expected)


@pytest.fixture(autouse=True)
def nothing_stays_set():
    """A test that leaves a setting behind fails itself, and not one that comes later in its process."""
    from ivyrs.frontends import torch

    def settings():
        return str(ivyrs.current_backend()), torch.is_grad_enabled(), torch.get_default_dtype()

    before = settings()
    yield
    assert settings() == before

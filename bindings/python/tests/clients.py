"""The calls of other libraries that the client tests make with our arrays: name, and what is called.

Each takes a function that turns NumPy's arrays into the arrays to call with, and the namespace of those.
``docs/python.md`` lists the names; a test compares.
"""

import array_api_extra as xpx
import numpy as np
import scipy.cluster.vq
import scipy.ndimage
import scipy.signal
import scipy.special
import scipy.stats

rng = np.random.default_rng(1)
X = rng.normal(size=(60, 5))
Y = 2 * X[:, 0] - X[:, 1] + 0.1 * rng.normal(size=60)
LABELS = (Y > 0).astype(np.int64)
GUESSES = np.where(rng.uniform(size=60) < 0.2, 1 - LABELS, LABELS)
P = rng.uniform(0.1, 0.9, size=(6, 4))
Z = rng.normal(size=40)

CALLS = {}


def call(function):
    """Adds a call under its function's name, with dots for the double underscores."""
    CALLS[function.__name__.replace("__", ".")] = function
    return function


def family(prefix, module, names, *numbers, **keywords):
    """Adds calls of several functions with the same arguments."""
    for name in names:
        CALLS[f"{prefix}.{name}"] = lambda to, xp, f=getattr(module, name): f(*[to(n) for n in numbers], **keywords)


family("scipy.special", scipy.special, ["expit", "erf", "erfc", "gammaln", "digamma", "entr", "ndtr", "log_ndtr", "i0", "i1e", "logit", "sinc"], P)
family("scipy.special", scipy.special, ["logsumexp", "softmax", "log_softmax"], P, axis=1)
family("scipy.special", scipy.special, ["xlogy", "rel_entr", "betaln"], P, P[::-1].copy())
family("scipy.stats", scipy.stats, ["zscore", "gzscore"], P)
family("scipy.stats", scipy.stats, ["gmean", "hmean", "variation", "skew", "kurtosis", "moment", "entropy", "sem", "circmean", "circvar", "circstd", "tmean", "tvar", "tstd"], P)
family("scipy.stats", scipy.stats, ["skewtest", "kurtosistest", "normaltest", "jarque_bera"], Z)
family("scipy.stats", scipy.stats, ["ttest_ind", "ttest_rel", "pearsonr"], Z[:20], Z[20:])
family("scipy.signal", scipy.signal, ["detrend"], Z, type="constant")
family("scipy.cluster.vq", scipy.cluster.vq, ["whiten"], X)
family("array_api_extra", xpx, ["sinc"], Z)
family("array_api_extra", xpx, ["cov", "nunique", "union1d"][:2], X.T)
family("array_api_extra", xpx, ["kron"], P, P)
family("array_api_extra", xpx, ["create_diagonal"], Z)


@call
def scipy__stats__ttest_1samp(to, xp):
    return scipy.stats.ttest_1samp(to(Z), 0.5)


@call
def scipy__stats__chisquare(to, xp):
    return scipy.stats.chisquare(to(np.array([16.0, 18.0, 16.0, 14.0, 12.0, 12.0])))


@call
def scipy__stats__bartlett(to, xp):
    return scipy.stats.bartlett(to(Z[:20]), to(2 * Z[20:]))


@call
def scipy__stats__describe(to, xp):
    return scipy.stats.describe(to(P))


@call
def scipy__cluster__vq__vq(to, xp):
    return scipy.cluster.vq.vq(to(X), to(X[:4].copy()))


@call
def array_api_extra__atleast_nd(to, xp):
    return xpx.atleast_nd(to(Z), ndim=3)


@call
def array_api_extra__expand_dims(to, xp):
    return xpx.expand_dims(to(P), axis=(0, 2))


@call
def array_api_extra__isclose(to, xp):
    return xpx.isclose(to(P), to(P + 1e-9))


@call
def array_api_extra__one_hot(to, xp):
    return xpx.one_hot(to(LABELS), 3)


@call
def array_api_extra__pad(to, xp):
    return xpx.pad(to(P), 2)


@call
def array_api_extra__setdiff1d(to, xp):
    return xpx.setdiff1d(to(np.array([1, 2, 3, 4])), to(np.array([2, 4])))


@call
def array_api_extra__apply_where(to, xp):
    x = to(Z)
    return xpx.apply_where(x > 0, x, lambda v: v**0.5, fill_value=0.0)


@call
def array_api_extra__at(to, xp):
    return xpx.at(to(Z))[3:5].set(1.0)


@call
def array_api_extra__partition(to, xp):
    return xpx.partition(to(np.sort(Z)), 3)


@call
def array_api_extra__default_dtype(to, xp):
    return xp.ones(3, dtype=xpx.default_dtype(xp, "integral"))

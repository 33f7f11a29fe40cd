"""Calls of jax.scipy.special."""

import math

NAN, INF = math.nan, math.inf

ONE = ("gammaln gammasgn gamma digamma factorial erf erfc erfcx erfinv ndtr ndtri log_ndtr entr expit logit i0 i0e i1 i1e").split()
TWO = "betaln beta poch gammainc gammaincc xlogy xlog1py rel_entr kl_div boxcox boxcox1p zeta".split()


def calls(jax, v):
    s = jax.scipy.special
    for name in ONE:
        f = getattr(s, name)
        f(v.f([0.25, 0.5, 0.75]))
        f(v.f([[0.125, 0.9], [0.625, 0.375]]))
        f(0.5)
        f(v.i([3, 4]))
        f(v.c([0.5, 0.25])) if name not in ("gammaln digamma factorial erf erfc erfcx erfinv i0 i0e i1 i1e gamma expit logit").split() else None
        f("text")
    for name in "gammaln gammasgn gamma digamma factorial erf erfc erfcx entr i0 i0e i1 i1e".split():
        getattr(s, name)(v.f([2.5, 3.0, -0.5]))
    for name in "erf erfc erfinv entr ndtr expit logit gammasgn".split():
        getattr(s, name)(v.f([1.0, 0.0, NAN]))
    for name in "gammasgn gamma".split():
        getattr(s, name)(v.f([-0.0, 0.0, -1.5, -2.5]))
    s.log_ndtr(v.f([-30.0, -8.0, -2.0, 0.0, 2.0, 4.0]))
    s.erfcx(v.f([-2.0, 0.0, 1.9, 2.1, 50.0]))
    for name in TWO:
        f = getattr(s, name)
        f(v.f([1.5, 2.5, 3.0]), v.f([2.0, 0.5, 1.0]))
        f(v.f([[1.5], [2.5]]), v.f([2.0, 3.0]))
        f(2.5, 1.5)
        f(v.i([2, 3]), v.i([1, 2]))
        f(v.f([1.5]), "text")
    for name in "xlogy xlog1py rel_entr kl_div".split():
        getattr(s, name)(v.f([0.0, 0.0, 1.0, 1.0]), v.f([0.0, NAN, 0.0, 2.0]))
    for name in "boxcox boxcox1p".split():
        getattr(s, name)(v.f([1.0, 2.0]), v.f([0.0, -1.0]))
    s.poch(v.f([1.0, 2.5]), 0.0)
    s.zeta(v.f([2.0]))
    s.factorial(v.f([-1.0, 5.0]))
    s.polygamma(1, v.f([0.5, 2.0]))
    s.polygamma(v.i([1, 2]), v.f([0.5, 2.0]))
    s.polygamma(0.5, v.f([0.5, 2.0]))
    s.multigammaln(v.f([3.0, 4.5]), 2)
    s.multigammaln(4.0, 3)
    x = v.f([[1.0, 2.0, 3.0], [0.5, -1.0, 0.0]])
    for name in "softmax log_softmax".split():
        f = getattr(s, name)
        f(x)
        f(x, axis=1)
        f(x, axis=(0, 1))
    s.logsumexp(x)
    s.logsumexp(x, axis=0, keepdims=True)
    s.logsumexp(x, axis=1, b=v.f([1.0, 2.0, 0.5]))

"""Special functions."""

import torch

from .operands import INF, NAN, c, d, f, grid, i

ONE = {
    "digamma": (0.5, 1.0, 4.25), "psi": (0.5, 1.0, 4.25), "erf": (-1.0, 0.25, 3.0), "erfc": (-1.0, 0.25, 3.0), "erfcx": (-1.0, 0.25, 3.0),
    "erfinv": (-0.5, 0.25, 1.0), "exp2": (-1.0, 0.5, 3.0), "expit": (-2.0, 0.0, 3.0), "expm1": (-1.0, 1e-5, 2.0), "gammaln": (0.5, 1.0, 6.25),
    "i0": (-1.0, 0.5, 3.0), "i0e": (-1.0, 0.5, 3.0), "log1p": (-0.5, 1e-5, 3.0), "log_ndtr": (-3.0, 0.0, 2.0), "logit": (0.25, 0.5, 1.0),
    "ndtr": (-1.0, 0.0, 2.0), "ndtri": (0.25, 0.5, 0.875), "round": (-1.5, 0.5, 2.5), "sinc": (-1.0, 0.0, 0.25), "entr": (0.5, 0.0, -1.0),
}

# On both sides of where they change from one series to another, and far out.
BESSEL = {
    "i1": (-3.0, 0.25, 9.0), "i1e": (-12.0, 0.25, 300.0), "bessel_j0": (-9.5, 0.25, 5.0, 100.5), "bessel_j1": (-9.5, 0.25, 5.0, 100.5),
    "bessel_y0": (0.25, 5.0, 9.5, 100.5), "bessel_y1": (0.25, 5.0, 9.5, 100.5), "modified_bessel_i0": (-9.5, 0.25, 3.0), "modified_bessel_i1": (-9.5, 0.25, 3.0),
    "modified_bessel_k0": (0.25, 1.5, 3.0, 20.0), "modified_bessel_k1": (0.25, 1.5, 3.0, 20.0), "scaled_modified_bessel_k0": (0.25, 1.5, 3.0, 1000.0),
    "scaled_modified_bessel_k1": (0.25, 1.5, 3.0, 1000.0), "spherical_bessel_j0": (-1.5, 0.25, 30.0), "airy_ai": (-20.0, -7.5, -3.0, -0.5, 0.5, 2.5, 3.5, 8.0),
}
POLYNOMIALS = [f"{name}_polynomial_{kind}" for name in ("chebyshev", "shifted_chebyshev") for kind in "tuvw"]
POLYNOMIALS += ["hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"]


def record(r):
    for name, numbers in BESSEL.items():
        r.call(f"special.{name}", f(*numbers))
        r.call(f"special.{name}", d(*numbers))
        r.call(f"special.{name}", i(1, 2))
        r.call(f"special.{name}", c(1j) if name in ("i1", "bessel_j0") else f(0.0, NAN))
    for name in POLYNOMIALS:
        r.call(f"special.{name}", f(-0.5, 0.25, 0.75), 4)
        r.call(f"special.{name}", d(-0.5, 0.25, 0.75), i(0, 1, 5))
        r.call(f"special.{name}", d(0.25), torch.tensor([[2.0], [-1.0]], dtype=torch.float64))
        r.call(f"special.{name}", 0.5, i(3, 2))
    for name in ("special.gammainc", "special.gammaincc", "igamma", "igammac"):
        r.call(name, f(0.5, 3.0, 25.0), f(0.25, 5.0, 24.0))
        # Below, above, and where the uniform expansion is; small and large.
        r.call(name, d(0.1, 2.5, 10.0, 30.0, 50.0, 50.0, 1000.0), d(0.01, 1.0, 15.0, 10.0, 51.0, 90.0, 990.0))
        r.call(name, d(0.5, 2.0), d(1.0))
        r.call(name, f(2.0), d(1.0, 3.0))
        r.call(name, i(1, 2), i(1, 2))
    r.call("igamma", f(0.0, 0.0, 1.0, -1.0, 1.0, INF, 2.0), f(0.0, 1.0, 0.0, 1.0, -1.0, 1.0, INF))
    r.call("igammac", f(0.0, 0.0, 1.0, -1.0, 1.0, INF, 2.0), f(0.0, 1.0, 0.0, 1.0, -1.0, 1.0, INF))
    for name, numbers in ONE.items():
        r.call(f"special.{name}", f(*numbers))
        r.call(f"special.{name}", d(*numbers))
        r.call(f"special.{name}", i(1, 2))
        r.call(f"special.{name}", c(1j) if name in ("erf", "i0", "round", "entr") else f(NAN, INF))
    x = grid(2, 3)
    for name in ("softmax", "log_softmax"):
        r.call(f"special.{name}", x, 1)
        r.call(f"special.{name}", x, dim=0, dtype=torch.float64)
        r.call(f"special.{name}", x, 4)
    r.call("special.logsumexp", x, 1)
    r.call("special.logsumexp", x, (0, 1), keepdim=True)
    r.call("special.logsumexp", i(1, 2), 0)
    r.call("special.multigammaln", f(3.0, 4.5), 2)
    r.call("special.log_ndtr", f(-30.0, -14.0, 6.0))
    r.call("special.log_ndtr", d(-50.0, -1.0, 9.0))
    r.call("special.erfcx", f(50.0, 2.0))
    r.call("special.multigammaln", d(3.0), 3)
    r.call("special.multigammaln", f(0.25), 2)
    r.call("special.polygamma", 1, f(0.5, 2.0))
    r.call("special.polygamma", 3, d(1.5))
    r.call("special.polygamma", 0, f(0.5))
    for name in ("xlogy", "xlog1py", "zeta"):
        r.call(f"special.{name}", f(2.0, 3.0, 1.5), f(0.5, 2.0, 1.0))
        r.call(f"special.{name}", d(2.0, 0.0), d(0.5, -1.0))
        r.call(f"special.{name}", i(2, 3), i(1, 2))
        r.call(f"special.{name}", 2.0, f(0.5, 1.5))
        r.call(f"special.{name}", f(2.0, 3.0), 2.0)

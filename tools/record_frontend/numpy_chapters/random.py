"""Random numbers: dtypes, shapes and what is refused. The streams of numbers are not NumPy's."""

import numpy as np

from . import counted, f4, f8, i4, i8

# Distributions by their parameters: of numbers, and of arrays.
DISTRIBUTIONS = {
    "beta": ((2.0, 3.0), ([1.0, 2.0], 3.0)),
    "binomial": ((10, 0.5), ([5, 6], 0.25)),
    "chisquare": ((3,), ([1.0, 2.0],)),
    "exponential": ((), ([1.0, 2.0],)),
    "f": ((5, 6), ([5, 6], 7)),
    "gamma": ((2.0,), ([1.0, 2.0], 3.0)),
    "geometric": ((0.35,), ([0.5, 0.2],)),
    "gumbel": ((), ([0.0, 1.0], 2.0)),
    "laplace": ((), ([0.0, 1.0], 2.0)),
    "logistic": ((), ([0.0, 1.0], 2.0)),
    "lognormal": ((), ([0.0, 1.0], 0.5)),
    "negative_binomial": ((3, 0.5), ([3, 4], 0.5)),
    "normal": ((), ([0.0, 1.0], 2.0)),
    "pareto": ((3.0,), ([1.0, 2.0],)),
    "poisson": ((), ([1.0, 5.0],)),
    "power": ((3.0,), ([1.0, 2.0],)),
    "rayleigh": ((), ([1.0, 2.0],)),
    "standard_gamma": ((2.0,), ([1.0, 2.0],)),
    "standard_t": ((10,), ([5.0, 6.0],)),
    "triangular": ((-3, 0, 8), ([0.0, 1.0], 2.0, 3.0)),
    "uniform": ((), ([0.0, 1.0], 2.0)),
    "wald": ((3, 2), ([1.0, 2.0], 3.0)),
    "weibull": ((5.0,), ([1.0, 2.0],)),
}
NO_PARAMETERS = ("random", "standard_normal", "standard_exponential", "standard_cauchy")


def fresh():
    return np.random.default_rng(7)


def record(r):
    def draw(name, *args, **keywords):
        r.record(f"random.Generator.{name}", (fresh(), *args), keywords, compare="shape")

    for name, (numbers, arrays) in DISTRIBUTIONS.items():
        draw(name, *numbers)
        draw(name, *numbers, size=3)
        draw(name, *numbers, size=(2, 0))
        draw(name, *arrays)
        draw(name, *arrays, size=(3, 2))
        draw(name, *arrays, size=3)
        draw(name, *numbers, size=-1)
        if name not in ("gumbel", "laplace", "logistic", "normal", "uniform", "triangular"):
            draw(name, *((-1.0,) * max(1, len(numbers))), size=2)
    for name in NO_PARAMETERS:
        draw(name)
        draw(name, 3)
        draw(name, size=(2, 2))
        if name != "standard_cauchy":
            draw(name, 2, dtype="float32")
            draw(name, 2, dtype=np.int64)
            draw(name, out=np.zeros(3))
    draw("integers", 5)
    draw("integers", 2, size=4)
    draw("integers", 1, 7, (2, 2))
    draw("integers", 10, size=3, dtype="uint8")
    draw("integers", 255, size=3, dtype="uint8", endpoint=True)
    draw("integers", [3, 5, 10])
    draw("integers", [1, 2], [[4], [9]], endpoint=True)
    draw("integers", 300, size=2, dtype="uint8")
    draw("integers", 0)
    draw("integers", 5, 2)
    draw("integers", 5, dtype="float32")
    draw("choice", 5, 3)
    draw("choice", 5)
    draw("choice", [1.5, 2.5, 3.5], (2, 2))
    draw("choice", 5, 3, replace=False)
    draw("choice", 5, 3, p=[0.1, 0, 0.3, 0.6, 0])
    draw("choice", counted(3, 2), 2, axis=0)
    draw("choice", counted(3, 2), 4, axis=1)
    draw("choice", 5, 6, replace=False)
    draw("choice", 5, 3, p=[0.5, 0.5])
    draw("choice", 2, 3, p=[0.5, 0.4])
    draw("choice", 0, 3)
    draw("permutation", 5)
    draw("permutation", [1, 4, 9])
    draw("permutation", counted(3, 2))
    draw("permutation", counted(2, 3), axis=1)
    draw("permutation", 1.5)
    draw("permuted", counted(2, 3))
    draw("permuted", counted(2, 3), axis=1)
    draw("permuted", [1, 2, 3])
    draw("multinomial", 20, [1 / 6] * 6)
    draw("multinomial", 20, [0.5, 0.5], size=3)
    draw("multinomial", [10, 20], [0.25, 0.75])
    draw("multinomial", -1, [0.5, 0.5])
    draw("multinomial", 5, [0.9, 0.9])
    draw("dirichlet", [1.0, 2.0, 3.0])
    draw("dirichlet", (10, 5), 4)
    draw("dirichlet", [1.0, -2.0])
    draw("multivariate_normal", [0, 0], [[1, 0], [0, 1]])
    draw("multivariate_normal", [0, 1], [[2, 1], [1, 2]], (3,))
    draw("multivariate_normal", [0, 1], [[2, 1], [1, 2]], 2, method="cholesky")
    draw("multivariate_normal", [0, 1], [[2, 1]])
    for x, axis in ((i4([1, 2, 3]), 0), (counted(3, 2), 1)):
        r.record("random.Generator.shuffle", (fresh(), x, axis), compare="shape", inplace=1)
    legacy(r)


def legacy(r):
    """The functions of `np.random` itself."""

    def draw(name, *args, **keywords):
        r.record(f"random.{name}", args, keywords, compare="shape")

    draw("rand")
    draw("rand", 2, 3)
    draw("rand", 0)
    draw("randn")
    draw("randn", 3)
    draw("randn", 2, 2)
    draw("randint", 2, size=4)
    draw("randint", 1, 5, (2, 2))
    draw("randint", 5, size=2, dtype="int8")
    draw("randint", 5, 2)
    for name in ("random", "random_sample", "standard_normal", "standard_exponential"):
        draw(name)
        draw(name, 3)
        draw(name, (2, 2))
    draw("normal", 0.0, 1.0, 3)
    draw("normal")
    draw("normal", [0.0, 1.0], 1.0)
    draw("uniform", -1, 1, (2,))
    draw("uniform")
    draw("uniform", size=3)
    draw("choice", 5, 3)
    draw("choice", [1, 2, 3])
    draw("choice", 3, 2, False)
    draw("choice", 3, 2, p=[0.5, 0.25, 0.25])
    draw("permutation", 4)
    draw("permutation", [1, 2, 3])
    draw("permutation", counted(3, 2))
    draw("seed", 3)
    draw("seed")
    draw("seed", -1)
    for name, args in (("beta", (1, 2)), ("binomial", (5, 0.5)), ("exponential", ()), ("gamma", (2.0,)), ("poisson", (3,))):
        draw(name, *args)
        draw(name, *args, size=3)
        draw(name, *args, size=(2, 2))

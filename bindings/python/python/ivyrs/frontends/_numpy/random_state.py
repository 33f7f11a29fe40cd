"""NumPy's former source of random numbers: the names of ``numpy.random`` as methods."""


def make(default_rng):
    """The class; the function makes a generator of a seed."""

    class RandomState:
        """A source of random numbers with the method names of the module ``numpy.random``. Its numbers are those of a generator."""

        def __init__(self, seed=None):
            self.seed(seed)

        def __getattr__(self, name):
            if name.startswith("_"):
                raise AttributeError(name)
            return getattr(self._generator, name)

        def seed(self, seed=None):
            """Begins again, from a seed."""
            self._generator = default_rng(seed)

        def rand(self, *shape):
            """Uniform numbers from 0 to below 1, in a shape."""
            return self._generator.random(shape or None)

        def randn(self, *shape):
            """Numbers of the standard normal distribution, in a shape."""
            return self._generator.standard_normal(shape or None)

        def randint(self, low, high=None, size=None, dtype=int):
            """Integers from `low` to below `high`, or from 0 to below `low`."""
            return self._generator.integers(low, high, size, dtype)

        def random_sample(self, size=None):
            """Uniform numbers from 0 to below 1."""
            return self._generator.random(size)

    RandomState.__module__ = "ivyrs.frontends.numpy.random"
    RandomState.__qualname__ = "RandomState"
    return RandomState

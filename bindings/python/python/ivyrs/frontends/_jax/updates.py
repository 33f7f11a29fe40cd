"""Updates of elements: ``x.at[index].set(values)`` and its like."""


class At:
    """What ``x.at`` gives: it takes an index."""

    def __init__(self, methods, array):
        self._methods, self._array = methods, array

    def __getitem__(self, index):
        return Indexed(self._methods, self._array, index)


class Indexed:
    """An array and an index: its methods give arrays."""

    def __init__(self, methods, array, index):
        self._methods, self._array, self._index = methods, array, index

    def __getattr__(self, name):
        try:
            method = self._methods[name]
        except KeyError:
            raise AttributeError(f"an indexed array has no '{name}'; there are {', '.join(sorted(self._methods))}") from None
        return lambda *values, **keywords: method(self._array, self._index, *values, **keywords)

    def apply(self, func, **keywords):
        """The array with what a function makes of the elements."""
        return self.set(func(self.get()), **keywords)

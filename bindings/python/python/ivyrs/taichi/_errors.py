"""Errors of kernels and fields, by Taichi's names."""


class TaichiCompilationError(Exception):
    """What a kernel may not do, with its place in the source."""


class TaichiSyntaxError(TaichiCompilationError, SyntaxError):
    """Syntax that kernels have not."""


class TaichiNameError(TaichiCompilationError, NameError):
    """A name that a kernel does not know."""


class TaichiTypeError(TaichiCompilationError, TypeError):
    """Types that do not go together."""


class TaichiRuntimeError(RuntimeError):
    """What is wrong with a call."""


class TaichiRuntimeTypeError(TaichiRuntimeError, TypeError):
    """An argument that a kernel does not take."""


class TaichiAssertionError(TaichiRuntimeError, AssertionError):
    """An assertion that did not hold, or an index out of range, in debug mode."""


class TaichiIndexError(TaichiAssertionError, IndexError):
    """Indices that a field has not."""


class TaichiShapeError(TaichiRuntimeError, ValueError):
    """Values of another shape than a field has."""


def make(name: str, text: str) -> Exception:
    """The exception of a class by its name."""
    return globals()[name](text)

"""What Dr.Jit's arrays refuse: every error is a ``DrjitError``, which is a ``RuntimeError``, and of Python's own class where there is one."""


class DrjitError(RuntimeError):
    """What an operation on arrays refuses."""


class DrjitTypeError(DrjitError, TypeError):
    """Types that do not go together, and values of which no array is made."""


class DrjitIndexError(DrjitError, IndexError):
    """An entry that is not there."""


class DrjitAttributeError(DrjitError, AttributeError):
    """A component that a type does not have."""


class DrjitValueError(DrjitError, ValueError):
    """An argument that breaks a rule."""


class DrjitCapturedGradient(DrjitError):
    """Recorded code that uses a variable with gradients which is no part of its state."""

    kind = "CapturedGradient"


def make(name: str, text: str) -> DrjitError:
    """The exception of a class by its name."""
    return globals()[name](text)

"""``ti.algorithms``: sorting and prefix sums of fields, by the core's functions on the engine."""

from __future__ import annotations

from ._errors import TaichiTypeError
from ._fields import Field


def _numbers(name: str, field: Field) -> Field:
    if not isinstance(field, Field) or field.form is not None or len(field.shape) != 1:
        raise TaichiTypeError(f"{name}: a field of numbers with one axis is expected")
    return field


def parallel_sort(keys: Field, values: Field | None = None) -> None:
    """Sorts a field of one axis in place from the least to the greatest, and another one as its keys: equal keys keep their order."""
    import ivyrs

    array = _numbers("parallel_sort", keys).native.to_array()
    order = ivyrs.argsort(array, stable=True)
    if values is not None:
        if _numbers("parallel_sort", values).shape != keys.shape:
            raise TaichiTypeError(f"parallel_sort: the keys are of shape {keys.shape}, the values of {values.shape}")
        values.native.set_array(ivyrs.take(values.native.to_array(), order))
    keys.native.set_array(ivyrs.take(array, order))


class PrefixSumExecutor:
    """Inclusive prefix sums of fields of one length, in place."""

    def __init__(self, length: int) -> None:
        self.length = length

    def run(self, input_arr: Field) -> None:
        """Replaces each number of a field by the sum of those up to it."""
        import ivyrs

        if _numbers("PrefixSumExecutor", input_arr).shape != (self.length,):
            raise TaichiTypeError(f"PrefixSumExecutor: the field is of shape {input_arr.shape}, and {self.length} numbers are expected")
        array = input_arr.native.to_array()
        input_arr.native.set_array(ivyrs.cumulative_sum(array, dtype=array.dtype))

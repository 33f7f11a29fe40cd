"""Methods of arrays that read and write bytes, and those that change an array's own shape."""

import pickle
import sys

from ... import _ivyrs
from . import files


def equip(numpy, array):
    """Puts the methods into the array class."""

    def tobytes(self, order="C"):
        """The bytes of the elements in row-major order; with ``order="F"`` in column-major order."""
        if order not in ("C", "F", "A", "K", None):
            raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
        column_major = order == "F" or order in ("A", "K") and self.flags.fnc
        return _ivyrs.element_bytes(self.T if column_major else self)

    def tofile(self, fid, sep="", format="%s"):
        """Writes the elements to a file: their bytes, or with `sep` their texts, in row-major order."""
        with files.opened(fid, "wb") as file:
            file.write(sep.join(format % value for value in self.ravel().tolist()).encode() if sep else self.tobytes())

    def dumps(self):
        """The array pickled."""
        return pickle.dumps(self)

    def dump(self, file):
        """Writes the array to a file, pickled."""
        with files.opened(file, "wb") as target:
            target.write(self.dumps())

    resized = array.resize

    def resize(self, *new_shape, refcheck=True):
        """Changes the array's own shape: missing elements are 0, those too many go. A view cannot be resized, nor an array
        that something else refers to, unless `refcheck` is False."""
        if _ivyrs.view_base(self) is not None:
            raise ValueError("cannot resize this array: it does not own its data")
        if not new_shape or new_shape == (None,):
            return
        # The variable, this function's own, and the one that counts.
        is_shared = refcheck and sys.getrefcount(self) > 3
        if is_shared or not _ivyrs.replace_elements(self, resized(self, *new_shape)):
            text = "cannot resize an array that references or is referenced by another array in this way."
            raise ValueError(text + " Use the np.resize function or refcheck=False")

    def divmod_(self, value, /):
        """The quotients rounded down and the remainders."""
        return numpy.divmod(self, value)

    def rdivmod(self, value, /):
        """The quotients rounded down and the remainders, of what stands before."""
        return numpy.divmod(value, self)

    for method, name in [
        (tobytes, "tobytes"), (tofile, "tofile"), (dumps, "dumps"), (dump, "dump"), (resize, "resize"),
        (divmod_, "__divmod__"), (rdivmod, "__rdivmod__"),
    ]:  # fmt: skip
        method.__name__, method.__qualname__ = name, f"ndarray.{name}"
        setattr(array, name, method)
    array.data = property(lambda self: memoryview(self), doc="The elements as a buffer for reading.")

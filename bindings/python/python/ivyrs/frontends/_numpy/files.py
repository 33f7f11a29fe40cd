"""Arrays in files and buffers: ``save``, ``load``, ``savez``, ``savetxt``, ``loadtxt``, ``frombuffer``, ``fromfile``."""

import contextlib
import io
import itertools
import os
import zipfile
from collections.abc import Mapping

from ... import _ivyrs
from ..._errors import IvyError

_MAGIC = b"\x93NUMPY"


@contextlib.contextmanager
def opened(file, mode, encoding=None):
    """A file by its path, closed afterwards, or one that is open already."""
    if hasattr(file, "write" if "w" in mode else "read"):
        yield file
    else:
        with open(os.fspath(file), mode, encoding=encoding) as own:
            yield own


def _with_suffix(file, suffix):
    if hasattr(file, "write"):
        return file
    path = os.fspath(file)
    return path if path.endswith(suffix) else path + suffix


def _name(file):
    return str(getattr(file, "name", "a file")) if hasattr(file, "read") else os.fspath(file)


class NpzFile(Mapping):
    """The arrays of an ``.npz`` file by name. Each is read when it is asked for; ``close`` closes the file."""

    def __init__(self, array, file, own):
        self._array, self._file = array, file if own else None
        self.zip = zipfile.ZipFile(file)
        self.files = [name.removesuffix(".npy") for name in self.zip.namelist()]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """Closes the file."""
        if self.zip is not None:
            self.zip.close()
            self.zip = None
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, key):
        if self.zip is None:
            raise ValueError("the file is closed")
        if key.removesuffix(".npy") not in self.files:
            raise KeyError(f"{key} is not a file in the archive; there are {', '.join(self.files)}")
        entry = key if key in self.zip.namelist() else key + ".npy"
        return self._array(self.zip.read(entry), entry)[0]

    def __repr__(self):
        return f"NpzFile with keys: {', '.join(self.files[:5])}{'...' * (len(self.files) > 5)}"


def _fields(line, comments, delimiter, quotechar):
    """The texts of a line; none of an empty one."""
    for mark in comments:
        line = line.split(mark, 1)[0]
    line = line.strip("\r\n")
    if not line.strip():
        return []
    if quotechar:
        import csv

        return next(csv.reader([line], delimiter=delimiter or " ", quotechar=quotechar, skipinitialspace=delimiter is None))
    return [field.strip() for field in line.split(delimiter)]


def functions(numpy):
    """The functions, of a module that has NumPy's others."""

    def wrapped(array):
        return numpy.ndarray._of(array, False)

    def read_npy(data, name):
        try:
            array, count = _ivyrs.npy_array(data, name)
        except IvyError as error:
            raise ValueError(str(error)) from None
        return wrapped(array), count

    def save(file, arr, allow_pickle=True):
        """Writes an array to a file in NumPy's ``.npy`` form; a path without that ending gets it."""
        data = _ivyrs.npy_bytes(numpy.asanyarray(arr))
        with opened(_with_suffix(file, ".npy"), "wb") as target:
            target.write(data)

    def _save_all(file, args, kwds, method):
        arrays = {f"arr_{i}": value for i, value in enumerate(args)}
        for name, value in kwds.items():
            if name in arrays:
                raise ValueError(f"Cannot use un-named variables and keyword {name}")
            arrays[name] = value
        data = {name: _ivyrs.npy_bytes(numpy.asanyarray(value)) for name, value in arrays.items()}
        with zipfile.ZipFile(_with_suffix(file, ".npz"), "w", method) as archive:
            for name, entry in data.items():
                archive.writestr(name + ".npy", entry)

    def savez(file, *args, allow_pickle=True, **kwds):
        """Writes several arrays to a file in NumPy's ``.npz`` form, by the names of their arguments, else ``arr_0, arr_1, ...``."""
        _save_all(file, args, kwds, zipfile.ZIP_STORED)

    def savez_compressed(file, *args, allow_pickle=True, **kwds):
        """As ``savez``, compressed."""
        _save_all(file, args, kwds, zipfile.ZIP_DEFLATED)

    def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000):
        """Reads an ``.npy`` file's array, or the arrays of an ``.npz`` file by name. Objects are never unpickled."""
        if mmap_mode is not None:
            raise NotImplementedError("load(): files are read, not mapped to memory: leave mmap_mode out")
        own = not hasattr(file, "read")
        source = open(os.fspath(file), "rb") if own else file
        try:
            begin = source.tell()
            magic = source.read(len(_MAGIC))
            source.seek(begin)
            if magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
                found = NpzFile(read_npy, source, own)
                own = False
                return found
            if not magic:
                raise EOFError("No data left in file")
            if magic != _MAGIC:
                raise ValueError(f"load(): {_name(file)} is neither an .npy nor an .npz file, and objects are never unpickled")
            data = source.read()
            array, count = read_npy(data, _name(file))
            if not own:
                source.seek(begin + count)
            return array
        finally:
            if own:
                source.close()

    def savetxt(fname, X, fmt="%.18e", delimiter=" ", newline="\n", header="", footer="", comments="# ", encoding=None):
        """Writes an array of one or two axes as text, a row a line."""
        X = numpy.asarray(X)
        if X.ndim not in (1, 2):
            raise ValueError(f"Expected 1D or 2D array, got {X.ndim}D array instead")
        if not isinstance(fmt, (str, list, tuple)):
            raise ValueError(f"invalid fmt: {fmt!r}")
        rows = X.reshape(-1, 1) if X.ndim == 1 else X
        columns, is_complex = rows.shape[1], rows.dtype.kind == "c"
        if isinstance(fmt, (list, tuple)):
            if len(fmt) != columns:
                raise AttributeError(f"fmt has wrong shape.  {fmt}")
            form = delimiter.join(fmt)
        elif fmt.count("%") == 1:
            one = f" ({fmt}+{fmt}j)" if is_complex else fmt
            form = delimiter.join([one] * columns)
        elif fmt.count("%") in (columns, 2 * columns * is_complex):
            form = fmt
        else:
            raise ValueError(f"fmt has wrong number of % formats:  {fmt}")
        lines = []
        for row in rows.tolist():
            values = itertools.chain.from_iterable((v.real, v.imag) for v in row) if is_complex else row
            try:
                lines.append((form % tuple(values) + newline).replace("+-", "-"))
            except TypeError:
                raise TypeError(f"Mismatch between array dtype ('{X.dtype}') and format specifier ('{form}')") from None
        told = [comments + text.replace("\n", "\n" + comments) + newline if text else "" for text in (header, footer)]
        text = told[0] + "".join(lines) + told[1]
        if isinstance(fname, (str, os.PathLike)):
            with open(os.fspath(fname), "w", encoding=encoding or "latin1", newline="") as target:
                target.write(text)
            return
        try:
            fname.write(text)
        except TypeError:
            fname.write(text.encode(encoding or "latin1"))

    def loadtxt(
        fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0,
        encoding=None, max_rows=None, *, quotechar=None, like=None,
    ):
        """Reads numbers from a text file, a row a line; from an open file, or from lines."""
        if ndmin not in (0, 1, 2):
            raise ValueError(f"Illegal value of ndmin keyword: {ndmin}")
        if like is not None:
            raise NotImplementedError("loadtxt(): `like` has no meaning here: leave it out")
        comments = [] if comments is None else [comments] if isinstance(comments, (str, bytes)) else list(comments)
        comments = [mark.decode("latin1") if isinstance(mark, bytes) else mark for mark in comments]
        columns = None if usecols is None else [usecols] if isinstance(usecols, int) else [int(column) for column in usecols]
        kind = numpy.dtype(dtype).kind
        plain = {"c": lambda text: complex(text.replace("+-", "-")), "f": float, "b": lambda text: bool(int(text))}.get(kind, int)
        with contextlib.ExitStack() as stack:
            lines = fname
            if isinstance(fname, (str, os.PathLike)):
                lines = stack.enter_context(open(os.fspath(fname), encoding=encoding or "utf-8"))
            rows, width = [], None
            for number, line in enumerate(lines, 1):
                if number <= skiprows:
                    continue
                if max_rows is not None and len(rows) >= max_rows:
                    break
                fields = _fields(line.decode(encoding or "latin1") if isinstance(line, bytes) else line, comments, delimiter, quotechar)
                if not fields:
                    continue
                if width not in (None, len(fields)) and columns is None:
                    text = f"the number of columns changed from {width} to {len(fields)} at row {len(rows) + 1}"
                    raise ValueError(text + "; use `usecols` to select a subset and avoid this error")
                width = len(fields)
                rows.append([_number(fields, column, converters, plain, len(rows), dtype) for column in columns or range(width)])
        found = numpy.array(rows, dtype=dtype) if rows else numpy.zeros((0,) if columns is None else (0, len(columns)), dtype=dtype)
        if found.ndim == 2 and ndmin < 2:
            found = found.squeeze() if ndmin == 0 or found.size != 1 else found.reshape(-1)
        while found.ndim < ndmin:
            found = numpy.atleast_1d(found) if found.ndim == 0 else found.reshape(-1, 1)
        return found.T if unpack else found

    def _number(fields, column, converters, plain, row, dtype):
        if not -len(fields) <= column < len(fields):
            raise ValueError(f"invalid column index {column} at row {row + 1} with {len(fields)} columns")
        text = fields[column]
        own = converters if callable(converters) else (converters or {}).get(column)
        try:
            return own(text) if own else plain(text)
        except ValueError:
            told = f"could not convert string {text!r} to {numpy.dtype(dtype).name} at row {row}, column {column % len(fields) + 1}."
            raise ValueError(told) from None

    def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
        """The elements of a buffer, copied, as an array of one axis."""
        if like is not None:
            raise NotImplementedError("frombuffer(): `like` has no meaning here: leave it out")
        data = memoryview(buffer).cast("B")
        kind = numpy.dtype(dtype)
        if not 0 <= offset <= len(data):
            raise ValueError(f"offset must be non-negative and no greater than buffer length ({len(data)})")
        data = data[offset:]
        if count < 0:
            if len(data) % kind.itemsize:
                raise ValueError("buffer size must be a multiple of element size")
        elif count * kind.itemsize > len(data):
            raise ValueError("buffer is smaller than requested size")
        else:
            data = data[: count * kind.itemsize]
        return wrapped(_ivyrs.array_of_bytes(bytes(data), kind))

    def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, like=None):
        """Reads elements from a file: their bytes, or with `sep` their texts."""
        kind = numpy.dtype(dtype)
        if sep and offset:
            raise TypeError("'offset' argument only permitted for binary files")
        with opened(file, "rb") as source:
            if sep:
                data = source.read()
                text = data.decode("latin1") if isinstance(data, bytes) else data
                return numpy.fromstring(text, dtype=dtype, count=count, sep=sep)
            source.seek(offset, io.SEEK_CUR)
            data = source.read() if count < 0 else source.read(count * kind.itemsize)
        return frombuffer(data[: len(data) - len(data) % kind.itemsize], dtype, like=like)

    return {
        "save": save, "savez": savez, "savez_compressed": savez_compressed, "load": load, "savetxt": savetxt, "loadtxt": loadtxt,
        "frombuffer": frombuffer, "fromfile": fromfile,
    }  # fmt: skip

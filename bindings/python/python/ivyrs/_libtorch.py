"""One libtorch in a process: with the torch backend built in, only a PyTorch of the same version goes beside it.

ivyrs opens libtorch at the first call, and takes PyTorch's where that is in the process already; PyTorch takes
the one that it finds loaded. Another version would crash where it is called.
"""

import sys
from importlib import metadata
from importlib.abc import MetaPathFinder


def _version(text):
    return text.split("+")[0]


def _refuse(found, built):
    raise ImportError(
        f"ivyrs is built with libtorch {built}, and this process has PyTorch {found}: install torch=={built}, "
        "or build ivyrs without the feature torch"
    )


def guard(built):
    """Refuses a PyTorch of another version than the one built with, now and later."""
    if built is None:
        return
    torch = sys.modules.get("torch")
    if torch is not None and _version(torch.__version__) != built:
        _refuse(torch.__version__, built)
    sys.meta_path.insert(0, Finder(built))


class Finder(MetaPathFinder):
    """Looks at the version of PyTorch before it is imported, and leaves the import to the others."""

    def __init__(self, built):
        self.built = built

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "torch":
            try:
                found = metadata.version("torch")
            except metadata.PackageNotFoundError:
                return None
            if _version(found) != self.built:
                _refuse(found, self.built)
        return None

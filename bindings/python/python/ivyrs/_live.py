"""The arrays that live: for Ivy's switch of backends that takes them along."""

import gc
import sys

from ._ivyrs import Array


def _frames():
    for frame in sys._current_frames().values():
        while frame is not None:
            yield frame
            frame = frame.f_back


def live_arrays():
    """Every array that a variable of a running function, or an object that the garbage collector knows, holds."""
    found, seen = {}, set()

    def look(values):
        pending = list(values)
        while pending:
            value = pending.pop()
            if isinstance(value, Array):
                found[id(value)] = value
            # Tuples and dicts of nothing but arrays are not known to the collector themselves.
            elif type(value) in (dict, tuple) and not gc.is_tracked(value) and id(value) not in seen:
                seen.add(id(value))
                pending.extend(gc.get_referents(value))

    for known in gc.get_objects():
        look(gc.get_referents(known))
    for frame in _frames():
        look(frame.f_locals.values())
    return list(found.values())

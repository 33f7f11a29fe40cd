"""``tf.nest``: lists, tuples, named tuples and dictionaries of values, of which all else is an entry; dictionaries by their
keys in order.
"""


def _keys(structure):
    try:
        return sorted(structure)
    except TypeError:
        raise TypeError("tf.nest: the keys of a dictionary must have an order") from None


def _children(structure):
    if isinstance(structure, dict):
        return [structure[key] for key in _keys(structure)]
    return list(structure)


def _like(structure, entries):
    """A list, tuple or dictionary of the kind of another one."""
    if isinstance(structure, dict):
        found = dict(zip(_keys(structure), entries))
        return type(structure)((key, found[key]) for key in structure)
    if hasattr(structure, "_fields"):
        return type(structure)(*entries)
    return type(structure)(entries)


def is_nested(structure):
    """Whether a value has entries."""
    return isinstance(structure, (list, tuple, dict))


def flatten(structure, expand_composites=False):
    """The entries, depth first."""
    if not is_nested(structure):
        return [structure]
    return [entry for child in _children(structure) for entry in flatten(child)]


def _take(structure, entries):
    if not is_nested(structure):
        return next(entries)
    return _like(structure, [_take(child, entries) for child in _children(structure)])


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """Entries in a structure."""
    if not isinstance(flat_sequence, (list, tuple)):
        raise TypeError(f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found that it is not a sequence.")
    count = len(flatten(structure))
    if count != len(flat_sequence):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} atoms, but flat_sequence had {len(flat_sequence)} items."
        )
    return _take(structure, iter(flat_sequence))


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    """Refuses two structures that differ."""
    if is_nested(nest1) != is_nested(nest2):
        raise ValueError(f"The two structures don't have the same nested structure: {nest1!r} and {nest2!r}")
    if not is_nested(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise TypeError(
            f"The two structures don't have the same sequence type: {type(nest1).__name__} and {type(nest2).__name__}"
        )
    if len(nest1) != len(nest2) or isinstance(nest1, dict) and set(nest1) != set(nest2):
        raise ValueError(f"The two structures don't have the same nested structure: {nest1!r} and {nest2!r}")
    for first, second in zip(_children(nest1), _children(nest2)):
        assert_same_structure(first, second, check_types)


def map_structure(func, *structures, check_types=True, expand_composites=False):
    """A function of the entries of structures at the same places, in the first one's structure."""
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structures:
        raise ValueError("Must provide at least one structure")
    first, *rest = structures
    for other in rest:
        assert_same_structure(first, other, check_types)
    return pack_sequence_as(first, [func(*entries) for entries in zip(*map(flatten, structures))])

"""Nests: lists, tuples and dicts within each other, and functions of what is in them. Indices are lists of numbers and keys."""


def _is(x, kind, derived, ignored):
    """Whether something is a nest of a kind, and is looked into."""
    if ignored and isinstance(x, ignored):
        return False
    return isinstance(x, kind) if derived else type(x) is kind


def _tuple_like(x, values):
    """A tuple of the same class, named ones by their fields."""
    if hasattr(x, "_fields"):
        return type(x)(*values)
    return type(x)(values)


def _types(to_ignore):
    if to_ignore is None:
        return ()
    return tuple(to_ignore) if isinstance(to_ignore, (tuple, list)) else (to_ignore,)


def nested_map(fn, x, /, include_derived=None, to_ignore=None, to_mutable=False, shallow=True):
    """The nest of what ``fn`` makes of each leaf of ``x``.

    ``include_derived`` says whether lists, tuples and dicts of derived classes are nests as well: True, or a dict such as
    ``{tuple: True}``; named tuples always are. Classes in ``to_ignore`` are leaves. With ``to_mutable`` tuples become lists.
    As in Ivy, lists and dicts are changed in place unless ``shallow`` is False, and a ``slice`` is a nest of its numbers.
    """
    if include_derived is True:
        include_derived = {tuple: True, list: True, dict: True}
    derived = include_derived or {}
    ignored = _types(to_ignore)

    def mapped(x):
        named = isinstance(x, tuple) and hasattr(x, "_fields")
        if _is(x, tuple, named or derived.get(tuple, False), ignored):
            values = [mapped(value) for value in x]
            return values if to_mutable else _tuple_like(x, values)
        if _is(x, list, derived.get(list, False), ignored):
            values = [mapped(value) for value in x]
            if not shallow:
                return type(x)(values)
            x[:] = values
            return x
        if _is(x, dict, derived.get(dict, False), ignored):
            values = {key: mapped(value) for key, value in x.items()}
            if not shallow:
                return type(x)(values)
            x.update(values)
            return x
        if isinstance(x, slice) and not (ignored and isinstance(x, ignored)):
            return slice(mapped(x.start), mapped(x.stop), mapped(x.step))
        return fn(x)

    return mapped(x)


def _entries(nest, ignored=()):
    """Indices and values of a nest; None for a leaf."""
    if ignored and isinstance(nest, ignored):
        return None
    if isinstance(nest, (list, tuple)):
        return enumerate(nest)
    return nest.items() if isinstance(nest, dict) else None


def _walk(nest, nests, ignored):
    """The indices and values of leaves, and of nests behind what is in them if ``nests``."""

    def below(nest, index):
        entries = _entries(nest, ignored)
        if entries is None:
            yield index, nest
            return
        for key, value in entries:
            yield from below(value, [*index, key])
        if nests:
            yield index, nest

    return below(nest, [])


def nested_argwhere(nest, fn, check_nests=False, to_ignore=None, stop_after_n_found=None):
    """The indices of the leaves of which ``fn`` is true, in order, and with ``check_nests`` those of such nests as well.

    Classes in ``to_ignore`` are leaves. After ``stop_after_n_found`` of them nothing more is looked at.
    """
    found = []
    for index, value in _walk(nest, check_nests, _types(to_ignore)):
        if stop_after_n_found is not None and len(found) >= stop_after_n_found:
            break
        # The whole nest has no index, but a leaf by itself has the empty one.
        if (index or _entries(nest) is None) and fn(value):
            found.append(index)
    return found


def nested_any(nest, fn, check_nests=False):
    """Whether ``fn`` is true of a leaf, or with ``check_nests`` of a nest, the whole of it among them."""
    return any(fn(value) for _, value in _walk(nest, check_nests, ()))


def all_nested_indices(nest, include_nests=False):
    """The indices of all leaves, and with ``include_nests`` those of the nests within."""
    return nested_argwhere(nest, lambda _: True, check_nests=include_nests)


def _steps(index):
    return list(index) if isinstance(index, (list, tuple)) or hasattr(index, "__next__") else [index]


def index_nest(nest, index, /):
    """What stands at an index: a list or tuple of numbers and keys, or one of them."""
    for step in _steps(index):
        nest = nest[step]
    return nest


def map_nest_at_index(nest, index, fn, /, shallow=True):
    """The nest with what ``fn`` makes of what stands at an index.

    As in Ivy, lists and dicts are changed in place unless ``shallow`` is False; tuples are made anew.
    """

    def changed(nest, steps):
        if not steps:
            return fn(nest)
        step, *rest = steps
        entries = list(nest) if isinstance(nest, tuple) else nest
        if not shallow and entries is nest:
            entries = nest.copy()
        entries[step] = changed(nest[step], rest)
        return _tuple_like(nest, entries) if isinstance(nest, tuple) else entries

    return changed(nest, _steps(index))


def set_nest_at_index(nest, index, value, /, shallow=True):
    """The nest with another value at an index, in place as ``map_nest_at_index`` has it."""
    if not _steps(index):
        return value
    *outer, last = _steps(index)

    def put(inner):
        # A key that a dict does not have yet may be put in.
        if isinstance(inner, dict):
            inner = inner if shallow else inner.copy()
            inner[last] = value
            return inner
        return map_nest_at_index(inner, [last], lambda _: value, shallow=shallow)

    return map_nest_at_index(nest, outer, put, shallow=shallow)


def functions():
    """The functions of a namespace."""
    public = (nested_map, nested_argwhere, nested_any, all_nested_indices, index_nest, map_nest_at_index, set_nest_at_index)
    return {f.__name__: f for f in public}

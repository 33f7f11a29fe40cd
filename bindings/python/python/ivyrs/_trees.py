"""Arrays in lists, tuples and dicts: taken out in order, and put back into the same form."""

import operator

from ._ivyrs import Array


class _Place:
    """Stands where an array is, in a form."""

    __slots__ = ()

    def __repr__(self):
        return "array"


ARRAY = _Place()


def flatten(value, arrays, number=None):
    """The form of a value, with its arrays put to a list; ``number`` makes arrays of numbers, which else stay in the form.

    Nests are lists, tuples (named ones too) and dicts; all else stays in the form as it is.
    """
    if isinstance(value, Array):
        arrays.append(value)
        return ARRAY
    if number is not None and isinstance(value, (bool, int, float, complex)):
        arrays.append(number(value))
        return ARRAY
    kind = type(value)
    if kind in (list, tuple) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return kind, [flatten(entry, arrays, number) for entry in value]
    if kind is dict:
        return dict, {key: flatten(entry, arrays, number) for key, entry in value.items()}
    return None, value


def path_text(path):
    """Where something stands in a value, as one would write it."""
    return "".join(f"[{key!r}]" for key in path)


def check_nest(form, what, path=()):
    """Refuses all that is no array, number or nest of such: a derivative by it would silently be none."""
    if form is ARRAY:
        return
    kind, content = form
    if kind is None:
        # What cannot change is no place for a derivative, and harmless.
        if content is None or isinstance(content, (str, bytes)):
            return
        where = f" at {path_text(path)}" if path else ""
        raise TypeError(
            f"{what}{where} is {type(content).__qualname__}, which holds no arrays that are seen: "
            "an array, a number, or a list, tuple or dict of them is needed"
        )
    entries = content.items() if kind is dict else enumerate(content)
    for key, entry in entries:
        check_nest(entry, what, (*path, key))


def unflatten(form, arrays):
    """The value of a form, with arrays from an iterator in their places."""
    if form is ARRAY:
        return next(arrays)
    kind, content = form
    if kind is None:
        return content
    if kind is dict:
        return {key: unflatten(entry, arrays) for key, entry in content.items()}
    entries = [unflatten(entry, arrays) for entry in content]
    return kind(*entries) if hasattr(kind, "_fields") else kind(entries)


def like(form, value, arrays, number, what):
    """Puts the arrays of a value to a list, which has the form that it must have; lists and tuples are as good as each other."""
    if form is ARRAY:
        if isinstance(value, (bool, int, float, complex)):
            value = number(value)
        if not isinstance(value, Array):
            raise TypeError(f"{what}: an array is needed, not {type(value).__name__}")
        arrays.append(value)
        return
    kind, content = form
    if kind is None:
        return
    if kind is dict:
        if not isinstance(value, dict) or set(value) != set(content):
            raise TypeError(f"{what}: a dict of {', '.join(map(repr, content))} is needed")
        for key, entry in content.items():
            like(entry, value[key], arrays, number, what)
        return
    if not isinstance(value, (list, tuple)) or len(value) != len(content):
        raise TypeError(f"{what}: a {kind.__name__} of {len(content)} is needed")
    for entry, part in zip(content, value):
        like(entry, part, arrays, number, what)


def spread(form, value, what):
    """For each array of a form its axis: ``value`` has the form, or is one entry for all that stand below it."""
    if form is ARRAY:
        try:
            return [value if value is None else operator.index(value)]
        except TypeError:
            given = type(value).__name__
            raise TypeError(f"{what}: an axis is a whole number or None, not {given}; each array has one") from None
    kind, content = form
    if kind is None:
        return []
    entries = list(content.values()) if kind is dict else content
    if isinstance(value, dict) and kind is dict and set(value) == set(content):
        values = [value[key] for key in content]
    elif isinstance(value, (list, tuple)) and kind is not dict and len(value) == len(content):
        values = value
    elif isinstance(value, (list, tuple, dict)):
        raise TypeError(f"{what}: one entry, or as many as there are arguments in the same form")
    else:
        values = [value] * len(entries)
    return [axis for entry, part in zip(entries, values) for axis in spread(entry, part, what)]

"""Functions of arrays as functions of dicts of them: Ivy's nestable mode."""

from . import _errors


def mapped(function, args, kwargs):
    """What a function gives for each key of the dicts among its arguments; all else is the same for every key."""
    name = function.__name__
    dicts = [value for value in (*args, *kwargs.values()) if type(value) is dict]
    keys = list(dicts[0])
    for other in dicts[1:]:
        if set(other) != set(keys):
            text = f"{name}(): dicts with the keys {keys} and {list(other)}: all have the same ones"
            raise _errors.make("InvalidArgument", text, {"function": name, "argument": "dict", "value": str(list(other))})

    def entry(value, key):
        return value[key] if type(value) is dict else value

    def call(key):
        return function(*(entry(value, key) for value in args), **{n: entry(value, key) for n, value in kwargs.items()})

    return {key: call(key) for key in keys}

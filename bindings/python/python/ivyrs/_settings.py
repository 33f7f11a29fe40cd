"""Ivy's setters: each sets something from here on, and its unsetter goes back to what was before."""

from . import _ivyrs


def _pair(name, setting, doc, take=lambda value: value):
    """A setter and its unsetter."""

    def setter(value, /):
        _ivyrs.push_setting(setting, take(value))

    def unsetter():
        _ivyrs.pop_setting(setting)

    setter.__name__ = setter.__qualname__ = f"set_{name}"
    setter.__doc__ = f"{doc}, until ``unset_{name}`` or the end of the scope around it. It follows tasks and threads as scopes do."
    unsetter.__name__ = unsetter.__qualname__ = f"unset_{name}"
    unsetter.__doc__ = f"Goes back to what was before the last ``set_{name}``; without one, nothing happens."
    return {f.__name__: f for f in (setter, unsetter)}


def _place(backend):
    """The name of a backend: of a namespace its own."""
    own = getattr(backend, "_backend", None)
    return backend if own is None else own.place


def set_backend(backend, /, dynamic=False):
    """``ivyrs`` itself creates arrays on this backend, by name or namespace, until ``unset_backend`` or the end of the scope.

    It follows tasks and threads as scopes do. With ``dynamic`` all arrays that live are moved there, or after an error none;
    ``unset_backend`` leaves them where they are.
    """
    if dynamic:
        from ._live import live_arrays

        _ivyrs.move_arrays(live_arrays(), _place(backend))
    _ivyrs.push_setting("backend", _place(backend))


def previous_backend():
    """Goes back to the backend before the last ``set_backend``; without one, nothing happens."""
    _ivyrs.pop_setting("backend")


def current_backend(*args):
    """The namespace of the first array among the arguments, else of the backend on which ``ivyrs`` creates arrays."""
    from ._namespace import of_backend

    array = next((x for x in args if isinstance(x, _ivyrs.Array)), None)
    return of_backend(_ivyrs.Backend.current()) if array is None else array.__array_namespace__()


class Reading:
    """The value in force of a setting: called it gives that, and by itself it is equal to that, is true and prints as that, as
    Ivy's attributes of the name are."""

    def __init__(self, name, read, doc):
        self.__name__ = self.__qualname__ = name
        self.__doc__, self._read = doc, read

    def __call__(self):
        return self._read()

    def __repr__(self):
        return repr(self._read())

    def __eq__(self, other):
        return self._read() == (other._read() if isinstance(other, Reading) else other)

    def __bool__(self):
        return bool(self._read())

    def __float__(self):
        return float(self._read())

    def __hash__(self):
        return hash(self.__name__)


def _stack(kind):
    """The default dtypes that the setter of a kind has set, the first one first."""
    setting = f"default_{kind}"
    name = "default_dtype_stack" if kind == "dtype" else f"{setting}_dtype_stack"
    doc = f"What ``set_{name.removesuffix('_stack')}`` has set and not taken back, the first one first."
    return {name: Reading(name, lambda: [str(dtype) for dtype in _ivyrs.pushed_settings(setting)], doc)}


def _reader(name, setting, doc):
    return {name: Reading(name, lambda: _ivyrs.setting(setting), doc)}


FUNCTIONS = {
    **_pair("backend", "backend", "", _place),
    "set_backend": set_backend,
    **_pair("default_device", "device", "``ivyrs`` itself creates arrays on this device", _ivyrs.place_on_device),
    **_pair("precise_mode", "precise", "Precise promotion (True), or non-precise"),
    **_pair("rules", "rules", 'The promotion rules, such as "precise", "numpy" or "torch"'),
    **_pair("emulation", "emulation", "Whether a backend may emulate what it lacks"),
    **_pair("memory_limit", "memory_limit", "The most bytes that one result may have"),
    **_pair("casting", "cast", 'The casting modes, such as "upcast,downcast", "all" or "none"'),
    **_pair("strict_casts", "strict_casts", "Whether casts that nobody wrote are errors"),
    **_pair("default_dtype", "default_dtype", "The general default dtype"),
    **_pair("default_int_dtype", "default_int", "The default integer dtype"),
    **_pair("default_uint_dtype", "default_uint", "The default unsigned dtype"),
    **_pair("default_float_dtype", "default_float", "The default float dtype"),
    **_pair("default_complex_dtype", "default_complex", "The default complex dtype"),
    **_stack("dtype"),
    **_stack("int"),
    **_stack("uint"),
    **_stack("float"),
    **_stack("complex"),
    **_reader("rules", "rules", "The name of the promotion rules in force."),
    **_reader("casting", "cast", "The casting modes in force."),
    **_reader("emulation", "emulation", "Whether a backend may emulate what it lacks."),
    **_reader("memory_limit", "memory_limit", "The most bytes that one result may have."),
    **_pair("min_base", "min_base", "What ``stable_pow`` adds to bases"),
    **_pair("min_denominator", "min_denominator", "What ``stable_divide`` adds to denominators"),
    **_pair("array_significant_figures", "array_significant_figures", "The most digits after the point of printed numbers"),
    **_pair("soft_device_mode", "soft_device_mode", "Whether arrays of other backends are moved to where a function is computed"),
    **_pair("inplace_mode", "inplace_mode", '"lenient", or "strict": writes in place to arrays of a backend that records its work are errors'),
    **_pair("nestable_mode", "nestable_mode", "Whether functions take dicts of arrays, which are else an error, and give dicts of results"),
    **_pair("exception_trace_mode", "exception_trace_mode", '"ivy", or "full": exceptions say in notes what caused them below'),
    **_pair("show_func_wrapper_trace_mode", "show_func_wrapper_trace_mode", "Whether exceptions say in notes which stages a call went through"),
    **_reader("nestable_mode", "nestable_mode", "Whether functions take dicts of arrays."),
    **_reader("exception_trace_mode", "exception_trace_mode", 'How much exceptions say, "ivy" or "full".'),
    **_reader("show_func_wrapper_trace_mode", "show_func_wrapper_trace_mode", "Whether exceptions say which stages a call went through."),
    **_reader("min_base", "min_base", "What ``stable_pow`` adds to bases."),
    **_reader("min_denominator", "min_denominator", "What ``stable_divide`` adds to denominators."),
    **_reader("array_significant_figures", "array_significant_figures", "The most digits after the point of printed numbers."),
    **_reader("soft_device_mode", "soft_device_mode", "Whether arrays of other backends are moved to where a function is computed."),
    **_reader("inplace_mode", "inplace_mode", 'How writes in place are taken, "lenient" or "strict".'),
    "previous_backend": previous_backend,
    "current_backend": current_backend,
}

"""Plain loops and conditionals as those of each thread: the decorator :func:`syntax` rewrites a function's syntax tree.

``while`` becomes :func:`while_loop`, whose state are the variables that the loop assigns to and that were there before it; ``if`` becomes
:func:`if_stmt`, whose results are the variables that a branch assigns to.
"""

import ast
import functools
import inspect
import linecache
import textwrap
import types

from ._flow import if_stmt, while_loop

__all__ = ["hint", "syntax"]


class _Missing:
    """What a variable holds that is not there yet."""

    def __repr__(self):
        return "<not assigned>"


MISSING = _Missing()


def hint(arg, *, mode=None, label=None, exclude=(), include=(), strict=True, compress=None, max_iterations=None):
    """Says how a loop or conditional within :func:`syntax` is done: ``mode="scalar"`` leaves it to Python; ``exclude`` names variables
    that are no state."""
    return arg


_OPTIONS = ("mode", "label", "exclude", "include", "strict", "compress", "max_iterations")


class _Assigned(ast.NodeVisitor):
    """The names that statements assign to, or write to entries or fields of."""

    def __init__(self):
        self.names: dict = {}

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            self.names[node.id] = None

    def _root(self, node):
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        if isinstance(node, ast.Name):
            self.names[node.id] = None

    def visit_Attribute(self, node):
        if isinstance(node.ctx, ast.Store):
            self._root(node)
        self.generic_visit(node)

    visit_Subscript = visit_Attribute

    def _own(self, node):
        self.names[node.name] = None

    # What is assigned within a function is that function's.
    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _own

    def visit_Lambda(self, node):
        pass

    def _comprehension(self, node):
        pass

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def _assigned(statements) -> list[str]:
    found = _Assigned()
    for statement in statements:
        found.visit(statement)
    return list(found.names)


def _locals(definition) -> set:
    """The arguments of a function, and what it assigns to."""
    own = definition.args
    given = [*own.posonlyargs, *own.args, *own.kwonlyargs, *filter(None, (own.vararg, own.kwarg))]
    return {argument.arg for argument in given} | set(_assigned(definition.body))


class _Escapes(ast.NodeVisitor):
    """A statement that leaves a loop or function other than at its end."""

    def __init__(self, loops: bool):
        self.found = None
        self._loops = loops

    def visit_Return(self, node):
        self.found = self.found or node

    def visit_Break(self, node):
        if self._loops:
            self.found = self.found or node

    visit_Continue = visit_Break

    def _skip(self, node):
        pass

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _skip

    def _inner(self, node):
        outer, self._loops = self._loops, False
        self.generic_visit(node)
        self._loops = outer

    visit_While = visit_For = _inner


def _read(nodes) -> list[str]:
    """The names that are read within syntax trees."""
    found: dict = {}
    for node in nodes:
        for own in ast.walk(node):
            if isinstance(own, ast.Name) and isinstance(own.ctx, ast.Load):
                found[own.id] = None
    return list(found)


def _names(names) -> str:
    return "".join(f"{name}, " for name in names)


class _Rewriter(ast.NodeTransformer):
    """Rewrites loops and conditionals, the inner ones first."""

    def __init__(self, function: str, file: str, first: int, local: set):
        self._number = 0
        self._local = local
        self._function, self._file, self._first = function, file, first

    def _refuse(self, node, what: str):
        words = {ast.Return: "return", ast.Break: "break", ast.Continue: "continue"}
        word = words[type(node)]
        line = self._first + node.lineno - 1
        raise SyntaxError(
            f"{self._function}: `{word}` in {what} of each thread; threads that are done would have to wait for the others. "
            f"`dr.hint(.., mode='scalar')` makes it Python's own",
            (self._file, line, node.col_offset + 1, None),
        )

    def visit_FunctionDef(self, node):
        # Variables of the function around it are none that it may assign to.
        outer, self._local = self._local, _locals(node)
        self.generic_visit(node)
        self._local = outer
        return node

    def visit_Lambda(self, node):
        return node

    def _hint(self, test):
        """The condition, and its options."""
        options: dict = {}
        if isinstance(test, ast.Call):
            name = test.func.attr if isinstance(test.func, ast.Attribute) else getattr(test.func, "id", None)
            if name == "hint":
                for keyword in test.keywords:
                    if keyword.arg not in _OPTIONS:
                        raise SyntaxError(f"{self._function}: hint() has no argument `{keyword.arg}`")
                    options[keyword.arg] = keyword.value
                test = test.args[0]
        return test, options

    def _chosen(self, names, options):
        for key, keep in (("exclude", False), ("include", True)):
            listed = options.pop(key, None)
            if listed is not None:
                own = [part.id for part in getattr(listed, "elts", []) if isinstance(part, ast.Name)]
                names = list(dict.fromkeys([*names, *own])) if keep else [name for name in names if name not in own]
        return names

    def _variables(self, assigned, nodes, options) -> tuple[list[str], int]:
        """What is assigned to, how many these are, and what is read only: of that, generators are variables when the function runs."""
        names = self._chosen(assigned, options)
        excluded = set(assigned) - set(names)
        read = [name for name in _read(nodes) if name in self._local and name not in names and name not in excluded]
        return [*names, *read], len(names)

    def visit_While(self, node):
        test, options = self._hint(node.test)
        if isinstance(options.get("mode"), ast.Constant) and options["mode"].value == "scalar":
            node.test = test
            self.generic_visit(node)
            return node
        escape = _Escapes(loops=True)
        for statement in node.body:
            escape.visit(statement)
        if escape.found is not None:
            self._refuse(escape.found, "a loop")
        if node.orelse:
            raise SyntaxError(f"{self._function}: `else` of a loop of each thread", (self._file, self._first + node.lineno - 1, 1, None))
        names, count = self._variables(_assigned(node.body), [node.test, *node.body], options)
        self.generic_visit(node)
        number = self._next()
        body = node.body
        cond, step = f"_loop_cond_{number}", f"_loop_body_{number}"
        made = [
            *self._parse(f"def {cond}({_names(names)}):\n    return None"),
            *self._parse(f"def {step}({_names(names)}):\n    pass\n    return ({_names(names)})"),
            *self._parse(f"({_names(names)}) = _drjit_loop(({_names(names)}), {cond}, {step}, {names!r}, {count})" if names else f"_drjit_loop((), {cond}, {step}, [], 0)"),
        ]
        made[0].body = [ast.Return(test)]
        made[1].body = [*body, *self._marks(names), made[1].body[-1]]
        call = made[2].value
        call.keywords = [ast.keyword(name, value) for name, value in options.items()]
        return self._with_missing(names, made, node)

    def visit_If(self, node):
        test, options = self._hint(node.test)
        scalar = isinstance(options.get("mode"), ast.Constant) and options["mode"].value == "scalar"
        escape = _Escapes(loops=True)
        for statement in [*node.body, *node.orelse]:
            escape.visit(statement)
        if scalar or escape.found is not None:
            # A branch that leaves the function is Python's own: an array as its condition is refused when it runs.
            node.test = test if scalar else self._call("_drjit_scalar_condition", test)
            self.generic_visit(node)
            return node
        assigned = list(dict.fromkeys([*_assigned(node.body), *_assigned(node.orelse)]))
        names, count = self._variables(assigned, [*node.body, *node.orelse], options)
        self.generic_visit(node)
        number = self._next()
        yes, no = f"_if_true_{number}", f"_if_false_{number}"
        made = [
            *self._parse(f"def {yes}({_names(names)}):\n    pass\n    return ({_names(names)})"),
            *self._parse(f"def {no}({_names(names)}):\n    pass\n    return ({_names(names)})"),
            *self._parse(f"({_names(names)}) = _drjit_if(({_names(names)}), None, {yes}, {no}, {names!r}, {count})" if names else f"_drjit_if((), None, {yes}, {no}, [], 0)"),
        ]
        made[0].body = [*node.body, *self._marks(names), made[0].body[-1]]
        made[1].body = [*node.orelse, *self._marks(names), made[1].body[-1]]
        call = made[2].value
        call.args[1] = test
        call.keywords = [ast.keyword(name, value) for name, value in options.items()]
        return self._with_missing(names, made, node)

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _parse(self, text: str):
        return ast.parse(text).body

    def _call(self, name: str, argument):
        return ast.Call(ast.Name(name, ast.Load()), [argument], [])

    def _marks(self, names):
        """Statements that give variables a mark that are not there, as those of an inner branch that was not taken."""
        text = "try:\n    {0}\nexcept NameError:\n    {0} = _drjit_missing"
        return [statement for name in names for statement in self._parse(text.format(name))]

    def _with_missing(self, names, made, node):
        """Variables that are not there hold a mark meanwhile."""
        before, after = self._marks(names), []
        for name in names:
            after += self._parse(f"if {name} is _drjit_missing:\n    del {name}")
        every = [*before, *made, *after]
        for statement in every:
            for own in ast.walk(statement):
                if not hasattr(own, "lineno") or own in (*before, *after):
                    own.lineno = own.end_lineno = node.lineno
                    own.col_offset = own.end_col_offset = node.col_offset
            ast.fix_missing_locations(statement)
        return every


def _kept(values, assigned: int):
    """The places of the variables that are there: those that are assigned to, and generators, of which there is a state."""
    return [i for i, value in enumerate(values) if value is not MISSING and (i < assigned or hasattr(value, "_cloned"))]


def _loop(state, cond, body, names, assigned, **options):
    """A loop whose state are the variables that are there; the others are the body's own."""
    places = _kept(state, assigned)

    def whole(own):
        full = list(state)
        for place, value in zip(places, own, strict=True):
            full[place] = value
        return full

    def step(*own):
        made = body(*whole(own))
        return tuple(made[place] for place in places)

    options.setdefault("labels", [names[place] for place in places])
    done = while_loop(tuple(state[place] for place in places), lambda *own: cond(*whole(own)), step, **options)
    return tuple(whole(done))


def _if(args, cond, yes, no, names, assigned, **options):
    """A conditional. A variable that one branch makes and the other does not is there only where the condition is Python's own."""
    from ._traits import is_array_v

    if not is_array_v(cond):
        return yes(*args) if cond else no(*args)
    places = _kept(args, assigned)
    made_by: list = []

    def results(function):
        def one(*own):
            full = list(args)
            for place, value in zip(places, own, strict=True):
                full[place] = value
            made = function(*full)
            made_by.append([i for i, value in enumerate(made) if value is not MISSING and (i < assigned or i in places)])
            # What one branch only makes is its own.
            known = [i for i in made_by[0] if i in made_by[-1]] if len(made_by) > 1 else made_by[0]
            return {names[i]: made[i] for i in (known if common is None else common)}

        return one

    common = None
    options.setdefault("arg_labels", [names[place] for place in places])
    try:
        done = if_stmt(tuple(args[place] for place in places), cond, results(yes), results(no), **options)
    except TypeError:
        # Branches that make different variables: those that both make are the results.
        if len(made_by) < 2 or made_by[0] == made_by[1]:
            raise
        common = [i for i in made_by[0] if i in made_by[1]]
        done = if_stmt(tuple(args[place] for place in places), cond, results(yes), results(no), **options)
    rest = [value if i >= assigned else MISSING for i, value in enumerate(args)]
    return tuple(done.get(name, value) for name, value in zip(names, rest, strict=True))


def _scalar_condition(value):
    """A condition of a branch that leaves a function or a loop: it has to be Python's own, or that of one thread."""
    return bool(value)


_NAMES = {"_drjit_loop": _loop, "_drjit_if": _if, "_drjit_missing": MISSING, "_drjit_scalar_condition": _scalar_condition}


def syntax(f=None, *, recursive: bool = False, print_ast: bool = False, print_code: bool = False):
    """A decorator: loops and conditionals of a function are those of each thread.

    >>> @syntax
    ... def collatz(x):
    ...     n = Int(0)
    ...     while x > 1:
    ...         if x & 1 == 0:
    ...             x //= 2
    ...         else:
    ...             x = 3 * x + 1
    ...         n += 1
    ...     return n
    """
    if f is None:
        return functools.partial(syntax, recursive=recursive, print_ast=print_ast, print_code=print_code)
    if not isinstance(f, types.FunctionType) or f.__name__ == "<lambda>":
        raise TypeError(f"syntax(): a function that is written with `def` is needed, not {f!r}")
    lines, first = inspect.getsourcelines(f)
    text = textwrap.dedent("".join(lines))
    file = inspect.getsourcefile(f) or "<unknown>"
    tree = ast.parse(text)
    definition = tree.body[0]
    definition.decorator_list = []
    rewriter = _Rewriter(f.__name__, file, first, _locals(definition))
    definition.body = [own for statement in definition.body for own in _listed(rewriter.visit(statement))]
    ast.fix_missing_locations(tree)
    ast.increment_lineno(tree, first - 1)
    if print_ast:
        print(ast.dump(tree, indent=2))
    if print_code:
        print(ast.unparse(tree))
    return _compiled(f, tree, definition, file)


def _listed(made) -> list:
    return made if isinstance(made, list) else [made]


def _compiled(f, tree, definition, file: str):
    """The function of a rewritten tree, with the variables that the first one sees."""
    free = f.__code__.co_freevars
    outer = ast.FunctionDef(
        name="_drjit_outer",
        args=ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in (*free, *_NAMES)], kwonlyargs=[], kw_defaults=[], defaults=[]),
        body=[definition, ast.Return(ast.Name(definition.name, ast.Load()))],
        decorator_list=[],
        type_params=[],
    )
    # A function that calls itself: the name within is a variable of the outside, too.
    inner = "_drjit_" + definition.name
    definition.name, outer.body[1].value.id = inner, inner
    module = ast.fix_missing_locations(ast.Module([outer], []))
    linecache.checkcache(file)
    scope: dict = {}
    exec(compile(module, file, "exec"), f.__globals__, scope)
    made = scope["_drjit_outer"](*[None] * len(free), *_NAMES.values())
    # The very variables of the outside, whatever is assigned to them later.
    known = dict(zip(free, f.__closure__ or (), strict=True))
    cells = zip(made.__code__.co_freevars, made.__closure__ or (), strict=True)
    closure = tuple(known.get(name, cell) for name, cell in cells)
    whole = types.FunctionType(made.__code__, f.__globals__, f.__name__, f.__defaults__, closure)
    whole.__kwdefaults__ = f.__kwdefaults__
    return functools.update_wrapper(whole, f)

"""Trees of arrays: tuples, lists, dicts and classes that are registered, as ``jax.tree_util`` has them."""

import builtins
import functools
import types
from collections import OrderedDict, defaultdict, namedtuple

# A kind of node: its type, what tells two nodes apart beside their children (keys, a class), how many children.
Node = namedtuple("Node", "type data children")
LEAF = object()
NOTHING = object()
_registered = {}


class PyTreeDef:
    """The structure of a tree: what is left of it without its leaves."""

    def __init__(self, node):
        self._node = node

    @property
    def num_leaves(self):
        return _count(self._node)

    @property
    def num_nodes(self):
        return 1 if self._node is LEAF else 1 + sum(PyTreeDef(c).num_nodes for c in self._node.children)

    def unflatten(self, leaves):
        """A tree of this structure with other leaves."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"a structure of {self.num_leaves} leaves was given {len(leaves)}")
        return _build(self._node, iter(leaves))

    def children(self):
        return [] if self._node is LEAF else [PyTreeDef(c) for c in self._node.children]

    def flatten_up_to(self, tree):
        """The subtrees of a tree where this structure has its leaves."""
        found = []
        _prefix(self._node, tree, found)
        return found

    def __eq__(self, other):
        return isinstance(other, PyTreeDef) and self._node == other._node

    def __hash__(self):
        return hash(repr(self))

    def __repr__(self):
        return f"PyTreeDef({_text(self._node)})"


def _count(node):
    return 1 if node is LEAF else sum(_count(child) for child in node.children)


def children(tree, ordered=False):
    """The children of a node, its data, and its type; ``None`` for a leaf. Those of dicts are sorted by their keys, unless they stay ordered."""
    kind = type(tree)
    if tree is None:
        return (), None, type(None)
    if kind in _registered:
        below, data = _registered[kind][0](tree)
        return tuple(below), data, kind
    if kind is tuple or kind is list:
        return tuple(tree), None, kind
    if kind is dict or kind is defaultdict:
        keys = tuple(tree) if ordered else tuple(sorted(tree))
        extra = tree.default_factory if kind is defaultdict else None
        return tuple(tree[k] for k in keys), (keys, extra), kind
    if kind is OrderedDict:
        return tuple(tree.values()), (tuple(tree), None), kind
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        return tuple(tree), None, kind
    return None


def _build(node, leaves):
    if node is LEAF:
        return next(leaves)
    children = [_build(child, leaves) for child in node.children]
    return _made(node.type, node.data, children)


def _made(kind, data, children):
    if kind is type(None):
        return None
    if kind in _registered:
        return _registered[kind][1](data, tuple(children))
    if kind is tuple or kind is list:
        return kind(children)
    if kind is dict or kind is OrderedDict:
        return kind(zip(data[0], children))
    if kind is defaultdict:
        return defaultdict(data[1], zip(data[0], children))
    return kind(*children)


def _take(tree, leaves, is_leaf, ordered=False):
    inner = None if is_leaf is not None and is_leaf(tree) else children(tree, ordered)
    if inner is None:
        leaves.append(tree)
        return LEAF
    below, data, kind = inner
    return Node(kind, data, tuple(_take(child, leaves, is_leaf, ordered) for child in below))


def _as_ordered(node, tree):
    """The children of a tree, those of a dict in the order of the node."""
    if node.type is dict and type(tree) is dict and set(tree) == set(node.data[0]):
        return tuple(tree[key] for key in node.data[0]), node.data, dict
    return children(tree)


def _prefix(node, tree, found):
    if node is LEAF:
        found.append(tree)
        return
    inner = _as_ordered(node, tree)
    if inner is None or inner[2] is not node.type or inner[1] != node.data or len(inner[0]) != len(node.children):
        raise ValueError(f"expected a node like {_text(node)}, got {tree!r}")
    for below, child in zip(node.children, inner[0]):
        _prefix(below, child, found)


def _text(node):
    if node is LEAF:
        return "*"
    inner = [_text(child) for child in node.children]
    if node.type is type(None):
        return "None"
    if node.type is tuple:
        return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"
    if node.type is list:
        return f"[{', '.join(inner)}]"
    if node.type is dict:
        return "{" + ", ".join(f"{k!r}: {v}" for k, v in zip(node.data[0], inner)) + "}"
    return f"CustomNode({node.type.__name__}[{node.data!r}], [{', '.join(inner)}])"


def flatten(tree, is_leaf=None):
    """The leaves of a tree, and its structure."""
    leaves = []
    node = _take(tree, leaves, is_leaf)
    return leaves, PyTreeDef(node)


def flatten_ordered(tree):
    """Likewise, with the entries of dicts in their own order, as PyTorch has them."""
    leaves = []
    node = _take(tree, leaves, None, ordered=True)
    return leaves, PyTreeDef(node)


def unflatten(treedef, leaves):
    return treedef.unflatten(leaves)


def leaves(tree, is_leaf=None):
    return flatten(tree, is_leaf)[0]


def structure(tree, is_leaf=None):
    return flatten(tree, is_leaf)[1]


def map(f, tree, *rest, is_leaf=None):
    """The tree with what a function makes of each leaf, and of those in its place in other trees."""
    first, treedef = flatten(tree, is_leaf)
    others = [treedef.flatten_up_to(other) for other in rest]
    return treedef.unflatten([f(*each) for each in zip(first, *others)])


def reduce(function, tree, initializer=NOTHING, is_leaf=None):
    if initializer is NOTHING:
        return functools.reduce(function, leaves(tree, is_leaf))
    return functools.reduce(function, leaves(tree, is_leaf), initializer)


def all(tree, *, is_leaf=None):
    return not any(not leaf for leaf in leaves(tree, is_leaf))


def transpose(outer_treedef, inner_treedef, pytree_to_transpose):
    """A tree of trees with the inner structure outside."""
    inner = structure(pytree_to_transpose) if inner_treedef is None else inner_treedef
    rows = [inner.flatten_up_to(row) for row in outer_treedef.flatten_up_to(pytree_to_transpose)]
    return inner.unflatten([outer_treedef.unflatten(column) for column in zip(*rows)])


def broadcast(prefix_tree, full_tree, is_leaf=None):
    """The leaves of a prefix, each as often as the full tree has leaves in its place."""
    values, treedef = flatten(prefix_tree, is_leaf)
    parts = treedef.flatten_up_to(full_tree)
    return treedef.unflatten([map(lambda _, value=value: value, part) for value, part in zip(values, parts)])


def all_leaves(iterable, is_leaf=None):
    return builtins.all(children(x) is None or is_leaf is not None and is_leaf(x) for x in iterable)


class DictKey(namedtuple("DictKey", "key")):
    def __str__(self):
        return f"[{self.key!r}]"


class SequenceKey(namedtuple("SequenceKey", "idx")):
    def __str__(self):
        return f"[{self.idx!r}]"


class GetAttrKey(namedtuple("GetAttrKey", "name")):
    def __str__(self):
        return f".{self.name}"


class FlattenedIndexKey(namedtuple("FlattenedIndexKey", "key")):
    def __str__(self):
        return f"[<flat index {self.key}>]"


def _paths(tree, path, found, is_leaf):
    inner = None if is_leaf is not None and is_leaf(tree) else children(tree)
    if inner is None:
        found.append((path, tree))
        return
    below, data, kind = inner
    if kind in (dict, OrderedDict, defaultdict):
        keys = [DictKey(k) for k in data[0]]
    elif hasattr(kind, "_fields"):
        keys = [GetAttrKey(name) for name in kind._fields]
    elif kind in _registered:
        names = _registered[kind][2]
        keys = names(tree) if names else [FlattenedIndexKey(i) for i in range(len(below))]
    else:
        keys = [SequenceKey(i) for i in range(len(below))]
    for key, child in zip(keys, below):
        _paths(child, (*path, key), found, is_leaf)


def leaves_with_path(tree, is_leaf=None, is_leaf_takes_path=False):
    found = []
    _paths(tree, (), found, is_leaf)
    return found


def flatten_with_path(tree, is_leaf=None, is_leaf_takes_path=False):
    return leaves_with_path(tree, is_leaf), structure(tree, is_leaf)


def map_with_path(f, tree, *rest, is_leaf=None, is_leaf_takes_path=False):
    paths, treedef = flatten_with_path(tree, is_leaf)
    others = [treedef.flatten_up_to(other) for other in rest]
    return treedef.unflatten([f(*path_and_leaf, *each) for path_and_leaf, *each in zip(paths, *others)])


def keystr(keys, *, simple=False, separator=""):
    if not simple:
        return separator.join(str(key) for key in keys)
    return separator.join(str(next(iter(key))) for key in keys)


def register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func=None):
    """Makes a class one of the kinds of nodes."""
    if nodetype in _registered:
        raise ValueError(f"Duplicate custom PyTreeDef type registration for {nodetype}.")
    names = None
    if flatten_with_keys_func is not None:
        names = lambda tree: [key for key, _ in flatten_with_keys_func(tree)[0]]  # noqa: E731
    _registered[nodetype] = (flatten_func, unflatten_func, names)


def register_pytree_node_class(cls):
    register_pytree_node(cls, lambda tree: tree.tree_flatten(), cls.tree_unflatten)
    return cls


def register_pytree_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func=None):
    plain = flatten_func or (lambda tree: (lambda pairs, data: ([x for _, x in pairs], data))(*flatten_with_keys(tree)))
    register_pytree_node(nodetype, plain, unflatten_func, flatten_with_keys)


def register_dataclass(nodetype, data_fields=None, meta_fields=None, drop_fields=()):
    """Makes a dataclass a kind of node: its data fields are children, its other fields part of the structure."""
    if data_fields is None:
        fields = [f for f in nodetype.__dataclass_fields__.values() if f.init and f.name not in drop_fields]
        data_fields = [f.name for f in fields if not f.metadata.get("static", False)]
        meta_fields = [f.name for f in fields if f.metadata.get("static", False)]
    data_fields, meta_fields = tuple(data_fields), tuple(meta_fields or ())

    def flat(tree):
        return [getattr(tree, f) for f in data_fields], tuple(getattr(tree, f) for f in meta_fields)

    def made(data, children):
        return nodetype(**dict(zip(data_fields, children)), **dict(zip(meta_fields, data)))

    def with_keys(tree):
        return [(GetAttrKey(f), getattr(tree, f)) for f in data_fields], None

    register_pytree_node(nodetype, flat, made, with_keys)
    return nodetype


def register_static(cls):
    register_pytree_node(cls, lambda tree: ((), tree), lambda data, _: data)
    return cls


class Partial(functools.partial):
    """A function with arguments that are part of a tree."""


register_pytree_node(
    Partial, lambda p: ((p.args, p.keywords), p.func), lambda func, parts: Partial(func, *parts[0], **parts[1])
)

TREE = dict(
    all=all, broadcast=broadcast, flatten=flatten, flatten_with_path=flatten_with_path, leaves=leaves,
    leaves_with_path=leaves_with_path, map=map, map_with_path=map_with_path, reduce=reduce, structure=structure,
    transpose=transpose, unflatten=unflatten,
)
TREE_UTIL = {f"tree_{name}": function for name, function in TREE.items()} | dict(
    PyTreeDef=PyTreeDef, Partial=Partial, DictKey=DictKey, SequenceKey=SequenceKey, GetAttrKey=GetAttrKey,
    FlattenedIndexKey=FlattenedIndexKey, all_leaves=all_leaves, keystr=keystr,
    register_dataclass=register_dataclass, register_pytree_node=register_pytree_node,
    register_pytree_node_class=register_pytree_node_class, register_pytree_with_keys=register_pytree_with_keys,
    register_static=register_static, treedef_children=PyTreeDef.children,
    treedef_is_leaf=lambda treedef: treedef._node is LEAF,
    treedef_tuple=lambda treedefs: PyTreeDef(Node(tuple, None, tuple(t._node for t in treedefs))),
)


def module(name, contents):
    """A module of functions."""
    made = types.ModuleType(name)
    vars(made).update(contents)
    return made

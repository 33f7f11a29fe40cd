"""Trees of fields: ``ti.root``, and builders of trees that can be destroyed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._ivyrs import TaichiTree, TaichiTreeBuilder
from ._errors import TaichiCompilationError, TaichiRuntimeError
from ._program import current

if TYPE_CHECKING:
    from ._fields import Field

#: Axes by Taichi's names: ``ti.i``, ``ti.ij``, ``ti.ijk``, ...
AXES = (
    "i", "j", "k", "l", "ij", "ik", "il", "jk", "jl", "kl", "ijk", "ijl", "ikl", "jkl", "ijkl",
)  # fmt: skip
i, j, k, l, ij, ik, il, jk, jl, kl, ijk, ijl, ikl, jkl, ijkl = AXES  # noqa: E741


def axes(*numbers: int) -> str:
    """Axes by their numbers."""
    return "".join("ijklmnop"[number] for number in numbers)


class _Builder:
    """A tree while it is built, and when it has memory."""

    def __init__(self) -> None:
        program = current()
        self.program = program.native
        self.native = TaichiTreeBuilder(program.native)
        self.fields: list[Field] = []
        self.tree: TaichiTree | None = None
        self.root = SNode(self, 0, None)
        self.destroyed = False
        #: By the numbers of nodes, what kernels know them by.
        self.cells: dict[int, Any] = {}
        #: Whether it is the tree at ``ti.root``.
        self.is_program_root = False

    def finish(self) -> TaichiTree:
        if self.tree is None:
            self.tree = self.native.finalize(self.program)
        return self.tree


class SNode:
    """A node of a tree, below which others and fields are put."""

    def __init__(self, builder: _Builder, number: int, above: SNode | None, kind: str = "root") -> None:
        self._builder, self._number, self._above, self.kind = builder, number, above, kind
        self._below: list[SNode] = []

    def _divided(self, kind: str, axes: str, dimensions: Any) -> SNode:
        sizes = [int(n) for n in dimensions] if hasattr(dimensions, "__iter__") else [int(dimensions)] * len(axes)
        return self._made(kind, getattr(self._open(), kind)(self._number, axes, sizes))

    def _made(self, kind: str, number: int) -> SNode:
        self._below.append(SNode(self._builder, number, self, kind))
        return self._below[-1]

    def _open(self) -> TaichiTreeBuilder:
        if self._builder.tree is not None:
            raise TaichiRuntimeError("the tree has memory already: nothing is put below its nodes any more")
        return self._builder.native

    def dense(self, axes: str, dimensions: Any) -> SNode:
        """Cells one after the other."""
        return self._divided("dense", axes, dimensions)

    def pointer(self, axes: str, dimensions: Any) -> SNode:
        """Cells that are there once they are written."""
        return self._divided("pointer", axes, dimensions)

    def bitmasked(self, axes: str, dimensions: Any) -> SNode:
        """Cells with a bit that says whether they are active."""
        return self._divided("bitmasked", axes, dimensions)

    def hash(self, axes: str, dimensions: Any) -> SNode:
        """Cells that are found by a table."""
        return self._divided("hash", axes, dimensions)

    def quant_array(self, axes: str, dimensions: Any, max_num_bits: int) -> SNode:
        """A word of 8, 16, 32 or 64 bits with elements of one field of quantised numbers."""
        sizes = [int(n) for n in dimensions] if hasattr(dimensions, "__iter__") else [int(dimensions)] * len(axes)
        return self._made("quant_array", self._open().quant_array(self._number, axes, sizes, max_num_bits))

    def dynamic(self, axis: str, dimension: int, chunk_size: int | None = None) -> SNode:
        """Cells of a list."""
        return self._made("dynamic", self._open().dynamic(self._number, axis, dimension, chunk_size))

    def place(self, *fields: Any, offset: Any = None) -> SNode:
        """Puts fields into each cell."""
        from ._fields import Field
        from ._struct import StructField

        own: list[Field] = []
        for field in fields:
            for one in field if isinstance(field, (list, tuple)) else [field]:
                own += one.leaves() if isinstance(one, StructField) else [one]
        offsets = [] if offset is None else [int(n) for n in ([offset] if isinstance(offset, int) else offset)]
        numbers: list[int] = []
        for field in own:
            if isinstance(field, BitpackedFields):
                self._place(numbers, offsets)
                numbers = []
                field.put(self)
                continue
            if not isinstance(field, Field):
                raise TaichiCompilationError(f"fields are placed, not {type(field).__name__}")
            numbers.append(field.put(self._builder))
            field._above = self
        self._place(numbers, offsets)
        return self

    def _place(self, numbers: list[int], offsets: list[int]) -> None:
        if numbers:
            self._open().place(self._number, numbers, offsets)

    def parent(self, n: int = 1) -> SNode | None:
        """The node above, or the one so many above."""
        node: SNode | None = self
        for _ in range(n):
            node = None if node is None else node._above
        return node

    @property
    def _cells(self) -> Any:
        """The node as kernels take it."""
        from ._sparse import NodeCells

        return self._builder.cells.setdefault(self._number, NodeCells(self))

    @property
    def shape(self) -> tuple[int, ...]:
        """The cells along each index, from the root on."""
        return self._cells.shape

    def deactivate_all(self) -> None:
        """Takes all cells out of use, or those of the sparse nodes below a dense one: they read as 0."""
        if self.kind in ("pointer", "bitmasked", "hash", "dynamic"):
            self._builder.finish().deactivate_all(self._number)
            return
        for node in self._below:
            node.deactivate_all()

    def __repr__(self) -> str:
        if self._above is None:
            return "ti.root"
        return f"{self._above!r} => {self.kind} {list(self.shape)}"

    def lazy_grad(self) -> None:
        """Gradients of fields are not here yet."""
        raise TaichiCompilationError("fields have no gradients yet")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, SNode):
            return NotImplemented
        return self._builder is other._builder and self._number == other._number

    def __hash__(self) -> int:
        return hash((type(self), id(self._builder), self._number))

    def _facts(self) -> tuple[int, int, list[int]]:
        return self._builder.finish().node(self._number)

    @property
    def _cell_size_bytes(self) -> int:
        return self._facts()[0]

    @property
    def _offset_bytes_in_parent_cell(self) -> int:
        return self._facts()[1]

    def _physical_index_position(self) -> dict[int, int]:
        return {position: axis for axis, position in enumerate(self._facts()[2]) if position >= 0}


class BitpackedFields:
    """Fields of quantised numbers that stand in one word of 8, 16, 32 or 64 bits: placed at a node as a field is."""

    def __init__(self, max_num_bits: int) -> None:
        self.max_num_bits = max_num_bits
        self._groups: list[tuple[list[Field], bool]] = []
        self._placed = False

    def place(self, *fields: Any, shared_exponent: bool = False) -> None:
        """Adds fields, from the least bit on; numbers of floating point may share an exponent."""
        from ._fields import Field
        from ._struct import StructField

        own: list[Field] = []
        for field in fields:
            for one in field if isinstance(field, (list, tuple)) else [field]:
                own += one.leaves() if isinstance(one, StructField) else [one]
        for one in own:
            if not isinstance(one, Field):
                raise TaichiCompilationError(f"fields are placed, not {type(one).__name__}")
        if shared_exponent and len(own) < 2:
            raise TaichiCompilationError("At least 2 fields need to be placed when shared_exponent=True")
        self._groups.append((own, shared_exponent))

    def put(self, node: SNode) -> None:
        """Packs the fields into a word of each cell of a node."""
        if self._placed:
            raise TaichiCompilationError("the fields are placed already")
        self._placed = True
        groups = []
        for fields, shared in self._groups:
            groups.append(([field.put(node._builder) for field in fields], shared))
            for field in fields:
                field._above = node
        node._open().place_bits(node._number, self.max_num_bits, groups)


class PlaceNode(SNode):
    """The place of a field."""

    def __init__(self, builder: _Builder, field: int, above: SNode, name: str) -> None:
        super().__init__(builder, field, above, "place")
        self._name = name

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the field's indices."""
        return self._builder.finish().field(self._number).shape

    def _facts(self) -> tuple[int, int, list[int]]:
        return self._builder.finish().place(self._number)


class SNodeTree:
    """A tree with memory."""

    def __init__(self, builder: _Builder) -> None:
        self._builder = builder
        builder.finish()

    def destroy(self) -> None:
        """Gives the memory back; what its fields are asked for from then on is an error."""
        if self._builder.destroyed:
            raise TaichiRuntimeError("the tree was destroyed already")
        self._builder.destroyed = True
        self._builder.finish().destroy()


class FieldsBuilder:
    """A builder of a tree of its own."""

    def __init__(self) -> None:
        self._own = _Builder()

    @property
    def root(self) -> SNode:
        """The root."""
        return self._own.root

    def dense(self, axes: str, dimensions: Any) -> SNode:
        """As ``root.dense``."""
        return self.root.dense(axes, dimensions)

    def pointer(self, axes: str, dimensions: Any) -> SNode:
        """As ``root.pointer``."""
        return self.root.pointer(axes, dimensions)

    def bitmasked(self, axes: str, dimensions: Any) -> SNode:
        """As ``root.bitmasked``."""
        return self.root.bitmasked(axes, dimensions)

    def dynamic(self, axis: str, dimension: int, chunk_size: int | None = None) -> SNode:
        """As ``root.dynamic``."""
        return self.root.dynamic(axis, dimension, chunk_size)

    def quant_array(self, axes: str, dimensions: Any, max_num_bits: int) -> SNode:
        """As ``root.quant_array``."""
        return self.root.quant_array(axes, dimensions, max_num_bits)

    def place(self, *fields: Any, offset: Any = None) -> SNode:
        """As ``root.place``."""
        return self.root.place(*fields, offset=offset)

    def finalize(self, raise_warning: bool = True) -> SNodeTree:
        """The tree, with memory: nothing is added any more."""
        if self._own.tree is not None:
            raise TaichiRuntimeError("the builder was finalized already")
        if not self._own.fields:
            raise TaichiRuntimeError("a tree without fields is not finalized")
        return SNodeTree(self._own)


class _Root:
    """``ti.root``: the tree that is built now. It gets its memory when one of its fields is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # What Python asks of any object needs no program.
            raise AttributeError(name)
        program = current()
        if program.root is None or program.root.tree is not None:
            program.root = _Builder()
            program.root.is_program_root = True
        return getattr(program.root.root, name)

    def deactivate_all(self) -> None:
        """Takes all cells of the sparse nodes of all trees out of use."""
        deactivate_all_snodes()

    def __repr__(self) -> str:
        return "ti.root"

    def __eq__(self, other: object) -> bool:
        return self is other or type(other) is SNode and other._number == 0 and other._builder.is_program_root

    def __hash__(self) -> int:
        return hash(_Root)


root = _Root()


def deactivate_all_snodes() -> None:
    """Takes all cells of the sparse nodes of all trees out of use."""
    current().native.deactivate_all()

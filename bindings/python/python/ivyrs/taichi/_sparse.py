"""Cells of sparse nodes: what kernels know of a node, and lists that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._ivyrs import TaichiField
from ._errors import TaichiCompilationError
from ._fields import Field
from ._struct import StructField
from ._types import i32

if TYPE_CHECKING:
    from ._snodes import SNode

#: The functions of lists that are methods of fields as well.
METHODS = ("append", "deactivate", "length")


class NodeCells(Field):
    """A node as kernels take it: a field without numbers."""

    def __init__(self, node: SNode) -> None:
        super().__init__(None, None, i32, "")
        self._builder, self._number, self._above = node._builder, node._number, node._above

    @property
    def native(self) -> TaichiField:
        if self._native is None:
            self._native = self._builder.finish().cells(self._number)
        return self._native


class ListAt:
    """A list of a dynamic node in a kernel: of a field with its last index left out."""

    def __init__(self, field: Field | StructField, node: SNode, indices: list[Any]) -> None:
        self.field, self.node, self.indices = field, node, indices


def list_of(field: Field | StructField) -> SNode | None:
    """The dynamic node that a field is placed in."""
    first = field if isinstance(field, Field) else next(field.leaves())
    node = None if isinstance(first, NodeCells) else first._above
    return node if node is not None and node.kind == "dynamic" else None


def first_below(node: SNode) -> Field:
    """The field that is placed first in the cells of a node."""
    for field in node._builder.fields:
        if field._above is node:
            return field
    raise TaichiCompilationError(f"no field is placed in the cells of the {node.kind} node")

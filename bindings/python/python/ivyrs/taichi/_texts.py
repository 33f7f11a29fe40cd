"""Texts of prints and assertions: what they say, and the places of values in them."""

from __future__ import annotations

import ast
import re
import string
from typing import Any

from .._ivyrs import TaichiValue
from ._errors import TaichiTypeError
from ._fields import Field
from ._matrix import Matrix
from ._struct import Struct, StructValue
from ._values import Values, is_static

#: The places of values in texts that Python's `%` formats.
_PERCENT = re.compile(r"%([-+ #0]*\d*(?:\.\d+)?[a-zA-Z%])")
#: A conversion of C's: flags, width, precision and letter.
_CONVERSION = re.compile(r"[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]?)")
#: By kind of type, the letters of conversions that are for it.
_LETTERS = {"f": "fFeEgG", "i": "di", "u": "duxXo"}


def escaped(text: str) -> str:
    """A text in which no brace is a place."""
    return text.replace("{", "{{").replace("}", "}}")


class Text:
    """A text with values in it: parts that are said as they are, and values with their conversions."""

    def __init__(self, parts: list[str | tuple[Any, str]]) -> None:
        self.parts = parts


class Texts(Values):
    """Visits texts."""

    def on_JoinedStr(self, node: ast.JoinedStr) -> Any:
        parts: list[str | tuple[Any, str]] = []
        for part in node.values:
            if not isinstance(part, ast.FormattedValue):
                parts.append(str(self.visit(part)))
                continue
            spec = "" if part.format_spec is None else self.visit(part.format_spec)
            if isinstance(spec, Text):
                if not all(isinstance(own, str) for own in spec.parts):
                    raise self.wrong(node, "the format of a value is a constant")
                spec = "".join(own for own in spec.parts if isinstance(own, str))
            parts.append((self.visit(part.value), str(spec)))
        return Text(parts)

    def formatted(self, text: str, values: list[Any], percent: bool = False) -> Text:
        """`"...{:.2f}...".format(x)`, or `"...%d..." % x`."""
        parts: list[str | tuple[Any, str]] = []
        given = iter(values)
        missing = object()
        pieces = self.percents(text) if percent else [(said, spec) for said, _, spec, _ in string.Formatter().parse(text)]
        for said, spec in pieces:
            parts.append(said)
            if spec is not None:
                value = next(given, missing)
                if value is missing:
                    raise TypeError(f"the text has more places than the {len(values)} values that it got")
                parts.append((value, spec))
        if next(given, missing) is not missing:
            raise TypeError(f"the text has fewer places than the {len(values)} values that it got")
        return Text(parts)

    def percents(self, text: str) -> list[tuple[str, str | None]]:
        """What stands before each place of a text, and the conversion there."""
        pieces = _PERCENT.split(text)
        found: list[tuple[str, str | None]] = []
        for said, spec in zip(pieces[::2], [*pieces[1::2], None]):
            found.append((said, None) if spec != "%" else (said + "%", None))
            if spec not in ("%", None):
                found[-1] = (said, spec)
        return found

    def text(self, values: list[Any], separator: str) -> tuple[str, list[TaichiValue]]:
        """A text with a place for each value."""
        pieces, numbers = [], []
        for value in values:
            piece, own = self.piece(value, "")
            pieces.append(piece)
            numbers += own
        return escaped(separator).join(pieces), numbers

    def piece(self, value: Any, spec: str) -> tuple[str, list[TaichiValue]]:
        """A value in a text: numbers by C's conversions, as Taichi prints them."""
        if isinstance(value, Text):
            pieces, numbers = [], []
            for part in value.parts:
                piece, own = (escaped(part), []) if isinstance(part, str) else self.piece(*part)
                pieces.append(piece)
                numbers += own
            return "".join(pieces), numbers
        if isinstance(value, (list, tuple)):
            text, numbers = self.text([Text([(entry, spec)]) for entry in value], ", ")
            return f"[{text}]", numbers
        if isinstance(value, (Struct, StructValue)):
            raise TypeError("a struct is not printed as a whole: print its members")
        if is_static(value) and not isinstance(value, (bool, int, float, Matrix, Field)):
            return escaped(format(str(value), spec)), []
        number = self.value(value)
        return f"{{{self.conversion(number, spec)}}}", [number]

    def conversion(self, number: TaichiValue, spec: str) -> str:
        """The conversion of a number in a text, with the colon before it."""
        ty = self.scope.element_type(number)
        if not spec:
            return {"f64": ":.12f", "f32": ":.6f", "f16": ":.6f", "u1": ":d"}.get(ty, "")
        letter = _CONVERSION.fullmatch(spec)
        if letter is None or letter[1] and letter[1] not in _LETTERS[ty[0]]:
            raise TaichiTypeError(f"{self.place(self.here)}the format '{spec}' doesn't match '{ty}'")
        return f":{spec}"

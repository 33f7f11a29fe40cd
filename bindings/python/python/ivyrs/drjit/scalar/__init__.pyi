"""Single values of the host.

Written by bindings/python/make_stubs.py; a test compares.
"""

from typing import Any, TypeAlias, TypeVar, overload

from ivyrs.drjit import _Component, _Integers, _Masks, _Numbers, _Ordered, _Texture

_T = TypeVar("_T")

Bool: TypeAlias = bool
Int8: TypeAlias = int
UInt8: TypeAlias = int
Int: TypeAlias = int
Int32: TypeAlias = int
UInt: TypeAlias = int
UInt32: TypeAlias = int
Int64: TypeAlias = int
UInt64: TypeAlias = int
Float16: TypeAlias = float
Float: TypeAlias = float
Float32: TypeAlias = float
Float64: TypeAlias = float
class Array0b(_Masks["_Array0bLike", "bool", "Array0b", "bool", "Array0b"]): ...
class Array1b(_Masks["_Array1bLike", "bool", "Array1b", "bool", "Array1b"]):
    x: _Component["bool", "bool"]
class Array2b(_Masks["_Array2bLike", "bool", "Array2b", "bool", "Array2b"]):
    x: _Component["bool", "bool"]
    y: _Component["bool", "bool"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3b(_Masks["_Array3bLike", "bool", "Array3b", "bool", "Array3b"]):
    x: _Component["bool", "bool"]
    y: _Component["bool", "bool"]
    z: _Component["bool", "bool"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4b(_Masks["_Array4bLike", "bool", "Array4b", "bool", "Array4b"]):
    x: _Component["bool", "bool"]
    y: _Component["bool", "bool"]
    z: _Component["bool", "bool"]
    w: _Component["bool", "bool"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXb(_Masks["_ArrayXbLike", "bool", "ArrayXb", "bool", "ArrayXb"]): ...
class Array0i8(_Integers["_Array0i8Like", "int", "Array0b", "int", "Array0f"]): ...
class Array1i8(_Integers["_Array1i8Like", "int", "Array1b", "int", "Array1f"]):
    x: _Component["int", "int"]
class Array2i8(_Integers["_Array2i8Like", "int", "Array2b", "int", "Array2f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3i8(_Integers["_Array3i8Like", "int", "Array3b", "int", "Array3f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4i8(_Integers["_Array4i8Like", "int", "Array4b", "int", "Array4f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    w: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXi8(_Integers["_ArrayXi8Like", "int", "ArrayXb", "int", "ArrayXf"]): ...
class Array0u8(_Integers["_Array0u8Like", "int", "Array0b", "int", "Array0f"]): ...
class Array1u8(_Integers["_Array1u8Like", "int", "Array1b", "int", "Array1f"]):
    x: _Component["int", "int"]
class Array2u8(_Integers["_Array2u8Like", "int", "Array2b", "int", "Array2f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3u8(_Integers["_Array3u8Like", "int", "Array3b", "int", "Array3f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4u8(_Integers["_Array4u8Like", "int", "Array4b", "int", "Array4f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    w: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXu8(_Integers["_ArrayXu8Like", "int", "ArrayXb", "int", "ArrayXf"]): ...
class Array0i(_Integers["_Array0iLike", "int", "Array0b", "int", "Array0f"]): ...
class Array1i(_Integers["_Array1iLike", "int", "Array1b", "int", "Array1f"]):
    x: _Component["int", "int"]
class Array2i(_Integers["_Array2iLike", "int", "Array2b", "int", "Array2f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3i(_Integers["_Array3iLike", "int", "Array3b", "int", "Array3f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4i(_Integers["_Array4iLike", "int", "Array4b", "int", "Array4f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    w: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXi(_Integers["_ArrayXiLike", "int", "ArrayXb", "int", "ArrayXf"]): ...
class Array0u(_Integers["_Array0uLike", "int", "Array0b", "int", "Array0f"]): ...
class Array1u(_Integers["_Array1uLike", "int", "Array1b", "int", "Array1f"]):
    x: _Component["int", "int"]
class Array2u(_Integers["_Array2uLike", "int", "Array2b", "int", "Array2f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3u(_Integers["_Array3uLike", "int", "Array3b", "int", "Array3f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4u(_Integers["_Array4uLike", "int", "Array4b", "int", "Array4f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    w: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXu(_Integers["_ArrayXuLike", "int", "ArrayXb", "int", "ArrayXf"]): ...
class Array0i64(_Integers["_Array0i64Like", "int", "Array0b", "int", "Array0f"]): ...
class Array1i64(_Integers["_Array1i64Like", "int", "Array1b", "int", "Array1f"]):
    x: _Component["int", "int"]
class Array2i64(_Integers["_Array2i64Like", "int", "Array2b", "int", "Array2f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3i64(_Integers["_Array3i64Like", "int", "Array3b", "int", "Array3f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4i64(_Integers["_Array4i64Like", "int", "Array4b", "int", "Array4f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    w: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXi64(_Integers["_ArrayXi64Like", "int", "ArrayXb", "int", "ArrayXf"]): ...
class Array0u64(_Integers["_Array0u64Like", "int", "Array0b", "int", "Array0f"]): ...
class Array1u64(_Integers["_Array1u64Like", "int", "Array1b", "int", "Array1f"]):
    x: _Component["int", "int"]
class Array2u64(_Integers["_Array2u64Like", "int", "Array2b", "int", "Array2f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3u64(_Integers["_Array3u64Like", "int", "Array3b", "int", "Array3f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4u64(_Integers["_Array4u64Like", "int", "Array4b", "int", "Array4f"]):
    x: _Component["int", "int"]
    y: _Component["int", "int"]
    z: _Component["int", "int"]
    w: _Component["int", "int"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXu64(_Integers["_ArrayXu64Like", "int", "ArrayXb", "int", "ArrayXf"]): ...
class Array0f16(_Ordered["_Array0f16Like", "float", "Array0b", "float", "Array0f16"]): ...
class Array1f16(_Ordered["_Array1f16Like", "float", "Array1b", "float", "Array1f16"]):
    x: _Component["float", "float"]
class Array2f16(_Ordered["_Array2f16Like", "float", "Array2b", "float", "Array2f16"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3f16(_Ordered["_Array3f16Like", "float", "Array3b", "float", "Array3f16"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4f16(_Ordered["_Array4f16Like", "float", "Array4b", "float", "Array4f16"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    w: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXf16(_Ordered["_ArrayXf16Like", "float", "ArrayXb", "float", "ArrayXf16"]): ...
class Array0f(_Ordered["_Array0fLike", "float", "Array0b", "float", "Array0f"]): ...
class Array1f(_Ordered["_Array1fLike", "float", "Array1b", "float", "Array1f"]):
    x: _Component["float", "float"]
class Array2f(_Ordered["_Array2fLike", "float", "Array2b", "float", "Array2f"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3f(_Ordered["_Array3fLike", "float", "Array3b", "float", "Array3f"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4f(_Ordered["_Array4fLike", "float", "Array4b", "float", "Array4f"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    w: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXf(_Ordered["_ArrayXfLike", "float", "ArrayXb", "float", "ArrayXf"]): ...
class Array0f64(_Ordered["_Array0f64Like", "float", "Array0b", "float", "Array0f64"]): ...
class Array1f64(_Ordered["_Array1f64Like", "float", "Array1b", "float", "Array1f64"]):
    x: _Component["float", "float"]
class Array2f64(_Ordered["_Array2f64Like", "float", "Array2b", "float", "Array2f64"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3f64(_Ordered["_Array3f64Like", "float", "Array3b", "float", "Array3f64"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4f64(_Ordered["_Array4f64Like", "float", "Array4b", "float", "Array4f64"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    w: _Component["float", "float"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXf64(_Ordered["_ArrayXf64Like", "float", "ArrayXb", "float", "ArrayXf64"]): ...
class Array22b(_Masks["_Array22bLike", "Array2b", "Array22b", "Array2b", "Array22b"]):
    x: _Component["Array2b", "_Array2bLike"]
    y: _Component["Array2b", "_Array2bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array33b(_Masks["_Array33bLike", "Array3b", "Array33b", "Array3b", "Array33b"]):
    x: _Component["Array3b", "_Array3bLike"]
    y: _Component["Array3b", "_Array3bLike"]
    z: _Component["Array3b", "_Array3bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array34b(_Masks["_Array34bLike", "Array4b", "Array34b", "Array4b", "Array34b"]):
    x: _Component["Array4b", "_Array4bLike"]
    y: _Component["Array4b", "_Array4bLike"]
    z: _Component["Array4b", "_Array4bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array41b(_Masks["_Array41bLike", "Array1b", "Array41b", "Array1b", "Array41b"]):
    x: _Component["Array1b", "_Array1bLike"]
    y: _Component["Array1b", "_Array1bLike"]
    z: _Component["Array1b", "_Array1bLike"]
    w: _Component["Array1b", "_Array1bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array43b(_Masks["_Array43bLike", "Array3b", "Array43b", "Array3b", "Array43b"]):
    x: _Component["Array3b", "_Array3bLike"]
    y: _Component["Array3b", "_Array3bLike"]
    z: _Component["Array3b", "_Array3bLike"]
    w: _Component["Array3b", "_Array3bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array44b(_Masks["_Array44bLike", "Array4b", "Array44b", "Array4b", "Array44b"]):
    x: _Component["Array4b", "_Array4bLike"]
    y: _Component["Array4b", "_Array4bLike"]
    z: _Component["Array4b", "_Array4bLike"]
    w: _Component["Array4b", "_Array4bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array334b(_Masks["_Array334bLike", "Array34b", "Array334b", "Array34b", "Array334b"]):
    x: _Component["Array34b", "_Array34bLike"]
    y: _Component["Array34b", "_Array34bLike"]
    z: _Component["Array34b", "_Array34bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array441b(_Masks["_Array441bLike", "Array41b", "Array441b", "Array41b", "Array441b"]):
    x: _Component["Array41b", "_Array41bLike"]
    y: _Component["Array41b", "_Array41bLike"]
    z: _Component["Array41b", "_Array41bLike"]
    w: _Component["Array41b", "_Array41bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array443b(_Masks["_Array443bLike", "Array43b", "Array443b", "Array43b", "Array443b"]):
    x: _Component["Array43b", "_Array43bLike"]
    y: _Component["Array43b", "_Array43bLike"]
    z: _Component["Array43b", "_Array43bLike"]
    w: _Component["Array43b", "_Array43bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array444b(_Masks["_Array444bLike", "Array44b", "Array444b", "Array44b", "Array444b"]):
    x: _Component["Array44b", "_Array44bLike"]
    y: _Component["Array44b", "_Array44bLike"]
    z: _Component["Array44b", "_Array44bLike"]
    w: _Component["Array44b", "_Array44bLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array22f16(_Ordered["_Array22f16Like", "Array2f16", "Array22b", "Array2f16", "Array22f16"]):
    x: _Component["Array2f16", "_Array2f16Like"]
    y: _Component["Array2f16", "_Array2f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array33f16(_Ordered["_Array33f16Like", "Array3f16", "Array33b", "Array3f16", "Array33f16"]):
    x: _Component["Array3f16", "_Array3f16Like"]
    y: _Component["Array3f16", "_Array3f16Like"]
    z: _Component["Array3f16", "_Array3f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array34f16(_Ordered["_Array34f16Like", "Array4f16", "Array34b", "Array4f16", "Array34f16"]):
    x: _Component["Array4f16", "_Array4f16Like"]
    y: _Component["Array4f16", "_Array4f16Like"]
    z: _Component["Array4f16", "_Array4f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array41f16(_Ordered["_Array41f16Like", "Array1f16", "Array41b", "Array1f16", "Array41f16"]):
    x: _Component["Array1f16", "_Array1f16Like"]
    y: _Component["Array1f16", "_Array1f16Like"]
    z: _Component["Array1f16", "_Array1f16Like"]
    w: _Component["Array1f16", "_Array1f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array43f16(_Ordered["_Array43f16Like", "Array3f16", "Array43b", "Array3f16", "Array43f16"]):
    x: _Component["Array3f16", "_Array3f16Like"]
    y: _Component["Array3f16", "_Array3f16Like"]
    z: _Component["Array3f16", "_Array3f16Like"]
    w: _Component["Array3f16", "_Array3f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array44f16(_Ordered["_Array44f16Like", "Array4f16", "Array44b", "Array4f16", "Array44f16"]):
    x: _Component["Array4f16", "_Array4f16Like"]
    y: _Component["Array4f16", "_Array4f16Like"]
    z: _Component["Array4f16", "_Array4f16Like"]
    w: _Component["Array4f16", "_Array4f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array334f16(_Ordered["_Array334f16Like", "Array34f16", "Array334b", "Array34f16", "Array334f16"]):
    x: _Component["Array34f16", "_Array34f16Like"]
    y: _Component["Array34f16", "_Array34f16Like"]
    z: _Component["Array34f16", "_Array34f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array441f16(_Ordered["_Array441f16Like", "Array41f16", "Array441b", "Array41f16", "Array441f16"]):
    x: _Component["Array41f16", "_Array41f16Like"]
    y: _Component["Array41f16", "_Array41f16Like"]
    z: _Component["Array41f16", "_Array41f16Like"]
    w: _Component["Array41f16", "_Array41f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array443f16(_Ordered["_Array443f16Like", "Array43f16", "Array443b", "Array43f16", "Array443f16"]):
    x: _Component["Array43f16", "_Array43f16Like"]
    y: _Component["Array43f16", "_Array43f16Like"]
    z: _Component["Array43f16", "_Array43f16Like"]
    w: _Component["Array43f16", "_Array43f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array444f16(_Ordered["_Array444f16Like", "Array44f16", "Array444b", "Array44f16", "Array444f16"]):
    x: _Component["Array44f16", "_Array44f16Like"]
    y: _Component["Array44f16", "_Array44f16Like"]
    z: _Component["Array44f16", "_Array44f16Like"]
    w: _Component["Array44f16", "_Array44f16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array22f(_Ordered["_Array22fLike", "Array2f", "Array22b", "Array2f", "Array22f"]):
    x: _Component["Array2f", "_Array2fLike"]
    y: _Component["Array2f", "_Array2fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array33f(_Ordered["_Array33fLike", "Array3f", "Array33b", "Array3f", "Array33f"]):
    x: _Component["Array3f", "_Array3fLike"]
    y: _Component["Array3f", "_Array3fLike"]
    z: _Component["Array3f", "_Array3fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array34f(_Ordered["_Array34fLike", "Array4f", "Array34b", "Array4f", "Array34f"]):
    x: _Component["Array4f", "_Array4fLike"]
    y: _Component["Array4f", "_Array4fLike"]
    z: _Component["Array4f", "_Array4fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array41f(_Ordered["_Array41fLike", "Array1f", "Array41b", "Array1f", "Array41f"]):
    x: _Component["Array1f", "_Array1fLike"]
    y: _Component["Array1f", "_Array1fLike"]
    z: _Component["Array1f", "_Array1fLike"]
    w: _Component["Array1f", "_Array1fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array43f(_Ordered["_Array43fLike", "Array3f", "Array43b", "Array3f", "Array43f"]):
    x: _Component["Array3f", "_Array3fLike"]
    y: _Component["Array3f", "_Array3fLike"]
    z: _Component["Array3f", "_Array3fLike"]
    w: _Component["Array3f", "_Array3fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array44f(_Ordered["_Array44fLike", "Array4f", "Array44b", "Array4f", "Array44f"]):
    x: _Component["Array4f", "_Array4fLike"]
    y: _Component["Array4f", "_Array4fLike"]
    z: _Component["Array4f", "_Array4fLike"]
    w: _Component["Array4f", "_Array4fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array334f(_Ordered["_Array334fLike", "Array34f", "Array334b", "Array34f", "Array334f"]):
    x: _Component["Array34f", "_Array34fLike"]
    y: _Component["Array34f", "_Array34fLike"]
    z: _Component["Array34f", "_Array34fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array441f(_Ordered["_Array441fLike", "Array41f", "Array441b", "Array41f", "Array441f"]):
    x: _Component["Array41f", "_Array41fLike"]
    y: _Component["Array41f", "_Array41fLike"]
    z: _Component["Array41f", "_Array41fLike"]
    w: _Component["Array41f", "_Array41fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array443f(_Ordered["_Array443fLike", "Array43f", "Array443b", "Array43f", "Array443f"]):
    x: _Component["Array43f", "_Array43fLike"]
    y: _Component["Array43f", "_Array43fLike"]
    z: _Component["Array43f", "_Array43fLike"]
    w: _Component["Array43f", "_Array43fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array444f(_Ordered["_Array444fLike", "Array44f", "Array444b", "Array44f", "Array444f"]):
    x: _Component["Array44f", "_Array44fLike"]
    y: _Component["Array44f", "_Array44fLike"]
    z: _Component["Array44f", "_Array44fLike"]
    w: _Component["Array44f", "_Array44fLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array22f64(_Ordered["_Array22f64Like", "Array2f64", "Array22b", "Array2f64", "Array22f64"]):
    x: _Component["Array2f64", "_Array2f64Like"]
    y: _Component["Array2f64", "_Array2f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array33f64(_Ordered["_Array33f64Like", "Array3f64", "Array33b", "Array3f64", "Array33f64"]):
    x: _Component["Array3f64", "_Array3f64Like"]
    y: _Component["Array3f64", "_Array3f64Like"]
    z: _Component["Array3f64", "_Array3f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array34f64(_Ordered["_Array34f64Like", "Array4f64", "Array34b", "Array4f64", "Array34f64"]):
    x: _Component["Array4f64", "_Array4f64Like"]
    y: _Component["Array4f64", "_Array4f64Like"]
    z: _Component["Array4f64", "_Array4f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array41f64(_Ordered["_Array41f64Like", "Array1f64", "Array41b", "Array1f64", "Array41f64"]):
    x: _Component["Array1f64", "_Array1f64Like"]
    y: _Component["Array1f64", "_Array1f64Like"]
    z: _Component["Array1f64", "_Array1f64Like"]
    w: _Component["Array1f64", "_Array1f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array43f64(_Ordered["_Array43f64Like", "Array3f64", "Array43b", "Array3f64", "Array43f64"]):
    x: _Component["Array3f64", "_Array3f64Like"]
    y: _Component["Array3f64", "_Array3f64Like"]
    z: _Component["Array3f64", "_Array3f64Like"]
    w: _Component["Array3f64", "_Array3f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array44f64(_Ordered["_Array44f64Like", "Array4f64", "Array44b", "Array4f64", "Array44f64"]):
    x: _Component["Array4f64", "_Array4f64Like"]
    y: _Component["Array4f64", "_Array4f64Like"]
    z: _Component["Array4f64", "_Array4f64Like"]
    w: _Component["Array4f64", "_Array4f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array334f64(_Ordered["_Array334f64Like", "Array34f64", "Array334b", "Array34f64", "Array334f64"]):
    x: _Component["Array34f64", "_Array34f64Like"]
    y: _Component["Array34f64", "_Array34f64Like"]
    z: _Component["Array34f64", "_Array34f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array441f64(_Ordered["_Array441f64Like", "Array41f64", "Array441b", "Array41f64", "Array441f64"]):
    x: _Component["Array41f64", "_Array41f64Like"]
    y: _Component["Array41f64", "_Array41f64Like"]
    z: _Component["Array41f64", "_Array41f64Like"]
    w: _Component["Array41f64", "_Array41f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array443f64(_Ordered["_Array443f64Like", "Array43f64", "Array443b", "Array43f64", "Array443f64"]):
    x: _Component["Array43f64", "_Array43f64Like"]
    y: _Component["Array43f64", "_Array43f64Like"]
    z: _Component["Array43f64", "_Array43f64Like"]
    w: _Component["Array43f64", "_Array43f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array444f64(_Ordered["_Array444f64Like", "Array44f64", "Array444b", "Array44f64", "Array444f64"]):
    x: _Component["Array44f64", "_Array44f64Like"]
    y: _Component["Array44f64", "_Array44f64Like"]
    z: _Component["Array44f64", "_Array44f64Like"]
    w: _Component["Array44f64", "_Array44f64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Matrix2f16(_Numbers["_Matrix2f16Like", "Array2f16", "Array22b", "Array2f16", "Matrix2f16"]): ...
class Matrix3f16(_Numbers["_Matrix3f16Like", "Array3f16", "Array33b", "Array3f16", "Matrix3f16"]): ...
class Matrix4f16(_Numbers["_Matrix4f16Like", "Array4f16", "Array44b", "Array4f16", "Matrix4f16"]): ...
class Matrix34f16(_Numbers["_Matrix34f16Like", "Array34f16", "Array334b", "Array34f16", "Matrix34f16"]): ...
class Matrix41f16(_Numbers["_Matrix41f16Like", "Array41f16", "Array441b", "Array41f16", "Matrix41f16"]): ...
class Matrix43f16(_Numbers["_Matrix43f16Like", "Array43f16", "Array443b", "Array43f16", "Matrix43f16"]): ...
class Matrix44f16(_Numbers["_Matrix44f16Like", "Array44f16", "Array444b", "Array44f16", "Matrix44f16"]): ...
class Matrix2f(_Numbers["_Matrix2fLike", "Array2f", "Array22b", "Array2f", "Matrix2f"]): ...
class Matrix3f(_Numbers["_Matrix3fLike", "Array3f", "Array33b", "Array3f", "Matrix3f"]): ...
class Matrix4f(_Numbers["_Matrix4fLike", "Array4f", "Array44b", "Array4f", "Matrix4f"]): ...
class Matrix34f(_Numbers["_Matrix34fLike", "Array34f", "Array334b", "Array34f", "Matrix34f"]): ...
class Matrix41f(_Numbers["_Matrix41fLike", "Array41f", "Array441b", "Array41f", "Matrix41f"]): ...
class Matrix43f(_Numbers["_Matrix43fLike", "Array43f", "Array443b", "Array43f", "Matrix43f"]): ...
class Matrix44f(_Numbers["_Matrix44fLike", "Array44f", "Array444b", "Array44f", "Matrix44f"]): ...
class Matrix2f64(_Numbers["_Matrix2f64Like", "Array2f64", "Array22b", "Array2f64", "Matrix2f64"]): ...
class Matrix3f64(_Numbers["_Matrix3f64Like", "Array3f64", "Array33b", "Array3f64", "Matrix3f64"]): ...
class Matrix4f64(_Numbers["_Matrix4f64Like", "Array4f64", "Array44b", "Array4f64", "Matrix4f64"]): ...
class Matrix34f64(_Numbers["_Matrix34f64Like", "Array34f64", "Array334b", "Array34f64", "Matrix34f64"]): ...
class Matrix41f64(_Numbers["_Matrix41f64Like", "Array41f64", "Array441b", "Array41f64", "Matrix41f64"]): ...
class Matrix43f64(_Numbers["_Matrix43f64Like", "Array43f64", "Array443b", "Array43f64", "Matrix43f64"]): ...
class Matrix44f64(_Numbers["_Matrix44f64Like", "Array44f64", "Array444b", "Array44f64", "Matrix44f64"]): ...
class Quaternion4f16(_Numbers["_Quaternion4f16Like", "float", "Array4b", "float", "Quaternion4f16"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    w: _Component["float", "float"]
    real: _Component["float", "float"]
    imag: _Component["Any", "Any"]
    def __getattr__(self, name: str, /) -> Any: ...
class Complex2f(_Numbers["_Complex2fLike", "float", "Array2b", "float", "Complex2f"]):
    real: _Component["float", "float"]
    imag: _Component["float", "float"]
class Quaternion4f(_Numbers["_Quaternion4fLike", "float", "Array4b", "float", "Quaternion4f"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    w: _Component["float", "float"]
    real: _Component["float", "float"]
    imag: _Component["Any", "Any"]
    def __getattr__(self, name: str, /) -> Any: ...
class Complex2f64(_Numbers["_Complex2f64Like", "float", "Array2b", "float", "Complex2f64"]):
    real: _Component["float", "float"]
    imag: _Component["float", "float"]
class Quaternion4f64(_Numbers["_Quaternion4f64Like", "float", "Array4b", "float", "Quaternion4f64"]):
    x: _Component["float", "float"]
    y: _Component["float", "float"]
    z: _Component["float", "float"]
    w: _Component["float", "float"]
    real: _Component["float", "float"]
    imag: _Component["Any", "Any"]
    def __getattr__(self, name: str, /) -> Any: ...
class TensorXb(_Masks["_TensorXbLike", "TensorXb", "TensorXb", "TensorXb", "TensorXb"]): ...
class TensorXi8(_Integers["_TensorXi8Like", "TensorXi8", "TensorXb", "TensorXi8", "TensorXf"]): ...
class TensorXu8(_Integers["_TensorXu8Like", "TensorXu8", "TensorXb", "TensorXu8", "TensorXf"]): ...
class TensorXi(_Integers["_TensorXiLike", "TensorXi", "TensorXb", "TensorXi", "TensorXf"]): ...
class TensorXu(_Integers["_TensorXuLike", "TensorXu", "TensorXb", "TensorXu", "TensorXf"]): ...
class TensorXi64(_Integers["_TensorXi64Like", "TensorXi64", "TensorXb", "TensorXi64", "TensorXf"]): ...
class TensorXu64(_Integers["_TensorXu64Like", "TensorXu64", "TensorXb", "TensorXu64", "TensorXf"]): ...
class TensorXf16(_Ordered["_TensorXf16Like", "TensorXf16", "TensorXb", "TensorXf16", "TensorXf16"]): ...
class TensorXf(_Ordered["_TensorXfLike", "TensorXf", "TensorXb", "TensorXf", "TensorXf"]): ...
class TensorXf64(_Ordered["_TensorXf64Like", "TensorXf64", "TensorXb", "TensorXf64", "TensorXf64"]): ...

_Array0bLike: TypeAlias = Array0b | bool
_Array1bLike: TypeAlias = Array0b | Array1b | bool
_Array2bLike: TypeAlias = Array1b | Array2b | bool
_Array3bLike: TypeAlias = Array1b | Array3b | bool
_Array4bLike: TypeAlias = Array1b | Array4b | bool
_ArrayXbLike: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | bool
_Array0i8Like: TypeAlias = Array0b | Array0i8 | int
_Array1i8Like: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | int
_Array2i8Like: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | int
_Array3i8Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | int
_Array4i8Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | int
_ArrayXi8Like: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | int
_Array0u8Like: TypeAlias = Array0b | Array0i8 | Array0u8 | int
_Array1u8Like: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | int
_Array2u8Like: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | int
_Array3u8Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | int
_Array4u8Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | int
_ArrayXu8Like: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | int
_Array0iLike: TypeAlias = Array0b | Array0i8 | Array0u8 | Array0i | int
_Array1iLike: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | int
_Array2iLike: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | int
_Array3iLike: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | int
_Array4iLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | int
_ArrayXiLike: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | int
_Array0uLike: TypeAlias = Array0b | Array0i8 | Array0u8 | Array0i | Array0u | int
_Array1uLike: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | int
_Array2uLike: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | int
_Array3uLike: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | int
_Array4uLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | int
_ArrayXuLike: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | int
_Array0i64Like: TypeAlias = Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | int
_Array1i64Like: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | int
_Array2i64Like: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | int
_Array3i64Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | int
_Array4i64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | int
_ArrayXi64Like: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | int
_Array0u64Like: TypeAlias = Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | Array0u64 | int
_Array1u64Like: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | Array0u64 | Array1u64 | int
_Array2u64Like: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | int
_Array3u64Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | int
_Array4u64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | int
_ArrayXu64Like: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | Array0u64 | Array1u64 | Array2u64 | Array3u64 | Array4u64 | ArrayXu64 | int
_Array0f16Like: TypeAlias = Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | Array0u64 | Array0f16 | float
_Array1f16Like: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | Array0u64 | Array1u64 | Array0f16 | Array1f16 | float
_Array2f16Like: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | float
_Array3f16Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | float
_Array4f16Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | float
_ArrayXf16Like: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | Array0u64 | Array1u64 | Array2u64 | Array3u64 | Array4u64 | ArrayXu64 | Array0f16 | Array1f16 | Array2f16 | Array3f16 | Array4f16 | ArrayXf16 | float
_Array0fLike: TypeAlias = Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | Array0u64 | Array0f16 | Array0f | float
_Array1fLike: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | Array0u64 | Array1u64 | Array0f16 | Array1f16 | Array0f | Array1f | float
_Array2fLike: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array1f | Array2f | float
_Array3fLike: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | float
_Array4fLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | float
_ArrayXfLike: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | Array0u64 | Array1u64 | Array2u64 | Array3u64 | Array4u64 | ArrayXu64 | Array0f16 | Array1f16 | Array2f16 | Array3f16 | Array4f16 | ArrayXf16 | Array0f | Array1f | Array2f | Array3f | Array4f | ArrayXf | float
_Array0f64Like: TypeAlias = Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | Array0u64 | Array0f16 | Array0f | Array0f64 | float
_Array1f64Like: TypeAlias = Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | Array0u64 | Array1u64 | Array0f16 | Array1f16 | Array0f | Array1f | Array0f64 | Array1f64 | float
_Array2f64Like: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array1f | Array2f | Array1f64 | Array2f64 | float
_Array3f64Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array1f64 | Array3f64 | float
_Array4f64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | float
_ArrayXf64Like: TypeAlias = Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | Array0u64 | Array1u64 | Array2u64 | Array3u64 | Array4u64 | ArrayXu64 | Array0f16 | Array1f16 | Array2f16 | Array3f16 | Array4f16 | ArrayXf16 | Array0f | Array1f | Array2f | Array3f | Array4f | ArrayXf | Array0f64 | Array1f64 | Array2f64 | Array3f64 | Array4f64 | ArrayXf64 | float
_Array22bLike: TypeAlias = Array1b | Array2b | Array22b | bool
_Array33bLike: TypeAlias = Array1b | Array3b | Array33b | bool
_Array34bLike: TypeAlias = Array1b | Array3b | Array34b | bool
_Array41bLike: TypeAlias = Array1b | Array4b | Array41b | bool
_Array43bLike: TypeAlias = Array1b | Array4b | Array41b | Array43b | bool
_Array44bLike: TypeAlias = Array1b | Array4b | Array41b | Array44b | bool
_Array334bLike: TypeAlias = Array1b | Array3b | Array33b | Array334b | bool
_Array441bLike: TypeAlias = Array1b | Array4b | Array41b | Array44b | Array441b | bool
_Array443bLike: TypeAlias = Array1b | Array4b | Array41b | Array44b | Array441b | Array443b | bool
_Array444bLike: TypeAlias = Array1b | Array4b | Array41b | Array44b | Array441b | Array444b | bool
_Array22f16Like: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array22b | Array22f16 | float
_Array33f16Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array33b | Array33f16 | float
_Array34f16Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array34b | Array34f16 | float
_Array41f16Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array41f16 | float
_Array43f16Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array43b | Array41f16 | Array43f16 | float
_Array44f16Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array44b | Array41f16 | Array44f16 | float
_Array334f16Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array33b | Array334b | Array33f16 | Array334f16 | float
_Array441f16Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array44b | Array441b | Array41f16 | Array44f16 | Array441f16 | float
_Array443f16Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array44b | Array441b | Array443b | Array41f16 | Array44f16 | Array441f16 | Array443f16 | float
_Array444f16Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array44b | Array441b | Array444b | Array41f16 | Array44f16 | Array441f16 | Array444f16 | float
_Array22fLike: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array1f | Array2f | Array22b | Array22f16 | Array22f | float
_Array33fLike: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array33b | Array33f16 | Array33f | float
_Array34fLike: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array34b | Array34f16 | Array34f | float
_Array41fLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array41f16 | Array41f | float
_Array43fLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array43b | Array41f16 | Array43f16 | Array41f | Array43f | float
_Array44fLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array44b | Array41f16 | Array44f16 | Array41f | Array44f | float
_Array334fLike: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array33b | Array334b | Array33f16 | Array334f16 | Array33f | Array334f | float
_Array441fLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array44b | Array441b | Array41f16 | Array44f16 | Array441f16 | Array41f | Array44f | Array441f | float
_Array443fLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array44b | Array441b | Array443b | Array41f16 | Array44f16 | Array441f16 | Array443f16 | Array41f | Array44f | Array441f | Array443f | float
_Array444fLike: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array44b | Array441b | Array444b | Array41f16 | Array44f16 | Array441f16 | Array444f16 | Array41f | Array44f | Array441f | Array444f | float
_Array22f64Like: TypeAlias = Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array1f | Array2f | Array1f64 | Array2f64 | Array22b | Array22f16 | Array22f | Array22f64 | float
_Array33f64Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array1f64 | Array3f64 | Array33b | Array33f16 | Array33f | Array33f64 | float
_Array34f64Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array1f64 | Array3f64 | Array34b | Array34f16 | Array34f | Array34f64 | float
_Array41f64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array41f16 | Array41f | Array41f64 | float
_Array43f64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array43b | Array41f16 | Array43f16 | Array41f | Array43f | Array41f64 | Array43f64 | float
_Array44f64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array44b | Array41f16 | Array44f16 | Array41f | Array44f | Array41f64 | Array44f64 | float
_Array334f64Like: TypeAlias = Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array1f64 | Array3f64 | Array33b | Array334b | Array33f16 | Array334f16 | Array33f | Array334f | Array33f64 | Array334f64 | float
_Array441f64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array44b | Array441b | Array41f16 | Array44f16 | Array441f16 | Array41f | Array44f | Array441f | Array41f64 | Array44f64 | Array441f64 | float
_Array443f64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array44b | Array441b | Array443b | Array41f16 | Array44f16 | Array441f16 | Array443f16 | Array41f | Array44f | Array441f | Array443f | Array41f64 | Array44f64 | Array441f64 | Array443f64 | float
_Array444f64Like: TypeAlias = Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array44b | Array441b | Array444b | Array41f16 | Array44f16 | Array441f16 | Array444f16 | Array41f | Array44f | Array441f | Array444f | Array41f64 | Array44f64 | Array441f64 | Array444f64 | float
_Matrix2f16Like: TypeAlias = Matrix2f16 | float
_Matrix3f16Like: TypeAlias = Matrix3f16 | float
_Matrix4f16Like: TypeAlias = Matrix4f16 | float
_Matrix34f16Like: TypeAlias = Matrix34f16 | float
_Matrix41f16Like: TypeAlias = Matrix41f16 | float
_Matrix43f16Like: TypeAlias = Matrix43f16 | float
_Matrix44f16Like: TypeAlias = Matrix44f16 | float
_Matrix2fLike: TypeAlias = Matrix2f16 | Matrix2f | float
_Matrix3fLike: TypeAlias = Matrix3f16 | Matrix3f | float
_Matrix4fLike: TypeAlias = Matrix4f16 | Matrix4f | float
_Matrix34fLike: TypeAlias = Matrix34f16 | Matrix34f | float
_Matrix41fLike: TypeAlias = Matrix41f16 | Matrix41f | float
_Matrix43fLike: TypeAlias = Matrix43f16 | Matrix43f | float
_Matrix44fLike: TypeAlias = Matrix44f16 | Matrix44f | float
_Matrix2f64Like: TypeAlias = Matrix2f16 | Matrix2f | Matrix2f64 | float
_Matrix3f64Like: TypeAlias = Matrix3f16 | Matrix3f | Matrix3f64 | float
_Matrix4f64Like: TypeAlias = Matrix4f16 | Matrix4f | Matrix4f64 | float
_Matrix34f64Like: TypeAlias = Matrix34f16 | Matrix34f | Matrix34f64 | float
_Matrix41f64Like: TypeAlias = Matrix41f16 | Matrix41f | Matrix41f64 | float
_Matrix43f64Like: TypeAlias = Matrix43f16 | Matrix43f | Matrix43f64 | float
_Matrix44f64Like: TypeAlias = Matrix44f16 | Matrix44f | Matrix44f64 | float
_Quaternion4f16Like: TypeAlias = Array4b | Array4i8 | Array4u8 | Array4i | Array4u | Array4i64 | Array4u64 | Array4f16 | Quaternion4f16 | float
_Complex2fLike: TypeAlias = Array2b | Array2i8 | Array2u8 | Array2i | Array2u | Array2i64 | Array2u64 | Array2f16 | Array2f | Complex2f | float
_Quaternion4fLike: TypeAlias = Array4b | Array4i8 | Array4u8 | Array4i | Array4u | Array4i64 | Array4u64 | Array4f16 | Array4f | Quaternion4f16 | Quaternion4f | float
_Complex2f64Like: TypeAlias = Array2b | Array2i8 | Array2u8 | Array2i | Array2u | Array2i64 | Array2u64 | Array2f16 | Array2f | Array2f64 | Complex2f | Complex2f64 | float
_Quaternion4f64Like: TypeAlias = Array4b | Array4i8 | Array4u8 | Array4i | Array4u | Array4i64 | Array4u64 | Array4f16 | Array4f | Array4f64 | Quaternion4f16 | Quaternion4f | Quaternion4f64 | float
_TensorXbLike: TypeAlias = TensorXb | bool
_TensorXi8Like: TypeAlias = TensorXb | TensorXi8 | int
_TensorXu8Like: TypeAlias = TensorXb | TensorXi8 | TensorXu8 | int
_TensorXiLike: TypeAlias = TensorXb | TensorXi8 | TensorXu8 | TensorXi | int
_TensorXuLike: TypeAlias = TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | int
_TensorXi64Like: TypeAlias = TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | int
_TensorXu64Like: TypeAlias = TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | TensorXu64 | int
_TensorXf16Like: TypeAlias = TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | TensorXu64 | TensorXf16 | float
_TensorXfLike: TypeAlias = TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | TensorXu64 | TensorXf16 | TensorXf | float
_TensorXf64Like: TypeAlias = TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | TensorXu64 | TensorXf16 | TensorXf | TensorXf64 | float

class PCG32:
    """M. O'Neill's generator PCG32, one for each thread."""

    state: UInt64
    inc: UInt64
    def __init__(self, size: int | PCG32 = 1, initstate: UInt64 | int = ..., initseq: UInt64 | int = ...) -> None: ...
    def seed(self, initstate: UInt64 | int = ..., initseq: UInt64 | int = ...) -> None: ...
    def advance(self, arg: Int64 | int) -> None: ...
    def __add__(self, steps: Int64 | int) -> PCG32: ...
    def __iadd__(self, steps: Int64 | int) -> PCG32: ...
    @overload
    def __sub__(self, other: PCG32) -> Int64: ...
    @overload
    def __sub__(self, other: Int64 | int) -> PCG32: ...
    def __isub__(self, steps: Int64 | int) -> PCG32: ...  # type: ignore[misc]
    def next_uint32_bounded(self, bound: int, mask: Bool | bool = True) -> UInt: ...
    def next_uint64_bounded(self, bound: int, mask: Bool | bool = True) -> UInt64: ...
    def next_float(self, dtype: type[_T], mask: Bool | bool = True) -> _T: ...
    def prev_float(self, dtype: type[_T], mask: Bool | bool = True) -> _T: ...
    def next_float_normal(self, dtype: type[_T], mask: Bool | bool = True) -> _T: ...
    def prev_float_normal(self, dtype: type[_T], mask: Bool | bool = True) -> _T: ...
    def next_uint32(self, mask: Bool | bool = True) -> UInt: ...
    def next_uint64(self, mask: Bool | bool = True) -> UInt64: ...
    def next_float16(self, mask: Bool | bool = True) -> Float16: ...
    def next_float32(self, mask: Bool | bool = True) -> Float: ...
    def next_float64(self, mask: Bool | bool = True) -> Float64: ...
    def next_float16_normal(self, mask: Bool | bool = True) -> Float16: ...
    def next_float32_normal(self, mask: Bool | bool = True) -> Float: ...
    def next_float64_normal(self, mask: Bool | bool = True) -> Float64: ...
    def prev_uint32(self, mask: Bool | bool = True) -> UInt: ...
    def prev_uint64(self, mask: Bool | bool = True) -> UInt64: ...
    def prev_float16(self, mask: Bool | bool = True) -> Float16: ...
    def prev_float32(self, mask: Bool | bool = True) -> Float: ...
    def prev_float64(self, mask: Bool | bool = True) -> Float64: ...
    def prev_float16_normal(self, mask: Bool | bool = True) -> Float16: ...
    def prev_float32_normal(self, mask: Bool | bool = True) -> Float: ...
    def prev_float64_normal(self, mask: Bool | bool = True) -> Float64: ...

class Philox4x32:
    """The counter-based generator Philox4x32."""

    seed: Array2u
    counter: Array4u
    iterations: int
    @overload
    def __init__(
        self,
        seed: UInt64 | int,
        counter_0: UInt | int,
        counter_1: UInt | int = 0,
        counter_2: UInt | int = 0,
        iterations: int = 7,
    ) -> None: ...
    @overload
    def __init__(self, seed: Philox4x32) -> None: ...
    def next_uint32x4(self, mask: Bool | bool = True) -> Array4u: ...
    def next_uint64x2(self, mask: Bool | bool = True) -> Array2u64: ...
    def next_float16x4(self, mask: Bool | bool = True) -> Array4f16: ...
    def next_float32x4(self, mask: Bool | bool = True) -> Array4f: ...
    def next_float64x2(self, mask: Bool | bool = True) -> Array2f64: ...
    def next_float16x4_normal(self, mask: Bool | bool = True) -> Array4f16: ...
    def next_float32x4_normal(self, mask: Bool | bool = True) -> Array4f: ...
    def next_float64x2_normal(self, mask: Bool | bool = True) -> Array2f64: ...

class Texture1f(_Texture[ArrayXf, TensorXf]): ...
class Texture1f16(_Texture[ArrayXf16, TensorXf16]): ...
class Texture1f64(_Texture[ArrayXf64, TensorXf64]): ...
class Texture2f(_Texture[ArrayXf, TensorXf]): ...
class Texture2f16(_Texture[ArrayXf16, TensorXf16]): ...
class Texture2f64(_Texture[ArrayXf64, TensorXf64]): ...
class Texture3f(_Texture[ArrayXf, TensorXf]): ...
class Texture3f16(_Texture[ArrayXf16, TensorXf16]): ...
class Texture3f64(_Texture[ArrayXf64, TensorXf64]): ...

"""Arrays on the processor.

Written by bindings/python/make_stubs.py; a test compares.
"""

from typing import Any, TypeAlias, TypeVar, overload

from ivyrs.drjit import _Component, _Integers, _Masks, _Numbers, _Ordered, _Texture

from . import ad as ad

_T = TypeVar("_T")

class Bool(_Masks["_BoolLike", "bool", "Bool", "Bool", "Bool"]): ...
class Int8(_Integers["_Int8Like", "int", "Bool", "Int8", "Float"]): ...
class UInt8(_Integers["_UInt8Like", "int", "Bool", "UInt8", "Float"]): ...
class Int(_Integers["_IntLike", "int", "Bool", "Int", "Float"]): ...
class UInt(_Integers["_UIntLike", "int", "Bool", "UInt", "Float"]): ...
class Int64(_Integers["_Int64Like", "int", "Bool", "Int64", "Float"]): ...
class UInt64(_Integers["_UInt64Like", "int", "Bool", "UInt64", "Float"]): ...
class Float16(_Ordered["_Float16Like", "float", "Bool", "Float16", "Float16"]): ...
class Float(_Ordered["_FloatLike", "float", "Bool", "Float", "Float"]): ...
class Float64(_Ordered["_Float64Like", "float", "Bool", "Float64", "Float64"]): ...
class Array0b(_Masks["_Array0bLike", "Bool", "Array0b", "Bool", "Array0b"]): ...
class Array1b(_Masks["_Array1bLike", "Bool", "Array1b", "Bool", "Array1b"]):
    x: _Component["Bool", "_BoolLike"]
class Array2b(_Masks["_Array2bLike", "Bool", "Array2b", "Bool", "Array2b"]):
    x: _Component["Bool", "_BoolLike"]
    y: _Component["Bool", "_BoolLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3b(_Masks["_Array3bLike", "Bool", "Array3b", "Bool", "Array3b"]):
    x: _Component["Bool", "_BoolLike"]
    y: _Component["Bool", "_BoolLike"]
    z: _Component["Bool", "_BoolLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4b(_Masks["_Array4bLike", "Bool", "Array4b", "Bool", "Array4b"]):
    x: _Component["Bool", "_BoolLike"]
    y: _Component["Bool", "_BoolLike"]
    z: _Component["Bool", "_BoolLike"]
    w: _Component["Bool", "_BoolLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXb(_Masks["_ArrayXbLike", "Bool", "ArrayXb", "Bool", "ArrayXb"]): ...
class Array0i8(_Integers["_Array0i8Like", "Int8", "Array0b", "Int8", "Array0f"]): ...
class Array1i8(_Integers["_Array1i8Like", "Int8", "Array1b", "Int8", "Array1f"]):
    x: _Component["Int8", "_Int8Like"]
class Array2i8(_Integers["_Array2i8Like", "Int8", "Array2b", "Int8", "Array2f"]):
    x: _Component["Int8", "_Int8Like"]
    y: _Component["Int8", "_Int8Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3i8(_Integers["_Array3i8Like", "Int8", "Array3b", "Int8", "Array3f"]):
    x: _Component["Int8", "_Int8Like"]
    y: _Component["Int8", "_Int8Like"]
    z: _Component["Int8", "_Int8Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4i8(_Integers["_Array4i8Like", "Int8", "Array4b", "Int8", "Array4f"]):
    x: _Component["Int8", "_Int8Like"]
    y: _Component["Int8", "_Int8Like"]
    z: _Component["Int8", "_Int8Like"]
    w: _Component["Int8", "_Int8Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXi8(_Integers["_ArrayXi8Like", "Int8", "ArrayXb", "Int8", "ArrayXf"]): ...
class Array0u8(_Integers["_Array0u8Like", "UInt8", "Array0b", "UInt8", "Array0f"]): ...
class Array1u8(_Integers["_Array1u8Like", "UInt8", "Array1b", "UInt8", "Array1f"]):
    x: _Component["UInt8", "_UInt8Like"]
class Array2u8(_Integers["_Array2u8Like", "UInt8", "Array2b", "UInt8", "Array2f"]):
    x: _Component["UInt8", "_UInt8Like"]
    y: _Component["UInt8", "_UInt8Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3u8(_Integers["_Array3u8Like", "UInt8", "Array3b", "UInt8", "Array3f"]):
    x: _Component["UInt8", "_UInt8Like"]
    y: _Component["UInt8", "_UInt8Like"]
    z: _Component["UInt8", "_UInt8Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4u8(_Integers["_Array4u8Like", "UInt8", "Array4b", "UInt8", "Array4f"]):
    x: _Component["UInt8", "_UInt8Like"]
    y: _Component["UInt8", "_UInt8Like"]
    z: _Component["UInt8", "_UInt8Like"]
    w: _Component["UInt8", "_UInt8Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXu8(_Integers["_ArrayXu8Like", "UInt8", "ArrayXb", "UInt8", "ArrayXf"]): ...
class Array0i(_Integers["_Array0iLike", "Int", "Array0b", "Int", "Array0f"]): ...
class Array1i(_Integers["_Array1iLike", "Int", "Array1b", "Int", "Array1f"]):
    x: _Component["Int", "_IntLike"]
class Array2i(_Integers["_Array2iLike", "Int", "Array2b", "Int", "Array2f"]):
    x: _Component["Int", "_IntLike"]
    y: _Component["Int", "_IntLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3i(_Integers["_Array3iLike", "Int", "Array3b", "Int", "Array3f"]):
    x: _Component["Int", "_IntLike"]
    y: _Component["Int", "_IntLike"]
    z: _Component["Int", "_IntLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4i(_Integers["_Array4iLike", "Int", "Array4b", "Int", "Array4f"]):
    x: _Component["Int", "_IntLike"]
    y: _Component["Int", "_IntLike"]
    z: _Component["Int", "_IntLike"]
    w: _Component["Int", "_IntLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXi(_Integers["_ArrayXiLike", "Int", "ArrayXb", "Int", "ArrayXf"]): ...
class Array0u(_Integers["_Array0uLike", "UInt", "Array0b", "UInt", "Array0f"]): ...
class Array1u(_Integers["_Array1uLike", "UInt", "Array1b", "UInt", "Array1f"]):
    x: _Component["UInt", "_UIntLike"]
class Array2u(_Integers["_Array2uLike", "UInt", "Array2b", "UInt", "Array2f"]):
    x: _Component["UInt", "_UIntLike"]
    y: _Component["UInt", "_UIntLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3u(_Integers["_Array3uLike", "UInt", "Array3b", "UInt", "Array3f"]):
    x: _Component["UInt", "_UIntLike"]
    y: _Component["UInt", "_UIntLike"]
    z: _Component["UInt", "_UIntLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4u(_Integers["_Array4uLike", "UInt", "Array4b", "UInt", "Array4f"]):
    x: _Component["UInt", "_UIntLike"]
    y: _Component["UInt", "_UIntLike"]
    z: _Component["UInt", "_UIntLike"]
    w: _Component["UInt", "_UIntLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXu(_Integers["_ArrayXuLike", "UInt", "ArrayXb", "UInt", "ArrayXf"]): ...
class Array0i64(_Integers["_Array0i64Like", "Int64", "Array0b", "Int64", "Array0f"]): ...
class Array1i64(_Integers["_Array1i64Like", "Int64", "Array1b", "Int64", "Array1f"]):
    x: _Component["Int64", "_Int64Like"]
class Array2i64(_Integers["_Array2i64Like", "Int64", "Array2b", "Int64", "Array2f"]):
    x: _Component["Int64", "_Int64Like"]
    y: _Component["Int64", "_Int64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3i64(_Integers["_Array3i64Like", "Int64", "Array3b", "Int64", "Array3f"]):
    x: _Component["Int64", "_Int64Like"]
    y: _Component["Int64", "_Int64Like"]
    z: _Component["Int64", "_Int64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4i64(_Integers["_Array4i64Like", "Int64", "Array4b", "Int64", "Array4f"]):
    x: _Component["Int64", "_Int64Like"]
    y: _Component["Int64", "_Int64Like"]
    z: _Component["Int64", "_Int64Like"]
    w: _Component["Int64", "_Int64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXi64(_Integers["_ArrayXi64Like", "Int64", "ArrayXb", "Int64", "ArrayXf"]): ...
class Array0u64(_Integers["_Array0u64Like", "UInt64", "Array0b", "UInt64", "Array0f"]): ...
class Array1u64(_Integers["_Array1u64Like", "UInt64", "Array1b", "UInt64", "Array1f"]):
    x: _Component["UInt64", "_UInt64Like"]
class Array2u64(_Integers["_Array2u64Like", "UInt64", "Array2b", "UInt64", "Array2f"]):
    x: _Component["UInt64", "_UInt64Like"]
    y: _Component["UInt64", "_UInt64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3u64(_Integers["_Array3u64Like", "UInt64", "Array3b", "UInt64", "Array3f"]):
    x: _Component["UInt64", "_UInt64Like"]
    y: _Component["UInt64", "_UInt64Like"]
    z: _Component["UInt64", "_UInt64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4u64(_Integers["_Array4u64Like", "UInt64", "Array4b", "UInt64", "Array4f"]):
    x: _Component["UInt64", "_UInt64Like"]
    y: _Component["UInt64", "_UInt64Like"]
    z: _Component["UInt64", "_UInt64Like"]
    w: _Component["UInt64", "_UInt64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXu64(_Integers["_ArrayXu64Like", "UInt64", "ArrayXb", "UInt64", "ArrayXf"]): ...
class Array0f16(_Ordered["_Array0f16Like", "Float16", "Array0b", "Float16", "Array0f16"]): ...
class Array1f16(_Ordered["_Array1f16Like", "Float16", "Array1b", "Float16", "Array1f16"]):
    x: _Component["Float16", "_Float16Like"]
class Array2f16(_Ordered["_Array2f16Like", "Float16", "Array2b", "Float16", "Array2f16"]):
    x: _Component["Float16", "_Float16Like"]
    y: _Component["Float16", "_Float16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3f16(_Ordered["_Array3f16Like", "Float16", "Array3b", "Float16", "Array3f16"]):
    x: _Component["Float16", "_Float16Like"]
    y: _Component["Float16", "_Float16Like"]
    z: _Component["Float16", "_Float16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4f16(_Ordered["_Array4f16Like", "Float16", "Array4b", "Float16", "Array4f16"]):
    x: _Component["Float16", "_Float16Like"]
    y: _Component["Float16", "_Float16Like"]
    z: _Component["Float16", "_Float16Like"]
    w: _Component["Float16", "_Float16Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXf16(_Ordered["_ArrayXf16Like", "Float16", "ArrayXb", "Float16", "ArrayXf16"]): ...
class Array0f(_Ordered["_Array0fLike", "Float", "Array0b", "Float", "Array0f"]): ...
class Array1f(_Ordered["_Array1fLike", "Float", "Array1b", "Float", "Array1f"]):
    x: _Component["Float", "_FloatLike"]
class Array2f(_Ordered["_Array2fLike", "Float", "Array2b", "Float", "Array2f"]):
    x: _Component["Float", "_FloatLike"]
    y: _Component["Float", "_FloatLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3f(_Ordered["_Array3fLike", "Float", "Array3b", "Float", "Array3f"]):
    x: _Component["Float", "_FloatLike"]
    y: _Component["Float", "_FloatLike"]
    z: _Component["Float", "_FloatLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4f(_Ordered["_Array4fLike", "Float", "Array4b", "Float", "Array4f"]):
    x: _Component["Float", "_FloatLike"]
    y: _Component["Float", "_FloatLike"]
    z: _Component["Float", "_FloatLike"]
    w: _Component["Float", "_FloatLike"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXf(_Ordered["_ArrayXfLike", "Float", "ArrayXb", "Float", "ArrayXf"]): ...
class Array0f64(_Ordered["_Array0f64Like", "Float64", "Array0b", "Float64", "Array0f64"]): ...
class Array1f64(_Ordered["_Array1f64Like", "Float64", "Array1b", "Float64", "Array1f64"]):
    x: _Component["Float64", "_Float64Like"]
class Array2f64(_Ordered["_Array2f64Like", "Float64", "Array2b", "Float64", "Array2f64"]):
    x: _Component["Float64", "_Float64Like"]
    y: _Component["Float64", "_Float64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array3f64(_Ordered["_Array3f64Like", "Float64", "Array3b", "Float64", "Array3f64"]):
    x: _Component["Float64", "_Float64Like"]
    y: _Component["Float64", "_Float64Like"]
    z: _Component["Float64", "_Float64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class Array4f64(_Ordered["_Array4f64Like", "Float64", "Array4b", "Float64", "Array4f64"]):
    x: _Component["Float64", "_Float64Like"]
    y: _Component["Float64", "_Float64Like"]
    z: _Component["Float64", "_Float64Like"]
    w: _Component["Float64", "_Float64Like"]
    def __getattr__(self, name: str, /) -> Any: ...
class ArrayXf64(_Ordered["_ArrayXf64Like", "Float64", "ArrayXb", "Float64", "ArrayXf64"]): ...
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
class Quaternion4f16(_Numbers["_Quaternion4f16Like", "Float16", "Array4b", "Float16", "Quaternion4f16"]):
    x: _Component["Float16", "_Float16Like"]
    y: _Component["Float16", "_Float16Like"]
    z: _Component["Float16", "_Float16Like"]
    w: _Component["Float16", "_Float16Like"]
    real: _Component["Float16", "_Float16Like"]
    imag: _Component["Any", "Any"]
    def __getattr__(self, name: str, /) -> Any: ...
class Complex2f(_Numbers["_Complex2fLike", "Float", "Array2b", "Float", "Complex2f"]):
    real: _Component["Float", "_FloatLike"]
    imag: _Component["Float", "_FloatLike"]
class Quaternion4f(_Numbers["_Quaternion4fLike", "Float", "Array4b", "Float", "Quaternion4f"]):
    x: _Component["Float", "_FloatLike"]
    y: _Component["Float", "_FloatLike"]
    z: _Component["Float", "_FloatLike"]
    w: _Component["Float", "_FloatLike"]
    real: _Component["Float", "_FloatLike"]
    imag: _Component["Any", "Any"]
    def __getattr__(self, name: str, /) -> Any: ...
class Complex2f64(_Numbers["_Complex2f64Like", "Float64", "Array2b", "Float64", "Complex2f64"]):
    real: _Component["Float64", "_Float64Like"]
    imag: _Component["Float64", "_Float64Like"]
class Quaternion4f64(_Numbers["_Quaternion4f64Like", "Float64", "Array4b", "Float64", "Quaternion4f64"]):
    x: _Component["Float64", "_Float64Like"]
    y: _Component["Float64", "_Float64Like"]
    z: _Component["Float64", "_Float64Like"]
    w: _Component["Float64", "_Float64Like"]
    real: _Component["Float64", "_Float64Like"]
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
Int32 = Int
UInt32 = UInt
Float32 = Float

_BoolLike: TypeAlias = Bool | bool
_Int8Like: TypeAlias = Bool | Int8 | int
_UInt8Like: TypeAlias = Bool | Int8 | UInt8 | int
_IntLike: TypeAlias = Bool | Int8 | UInt8 | Int | int
_UIntLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | int
_Int64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | int
_UInt64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | int
_Float16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | float
_FloatLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | float
_Float64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | float
_Array0bLike: TypeAlias = Bool | Array0b | bool
_Array1bLike: TypeAlias = Bool | Array0b | Array1b | bool
_Array2bLike: TypeAlias = Bool | Array1b | Array2b | bool
_Array3bLike: TypeAlias = Bool | Array1b | Array3b | bool
_Array4bLike: TypeAlias = Bool | Array1b | Array4b | bool
_ArrayXbLike: TypeAlias = Bool | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | bool
_Array0i8Like: TypeAlias = Bool | Int8 | Array0b | Array0i8 | int
_Array1i8Like: TypeAlias = Bool | Int8 | Array0b | Array1b | Array0i8 | Array1i8 | int
_Array2i8Like: TypeAlias = Bool | Int8 | Array1b | Array2b | Array1i8 | Array2i8 | int
_Array3i8Like: TypeAlias = Bool | Int8 | Array1b | Array3b | Array1i8 | Array3i8 | int
_Array4i8Like: TypeAlias = Bool | Int8 | Array1b | Array4b | Array1i8 | Array4i8 | int
_ArrayXi8Like: TypeAlias = Bool | Int8 | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | int
_Array0u8Like: TypeAlias = Bool | Int8 | UInt8 | Array0b | Array0i8 | Array0u8 | int
_Array1u8Like: TypeAlias = Bool | Int8 | UInt8 | Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | int
_Array2u8Like: TypeAlias = Bool | Int8 | UInt8 | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | int
_Array3u8Like: TypeAlias = Bool | Int8 | UInt8 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | int
_Array4u8Like: TypeAlias = Bool | Int8 | UInt8 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | int
_ArrayXu8Like: TypeAlias = Bool | Int8 | UInt8 | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | int
_Array0iLike: TypeAlias = Bool | Int8 | UInt8 | Int | Array0b | Array0i8 | Array0u8 | Array0i | int
_Array1iLike: TypeAlias = Bool | Int8 | UInt8 | Int | Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | int
_Array2iLike: TypeAlias = Bool | Int8 | UInt8 | Int | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | int
_Array3iLike: TypeAlias = Bool | Int8 | UInt8 | Int | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | int
_Array4iLike: TypeAlias = Bool | Int8 | UInt8 | Int | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | int
_ArrayXiLike: TypeAlias = Bool | Int8 | UInt8 | Int | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | int
_Array0uLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Array0b | Array0i8 | Array0u8 | Array0i | Array0u | int
_Array1uLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | int
_Array2uLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | int
_Array3uLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | int
_Array4uLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | int
_ArrayXuLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | int
_Array0i64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | int
_Array1i64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | int
_Array2i64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | int
_Array3i64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | int
_Array4i64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | int
_ArrayXi64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | int
_Array0u64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | Array0u64 | int
_Array1u64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | Array0u64 | Array1u64 | int
_Array2u64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | int
_Array3u64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | int
_Array4u64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | int
_ArrayXu64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | Array0u64 | Array1u64 | Array2u64 | Array3u64 | Array4u64 | ArrayXu64 | int
_Array0f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | Array0u64 | Array0f16 | float
_Array1f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | Array0u64 | Array1u64 | Array0f16 | Array1f16 | float
_Array2f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | float
_Array3f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | float
_Array4f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | float
_ArrayXf16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | Array0u64 | Array1u64 | Array2u64 | Array3u64 | Array4u64 | ArrayXu64 | Array0f16 | Array1f16 | Array2f16 | Array3f16 | Array4f16 | ArrayXf16 | float
_Array0fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | Array0u64 | Array0f16 | Array0f | float
_Array1fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | Array0u64 | Array1u64 | Array0f16 | Array1f16 | Array0f | Array1f | float
_Array2fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array1f | Array2f | float
_Array3fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | float
_Array4fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | float
_ArrayXfLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | Array0u64 | Array1u64 | Array2u64 | Array3u64 | Array4u64 | ArrayXu64 | Array0f16 | Array1f16 | Array2f16 | Array3f16 | Array4f16 | ArrayXf16 | Array0f | Array1f | Array2f | Array3f | Array4f | ArrayXf | float
_Array0f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array0b | Array0i8 | Array0u8 | Array0i | Array0u | Array0i64 | Array0u64 | Array0f16 | Array0f | Array0f64 | float
_Array1f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array0b | Array1b | Array0i8 | Array1i8 | Array0u8 | Array1u8 | Array0i | Array1i | Array0u | Array1u | Array0i64 | Array1i64 | Array0u64 | Array1u64 | Array0f16 | Array1f16 | Array0f | Array1f | Array0f64 | Array1f64 | float
_Array2f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array1f | Array2f | Array1f64 | Array2f64 | float
_Array3f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array1f64 | Array3f64 | float
_Array4f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | float
_ArrayXf64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array0b | Array1b | Array2b | Array3b | Array4b | ArrayXb | Array0i8 | Array1i8 | Array2i8 | Array3i8 | Array4i8 | ArrayXi8 | Array0u8 | Array1u8 | Array2u8 | Array3u8 | Array4u8 | ArrayXu8 | Array0i | Array1i | Array2i | Array3i | Array4i | ArrayXi | Array0u | Array1u | Array2u | Array3u | Array4u | ArrayXu | Array0i64 | Array1i64 | Array2i64 | Array3i64 | Array4i64 | ArrayXi64 | Array0u64 | Array1u64 | Array2u64 | Array3u64 | Array4u64 | ArrayXu64 | Array0f16 | Array1f16 | Array2f16 | Array3f16 | Array4f16 | ArrayXf16 | Array0f | Array1f | Array2f | Array3f | Array4f | ArrayXf | Array0f64 | Array1f64 | Array2f64 | Array3f64 | Array4f64 | ArrayXf64 | float
_Array22bLike: TypeAlias = Bool | Array1b | Array2b | Array22b | bool
_Array33bLike: TypeAlias = Bool | Array1b | Array3b | Array33b | bool
_Array34bLike: TypeAlias = Bool | Array1b | Array3b | Array34b | bool
_Array41bLike: TypeAlias = Bool | Array1b | Array4b | Array41b | bool
_Array43bLike: TypeAlias = Bool | Array1b | Array4b | Array41b | Array43b | bool
_Array44bLike: TypeAlias = Bool | Array1b | Array4b | Array41b | Array44b | bool
_Array334bLike: TypeAlias = Bool | Array1b | Array3b | Array33b | Array334b | bool
_Array441bLike: TypeAlias = Bool | Array1b | Array4b | Array41b | Array44b | Array441b | bool
_Array443bLike: TypeAlias = Bool | Array1b | Array4b | Array41b | Array44b | Array441b | Array443b | bool
_Array444bLike: TypeAlias = Bool | Array1b | Array4b | Array41b | Array44b | Array441b | Array444b | bool
_Array22f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array22b | Array22f16 | float
_Array33f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array33b | Array33f16 | float
_Array34f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array34b | Array34f16 | float
_Array41f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array41f16 | float
_Array43f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array43b | Array41f16 | Array43f16 | float
_Array44f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array44b | Array41f16 | Array44f16 | float
_Array334f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array33b | Array334b | Array33f16 | Array334f16 | float
_Array441f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array44b | Array441b | Array41f16 | Array44f16 | Array441f16 | float
_Array443f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array44b | Array441b | Array443b | Array41f16 | Array44f16 | Array441f16 | Array443f16 | float
_Array444f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array41b | Array44b | Array441b | Array444b | Array41f16 | Array44f16 | Array441f16 | Array444f16 | float
_Array22fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array1f | Array2f | Array22b | Array22f16 | Array22f | float
_Array33fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array33b | Array33f16 | Array33f | float
_Array34fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array34b | Array34f16 | Array34f | float
_Array41fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array41f16 | Array41f | float
_Array43fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array43b | Array41f16 | Array43f16 | Array41f | Array43f | float
_Array44fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array44b | Array41f16 | Array44f16 | Array41f | Array44f | float
_Array334fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array33b | Array334b | Array33f16 | Array334f16 | Array33f | Array334f | float
_Array441fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array44b | Array441b | Array41f16 | Array44f16 | Array441f16 | Array41f | Array44f | Array441f | float
_Array443fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array44b | Array441b | Array443b | Array41f16 | Array44f16 | Array441f16 | Array443f16 | Array41f | Array44f | Array441f | Array443f | float
_Array444fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array41b | Array44b | Array441b | Array444b | Array41f16 | Array44f16 | Array441f16 | Array444f16 | Array41f | Array44f | Array441f | Array444f | float
_Array22f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array2b | Array1i8 | Array2i8 | Array1u8 | Array2u8 | Array1i | Array2i | Array1u | Array2u | Array1i64 | Array2i64 | Array1u64 | Array2u64 | Array1f16 | Array2f16 | Array1f | Array2f | Array1f64 | Array2f64 | Array22b | Array22f16 | Array22f | Array22f64 | float
_Array33f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array1f64 | Array3f64 | Array33b | Array33f16 | Array33f | Array33f64 | float
_Array34f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array1f64 | Array3f64 | Array34b | Array34f16 | Array34f | Array34f64 | float
_Array41f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array41f16 | Array41f | Array41f64 | float
_Array43f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array43b | Array41f16 | Array43f16 | Array41f | Array43f | Array41f64 | Array43f64 | float
_Array44f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array44b | Array41f16 | Array44f16 | Array41f | Array44f | Array41f64 | Array44f64 | float
_Array334f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array3b | Array1i8 | Array3i8 | Array1u8 | Array3u8 | Array1i | Array3i | Array1u | Array3u | Array1i64 | Array3i64 | Array1u64 | Array3u64 | Array1f16 | Array3f16 | Array1f | Array3f | Array1f64 | Array3f64 | Array33b | Array334b | Array33f16 | Array334f16 | Array33f | Array334f | Array33f64 | Array334f64 | float
_Array441f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array44b | Array441b | Array41f16 | Array44f16 | Array441f16 | Array41f | Array44f | Array441f | Array41f64 | Array44f64 | Array441f64 | float
_Array443f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array44b | Array441b | Array443b | Array41f16 | Array44f16 | Array441f16 | Array443f16 | Array41f | Array44f | Array441f | Array443f | Array41f64 | Array44f64 | Array441f64 | Array443f64 | float
_Array444f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array1b | Array4b | Array1i8 | Array4i8 | Array1u8 | Array4u8 | Array1i | Array4i | Array1u | Array4u | Array1i64 | Array4i64 | Array1u64 | Array4u64 | Array1f16 | Array4f16 | Array1f | Array4f | Array1f64 | Array4f64 | Array41b | Array44b | Array441b | Array444b | Array41f16 | Array44f16 | Array441f16 | Array444f16 | Array41f | Array44f | Array441f | Array444f | Array41f64 | Array44f64 | Array441f64 | Array444f64 | float
_Matrix2f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Matrix2f16 | float
_Matrix3f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Matrix3f16 | float
_Matrix4f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Matrix4f16 | float
_Matrix34f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Matrix34f16 | float
_Matrix41f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Matrix41f16 | float
_Matrix43f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Matrix43f16 | float
_Matrix44f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Matrix44f16 | float
_Matrix2fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Matrix2f16 | Matrix2f | float
_Matrix3fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Matrix3f16 | Matrix3f | float
_Matrix4fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Matrix4f16 | Matrix4f | float
_Matrix34fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Matrix34f16 | Matrix34f | float
_Matrix41fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Matrix41f16 | Matrix41f | float
_Matrix43fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Matrix43f16 | Matrix43f | float
_Matrix44fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Matrix44f16 | Matrix44f | float
_Matrix2f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Matrix2f16 | Matrix2f | Matrix2f64 | float
_Matrix3f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Matrix3f16 | Matrix3f | Matrix3f64 | float
_Matrix4f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Matrix4f16 | Matrix4f | Matrix4f64 | float
_Matrix34f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Matrix34f16 | Matrix34f | Matrix34f64 | float
_Matrix41f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Matrix41f16 | Matrix41f | Matrix41f64 | float
_Matrix43f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Matrix43f16 | Matrix43f | Matrix43f64 | float
_Matrix44f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Matrix44f16 | Matrix44f | Matrix44f64 | float
_Quaternion4f16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Array4b | Array4i8 | Array4u8 | Array4i | Array4u | Array4i64 | Array4u64 | Array4f16 | Quaternion4f16 | float
_Complex2fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array2b | Array2i8 | Array2u8 | Array2i | Array2u | Array2i64 | Array2u64 | Array2f16 | Array2f | Complex2f | float
_Quaternion4fLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Array4b | Array4i8 | Array4u8 | Array4i | Array4u | Array4i64 | Array4u64 | Array4f16 | Array4f | Quaternion4f16 | Quaternion4f | float
_Complex2f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array2b | Array2i8 | Array2u8 | Array2i | Array2u | Array2i64 | Array2u64 | Array2f16 | Array2f | Array2f64 | Complex2f | Complex2f64 | float
_Quaternion4f64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | Array4b | Array4i8 | Array4u8 | Array4i | Array4u | Array4i64 | Array4u64 | Array4f16 | Array4f | Array4f64 | Quaternion4f16 | Quaternion4f | Quaternion4f64 | float
_TensorXbLike: TypeAlias = Bool | TensorXb | bool
_TensorXi8Like: TypeAlias = Bool | Int8 | TensorXb | TensorXi8 | int
_TensorXu8Like: TypeAlias = Bool | Int8 | UInt8 | TensorXb | TensorXi8 | TensorXu8 | int
_TensorXiLike: TypeAlias = Bool | Int8 | UInt8 | Int | TensorXb | TensorXi8 | TensorXu8 | TensorXi | int
_TensorXuLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | int
_TensorXi64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | int
_TensorXu64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | TensorXu64 | int
_TensorXf16Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | TensorXu64 | TensorXf16 | float
_TensorXfLike: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | TensorXu64 | TensorXf16 | TensorXf | float
_TensorXf64Like: TypeAlias = Bool | Int8 | UInt8 | Int | UInt | Int64 | UInt64 | Float16 | Float | Float64 | TensorXb | TensorXi8 | TensorXu8 | TensorXi | TensorXu | TensorXi64 | TensorXu64 | TensorXf16 | TensorXf | TensorXf64 | float

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

class Texture1f(_Texture[Float, TensorXf]): ...
class Texture1f16(_Texture[Float16, TensorXf16]): ...
class Texture1f64(_Texture[Float64, TensorXf64]): ...
class Texture2f(_Texture[Float, TensorXf]): ...
class Texture2f16(_Texture[Float16, TensorXf16]): ...
class Texture2f64(_Texture[Float64, TensorXf64]): ...
class Texture3f(_Texture[Float, TensorXf]): ...
class Texture3f16(_Texture[Float16, TensorXf16]): ...
class Texture3f64(_Texture[Float64, TensorXf64]): ...

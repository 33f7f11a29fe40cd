//! The functions that may give their argument itself in Paddle. None gives a view here.

use ivy_frontend::Viewing::{self, Unchanged};

pub(crate) const VIEWS: &[(&str, Viewing)] = &[
    ("positive", Unchanged),
    ("Tensor.__pos__", Unchanged),
    ("Tensor.contiguous", Unchanged),
    ("Tensor.cpu", Unchanged),
    ("Tensor.astype", Unchanged),
    ("Tensor.type_as", Unchanged),
    ("Tensor.bool", Unchanged),
    ("Tensor.byte", Unchanged),
    ("Tensor.char", Unchanged),
    ("Tensor.short", Unchanged),
    ("Tensor.int", Unchanged),
    ("Tensor.long", Unchanged),
    ("Tensor.half", Unchanged),
    ("Tensor.float", Unchanged),
    ("Tensor.double", Unchanged),
    ("Tensor.cfloat", Unchanged),
    ("Tensor.cdouble", Unchanged),
    ("Tensor.bfloat16", Unchanged),
    ("Tensor.uint8", Unchanged),
    ("Tensor.int8", Unchanged),
    ("Tensor.int16", Unchanged),
    ("Tensor.int32", Unchanged),
    ("Tensor.int64", Unchanged),
    ("Tensor.float16", Unchanged),
    ("Tensor.float32", Unchanged),
    ("Tensor.complex64", Unchanged),
    ("Tensor.complex128", Unchanged),
];

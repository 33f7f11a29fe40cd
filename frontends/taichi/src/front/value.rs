//! What expressions of kernels are, before they are statements.

use crate::ir::Id;
use ivy_taichi_types::{Type, TypeError};

/// What an expression of a kernel is.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(Id),
    /// A variable, or an element of a field: what can be assigned to.
    Place(Id),
    /// A vector or a matrix: its numbers by rows.
    Tensor(Tensor),
    /// A field, by its number in the kernel.
    Field(usize),
    /// The numbers from one to below another.
    Range(Id, Id),
    /// All combinations of numbers of ranges.
    Ranges(Vec<(Id, Id)>),
    /// The elements of a field or of ranges, whose indices are one vector.
    Grouped(Box<Value>),
    /// Ranges whose iterations are one after the other, where they would be parallel.
    Serial(Box<Value>),
    /// No value: what a function without a result gives.
    Nothing,
}

/// A vector or a matrix.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The number of rows, and of a matrix that of columns.
    pub form: (usize, Option<usize>),
    /// The numbers, by rows.
    pub entries: Vec<Value>,
}

impl Tensor {
    /// A vector of numbers.
    pub fn vector(entries: Vec<Value>) -> Tensor {
        Tensor { form: (entries.len(), None), entries }
    }

    /// The number of columns; a vector has one.
    pub fn columns(&self) -> usize {
        self.form.1.unwrap_or(1)
    }

    /// The type, of numbers of a type.
    ///
    /// # Errors
    /// [`TypeError::EmptyTensor`] for no numbers.
    pub fn ty(&self, of: Type) -> Result<Type, TypeError> {
        match self.form {
            (n, None) => Type::vector(n, of),
            (n, Some(m)) => Type::matrix(n, m, of),
        }
    }
}

/// What can stand in a kernel for a value: values, and numbers of Rust, which are literals there.
pub trait AsValue {
    /// As kernels have it.
    fn as_value(&self) -> Known;
}

/// A value, or a literal that has no type yet.
#[derive(Clone, Debug)]
pub enum Known {
    /// A value.
    Value(Value),
    /// A literal.
    Literal(ivy_taichi_types::Literal),
    /// Literals of a vector.
    Literals(Vec<ivy_taichi_types::Literal>),
}

impl AsValue for Value {
    fn as_value(&self) -> Known {
        Known::Value(self.clone())
    }
}

impl<A: AsValue + ?Sized> AsValue for &A {
    fn as_value(&self) -> Known {
        (**self).as_value()
    }
}

impl<A: AsLiteral, const N: usize> AsValue for [A; N] {
    fn as_value(&self) -> Known {
        Known::Literals(self.iter().map(AsLiteral::literal).collect())
    }
}

/// A number of Rust.
pub trait AsLiteral {
    /// As a literal.
    fn literal(&self) -> ivy_taichi_types::Literal;
}

macro_rules! literals {
    ($($t:ty: $variant:ident $to:expr;)*) => {
        $(impl AsLiteral for $t {
            fn literal(&self) -> ivy_taichi_types::Literal {
                let to: fn($t) -> _ = $to;
                ivy_taichi_types::Literal::$variant(to(*self))
            }
        }

        impl AsValue for $t {
            fn as_value(&self) -> Known {
                Known::Literal(self.literal())
            }
        })*
    };
}

literals! {
    bool: Bool |x| x;
    i8: Int i128::from;
    i16: Int i128::from;
    i32: Int i128::from;
    i64: Int i128::from;
    isize: Int |x| x as i128;
    u8: Int i128::from;
    u16: Int i128::from;
    u32: Int i128::from;
    u64: Int i128::from;
    usize: Int |x| x as i128;
    f32: Float f64::from;
    f64: Float |x| x;
}

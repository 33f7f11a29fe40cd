//! Values of a call: what a framework's functions take and give.

use ivy_core::functional::Generator;
use ivy_core::{Array, Dtype, Scalar, Shape};
use num_complex::{Complex32, Complex64};
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

/// A source of random numbers that all who hold it draw from.
pub type SharedGenerator = Arc<Mutex<Generator>>;

/// A value of a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Nothing.
    None,
    /// A truth value of the host.
    Bool(bool),
    /// An integer of the host.
    Int(i128),
    /// A real number of the host.
    Float(f64),
    /// A complex number of the host.
    Complex(Complex64),
    /// A text.
    Text(Cow<'a, str>),
    /// A dtype.
    Dtype(Dtype),
    /// An array.
    Array(Cow<'a, Array>),
    /// A weakly typed array, which promotes as a host number of its kind does (JAX's).
    Weak(Cow<'a, Array>),
    /// A tuple.
    Tuple(Vec<Value<'a>>),
    /// A list.
    List(Vec<Value<'a>>),
    /// A slice of an index expression.
    Slice {
        /// The first position.
        start: Option<i64>,
        /// The bound that is not reached.
        stop: Option<i64>,
        /// The distance between positions; 1 if none is given.
        step: Option<i64>,
    },
    /// All the axes that the other entries of an index expression leave over.
    Ellipsis,
    /// Values by name, in the order given.
    Dict(Vec<(String, Value<'a>)>),
    /// A source of random numbers: `numpy.random.Generator`, `torch.Generator`.
    Generator(SharedGenerator),
}

impl<'a> Value<'a> {
    /// What it is, for errors: as the host's language calls it.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::None => "None",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Complex(_) => "complex",
            Value::Text(_) => "str",
            Value::Dtype(_) => "dtype",
            Value::Array(_) | Value::Weak(_) => "array",
            Value::Tuple(_) => "tuple",
            Value::List(_) => "list",
            Value::Slice { .. } => "slice",
            Value::Ellipsis => "ellipsis",
            Value::Dict(_) => "dict",
            Value::Generator(_) => "Generator",
        }
    }

    /// The same value, which borrows from this one.
    pub fn borrowed(&self) -> Value<'_> {
        match self {
            Value::Text(text) => Value::Text(Cow::Borrowed(text)),
            Value::Array(array) => Value::Array(Cow::Borrowed(array)),
            Value::Weak(array) => Value::Weak(Cow::Borrowed(array)),
            Value::Tuple(list) => Value::Tuple(list.iter().map(Value::borrowed).collect()),
            Value::List(list) => Value::List(list.iter().map(Value::borrowed).collect()),
            Value::Dict(list) => Value::Dict(list.iter().map(|(k, v)| (k.clone(), v.borrowed())).collect()),
            Value::None => Value::None,
            Value::Bool(b) => Value::Bool(*b),
            Value::Int(i) => Value::Int(*i),
            Value::Float(x) => Value::Float(*x),
            Value::Complex(z) => Value::Complex(*z),
            Value::Dtype(d) => Value::Dtype(*d),
            Value::Slice { start, stop, step } => Value::Slice { start: *start, stop: *stop, step: *step },
            Value::Ellipsis => Value::Ellipsis,
            Value::Generator(generator) => Value::Generator(Arc::clone(generator)),
        }
    }

    /// The value by itself, borrowing nothing. Arrays share their elements.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Array(array) => Value::Array(Cow::Owned(array.into_owned())),
            Value::Weak(array) => Value::Weak(Cow::Owned(array.into_owned())),
            Value::Tuple(list) => Value::Tuple(list.into_iter().map(Value::into_owned).collect()),
            Value::List(list) => Value::List(list.into_iter().map(Value::into_owned).collect()),
            Value::Dict(list) => Value::Dict(list.into_iter().map(|(k, v)| (k, v.into_owned())).collect()),
            Value::None => Value::None,
            Value::Bool(b) => Value::Bool(b),
            Value::Int(i) => Value::Int(i),
            Value::Float(x) => Value::Float(x),
            Value::Complex(z) => Value::Complex(z),
            Value::Dtype(d) => Value::Dtype(d),
            Value::Slice { start, stop, step } => Value::Slice { start, stop, step },
            Value::Ellipsis => Value::Ellipsis,
            Value::Generator(generator) => Value::Generator(generator),
        }
    }

    /// The same value, in which no array is weakly typed.
    #[must_use]
    pub fn strong(self) -> Self {
        match self {
            Value::Weak(array) => Value::Array(array),
            Value::Tuple(list) => Value::Tuple(list.into_iter().map(Value::strong).collect()),
            Value::List(list) => Value::List(list.into_iter().map(Value::strong).collect()),
            Value::Dict(list) => Value::Dict(list.into_iter().map(|(k, v)| (k, v.strong())).collect()),
            other => other,
        }
    }

    /// The array, if it is one, weakly typed or not.
    #[inline]
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Value::Array(array) | Value::Weak(array) => Some(array),
            _ => None,
        }
    }

    /// The host number or truth value, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Value::Bool(b) => Some(Scalar::Bool(*b)),
            Value::Int(i) => Some(Scalar::Int(*i)),
            Value::Float(x) => Some(Scalar::Float(*x)),
            Value::Complex(z) => Some(Scalar::Complex(*z)),
            _ => None,
        }
    }

    /// The entries of a tuple or list.
    pub fn items(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::Tuple(list) | Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// True for [`Value::None`].
    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    /// Whether two host values are equal, as the host's language compares them: numbers by value, tuples by their
    /// entries. Arrays are equal to nothing: their comparison is a function.
    pub fn equals(&self, other: &Value<'_>) -> bool {
        match (self, other) {
            (Value::None, Value::None) | (Value::Ellipsis, Value::Ellipsis) => true,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Dtype(a), Value::Dtype(b)) => a == b,
            (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.equals(y))
            }
            _ => match (self.as_scalar(), other.as_scalar()) {
                (Some(Scalar::Float(x)), Some(Scalar::Float(y))) => x == y,
                (Some(Scalar::Complex(_) | Scalar::Float(_)), Some(_))
                | (Some(_), Some(Scalar::Complex(_) | Scalar::Float(_))) => {
                    let (a, b) = (self.as_scalar(), other.as_scalar());
                    a.map(Scalar::to_complex) == b.map(Scalar::to_complex)
                }
                (Some(a), Some(b)) => a.to_i128() == b.to_i128(),
                _ => false,
            },
        }
    }

    /// The value as an error writes it: an array by dtype and shape alone.
    pub fn told(&self) -> String {
        let listed = |list: &[Value<'_>]| list.iter().map(Value::told).collect::<Vec<_>>().join(", ");
        match self {
            Value::None => "None".into(),
            Value::Bool(true) => "True".into(),
            Value::Bool(false) => "False".into(),
            Value::Int(i) => i.to_string(),
            Value::Float(x) => format!("{x:?}"),
            Value::Complex(z) => Scalar::Complex(*z).to_string(),
            Value::Text(text) => format!("'{text}'"),
            Value::Dtype(d) => d.to_string(),
            Value::Array(array) => format!("an array of {} and shape {}", array.dtype(), array.shape()),
            Value::Weak(array) => {
                format!("a weakly typed array of {} and shape {}", array.dtype(), array.shape())
            }
            Value::Tuple(list) if list.len() == 1 => format!("({},)", listed(list)),
            Value::Tuple(list) => format!("({})", listed(list)),
            Value::List(list) => format!("[{}]", listed(list)),
            Value::Slice { start, stop, step } => {
                let bound = |b: &Option<i64>| b.map_or("None".into(), |b| b.to_string());
                format!("slice({}, {}, {})", bound(start), bound(stop), bound(step))
            }
            Value::Ellipsis => "...".into(),
            Value::Generator(_) => "a Generator".into(),
            Value::Dict(list) => {
                let entry = |(k, v): &(String, Value<'_>)| format!("'{k}': {}", v.told());
                format!("{{{}}}", list.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl From<Scalar> for Value<'_> {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(i) => Value::Int(i),
            Scalar::Float(x) => Value::Float(x),
            Scalar::Complex(z) => Value::Complex(z),
        }
    }
}

macro_rules! host_numbers {
    ($($t:ty),*) => {
        $(impl From<$t> for Value<'_> {
            fn from(value: $t) -> Self {
                Scalar::from(value).into()
            }
        })*
    };
}
host_numbers!(
    bool,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    u8,
    u16,
    u32,
    u64,
    usize,
    f32,
    f64,
    half::f16,
    half::bf16,
    Complex32,
    Complex64
);

impl From<Generator> for Value<'_> {
    fn from(generator: Generator) -> Self {
        Value::Generator(Arc::new(Mutex::new(generator)))
    }
}

impl From<()> for Value<'_> {
    fn from((): ()) -> Self {
        Value::None
    }
}

impl<'a> From<&'a Value<'_>> for Value<'a> {
    fn from(value: &'a Value<'_>) -> Self {
        value.borrowed()
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(Cow::Owned(text))
    }
}

impl From<Dtype> for Value<'_> {
    fn from(dtype: Dtype) -> Self {
        Value::Dtype(dtype)
    }
}

impl<'a> From<&'a Array> for Value<'a> {
    #[inline]
    fn from(array: &'a Array) -> Self {
        Value::Array(Cow::Borrowed(array))
    }
}

impl From<Array> for Value<'_> {
    #[inline]
    fn from(array: Array) -> Self {
        Value::Array(Cow::Owned(array))
    }
}

impl From<&Shape> for Value<'_> {
    fn from(shape: &Shape) -> Self {
        Value::Tuple(shape.iter().map(|&d| Value::from(d)).collect())
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::None, Into::into)
    }
}

impl<'a, T: Into<Value<'a>>> From<Vec<T>> for Value<'a> {
    fn from(list: Vec<T>) -> Self {
        Value::List(list.into_iter().map(Into::into).collect())
    }
}

impl<'a, T: Into<Value<'a>>, const N: usize> From<[T; N]> for Value<'a> {
    fn from(list: [T; N]) -> Self {
        Value::List(list.into_iter().map(Into::into).collect())
    }
}

impl<'a, T: Clone + Into<Value<'a>>> From<&[T]> for Value<'a> {
    fn from(list: &[T]) -> Self {
        Value::List(list.iter().cloned().map(Into::into).collect())
    }
}

macro_rules! tuples {
    ($($($t:ident)+;)*) => {
        $(impl<'a, $($t: Into<Value<'a>>),+> From<($($t,)+)> for Value<'a> {
            #[allow(non_snake_case)]
            fn from(($($t,)+): ($($t,)+)) -> Self {
                Value::Tuple(vec![$($t.into()),+])
            }
        })*
    };
}
tuples! { A; A B; A B C; A B C D; A B C D E; }

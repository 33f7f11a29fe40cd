//! Arrays from host data, and back.

use super::{Array, IntoOperand, Operand};
use crate::backend::BackendRef;
use crate::host::{Element, HostArray};
use crate::scalar::for_each_host_scalar;
use crate::{ErrorKind, Result, Scalar, Shape, context, transform};

impl Array {
    /// An array of the current backend with the elements of `values` in row-major order,
    /// without a copy where the backend allows it.
    ///
    /// # Errors
    /// [`ErrorKind::ShapeMismatch`] if the number of values is not the shape's size;
    /// [`ErrorKind::DtypeNotStored`] if the backend lacks the dtype.
    pub fn from_vec<T: Element>(values: Vec<T>, shape: impl Into<Shape>) -> Result<Array> {
        let shape = shape.into();
        shape.checked_size("from_vec", T::DTYPE)?;
        let count = values.len();
        let host = HostArray::from_vec(values, shape.clone()).ok_or_else(|| ErrorKind::ShapeMismatch {
            function: "from_vec",
            argument: "values",
            expected: format!("a shape of {count} elements"),
            actual: shape,
        })?;
        Array::from_host(&context::current_backend()?, host)
    }

    /// An array of a backend, from host memory; without a copy where the backend allows it.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeNotStored`] if the backend lacks the dtype, or no memory.
    pub fn from_host(backend: &BackendRef, array: HostArray) -> Result<Array> {
        if backend.storage(array.dtype()) == crate::backend::Storage::None {
            return Err(ErrorKind::DtypeNotStored {
                function: "asarray",
                dtype: array.dtype(),
                backend: backend.name().into(),
                version: backend.version().to_string(),
                remedy: "Use another dtype, or a backend that stores this one (`ivy dtypes` lists them)",
            }
            .into());
        }
        Ok(Array::from_value(backend.clone(), backend.from_host(array)?))
    }

    /// The array in host memory; without a copy where the backend allows it.
    ///
    /// # Errors
    /// What an evaluation that was pending gives; [`ErrorKind::TracedRead`] for an array that a derivative is taken by,
    /// as of all that read elements.
    pub fn to_host(&self) -> Result<HostArray> {
        self.read_for("to_host", "the array")
    }

    /// [`Array::to_host`] for a function, whose name and argument errors have: for bindings.
    ///
    /// # Errors
    /// As [`Array::to_host`].
    #[doc(hidden)]
    pub fn read_for(&self, function: &'static str, argument: &'static str) -> Result<HostArray> {
        transform::check_constant(function, argument, self)?;
        self.backend.to_host(&self.value)
    }

    /// The elements in row-major order.
    ///
    /// # Errors
    /// [`ErrorKind::DtypeMismatch`] if the array holds another dtype than `T`'s: nothing is
    /// converted silently; [`astype`](crate::functional::astype) does it.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.check_element::<T>("to_vec")?;
        self.read_for("to_vec", "the array")?.to_vec()
    }

    /// The only element.
    ///
    /// # Errors
    /// [`ErrorKind::ShapeMismatch`] if there is not exactly one element,
    /// [`ErrorKind::DtypeMismatch`] if the array holds another dtype than `T`'s.
    pub fn item<T: Element>(&self) -> Result<T> {
        self.check_element::<T>("item")?;
        self.check_single("item")?;
        Ok(self.read_for("item", "the array")?.to_vec()?[0])
    }

    /// The only element as a host scalar, whatever the dtype.
    ///
    /// # Errors
    /// [`ErrorKind::ShapeMismatch`] if there is not exactly one element.
    pub fn to_scalar(&self) -> Result<Scalar> {
        self.check_single("to_scalar")?;
        self.read_for("to_scalar", "the array")?.scalar_at(0)
    }

    /// The same array on another backend: moved through host memory, without a copy where
    /// both backends allow it.
    ///
    /// # Errors
    /// As [`Array::from_host`] and [`Array::to_host`].
    pub fn to_backend(&self, backend: &BackendRef) -> Result<Array> {
        if *backend == self.backend {
            return Ok(self.clone());
        }
        Array::from_host(backend, self.read_for("to_backend", "the array")?)
    }

    fn check_single(&self, function: &'static str) -> Result<()> {
        if self.size() == 1 {
            return Ok(());
        }
        let (expected, actual) = ("exactly one element".into(), self.shape().clone());
        Err(ErrorKind::ShapeMismatch { function, argument: "the array", expected, actual }.into())
    }

    fn check_element<T: Element>(&self, function: &'static str) -> Result<()> {
        if T::DTYPE == self.dtype() {
            return Ok(());
        }
        let (expected, actual) = (T::DTYPE, self.dtype());
        Err(ErrorKind::DtypeMismatch { function, argument: "the array", expected, actual }.into())
    }
}

/// Elements, and nested lists of them of one length a level.
pub trait Nested {
    /// The type of the elements.
    type Element: Element;

    /// Appends the elements in row-major order and gives the shape.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if the rows of a level differ in shape.
    fn append(&self, values: &mut Vec<Self::Element>) -> Result<Shape>;
}

impl<T: Element> Nested for T {
    type Element = T;

    fn append(&self, values: &mut Vec<T>) -> Result<Shape> {
        values.push(*self);
        Ok(Shape::default())
    }
}

impl<T: Nested> Nested for [T] {
    type Element = T::Element;

    fn append(&self, values: &mut Vec<T::Element>) -> Result<Shape> {
        let mut inner: Option<Shape> = None;
        for row in self {
            let shape = row.append(values)?;
            match &inner {
                Some(first) if *first != shape => {
                    return Err(ErrorKind::ragged(first, &shape).into());
                }
                _ => inner = Some(shape),
            }
        }
        Ok(std::iter::once(self.len()).chain(inner.unwrap_or_default().iter().copied()).collect())
    }
}

macro_rules! nested_lists {
    ($([$($generics:tt)*] $t:ty;)*) => {
        $(
            impl<$($generics)*> Nested for $t {
                type Element = T::Element;

                fn append(&self, values: &mut Vec<T::Element>) -> Result<Shape> {
                    self[..].append(values)
                }
            }

            impl<$($generics)*> AsArray for $t {
                fn into_operand(self) -> Result<Operand<'static>> {
                    nested(&self[..]).map(|array| Operand::Array(std::borrow::Cow::Owned(array)))
                }
            }

            impl<'a, $($generics)*> IntoOperand<'a> for $t {
                fn into_operand(self) -> Operand<'a> {
                    nested(&self[..]).map_or_else(Operand::Failed, Operand::List)
                }
            }

            impl<$($generics)*> TryFrom<$t> for Array {
                type Error = crate::Error;

                fn try_from(data: $t) -> Result<Array> {
                    nested(&data[..])
                }
            }
        )*
    };
}
nested_lists! {
    [T: Nested] &[T];
    [T: Nested] Vec<T>;
    [T: Nested, const N: usize] [T; N];
    [T: Nested, const N: usize] &[T; N];
}

fn nested<T: Nested>(data: &[T]) -> Result<Array> {
    let mut values = Vec::new();
    let shape = data.append(&mut values)?;
    Array::from_vec(values, shape)
}

/// What [`asarray`](crate::functional::asarray) takes: arrays, host scalars (which take the
/// default dtype of their kind and value), and nested lists (which keep their elements' dtype).
pub trait AsArray {
    /// The array, or the scalar.
    ///
    /// # Errors
    /// As for [`Nested`], or no memory.
    fn into_operand(self) -> Result<Operand<'static>>;
}

impl AsArray for &Array {
    fn into_operand(self) -> Result<Operand<'static>> {
        Ok(Operand::Array(std::borrow::Cow::Owned(self.clone())))
    }
}

impl AsArray for Array {
    fn into_operand(self) -> Result<Operand<'static>> {
        Ok(Operand::Array(std::borrow::Cow::Owned(self)))
    }
}

macro_rules! as_array_scalars {
    ($($t:ty,)*) => {
        $(impl AsArray for $t {
            fn into_operand(self) -> Result<Operand<'static>> {
                Ok(Operand::Scalar(self.into()))
            }
        })*
    };
}
for_each_host_scalar!(as_array_scalars);

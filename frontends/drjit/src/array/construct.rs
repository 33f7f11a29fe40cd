//! Construction of arrays of a type.

use super::{AnyArray, Arg, IntoArg, Leaf};
use crate::types::{ArrayType, JitBackend, Kind, Size, VarType};
use crate::{Error, Result};
use ivy_core::{Array, Context, Dtype, Op, Scalar, Shape, context, functional as f};

impl ArrayType {
    /// An array of the type, as its constructor makes it: of a value that is converted, or of as many entries as there are.
    ///
    /// A single value of a nested type goes to all entries, and of a matrix, a complex number or a quaternion is that multiple of the
    /// identity. The `n * n` entries of a matrix may be given in a row.
    ///
    /// ```
    /// use ivy_drjit::{ArrayType, Package};
    /// # use ivy_backend_ndarray as _;
    /// let ty = ArrayType::of_short_name(Package::SCALAR, "Matrix2f").unwrap();
    /// assert_eq!(ty.make([1, 2, 3, 4])?.to_string(), "[[1, 2],\n [3, 4]]");
    /// let error = ty.make([1, 2, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "drjit.scalar.Matrix2f: input has the wrong size (expected 2 elements, got 3)");
    /// # Ok::<(), ivy_drjit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongSize`], [`Error::CannotBroadcast`], [`Error::CannotInitialize`], [`Error::MismatchedShape`].
    pub fn make(self, value: impl IntoArg) -> Result<AnyArray> {
        make(self, value.into_arg())
    }

    /// A tensor with elements and a shape.
    ///
    /// # Errors
    /// [`Error::WrongEntries`] for another number of elements; as [`make`](Self::make).
    pub fn make_tensor(self, elements: impl IntoArg, shape: &[usize]) -> Result<AnyArray> {
        let elements = elements_of(self.leaf(), elements.into_arg())?;
        crate::shape::tensor(self, &elements, shape)
    }

    /// Runs a function with the package's backend as the current one.
    pub(crate) fn on<T>(self, f: impl FnOnce() -> ivy_core::Result<T>) -> Result<T> {
        let context = Context::new().backend(self.package().instance()?);
        Ok(context::with(&context, f)?)
    }

    /// A flat array of one value, or a tensor's array.
    pub(crate) fn filled(self, shape: impl Into<Shape>, value: Scalar) -> Result<AnyArray> {
        let (ty, dtype) = (self, self.dtype().dtype());
        let value = ty.host_value(value)?;
        let array = ty.on(|| f::full(shape, value, f::Filled::new().dtype(dtype)))?;
        Ok(AnyArray::from_leaf(ty, Leaf::new(array)))
    }

    /// One value, converted as the constructor does.
    pub(crate) fn literal(self, value: Scalar) -> Result<AnyArray> {
        self.literal_by(value, &|ty, shape, value| ty.filled(shape, value))
    }

    /// [`literal`](Self::literal) on the engine of another array, which is not looked up then: operands of operations.
    pub(crate) fn literal_like(self, like: &Array, value: Scalar) -> Result<AnyArray> {
        self.literal_by(value, &|ty, shape, value| {
            let (dtype, value) = (ty.dtype().dtype(), ty.host_value(value)?);
            let made = like.backend().execute_one(&Op::Full { shape, dtype, value }, &[])?;
            Ok(AnyArray::from_leaf(ty, Leaf::new(Array::from_value(like.backend().clone(), made))))
        })
    }

    fn literal_by(
        self,
        value: Scalar,
        flat: &dyn Fn(ArrayType, Shape, Scalar) -> Result<AnyArray>,
    ) -> Result<AnyArray> {
        let Some((entry, size)) = self.entry().zip(self.size()) else {
            let shape = if self.kind() == Kind::Tensor { Shape::default() } else { Shape::from([1]) };
            return flat(self, shape, value);
        };
        let count = match size {
            Size::Fixed(n) => n.into(),
            Size::Dynamic => 1,
        };
        let zero = Scalar::Int(0);
        let one = |index: usize| match self.kind() {
            Kind::Matrix => {
                let own = entry.entry().ok_or(Error::NotSupported { function: "identity", ty: self })?;
                let cell = |column| own.literal_by(if column == index { value } else { zero }, flat);
                Ok(AnyArray::from_entries(entry, (0..count).map(cell).collect::<Result<_>>()?))
            }
            Kind::Complex if index == 1 => entry.literal_by(zero, flat),
            Kind::Quaternion if index < 3 => entry.literal_by(zero, flat),
            _ => entry.literal_by(value, flat),
        };
        Ok(AnyArray::from_entries(self, (0..count).map(one).collect::<Result<_>>()?))
    }

    /// A host value as an element: floats are cut to integers, and integers have to be in range.
    pub(crate) fn host_value(self, value: Scalar) -> Result<Scalar> {
        let dtype = self.dtype();
        let refuse = || Error::CannotInitialize { ty: self, value: value.to_string() };
        match (dtype, value) {
            (_, Scalar::Complex(_)) => Err(refuse()),
            (dtype, value) if dtype.is_bool() => Ok(Scalar::Bool(value.to_bool())),
            (dtype, value) if dtype.is_float() => Ok(Scalar::Float(value.to_f64())),
            (dtype, value) => {
                let finite = !matches!(value, Scalar::Float(x) if !x.is_finite() || x.abs() >= 2f64.powi(64));
                let whole = Scalar::Int(value.to_i128());
                (finite && whole.fits(dtype.dtype())).then_some(whole).ok_or_else(refuse)
            }
        }
    }
}

fn make(ty: ArrayType, value: Arg) -> Result<AnyArray> {
    match value {
        Arg::Failed(error) => Err(error),
        Arg::Array(x) => x.cast_to(ty),
        Arg::Foreign(x) => match x.leaf() {
            // Complex numbers of a vector are those of its real numbers, as Dr.Jit has it.
            Some(leaf) if ty.depth() > 0 && !(ty.kind() == Kind::Complex && leaf.array.ndim() == 1) => {
                crate::shape::from_tensor(ty, &AnyArray::from_leaf(x.ty().tensor_t(), leaf.clone()))
            }
            _ => x.cast_to(ty),
        },
        Arg::Scalar(value) if ty.size() == Some(Size::Dynamic) => {
            make(ty, Arg::List(vec![Arg::Scalar(value)]))
        }
        Arg::Scalar(value) => ty.literal(value),
        Arg::List(mut list) => match (ty.kind(), list.len()) {
            (Kind::Flat, _) => flat(ty, list),
            (Kind::Tensor, _) => elements_of(ty.leaf(), Arg::List(list))?.cast_to(ty),
            // One argument is the value itself, unless there is one entry.
            (_, 1) if ty.size() != Some(Size::Fixed(1)) && !is_entry_list(ty, &list[0]) => {
                make(ty, list.pop().unwrap_or(Arg::List(Vec::new())))
            }
            (_, 0) => empty(ty),
            _ => nested(ty, list),
        },
    }
}

/// An array of any size takes a single value as its only entry.
fn is_entry_list(ty: ArrayType, value: &Arg) -> bool {
    ty.size() == Some(Size::Dynamic) && matches!(value, Arg::Scalar(_))
}

fn empty(ty: ArrayType) -> Result<AnyArray> {
    match ty.size() {
        Some(Size::Dynamic | Size::Fixed(0)) => Ok(AnyArray::from_entries(ty, Vec::new())),
        _ => ty.map_zero(),
    }
}

impl ArrayType {
    /// Zero in every entry.
    fn map_zero(self) -> Result<AnyArray> {
        self.plain().literal(Scalar::Int(0))?.retyped(self)
    }
}

fn nested(ty: ArrayType, list: Vec<Arg>) -> Result<AnyArray> {
    let got = list.len();
    let (Some(entry), Some(size)) = (ty.entry(), ty.size()) else {
        return Err(Error::WrongSize { ty, expected: 0, got });
    };
    let entries = match size {
        Size::Fixed(n) if ty.kind() == Kind::Matrix && got == usize::from(n) * usize::from(n) => {
            let mut cells = list.into_iter();
            let row = |_| nested(entry, cells.by_ref().take(n.into()).collect());
            (0..n).map(row).collect::<Result<_>>()?
        }
        Size::Fixed(n) if got != usize::from(n) => {
            return Err(Error::WrongSize { ty, expected: n.into(), got });
        }
        _ => list.into_iter().map(|value| make(entry, value)).collect::<Result<_>>()?,
    };
    Ok(AnyArray::from_entries(ty, entries))
}

/// A flat array of host values, or of the arrays of one element among them.
fn flat(ty: ArrayType, list: Vec<Arg>) -> Result<AnyArray> {
    let one_element = ty.package().backend == JitBackend::None;
    if one_element && list.len() > 1 {
        return Err(Error::WrongSize { ty, expected: 1, got: list.len() });
    }
    let mut list = list;
    if let [Arg::Array(_) | Arg::Foreign(_) | Arg::List(_)] = list[..] {
        return make(ty, list.swap_remove(0));
    }
    if one_element && list.is_empty() {
        return ty.literal(Scalar::Int(0));
    }
    vector(ty, list)
}

/// The elements of a tensor, of which there may be several in any package.
fn elements_of(ty: ArrayType, value: Arg) -> Result<AnyArray> {
    match value {
        Arg::List(list) if list.iter().all(|value| matches!(value, Arg::Scalar(_))) => vector(ty, list),
        other => make(ty, other),
    }
}

fn vector(ty: ArrayType, list: Vec<Arg>) -> Result<AnyArray> {
    if list.iter().all(|value| matches!(value, Arg::Scalar(_))) {
        let scalar = |value: &Arg| match value {
            Arg::Scalar(value) => ty.host_value(*value),
            other => Err(Error::CannotBroadcast { ty, from: other.type_name() }),
        };
        let values = list.iter().map(scalar).collect::<Result<Vec<_>>>()?;
        let array = ty.on(|| of_scalars(&values, ty.dtype()))?;
        return Ok(AnyArray::from_leaf(ty, Leaf::new(array)));
    }
    let parts = list.into_iter().map(|value| make(ty, value)).collect::<Result<Vec<_>>>()?;
    crate::shape::concat(ty, &parts)
}

/// An array of the current backend from host values that fit.
fn of_scalars(values: &[Scalar], dtype: VarType) -> ivy_core::Result<Array> {
    let count = values.len();
    macro_rules! ints {
        ($($t:ty)*) => {
            match dtype.dtype() {
                $(d if d == <$t as ivy_core::host::Element>::DTYPE => {
                    return Array::from_vec(values.iter().map(|v| v.to_i128() as $t).collect(), [count]);
                })*
                _ => (),
            }
        };
    }
    ints!(i8 u8 i16 u16 i32 u32 i64 u64);
    match dtype.dtype() {
        Dtype::BOOL => Array::from_vec(values.iter().map(|v| v.to_bool()).collect(), [count]),
        Dtype::FLOAT64 => Array::from_vec(values.iter().map(|v| v.to_f64()).collect(), [count]),
        Dtype::FLOAT32 => Array::from_vec(values.iter().map(|v| v.to_f64() as f32).collect(), [count]),
        _ => Array::from_vec(values.iter().map(|v| half::f16::from_f64(v.to_f64())).collect(), [count]),
    }
}

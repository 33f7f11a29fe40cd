//! Updates of places that say what stood there before them.

use super::index::Indices;
use super::join::{check_dtype, shape_mismatch};
use super::take::check_axis;
use super::{no_width, to_contiguous};
use crate::layout::invalid;
use crate::output::new_array;
use crate::types::match_dtype;
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dtype, ExchangeOp, Result, Shape};
use smallvec::SmallVec;
use std::mem::MaybeUninit;

/// `x`, which has one axis, after the updates of the places at `indices`, one after the other in the order of
/// those, and what stood at the place of each just before it; negative indices count from the end. Updates and,
/// for [`ExchangeOp::Compare`], what is expected have the shape of the indices.
///
/// ```
/// use ivy_core::{ExchangeOp, host::HostArray};
/// let x = HostArray::from_vec(vec![10i32, 20], [2].into()).unwrap();
/// let places = HostArray::from_vec(vec![1i64, 1], [2].into()).unwrap();
/// let updates = HostArray::from_vec(vec![7i32, 8], [2].into()).unwrap();
/// let [x, old] = ivy_kernels::exchange(ExchangeOp::Set, x.view(), places.view(), &[updates.view()])?;
/// assert_eq!((x.to_vec::<i32>()?, old.to_vec::<i32>()?), (vec![10, 8], vec![20, 7]));
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`ivy_core::ErrorKind::IndexOutOfRange`] with the first position that is,
/// [`ivy_core::ErrorKind::DtypeMismatch`] or [`ivy_core::ErrorKind::ShapeMismatch`] for operands that do not
/// fit, a dtype that the op does not take, or no memory.
pub fn exchange(
    op: ExchangeOp,
    x: HostView<'_>,
    indices: HostView<'_>,
    values: &[HostView<'_>],
) -> Result<[HostArray; 2]> {
    let function = op.name();
    check_axis(function, 0, &x)?;
    if x.shape().len() != 1 {
        return Err(shape_mismatch(function, "x", "one axis".into(), x.shape()));
    }
    let (dtype, shape) = (x.dtype(), Shape::from(indices.shape()));
    for value in values {
        check_dtype(function, "updates", &x, value)?;
        if value.shape() != indices.shape() {
            return Err(shape_mismatch(function, "updates", shape.to_string(), value.shape()));
        }
    }
    if values.len() != 1 + usize::from(op == ExchangeOp::Compare) {
        let rule = "an update for each place and, where it is compared, what is expected there";
        return Err(invalid(function, "operands", values.len().to_string(), rule));
    }
    let indices = Indices::new(function, &indices, 0, x.shape()[0], 1)?;
    let copies: SmallVec<[Option<HostArray>; 2]> = values.iter().map(in_order).collect::<Result<_>>()?;
    let bytes = |i: usize| match copies.get(i) {
        Some(Some(copy)) => copy.buffer().bytes(),
        _ => values.get(i).and_then(HostView::contiguous_bytes).unwrap_or_default(),
    };
    let mut to = to_contiguous(x)?;
    let Some(places) = to.buffer_mut().unique_bytes() else {
        return Err(invalid(function, "x", "shared".into(), "a copy is a memory of its own"));
    };
    let walk = Walk { function, dtype, shape, indices, updates: bytes(0), expected: bytes(1) };
    let old = match op {
        ExchangeOp::Set => walk.replacing(places)?,
        ExchangeOp::Add => walk.adding(places)?,
        ExchangeOp::Compare => walk.comparing(places)?,
    };
    Ok([to, old])
}

/// A copy in row-major order of what is not.
fn in_order(x: &HostView<'_>) -> Result<Option<HostArray>> {
    x.contiguous_bytes().is_none().then(|| to_contiguous(*x)).transpose()
}

/// The updates of a call.
struct Walk<'a> {
    /// The name that errors have.
    function: &'static str,
    dtype: Dtype,
    /// The shape of the indices.
    shape: Shape,
    indices: Indices<'a>,
    updates: &'a [u8],
    expected: &'a [u8],
}

impl Walk<'_> {
    fn replacing(&self, places: &mut [u8]) -> Result<HostArray> {
        match self.dtype.bytes() {
            1 => self.each::<1>(places, |_, update, _| update),
            2 => self.each::<2>(places, |_, update, _| update),
            4 => self.each::<4>(places, |_, update, _| update),
            8 => self.each::<8>(places, |_, update, _| update),
            16 => self.each::<16>(places, |_, update, _| update),
            _ => Err(no_width(self.function, self.dtype)),
        }
    }

    fn adding(&self, places: &mut [u8]) -> Result<HostArray> {
        match_dtype!(self.dtype, int, T => {
            self.each::<{ size_of::<T>() }>(places, |before, update, _| {
                T::from_ne_bytes(before).wrapping_add(T::from_ne_bytes(update)).to_ne_bytes()
            })
        }, else => Err(invalid(self.function, "dtype", self.dtype.to_string(), "integers are added so")))
    }

    fn comparing(&self, places: &mut [u8]) -> Result<HostArray> {
        /// Floats, as many as an element has parts.
        macro_rules! floats {
            ($t:ty, $n:literal) => {
                self.replacing_equal::<$n>(places, |a, b| {
                    let part = |x: &[u8; size_of::<$t>()]| <$t>::from_ne_bytes(*x);
                    a.as_chunks().0.iter().map(part).eq(b.as_chunks().0.iter().map(part))
                })
            };
        }
        match self.dtype {
            Dtype::FLOAT16 => floats!(half::f16, 2),
            Dtype::BFLOAT16 => floats!(half::bf16, 2),
            Dtype::FLOAT32 => floats!(f32, 4),
            Dtype::FLOAT64 => floats!(f64, 8),
            Dtype::COMPLEX64 => floats!(f32, 8),
            Dtype::COMPLEX128 => floats!(f64, 16),
            Dtype::BOOL => self.replacing_equal::<1>(places, |a, b| a == b),
            dtype => match_dtype!(dtype, int, T => {
                self.replacing_equal::<{ size_of::<T>() }>(places, |a, b| a == b)
            }, else => Err(no_width(self.function, dtype))),
        }
    }

    fn replacing_equal<const N: usize>(
        &self,
        places: &mut [u8],
        equal: impl Fn(&[u8; N], &[u8; N]) -> bool,
    ) -> Result<HostArray> {
        let expected = self.expected.as_chunks::<N>().0;
        self.each::<N>(places, |before, update, i| if equal(&before, &expected[i]) { update } else { before })
    }

    /// What stood at each place before its update; what comes after it is made of that, the update and the
    /// update's number.
    fn each<const N: usize>(
        &self,
        places: &mut [u8],
        next: impl Fn([u8; N], [u8; N], usize) -> [u8; N],
    ) -> Result<HostArray> {
        let (places, updates) = (places.as_chunks_mut::<N>().0, self.updates.as_chunks::<N>().0);
        let indices = self.indices.values();
        assert_eq!((indices.len(), updates.len()), (self.shape.size(), self.shape.size()));
        let fill = |old: &mut [MaybeUninit<[u8; N]>]| {
            for (i, ((&index, &update), old)) in indices.iter().zip(updates).zip(old).enumerate() {
                let place = &mut places[self.indices.distance(index) as usize];
                old.write(*place);
                *place = next(*place, update, i);
            }
        };
        // SAFETY: there are as many indices and updates as elements (just asserted), each of which is written:
        // what stood in an array of the dtype.
        unsafe { new_array(self.function, self.dtype, &self.shape, fill) }
    }
}

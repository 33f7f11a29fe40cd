//! Products of matrices.

mod blocked;
mod entry;
mod fused;
mod matrix;
mod pack;
#[cfg(test)]
mod tests;
mod turned;

use crate::{
    isa::{Kernel, dispatch},
    output::new_array,
    parallel::chunks,
};
use blocked::{DEPTH, Tiled};
pub(crate) use entry::Entry;
use entry::Field;
pub(crate) use fused::{Fuses, Strips, is_parallel, multiply_strips};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView, scratch};
use ivy_core::{Dtype, ErrorKind, Op, Result, Shape, shape};
use matrix::Matrix;
pub(crate) use matrix::Stack;
use num_complex::{Complex32, Complex64};
use std::{mem::MaybeUninit, slice};

/// Products of up to this many multiplications are computed by the definition.
const SMALL: usize = 2048;
/// From so many multiplications on a second thread brings more than the 20 us and more that it takes to wake;
/// of those in packed tiles of fused arithmetic, which are several times as fast, four times as many.
const WORTH: usize = 1 << 20;
/// As many elements are worth being packed by several threads.
const LONG: usize = 1 << 18;

impl Method {
    /// True if so many multiplications are worth several threads.
    fn is_worth(self, multiplications: usize) -> bool {
        multiplications >= if self == Method::Fused { 4 * WORTH } else { WORTH }
    }
}

/// The matrix product of `a: [..., m, k]` and `b: [..., k, n]`, of one dtype, leading axes
/// broadcast: `[..., m, n]`, in that dtype. A one-dimensional `a` is a row, `b` a column, and
/// its axis is absent from the result.
///
/// Integers wrap; float16 and bfloat16 are accumulated in float32 and rounded once. Each
/// element is summed over `k` upwards within blocks of 256, and the blocks in order.
///
/// ```
/// use ivy_core::host::HostArray;
/// let a = HostArray::from_vec(vec![1, 2, 3, 4], [2, 2].into()).unwrap();
/// let b = HostArray::from_vec(vec![5, 6], [2, 1].into()).unwrap();
/// let c = ivy_kernels::matmul::matmul(a.view(), b.view())?;
/// assert_eq!(c.to_vec::<i32>()?, [17, 39]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// Dtypes that differ or are not numeric; [`ErrorKind::ShapeMismatch`] without an axis or
/// with another `k`; [`ErrorKind::BroadcastShapes`]; no memory.
pub fn matmul(a: HostView, b: HostView) -> Result<HostArray> {
    by(Method::Rounded, a, b)
}

/// As [`matmul`], but for real floats each multiplication is fused with its addition: rounded
/// once, the order being the same. Processors with wide fused arithmetic do this at twice the
/// speed or more; others give the same bits. Without `tiles`, by the definition.
///
/// # Errors
/// As [`matmul`].
pub fn fused(a: HostView, b: HostView, tiles: bool) -> Result<HostArray> {
    by(if tiles { Method::Fused } else { Method::Definition }, a, b)
}

/// How a product is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    /// Each operation is rounded.
    Rounded,
    /// Multiplications are fused with additions.
    Fused,
    /// The same, element by element.
    Definition,
}

fn by(method: Method, a: HostView, b: HostView) -> Result<HostArray> {
    let name = Op::Matmul.name();
    let mismatch = |argument, expected: String, actual: &[usize]| {
        Err(ErrorKind::ShapeMismatch { function: name, argument, expected, actual: actual.into() }.into())
    };
    for (argument, x) in [("x1", a), ("x2", b)] {
        if x.shape().is_empty() {
            return mismatch(argument, "at least one axis".into(), x.shape());
        }
    }
    // A vector is a matrix with an axis of length 1, which the result does not have.
    let (one_row, one_column) = (a.shape().len() == 1, b.shape().len() == 1);
    let row = ([1, a.shape()[0]], [0, a.strides()[0]]);
    let column = ([b.shape()[0], 1], [b.strides()[0], 0]);
    let a = if one_row { reshaped(a, &row.0, &row.1) } else { a };
    let given = b.shape();
    let b = if one_column { reshaped(b, &column.0, &column.1) } else { b };
    let (lead_a, [m, k]) = split(a.shape());
    let (lead_b, [k_b, n]) = split(b.shape());
    if k != k_b {
        let expected = if one_column { format!("({k},)") } else { format!("(..., {k}, n)") };
        return mismatch("x2", expected, given);
    }
    if a.dtype() != b.dtype() {
        return Err(crate::reduce::refused(name, b.dtype()));
    }
    let lead = shape::broadcast(name, &[lead_a, lead_b])?;
    let last = [(!one_row).then_some(m), (!one_column).then_some(n)];
    let out: Shape = lead.iter().copied().chain(last.into_iter().flatten()).collect();
    let job = Job { name, method, a, b, lead: &lead, out };
    match a.dtype() {
        Dtype::INT8 | Dtype::UINT8 => job.run::<u8>(),
        Dtype::INT16 | Dtype::UINT16 => job.run::<u16>(),
        Dtype::INT32 | Dtype::UINT32 => job.run::<u32>(),
        Dtype::INT64 | Dtype::UINT64 => job.run::<u64>(),
        Dtype::FLOAT16 => job.run::<f16>(),
        Dtype::BFLOAT16 => job.run::<bf16>(),
        Dtype::FLOAT32 => job.run::<f32>(),
        Dtype::FLOAT64 => job.run::<f64>(),
        Dtype::COMPLEX64 => job.run::<Complex32>(),
        Dtype::COMPLEX128 => job.run::<Complex64>(),
        other => Err(crate::reduce::refused(name, other)),
    }
}

/// The same elements under another shape.
fn reshaped<'a>(x: HostView<'a>, shape: &'a [usize], strides: &'a [isize]) -> HostView<'a> {
    HostView::new(x.bytes(), x.dtype(), shape, strides, x.offset()).expect("the same elements")
}

/// The leading axes and the last two.
fn split(shape: &[usize]) -> (&[usize], [usize; 2]) {
    let (lead, last) = shape.split_at(shape.len() - 2);
    (lead, [last[0], last[1]])
}

struct Job<'a> {
    name: &'static str,
    method: Method,
    a: HostView<'a>,
    b: HostView<'a>,
    lead: &'a [usize],
    out: Shape,
}

impl Job<'_> {
    fn run<E: Entry>(&self) -> Result<HostArray>
    where
        E::Acc: Tiled,
    {
        let (a, b) = (Stack::<E>::new(self.a, self.lead), Stack::<E>::new(self.b, self.lead));
        let (m, n, k) = (a.rows, b.columns, a.columns);
        let fill = |out: &mut [MaybeUninit<E>]| {
            if out.is_empty() {
                return;
            }
            if k == 0 {
                return out.iter_mut().for_each(|to| _ = to.write(E::store(E::Acc::default())));
            }
            let parallel = self.method.is_worth(out.len().saturating_mul(k));
            chunks(parallel, out, m * n, &|i, out| product(self.method, a.matrix(i), b.matrix(i), out));
        };
        // SAFETY: every matrix of the result is written.
        unsafe { new_array(self.name, self.a.dtype(), &self.out, fill) }
    }
}

/// One product, none of whose sizes is zero.
fn product<E: Entry>(method: Method, a: Matrix<E>, b: Matrix<E>, out: &mut [MaybeUninit<E>])
where
    E::Acc: Tiled,
{
    let work = out.len().saturating_mul(a.columns);
    match method {
        Method::Rounded if work <= SMALL => return plain(a, b, out, E::Acc::add_product),
        Method::Fused if work > SMALL => {}
        Method::Rounded => {}
        _ => return dispatch(Fused(a, b, out)),
    }
    let multiply = match method {
        Method::Rounded => E::Acc::multiply,
        _ => E::Acc::multiply_fused,
    };
    // With one column, the transposed product has one row, whose elements are side by side.
    let (a, b) = if b.columns == 1 { (b.transposed(), a.transposed()) } else { (a, b) };
    if E::DIRECT {
        assert!(size_of::<E>() == size_of::<E::Acc>() && align_of::<E>() == align_of::<E::Acc>());
        // SAFETY: the same size and alignment, and for a direct entry the same bits.
        let out = unsafe { slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) };
        return multiply(a, b, out);
    }
    let mut acc = scratch::filled(MaybeUninit::<E::Acc>::uninit(), out.len());
    multiply(a, b, &mut acc);
    for (to, acc) in out.iter_mut().zip(acc) {
        // SAFETY: `multiply` writes every element.
        to.write(E::store(unsafe { acc.assume_init() }));
    }
}

/// The fused product by the definition, where multiply-add may be an instruction.
struct Fused<'a, E>(Matrix<'a, E>, Matrix<'a, E>, &'a mut [MaybeUninit<E>]);

impl<E: Entry> Kernel for Fused<'_, E> {
    const WIDE: bool = true;
    type Output = ();
    #[inline(always)]
    fn run(self) {
        plain(self.0, self.1, self.2, E::Acc::fused);
    }
}

/// The product by the definition, in the order of the blocked one.
#[inline(always)]
fn plain<E: Entry>(
    a: Matrix<E>,
    b: Matrix<E>,
    out: &mut [MaybeUninit<E>],
    add_product: impl Fn(E::Acc, E::Acc, E::Acc) -> E::Acc,
) {
    for (i, row) in out.chunks_exact_mut(b.columns).enumerate() {
        for (j, to) in row.iter_mut().enumerate() {
            let block = |start: usize| {
                let end = (start + DEPTH).min(a.columns);
                (start..end)
                    .fold(E::Acc::default(), |acc, k| add_product(acc, a.at(i, k).load(), b.at(k, j).load()))
            };
            let rest = (DEPTH..a.columns).step_by(DEPTH);
            to.write(E::store(rest.fold(block(0), |acc, start| acc.plus(block(start)))));
        }
    }
}

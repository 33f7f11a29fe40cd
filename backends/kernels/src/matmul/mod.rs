//! Products of matrices.

mod blocked;
mod complex;
pub(crate) mod entry;
mod fused;
mod matrix;
mod pack;
mod tile;

mod transposed;

use crate::{
    isa::{Kernel, dispatch},
    output::new_array,
    parallel::{chunks, pays},
};
pub(crate) use entry::Entry;
use entry::Field;
pub(crate) use fused::{Right, Rows, SHARED, Strips, is_parallel, multiply_rows, multiply_strips};
use half::{bf16, f16};
use ivy_core::host::{HostArray, HostView, scratch};
use ivy_core::{Dtype, ErrorKind, Op, Result, Shape, shape};

pub(crate) use matrix::{Matrix, Stack};
use num_complex::{Complex32, Complex64};
pub(crate) use pack::{Packed, filled};
use std::{mem::MaybeUninit, slice};
pub(crate) use tile::Fuses;

/// Products of up to this many multiplications are computed by the definition.
const SMALL: usize = 2048;
/// Length of a block of the sums of real numbers.
const DEPTH: usize = 256;
/// As many elements are worth being packed by several threads.
const LONG: usize = 1 << 18;

/// What products of large matrices are accumulated in.
trait Multiply: Field {
    /// From so many multiplications on a second thread brings more than the 20 us and more that it takes to wake.
    const WORTH: usize;

    /// The product of `a` and `b` into `c`, row-major.
    fn multiply<E: Entry<Acc = Self>>(a: Matrix<E>, b: Matrix<E>, c: &mut [MaybeUninit<Self>]);
}

macro_rules! multiply {
    ($($t:ty: $worth:expr, $multiply:path;)*) => {$(
        impl Multiply for $t {
            const WORTH: usize = $worth;

            fn multiply<E: Entry<Acc = $t>>(a: Matrix<E>, b: Matrix<E>, c: &mut [MaybeUninit<$t>]) {
                $multiply(a, b, c)
            }
        }
    )*};
}
multiply! {
    f32: fused::WORTH, transposed::multiply;
    f64: fused::WORTH, transposed::multiply;
    u32: blocked::WORTH, blocked::multiply;
    u64: blocked::WORTH, blocked::multiply;
    Complex32: fused::WORTH / 4, complex::multiply::<f32, E>;
    Complex64: fused::WORTH / 4, complex::multiply::<f64, E>;
}

/// The matrix product of `a: [..., m, k]` and `b: [..., k, n]`, of one dtype, leading axes
/// broadcast: `[..., m, n]`, in that dtype. A one-dimensional `a` is a row, `b` a column, and
/// its axis is absent from the result.
///
/// Integers wrap; float16 and bfloat16 are accumulated in float32 and rounded once. Each
/// element is summed over `k` upwards within blocks of 256, of complex numbers 128, and the blocks in order. The
/// multiplications of floats are fused with their additions, that is rounded once: processors with such
/// instructions do this at twice the speed or more, others give the same bits.
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
    by(Method::Tiles, a, b)
}

/// As [`matmul`], to the bit, but element by element.
///
/// # Errors
/// As [`matmul`].
pub fn by_definition(a: HostView, b: HostView) -> Result<HostArray> {
    by(Method::Definition, a, b)
}

/// How a product is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    /// In packed tiles, if it is large.
    Tiles,
    /// Element by element.
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
        E::Acc: Multiply,
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
            let parallel = pays(out.len().saturating_mul(k), E::Acc::WORTH);
            chunks(parallel, out, m * n, &|i, out| product(self.method, a.matrix(i), b.matrix(i), out));
        };
        // SAFETY: every matrix of the result is written.
        unsafe { new_array(self.name, self.a.dtype(), &self.out, fill) }
    }
}

/// One product, none of whose sizes is zero.
fn product<E: Entry>(method: Method, a: Matrix<E>, b: Matrix<E>, out: &mut [MaybeUninit<E>])
where
    E::Acc: Multiply,
{
    if method == Method::Definition || out.len().saturating_mul(a.columns) <= SMALL {
        return dispatch(Definition(a, b, out));
    }
    if E::DIRECT {
        assert!(size_of::<E>() == size_of::<E::Acc>() && align_of::<E>() == align_of::<E::Acc>());
        // SAFETY: the same size and alignment, and for a direct entry the same bits.
        let out = unsafe { slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) };
        return E::Acc::multiply(a, b, out);
    }
    let mut acc = scratch::filled(MaybeUninit::<E::Acc>::uninit(), out.len());
    E::Acc::multiply(a, b, &mut acc);
    for (to, acc) in out.iter_mut().zip(acc) {
        // SAFETY: `multiply` writes every element.
        to.write(E::store(unsafe { acc.assume_init() }));
    }
}

/// The product by the definition, in the order of that in tiles, where multiply-add may be an instruction.
struct Definition<'a, E>(Matrix<'a, E>, Matrix<'a, E>, &'a mut [MaybeUninit<E>]);

impl<E: Entry> Kernel for Definition<'_, E> {
    const WIDE: bool = true;
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Definition(a, b, out) = self;
        for (i, row) in out.chunks_exact_mut(b.columns).enumerate() {
            for (j, to) in row.iter_mut().enumerate() {
                let block = |start: usize| {
                    let end = (start + E::Acc::DEPTH).min(a.columns);
                    (start..end)
                        .fold(E::Acc::default(), |acc, k| acc.fused(a.at(i, k).load(), b.at(k, j).load()))
                };
                let rest = (E::Acc::DEPTH..a.columns).step_by(E::Acc::DEPTH);
                to.write(E::store(rest.fold(block(0), |acc, start| acc.plus(block(start)))));
            }
        }
    }
}

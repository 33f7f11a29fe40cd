//! Convolutions: products of matrices, of which one is written from the input, strip by strip, when it is multiplied.

mod copies;
mod input;
mod padded;

use crate::{
    internals::ReadColumns,
    matmul::{Entry, Fuses, Matrix, Right, SHARED, Strips, is_parallel, multiply_rows, multiply_strips},
    movement::to_contiguous,
    output::new_array,
    parallel::parts,
    reduce::refused,
};
use half::{bf16, f16};
use input::{Axis, CHUNK, Windows};
use ivy_core::host::{HostArray, HostView, scratch};
use ivy_core::{ConvOp, Dims, Dtype, Op, Result, Shape};
use num_complex::{Complex32, Complex64};
use padded::Padded;
use std::{mem::MaybeUninit, ops::Range, slice};

/// The convolution of `x: [n, c, spatial...]` with the windows `w: [o, c / groups, window...]`, as [`ConvOp`]
/// defines it.
///
/// Each element is a sum over channels, and the places of the window within each, upwards in blocks of 256,
/// and the blocks in order; multiplications of floats are fused with their additions. Nothing else decides
/// its bits.
///
/// ```
/// use ivy_core::{ConvOp, host::HostArray};
/// let x = HostArray::from_vec(vec![1.0f32, 2.0, 4.0], [1, 1, 3].into()).unwrap();
/// let w = HostArray::from_vec(vec![1.0f32, 10.0], [1, 1, 2].into()).unwrap();
/// let y = ivy_kernels::conv::conv(&ConvOp::new(1), x.view(), w.view())?;
/// assert_eq!(y.to_vec::<f32>()?, [21.0, 42.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// Those of [`ConvOp::out_shape`]; dtypes that differ or are not numeric; no memory.
pub fn conv(op: &ConvOp, x: HostView, w: HostView) -> Result<HostArray> {
    let name = "conv";
    if Op::Conv(op.clone()).result_dtype(&[x.dtype(), w.dtype()]).is_none() {
        return Err(refused(name, w.dtype()));
    }
    let out = op.out_shape(name, x.shape(), w.shape())?;
    out.checked_size(name, x.dtype())?;
    // What is read along rows again and again is laid out so, once.
    let (own_x, own_w);
    let (mut x, mut w) = (x, w);
    if !x.is_contiguous() {
        own_x = to_contiguous(x)?;
        x = own_x.view();
    }
    if !w.is_contiguous() {
        own_w = to_contiguous(w)?;
        w = own_w.view();
    }
    let job = Job { op, x, w, out };
    match x.dtype() {
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
        other => Err(refused(name, other)),
    }
}

/// [`conv_columns`](crate::internals::conv_columns).
pub(crate) fn columns(
    (op, x, w): (&ConvOp, HostView, HostView),
    (entries, group): ((usize, usize), usize),
    read: &mut dyn FnMut(ReadColumns, bool),
) -> Result<bool> {
    let job = Job { op, x, w, out: op.out_shape("conv", x.shape(), w.shape())? };
    let windows = job.windows::<f32>(Part { entries, group, channels: (0, 1) });
    let padded = Padded::new(&windows, entries.1);
    if let Some(padded) = &padded {
        let both = |columns: Range<usize>, depth: Range<usize>, strip: usize| {
            [&windows as &dyn Strips<f32>, padded].map(|from| {
                let mut strips = vec![-1.0; depth.len() * strip];
                from.write(columns.clone(), depth.clone(), strip, &mut strips);
                strips
            })
        };
        read(&both, padded.is_borrowed());
    }
    Ok(padded.is_some())
}

/// A convolution of row-major operands.
struct Job<'a> {
    op: &'a ConvOp,
    x: HostView<'a>,
    w: HostView<'a>,
    out: Shape,
}

/// Columns of a product: entries that have fewer are joined in one, since tiles have many columns, and so that the windows
/// are packed once for all of them.
const JOINED: usize = 2048;

/// Blocks of entries for each of several threads, where they are large enough: a thread that wakes late takes fewer of them.
const EACH: usize = 4;

/// Rows of a transposed product that are worth a block of their own.
const ROWS: usize = 36;

/// Some output channels of entries of the result's batch, all in one group.
#[derive(Clone, Copy)]
struct Part {
    /// The first of the entries, and how many there are.
    entries: (usize, usize),
    group: usize,
    /// The first of the channels, and how many there are.
    channels: (usize, usize),
}

impl Job<'_> {
    fn run<E: Entry>(&self) -> Result<HostArray>
    where
        E::Acc: Fuses,
    {
        let groups = self.op.groups * self.op.batch_groups;
        let places: usize = self.out[2..].iter().product();
        let depth: usize = self.w.shape()[1..].iter().product();
        let fill = |out: &mut [MaybeUninit<E>]| {
            if out.is_empty() {
                return;
            }
            if depth == 0 {
                return out.iter_mut().for_each(|to| _ = to.write(E::store(E::Acc::default())));
            }
            let parallel = is_parallel(out.len(), depth);
            let channels = self.out[1] / groups;
            let threads = if parallel { rayon::current_num_threads() } else { 1 };
            let long_columns = self.has_long_columns();
            let packed_once = long_columns && groups == 1 && Right::<E>::is_small(depth, channels);
            // Of several groups, an entry's results are no block; what each block packs again is packed by few of them.
            let joined = match groups {
                1 => self.joined(
                    places,
                    threads,
                    long_columns,
                    if long_columns && !packed_once { 1 } else { EACH },
                ),
                _ => 1,
            };
            let blocks = self.out[0].div_ceil(joined) * groups;
            // Where there are fewer blocks than threads could share evenly, each is several parts.
            let several = if threads > 1 && joined == 1 && blocks < EACH * threads { threads } else { 1 };
            let each = channels.div_ceil(several);
            let mut which = scratch::vec(blocks * several);
            let mut memory = scratch::vec(blocks * several);
            for (block, out) in out.chunks_mut(joined * channels * places).enumerate() {
                let entries = (block / groups * joined, out.len() / (channels * places));
                for (i, out) in out.chunks_mut(entries.1 * each * places).enumerate() {
                    let channels = (i * each, out.len() / (entries.1 * places));
                    which.push(Part { entries, group: block % groups, channels });
                    memory.push(out);
                }
            }
            let right = (packed_once && several == 1).then(|| {
                let filters = self.filters::<E>(which[0], depth).transposed();
                Right::new(filters, joined * places).packed(parallel)
            });
            parts(parallel, memory, &|i, out| self.part(which[i], (depth, places), right.as_ref(), out));
        };
        // SAFETY: the parts are all of the result, and each is written.
        unsafe { new_array("conv", self.x.dtype(), &self.out, fill) }
    }

    /// Entries of the batch that are joined in a block, of which there are `each` for each of several threads.
    fn joined(&self, places: usize, threads: usize, long_columns: bool, each: usize) -> usize {
        let batch = self.out[0];
        let least = (if long_columns { ROWS } else { SHARED }).div_ceil(places);
        let share = match threads {
            1 => batch,
            _ => batch.div_ceil(each * threads).max(least).min(batch.div_ceil(threads)),
        };
        (JOINED / places).min(share).max(1)
    }

    /// True if columns of `im2col` have longer runs of elements in memory than its rows have, as in the derivative by the filters.
    fn has_long_columns(&self) -> bool {
        let last = self.op.spatial() - 1;
        let is_plain = self.op.strides[last] == 1 && self.op.window_dilation[last] == 1;
        is_plain && self.out[last + 2] < CHUNK.min(self.w.shape()[last + 2])
    }

    /// The filters of a part: a row for each of its channels.
    fn filters<E: Entry>(&self, part: Part, depth: usize) -> Matrix<'_, E> {
        let (first, count) = part.channels;
        let first = part.group * (self.out[1] / (self.op.groups * self.op.batch_groups)) + first;
        Matrix::of_rows(&elements::<E>(&self.w)[first * depth..][..count * depth], depth)
    }

    /// Computes a part; `right` are the filters, if they are packed for all parts.
    fn part<E: Entry>(
        &self,
        part: Part,
        (depth, places): (usize, usize),
        right: Option<&Right<E>>,
        out: &mut [MaybeUninit<E>],
    ) where
        E::Acc: Fuses,
    {
        let count = part.channels.1;
        let w = self.filters::<E>(part, depth);
        let entries = part.entries.1;
        let windows = self.windows::<E>(part);
        let padded = Padded::new(&windows, entries);
        if let Some(padded) = padded.as_ref().filter(|_| self.has_long_columns()) {
            let own = Right::new(w.transposed(), entries * places);
            return by_columns(right.unwrap_or(&own), padded, (entries, places), out);
        }
        let windows: &dyn Strips<E::Acc> = padded.as_ref().map_or(&windows, |padded| padded);
        if E::DIRECT && entries == 1 {
            assert!(size_of::<E>() == size_of::<E::Acc>() && align_of::<E>() == align_of::<E::Acc>());
            // SAFETY: the same size and alignment, and for a direct entry the same bits.
            let out = unsafe { slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) };
            return multiply_strips(w, windows, places, out);
        }
        let mut memory = scratch::buffer(out.len() * size_of::<E::Acc>());
        let acc = memory.as_uninit::<E::Acc>();
        multiply_strips(w, windows, entries * places, acc);
        // The product has the entries within the channels, the result the channels within the entries.
        for (row, from) in acc.chunks_exact(places).enumerate() {
            let (channel, entry) = (row / entries, row % entries);
            for (to, acc) in out[(entry * count + channel) * places..][..places].iter_mut().zip(from) {
                // SAFETY: the product writes every element.
                to.write(E::store(unsafe { acc.assume_init() }));
            }
        }
    }

    /// What the windows of a part see.
    fn windows<E: Entry>(&self, part: Part) -> Windows<'_, E> {
        let (op, shape) = (self.op, self.x.shape());
        let spatial: usize = shape[2..].iter().product();
        let channels = self.w.shape()[1];
        let (entry, channel) = match op.batch_groups {
            1 => (part.entries.0, part.group * channels),
            _ => (part.group * self.out[0] + part.entries.0, 0),
        };
        let axes: Dims<Axis> = (0..op.spatial())
            .map(|axis| Axis {
                len: shape[axis + 2],
                out: self.out[axis + 2],
                window: self.w.shape()[axis + 2],
                stride: op.strides[axis] as isize,
                before: op.padding[axis].0 as isize,
                between: op.input_dilation[axis] as isize,
                dilation: op.window_dilation[axis] as isize,
            })
            .collect();
        let stride = shape[1] * spatial;
        let first = entry * stride + channel * spatial;
        let end = first + (part.entries.1 - 1) * stride + channels * spatial;
        Windows::new(&elements(&self.x)[first..end], channels, stride, axes)
    }
}

/// The elements of a row-major operand.
fn elements<'a, E: Entry>(operand: &'a HostView) -> &'a [E] {
    if operand.size() == 0 {
        return &[];
    }
    let bytes = operand.contiguous_bytes().expect("operands are row-major");
    assert!(bytes.as_ptr().cast::<E>().is_aligned() && bytes.len() == operand.size() * size_of::<E>());
    // SAFETY: elements of the view's dtype, whose width and alignment `E` has, and any bits are one.
    unsafe { slice::from_raw_parts(bytes.as_ptr().cast::<E>(), operand.size()) }
}

/// Results of a part by the transposed product, which has a row for each column of `im2col`.
fn by_columns<E: Entry>(
    filters: &Right<E>,
    padded: &Padded<E::Acc>,
    (entries, places): (usize, usize),
    out: &mut [MaybeUninit<E>],
) where
    E::Acc: Fuses,
{
    let channels = out.len() / (entries * places);
    let mut memory = scratch::buffer(out.len() * size_of::<E::Acc>());
    let acc = memory.as_uninit::<E::Acc>();
    multiply_rows(entries * places, padded, filters, acc);
    let entry = places * channels;
    for (out, acc) in out.chunks_exact_mut(entry).zip(acc.chunks_exact(entry)) {
        for (place, acc) in acc.chunks_exact(channels).enumerate() {
            for (to, acc) in out[place..].iter_mut().step_by(places).zip(acc) {
                // SAFETY: the product writes every element.
                to.write(E::store(unsafe { acc.assume_init() }));
            }
        }
    }
}

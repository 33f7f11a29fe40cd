//! Convolutions: products of matrices, of which one is written from the input, strip by strip, when it is multiplied.

mod copies;
mod input;
mod padded;

use crate::{
    internals::ReadColumns,
    matmul::{Entry, Fuses, Matrix, Stack, Strips, is_parallel, multiply_rows, multiply_strips},
    movement::to_contiguous,
    output::new_array,
    parallel::parts,
    reduce::refused,
};
use half::{bf16, f16};
use input::{Axis, Windows};
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
            // Of several groups, an entry's results are no block.
            let share = if groups == 1 { self.out[0].div_ceil(threads) } else { 1 };
            let joined = (JOINED / places).min(share).max(1);
            let blocks = self.out[0].div_ceil(joined) * groups;
            // Where there are fewer blocks than threads could share evenly, each is several parts.
            let several = if threads > 1 && joined == 1 && blocks < 4 * threads { threads } else { 1 };
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
            parts(parallel, memory, &|i, out| self.part(which[i], depth, places, out));
        };
        // SAFETY: the parts are all of the result, and each is written.
        unsafe { new_array("conv", self.x.dtype(), &self.out, fill) }
    }

    fn part<E: Entry>(&self, part: Part, depth: usize, places: usize, out: &mut [MaybeUninit<E>])
    where
        E::Acc: Fuses,
    {
        let (first, count) = part.channels;
        let first = part.group * (self.out[1] / (self.op.groups * self.op.batch_groups)) + first;
        let (shape, strides) = ([count, depth], [depth as isize, 1]);
        let w =
            HostView::new(self.w.bytes(), self.w.dtype(), &shape, &strides, self.w.offset() + first * depth);
        let w = Stack::<E>::new(w.expect("rows of the windows"), &[]).matrix(0);
        let entries = part.entries.1;
        let windows = self.windows::<E>(part);
        let padded = Padded::new(&windows, entries);
        if let Some(padded) = padded.as_ref().filter(|padded| padded.has_long_columns()) {
            return by_columns(w, padded, (entries, places), out);
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
        Windows::new(&self.elements()[first..end], channels, stride, axes)
    }

    /// The input's elements.
    fn elements<E: Entry>(&self) -> &[E] {
        if self.x.size() == 0 {
            return &[];
        }
        let bytes = self.x.contiguous_bytes().expect("the input is row-major");
        assert!(bytes.as_ptr().cast::<E>().is_aligned() && bytes.len() == self.x.size() * size_of::<E>());
        // SAFETY: elements of the view's dtype, whose width and alignment `E` has, and any bits are one.
        unsafe { slice::from_raw_parts(bytes.as_ptr().cast::<E>(), self.x.size()) }
    }
}

/// Results of a part by the transposed product, which has a row for each column of `im2col`.
fn by_columns<E: Entry>(
    w: Matrix<E>,
    padded: &Padded<E::Acc>,
    (entries, places): (usize, usize),
    out: &mut [MaybeUninit<E>],
) where
    E::Acc: Fuses,
{
    let channels = w.rows;
    let mut memory = scratch::buffer(out.len() * size_of::<E::Acc>());
    let acc = memory.as_uninit::<E::Acc>();
    multiply_rows(entries * places, padded, w.transposed(), acc);
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

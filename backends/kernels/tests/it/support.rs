//! What the tests of the reductions, sorts and products share.

use ivy_core::Dims;
use ivy_core::host::{Element, HostArray};

/// Numbers that look random, and are the same each time.
pub(crate) fn seeds(n: usize, mut state: u64) -> Vec<u64> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    (0..n).map(|_| next()).collect()
}

/// Floats in -1..1, likewise.
pub(crate) fn floats(n: usize, state: u64) -> Vec<f64> {
    seeds(n, state).into_iter().map(|s| (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0).collect()
}

/// A contiguous array.
pub(crate) fn array<T: Element>(values: &[T], shape: &[usize]) -> HostArray {
    HostArray::from_vec(values.to_vec(), shape.into()).unwrap()
}

/// All axes reversed in order and direction.
pub(crate) fn reversed(x: &HostArray) -> HostArray {
    let (shape, mut strides) = (x.shape(), Dims::<isize>::from_slice(x.strides()));
    let mut offset = x.offset() as isize;
    for (stride, &len) in strides.iter_mut().zip(shape.iter()) {
        offset += (len as isize - 1).max(0) * *stride;
        *stride = -*stride;
    }
    let shape = shape.iter().rev().copied().collect::<Dims>().into();
    let strides = strides.into_iter().rev().collect();
    HostArray::from_parts(x.buffer().clone(), x.dtype(), shape, strides, offset as usize).unwrap()
}

/// All axes reversed in order.
pub(crate) fn transposed(x: &HostArray) -> HostArray {
    let shape = x.shape().iter().rev().copied().collect::<Dims>().into();
    let strides = x.strides().iter().rev().copied().collect();
    HostArray::from_parts(x.buffer().clone(), x.dtype(), shape, strides, x.offset()).unwrap()
}

/// Every second element of the last axis.
pub(crate) fn every_second(x: &HostArray) -> HostArray {
    let (mut shape, mut strides) = (Dims::from_slice(x.shape()), Dims::<isize>::from_slice(x.strides()));
    let last = shape.len() - 1;
    (shape[last], strides[last]) = (shape[last].div_ceil(2), 2 * strides[last]);
    HostArray::from_parts(x.buffer().clone(), x.dtype(), shape.into(), strides, x.offset()).unwrap()
}

/// The array and others over the same memory: reversed, every second element of the last axis,
/// repeated along a new axis.
pub(crate) fn views(x: &HostArray) -> Vec<HostArray> {
    let part = |shape: Dims, strides: Dims<isize>| {
        HostArray::from_parts(x.buffer().clone(), x.dtype(), shape.into(), strides, x.offset()).unwrap()
    };
    let mut all = vec![x.clone(), reversed(x)];
    if !x.shape().is_empty() {
        all.push(every_second(x));
    }
    let (shape, strides) = (Dims::from_slice(x.shape()), Dims::<isize>::from_slice(x.strides()));
    let (mut more, mut still) = (shape, strides);
    more.insert(more.len() / 2, 3);
    still.insert(still.len() / 2, 0);
    all.push(part(more, still));
    all
}

/// For each index of the axes that are not in `axes`, the row-major numbers of the elements
/// along those that are; both in row-major order.
pub(crate) fn lines(shape: &[usize], axes: &[usize]) -> Vec<Vec<usize>> {
    let kept: Vec<usize> = (0..shape.len()).filter(|a| !axes.contains(a)).collect();
    let count = kept.iter().map(|&a| shape[a]).product();
    let mut lines = vec![Vec::new(); count];
    for number in 0..shape.iter().product() {
        let mut rest = number;
        let mut index = vec![0; shape.len()];
        for a in (0..shape.len()).rev() {
            index[a] = rest % shape[a];
            rest /= shape[a];
        }
        let line = kept.iter().fold(0, |at, &a| at * shape[a] + index[a]);
        lines[line].push(number);
    }
    lines
}

/// Every set of axes.
pub(crate) fn subsets(ndim: usize) -> Vec<Vec<usize>> {
    (0..1 << ndim).map(|set: usize| (0..ndim).filter(|a| set >> a & 1 == 1).collect()).collect()
}

/// A pool with a number of threads.
pub(crate) fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

//! The backend under test.

use crate::{MILD, Near, difference};
use ivy_core::backend::{BackendRef, Storage, Support, Value};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{AxisSlice, BinaryOp, Dims, Dtype, Op, UnaryOp};

/// How far a backend may be off where it computes by itself.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Of each unary op on a dtype.
    pub unary: fn(UnaryOp, Dtype) -> Near,
    /// Of each binary op on a dtype.
    pub binary: fn(BinaryOp, Dtype) -> Near,
    /// Whether running sums and products are those of the reference, on edge values as well.
    pub exact_scans: bool,
}

/// A backend, and how far it may be off.
pub struct Subject {
    /// The backend under test.
    pub backend: BackendRef,
    /// What may differ from the reference kernels.
    pub bounds: Bounds,
}

/// What the reference kernels give.
///
/// # Errors
/// Those of [`ivy_kernels::execute_views`].
pub fn reference(op: &Op, operands: &[&HostArray]) -> ivy_core::Result<Vec<HostArray>> {
    let views: Vec<HostView<'_>> = operands.iter().map(|a| a.view()).collect();
    Ok(ivy_kernels::execute_views(op, &views)?.into_vec())
}

impl Subject {
    /// The dtypes that the backend stores, in a build with more dtypes as well.
    pub fn dtypes(&self) -> impl Iterator<Item = Dtype> {
        Dtype::all().filter(|&d| self.backend.storage(d) != Storage::None)
    }

    /// What the backend gives, in host memory.
    ///
    /// # Errors
    /// Those of the backend.
    pub fn run(&self, op: &Op, operands: &[&Value]) -> ivy_core::Result<Vec<HostArray>> {
        let results = self.backend.execute(op, operands)?;
        results.iter().map(|v| self.backend.to_host(v)).collect()
    }

    /// The array in the backend's memory.
    pub fn stored(&self, array: &HostArray) -> Value {
        self.backend.from_host(array.clone()).expect("a dtype that the backend stores")
    }

    /// The array in the backend's memory, the other way round: strides that are not row-major.
    pub fn transposed(&self, array: &HostArray) -> Value {
        let order: Dims = (0..array.shape().len()).rev().collect();
        let transpose = Op::PermuteDims { axes: order };
        let transposed = reference(&transpose, &[array]).expect("a permutation").remove(0);
        self.backend.execute(&transpose, &[&self.stored(&transposed)]).expect("a permutation").remove(0)
    }

    /// The array in the backend's memory, as part of a larger one.
    pub fn inner(&self, array: &HostArray) -> Value {
        let shape = array.shape();
        let Some(&last) = shape.last() else { return self.stored(array) };
        let op = Op::Concat { axis: shape.len() - 1 };
        let padded = reference(&op, &[array, array, array]).expect("equal shapes").remove(0);
        let whole = |&len: &usize| AxisSlice { start: 0, step: 1, len };
        let mut axes: Dims<AxisSlice> = shape.iter().map(whole).collect();
        axes[shape.len() - 1] = AxisSlice { start: last, step: 1, len: last };
        self.backend.execute(&Op::Slice { axes }, &[&self.stored(&padded)]).expect("a range").remove(0)
    }

    /// Runs one op in several memory layouts and compares each with the reference; panics where
    /// they differ by more than allowed. Returns 1 for a case that the op takes, else 0.
    pub fn check(&self, op: &Op, operands: &[&HostArray], near: Near) -> usize {
        let dtypes: Vec<Dtype> = operands.iter().map(|a| a.dtype()).collect();
        if op.result_dtype(&dtypes).is_none() {
            return 0;
        }
        let support = self.backend.support(op, &dtypes);
        assert!(!matches!(support, Support::Unsupported(_)), "{op:?} on {dtypes:?}: {support:?}");
        let expected = reference(op, operands).unwrap_or_else(|e| panic!("{op:?} on {dtypes:?}: {e}"));
        type Place = fn(&Subject, &HostArray) -> Value;
        let layouts: [(&str, Place); 3] =
            [("row-major", Subject::stored), ("transposed", Subject::transposed), ("inner", Subject::inner)];
        for (layout, place) in layouts {
            let values: Vec<Value> = operands.iter().map(|a| place(self, a)).collect();
            let context = || format!("{op:?} on {layout} {dtypes:?} ({support:?})");
            let actual = self.run(op, &values.iter().collect::<Vec<_>>());
            let actual = actual.unwrap_or_else(|e| panic!("{}: {e}", context()));
            assert_eq!(actual.len(), expected.len(), "{}", context());
            for (a, e) in actual.iter().zip(&expected) {
                if let Some(wrong) = difference(a, e, near) {
                    panic!("{}: {wrong}\n{a:?}\n{e:?}", context());
                }
            }
        }
        1
    }
}

/// How far a sum of `n` mild values may be off, on either side.
pub(crate) fn bound(dtype: Dtype, n: usize) -> f64 {
    if dtype.is_bool() || dtype.is_int() {
        return 0.0;
    }
    let eps = ivy_core::finfo(dtype).unwrap().eps;
    2.0 * eps * n as f64 * MILD.iter().map(|x| x.abs()).sum::<f64>()
}

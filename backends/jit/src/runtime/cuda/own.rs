//! The kernels of a device that come from no trace.

use super::scan::Scan;
use super::scatter::{place, take};
use crate::codegen::ptx::{self, Form, put::put, radix::Radix};
use crate::lower;
use ivy_core::{Dtype, ScatterOp};

/// What such a kernel is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Own {
    /// Numbers by a digit.
    Radix(Radix),
    /// The places that so many indices name together.
    Place(usize, Form),
    /// Updates in another order.
    Take(Dtype, Form),
    /// Updates joined with what is at their places.
    Put(ScatterOp, Dtype),
    /// Running sums and products.
    Scan(Scan),
}

impl Own {
    /// Its function; nothing, which no driver takes, for a dtype that has none.
    pub(super) fn function(self, name: &str) -> String {
        let function = match self {
            Own::Radix(radix) => Some(radix.function(name)),
            Own::Place(axes, form) => Some(ptx::function(&place(axes), form, name)),
            Own::Take(dtype, form) => take(dtype).map(|kernel| ptx::function(&kernel, form, name)),
            Own::Put(op, dtype) => lower::joined(op, dtype).map(|step| put(&step, name)),
            Own::Scan(scan) => scan.function(name),
        };
        function.unwrap_or_default()
    }
}

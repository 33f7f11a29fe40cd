//! Solutions by substitution.

use super::number::Number;
use super::solutions::solved;
use super::stack::Fault;
use ivy_core::Result;
use ivy_core::host::{HostArray, HostView};
use ivy_decompositions::Triangle;

pub(super) fn solve<T: Number>(
    triangle: Triangle,
    name: &'static str,
    a: HostView<'_>,
    b: HostView<'_>,
) -> Result<HostArray> {
    solved::<T>(name, a, b, |a, x| {
        if !triangle.unit_diagonal && (0..a.ncols()).any(|i| a[(i, i)] == T::default()) {
            return Err(Fault::Singular);
        }
        T::solve_triangular(triangle, a.as_ref(), x.as_mut());
        Ok(())
    })
}

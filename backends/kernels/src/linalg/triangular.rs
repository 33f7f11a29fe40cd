//! Solutions by substitution.

use super::number::Number;
use super::solutions::solved;
use super::stack::Fault;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place_with_conj, solve_unit_lower_triangular_in_place_with_conj,
    solve_unit_upper_triangular_in_place_with_conj, solve_upper_triangular_in_place_with_conj,
};
use faer::{Conj, Par};
use ivy_core::Result;
use ivy_core::host::{HostArray, HostView};

/// Which triangle of a matrix it is, and how it is read.
#[derive(Clone, Copy)]
pub(super) struct Triangle {
    pub(super) upper: bool,
    pub(super) adjoint: bool,
    pub(super) unit_diagonal: bool,
}

pub(super) fn solve<T: Number>(
    triangle: Triangle,
    name: &'static str,
    a: HostView<'_>,
    b: HostView<'_>,
) -> Result<HostArray> {
    let Triangle { upper, adjoint, unit_diagonal } = triangle;
    solved::<T>(name, a, b, |a, x| {
        if !unit_diagonal && (0..a.ncols()).any(|i| a[(i, i)] == T::default()) {
            return Err(Fault::Singular);
        }
        let (matrix, conj) = match adjoint {
            true => (a.as_ref().transpose().as_dyn_stride(), Conj::Yes),
            false => (a.as_ref().as_dyn_stride(), Conj::No),
        };
        let (x, par) = (x.as_mut(), Par::Seq);
        match (upper != adjoint, unit_diagonal) {
            (true, false) => solve_upper_triangular_in_place_with_conj(matrix, conj, x, par),
            (true, true) => solve_unit_upper_triangular_in_place_with_conj(matrix, conj, x, par),
            (false, false) => solve_lower_triangular_in_place_with_conj(matrix, conj, x, par),
            (false, true) => solve_unit_lower_triangular_in_place_with_conj(matrix, conj, x, par),
        }
        Ok(())
    })
}

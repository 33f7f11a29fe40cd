//! Decompositions of matrices, by `faer`, on one thread a matrix.

mod eigen;
mod factors;
mod number;
mod solutions;
mod stack;
mod triangular;

use crate::{elementwise, layout::invalid, reduce::refused};
use ivy_core::host::{Element, HostArray, HostView};
use ivy_core::{Dtype, LinalgOp, Op, Result};
use ivy_decompositions::Triangle;
use num_complex::{Complex, Complex32, Complex64};
use number::Number;
use smallvec::{SmallVec, smallvec};
use stack::Stack;

/// The results of one decomposition.
type Results = SmallVec<[HostArray; 1]>;

/// A decomposition of each matrix of a stack; [`LinalgOp`] says what the operands and results
/// are. float16 and bfloat16 are computed in float32 and rounded once, all others in their own
/// precision.
///
/// ```
/// use ivy_core::{LinalgOp, host::HostArray};
/// let a = HostArray::from_vec(vec![2.0, 0.0, 1.0, 4.0], [2, 2].into()).unwrap();
/// let det = ivy_kernels::linalg::linalg(LinalgOp::Det, &[a.view()])?;
/// assert_eq!(det[0].to_vec::<f64>()?, [8.0]);
/// # Ok::<(), ivy_core::Error>(())
/// ```
///
/// # Errors
/// [`SingularMatrix`](ivy_core::ErrorKind::SingularMatrix),
/// [`NotPositiveDefinite`](ivy_core::ErrorKind::NotPositiveDefinite) and
/// [`NotConverged`](ivy_core::ErrorKind::NotConverged) with the first matrix of the stack that is
/// to blame; dtypes or shapes that the decomposition does not take; no memory.
pub fn linalg(op: LinalgOp, operands: &[HostView<'_>]) -> Result<Results> {
    let name = op.name();
    let dtypes: SmallVec<[Dtype; 2]> = operands.iter().map(|x| x.dtype()).collect();
    let count = if op.solves() { 2 } else { 1 };
    if operands.len() != count {
        return Err(invalid(name, "operands", operands.len().to_string(), "the op takes another number"));
    }
    if Op::Linalg(op).result_dtype(&dtypes).is_none() {
        return Err(refused(name, dtypes[0]));
    }
    check_shapes(op, operands)?;
    match dtypes[0] {
        Dtype::FLOAT32 => run::<f32>(op, operands),
        Dtype::FLOAT64 => run::<f64>(op, operands),
        Dtype::COMPLEX64 => run::<Complex32>(op, operands),
        Dtype::COMPLEX128 => run::<Complex64>(op, operands),
        small @ (Dtype::FLOAT16 | Dtype::BFLOAT16) => {
            let wide: SmallVec<[HostArray; 2]> =
                operands.iter().map(|x| elementwise::cast(*x, Dtype::FLOAT32)).collect::<Result<_>>()?;
            let views: SmallVec<[HostView<'_>; 2]> = wide.iter().map(HostArray::view).collect();
            let narrowed = |x: HostArray| match x.dtype() {
                Dtype::FLOAT32 => elementwise::cast(x.view(), small),
                _ => Ok(x),
            };
            run::<f32>(op, &views)?.into_iter().map(narrowed).collect()
        }
        other => Err(refused(name, other)),
    }
}

/// Two axes or more, of one length where the matrices are square, and right-hand sides that fit.
fn check_shapes(op: LinalgOp, operands: &[HostView<'_>]) -> Result<()> {
    let shape = operands[0].shape();
    let wrong = |rule| Err(invalid(op.name(), "shape", format!("{shape:?}"), rule));
    let [.., m, n] = *shape else { return wrong("a matrix has two axes") };
    if m != n && !matches!(op, LinalgOp::Qr { .. } | LinalgOp::Svd { .. } | LinalgOp::Svdvals) {
        return wrong("the matrices are square");
    }
    match operands.get(1).map(|b| b.shape()) {
        None => Ok(()),
        Some([rows] | [.., rows, _]) if *rows == n => Ok(()),
        Some(_) => wrong("the right-hand sides have as many rows as the matrices"),
    }
}

fn run<T: Number>(op: LinalgOp, operands: &[HostView<'_>]) -> Result<Results>
where
    Complex<T::Part>: Element + Default,
{
    let x = operands[0];
    match op {
        LinalgOp::Solve => return Ok(smallvec![solutions::solve::<T>(x, operands[1])?]),
        LinalgOp::SolveTriangular { upper, adjoint, unit_diagonal } => {
            let triangle = Triangle { upper, adjoint, unit_diagonal };
            return Ok(smallvec![triangular::solve::<T>(triangle, op.name(), x, operands[1])?]);
        }
        _ => {}
    }
    let stack = Stack::<T>::new(op.name(), x);
    Ok(match op {
        LinalgOp::Cholesky { upper } => smallvec![factors::cholesky(&stack, upper)?],
        LinalgOp::Qr { complete } => SmallVec::from_iter(factors::qr(&stack, complete)?),
        LinalgOp::Svd { full } => SmallVec::from_iter(factors::svd(&stack, full)?),
        LinalgOp::Svdvals => smallvec![factors::singular_values(&stack)?],
        LinalgOp::Eigh => SmallVec::from_iter(eigen::hermitian(&stack)?),
        LinalgOp::Eigvalsh => smallvec![eigen::hermitian_values(&stack)?],
        LinalgOp::Eig => SmallVec::from_iter(eigen::general(&stack)?),
        LinalgOp::Eigvals => smallvec![eigen::general_values(&stack)?],
        LinalgOp::Inv => smallvec![solutions::inverse(&stack)?],
        LinalgOp::Slogdet => SmallVec::from_iter(solutions::log_determinant(&stack)?),
        LinalgOp::LuFactor => SmallVec::from_iter(solutions::lu(&stack)?),
        LinalgOp::Det | LinalgOp::Solve | LinalgOp::SolveTriangular { .. } => {
            smallvec![solutions::determinant(&stack)?]
        }
    })
}

//! Small square matrices.

use crate::array::{AnyArray, IntoArg};
use crate::ops::{array, promote};
use crate::types::{ArrayType, Kind, Size, expr_t};
use crate::{Error, Result};

type Out = Result<AnyArray>;

/// The number of rows of a matrix, or of a square array of arrays.
fn rows(function: &'static str, x: &AnyArray) -> Result<usize> {
    match x.ty().sizes() {
        [Size::Fixed(n), Size::Fixed(m), ..] if n == m => Ok((*n).into()),
        _ => {
            let (argument, expected) = ("the array", "a matrix".into());
            Err(Error::WrongType { function, argument, expected, actual: x.ty() })
        }
    }
}

fn cell(x: &AnyArray, row: usize, column: usize) -> &AnyArray {
    &x.entries()[row].entries()[column]
}

/// A matrix of a type, of what a function gives for each cell.
fn of_cells(ty: ArrayType, n: usize, mut f: impl FnMut(usize, usize) -> Out) -> Out {
    let row_ty = ty.entry().ok_or(Error::NotSupported { function: "matrix", ty })?;
    let row = |i: usize| Ok(AnyArray::from_entries(row_ty, (0..n).map(|j| f(i, j)).collect::<Result<_>>()?));
    Ok(AnyArray::from_entries(ty, (0..n).map(row).collect::<Result<_>>()?))
}

/// A sum of several arrays.
fn sum(parts: impl IntoIterator<Item = Out>) -> Out {
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_else(|| {
        let (argument, rule) = ("rows", "one at least");
        Err(Error::InvalidArgument { function: "matmul", argument, value: "0".into(), rule })
    });
    parts.try_fold(first?, |sum, part| crate::add(&sum, part?))
}

/// The product of a matrix with a matrix or a vector on either side.
pub(crate) fn product(a: &AnyArray, b: &AnyArray) -> Out {
    let refuse = || Error::IncompatibleTypes { function: "matmul", left: a.ty(), right: b.ty() };
    let levels = |x: &AnyArray| if x.ty().kind() == Kind::Array { x.ty().depth() } else { 2 };
    let n = [a, b].into_iter().find(|x| levels(x) == 2).map(|x| rows("matmul", x)).ok_or_else(refuse)??;
    let same = |x: &AnyArray| x.ty().size() == Some(Size::Fixed(n as u8));
    if !same(a) || !same(b) {
        return Err(refuse());
    }
    let package = a.ty().package().promote(b.ty().package()).ok_or_else(refuse)?;
    let dtype = a.ty().dtype().max(b.ty().dtype());
    let [a, b] = [a, b].map(|x| x.cast_to(x.ty().with_package(package).with_dtype(dtype)));
    let (a, b) = (&a?, &b?);
    match (levels(a), levels(b)) {
        (2, 2) => {
            let ty = if a.ty().kind() == Kind::Matrix { a.ty() } else { b.ty() };
            if a.ty().kind() != b.ty().kind() {
                return Err(refuse());
            }
            of_cells(ty, n, |i, j| sum((0..n).map(|k| crate::multiply(cell(a, i, k), cell(b, k, j)))))
        }
        (2, 1) => {
            let entry = |i| sum((0..n).map(|k| crate::multiply(cell(a, i, k), &b.entries()[k])));
            Ok(AnyArray::from_entries(b.ty(), (0..n).map(entry).collect::<Result<_>>()?))
        }
        (1, 2) => {
            let entry = |j| sum((0..n).map(|k| crate::multiply(&a.entries()[k], cell(b, k, j))));
            Ok(AnyArray::from_entries(a.ty(), (0..n).map(entry).collect::<Result<_>>()?))
        }
        _ => Err(refuse()),
    }
}

/// The matrix product of matrices, square arrays of arrays and vectors; the inner product of two vectors or flat arrays; of a single value and
/// anything their product; of tensors that of their last axes.
///
/// # Errors
/// [`Error::IncompatibleTypes`] for what has none.
pub fn matmul(a: impl IntoArg, b: impl IntoArg) -> Result<AnyArray> {
    let (a, b) = (a.into_arg(), b.into_arg());
    let (a, b) = (array("matmul", a)?, array("matmul", b)?);
    let refuse = || Error::IncompatibleTypes { function: "matmul", left: a.ty(), right: b.ty() };
    let flat = a.ty().kind() == Kind::Flat && b.ty().kind() == Kind::Flat;
    let any_size = [&a, &b].iter().any(|x| x.ty().sizes().contains(&Size::Dynamic));
    if any_size || !flat && a.ty().is_mask_v() && b.ty().is_mask_v() {
        return Err(refuse());
    }
    match (a.ty().kind(), b.ty().kind()) {
        (Kind::Tensor, Kind::Tensor) => {
            let args = vec![(&a).into_arg(), (&b).into_arg()];
            let ty = promote("matmul", &args)?;
            let [x, y] = [&a, &b].map(|x| x.cast_to(ty));
            let (x, y) = (x?, y?);
            let leaf = |x: &AnyArray| x.leaf().cloned().ok_or_else(refuse);
            let kernel = crate::ad::Kernel::Plain(|x| ivy_core::functional::matmul(&x[0], &x[1]));
            let made = crate::ad::run("matmul", &kernel, &[&leaf(&x)?, &leaf(&y)?])?;
            Ok(AnyArray::from_leaf(ty, made))
        }
        (Kind::Tensor | Kind::Complex | Kind::Quaternion, _)
        | (_, Kind::Tensor | Kind::Complex | Kind::Quaternion) => Err(refuse()),
        (Kind::Flat, Kind::Flat) => crate::dot(a, b),
        (Kind::Flat, _) | (_, Kind::Flat) => crate::multiply(&a, &b),
        (Kind::Array, Kind::Array) if a.ty().depth() == 1 && b.ty().depth() == 1 => {
            expr_t(a.ty(), b.ty()).map_err(|_| refuse())?;
            crate::dot(&a, &b)
        }
        _ => product(&a, &b),
    }
}

/// The matrix with rows for columns.
///
/// # Errors
/// [`Error::WrongType`] for what is no matrix and no square array of arrays; of tensors with two axes these are exchanged.
pub fn transpose(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("transpose", x.into_arg())?;
    if let (Kind::Tensor, Some(leaf)) = (x.ty().kind(), x.leaf()) {
        let kernel = crate::ad::Kernel::Plain(|x| ivy_core::functional::matrix_transpose(&x[0]));
        return Ok(AnyArray::from_leaf(x.ty(), crate::ad::run("transpose", &kernel, &[leaf])?));
    }
    let n = rows("transpose", &x)?;
    of_cells(x.ty(), n, |i, j| Ok(cell(&x, j, i).clone()))
}

/// The sum of the diagonal.
///
/// # Errors
/// As [`det`].
pub fn trace(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("trace", x.into_arg())?;
    let n = rows("trace", &x)?;
    sum((0..n).map(|i| Ok(cell(&x, i, i).clone())))
}

/// The sum of the squares of all entries.
///
/// # Errors
/// As [`det`].
pub fn frob(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("frob", x.into_arg())?;
    let n = rows("frob", &x)?;
    sum((0..n * n).map(|i| crate::multiply(cell(&x, i / n, i % n), cell(&x, i / n, i % n))))
}

/// The diagonal of a matrix as a vector, or the matrix of a vector's diagonal.
///
/// # Errors
/// [`Error::WrongType`] for other arrays.
pub fn diag(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("diag", x.into_arg())?;
    let ty = x.ty();
    if let (Kind::Array, [size @ Size::Fixed(n)]) = (ty.kind(), ty.sizes()) {
        let matrix = ArrayType::nested(ty.package(), Kind::Matrix, &[*size, *size], ty.dtype());
        let matrix = matrix.ok_or(Error::NotSupported { function: "diag", ty })?;
        let zero = ty.leaf().make(0)?;
        return of_cells(matrix, (*n).into(), |i, j| {
            Ok(if i == j { x.entries()[i].clone() } else { zero.clone() })
        });
    }
    let n = rows("diag", &x)?;
    let row_ty = ty.entry().ok_or(Error::NotSupported { function: "diag", ty })?;
    Ok(AnyArray::from_entries(row_ty, (0..n).map(|i| cell(&x, i, i).clone()).collect()))
}

/// The 2 by 2 determinants of two rows, for each pair of columns.
struct Pairs<'a> {
    x: &'a AnyArray,
    rows: (usize, usize),
}

impl Pairs<'_> {
    fn of(&self, i: usize, j: usize) -> Out {
        let (a, b) = self.rows;
        (cell(self.x, a, i) * cell(self.x, b, j) - cell(self.x, a, j) * cell(self.x, b, i)).ok()
    }
}

/// The determinant of what is left without a row and a column, with its sign.
fn cofactor(x: &AnyArray, n: usize, row: usize, column: usize) -> Out {
    let rest = |skipped: usize| (0..n).filter(move |&i| i != skipped);
    let (rows, columns): (Vec<usize>, Vec<usize>) = (rest(row).collect(), rest(column).collect());
    let minor = match (&rows[..], &columns[..]) {
        ([i], [j]) => Ok(cell(x, *i, *j).clone()),
        ([a, b], [i, j]) => Pairs { x, rows: (*a, *b) }.of(*i, *j),
        ([a, b, c], [i, j, k]) => {
            let pairs = Pairs { x, rows: (*b, *c) };
            (cell(x, *a, *i) * pairs.of(*j, *k) - cell(x, *a, *j) * pairs.of(*i, *k)
                + cell(x, *a, *k) * pairs.of(*i, *j))
            .ok()
        }
        _ => crate::creation::full_like(cell(x, row, column), 1),
    };
    if (row + column).is_multiple_of(2) { minor } else { (-minor?).ok() }
}

/// The determinant, by expansion along the first row.
///
/// # Errors
/// [`Error::WrongType`] for what is no matrix and no square array of arrays.
pub fn det(x: impl IntoArg) -> Result<AnyArray> {
    let x = array("det", x.into_arg())?;
    let n = rows("det", &x)?;
    sum((0..n).map(|j| crate::multiply(cell(&x, 0, j), cofactor(&x, n, 0, j)?)))
}

/// The inverse, by cofactors; of a singular matrix it is not finite.
pub(crate) fn inverse(x: &AnyArray) -> Out {
    let n = rows("rcp", x)?;
    let cofactors = of_cells(x.ty(), n, |i, j| cofactor(x, n, i, j))?;
    let det = sum((0..n).map(|j| crate::multiply(cell(x, 0, j), cell(&cofactors, 0, j))))?;
    let scale = crate::rcp(det)?;
    of_cells(x.ty(), n, |i, j| crate::multiply(cell(&cofactors, j, i), &scale))
}

/// A matrix as an orthogonal one times a symmetric one: `(q, p)` with `x = q p`. By Newton's iteration, which takes the mean of a matrix and
/// its inverse's transpose, scaled by their sizes (Higham 1986); ten steps do for single precision.
///
/// # Errors
/// As [`det`].
pub fn polar_decomp(x: impl IntoArg) -> Result<(AnyArray, AnyArray)> {
    let x = array("polar_decomp", x.into_arg())?;
    crate::ops::Domain::Floats.check("polar_decomp", x.ty())?;
    rows("polar_decomp", &x)?;
    let ty = x.ty().with_kind(Kind::Matrix);
    let matrix = x.cast_to(ty)?;
    let mut q = matrix.clone();
    for _ in 0..10 {
        let other = transpose(inverse(&q)?)?;
        let scale = crate::sqrt(crate::sqrt(frob(&other)? / frob(&q)?)?)?;
        let near = crate::multiply(&q, (&scale * 0.5).ok()?)?;
        let far = crate::multiply(&other, (0.5 / &scale).ok()?)?;
        q = crate::add(near, far)?;
    }
    let p = product(&transpose(&q)?, &matrix)?;
    Ok((q, p))
}

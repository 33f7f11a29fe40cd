//! Members and methods of vectors, matrices and fields.

use super::scope::Scope;
use super::value::{Tensor, Value};
use crate::error::{Misuse, Result};
use ivy_taichi_types::{BinaryOp, Literal, UnaryOp};

/// The names of a vector's numbers, in three sets.
const SWIZZLES: [&str; 3] = ["xyzw", "rgba", "stpq"];

impl Scope {
    /// `base.name`: the shape of a field, or numbers of a vector by their names, in any order.
    ///
    /// # Errors
    /// [`Misuse::NoSuch`].
    pub fn member(&mut self, base: &Value, name: &str) -> Result<Value> {
        let no = |scope: &Scope| scope.wrong(Misuse::NoSuch { what: "member", name: name.to_owned() });
        match base {
            Value::Field(field) if name == "shape" => {
                let mut extents = Vec::new();
                while let Some(extent) = self.extent(*field, extents.len()) {
                    extents.push(extent);
                }
                Ok(Value::Tensor(Tensor::vector(extents)))
            }
            Value::Tensor(tensor) if tensor.form.1.is_none() => {
                let set = SWIZZLES.iter().find(|set| name.chars().all(|c| set.contains(c)));
                let places = set.map(|set| name.chars().filter_map(|c| set.find(c)).collect::<Vec<_>>());
                let found: Option<Vec<Value>> = places
                    .and_then(|places| places.iter().map(|&n| tensor.entries.get(n).cloned()).collect());
                match found {
                    Some(one) if one.len() == 1 => Ok(one[0].clone()),
                    Some(several) if !several.is_empty() => Ok(Value::Tensor(Tensor::vector(several))),
                    _ => Err(no(self)),
                }
            }
            _ => Err(no(self)),
        }
    }

    /// `base.name(arguments)`: a method of vectors and matrices.
    ///
    /// # Errors
    /// [`Misuse::NoSuch`](crate::Misuse), [`Misuse::Arity`](crate::Misuse), [`Misuse::Here`](crate::Misuse) for shapes that a method is not for.
    pub fn method(&mut self, base: &Value, name: &str, arguments: &[Value]) -> Result<Value> {
        let Value::Tensor(tensor) = base else {
            return Err(
                self.wrong(Misuse::NoSuch { what: "method of a number or field", name: name.to_owned() })
            );
        };
        match (name, arguments) {
            ("sum", []) => self.folded(BinaryOp::Add, tensor),
            ("max", []) => self.folded(BinaryOp::Max, tensor),
            ("min", []) => self.folded(BinaryOp::Min, tensor),
            ("norm_sqr", []) => self.norm_sqr(base),
            ("norm", []) => {
                let squared = self.norm_sqr(base)?;
                self.unary(UnaryOp::Sqrt, &squared)
            }
            ("normalized", []) => {
                let squared = self.norm_sqr(base)?;
                let norm = self.unary(UnaryOp::Sqrt, &squared)?;
                self.binary(BinaryOp::TrueDiv, base, &norm)
            }
            ("transpose", []) => Ok(self.transposed(tensor)),
            ("trace", []) => {
                let diagonal = (0..tensor.form.0.min(tensor.columns()))
                    .map(|n| tensor.entries[n * tensor.columns() + n].clone())
                    .collect();
                self.folded(BinaryOp::Add, &Tensor::vector(diagonal))
            }
            ("determinant", []) => self.determinant(tensor),
            ("inverse", []) => self.inverse(tensor),
            ("dot", [other]) => {
                let products = self.binary(BinaryOp::Mul, base, other)?;
                match &products {
                    Value::Tensor(products) => self.folded(BinaryOp::Add, products),
                    _ => Ok(products),
                }
            }
            ("cross", [Value::Tensor(other)]) => self.cross(tensor, other),
            ("matmul", [Value::Tensor(other)]) => self.matmul(tensor, other),
            ("outer_product", [Value::Tensor(other)]) => {
                let right = Tensor { form: (1, Some(other.entries.len())), entries: other.entries.clone() };
                let left = Tensor { form: (tensor.entries.len(), Some(1)), entries: tensor.entries.clone() };
                self.matmul(&left, &right)
            }
            _ => {
                Err(self
                    .wrong(Misuse::NoSuch { what: "method of vectors and matrices", name: name.to_owned() }))
            }
        }
    }

    fn folded(&mut self, op: BinaryOp, tensor: &Tensor) -> Result<Value> {
        let mut entries = tensor.entries.iter();
        let mut sum = entries.next().cloned().unwrap_or(Value::Nothing);
        for entry in entries {
            sum = self.binary(op, &sum, entry)?;
        }
        Ok(Value::Number(self.number(&sum)?))
    }

    fn norm_sqr(&mut self, base: &Value) -> Result<Value> {
        self.method(base, "dot", std::slice::from_ref(base))
    }

    fn transposed(&self, tensor: &Tensor) -> Value {
        let (rows, columns) = (tensor.form.0, tensor.columns());
        let entries = (0..columns)
            .flat_map(|column| (0..rows).map(move |row| row * columns + column))
            .map(|n| tensor.entries[n].clone())
            .collect();
        Value::Tensor(Tensor { form: (columns, Some(rows)), entries })
    }

    fn cross(&mut self, a: &Tensor, b: &Tensor) -> Result<Value> {
        if (a.form, b.form) != ((3, None), (3, None)) {
            return Err(self.not_here("`cross`", "it is of two vectors of three numbers"));
        }
        let mut entries = Vec::new();
        for (i, j) in [(1, 2), (2, 0), (0, 1)] {
            let first = self.binary(BinaryOp::Mul, &a.entries[i], &b.entries[j])?;
            let second = self.binary(BinaryOp::Mul, &a.entries[j], &b.entries[i])?;
            entries.push(self.binary(BinaryOp::Sub, &first, &second)?);
        }
        Ok(Value::Tensor(Tensor::vector(entries)))
    }

    /// The product of two matrices, or of a matrix and a vector: `a @ b`.
    fn matmul(&mut self, a: &Tensor, b: &Tensor) -> Result<Value> {
        let (rows, inner, columns) = (a.form.0, a.columns(), b.columns());
        if inner != b.form.0 {
            return Err(
                self.not_here("`matmul`", "the left matrix has as many columns as the right one has rows")
            );
        }
        let mut entries = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let mut products = Vec::new();
                for n in 0..inner {
                    let (x, y) = (&a.entries[row * inner + n], &b.entries[n * columns + column]);
                    products.push(self.binary(BinaryOp::Mul, x, y)?);
                }
                entries.push(self.folded(BinaryOp::Add, &Tensor::vector(products))?);
            }
        }
        Ok(Value::Tensor(Tensor { form: (rows, b.form.1), entries }))
    }

    /// By the first row.
    fn determinant(&mut self, tensor: &Tensor) -> Result<Value> {
        let n = tensor.form.0;
        if tensor.columns() != n || n > 4 {
            return Err(self.not_here("`determinant`", "it is of square matrices of at most four rows"));
        }
        if n == 1 {
            return Ok(tensor.entries[0].clone());
        }
        let mut sum = None;
        for column in 0..n {
            let minor = self.minor(tensor, 0, column);
            let minor = self.determinant(&minor)?;
            let term = self.binary(BinaryOp::Mul, &tensor.entries[column], &minor)?;
            sum = Some(match sum {
                None => term,
                Some(before) => {
                    let op = if column % 2 == 0 { BinaryOp::Add } else { BinaryOp::Sub };
                    self.binary(op, &before, &term)?
                }
            });
        }
        Ok(sum.unwrap_or(Value::Nothing))
    }

    /// The matrix without a row and a column.
    fn minor(&self, tensor: &Tensor, row: usize, column: usize) -> Tensor {
        let n = tensor.form.0;
        let kept = |at: &usize| at / n != row && at % n != column;
        let entries = (0..n * n).filter(kept).map(|at| tensor.entries[at].clone()).collect();
        Tensor { form: (n - 1, Some(n - 1)), entries }
    }

    /// The adjugate by the determinant.
    fn inverse(&mut self, tensor: &Tensor) -> Result<Value> {
        let whole = self.determinant(tensor)?;
        let n = tensor.form.0;
        let mut entries = Vec::new();
        for row in 0..n {
            for column in 0..n {
                let minor = match n {
                    1 => self.literal(Literal::Float(1.0))?,
                    _ => {
                        let minor = self.minor(tensor, column, row);
                        self.determinant(&minor)?
                    }
                };
                let signed = if (row + column) % 2 == 0 { minor } else { self.unary(UnaryOp::Neg, &minor)? };
                entries.push(self.binary(BinaryOp::TrueDiv, &signed, &whole)?);
            }
        }
        Ok(Value::Tensor(Tensor { form: tensor.form, entries }))
    }
}

//! Indices, assignments and atomics.

use super::scope::Scope;
use super::value::{Tensor, Value};
use crate::error::{Misuse, Result};
use crate::ir::{Data, Id};
use crate::number;
use ivy_taichi_types::{AtomicOp, BinaryOp, PrimitiveType, check_assign, type_of_atomic};

/// What `+=` and its like do: atomics, where there are any.
const fn atomic_of(op: BinaryOp) -> Option<AtomicOp> {
    Some(match op {
        BinaryOp::Add => AtomicOp::Add,
        BinaryOp::Sub => AtomicOp::Sub,
        BinaryOp::Mul => AtomicOp::Mul,
        BinaryOp::BitAnd => AtomicOp::BitAnd,
        BinaryOp::BitOr => AtomicOp::BitOr,
        BinaryOp::BitXor => AtomicOp::BitXor,
        _ => return None,
    })
}

impl Scope {
    /// `base[indices]`: an element of a field, or a number of a vector or matrix, whose indices are constants.
    ///
    /// # Errors
    /// [`Misuse::Here`] for what has no elements, [`Misuse::Arity`] for another number of indices.
    pub fn index(&mut self, base: &Value, indices: &[Value]) -> Result<Value> {
        let flat = self.flat(indices);
        match base {
            Value::Field(field) => self.element(*field, &flat),
            Value::Tensor(tensor) => self.entry(tensor, &flat),
            _ => Err(self.not_here("an index", "only fields, vectors and matrices have elements")),
        }
    }

    fn element(&mut self, field: usize, indices: &[Value]) -> Result<Value> {
        let info = &self.b.ir().fields[field];
        let (axes, matrix, count) = (info.shape.len(), info.matrix, info.components.len());
        let (name, offset) = (info.name.clone(), info.offset.clone());
        if count == 0 {
            return Err(self.not_here("an index", "nodes have no elements, fields have"));
        }
        if indices.len() != axes {
            return Err(self.wrong(Misuse::Arity { name, takes: axes, given: indices.len() }));
        }
        let mut numbers = Vec::new();
        for index in indices {
            let id = self.number(index)?;
            if self.primitive(id).is_real() {
                return Err(self.not_here("an index of reals", "indices are integers"));
            }
            let id = self.b.cast(id, PrimitiveType::I32);
            let first = offset.get(numbers.len()).copied().unwrap_or(0);
            numbers.push(self.without(id, first));
        }
        let entries: Vec<Value> =
            (0..count).map(|n| Value::Place(self.b.global_ptr(field, n, numbers.clone()))).collect();
        Ok(match matrix {
            None => entries.into_iter().next().unwrap_or(Value::Nothing),
            Some((n, 1)) => Value::Tensor(Tensor { form: (n, None), entries }),
            Some((n, m)) => Value::Tensor(Tensor { form: (n, Some(m)), entries }),
        })
    }

    /// An index counted from 0, of a field whose first one is another.
    pub(super) fn without(&mut self, index: Id, first: i64) -> Id {
        if first == 0 {
            return index;
        }
        let bits = number::wrapped(PrimitiveType::I32, i128::from(first));
        let s = self.b.ir().statement(index);
        // What a loop over such a field has added.
        if s.data == Data::Binary(BinaryOp::Add) && self.b.ir().constant(s.operands[1]) == Some(bits) {
            return s.operands[0];
        }
        let first = self.b.constant(PrimitiveType::I32, bits);
        self.b.binary(BinaryOp::Sub, PrimitiveType::I32, index, first)
    }

    fn entry(&mut self, tensor: &Tensor, indices: &[Value]) -> Result<Value> {
        let axes = 1 + usize::from(tensor.form.1.is_some());
        let (rows, columns) = (tensor.form.0, tensor.columns());
        if indices.len() != axes {
            let name = "a vector or matrix".to_owned();
            return Err(self.wrong(Misuse::Arity { name, takes: axes, given: indices.len() }));
        }
        let mut at = Vec::new();
        for (index, extent) in indices.iter().zip([rows, columns]) {
            let known = match index {
                Value::Number(id) => self.b.ir().constant(*id).map(|bits| (self.primitive(*id), bits)),
                _ => None,
            };
            let Some((ty, bits)) = known else {
                return Err(self.not_here("an index", "vectors and matrices are indexed by constants"));
            };
            match usize::try_from(number::integer(ty, bits)) {
                Ok(n) if n < extent => at.push(n),
                _ => return Err(self.not_here("an index", "it is out of the range of the vector or matrix")),
            }
        }
        let place = at[0] * columns + at.get(1).copied().unwrap_or(0);
        Ok(tensor.entries.get(place).cloned().unwrap_or(Value::Nothing))
    }

    /// `to = value`: cast to what the place holds, with a warning where that may lose precision (T-17).
    ///
    /// # Errors
    /// [`Misuse::Here`] for what is no place, [`Error::TypeAt`](crate::Error::TypeAt) for shapes that differ.
    pub fn assign(&mut self, to: &Value, value: &Value) -> Result<()> {
        let types = (self.type_of(to)?, self.type_of(value)?);
        let (_, warning) = self.typed(check_assign(types.0, types.1, &self.typing))?;
        self.warn(warning);
        // All of the value is read before anything is written.
        let places = self.places(to)?;
        let mut values = Vec::new();
        for (n, &place) in places.iter().enumerate() {
            let entry = nth(value, n);
            values.push(self.number_of(&entry, self.primitive(place))?);
        }
        places.into_iter().zip(values).for_each(|(place, value)| self.b.store(place, value));
        Ok(())
    }

    /// `to op= value`: an atomic, where there is one; on variables of the iteration it is none once passes have seen it.
    ///
    /// # Errors
    /// As [`assign`](Scope::assign).
    pub fn assign_op(&mut self, op: BinaryOp, to: &Value, value: &Value) -> Result<()> {
        match atomic_of(op) {
            Some(atomic) => self.atomic(atomic, to, value).map(drop),
            None => {
                let sum = self.binary(op, to, value)?;
                self.assign(to, &sum)
            }
        }
    }

    /// An atomic, which gives what was there before (T-19).
    ///
    /// # Errors
    /// As [`assign`](Scope::assign).
    pub fn atomic(&mut self, op: AtomicOp, to: &Value, value: &Value) -> Result<Value> {
        let types = (self.type_of(to)?, self.type_of(value)?);
        let typed = self.typed(type_of_atomic(op, types.0, types.1, &self.typing))?;
        self.warn(typed.warning);
        let places = self.places(to)?;
        let mut before = Vec::new();
        for (n, &place) in places.iter().enumerate() {
            let entry = nth(value, n);
            let x = self.number_of(&entry, self.primitive(place))?;
            before.push(Value::Number(self.b.atomic(op, place, x)));
        }
        Ok(match to {
            Value::Tensor(tensor) => Value::Tensor(Tensor { form: tensor.form, entries: before }),
            _ => before.into_iter().next().unwrap_or(Value::Nothing),
        })
    }

    /// The pointers that a value can be assigned to.
    fn places(&mut self, to: &Value) -> Result<Vec<Id>> {
        let no = |scope: &Scope| {
            scope.not_here("what is assigned to", "only variables and elements of fields are places")
        };
        match to {
            Value::Place(pointer) => Ok(vec![*pointer]),
            Value::Tensor(tensor) => {
                let place = |entry: &Value| match entry {
                    Value::Place(pointer) => Ok(*pointer),
                    _ => Err(no(self)),
                };
                tensor.entries.iter().map(place).collect()
            }
            _ => Err(no(self)),
        }
    }

    /// An extent of a field, an integer literal.
    pub(super) fn extent(&mut self, field: usize, axis: usize) -> Option<Value> {
        let extent = *self.b.ir().fields[field].shape.get(axis)?;
        let ty = self.typing.default_ip();
        Some(Value::Number(self.b.constant(ty, number::wrapped(ty, i128::from(extent)))))
    }
}

/// A number of a value: of a single one it is itself.
fn nth(value: &Value, n: usize) -> Value {
    match value {
        Value::Tensor(tensor) => tensor.entries.get(n).cloned().unwrap_or(Value::Nothing),
        other => other.clone(),
    }
}

//! Cells of sparse nodes: `activate`, `append`, `deactivate`, `is_active`, `length`.

use super::scope::Scope;
use super::value::Value;
use crate::error::{Misuse, Result};
use crate::ir::{Code, Data, FieldInfo, Id};
use ivy_taichi_types::{BinaryOp, PrimitiveType};

impl Scope {
    /// A function of a node's cells, by its name. The indices are those of a cell; of `append`, `deactivate` and `length` on a list, those
    /// of the cell that it is in. `append` makes the list longer by one and gives the number of the new cell.
    ///
    /// # Errors
    /// [`Misuse::NoSuch`]; [`Misuse::Here`] for what is no node of the kind that the function works on; [`Misuse::Arity`] for another number
    /// of indices.
    pub fn cells(&mut self, function: &str, node: &Value, indices: &[Value]) -> Result<Value> {
        let (code, ty) = match function {
            "activate" => (Code::Activate, None),
            "append" => (Code::Append, Some(PrimitiveType::I32)),
            "deactivate" => (Code::Deactivate, None),
            "is_active" => (Code::IsActive, Some(PrimitiveType::U1)),
            "length" => (Code::Length, Some(PrimitiveType::I32)),
            _ => return Err(self.wrong(Misuse::NoSuch { what: "function", name: function.to_owned() })),
        };
        let what = format!("`{function}`");
        let Value::Field(field) = *node else {
            return Err(self.not_here(&what, "it works on nodes of trees of fields"));
        };
        let info = &self.b.ir().fields[field];
        let (name, axes, list) = (info.name.clone(), info.shape.len(), info.list_axis());
        match code {
            _ if !info.is_sparse_node() => {
                return Err(self.not_here(&what, "it works on pointer, hash, bitmasked and dynamic nodes"));
            }
            Code::Append | Code::Length if list.is_none() => {
                return Err(self.not_here(&what, "it works on dynamic nodes"));
            }
            Code::IsActive if list.is_some() => {
                return Err(self.not_here(&what, "it works on pointer, hash and bitmasked nodes"));
            }
            _ => {}
        }
        let mut numbers = Vec::new();
        for index in self.flat(indices) {
            let id = self.number(&index)?;
            if self.primitive(id).is_real() {
                return Err(self.not_here("an index of reals", "indices are integers"));
            }
            numbers.push(self.b.cast(id, PrimitiveType::I32));
        }
        let whole = list.filter(|_| code != Code::Activate);
        let takes = axes - usize::from(whole.is_some());
        if numbers.len() != takes {
            return Err(self.wrong(Misuse::Arity { name, takes, given: numbers.len() }));
        }
        if let Some(axis) = whole {
            numbers.insert(axis, self.b.constant(PrimitiveType::I32, 0));
        }
        let made = self.b.push(code, ty, numbers, Data::Component { field, component: 0 });
        match code {
            Code::IsActive => {
                // As any comparison gives it.
                let no = self.b.constant(PrimitiveType::U1, 0);
                self.binary(BinaryOp::CmpNe, &Value::Number(made), &Value::Number(no))
            }
            _ if ty.is_some() => Ok(Value::Number(made)),
            _ => Ok(Value::Nothing),
        }
    }

    /// Whether an element of a field below sparse nodes is in use.
    pub(super) fn is_element_active(&mut self, field: usize, indices: &[Value]) -> Result<Id> {
        let offset = self.b.ir().fields[field].offset.clone();
        let mut numbers = Vec::new();
        for (axis, index) in indices.iter().enumerate() {
            let id = self.number(index)?;
            numbers.push(self.without(id, offset.get(axis).copied().unwrap_or(0)));
        }
        let data = Data::Component { field, component: 0 };
        Ok(self.b.push(Code::IsActive, Some(PrimitiveType::U1), numbers, data))
    }

    /// Indices one by one, those of vectors among them.
    pub(super) fn flat(&self, indices: &[Value]) -> Vec<Value> {
        let one = |index: &Value| match index {
            Value::Tensor(tensor) => tensor.entries.clone(),
            Value::Nothing => Vec::new(),
            other => vec![other.clone()],
        };
        indices.iter().flat_map(one).collect()
    }
}

impl FieldInfo {
    /// Whether it is a sparse node, and no field.
    pub fn is_sparse_node(&self) -> bool {
        self.sparse.as_ref().is_some_and(|sparse| !sparse.below.is_empty())
    }

    /// Of a dynamic node, which of its indices counts the cells of its lists.
    pub fn list_axis(&self) -> Option<usize> {
        let list = self.is_sparse_node() && self.levels().last().is_some_and(|level| level.is_list);
        self.digits.last().filter(|_| list).map(|digit| digit.axis)
    }
}

//! Operations on values: typed, their operands cast, element by element on vectors and matrices.

use super::scope::Scope;
use super::value::{Tensor, Value};
use crate::error::Result;
use crate::ir::{Code, Data, Id};
use ivy_taichi_types::{
    BinaryOp, PrimitiveType, TernaryOp, Type, UnaryOp, type_of_binary, type_of_bit_cast, type_of_cast,
    type_of_ternary, type_of_unary,
};

/// The primitive type of a value's numbers.
fn element(ty: Type) -> PrimitiveType {
    ty.element().primitive().unwrap_or(PrimitiveType::I32)
}

impl Scope {
    /// An operation on one value.
    ///
    /// # Errors
    /// [`Error::TypeAt`](crate::Error::TypeAt) for types that it does not take.
    pub fn unary(&mut self, op: UnaryOp, x: &Value) -> Result<Value> {
        let ty = self.type_of(x)?;
        let typed = type_of_unary(op, ty, &self.typing);
        let typed = self.typed(typed)?;
        let [operand] = typed.operands;
        self.each(&[x], &mut |scope, numbers| {
            let x = scope.b.cast(numbers[0], element(operand));
            Ok(scope.b.unary(op, element(typed.result), x))
        })
    }

    /// An operation on two values.
    ///
    /// # Errors
    /// [`Error::TypeAt`](crate::Error::TypeAt) for types that it does not take, and shapes that differ.
    pub fn binary(&mut self, op: BinaryOp, x: &Value, y: &Value) -> Result<Value> {
        let (left, right) = (self.type_of(x)?, self.type_of(y)?);
        let typed = type_of_binary(op, left, right, &self.typing);
        let typed = self.typed(typed)?;
        let [left, right] = typed.operands;
        self.each(&[x, y], &mut |scope, numbers| {
            let x = scope.b.cast(numbers[0], element(left));
            let y = scope.b.cast(numbers[1], element(right));
            scope.check_shift(op, x, numbers[1]);
            let result = scope.b.binary(op, element(typed.result), x, y);
            scope.check_overflow(op, x, y, result);
            Ok(result)
        })
    }

    /// One of two values, both of which are computed.
    ///
    /// # Errors
    /// As [`binary`](Scope::binary).
    pub fn select(&mut self, condition: &Value, x: &Value, y: &Value) -> Result<Value> {
        let types = [self.type_of(condition)?, self.type_of(x)?, self.type_of(y)?];
        let typed = type_of_ternary(TernaryOp::Select, types[0], types[1], types[2], &self.typing);
        let ty = element(self.typed(typed)?.result);
        self.each(&[condition, x, y], &mut |scope, numbers| {
            let [x, y] = [1, 2].map(|n| scope.b.cast(numbers[n], ty));
            Ok(scope.b.push(Code::Select, Some(ty), vec![numbers[0], x, y], Data::None))
        })
    }

    /// `x && y` or `x || y`: the operand that decides, in the promoted type of both (T-10). The second is computed only
    /// where the first does not decide. On vectors and matrices the truth of each element, of operands that both are
    /// computed.
    ///
    /// # Errors
    /// [`Error::TypeAt`](crate::Error::TypeAt) for real numbers and for shapes that differ.
    pub fn logical(
        &mut self,
        and: bool,
        x: &Value,
        y: impl FnOnce(&mut Scope) -> Result<Value>,
    ) -> Result<Value> {
        let op = if and { BinaryOp::LogicalAnd } else { BinaryOp::LogicalOr };
        if let Value::Tensor(_) = x {
            let y = y(self)?;
            return self.logical_of_elements(op, x, &y);
        }
        let first = self.number(x)?;
        // The type is that of both, and is known once the second was read.
        let variable = self.b.alloca(self.primitive(first));
        let condition = if and { self.truth(first) } else { self.untruth(first) };
        let choice = self.b.push(Code::If, None, vec![condition], Data::None);
        self.arm(choice, |scope| {
            let y = y(scope)?;
            if let Value::Tensor(_) = y {
                let rule = "the second operand of `and` and `or` is a number where the first one is";
                return Err(scope.not_here("a vector or matrix", rule));
            }
            let (left, right) = (scope.primitive(first), scope.type_of(&y)?);
            let typed = type_of_binary(op, left.into(), right, &scope.typing);
            let promoted = typed.map(|typed| element(typed.operands[0]));
            let promoted = scope.typed(promoted)?;
            scope.b.retype(variable, promoted);
            let y = scope.number_of(&y, promoted)?;
            scope.b.store(variable, y);
            Ok(())
        })?;
        self.arm(choice, |scope| {
            let promoted = scope.primitive(variable);
            let x = scope.b.cast(first, promoted);
            scope.b.store(variable, x);
            Ok(())
        })?;
        Ok(Value::Place(variable))
    }

    /// The next block of a branch.
    fn arm(&mut self, choice: Id, write: impl FnOnce(&mut Scope) -> Result<()>) -> Result<()> {
        let outer = self.b.open(choice);
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        self.b.close(outer);
        written
    }

    /// Logic on vectors and matrices, with which numbers broadcast.
    fn logical_of_elements(&mut self, op: BinaryOp, x: &Value, y: &Value) -> Result<Value> {
        let (left, right) = (self.type_of(x)?, self.type_of(y)?);
        let typed = type_of_binary(op, left, right, &self.typing);
        self.typed(typed)?;
        let bits = if op == BinaryOp::LogicalAnd { BinaryOp::BitAnd } else { BinaryOp::BitOr };
        self.each(&[x, y], &mut |scope, numbers| {
            let [x, y] = [0, 1].map(|n| scope.truth(numbers[n]));
            Ok(scope.b.binary(bits, scope.typing.truth(), x, y))
        })
    }

    /// Whether a number is not zero, as a truth value.
    fn truth(&mut self, x: Id) -> Id {
        let (ty, truth) = (self.primitive(x), self.typing.truth());
        if ty == truth && truth == PrimitiveType::U1 {
            return x;
        }
        let zero = self.b.constant(ty, 0);
        self.b.binary(BinaryOp::CmpNe, truth, x, zero)
    }

    /// Whether a number is zero, as a truth value.
    fn untruth(&mut self, x: Id) -> Id {
        let zero = self.b.constant(self.primitive(x), 0);
        self.b.binary(BinaryOp::CmpEq, self.typing.truth(), x, zero)
    }

    /// A value in another type, by its name.
    ///
    /// # Errors
    /// [`Error::TypeAt`](crate::Error::TypeAt) for names of no type.
    pub fn cast(&mut self, x: &Value, to: &str) -> Result<Value> {
        let to = self.typed(self.typing.named(to))?;
        let ty = self.type_of(x)?;
        self.typed(type_of_cast(ty, to.into()))?;
        self.each(&[x], &mut |scope, numbers| Ok(scope.b.cast(numbers[0], to)))
    }

    /// The same bits as another type.
    ///
    /// # Errors
    /// [`Error::TypeAt`](crate::Error::TypeAt) for types of another width.
    pub fn bit_cast(&mut self, x: &Value, to: &str) -> Result<Value> {
        let to = self.typed(self.typing.named(to))?;
        let ty = self.type_of(x)?;
        self.typed(type_of_bit_cast(ty, to.into()))?;
        self.each(&[x], &mut |scope, numbers| {
            let same = scope.primitive(numbers[0]) == to;
            let bits =
                |scope: &mut Scope| scope.b.push(Code::BitCast, Some(to), vec![numbers[0]], Data::None);
            Ok(if same { numbers[0] } else { bits(scope) })
        })
    }

    /// Applies something to numbers, or to those of vectors and matrices of one shape, beside which numbers broadcast.
    pub(super) fn each(
        &mut self,
        values: &[&Value],
        apply: &mut dyn FnMut(&mut Scope, &[Id]) -> Result<Id>,
    ) -> Result<Value> {
        let tensor = values.iter().find_map(|value| match value {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        });
        let Some((form, count)) = tensor.map(|tensor| (tensor.form, tensor.entries.len())) else {
            let numbers = values.iter().map(|value| self.number(value)).collect::<Result<Vec<_>>>()?;
            return Ok(Value::Number(apply(self, &numbers)?));
        };
        // A number beside a vector is loaded once.
        let mut loaded: Vec<Value> = Vec::new();
        for value in values {
            loaded.push(match value {
                Value::Tensor(_) => (*value).clone(),
                other => Value::Number(self.number(other)?),
            });
        }
        let mut entries = Vec::with_capacity(count);
        for n in 0..count {
            let mut numbers = Vec::new();
            for value in &loaded {
                let entry = match value {
                    Value::Tensor(tensor) => tensor.entries.get(n).cloned().unwrap_or(Value::Nothing),
                    other => other.clone(),
                };
                numbers.push(self.number(&entry)?);
            }
            entries.push(Value::Number(apply(self, &numbers)?));
        }
        Ok(Value::Tensor(Tensor { form, entries }))
    }
}

//! Loops, conditions, functions, prints and assertions.

use super::scope::Scope;
use super::value::{Tensor, Value};
use crate::error::{Misuse, Result};
use crate::ir::{Code, Data, Id};
use crate::number;
use crate::span::Span;
use ivy_taichi_types::{BinaryOp, PrimitiveType, check_assign};

/// What writes a block.
type Body<'a> = &'a mut dyn FnMut(&mut Scope) -> Result<()>;

impl Scope {
    fn block(&mut self, of: Id, write: Body<'_>) -> Result<()> {
        let outer = self.b.open(of);
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        self.b.close(outer);
        written
    }

    /// `if condition { then } else { otherwise }`.
    ///
    /// # Errors
    /// What is wrong in the branches; [`Misuse::Here`] for a condition that is no single number.
    pub fn branch(&mut self, condition: &Value, then: Body<'_>, otherwise: Body<'_>) -> Result<()> {
        let condition = self.number(condition)?;
        let choice = self.b.push(Code::If, None, vec![condition], Data::None);
        self.block(choice, then)?;
        self.block(choice, otherwise)
    }

    /// `while condition { body }`.
    ///
    /// # Errors
    /// As [`branch`](Scope::branch).
    pub fn repeat(
        &mut self,
        condition: &mut dyn FnMut(&mut Scope) -> Result<Value>,
        body: Body<'_>,
    ) -> Result<()> {
        let whole = self.b.push(Code::While, None, Vec::new(), Data::None);
        self.loops.push(false);
        let written = self.block(whole, &mut |scope| {
            let condition = condition(scope)?;
            let condition = scope.number(&condition)?;
            scope.b.push(Code::WhileControl, None, vec![condition], Data::None);
            body(scope)
        });
        self.loops.pop();
        written
    }

    /// `for targets in iterable { body }`. The body gets one value for each target.
    ///
    /// # Errors
    /// What is wrong in the body; [`Misuse::Here`] for what is no iterable, and for fields within blocks;
    /// [`Misuse::Arity`] for another number of targets than there are indices.
    pub fn each_of(
        &mut self,
        iterable: &Value,
        targets: usize,
        body: &mut dyn FnMut(&mut Scope, &[Value]) -> Result<()>,
    ) -> Result<()> {
        let outermost = self.depth == 0 && self.functions.is_empty();
        let (iterable, serial) = match iterable {
            Value::Serial(inner) => (&**inner, true),
            other => (other, false),
        };
        let parallel = outermost && !serial;
        match iterable {
            Value::Grouped(inner) => {
                let axes = match &**inner {
                    Value::Field(field) => self.b.ir().fields[*field].shape.len(),
                    Value::Ranges(ranges) => ranges.len(),
                    _ => {
                        return Err(
                            self.not_here("`grouped`", "it groups the indices of fields and of ndrange")
                        );
                    }
                };
                if targets != 1 {
                    return Err(self.targets(targets, 1));
                }
                let inner = if serial { &Value::Serial(inner.clone()) } else { &**inner };
                self.each_of(inner, axes, &mut |scope, indices| {
                    body(scope, &[Value::Tensor(Tensor::vector(indices.to_vec()))])
                })
            }
            Value::Field(field) if !serial => {
                let info = &self.b.ir().fields[*field];
                let (axes, offset) = (info.shape.len(), info.offset.clone());
                // In a function as well, which is inlined where it is called.
                if self.depth > 0 {
                    return Err(self.not_here("a loop over a field", "it must be outermost in a kernel"));
                }
                if targets != axes && axes > 0 {
                    return Err(self.targets(targets, axes));
                }
                let data = Data::Component { field: *field, component: 0 };
                let whole = self.b.push(Code::StructFor, None, Vec::new(), data);
                self.iterations(whole, true, &mut |scope| {
                    let mut indices: Vec<Value> = (0..axes)
                        .map(|axis| {
                            let index = scope.b.loop_index(whole, axis, PrimitiveType::I32);
                            Value::Number(scope.plus(index, offset.get(axis).copied().unwrap_or(0)))
                        })
                        .collect();
                    // Of one element there is no index; its name stands for none.
                    indices.resize(targets.max(axes), Value::Nothing);
                    body(scope, &indices)
                })
            }
            Value::Field(field) => {
                let ranges = self.ranges(*field);
                if self.b.ir().fields[*field].levels().is_empty() {
                    return self.combinations(&ranges, targets, false, body);
                }
                let field = *field;
                self.combinations(&ranges, targets, false, &mut |scope, indices| {
                    let active = scope.is_element_active(field, indices)?;
                    let choice = scope.b.push(Code::If, None, vec![active], Data::None);
                    scope.block(choice, &mut |scope| body(scope, indices))?;
                    scope.block(choice, &mut |_| Ok(()))
                })
            }
            Value::Range(begin, end) => {
                if targets != 1 {
                    return Err(self.targets(targets, 1));
                }
                let ty = self.primitive(*begin);
                let whole = self.range_for(*begin, *end, parallel);
                self.iterations(whole, parallel, &mut |scope| {
                    let index = scope.b.loop_index(whole, 0, ty);
                    body(scope, &[Value::Number(index)])
                })
            }
            Value::Ranges(ranges) => self.combinations(ranges, targets, parallel, body),
            _ => Err(self.not_here("what is looped over", "loops are over fields, ranges and ndrange")),
        }
    }

    /// The ranges of a field's indices.
    fn ranges(&mut self, field: usize) -> Vec<(Id, Id)> {
        let info = &self.b.ir().fields[field];
        let (shape, offset) = (info.shape.clone(), info.offset.clone());
        let mut ends = Vec::new();
        for (axis, &extent) in shape.iter().enumerate() {
            let first = offset.get(axis).copied().unwrap_or(0);
            let end = i128::from(first) + extent as i128;
            let bits = [i128::from(first), end].map(|end| number::wrapped(PrimitiveType::I32, end));
            ends.push((
                self.b.constant(PrimitiveType::I32, bits[0]),
                self.b.constant(PrimitiveType::I32, bits[1]),
            ));
        }
        ends
    }

    /// An index of a field whose first one is not 0.
    fn plus(&mut self, index: Id, first: i64) -> Id {
        if first == 0 {
            return index;
        }
        let bits = number::wrapped(PrimitiveType::I32, i128::from(first));
        let first = self.b.constant(PrimitiveType::I32, bits);
        self.b.binary(BinaryOp::Add, PrimitiveType::I32, index, first)
    }

    fn targets(&self, given: usize, takes: usize) -> crate::Error {
        self.wrong(Misuse::Arity { name: "for".to_owned(), takes, given })
    }

    fn iterations(&mut self, whole: Id, parallel: bool, body: Body<'_>) -> Result<()> {
        self.loops.push(parallel);
        let written = self.block(whole, body);
        self.loops.pop();
        written
    }

    fn range_for(&mut self, begin: Id, end: Id, parallel: bool) -> Id {
        let order = if parallel { Data::None } else { Data::Serial };
        self.b.push(Code::RangeFor, None, vec![begin, end], order)
    }

    /// All combinations, by one number that goes through them, the last range fastest.
    fn combinations(
        &mut self,
        ranges: &[(Id, Id)],
        targets: usize,
        parallel: bool,
        body: &mut dyn FnMut(&mut Scope, &[Value]) -> Result<()>,
    ) -> Result<()> {
        const INT: PrimitiveType = PrimitiveType::I32;
        if targets != ranges.len() {
            return Err(self.targets(targets, ranges.len()));
        }
        let zero = self.b.constant(INT, 0);
        let mut counts = Vec::new();
        let mut all = self.b.constant(INT, 1);
        for &(begin, end) in ranges {
            let count = self.b.binary(BinaryOp::Sub, INT, end, begin);
            let count = self.b.binary(BinaryOp::Max, INT, count, zero);
            all = self.b.binary(BinaryOp::Mul, INT, all, count);
            counts.push(count);
        }
        let whole = self.range_for(zero, all, parallel);
        self.iterations(whole, parallel, &mut |scope| {
            let mut rest = scope.b.loop_index(whole, 0, INT);
            let mut indices = Vec::new();
            for (&(begin, _), &count) in ranges.iter().zip(&counts).rev() {
                let part = scope.b.binary(BinaryOp::RawMod, INT, rest, count);
                rest = scope.b.binary(BinaryOp::Div, INT, rest, count);
                indices.push(Value::Number(scope.b.binary(BinaryOp::Add, INT, part, begin)));
            }
            indices.reverse();
            body(scope, &indices)
        })
    }

    /// `break`.
    ///
    /// # Errors
    /// [`Misuse::Here`] outside of loops, and in parallel ones.
    pub fn break_loop(&mut self) -> Result<()> {
        match self.loops.last() {
            Some(false) => {
                self.b.push(Code::Break, None, Vec::new(), Data::None);
                Ok(())
            }
            Some(true) => {
                Err(self
                    .not_here("`break`", "a parallel loop cannot be left: its iterations are in no order"))
            }
            None => Err(self.not_here("`break`", "there is no loop")),
        }
    }

    /// `continue`.
    ///
    /// # Errors
    /// [`Misuse::Here`] outside of loops.
    pub fn continue_loop(&mut self) -> Result<()> {
        if self.loops.is_empty() {
            return Err(self.not_here("`continue`", "there is no loop"));
        }
        self.b.push(Code::Continue, None, Vec::new(), Data::None);
        Ok(())
    }

    /// `return value`, or `return`.
    ///
    /// # Errors
    /// [`Misuse::Here`] in parallel loops, and for a value where none is declared or the other way round.
    pub fn give(&mut self, value: Option<&Value>) -> Result<()> {
        if self.functions.is_empty() && self.loops.contains(&true) {
            return Err(
                self.not_here("`return`", "a parallel loop cannot be left: its iterations are in no order")
            );
        }
        match (self.functions.last().cloned(), value) {
            (Some(Some(to)), Some(value)) => self.assign(&to, value)?,
            (None, Some(value)) => {
                let Some(ty) = self.result else {
                    return Err(self.not_here("a value that is returned", "the kernel has no result"));
                };
                let x = self.number(value)?;
                let (_, warning) =
                    self.typed(check_assign(ty.into(), self.primitive(x).into(), &self.typing))?;
                self.warn(warning);
                let x = self.b.cast(x, ty);
                self.b.push(Code::Result, None, vec![x], Data::None);
            }
            (Some(None), Some(_)) => {
                return Err(self.not_here("a value that is returned", "the function has no result"));
            }
            (Some(Some(_)), None) => return Err(self.not_here("`return`", "the function has a result")),
            (None, None) if self.result.is_some() => {
                return Err(self.not_here("`return`", "the kernel has a result"));
            }
            _ => {}
        }
        self.b.push(Code::Return, None, Vec::new(), Data::None);
        Ok(())
    }

    /// The body of a function, inlined. One with early returns has a result of a named type, or none; else it gives what
    /// its end gives, in the named type if there is one.
    ///
    /// # Errors
    /// What is wrong in the body; [`Misuse::Here`] for functions that call themselves.
    pub fn function(
        &mut self,
        result: Option<&str>,
        early: bool,
        body: &mut dyn FnMut(&mut Scope) -> Result<Option<Value>>,
    ) -> Result<Value> {
        const DEEPEST: usize = 64;
        if self.functions.len() >= DEEPEST {
            return Err(self.not_here("a function", "functions are inlined, and must not call themselves"));
        }
        let to = match result {
            Some(name) if early => {
                let ty = self.typed(self.typing.named(name))?;
                Some(Value::Place(self.b.alloca(ty)))
            }
            _ => None,
        };
        let outer_loops = std::mem::take(&mut self.loops);
        self.functions.push(to.clone());
        let mut last = None;
        let written = if early {
            let whole = self.b.push(Code::Inline, None, Vec::new(), Data::None);
            self.block(whole, &mut |scope| match (body(scope)?, &to) {
                (Some(value), Some(to)) => scope.assign(to, &value),
                _ => Ok(()),
            })
        } else {
            body(self).map(|value| last = value)
        };
        self.functions.pop();
        self.loops = outer_loops;
        written?;
        match (to, last, result) {
            (Some(to), ..) => Ok(to),
            (None, Some(value), Some(name)) => self.cast(&value, name),
            (None, Some(value), None) => Ok(value),
            _ => Ok(Value::Nothing),
        }
    }

    /// A number of an argument of a function, in the type that it says, as a variable.
    ///
    /// # Errors
    /// [`Error::TypeAt`](crate::Error::TypeAt) for names of no type.
    pub fn take(&mut self, value: &Value, ty: Option<&str>) -> Result<Value> {
        let value = match ty {
            Some(name) => self.cast(value, name)?,
            None => value.clone(),
        };
        self.declare(&value)
    }

    /// Sets the span of what comes next for the time of a call.
    pub fn spanned<R>(&mut self, span: Span, write: impl FnOnce(&mut Scope) -> R) -> R {
        let before = self.set_span(Some(span));
        let written = write(self);
        self.set_span(before);
        written
    }

    /// Sets the span of what comes next; gives the one before.
    pub fn set_span(&mut self, span: Option<Span>) -> Option<Span> {
        let before = self.b.span();
        self.b.set_span(span);
        before
    }
}

//! Conditionals and loops of kernels.

use super::builder::KernelBuilder;
use super::value::{KernelOperand, KernelValue};
use super::{KernelError, SourceLocation};
use crate::ir::{Code, Id, Type};
use crate::program::{Site, SiteKind};
use ivy_core::Dtype;
use std::panic::Location;

impl KernelBuilder {
    /// Writes the statements of a block.
    fn within<R>(&self, statements: impl FnOnce() -> R) -> R {
        let depth = {
            let mut body = self.body.borrow_mut();
            let scope = body.next_scope;
            body.next_scope += 1;
            body.scopes.push(scope);
            body.scopes.len() - 1
        };
        let given = statements();
        self.body.borrow_mut().scopes.truncate(depth);
        given
    }

    /// Statements of the elements for which a truth value is true.
    #[track_caller]
    pub fn if_(&self, condition: &KernelValue, then: impl FnOnce()) {
        let condition = self.truth(condition, "if_", Location::caller());
        self.branches(condition, then, || {});
    }

    /// Statements of the elements for which a truth value is true, and others of those for which it is false.
    #[track_caller]
    pub fn if_else(&self, condition: &KernelValue, then: impl FnOnce(), otherwise: impl FnOnce()) {
        let condition = self.truth(condition, "if_else", Location::caller());
        self.branches(condition, then, otherwise);
    }

    fn branches(&self, condition: Id, then: impl FnOnce(), otherwise: impl FnOnce()) {
        let mut open = self.body.borrow_mut().builder.open_if(condition);
        self.within(then);
        self.body.borrow_mut().builder.otherwise(&mut open, &[]);
        self.within(otherwise);
        self.body.borrow_mut().builder.close_if(open, &[]);
    }

    /// Statements that are repeated while a condition, which is computed each time, is true.
    #[track_caller]
    pub fn while_(&self, condition: impl FnOnce() -> KernelValue, statements: impl FnOnce()) {
        let location = Location::caller();
        self.repeated(None, location, |_| condition(), |_| statements());
    }

    /// Statements that are repeated for the numbers from `begin` to before `end`, which are int64.
    #[track_caller]
    pub fn for_range(
        &self,
        begin: impl KernelOperand,
        end: impl KernelOperand,
        statements: impl FnOnce(&KernelValue),
    ) {
        let location = Location::caller();
        let [begin, end] =
            [begin.value(&self.body, Dtype::INT64, location), end.value(&self.body, Dtype::INT64, location)];
        for bound in [&begin, &end] {
            let mut body = self.body.borrow_mut();
            body.sees(&self.body, bound, location);
            if bound.dtype != Dtype::INT64 {
                let (operation, dtype) = ("for_range", bound.dtype);
                body.note(|| KernelError::Domain { operation, dtype, location });
            }
        }
        let first = {
            let mut body = self.body.borrow_mut();
            if body.error.is_some() { body.any(Dtype::INT64) } else { begin.id }
        };
        self.repeated(Some(first), location, |number| number.less(&end), statements);
    }

    /// A loop, which carries a number that is counted up if it is given one; else the closures have no use for theirs.
    fn repeated(
        &self,
        first: Option<Id>,
        location: SourceLocation,
        condition: impl FnOnce(&KernelValue) -> KernelValue,
        statements: impl FnOnce(&KernelValue),
    ) {
        let mut body = self.body.borrow_mut();
        let [zero, one] = [0, 1].map(|n| body.builder.constant(Type::I64, n));
        let limit = body.loop_limit;
        let mut carried = vec![first.unwrap_or(zero)];
        carried.extend(limit.map(|_| zero));
        let (open, now) = body.builder.open_loop(&carried);
        drop(body);
        self.within(|| {
            let scope = self.body.borrow().scope();
            let number = KernelValue { body: self.body.clone(), dtype: Dtype::INT64, id: now[0], scope };
            let goes_on = condition(&number);
            let mut goes_on = self.truth(&goes_on, "a loop's condition", location);
            let mut body = self.body.borrow_mut();
            if let (Some(limit), Some(&iteration)) = (limit, now.get(1)) {
                let most = body.builder.constant(Type::I64, limit as u64);
                let within = body.builder.binary(Code::Lt, iteration, most);
                let without = body.builder.unary(Code::Not, within);
                let over = body.builder.binary(Code::And, goes_on, without);
                let text = format!("a loop was repeated more than {limit} times");
                let (place, kind) = (location.to_string(), SiteKind::Assertion);
                body.record(over, Site { kind, place, text, values: vec![] }, None, &[]);
                goes_on = body.builder.binary(Code::And, goes_on, within);
            }
            body.builder.while_true(goes_on);
            drop(body);
            statements(&number);
        });
        let mut body = self.body.borrow_mut();
        let next: Vec<Id> = now.iter().map(|&x| body.builder.binary(Code::Add, x, one)).collect();
        body.builder.close_loop(open, &next);
    }
}

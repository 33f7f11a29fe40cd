//! What debug mode checks of integers: amounts of shifts, and results that their type does not hold.

use super::scope::Scope;
use crate::ir::{Code, Data, Id};
use ivy_taichi_types::{BinaryOp, PrimitiveType};

impl Scope {
    /// That the amount of a shift is one of the bits of what is shifted (T-06).
    pub(super) fn check_shift(&mut self, op: BinaryOp, shifted: Id, amount: Id) {
        if !self.debug || !matches!(op, BinaryOp::BitShl | BinaryOp::BitShr | BinaryOp::BitSar) {
            return;
        }
        let (ty, bits) = (self.primitive(amount), self.primitive(shifted).bits());
        let truth = self.typing.truth();
        let [zero, end] = [0, u64::from(bits)].map(|n| self.b.constant(ty, n));
        let above = self.b.binary(BinaryOp::CmpGe, truth, amount, zero);
        let below = self.b.binary(BinaryOp::CmpLt, truth, amount, end);
        let inside = self.b.binary(BinaryOp::BitAnd, truth, above, below);
        let text = format!("a shift of {} by {{}} bits", self.primitive(shifted));
        self.b.push(Code::Assert, None, vec![inside, amount], Data::Text(text));
    }

    /// Says where a sum, difference, product or shift of integers is not what its type holds, and goes on, as Taichi does.
    pub(super) fn check_overflow(&mut self, op: BinaryOp, x: Id, y: Id, result: Id) {
        let name = match op {
            BinaryOp::Add => "Addition",
            BinaryOp::Sub => "Subtraction",
            BinaryOp::Mul => "Multiplication",
            BinaryOp::BitShl => "Shift left",
            _ => return,
        };
        let ty = self.primitive(result);
        let constant = |scope: &Scope, id: Id| scope.b.ir().constant(id).is_some();
        if !self.debug || ty.is_real() || ty == PrimitiveType::U1 || constant(self, x) && constant(self, y) {
            return;
        }
        let Some(differs) = self.overflows(op, x, y, result) else { return };
        let place = self.b.span().map_or_else(String::new, |span| {
            let place = span.place();
            format!(" in {}:{}:\n{}", place.file, place.line, place.text.replace(['{', '}'], " "))
        });
        let choice = self.b.push(Code::If, None, vec![differs], Data::None);
        for says in [true, false] {
            let outer = self.b.open(choice);
            if says {
                self.b.push(
                    Code::Print,
                    None,
                    Vec::new(),
                    Data::Text(format!("{name} overflow detected{place}\n")),
                );
            }
            self.b.close(outer);
        }
    }

    /// Whether a result is not that of unbounded integers.
    fn overflows(&mut self, op: BinaryOp, x: Id, y: Id, result: Id) -> Option<Id> {
        const WIDE: PrimitiveType = PrimitiveType::I64;
        let (ty, truth) = (self.primitive(result), self.typing.truth());
        if op == BinaryOp::BitShl {
            let back = if ty.is_signed() { BinaryOp::BitSar } else { BinaryOp::BitShr };
            let back = self.b.binary(back, ty, result, y);
            return Some(self.b.binary(BinaryOp::CmpNe, truth, back, x));
        }
        if ty.bits() < 64 {
            let [x, y, own] = [x, y, result].map(|id| self.b.cast(id, WIDE));
            let exact = self.b.binary(op, WIDE, x, y);
            return Some(self.b.binary(BinaryOp::CmpNe, truth, exact, own));
        }
        let zero = self.b.constant(ty, 0);
        Some(match (op, ty.is_signed()) {
            (BinaryOp::Add, false) => self.b.binary(BinaryOp::CmpLt, truth, result, x),
            (BinaryOp::Sub, false) => self.b.binary(BinaryOp::CmpLt, truth, x, y),
            (BinaryOp::Add | BinaryOp::Sub, true) => {
                // The signs of both operands, the second one's as it is added, are not that of the result.
                let first = self.b.binary(BinaryOp::BitXor, ty, x, result);
                let other = if op == BinaryOp::Add { result } else { x };
                let second = self.b.binary(BinaryOp::BitXor, ty, y, other);
                let both = self.b.binary(BinaryOp::BitAnd, ty, first, second);
                self.b.binary(BinaryOp::CmpLt, truth, both, zero)
            }
            (BinaryOp::Mul, _) => {
                // A divisor of 0 gives 0 here, and -1 of the least number itself.
                let back = self.b.binary(BinaryOp::Div, ty, result, x);
                let differs = self.b.binary(BinaryOp::CmpNe, truth, back, y);
                let there = self.b.binary(BinaryOp::CmpNe, truth, x, zero);
                self.b.binary(BinaryOp::BitAnd, truth, differs, there)
            }
            _ => return None,
        })
    }
}

//! Writing statements in the midst of others.

use crate::ir::{Code, Data, Id, Ir, Statement};
use crate::span::Span;
use ivy_taichi_types::{BinaryOp, PrimitiveType};

/// Adds statements to a list of a block that is being rewritten.
pub struct Edit<'ir> {
    /// The kernel.
    pub ir: &'ir mut Ir,
    /// What the block has so far.
    pub out: Vec<Id>,
    /// The span of what is added.
    pub span: Option<Span>,
}

impl Edit<'_> {
    /// A statement.
    pub fn push(&mut self, code: Code, ty: Option<PrimitiveType>, operands: &[Id], data: Data) -> Id {
        let blocks = (0..code.blocks()).map(|_| self.ir.add_block()).collect();
        let operands = operands.to_vec();
        let id = self.ir.add(Statement { code, ty, operands, blocks, data, span: self.span });
        self.out.push(id);
        id
    }

    /// A constant.
    pub fn constant(&mut self, ty: PrimitiveType, bits: u64) -> Id {
        self.push(Code::Constant, Some(ty), &[], Data::Bits(bits))
    }

    /// An operation on two values of one type.
    pub fn binary(&mut self, op: BinaryOp, ty: PrimitiveType, x: Id, y: Id) -> Id {
        self.push(Code::Binary, Some(ty), &[x, y], Data::Binary(op))
    }

    /// A value in another type.
    pub fn cast(&mut self, x: Id, ty: PrimitiveType) -> Id {
        if self.ir.statement(x).ty == Some(ty) {
            x
        } else {
            self.push(Code::Cast, Some(ty), &[x], Data::None)
        }
    }

    /// A variable's value.
    pub fn load(&mut self, variable: Id) -> Id {
        let ty = self.ir.statement(variable).ty;
        self.push(Code::LocalLoad, ty, &[variable], Data::None)
    }

    /// Sets a variable.
    pub fn store(&mut self, variable: Id, value: Id) {
        self.push(Code::LocalStore, None, &[variable, value], Data::None);
    }

    /// A truth variable, at first true.
    pub fn flag(&mut self) -> Id {
        let flag = self.push(Code::Alloca, Some(PrimitiveType::U1), &[], Data::None);
        self.set_flag(flag, true);
        flag
    }

    /// Sets a truth variable.
    pub fn set_flag(&mut self, flag: Id, value: bool) {
        let value = self.constant(PrimitiveType::U1, u64::from(value));
        self.store(flag, value);
    }
}

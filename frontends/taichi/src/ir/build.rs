//! Making IR, statement by statement, into the block that is open.

use super::{Code, Data, FieldInfo, Id, Ir, Statement, TOP};
use crate::span::Span;
use ivy_taichi_types::{AtomicOp, BinaryOp, PrimitiveType, UnaryOp};

/// Makes a kernel. It types nothing by itself: operands must be of the types that statements want.
#[derive(Debug)]
pub struct Builder {
    ir: Ir,
    open: usize,
    span: Option<Span>,
}

impl Builder {
    /// A kernel of a name with these fields and scalar arguments.
    pub fn new(name: &str, fields: Vec<FieldInfo>, arguments: Vec<PrimitiveType>) -> Builder {
        let (name, blocks) = (name.to_owned(), vec![Vec::new()]);
        let (statements, temporaries) = (Vec::new(), Vec::new());
        let ir =
            Ir { name, statements, blocks, arguments, fields, result: None, loop_limit: None, temporaries };
        Builder { ir, open: TOP, span: None }
    }

    /// What there is so far.
    pub fn ir(&self) -> &Ir {
        &self.ir
    }

    /// The span of what comes next.
    pub fn set_span(&mut self, span: Option<Span>) {
        self.span = span;
    }

    /// The span of what comes next.
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// The type of a value, or of what it points to.
    pub fn ty(&self, id: Id) -> Option<PrimitiveType> {
        self.ir.statement(id).ty
    }

    /// A statement.
    pub fn push(&mut self, code: Code, ty: Option<PrimitiveType>, operands: Vec<Id>, data: Data) -> Id {
        let statement = Statement { code, ty, operands, blocks: Vec::new(), data, span: self.span };
        let id = self.ir.add(statement);
        self.ir.blocks[self.open].push(id);
        id
    }

    /// A constant by its bits.
    pub fn constant(&mut self, ty: PrimitiveType, bits: u64) -> Id {
        self.push(Code::Constant, Some(ty), Vec::new(), Data::Bits(bits))
    }

    /// A scalar argument.
    pub fn argument(&mut self, number: usize) -> Id {
        let ty = self.ir.arguments.get(number).copied();
        self.push(Code::Argument, ty, Vec::new(), Data::Number(number))
    }

    /// A local variable.
    pub fn alloca(&mut self, ty: PrimitiveType) -> Id {
        self.push(Code::Alloca, Some(ty), Vec::new(), Data::None)
    }

    /// Gives a local variable that nothing has read or written yet another type.
    pub fn retype(&mut self, variable: Id, ty: PrimitiveType) {
        self.ir.statement_mut(variable).ty = Some(ty);
    }

    /// The value of what a pointer names.
    pub fn load(&mut self, pointer: Id) -> Id {
        let is_local = matches!(self.ir.statement(pointer).code, Code::Alloca | Code::Temporary);
        let code = if is_local { Code::LocalLoad } else { Code::GlobalLoad };
        self.push(code, self.ty(pointer), vec![pointer], Data::None)
    }

    /// Writes what a pointer names.
    pub fn store(&mut self, pointer: Id, value: Id) {
        let is_local = matches!(self.ir.statement(pointer).code, Code::Alloca | Code::Temporary);
        let code = if is_local { Code::LocalStore } else { Code::GlobalStore };
        self.push(code, None, vec![pointer, value], Data::None);
    }

    /// A component of an element of a field.
    pub fn global_ptr(&mut self, field: usize, component: usize, indices: Vec<Id>) -> Id {
        let ty = self.ir.fields.get(field).map(|f| f.ty);
        self.push(Code::GlobalPtr, ty, indices, Data::Component { field, component })
    }

    /// An atomic, which gives what was there before.
    pub fn atomic(&mut self, op: AtomicOp, pointer: Id, value: Id) -> Id {
        self.push(Code::Atomic, self.ty(pointer), vec![pointer, value], Data::Atomic(op))
    }

    /// An operation on one value, of this result.
    pub fn unary(&mut self, op: UnaryOp, ty: PrimitiveType, x: Id) -> Id {
        self.push(Code::Unary, Some(ty), vec![x], Data::Unary(op))
    }

    /// An operation on two values of one type, of this result.
    pub fn binary(&mut self, op: BinaryOp, ty: PrimitiveType, x: Id, y: Id) -> Id {
        self.push(Code::Binary, Some(ty), vec![x, y], Data::Binary(op))
    }

    /// The value in another type; itself if it has the type already.
    pub fn cast(&mut self, x: Id, ty: PrimitiveType) -> Id {
        if self.ty(x) == Some(ty) { x } else { self.push(Code::Cast, Some(ty), vec![x], Data::None) }
    }

    /// Begins a block of a statement; [`Builder::close`] gets what it gives.
    pub fn open(&mut self, of: Id) -> usize {
        let block = self.ir.add_block();
        self.ir.statement_mut(of).blocks.push(block);
        std::mem::replace(&mut self.open, block)
    }

    /// Ends the block that was begun last.
    pub fn close(&mut self, outer: usize) {
        self.open = outer;
    }

    /// An index of a loop.
    pub fn loop_index(&mut self, of: Id, axis: usize, ty: PrimitiveType) -> Id {
        self.push(Code::LoopIndex, Some(ty), vec![of], Data::Number(axis))
    }

    /// Gives the kernel's result.
    pub fn set_result(&mut self, ty: PrimitiveType) {
        self.ir.result = Some(ty);
    }

    /// The finished kernel.
    pub fn finish(self) -> Ir {
        self.ir
    }
}

//! What a well-formed kernel is. Each [`Rule`] has a test that breaks it.

use super::{Code, Data, Gives, Id, Ir, Limit, TOP, TaskKind};
use ivy_taichi_types::{BinaryOp, PrimitiveType};
use std::fmt;

/// The rules, in the words of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Statements are in one block, and blocks in one statement.
    Once,
    /// A statement has as many operands as its code says.
    Operands,
    /// A statement holds as many blocks as its code says.
    Blocks,
    /// What is used comes before, in the block or one around it.
    Known,
    /// Operands that are values give values, and pointers point.
    Kinds,
    /// What gives something has a type, what gives nothing has none.
    Typed,
    /// A statement holds the data that its code wants, within what there is.
    Data,
    /// Local loads and stores name variables, global ones elements of fields.
    Memory,
    /// What is stored is of the type that it is stored to.
    Stored,
    /// Operands of operations are of one type; of comparisons the value's type is a truth value's.
    Operation,
    /// Loop indices are in the loop that they name.
    LoopIndex,
    /// Breaks, continues and the like are in a loop.
    InLoop,
    /// A while loop asks for its next iteration once, in its own block.
    Asks,
    /// Tasks stand in the top block, with nothing beside them.
    Tasks,
    /// A pointer into a field has an index for each axis.
    Indices,
    /// Bounds of ranges are i32 or i64, of one type.
    Range,
}

impl Rule {
    /// What it asks for.
    pub const fn text(self) -> &'static str {
        match self {
            Rule::Once => "a statement is in one block, and a block in one statement",
            Rule::Operands => "a statement has as many operands as its code says",
            Rule::Blocks => "a statement holds as many blocks as its code says",
            Rule::Known => "what is used comes before, in the block or one around it",
            Rule::Kinds => "operands are values where values are wanted, and pointers where these are",
            Rule::Typed => "what gives something has a type",
            Rule::Data => "a statement holds the data that its code wants",
            Rule::Memory => "local loads and stores name variables, global ones elements of fields",
            Rule::Stored => "what is stored is of the type that it is stored to",
            Rule::Operation => "operands of an operation are of one type",
            Rule::LoopIndex => "a loop index is in the loop that it names",
            Rule::InLoop => "breaks and continues are in a loop",
            Rule::Asks => "a while loop asks for its next iteration once, in its own block",
            Rule::Tasks => "tasks stand in the top block, with nothing beside them",
            Rule::Indices => "a pointer into a field has an index for each axis, an i32",
            Rule::Range => "bounds of ranges are i32 or i64, of one type",
        }
    }
}

/// A rule that a statement breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The statement.
    pub statement: Id,
    /// The rule.
    pub rule: Rule,
    /// The code of the statement.
    pub code: Code,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "statement {} ({}): {}", self.statement.0, self.code.name(), self.rule.text())
    }
}

struct Verifier<'ir> {
    ir: &'ir Ir,
    known: Vec<bool>,
    seen: Vec<bool>,
    held: Vec<bool>,
    /// The loops and tasks around.
    around: Vec<Id>,
    broken: Vec<Broken>,
}

/// Checks a kernel against every rule; gives all that is broken.
///
/// # Errors
/// What is broken, in order.
pub fn verify(ir: &Ir) -> Result<(), Vec<Broken>> {
    let (count, blocks) = (ir.statements.len(), ir.blocks.len());
    let mut verifier = Verifier {
        ir,
        known: vec![false; count],
        seen: vec![false; count],
        held: vec![false; blocks],
        around: Vec::new(),
        broken: Vec::new(),
    };
    verifier.block(TOP);
    if verifier.broken.is_empty() { Ok(()) } else { Err(verifier.broken) }
}

impl Verifier<'_> {
    fn check(&mut self, id: Id, rule: Rule, holds: bool) {
        if !holds {
            self.broken.push(Broken { statement: id, rule, code: self.ir.statement(id).code });
        }
    }

    fn block(&mut self, block: usize) {
        let ids = &self.ir.blocks[block];
        for &id in ids {
            if id.index() >= self.seen.len() || std::mem::replace(&mut self.seen[id.index()], true) {
                if id.index() < self.seen.len() {
                    self.check(id, Rule::Once, false);
                }
                continue;
            }
            self.statement(id, block);
            self.known[id.index()] = true;
        }
        ids.iter().for_each(|id| self.known[id.index()] = false);
    }

    fn statement(&mut self, id: Id, block: usize) {
        let s = self.ir.statement(id);
        self.check(id, Rule::Operands, s.code.count().allows(s.operands.len()));
        self.check(id, Rule::Blocks, s.blocks.len() == s.code.blocks());
        self.check(id, Rule::Typed, s.ty.is_some() == (s.code.gives() != Gives::Nothing));
        let named = |id: &Id| self.known.get(id.index()) == Some(&true) || self.around.contains(id);
        let all_known = s.operands.iter().all(named);
        self.check(id, Rule::Known, all_known);
        if all_known && s.code.count().allows(s.operands.len()) {
            let data = self.data_fits(id);
            self.check(id, Rule::Data, data);
            self.kinds(id);
            if data {
                self.types(id);
            }
        }
        let in_tasks = s.code == Code::Offloaded || block != TOP || self.ir.tasks().next().is_none();
        self.check(id, Rule::Tasks, in_tasks && (s.code != Code::Offloaded || block == TOP));
        let in_loop =
            self.around.iter().any(|&a| self.ir.statement(a).code != Code::Offloaded || self.is_loop(a));
        let wants_loop = matches!(s.code, Code::Break | Code::Continue | Code::WhileControl);
        self.check(id, Rule::InLoop, !wants_loop || in_loop);
        if s.code == Code::WhileControl {
            let own = self.around.last().map(|&a| self.ir.statement(a));
            let is_own = own.is_some_and(|own| own.code == Code::While && own.blocks.first() == Some(&block));
            self.check(id, Rule::Asks, is_own);
        }
        if s.code == Code::While {
            let asks = |&&inner: &&Id| self.ir.statement(inner).code == Code::WhileControl;
            let block = s.blocks.first().and_then(|&inner| self.ir.blocks.get(inner));
            self.check(id, Rule::Asks, block.is_some_and(|ids| ids.iter().filter(asks).count() == 1));
        }
        let loops = matches!(s.code, Code::RangeFor | Code::StructFor | Code::While | Code::Offloaded);
        if loops {
            self.around.push(id);
        }
        for &inner in &s.blocks {
            let fresh = self.held.get(inner) == Some(&false) && inner != TOP;
            self.check(id, Rule::Once, fresh);
            if fresh {
                self.held[inner] = true;
                self.block(inner);
            }
        }
        if loops {
            self.around.pop();
        }
    }

    fn is_loop(&self, task: Id) -> bool {
        !matches!(self.ir.statement(task).data, Data::Task(TaskKind::Serial))
    }

    fn data_fits(&self, id: Id) -> bool {
        let s = self.ir.statement(id);
        use Code as C;
        match (&s.data, s.code) {
            (Data::Bits(_), C::Constant) | (Data::Number(_), C::LoopIndex) => true,
            (Data::Number(n), C::Temporary) => self.ir.temporaries.get(*n).copied() == s.ty,
            (Data::Number(n), C::Argument) => self.ir.arguments.get(*n).copied() == s.ty,
            (Data::Component { field, .. }, C::StructFor) => *field < self.ir.fields.len(),
            (Data::Component { field, .. }, C::Activate) => *field < self.ir.fields.len(),
            (Data::Component { field, .. }, C::IsActive | C::Deactivate | C::Length | C::Append) => {
                self.ir.fields.get(*field).is_some_and(|f| !f.levels().is_empty())
            }
            (Data::Component { field, component }, C::GlobalPtr | C::Linearize | C::ElementPtr) => {
                self.ir.fields.get(*field).is_some_and(|f| *component < f.components.len())
            }
            (Data::Unary(_), C::Unary) | (Data::Binary(_), C::Binary) | (Data::Atomic(_), C::Atomic) => true,
            (Data::Text(_), C::Print | C::Assert | C::CheckBounds) => true,
            (Data::Task(TaskKind::StructFor { field }), C::Offloaded) => *field < self.ir.fields.len(),
            (
                Data::Task(
                    TaskKind::RangeFor { end: Limit::Temporary(n), .. }
                    | TaskKind::ListGen { end: Limit::Temporary(n), .. },
                ),
                C::Offloaded,
            ) => self.ir.temporaries.get(*n) == Some(&PrimitiveType::I64),
            (Data::Task(_), C::Offloaded) => true,
            (Data::None, C::Constant | C::Temporary | C::LoopIndex | C::Argument | C::StructFor) => false,
            (Data::None, C::GlobalPtr | C::Linearize | C::ElementPtr | C::Unary | C::Binary | C::Atomic) => {
                false
            }
            (Data::None, C::Print | C::Assert | C::CheckBounds | C::Offloaded) => false,
            (Data::None, C::Activate | C::IsActive | C::Deactivate | C::Length | C::Append) => false,
            (Data::None, _) | (Data::Serial, C::RangeFor) => true,
            _ => false,
        }
    }

    /// Pointers stand first where they are wanted; all else is values, but what loop indices name.
    fn kinds(&mut self, id: Id) {
        let s = self.ir.statement(id);
        let gives = |n: usize| s.operands.get(n).map(|&o| self.ir.statement(o).code.gives());
        let points =
            matches!(s.code, Code::LocalLoad | Code::LocalStore | Code::GlobalLoad | Code::GlobalStore)
                || matches!(s.code, Code::Atomic | Code::CompareAndSwap);
        let fits = (0..s.operands.len()).all(|n| match s.code {
            Code::LoopIndex => true,
            _ if points && n == 0 => gives(n) == Some(Gives::Pointer),
            _ => gives(n) == Some(Gives::Value),
        });
        self.check(id, Rule::Kinds, fits);
    }

    fn types(&mut self, id: Id) {
        let s = self.ir.statement(id);
        let ty = |n: usize| s.operands.get(n).and_then(|&o| self.ir.statement(o).ty);
        let code = |n: usize| s.operands.get(n).map(|&o| self.ir.statement(o).code);
        let local = matches!(code(0), Some(Code::Alloca | Code::Temporary));
        match s.code {
            Code::LocalLoad => {
                self.check(id, Rule::Memory, local);
                self.check(id, Rule::Stored, ty(0) == s.ty);
            }
            Code::GlobalLoad => {
                self.check(id, Rule::Memory, !local);
                self.check(id, Rule::Stored, ty(0) == s.ty);
            }
            Code::LocalStore | Code::GlobalStore => {
                self.check(id, Rule::Memory, local == (s.code == Code::LocalStore));
                self.check(id, Rule::Stored, ty(0) == ty(1));
            }
            Code::Atomic => self.check(id, Rule::Stored, ty(0) == ty(1) && ty(0) == s.ty),
            Code::CompareAndSwap => {
                self.check(id, Rule::Stored, ty(0) == ty(1) && ty(0) == ty(2) && ty(0) == s.ty);
            }
            Code::Result => self.check(id, Rule::Stored, ty(0) == self.ir.result),
            Code::Binary => {
                let Data::Binary(op) = s.data else { return };
                let gives = s.ty == ty(0) || compares(op);
                self.check(id, Rule::Operation, (ty(0) == ty(1) || shifts(op)) && gives);
            }
            Code::Select => self.check(id, Rule::Operation, ty(1) == ty(2) && ty(1) == s.ty),
            Code::BitCast => {
                let bits = |ty: Option<PrimitiveType>| ty.map(|ty| ty.bits());
                self.check(id, Rule::Operation, bits(ty(0)) == bits(s.ty));
            }
            Code::RangeFor => {
                let whole = matches!(ty(0), Some(PrimitiveType::I32 | PrimitiveType::I64));
                self.check(id, Rule::Range, whole && ty(0) == ty(1));
            }
            Code::GlobalPtr
            | Code::Linearize
            | Code::Activate
            | Code::IsActive
            | Code::Deactivate
            | Code::Length
            | Code::Append => {
                let Data::Component { field, .. } = s.data else { return };
                let axes = self.ir.fields[field].shape.len();
                let whole = (0..s.operands.len()).all(|n| ty(n) == Some(PrimitiveType::I32));
                self.check(id, Rule::Indices, s.operands.len() == axes && whole);
            }
            Code::LoopIndex => {
                let Data::Number(axis) = s.data else { return };
                let of = s.operands[0];
                let axes = match self.ir.statement(of).data {
                    Data::Component { field, .. } | Data::Task(TaskKind::StructFor { field }) => {
                        self.ir.fields.get(field).map_or(0, |f| f.shape.len())
                    }
                    _ => 1,
                };
                let inside = self.around.contains(&of) && self.ir.statement(of).code != Code::While;
                self.check(id, Rule::LoopIndex, inside && axis < axes);
            }
            _ => {}
        }
    }
}

/// True for shifts and powers, whose second operand may be of another type.
const fn shifts(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::BitShl | BinaryOp::BitShr | BinaryOp::BitSar | BinaryOp::Pow)
}

/// True for comparisons, which give a truth value.
const fn compares(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, CmpLt | CmpLe | CmpGt | CmpGe | CmpEq | CmpNe | LogicalAnd | LogicalOr)
}

//! Making kernels: each value goes into the outermost block in which its operands are known.

use super::{
    Access, Branches, Calls, Carried, Code, Effects, Guarantees, Id, Kernel, Operands, Param, Place, Rule,
    Statement, Type,
};
use smallvec::smallvec;

/// Makes a kernel, statement by statement. What depends on no element goes to the top block.
#[derive(Debug)]
pub struct Builder {
    kernel: Kernel,
    /// Whether each statement is made for each element.
    inner: Vec<bool>,
    /// The block that takes what is made for each element.
    open: usize,
    /// Whether float16 has statements of its own; else it is written in those of integers.
    halves: bool,
}

/// A block for what is rare that is being written.
#[derive(Debug)]
#[must_use]
pub struct Rare {
    block: Option<usize>,
    outer: usize,
}

/// A loop whose block is being written.
#[derive(Debug)]
#[must_use]
pub struct Loop {
    statement: Id,
    block: usize,
    outer: usize,
}

/// A conditional, one of whose branches is being written.
#[derive(Debug)]
#[must_use]
pub struct Conditional {
    statement: Id,
    blocks: Branches,
    outer: usize,
    types: Vec<Type>,
}

const TOP: usize = 0;
const BODY: usize = 1;

impl Builder {
    /// A kernel with these parameters.
    pub fn new(params: Vec<Param>) -> Builder {
        let blocks = vec![Vec::new(), Vec::new()];
        let kernel = Kernel {
            params,
            statements: Vec::new(),
            blocks,
            effects: None,
            guarantees: Guarantees::default(),
            calls: Calls::default(),
        };
        Builder { kernel, inner: Vec::new(), open: BODY, halves: true }
    }

    /// A kernel that may write to memory (`effects.rs` has its statements).
    pub fn with_effects(params: Vec<Param>, effects: Effects) -> Builder {
        let mut builder = Builder::new(params);
        builder.kernel.effects = Some(effects);
        builder
    }

    pub(super) fn guarantees(&mut self) -> &mut Guarantees {
        &mut self.kernel.guarantees
    }

    /// Chooses whether float16 is converted by statements of its own.
    pub fn with_halves(self, halves: bool) -> Builder {
        Builder { halves, ..self }
    }

    /// True if it is.
    pub fn has_halves(&self) -> bool {
        self.halves
    }

    /// The type of a value.
    pub fn ty(&self, id: Id) -> Type {
        self.kernel.statement(id).ty
    }

    /// The parameters.
    pub fn params(&self) -> &[Param] {
        &self.kernel.params
    }

    /// Adds a parameter, before the log if there is one; gives its number.
    pub fn param(&mut self, param: Param) -> u32 {
        let params = &mut self.kernel.params;
        let has_log = params.last().is_some_and(|p| p.access == Access::Log);
        let number = params.len() - usize::from(has_log);
        params.insert(number, param);
        let names_log = |s: &&mut Statement| s.code == Code::Memory && s.imm == number as u64;
        self.kernel.statements.iter_mut().filter(names_log).for_each(|s| s.imm += 1);
        number as u32
    }

    /// Writes memory of each element's own, before all that its elements do.
    pub(super) fn push_first(&mut self, code: Code, ty: Type, imm: u64) -> Id {
        let id = self.add(Statement { code, ty, operands: smallvec![], imm }, true);
        self.kernel.blocks[BODY].insert(0, id);
        id
    }

    fn add(&mut self, statement: Statement, inner: bool) -> Id {
        let id = Id(self.kernel.statements.len() as u32);
        self.kernel.statements.push(statement);
        self.inner.push(inner);
        id
    }

    pub(super) fn push(&mut self, code: Code, ty: Type, operands: Operands, imm: u64, inner: bool) -> Id {
        let id = self.add(Statement { code, ty, operands, imm }, inner);
        self.kernel.blocks[if inner { self.open } else { TOP }].push(id);
        id
    }

    pub(super) fn apply(&mut self, code: Code, ty: Type, operands: Operands) -> Id {
        let inner = operands.iter().any(|o| self.inner[o.0 as usize]);
        self.push(code, ty, operands, 0, inner)
    }

    /// A constant by its bits, of which those above the type's width are dropped.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Id {
        self.push(Code::Constant, ty, smallvec![], bits & ty.mask(), false)
    }

    /// A float constant.
    pub fn float(&mut self, ty: Type, value: f64) -> Id {
        match ty {
            Type::F32 => self.constant(ty, u64::from((value as f32).to_bits())),
            _ => self.constant(ty, value.to_bits()),
        }
    }

    /// An element of an input.
    pub fn load(&mut self, param: u32, part: u32) -> Id {
        let given = self.kernel.params[param as usize];
        let inner = !given.access.is_uniform();
        self.push(Code::Load, given.ty, smallvec![], Place { param, part }.imm(), inner)
    }

    /// An element of an input where the condition is true, else zero: nothing is read there.
    pub fn load_where(&mut self, param: u32, part: u32, condition: Id) -> Id {
        let given = self.kernel.params[param as usize];
        let inner = !given.access.is_uniform() || self.inner[condition.0 as usize];
        self.push(Code::LoadWhere, given.ty, smallvec![condition], Place { param, part }.imm(), inner)
    }

    /// An element of an input at a distance, in elements, from where its walk leads to.
    pub fn gather(&mut self, param: u32, part: u32, distance: Id) -> Id {
        let given = self.kernel.params[param as usize];
        self.push(Code::Gather, given.ty, smallvec![distance], Place { param, part }.imm(), true)
    }

    /// Sets a part of the flag, the last parameter, where the condition is false.
    pub fn check(&mut self, part: u32, condition: Id) {
        let param = self.kernel.params.len() as u32 - 1;
        debug_assert_eq!(self.kernel.params.last(), Some(&Param::FLAG));
        self.push(Code::Check, Type::Bool, smallvec![condition], Place { param, part }.imm(), true);
    }

    /// Writes the parts of an element of a result.
    pub fn store(&mut self, param: u32, parts: &[Id]) {
        self.push(Code::Store, Type::Bool, Operands::from_slice(parts), u64::from(param), true);
    }

    /// A statement of one operand and the same type.
    pub fn unary(&mut self, code: Code, x: Id) -> Id {
        self.apply(code, self.ty(x), smallvec![x])
    }

    /// A statement of two operands of one type; comparisons give a truth value.
    pub fn binary(&mut self, code: Code, a: Id, b: Id) -> Id {
        let ty = if matches!(code.rule(), Rule::Compare(_)) { Type::Bool } else { self.ty(a) };
        self.apply(code, ty, smallvec![a, b])
    }

    /// `a` where the condition is true, else `b`.
    pub fn select(&mut self, condition: Id, a: Id, b: Id) -> Id {
        self.apply(Code::Select, self.ty(a), smallvec![condition, a, b])
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, a: Id, b: Id, c: Id) -> Id {
        self.apply(Code::Fma, self.ty(a), smallvec![a, b, c])
    }

    /// `usual` where the condition is false, else what `seldom` makes, which must be of the same
    /// type: in a block that is left out where no element needs it.
    pub fn rare(&mut self, condition: Id, usual: Id, seldom: impl FnOnce(&mut Builder) -> Id) -> Id {
        let open = self.open_rare(condition);
        let value = seldom(self);
        self.close_rare(open, condition, usual, value)
    }

    /// Begins a block for what is rare: [`Builder::close_rare`] ends it.
    pub fn open_rare(&mut self, condition: Id) -> Rare {
        let mut rare = Rare { block: None, outer: self.open };
        // In the top block there is one value, and nothing to leave out.
        if self.inner[condition.0 as usize] {
            let block = self.new_block();
            rare.block = Some(block);
            self.open = block;
        }
        rare
    }

    /// Ends a block, the last that was begun.
    pub fn close_rare(&mut self, rare: Rare, condition: Id, usual: Id, value: Id) -> Id {
        self.open = rare.outer;
        match rare.block {
            None => self.select(condition, value, usual),
            Some(block) => {
                let operands = smallvec![condition, usual, value];
                self.push(Code::Rare, self.ty(usual), operands, block as u64, true)
            }
        }
    }

    fn new_block(&mut self) -> usize {
        self.kernel.blocks.push(Vec::new());
        self.kernel.blocks.len() - 1
    }

    /// Begins a loop of each element that carries values, at first these; gives them as the
    /// block has them. [`Builder::while_true`] comes next, when the condition is written.
    pub fn open_loop(&mut self, first: &[Id]) -> (Loop, Vec<Id>) {
        let block = self.new_block();
        let statement = self.push(Code::Loop, Type::Bool, Operands::from_slice(first), block as u64, true);
        let open = Loop { statement, block, outer: std::mem::replace(&mut self.open, block) };
        let carried = first.iter().enumerate().map(|(index, &x)| {
            let imm = Carried { block: block as u32, index: index as u32 }.imm();
            self.push(Code::Carried, self.ty(x), smallvec![], imm, true)
        });
        let carried = carried.collect();
        (open, carried)
    }

    /// Ends the loop where the condition is false: what is written after it is the body.
    pub fn while_true(&mut self, condition: Id) {
        self.push(Code::While, Type::Bool, smallvec![condition], 0, true);
    }

    /// Ends a loop's block with what it carries next, and gives what it carries at its end.
    pub fn close_loop(&mut self, open: Loop, next: &[Id]) -> Vec<Id> {
        debug_assert_eq!(self.open, open.block, "the last block that was begun");
        self.push(Code::Next, Type::Bool, Operands::from_slice(next), 0, true);
        self.open = open.outer;
        let types: Vec<Type> = next.iter().map(|&x| self.ty(x)).collect();
        self.results(open.statement, &types)
    }

    pub(super) fn results(&mut self, of: Id, types: &[Type]) -> Vec<Id> {
        let result = |(index, &ty)| self.push(Code::Result, ty, smallvec![of], index as u64, true);
        types.iter().enumerate().map(result).collect()
    }

    /// Begins a conditional of each element, with what is done where the condition is true;
    /// [`Builder::otherwise`] comes next.
    pub fn open_if(&mut self, condition: Id) -> Conditional {
        let blocks = Branches { then: self.new_block() as u32, otherwise: self.new_block() as u32 };
        let statement = self.push(Code::If, Type::Bool, smallvec![condition], blocks.imm(), true);
        let outer = std::mem::replace(&mut self.open, blocks.then as usize);
        Conditional { statement, blocks, outer, types: Vec::new() }
    }

    /// Ends the first branch with what it gives, and begins the other one.
    pub fn otherwise(&mut self, open: &mut Conditional, values: &[Id]) {
        self.push(Code::Yield, Type::Bool, Operands::from_slice(values), 0, true);
        open.types = values.iter().map(|&x| self.ty(x)).collect();
        self.open = open.blocks.otherwise as usize;
    }

    /// Ends the other branch with what it gives; gives what the conditional gives.
    pub fn close_if(&mut self, open: Conditional, values: &[Id]) -> Vec<Id> {
        self.push(Code::Yield, Type::Bool, Operands::from_slice(values), 0, true);
        self.open = open.outer;
        self.results(open.statement, &open.types)
    }

    /// The value in another type; itself if it has the type already.
    pub fn convert(&mut self, x: Id, ty: Type) -> Id {
        if self.ty(x) == ty { x } else { self.apply(Code::Convert, ty, smallvec![x]) }
    }

    /// The same bits as another type of the same width; itself if it has the type already.
    pub fn bitcast(&mut self, x: Id, ty: Type) -> Id {
        if self.ty(x) == ty { x } else { self.apply(Code::Bitcast, ty, smallvec![x]) }
    }

    /// A conversion between the only types that it is for.
    pub fn between(&mut self, code: Code, x: Id) -> Id {
        let ty = if let Rule::Between(_, to) = code.rule() { to } else { self.ty(x) };
        self.apply(code, ty, smallvec![x])
    }

    /// The finished kernel.
    pub fn finish(mut self) -> Kernel {
        self.push(Code::Elements, Type::Bool, smallvec![], BODY as u64, false);
        self.kernel
    }
}

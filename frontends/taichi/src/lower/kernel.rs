//! A task as a kernel.

use super::{Lowered, engine_type, memories, misuse, ops};
use crate::error::{Error, Misuse};
use crate::ir::{Code, Data, FieldInfo, Id, Ir, Limit, TaskKind};
use ivy_backend_jit::ir as engine;
use ivy_backend_jit::ir::{Access, Effects, Param, Steps, Type, VALUES};
use ivy_backend_jit::program::{Argument, Site, SiteKind};
use ivy_taichi_types::{AtomicOp, BinaryOp, PrimitiveType};
use std::collections::{BTreeSet, HashMap};

/// Where a pointer leads: memory, and the number of an element.
#[derive(Clone, Copy)]
struct Target {
    memory: engine::Id,
    element: engine::Id,
}

struct Lowering<'a> {
    ir: &'a Ir,
    b: engine::Builder,
    task: Id,
    element: engine::Id,
    values: HashMap<Id, engine::Id>,
    pointers: HashMap<Id, Target>,
    /// Of the program's memories, those of the kernel.
    memories: HashMap<usize, engine::Id>,
    /// Of its scalars.
    scalars: HashMap<usize, engine::Id>,
    /// The numbers in 64 bits of what was converted from them.
    wide: HashMap<engine::Id, engine::Id>,
    /// How many random numbers this element has drawn.
    draws: Option<engine::Id>,
    places: &'a [(usize, usize)],
    into: &'a mut Lowered,
}

/// What a task needs, by the program's numbers.
#[derive(Default)]
struct Needs {
    memories: BTreeSet<usize>,
    scalars: BTreeSet<usize>,
    draws: bool,
    records: bool,
}

fn needs(ir: &Ir, block: usize, places: &[(usize, usize)]) -> Needs {
    let mut found = Needs::default();
    for id in ir.within(block) {
        let s = ir.statement(id);
        match (s.code, &s.data) {
            (Code::ElementPtr, Data::Component { field, .. }) => {
                found.memories.insert(ir.fields[*field].memory);
            }
            (Code::Temporary, Data::Number(n)) => {
                found.memories.insert(memories(ir) + places[*n].0);
            }
            (Code::Argument, Data::Number(n)) => {
                found.scalars.insert(*n);
            }
            (Code::Random, _) => found.draws = true,
            (Code::Print | Code::Assert | Code::CheckBounds, _) => found.records = true,
            _ => {}
        }
    }
    if found.draws {
        found.scalars.insert(ir.arguments.len());
    }
    found
}

/// The kernel of a task, and what its parameters are. The scalar after the arguments is the key of random numbers.
pub fn kernel(
    ir: &Ir,
    task: Id,
    places: &[(usize, usize)],
    into: &mut Lowered,
) -> Result<(engine::Kernel, Vec<Argument>), Error> {
    let block = ir.statement(task).blocks[0];
    let needs = needs(ir, block, places);
    let fields = memories(ir);
    let memory_type = |memory: usize| match memory.checked_sub(fields) {
        Some(shared) => into.shared[shared].0,
        // Of packed numbers it is the words that memory has, and that pointers are to.
        None => ir
            .fields
            .iter()
            .find(|f| f.memory == memory && f.packed.is_none())
            .map_or(Type::I64, |f| engine_type(f.ty)),
    };
    let length = |memory: usize| match memory.checked_sub(fields) {
        Some(shared) => into.shared[shared].1 as u64,
        None => ir.fields.iter().filter(|f| f.memory == memory).map(|f| f.length).max().unwrap_or(0),
    };
    let param = |ty, access| Param { ty, parts: 1, access };
    let mut params = vec![param(Type::I64, Access::Counter(Steps::One))];
    let mut arguments = vec![Argument::Element];
    for &scalar in &needs.scalars {
        let ty = ir.arguments.get(scalar).map_or(Type::U64, |&ty| engine_type(ty));
        params.push(param(ty, Access::Uniform));
        arguments.push(Argument::Scalar(scalar));
    }
    for &memory in &needs.memories {
        params.push(param(memory_type(memory), Access::Memory));
        arguments.push(Argument::Memory(memory));
    }
    if needs.records {
        params.push(param(Type::I64, Access::Log));
        arguments.push(Argument::Log);
    }
    let mut b = engine::Builder::with_effects(params, Effects::FREE);
    let element = b.load(0, 0);
    if let Data::Task(TaskKind::RangeFor { begin, end: Limit::Known(end) }) = ir.statement(task).data {
        b.guarantee_elements(begin..end);
    }
    let (mut scalars, mut named) = (HashMap::new(), HashMap::new());
    for (n, argument) in arguments.iter().enumerate() {
        match *argument {
            Argument::Scalar(scalar) => {
                scalars.insert(scalar, b.load(n as u32, 0));
            }
            Argument::Memory(memory) => {
                named.insert(memory, b.memory(n as u32));
                b.guarantee_length(n as u32, length(memory));
            }
            Argument::Element | Argument::Log => {}
        }
    }
    let draws = needs.draws.then(|| b.alloca(Type::I64, 1));
    let mut lowering = Lowering {
        ir,
        b,
        task,
        element,
        values: HashMap::new(),
        pointers: HashMap::new(),
        memories: named,
        scalars,
        wide: HashMap::new(),
        draws,
        places,
        into,
    };
    lowering.block(block)?;
    Ok((lowering.b.finish(), arguments))
}

impl Lowering<'_> {
    fn block(&mut self, block: usize) -> Result<(), Error> {
        let ir = self.ir;
        ir.blocks[block].iter().try_for_each(|&id| {
            let none = || misuse(ir, id, Misuse::NoForm { what: self.named(id) });
            let what = none();
            self.statement(id)?.ok_or(what)
        })
    }

    /// A statement as messages have it.
    fn named(&self, id: Id) -> String {
        let s = self.ir.statement(id);
        let op = match &s.data {
            Data::Unary(op) => op.name(),
            Data::Binary(op) => op.name(),
            Data::Atomic(op) => op.name(),
            _ => s.code.name(),
        };
        let ty = s.operands.last().and_then(|&o| self.ir.statement(o).ty).or(s.ty);
        ty.map_or(format!("`{op}`"), |ty| format!("`{op}` of {ty}"))
    }

    fn value(&self, id: Id) -> Option<engine::Id> {
        self.values.get(&id).copied()
    }

    /// An operand with its type.
    fn operand(&self, id: Id, n: usize) -> Option<(PrimitiveType, engine::Id)> {
        let of = *self.ir.statement(id).operands.get(n)?;
        Some((self.ir.statement(of).ty?, self.value(of)?))
    }

    fn target(&self, id: Id) -> Option<Target> {
        self.pointers.get(self.ir.statement(id).operands.first()?).copied()
    }

    /// A condition that an operand is.
    fn condition(&mut self, id: Id, n: usize) -> Option<engine::Id> {
        let (ty, x) = self.operand(id, n)?;
        ops::truth(&mut self.b, ty, x)
    }

    /// Writes a statement; `None` for what the engine has no form for.
    fn statement(&mut self, id: Id) -> Result<Option<()>, Error> {
        let s = self.ir.statement(id);
        match s.code {
            Code::If => {
                let Some(condition) = self.condition(id, 0) else { return Ok(None) };
                let mut open = self.b.open_if(condition);
                self.block(s.blocks[0])?;
                self.b.otherwise(&mut open, &[]);
                self.block(s.blocks[1])?;
                self.b.close_if(open, &[]);
                Ok(Some(()))
            }
            Code::While => {
                let (open, _) = self.b.open_loop(&[]);
                self.block(s.blocks[0])?;
                self.b.close_loop(open, &[]);
                Ok(Some(()))
            }
            Code::RangeFor => {
                let (Some((ty, begin)), Some((_, end))) = (self.operand(id, 0), self.operand(id, 1)) else {
                    return Ok(None);
                };
                let (open, carried) = self.b.open_loop(&[begin]);
                let more = self.b.binary(engine::Code::Lt, carried[0], end);
                self.b.while_true(more);
                self.values.insert(id, carried[0]);
                self.block(s.blocks[0])?;
                let one = self.b.constant(engine_type(ty), 1);
                let next = self.b.binary(engine::Code::Add, carried[0], one);
                self.b.close_loop(open, &[next]);
                Ok(Some(()))
            }
            Code::Print | Code::Assert | Code::CheckBounds => self.record(id),
            _ => Ok(self.simple(id)),
        }
    }

    /// A record of a print, an assertion or an index.
    fn record(&mut self, id: Id) -> Result<Option<()>, Error> {
        let s = self.ir.statement(id);
        let Data::Text(text) = &s.data else { return Ok(None) };
        let (kind, first) = match s.code {
            Code::Print => (SiteKind::Print, 0),
            Code::Assert => (SiteKind::Assertion, 1),
            _ => (SiteKind::Index, 1),
        };
        let count = s.operands.len() - first;
        if count > VALUES {
            return Err(misuse(self.ir, id, Misuse::TooManyValues { count, most: VALUES }));
        }
        let mut values = Vec::new();
        for n in first..s.operands.len() {
            let Some((ty, x)) = self.operand(id, n) else { return Ok(None) };
            // The engine shows no f16.
            let shown = if ty == PrimitiveType::F16 { PrimitiveType::F32 } else { ty };
            let Some(x) = ops::cast(&mut self.b, ty, x, shown) else { return Ok(None) };
            values.push(x);
        }
        let condition = match first {
            0 => self.b.constant(Type::Bool, 1),
            _ => {
                let Some(holds) = self.condition(id, 0) else { return Ok(None) };
                self.b.unary(engine::Code::Not, holds)
            }
        };
        let types = values.iter().map(|&x| self.b.ty(x)).collect();
        // Its number is its place, by which the span is found again.
        let number = self.into.sites.len() as u32;
        self.into.sites.push(Site { kind, place: number.to_string(), text: text.clone(), values: types });
        self.into.spans.push(s.span);
        self.b.record(condition, number, self.element, &values);
        Ok(Some(()))
    }

    /// A statement without blocks.
    fn simple(&mut self, id: Id) -> Option<()> {
        let s = self.ir.statement(id);
        let value = match (s.code, &s.data) {
            (Code::Constant, &Data::Bits(bits)) => self.b.constant(engine_type(s.ty?), bits),
            (Code::Argument, Data::Number(n)) => *self.scalars.get(n)?,
            (Code::Alloca, _) => {
                let memory = self.b.alloca(engine_type(s.ty?), 1);
                let element = self.b.constant(Type::I64, 0);
                self.pointers.insert(id, Target { memory, element });
                return Some(());
            }
            (Code::Temporary, Data::Number(n)) => {
                let (memory, element) = *self.places.get(*n)?;
                let memory = *self.memories.get(&(memories(self.ir) + memory))?;
                let element = self.b.constant(Type::I64, element as u64);
                self.pointers.insert(id, Target { memory, element });
                return Some(());
            }
            (Code::ElementPtr, Data::Component { field, .. }) => {
                let memory = *self.memories.get(&self.ir.fields[*field].memory)?;
                let element = self.value(s.operands[0])?;
                self.pointers.insert(id, Target { memory, element });
                return Some(());
            }
            (Code::Linearize, &Data::Component { field, component }) => {
                self.linearize(id, field, component)?
            }
            (Code::LocalLoad | Code::GlobalLoad, _) => {
                let to = self.target(id)?;
                self.b.load_at(to.memory, to.element)
            }
            (Code::LocalStore | Code::GlobalStore, _) => {
                let (to, (_, x)) = (self.target(id)?, self.operand(id, 1)?);
                self.b.store_at(to.memory, to.element, x);
                return Some(());
            }
            (Code::Atomic, &Data::Atomic(op)) => self.atomic(id, op)?,
            (Code::CompareAndSwap, _) => {
                let (to, (_, old), (_, new)) = (self.target(id)?, self.operand(id, 1)?, self.operand(id, 2)?);
                self.b.compare_and_swap(to.memory, to.element, old, new)
            }
            (Code::Unary, &Data::Unary(op)) => {
                let (ty, x) = self.operand(id, 0)?;
                ops::unary(&mut self.b, op, ty, x, s.ty?)?
            }
            (Code::Binary, &Data::Binary(op)) => {
                let (x, y) = (self.operand(id, 0)?, self.operand(id, 1)?);
                ops::binary(&mut self.b, op, x, y, s.ty?)?
            }
            (Code::Select, _) => {
                let condition = self.condition(id, 0)?;
                let ((_, x), (_, y)) = (self.operand(id, 1)?, self.operand(id, 2)?);
                self.b.select(condition, x, y)
            }
            (Code::Cast, _) => {
                let (ty, x) = self.operand(id, 0)?;
                let value = ops::cast(&mut self.b, ty, x, s.ty?)?;
                if s.ty == Some(PrimitiveType::I32) && self.is_small() && self.is_part(s.operands[0]) {
                    self.wide.insert(value, x);
                }
                value
            }
            (Code::BitCast, _) => {
                let (_, x) = self.operand(id, 0)?;
                self.b.bitcast(x, engine_type(s.ty?))
            }
            (Code::Random, _) => self.random(s.ty?)?,
            (Code::LoopIndex, _) => {
                let of = s.operands[0];
                match self.value(of) {
                    Some(index) => index,
                    None if of == self.task => {
                        let value = self.b.convert(self.element, engine_type(s.ty?));
                        if self.is_small() {
                            self.wide.insert(value, self.element);
                        }
                        value
                    }
                    None => return None,
                }
            }
            (Code::WhileControl, _) => {
                let goes_on = self.condition(id, 0)?;
                self.b.while_true(goes_on);
                return Some(());
            }
            _ => return None,
        };
        self.values.insert(id, value);
        Some(())
    }

    /// True if a value is the number of the task's element, or a quotient or remainder of it.
    fn is_part(&self, id: Id) -> bool {
        let s = self.ir.statement(id);
        match s.data {
            Data::Number(_) => s.code == Code::LoopIndex && s.operands[0] == self.task,
            Data::Binary(BinaryOp::Div | BinaryOp::RawMod) => self.is_part(s.operands[0]),
            _ => false,
        }
    }

    /// True if the numbers of the task's elements are in the range of i32.
    fn is_small(&self) -> bool {
        let small = |n: i64| i32::try_from(n).is_ok();
        match self.ir.statement(self.task).data {
            Data::Task(TaskKind::RangeFor { begin, end: Limit::Known(end) }) => small(begin) && small(end),
            _ => false,
        }
    }

    /// The number in memory of an element.
    fn linearize(&mut self, id: Id, field: usize, component: usize) -> Option<engine::Id> {
        let info: &FieldInfo = &self.ir.fields[field];
        let mut sum = self.b.constant(Type::I64, *info.components.get(component)? as u64);
        let mut indices = Vec::new();
        for n in 0..info.shape.len() {
            let (_, index) = self.operand(id, n)?;
            indices.push(match self.wide.get(&index) {
                Some(&wide) => wide,
                None => self.b.convert(index, Type::I64),
            });
        }
        for (n, digit) in info.digits.iter().enumerate() {
            let mut part = indices[digit.axis];
            if digit.below > 1 {
                part = self.divided(part, digit.below, false);
            }
            if !info.is_outermost(n) {
                part = self.divided(part, digit.count, true);
            }
            if digit.stride != 1 {
                let stride = self.b.constant(Type::I64, digit.stride as u64);
                part = self.b.binary(engine::Code::Mul, part, stride);
            }
            sum = self.b.binary(engine::Code::Add, sum, part);
        }
        if info.guarded {
            let inside = self.inside(info, &indices);
            let nowhere = self.b.constant(Type::I64, u64::MAX);
            sum = inside.map_or(sum, |inside| self.b.select(inside, sum, nowhere));
        }
        Some(sum)
    }

    /// Whether indices are within the extents; `None` of a field of one element.
    fn inside(&mut self, info: &FieldInfo, indices: &[engine::Id]) -> Option<engine::Id> {
        let mut inside = None;
        for (&index, &extent) in indices.iter().zip(&info.shape) {
            // As an unsigned number a negative one is too large.
            let index = self.b.bitcast(index, Type::U64);
            let end = self.b.constant(Type::U64, extent as u64);
            let below = self.b.binary(engine::Code::Lt, index, end);
            inside = Some(match inside {
                None => below,
                Some(before) => self.b.binary(engine::Code::And, before, below),
            });
        }
        inside
    }

    /// A quotient or a remainder by a number, of powers of two by their bits.
    fn divided(&mut self, x: engine::Id, by: i64, remainder: bool) -> engine::Id {
        let (code, by) = match ((by as u64).is_power_of_two(), remainder) {
            (true, true) => (engine::Code::And, by - 1),
            (true, false) => (engine::Code::Shr, i64::from(by.trailing_zeros())),
            (false, true) => (engine::Code::Rem, by),
            (false, false) => (engine::Code::Div, by),
        };
        let by = self.b.constant(Type::I64, by as u64);
        self.b.binary(code, x, by)
    }

    fn atomic(&mut self, id: Id, op: AtomicOp) -> Option<engine::Id> {
        let (to, (ty, x)) = (self.target(id)?, self.operand(id, 1)?);
        if engine_type(ty).bits() < 32 {
            return None;
        }
        if let Some(code) = ops::atomic(op) {
            return Some(self.b.atomic(code, to.memory, to.element, x));
        }
        // Tried until nobody else has written in between: of those that try at once, one always gets through.
        let first = self.b.load_at(to.memory, to.element);
        let again = self.b.constant(Type::Bool, 1);
        let (open, carried) = self.b.open_loop(&[first, again]);
        self.b.while_true(carried[1]);
        let plain = crate::passes::plain(op);
        let next = ops::binary(&mut self.b, plain, (ty, carried[0]), (ty, x), ty)?;
        let before = self.b.compare_and_swap(to.memory, to.element, carried[0], next);
        let [was, is] = [carried[0], before].map(|x| self.b.bitcast(x, engine_type(ty).unsigned()));
        let differs = self.b.binary(engine::Code::Ne, was, is);
        // What is out of bounds reads as zero, for ever.
        let there = self.b.in_bounds(to.memory, to.element);
        let differs = self.b.binary(engine::Code::And, differs, there);
        Some(self.b.close_loop(open, &[before, differs])[0])
    }

    fn random(&mut self, ty: PrimitiveType) -> Option<engine::Id> {
        let (draws, key) = (self.draws?, *self.scalars.get(&self.ir.arguments.len())?);
        let number = self.b.get(draws);
        let one = self.b.constant(Type::I64, 1);
        let next = self.b.binary(engine::Code::Add, number, one);
        self.b.set(draws, next);
        let high = self.b.bitcast(self.element, Type::U64);
        ops::random(&mut self.b, ty, number, key, high)
    }
}

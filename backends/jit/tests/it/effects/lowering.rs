//! Programs of the small language in the IR.

use super::language::{
    Atomic, Callee, Expr, FLOATS, Kind, Op, Program, SCRATCH, Statement, TABLE, VARIABLES,
};
use super::{ELEMENT, FREE, memory};
use ivy_backend_jit::ir::{Builder, Calls, Code, Id, Kernel, KernelFunction, Type, verify};

struct Lowering {
    b: Builder,
    element: Id,
    memories: Vec<Id>,
    variables: [Vec<Id>; 2],
    scratch: Id,
}

/// What functions take and give.
const TYPES: [Type; 2] = [Type::I64, Type::F32];

/// The kernel of a program.
pub fn kernel(program: impl Into<Program>) -> Kernel {
    let program = program.into();
    let function = |(number, body): (usize, &Vec<Statement>)| {
        let mut lowering = Lowering::new();
        for (n, ty) in (0..).zip(TYPES) {
            let argument = lowering.b.argument(ty, n);
            lowering.b.set(lowering.variables[n as usize][0], argument);
        }
        lowering.block(body);
        let results: Vec<Id> = (0..2).map(|n| lowering.b.get(lowering.variables[n][1])).collect();
        lowering.b.finish_function(&format!("f{number}"), &TYPES, &results)
    };
    let functions: Vec<KernelFunction> = program.functions.iter().enumerate().map(function).collect();
    let mut lowering = Lowering::new();
    lowering.block(&program.main);
    let mut kernel = lowering.b.finish();
    if !functions.is_empty() {
        kernel.calls = Calls { functions, tables: vec![TABLE.map(|n| n as u32).to_vec()] };
    }
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    kernel
}

impl Lowering {
    fn new() -> Lowering {
        let mut params = vec![ELEMENT];
        params.extend([Type::I64, Type::I64, Type::I64, Type::I64, Type::F32].map(memory));
        let mut b = Builder::with_effects(params, FREE);
        let element = b.load(0, 0);
        let memories = (0..=FLOATS as u32).map(|n| b.memory(1 + n)).collect();
        let variables = TYPES.map(|ty| (0..VARIABLES).map(|_| b.alloca(ty, 1)).collect::<Vec<_>>());
        let scratch = b.alloca(Type::I64, SCRATCH as u64);
        Lowering { b, element, memories, variables, scratch }
    }

    fn variable(&self, kind: Kind, n: usize) -> Id {
        self.variables[usize::from(kind == Kind::Float)][n]
    }

    fn value(&mut self, e: &Expr) -> Id {
        match e {
            Expr::Int(x) => self.b.constant(Type::I64, *x as u64),
            Expr::Float(x) => self.b.float(Type::F32, f64::from(*x)),
            Expr::Element => self.element,
            Expr::Get(kind, n) => self.b.get(self.variable(*kind, *n)),
            Expr::Convert(kind, x) => {
                let x = self.value(x);
                self.b.convert(x, if *kind == Kind::Int { Type::I64 } else { Type::F32 })
            }
            Expr::Of(_, op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let code = match op {
                    Op::Add => Code::Add,
                    Op::Sub => Code::Sub,
                    Op::Mul => Code::Mul,
                    Op::And => Code::And,
                    Op::Xor => Code::Xor,
                };
                self.b.binary(code, a, b)
            }
            Expr::Load(memory, index) => {
                let index = self.value(index);
                self.b.load_at(self.memories[*memory], index)
            }
            Expr::Scratch(index) => {
                let index = self.value(index);
                self.b.load_at(self.scratch, index)
            }
            Expr::Within(memory, index) => {
                let index = self.value(index);
                let within = self.b.in_bounds(self.memories[*memory], index);
                self.b.convert(within, Type::I64)
            }
        }
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Statement) {
        match s {
            Statement::Set(kind, n, x) => {
                let x = self.value(x);
                self.b.set(self.variable(*kind, *n), x);
            }
            Statement::Store(memory, index, x) => {
                let (index, x) = (self.value(index), self.value(x));
                self.b.store_at(self.memories[*memory], index, x);
            }
            Statement::Keep(index, x) => {
                let (index, x) = (self.value(index), self.value(x));
                self.b.store_at(self.scratch, index, x);
            }
            Statement::Atomic(to, atomic, memory, index, x) => {
                let (index, x, memory) = (self.value(index), self.value(x), self.memories[*memory]);
                let code = match atomic {
                    Atomic::Add => Code::AtomicAdd,
                    Atomic::Sub => Code::AtomicSub,
                    Atomic::Min => Code::AtomicMin,
                    Atomic::Max => Code::AtomicMax,
                    Atomic::Xor => Code::AtomicXor,
                    Atomic::Exchange | Atomic::Swap(_) => Code::AtomicExchange,
                };
                let before = match atomic {
                    Atomic::Swap(expected) => {
                        let expected = self.value(expected);
                        self.b.compare_and_swap(memory, index, expected, x)
                    }
                    _ => self.b.atomic(code, memory, index, x),
                };
                if let Some(n) = to {
                    self.b.set(self.variable(Kind::Int, *n), before);
                }
            }
            Statement::If(a, b, then, otherwise) => {
                let (a, b) = (self.value(a), self.value(b));
                let less = self.b.binary(Code::Lt, a, b);
                let mut open = self.b.open_if(less);
                self.block(then);
                self.b.otherwise(&mut open, &[]);
                self.block(otherwise);
                self.b.close_if(open, &[]);
            }
            Statement::Call(callee, int, float) => {
                let operands = [self.value(int), self.value(float)];
                let given = match callee {
                    Callee::Function(n) => self.b.call(*n as u32, &operands, &TYPES),
                    Callee::Table(place) => {
                        let place = self.value(place);
                        self.b.call_table(0, place, &operands, &TYPES)
                    }
                };
                for (n, x) in given.into_iter().enumerate() {
                    self.b.set(self.variables[n][0], x);
                }
            }
            Statement::Loop(times, head, body) => {
                let (times, three) = (self.value(times), self.b.constant(Type::I64, 3));
                let times = self.b.binary(Code::And, times, three);
                let [zero, one] = [0, 1].map(|x| self.b.constant(Type::I64, x));
                let (open, iteration) = self.b.open_loop(&[zero]);
                self.block(head);
                let more = self.b.binary(Code::Lt, iteration[0], times);
                self.b.while_true(more);
                self.block(body);
                let next = self.b.binary(Code::Add, iteration[0], one);
                self.b.close_loop(open, &[next]);
            }
        }
    }
}

//! A small imperative language, programs at random, and what they do in plain Rust.

/// What expressions give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int,
    Float,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    And,
    Xor,
}

/// Memories, by their numbers: what is only read, what has four places for each element, what has one, what
/// all add to, and floats with four places for each element.
pub const INPUT: usize = 0;
pub const OWN: usize = 1;
pub const LINE: usize = 2;
pub const SUMS: usize = 3;
pub const FLOATS: usize = 4;
/// Elements of a scratch array, variables of each kind, and elements of `SUMS`.
pub const SCRATCH: usize = 5;
pub const VARIABLES: usize = 3;
pub const PLACES: usize = 7;

#[derive(Clone, Debug)]
pub enum Expr {
    Int(i64),
    Float(f32),
    Element,
    /// A variable of the kind.
    Get(Kind, usize),
    Of(Kind, Op, Box<Expr>, Box<Expr>),
    /// A float as an integer, or the other way round.
    Convert(Kind, Box<Expr>),
    Load(usize, Box<Expr>),
    /// An element of the scratch array.
    Scratch(Box<Expr>),
    /// 1 where a number is in bounds.
    Within(usize, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Atomic {
    Add,
    Sub,
    Min,
    Max,
    Xor,
    Exchange,
    /// If this was there.
    Swap(Expr),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Set(Kind, usize, Expr),
    Store(usize, Expr, Expr),
    Keep(Expr, Expr),
    /// Sets a variable to what was there, if one is named.
    Atomic(Option<usize>, Atomic, usize, Expr, Expr),
    /// Where the first is less than the second.
    If(Expr, Expr, Vec<Statement>, Vec<Statement>),
    /// A number of times from 0 to 3, asked each time after the first statements.
    Loop(Expr, Vec<Statement>, Vec<Statement>),
    /// A function with an integer and a float, which are its first variables; what its second ones are then are the
    /// caller's first ones.
    Call(Callee, Expr, Expr),
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    Function(usize),
    /// What stands at a place of [`TABLE`], if anything does.
    Table(Expr),
}

/// The functions of a table, of which a program has three.
pub const TABLE: [usize; 4] = [0, 2, 0, 1];

/// Statements of each element, and functions, which call those before them.
#[derive(Clone, Debug)]
pub struct Program {
    pub functions: Vec<Vec<Statement>>,
    pub main: Vec<Statement>,
}

impl From<Vec<Statement>> for Program {
    fn from(main: Vec<Statement>) -> Program {
        Program { functions: Vec::new(), main }
    }
}

/// Numbers at random, the same in each run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31) % n
    }

    fn kind(&mut self) -> Kind {
        if self.below(3) == 0 { Kind::Float } else { Kind::Int }
    }

    /// An expression; where elements are free, it reads what no other element writes.
    fn expr(&mut self, kind: Kind, depth: u64, free: bool) -> Expr {
        if depth == 0 || self.below(4) == 0 {
            return match (kind, self.below(4)) {
                (_, 0 | 1) => Expr::Get(kind, self.below(VARIABLES as u64) as usize),
                (Kind::Int, 2) => Expr::Int(self.below(9) as i64 - 3),
                (Kind::Int, _) => Expr::Element,
                (Kind::Float, _) => Expr::Float(self.below(9) as f32 / 4.0 - 1.0),
            };
        }
        let part = |r: &mut Random, kind| Box::new(r.expr(kind, depth - 1, free));
        match (kind, self.below(9)) {
            (_, 0) => {
                let other = if kind == Kind::Int { Kind::Float } else { Kind::Int };
                Expr::Convert(kind, part(self, other))
            }
            (Kind::Int, 1) => Expr::Load(INPUT, part(self, Kind::Int)),
            (Kind::Int, 2) => Expr::Load(LINE, Box::new(self.place(LINE, free))),
            (Kind::Int, 3) => Expr::Load(OWN, Box::new(self.place(OWN, free))),
            (Kind::Int, 4) => Expr::Scratch(part(self, Kind::Int)),
            (Kind::Int, 5) => Expr::Within(INPUT, part(self, Kind::Int)),
            (Kind::Int, 6) if !free => Expr::Load(SUMS, Box::new(self.place(SUMS, free))),
            (Kind::Float, 1 | 2) => Expr::Load(FLOATS, Box::new(self.place(FLOATS, free))),
            (Kind::Int, n) => {
                let op = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Xor][n as usize % 5];
                Expr::Of(kind, op, part(self, kind), part(self, kind))
            }
            (Kind::Float, n) => {
                let op = [Op::Add, Op::Sub, Op::Mul][n as usize % 3];
                Expr::Of(kind, op, part(self, kind), part(self, kind))
            }
        }
    }

    /// Where to write; where elements are free, to what is theirs.
    fn place(&mut self, memory: usize, free: bool) -> Expr {
        let int = |x| Box::new(Expr::Int(x));
        let of = |op, a, b| Expr::Of(Kind::Int, op, a, b);
        match memory {
            LINE if free => Expr::Element,
            OWN | FLOATS if free => {
                let which = self.expr(Kind::Int, 1, free);
                let which = Box::new(of(Op::And, Box::new(which), int(3)));
                of(Op::Add, Box::new(of(Op::Mul, Box::new(Expr::Element), int(4))), which)
            }
            _ if free => Expr::Int(self.below(PLACES as u64 + 2) as i64 - 1),
            _ => {
                let near = Box::new(self.expr(Kind::Int, 1, free));
                of(Op::And, near, int([3, 7, 15][self.below(3) as usize]))
            }
        }
    }

    fn statement(&mut self, depth: u64, free: bool) -> Statement {
        let expr = |r: &mut Random, kind| r.expr(kind, 2, free);
        match self.below(if depth > 0 { 9 } else { 6 }) {
            0 | 1 => {
                let kind = self.kind();
                Statement::Set(kind, self.below(VARIABLES as u64) as usize, expr(self, kind))
            }
            2 => {
                let memory = [OWN, LINE][self.below(2) as usize];
                Statement::Store(memory, self.place(memory, free), expr(self, Kind::Int))
            }
            3 => Statement::Store(FLOATS, self.place(FLOATS, free), expr(self, Kind::Float)),
            4 => Statement::Keep(expr(self, Kind::Int), expr(self, Kind::Int)),
            5 => {
                let (atomic, to) = match (free, self.below(7)) {
                    (true, n) => (if n < 4 { Atomic::Add } else { Atomic::Sub }, None),
                    (_, 0) => (Atomic::Sub, Some(0)),
                    (_, 1) => (Atomic::Min, Some(1)),
                    (_, 2) => (Atomic::Max, Some(2)),
                    (_, 3) => (Atomic::Xor, None),
                    (_, 4) => (Atomic::Exchange, Some(1)),
                    (_, 5) => (Atomic::Swap(expr(self, Kind::Int)), Some(0)),
                    _ => (Atomic::Add, Some(2)),
                };
                Statement::Atomic(to, atomic, SUMS, self.place(SUMS, free), expr(self, Kind::Int))
            }
            6 | 7 => {
                let (a, b) = (expr(self, Kind::Int), expr(self, Kind::Int));
                Statement::If(a, b, self.block(depth - 1, free), self.block(depth - 1, free))
            }
            _ => {
                let head = if self.below(2) == 0 { self.block(0, free) } else { Vec::new() };
                Statement::Loop(expr(self, Kind::Int), head, self.block(depth - 1, free))
            }
        }
    }

    pub fn block(&mut self, depth: u64, free: bool) -> Vec<Statement> {
        let count = 1 + self.below(4);
        (0..count).map(|_| self.statement(depth, free)).collect()
    }

    /// A program with functions.
    pub fn program(&mut self, depth: u64, free: bool) -> Program {
        let mut functions = Vec::new();
        for number in 0..3 {
            let mut body = self.block(1, free);
            self.add_calls(&mut body, number, free);
            functions.push(body);
        }
        let mut main = self.block(depth, free);
        main.push(self.call(3, free));
        self.add_calls(&mut main, 3, free);
        Program { functions, main }
    }

    /// A call of one of so many functions, or of the table if there are all.
    fn call(&mut self, functions: usize, free: bool) -> Statement {
        let callee = match functions == 3 && self.below(2) == 0 {
            true => Callee::Table(self.expr(Kind::Int, 1, free)),
            false => Callee::Function(self.below(functions as u64) as usize),
        };
        Statement::Call(callee, self.expr(Kind::Int, 2, free), self.expr(Kind::Float, 2, free))
    }

    /// Adds calls of one of so many functions here and there.
    fn add_calls(&mut self, block: &mut Vec<Statement>, functions: usize, free: bool) {
        for s in block.iter_mut() {
            if let Statement::If(_, _, one, other) | Statement::Loop(_, one, other) = s {
                self.add_calls(one, functions, free);
                self.add_calls(other, functions, free);
            }
        }
        if functions > 0 && self.below(3) == 0 {
            let at = self.below(block.len() as u64 + 1) as usize;
            block.insert(at, self.call(functions, free));
        }
    }
}

/// What memory holds.
#[derive(Clone, Debug)]
pub enum Cells {
    Ints(Vec<i64>),
    Floats(Vec<f32>),
}

/// A value.
#[derive(Clone, Copy)]
enum Value {
    Int(i64),
    Float(f32),
}

impl Value {
    fn int(self) -> i64 {
        match self {
            Value::Int(x) => x,
            Value::Float(x) => x as i64,
        }
    }

    fn float(self) -> f32 {
        match self {
            Value::Int(x) => x as f32,
            Value::Float(x) => x,
        }
    }
}

/// An element as it runs.
pub struct Machine<'m> {
    functions: &'m [Vec<Statement>],
    pub memories: &'m mut [Cells],
    element: i64,
    ints: [i64; VARIABLES],
    floats: [f32; VARIABLES],
    scratch: [i64; SCRATCH],
}

impl Machine<'_> {
    /// Runs a program for each element, one after the other.
    pub fn run(program: &Program, count: i64, memories: &mut [Cells]) {
        let functions = &program.functions[..];
        for element in 0..count {
            let (ints, floats, scratch) = Default::default();
            Machine { functions, memories, element, ints, floats, scratch }.block(&program.main);
        }
    }

    /// What a function gives.
    fn call(&mut self, function: usize, int: i64, float: f32) -> (i64, f32) {
        let (functions, element) = (self.functions, self.element);
        let (mut ints, mut floats) = ([0; VARIABLES], [0.0; VARIABLES]);
        (ints[0], floats[0]) = (int, float);
        let scratch = Default::default();
        let mut callee = Machine { functions, memories: self.memories, element, ints, floats, scratch };
        callee.block(&functions[function]);
        (callee.ints[1], callee.floats[1])
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|s| self.statement(s));
    }

    fn place(&self, memory: usize, index: i64) -> Option<usize> {
        let length = match &self.memories[memory] {
            Cells::Ints(x) => x.len(),
            Cells::Floats(x) => x.len(),
        };
        usize::try_from(index).ok().filter(|&index| index < length)
    }

    fn value(&self, e: &Expr) -> Value {
        match e {
            Expr::Int(x) => Value::Int(*x),
            Expr::Float(x) => Value::Float(*x),
            Expr::Element => Value::Int(self.element),
            Expr::Get(Kind::Int, n) => Value::Int(self.ints[*n]),
            Expr::Get(Kind::Float, n) => Value::Float(self.floats[*n]),
            Expr::Convert(Kind::Int, x) => Value::Int(self.value(x).float() as i64),
            Expr::Convert(Kind::Float, x) => Value::Float(self.value(x).int() as f32),
            Expr::Of(Kind::Int, op, a, b) => {
                let (a, b) = (self.value(a).int(), self.value(b).int());
                Value::Int(match op {
                    Op::Add => a.wrapping_add(b),
                    Op::Sub => a.wrapping_sub(b),
                    Op::Mul => a.wrapping_mul(b),
                    Op::And => a & b,
                    Op::Xor => a ^ b,
                })
            }
            Expr::Of(Kind::Float, op, a, b) => {
                let (a, b) = (self.value(a).float(), self.value(b).float());
                Value::Float(match op {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    _ => a * b,
                })
            }
            Expr::Load(memory, index) => {
                let at = self.place(*memory, self.value(index).int());
                match &self.memories[*memory] {
                    Cells::Ints(x) => Value::Int(at.map_or(0, |at| x[at])),
                    Cells::Floats(x) => Value::Float(at.map_or(0.0, |at| x[at])),
                }
            }
            Expr::Scratch(index) => {
                let at = usize::try_from(self.value(index).int()).ok();
                Value::Int(at.and_then(|at| self.scratch.get(at)).copied().unwrap_or(0))
            }
            Expr::Within(memory, index) => {
                Value::Int(i64::from(self.place(*memory, self.value(index).int()).is_some()))
            }
        }
    }

    fn statement(&mut self, s: &Statement) {
        match s {
            Statement::Set(Kind::Int, n, x) => self.ints[*n] = self.value(x).int(),
            Statement::Set(Kind::Float, n, x) => self.floats[*n] = self.value(x).float(),
            Statement::Store(memory, index, x) => {
                let (at, x) = (self.place(*memory, self.value(index).int()), self.value(x));
                match (at, &mut self.memories[*memory]) {
                    (Some(at), Cells::Ints(cells)) => cells[at] = x.int(),
                    (Some(at), Cells::Floats(cells)) => cells[at] = x.float(),
                    (None, _) => {}
                }
            }
            Statement::Keep(index, x) => {
                let (at, x) = (usize::try_from(self.value(index).int()), self.value(x).int());
                if let Some(cell) = at.ok().and_then(|at| self.scratch.get_mut(at)) {
                    *cell = x;
                }
            }
            Statement::Atomic(to, atomic, memory, index, x) => {
                let (at, x) = (self.place(*memory, self.value(index).int()), self.value(x).int());
                let expected = if let Atomic::Swap(e) = atomic { self.value(e).int() } else { 0 };
                let mut before = 0;
                if let (Some(at), Cells::Ints(cells)) = (at, &mut self.memories[*memory]) {
                    before = cells[at];
                    cells[at] = match atomic {
                        Atomic::Add => before.wrapping_add(x),
                        Atomic::Sub => before.wrapping_sub(x),
                        Atomic::Min => before.min(x),
                        Atomic::Max => before.max(x),
                        Atomic::Xor => before ^ x,
                        Atomic::Exchange => x,
                        Atomic::Swap(_) => {
                            if before == expected {
                                x
                            } else {
                                before
                            }
                        }
                    };
                }
                if let Some(n) = to {
                    self.ints[*n] = before;
                }
            }
            Statement::If(a, b, then, otherwise) => {
                let less = self.value(a).int() < self.value(b).int();
                self.block(if less { then } else { otherwise });
            }
            Statement::Call(callee, int, float) => {
                let (int, float) = (self.value(int).int(), self.value(float).float());
                let function = match callee {
                    Callee::Function(n) => Some(*n),
                    Callee::Table(place) => {
                        let place = usize::try_from(self.value(place).int()).ok();
                        place.and_then(|place| TABLE.get(place).copied())
                    }
                };
                let given = function.map_or((0, 0.0), |n| self.call(n, int, float));
                (self.ints[0], self.floats[0]) = given;
            }
            Statement::Loop(times, head, body) => {
                let times = self.value(times).int() & 3;
                let mut iteration = 0;
                loop {
                    self.block(head);
                    if iteration >= times {
                        break;
                    }
                    self.block(body);
                    iteration += 1;
                }
            }
        }
    }
}

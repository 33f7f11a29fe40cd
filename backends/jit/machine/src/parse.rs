//! From text to instructions. Only what the engine writes is known; all else is an error, as is
//! what PTX does not allow.

use std::collections::HashMap;

/// What is wrong with a text, or with what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

impl Fault {
    /// The same, at a line of the text.
    pub(crate) fn at(self, line: usize) -> Fault {
        Fault(format!("line {line}: {}", self.0))
    }
}

pub(crate) fn fault<T>(what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault(what.into()))
}

/// The types of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Pred,
    B32,
    B64,
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F64,
}

impl Ty {
    pub(crate) fn parse(name: &str) -> Result<Ty, Fault> {
        Ok(match name {
            "pred" => Ty::Pred,
            "b32" => Ty::B32,
            "b64" => Ty::B64,
            "u8" => Ty::U8,
            "s8" => Ty::S8,
            "u16" => Ty::U16,
            "s16" => Ty::S16,
            "u32" => Ty::U32,
            "s32" => Ty::S32,
            "u64" => Ty::U64,
            "s64" => Ty::S64,
            "f16" => Ty::F16,
            "f32" => Ty::F32,
            "f64" => Ty::F64,
            _ => return fault(format!("no type `{name}`")),
        })
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Ty::Pred | Ty::U8 | Ty::S8 => 1,
            Ty::U16 | Ty::S16 | Ty::F16 => 2,
            Ty::B32 | Ty::U32 | Ty::S32 | Ty::F32 => 4,
            Ty::B64 | Ty::U64 | Ty::S64 | Ty::F64 => 8,
        }
    }

    /// The bits of a register that holds it.
    fn width(self) -> u32 {
        match self {
            Ty::Pred => 1,
            _ if self.bytes() == 8 => 64,
            _ => 32,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Ty::S8 | Ty::S16 | Ty::S32 | Ty::S64)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Param,
    Global,
    Shared,
    /// Of each thread's own.
    Local,
}

/// What an atomic leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    Swap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
}

/// What an instruction takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    Register(usize),
    Immediate(u64),
    Special(Special),
    /// `[register + offset]`, or `[name + offset]` of a name whose address is the number.
    Address(Option<usize>, i64),
    /// `{a, b}`, or more.
    List(Vec<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Not equal, or not ordered.
    Neu,
    /// One is NaN.
    Nan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// Floats as the nearest.
    Nearest,
    /// To an integral value.
    Even,
    Zero,
    Down,
    Up,
}

/// Instructions, with their types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Mov(Ty),
    /// With how many values.
    Ld(Space, Ty, usize),
    St(Space, Ty, usize),
    /// Adds to a word of shared memory.
    Red,
    /// Changes an element of memory, and gives what was there.
    Atom(Space, Atom, Ty),
    Add(Ty),
    Sub(Ty),
    Mul(Ty),
    Div(Ty),
    Min(Ty),
    Max(Ty),
    MadLo(Ty),
    MadWide(Ty),
    Fma(Ty),
    Sqrt(Ty),
    Neg(Ty),
    And(Ty),
    Or(Ty),
    Xor(Ty),
    Not(Ty),
    Shl(Ty),
    Shr(Ty),
    Bfe(Ty),
    Brev,
    Prmt,
    Setp(Compare, Ty),
    Selp(Ty),
    Cvt(Option<Round>, Ty, Ty),
    ShuffleDown,
    /// Which lanes of the warp have the same word.
    Match,
    /// Waits for the lanes of the warp.
    Meet,
    Popc,
    /// 8 by 8 sums of 4 products, by a warp.
    Multiply,
    ShuffleFrom,
    Barrier,
    Branch(usize),
    Return,
}

#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// The predicate, and the value of it with which it runs.
    pub(crate) guard: Option<(usize, bool)>,
    pub(crate) op: Op,
    /// The destination first.
    pub(crate) operands: Vec<Operand>,
    pub(crate) line: usize,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The bytes of its argument.
    pub argument: usize,
    /// The threads of a block at most, where it says so.
    pub(crate) threads: Option<u32>,
    pub(crate) shared: usize,
    /// The bytes of a thread's own memory.
    pub(crate) local: usize,
    /// Whether a launch may give it more of that.
    pub(crate) shares: bool,
    pub(crate) registers: usize,
    pub(crate) code: Vec<Instruction>,
}

/// Reads a module.
///
/// # Errors
/// The first line that is not understood.
pub fn parse(text: &str) -> Result<Vec<Function>, Fault> {
    let mut functions = Vec::new();
    // What the next function shares as a launch says.
    let mut outside: Option<String> = None;
    let mut lines = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim())).filter(|(_, l)| !l.is_empty());
    let mut header = [".version ", ".target sm_", ".address_size 64"].into_iter();
    while let Some((number, line)) = lines.next() {
        if let Some(want) = header.next() {
            if !line.starts_with(want) {
                return fault(format!("line {number}: `{want}` was expected"));
            }
            continue;
        }
        if let Some(name) =
            line.strip_prefix(".extern .shared .align 16 .b8 ").and_then(|l| l.strip_suffix("[];"))
        {
            if outside.replace(name.to_string()).is_some() {
                return fault(format!("line {number}: two kinds of shared memory before a function"));
            }
            continue;
        }
        let Some(name) = line.strip_prefix(".visible .entry ").and_then(|l| l.strip_suffix('(')) else {
            return fault(format!("line {number}: an entry was expected, not `{line}`"));
        };
        let parameter = lines.next().map_or("", |l| l.1);
        let bytes =
            parameter.strip_prefix(".param .align 8 .b8 arguments[").and_then(|l| l.strip_suffix(']'));
        let Some(argument) = bytes.and_then(|b| b.parse().ok()) else {
            return fault(format!("line {number}: the argument is `{parameter}`"));
        };
        if lines.next().is_none_or(|l| l.1 != ")") {
            return fault(format!("line {number}: `)` is missing"));
        }
        let mut threads = None;
        loop {
            let line = lines.next().map_or("", |l| l.1);
            if let Some(count) = line.strip_prefix(".maxntid ") {
                threads = Some(count.parse().map_err(|_| Fault(format!("line {number}: `{line}`")))?);
            } else if line == "{" {
                break;
            } else if !line.starts_with(".minnctapersm ") {
                return fault(format!("line {number}: `{{` is missing"));
            }
        }
        let shares = outside.is_some();
        let (name, code) = (name.to_string(), Vec::new());
        let mut reader = Reader {
            function: Function { name, argument, threads, shared: 0, local: 0, shares, registers: 0, code },
            outside: outside.take(),
            registers: HashMap::new(),
            names: HashMap::from([("arguments".to_string(), 0)]),
            labels: HashMap::new(),
            jumps: Vec::new(),
        };
        loop {
            let Some((number, line)) = lines.next() else { return fault("a function has no end") };
            if line == "}" {
                break;
            }
            reader.line(number, line).map_err(|f| Fault(format!("line {number}: {}: `{line}`", f.0)))?;
        }
        functions.push(reader.finish()?);
    }
    if outside.is_some() {
        return fault("shared memory after the last function");
    }
    Ok(functions)
}

struct Reader {
    function: Function,
    /// The name of what a launch shares.
    outside: Option<String>,
    /// Where each bank begins among the registers, and how many it has.
    registers: HashMap<String, (usize, usize, u32)>,
    names: HashMap<String, i64>,
    labels: HashMap<String, usize>,
    /// Branches, and the labels they go to.
    jumps: Vec<(usize, String)>,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) -> Result<(), Fault> {
        if let Some(label) = line.strip_suffix(':') {
            let at = self.function.code.len();
            return match self.labels.insert(label.into(), at) {
                None => Ok(()),
                Some(_) => fault("a label stands twice"),
            };
        }
        let Some(line) = line.strip_suffix(';') else { return fault("a line without an end") };
        if let Some(registers) = line.strip_prefix(".reg ") {
            return self.bank(registers);
        }
        if let Some(local) = line.strip_prefix(".local .align 8 .b8 ") {
            let (name, bytes) = local.split_once('[').ok_or(Fault("no size".into()))?;
            self.names.insert(name.into(), self.function.local as i64);
            let bytes = bytes.trim_end_matches(']').parse::<usize>().map_err(|e| Fault(e.to_string()))?;
            self.function.local += bytes.next_multiple_of(8);
            return Ok(());
        }
        let shared = [".shared .align 8 .b8 ", ".shared .align 16 .b8 "];
        if let Some(shared) = shared.iter().find_map(|s| line.strip_prefix(s)) {
            let (name, bytes) = shared.split_once('[').ok_or(Fault("no size".into()))?;
            self.function.shared = self.function.shared.next_multiple_of(8);
            self.names.insert(name.into(), self.function.shared as i64);
            self.function.shared +=
                bytes.trim_end_matches(']').parse::<usize>().map_err(|e| Fault(e.to_string()))?;
            return Ok(());
        }
        let (guard, rest) = match line.strip_prefix('@') {
            None => (None, line),
            Some(guarded) => {
                let (predicate, rest) = guarded.split_once(' ').ok_or(Fault("a guard alone".into()))?;
                let (name, when) = match predicate.strip_prefix('!') {
                    Some(name) => (name, false),
                    None => (predicate, true),
                };
                (Some((self.register(name, Some(1))?, when)), rest)
            }
        };
        let (name, operands) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let (op, widths) = self.op(name, operands)?;
        let texts = split(operands);
        if !matches!(op, Op::Branch(_)) && texts.len() != widths.len() {
            return fault(format!("{} operands, not {}", texts.len(), widths.len()));
        }
        let operands = match op {
            Op::Branch(_) => Vec::new(),
            _ => texts.iter().zip(&widths).map(|(t, &w)| self.operand(t, w)).collect::<Result<_, _>>()?,
        };
        self.function.code.push(Instruction { guard, op, operands, line: number });
        Ok(())
    }

    fn bank(&mut self, text: &str) -> Result<(), Fault> {
        let (ty, name) = text.split_once(' ').ok_or(Fault("no name".into()))?;
        let width = Ty::parse(ty.trim_start_matches('.'))?.width();
        let (name, count) = match name.split_once('<') {
            Some((name, count)) => {
                (name, count.trim_end_matches('>').parse::<usize>().map_err(|e| Fault(e.to_string()))?)
            }
            None => (name, 0),
        };
        self.registers.insert(name.into(), (self.function.registers, count, width));
        self.function.registers += count.max(1);
        Ok(())
    }

    /// The number of a register, of the width in bits if one is asked for.
    fn register(&self, name: &str, width: Option<u32>) -> Result<usize, Fault> {
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (bank, number) = name.split_at(name.len() - digits);
        let Some(&(first, count, has)) = self.registers.get(bank) else {
            return fault(format!("no register `{name}`"));
        };
        let number =
            if count == 0 { 0 } else { number.parse::<usize>().map_err(|e| Fault(e.to_string()))? };
        if count > 0 && number >= count {
            return fault(format!("no register `{name}`"));
        }
        match width {
            Some(width) if width != has => fault(format!("`{name}` has {has} bits, not {width}")),
            _ => Ok(first + number),
        }
    }

    /// An operand of a width in bits: 0 for what is no register.
    fn operand(&self, text: &str, width: u32) -> Result<Operand, Fault> {
        if let Some(inside) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
            let registers =
                split(inside).iter().map(|r| self.register(r, Some(width))).collect::<Result<_, _>>();
            return Ok(Operand::List(registers?));
        }
        if let Some(inside) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            let (base, offset) = inside.split_once('+').unwrap_or((inside, "0"));
            let offset: i64 = offset.parse().map_err(|_| Fault(format!("offset {offset}")))?;
            return match self.names.get(base) {
                Some(at) => Ok(Operand::Address(None, at + offset)),
                None => Ok(Operand::Address(Some(self.register(base, None)?), offset)),
            };
        }
        if let Some(special) = special(text) {
            return Ok(Operand::Special(special));
        }
        if text.starts_with('%') {
            return Ok(Operand::Register(self.register(text, Some(width))?));
        }
        if let Some(&at) = self.names.get(text) {
            return Ok(Operand::Immediate(at as u64));
        }
        // Behind all that the function itself has.
        if self.outside.as_deref() == Some(text) {
            return Ok(Operand::Immediate(self.function.shared as u64));
        }
        let bits = match text.get(..2) {
            Some("0f") => u64::from_str_radix(&text[2..], 16).ok(),
            Some("0d") => u64::from_str_radix(&text[2..], 16).ok(),
            Some("0x") => u64::from_str_radix(&text[2..], 16).ok(),
            _ => text.parse::<i128>().ok().map(|i| i as u64),
        };
        bits.map_or_else(|| fault(format!("operand `{text}`")), |bits| Ok(Operand::Immediate(bits)))
    }

    /// The instruction of a name, and the widths of its operands' registers.
    fn op(&mut self, name: &str, operands: &str) -> Result<(Op, Vec<u32>), Fault> {
        let words: Vec<&str> = name.split('.').collect();
        let unknown = || fault(format!("no instruction `{name}`"));
        let last = || Ty::parse(words.last().copied().unwrap_or(""));
        // Of one type: the name must be these words, and then the type.
        let alike = |want: &[&str], count: usize, make: fn(Ty) -> Op| -> Result<(Op, Vec<u32>), Fault> {
            let ty = last()?;
            match words[..words.len() - 1] == *want {
                true => Ok((make(ty), vec![ty.width(); count])),
                false => unknown(),
            }
        };
        let float = last().is_ok_and(|t| matches!(t, Ty::F32 | Ty::F64));
        match words[0] {
            "bra" => {
                self.jumps.push((self.function.code.len(), operands.into()));
                Ok((Op::Branch(0), Vec::new()))
            }
            "ret" => Ok((Op::Return, Vec::new())),
            "bar" if name == "bar.sync" => Ok((Op::Barrier, vec![0])),
            "bar" if name == "bar.warp.sync" => Ok((Op::Meet, vec![32])),
            "match" if name == "match.any.sync.b32" => Ok((Op::Match, vec![32; 3])),
            "popc" if name == "popc.b32" => Ok((Op::Popc, vec![32; 2])),
            "red" if name == "red.shared.add.u32" => Ok((Op::Red, vec![64, 32])),
            "mov" => {
                let (op, mut widths) = alike(&["mov"], 2, Op::Mov)?;
                // The halves of a double word.
                for (width, text) in widths.iter_mut().zip(split(operands)) {
                    if text.starts_with('{') {
                        *width = 32;
                    }
                }
                Ok((op, widths))
            }
            "ld" | "st" => {
                let ty = last()?;
                let inner = &words[1..words.len() - 1];
                let (inner, count) = match inner {
                    [inner @ .., "v2"] => (inner, 2),
                    [inner @ .., "v4"] if ty.bytes() <= 4 => (inner, 4),
                    inner => (inner, 1),
                };
                let space = match (words[0], inner) {
                    ("ld", ["param"]) if count == 1 => Space::Param,
                    ("ld", ["global"] | ["global", "nc"]) => Space::Global,
                    ("st", ["global"] | ["global", "cs"]) => Space::Global,
                    ("st", ["volatile", "global"]) if count == 1 => Space::Global,
                    (_, ["shared"]) => Space::Shared,
                    (_, ["local"]) => Space::Local,
                    _ => return unknown(),
                };
                // No access has more than 16 bytes.
                if count * ty.bytes() > 16 {
                    return unknown();
                }
                Ok(match words[0] {
                    "ld" => (Op::Ld(space, ty, count), vec![ty.width(), 64]),
                    _ => (Op::St(space, ty, count), vec![64, ty.width()]),
                })
            }
            "atom" => {
                let ["atom", space, how, _] = words[..] else { return unknown() };
                let space = match space {
                    "global" => Space::Global,
                    "shared" => Space::Shared,
                    _ => return unknown(),
                };
                let ty = last()?;
                let atom = match (how, ty) {
                    ("add", Ty::U32 | Ty::S32 | Ty::U64 | Ty::F32 | Ty::F64) => Atom::Add,
                    ("min", Ty::U32 | Ty::S32 | Ty::U64 | Ty::S64) => Atom::Min,
                    ("max", Ty::U32 | Ty::S32 | Ty::U64 | Ty::S64) => Atom::Max,
                    ("and", Ty::B32 | Ty::B64) => Atom::And,
                    ("or", Ty::B32 | Ty::B64) => Atom::Or,
                    ("xor", Ty::B32 | Ty::B64) => Atom::Xor,
                    ("exch", Ty::B32 | Ty::B64) => Atom::Exchange,
                    ("cas", Ty::B32 | Ty::B64) => Atom::Swap,
                    _ => return unknown(),
                };
                let mut widths = vec![ty.width(), 64, ty.width()];
                widths.extend((atom == Atom::Swap).then_some(ty.width()));
                Ok((Op::Atom(space, atom, ty), widths))
            }
            "cvta" if name == "cvta.to.global.u64" => Ok((Op::Mov(Ty::B64), vec![64, 64])),
            "add" if float => alike(&["add", "rn"], 3, Op::Add),
            "mul" if float => alike(&["mul", "rn"], 3, Op::Mul),
            "sub" if float => alike(&["sub", "rn"], 3, Op::Sub),
            "div" if float => alike(&["div", "rn"], 3, Op::Div),
            "add" => alike(&["add"], 3, Op::Add),
            "sub" => alike(&["sub"], 3, Op::Sub),
            "mul" => alike(&["mul", "lo"], 3, Op::Mul),
            "div" => alike(&["div"], 3, Op::Div),
            "min" => alike(&["min"], 3, Op::Min),
            "max" => alike(&["max"], 3, Op::Max),
            "mad" if words.get(1) == Some(&"wide") => {
                let ty = last()?;
                if !matches!(ty, Ty::S32 | Ty::U32) || words.len() != 3 {
                    return unknown();
                }
                Ok((Op::MadWide(ty), vec![64, 32, 32, 64]))
            }
            "mad" => alike(&["mad", "lo"], 4, Op::MadLo),
            "fma" if float => alike(&["fma", "rn"], 4, Op::Fma),
            "sqrt" if float => alike(&["sqrt", "rn"], 2, Op::Sqrt),
            "neg" if float => alike(&["neg"], 2, Op::Neg),
            "and" => alike(&["and"], 3, Op::And),
            "or" => alike(&["or"], 3, Op::Or),
            "xor" => alike(&["xor"], 3, Op::Xor),
            "not" => alike(&["not"], 2, Op::Not),
            "shl" | "shr" => {
                let make = if words[0] == "shl" { Op::Shl } else { Op::Shr };
                let (op, mut widths) = alike(&words[..1], 3, make)?;
                // Amounts have 32 bits.
                widths[2] = 32;
                Ok((op, widths))
            }
            "bfe" => {
                let (op, mut widths) = alike(&["bfe"], 4, Op::Bfe)?;
                (widths[2], widths[3]) = (32, 32);
                Ok((op, widths))
            }
            "brev" if name == "brev.b32" => Ok((Op::Brev, vec![32; 2])),
            "prmt" if name == "prmt.b32" => Ok((Op::Prmt, vec![32; 4])),
            "setp" if words.len() == 3 => {
                let compare = match words[1] {
                    "eq" => Compare::Eq,
                    "ne" if !float => Compare::Ne,
                    "lt" => Compare::Lt,
                    "le" => Compare::Le,
                    "gt" => Compare::Gt,
                    "ge" => Compare::Ge,
                    "neu" if float => Compare::Neu,
                    "nan" if float => Compare::Nan,
                    _ => return unknown(),
                };
                let ty = last()?;
                Ok((Op::Setp(compare, ty), vec![1, ty.width(), ty.width()]))
            }
            "selp" => {
                let (op, mut widths) = alike(&["selp"], 4, Op::Selp)?;
                widths[3] = 1;
                Ok((op, widths))
            }
            "cvt" => {
                let (round, types) = match words[1] {
                    "rn" => (Some(Round::Nearest), &words[2..]),
                    "rni" => (Some(Round::Even), &words[2..]),
                    "rzi" => (Some(Round::Zero), &words[2..]),
                    "rmi" => (Some(Round::Down), &words[2..]),
                    "rpi" => (Some(Round::Up), &words[2..]),
                    _ => (None, &words[1..]),
                };
                let [to, from] = types else { return unknown() };
                let (to, from) = (Ty::parse(to)?, Ty::parse(from)?);
                Ok((Op::Cvt(round, to, from), vec![to.width(), from.width()]))
            }
            "mma" if name == "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64" => {
                Ok((Op::Multiply, vec![64; 4]))
            }
            "shfl" if name == "shfl.sync.down.b32" => Ok((Op::ShuffleDown, vec![32; 5])),
            "shfl" if name == "shfl.sync.idx.b32" => Ok((Op::ShuffleFrom, vec![32; 5])),
            _ => unknown(),
        }
    }

    fn finish(mut self) -> Result<Function, Fault> {
        for (at, label) in std::mem::take(&mut self.jumps) {
            let Some(&to) = self.labels.get(&label) else { return fault(format!("no label {label}")) };
            self.function.code[at].op = Op::Branch(to);
        }
        Ok(self.function)
    }
}

/// Operands, by the commas outside of braces.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts.iter().map(|p| p.trim().to_string()).filter(|p| !p.is_empty()).collect()
}

fn special(text: &str) -> Option<Special> {
    let (name, axis) = text.strip_prefix('%')?.split_once('.')?;
    let axis = ["x", "y", "z"].iter().position(|a| *a == axis)?;
    Some(match name {
        "tid" => Special::Tid(axis),
        "ntid" => Special::Ntid(axis),
        "ctaid" => Special::Ctaid(axis),
        "nctaid" => Special::Nctaid(axis),
        _ => return None,
    })
}

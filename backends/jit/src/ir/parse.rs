//! Kernels from their text, as `Display` writes it: so tests and reports of bugs hold kernels as text.
//!
//! Values keep their printed numbers, so that a parsed kernel prints as the text that it came from.

use super::{
    Access, Branches, Calls, Carried, Code, Effects, Guarantees, Id, Join, Kernel, KernelFunction, NEXT,
    Operands, Param, Place, Rule, STEPS, Statement, Steps, Type, guarantees,
};
use std::fmt;
use std::str::FromStr;

/// Text that is no kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, found `{}`", self.line, self.expected, self.found)
    }
}

impl std::error::Error for ParseError {}

/// Blocks are nested no deeper than this.
const DEPTH: usize = 500;

/// Values have numbers below this one, so that text cannot ask for any amount of memory.
const NUMBERS: u32 = 1 << 20;

impl FromStr for Kernel {
    type Err = ParseError;

    /// Parses a printed kernel. [`verify`](super::verify) says whether it is well-formed.
    ///
    /// ```
    /// use ivy_backend_jit::ir::{Kernel, verify};
    ///
    /// let text = "\
    /// kernel with effects($0: count i64, $1: memory f32) {
    ///   <f32> %0 = memory $1
    ///   elements {
    ///     <i64> %1 = load $0
    ///     <f32> %2 = load_at %0 %1
    ///     <f32> %3 = add %2 %2
    ///     store_at %0 %1 %3
    ///   }
    /// }
    /// ";
    /// let kernel: Kernel = text.parse()?;
    /// verify(&kernel).expect("well-formed");
    /// assert_eq!(kernel.to_string(), text);
    /// # Ok::<(), ivy_backend_jit::ir::ParseError>(())
    /// ```
    fn from_str(text: &str) -> Result<Kernel, ParseError> {
        let mut lines = Lines { rest: text.lines(), number: 0 };
        let mut calls = Calls::default();
        let mut head = lines.next("a kernel")?;
        while let Some(rest) = head.strip_prefix("function ") {
            let (name, arguments, results) = signature(&lines, rest)?;
            let body = body(&mut lines, &calls)?;
            calls.functions.push(KernelFunction { name, arguments, results, body });
            head = lines.next("a kernel")?;
        }
        while let Some(rest) = head.strip_prefix("table ") {
            let (number, names) =
                rest.split_once(" = ").ok_or_else(|| lines.error("`=` after a table", head))?;
            if number != calls.tables.len().to_string() {
                return Err(lines.error("tables in the order of their numbers", number));
            }
            let table = names.split(", ").map(|name| function_of(&lines, &calls, name).map(|n| n as u32));
            calls.tables.push(table.collect::<Result<_, _>>()?);
            head = lines.next("a kernel")?;
        }
        let (effects, params, guarantees) = header(&lines, head)?;
        let mut kernel = body(&mut lines, &calls)?;
        for f in &mut calls.functions {
            (f.body.effects, f.body.params) = (effects, params.clone());
        }
        (kernel.effects, kernel.params, kernel.calls) = (effects, params, calls);
        kernel.guarantees = guarantees;
        while let Ok(line) = lines.next("") {
            if !line.is_empty() {
                return Err(lines.error("nothing after the kernel", line));
            }
        }
        Ok(kernel)
    }
}

/// The blocks of a kernel or a function, without its parameters.
fn body(lines: &mut Lines<'_>, calls: &Calls) -> Result<Kernel, ParseError> {
    let blocks = vec![Vec::new(), Vec::new()];
    let (params, statements) = (Vec::new(), Vec::new());
    let (guarantees, none) = (Guarantees::default(), Calls::default());
    let kernel = Kernel { params, statements, blocks, effects: None, guarantees, calls: none };
    let mut parser = Parser { lines, calls, kernel, depth: 0, defined: Vec::new(), unnumbered: Vec::new() };
    if parser.block(0)? != End::Closed {
        return Err(parser.lines.error("`}`", "} else {"));
    }
    Ok(parser.finish())
}

/// A function's name, arguments and results: `square(f32) -> (f32) {`.
fn signature(lines: &Lines<'_>, text: &str) -> Result<(String, Vec<Type>, Vec<Type>), ParseError> {
    let error = || lines.error("a function, such as `square(f32) -> (f32) {`", text);
    let (name, rest) = text.split_once('(').ok_or_else(error)?;
    let (takes, rest) = rest.split_once(") -> (").ok_or_else(error)?;
    let gives = rest.strip_suffix(") {").ok_or_else(error)?;
    let types = |list: &str| {
        let names = list.split(", ").filter(|name| !name.is_empty());
        names.map(type_of).collect::<Option<Vec<_>>>().ok_or_else(error)
    };
    Ok((name.into(), types(takes)?, types(gives)?))
}

/// The number of a function that stands before.
fn function_of(lines: &Lines<'_>, calls: &Calls, name: &str) -> Result<usize, ParseError> {
    let number = calls.functions.iter().position(|f| f.name == name);
    number.ok_or_else(|| lines.error("a function that stands before", name))
}

/// What is left to read.
struct Lines<'t> {
    rest: std::str::Lines<'t>,
    number: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self, expected: &'static str) -> Result<&'t str, ParseError> {
        self.number += 1;
        let end = || ParseError { line: self.number, expected, found: "the end of the text".into() };
        self.rest.next().map(str::trim).ok_or_else(end)
    }

    fn error(&self, expected: &'static str, found: &str) -> ParseError {
        ParseError { line: self.number, expected, found: found.into() }
    }
}

/// What stands before a kernel's blocks.
type Header = (Option<Effects>, Vec<Param>, Guarantees);

/// How elements run, the parameters, and what launches guarantee.
fn header(lines: &Lines<'_>, head: &str) -> Result<Header, ParseError> {
    let error = |expected| lines.error(expected, head);
    let rest = head.strip_prefix("kernel").ok_or_else(|| error("`kernel`"))?;
    let (how, params) = rest.split_once('(').ok_or_else(|| error("parameters in parentheses"))?;
    let (params, guarantees) = match params.split_once(") where ") {
        None => (params.strip_suffix(") {"), Some(Guarantees::default())),
        Some((params, rest)) => (Some(params), rest.strip_suffix(" {").and_then(guarantees::parse)),
    };
    let params = params.ok_or_else(|| error("`) {` at the end"))?;
    let guarantees = guarantees.ok_or_else(|| error("`where elements in 0..9, $1 has 9 {`"))?;
    let effects = match how.strip_prefix(" with effects") {
        None if how.is_empty() => None,
        None => return Err(error("`kernel(` or `kernel with effects`")),
        Some(how) => {
            let (serial, how) = how.strip_prefix(", in order").map_or((false, how), |how| (true, how));
            let block = match how.strip_prefix(", by blocks of ") {
                None if how.is_empty() => 1,
                number => {
                    number.and_then(|n| n.parse().ok()).ok_or_else(|| error("`, by blocks of` a number"))?
                }
            };
            Some(Effects { block, serial })
        }
    };
    let params = params.split(", ").filter(|p| !p.is_empty()).enumerate();
    let params = params.map(|(n, text)| param(n, text).ok_or_else(|| lines.error("a parameter", text)));
    Ok((effects, params.collect::<Result<_, _>>()?, guarantees))
}

/// A parameter: `$0: in f32 pair`.
fn param(number: usize, text: &str) -> Option<Param> {
    let text = text.strip_prefix(&format!("${number}: "))?;
    let (text, parts) = match text.strip_suffix(" pair") {
        Some(text) => (text, 2),
        None => match text.strip_suffix(" parts").and_then(|text| text.rsplit_once(" in ")) {
            Some((text, parts)) => (text, parts.parse().ok()?),
            None => (text, 1),
        },
    };
    let (access, ty) = text.rsplit_once(' ')?;
    Some(Param { ty: type_of(ty)?, parts, access: access_of(access)? })
}

fn type_of(name: &str) -> Option<Type> {
    Type::ALL.iter().copied().find(|ty| ty.name() == name)
}

fn access_of(name: &str) -> Option<Access> {
    let steps = [Steps::None, Steps::One, Steps::Any];
    let mut all = vec![Access::Uniform, Access::Linear, Access::Ahead, Access::Strided, Access::Transposed];
    all.extend([Access::GuardedAhead, Access::Out, Access::Stream, Access::Flag]);
    all.extend([Access::Memory, Access::Log]);
    all.extend(STEPS.iter().flat_map(|&s| [Access::Step(s as i8), Access::StepAhead(s as i8)]));
    all.extend(steps.iter().flat_map(|&s| [Access::Gather(s), Access::Guarded(s), Access::Counter(s)]));
    all.extend(Join::ALL.iter().flat_map(|&j| [Access::Along(j), Access::Row(j), Access::Across(j)]));
    if let Some((leader, _)) = name.split_once('$').and_then(|(_, rest)| rest.split_once(' ')) {
        let leader = leader.parse().ok()?;
        all.extend((1..=NEXT).map(|by| Access::Beside { leader, by }));
        all.extend((1..=NEXT).map(|by| Access::GuardedBeside { leader, by }));
    }
    all.into_iter().find(|access| access.name() == name)
}

/// How a block ends.
#[derive(PartialEq)]
enum End {
    Closed,
    Else,
}

struct Parser<'p, 't> {
    lines: &'p mut Lines<'t>,
    /// What may be called.
    calls: &'p Calls,
    kernel: Kernel,
    /// How many blocks are open.
    depth: usize,
    /// By number, whether a statement has it.
    defined: Vec<bool>,
    /// Statements without a number, by the places where they stand.
    unnumbered: Vec<(usize, usize, Statement)>,
}

impl Parser<'_, '_> {
    fn block(&mut self, number: usize) -> Result<End, ParseError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.lines.error("at most 500 blocks within each other", "{"));
        }
        let end = loop {
            match self.lines.next("a statement or `}`")? {
                "}" => break End::Closed,
                "} else {" => break End::Else,
                line => self.statement(number, line)?,
            }
        };
        self.depth -= 1;
        Ok(end)
    }

    fn new_block(&mut self) -> usize {
        self.kernel.blocks.push(Vec::new());
        self.kernel.blocks.len() - 1
    }

    /// A value's number.
    fn number(&self, word: &str) -> Result<Id, ParseError> {
        let number = word.strip_prefix('%').and_then(|n| n.parse().ok()).filter(|&n: &u32| n < NUMBERS);
        number.map(Id).ok_or_else(|| self.lines.error("a value, such as `%3`", word))
    }

    fn statement(&mut self, block: usize, line: &str) -> Result<(), ParseError> {
        let mut words = line.split_whitespace().peekable();
        let ty = words.next_if(|w| w.starts_with('<'));
        let ty = match ty {
            None => Type::Bool,
            Some(word) => {
                let name = word.strip_prefix('<').and_then(|w| w.strip_suffix('>'));
                name.and_then(type_of).ok_or_else(|| self.lines.error("a type, such as `<f32>`", word))?
            }
        };
        let id = match words.next_if(|w| w.starts_with('%')) {
            None => None,
            Some(word) => {
                let id = self.number(word)?;
                if words.next() != Some("=") {
                    return Err(self.lines.error("`=` after a value", line));
                }
                Some(id)
            }
        };
        let name = words.next().unwrap_or("");
        let code = Code::ALL.iter().copied().find(|code| code.name() == name);
        let code = code.ok_or_else(|| self.lines.error("a statement's name", name))?;
        let mut words: Vec<&str> = words.collect();
        let opens = words.last() == Some(&"{");
        if opens {
            words.pop();
        }
        let mut statement = Statement { code, ty, operands: Operands::new(), imm: 0 };
        self.arguments(block, &mut statement, &words)?;
        // A `rare` is defined behind its block, of which it has an operand; the order of definitions does not matter here.
        let slot = self.kernel.blocks[block].len();
        self.kernel.blocks[block].push(id.unwrap_or(Id(0)));
        let holds = matches!(code.rule(), Rule::Elements | Rule::Rare | Rule::Loop | Rule::If);
        if holds != opens {
            return Err(self.lines.error("`{` after what holds blocks, and nothing else", line));
        }
        if holds {
            statement.imm = self.held(code, block)?;
        }
        match id {
            None => self.unnumbered.push((block, slot, statement)),
            Some(id) => {
                let number = id.0 as usize;
                if self.defined.len() <= number {
                    self.defined.resize(number + 1, false);
                    self.kernel.statements.resize_with(number + 1, filler);
                }
                if std::mem::replace(&mut self.defined[number], true) {
                    return Err(self.lines.error("each value once", line));
                }
                self.kernel.statements[number] = statement;
            }
        }
        Ok(())
    }

    /// The blocks of a statement, as it holds them.
    fn held(&mut self, code: Code, block: usize) -> Result<u64, ParseError> {
        let first = match code {
            Code::Elements if block == 0 && self.kernel.blocks[1].is_empty() => 1,
            _ => self.new_block(),
        };
        match (code, self.block(first)?) {
            (Code::If, End::Else) => {
                let otherwise = self.new_block();
                match self.block(otherwise)? {
                    End::Closed => Ok(Branches { then: first as u32, otherwise: otherwise as u32 }.imm()),
                    End::Else => Err(self.lines.error("`}`", "} else {")),
                }
            }
            (Code::If, End::Closed) => Err(self.lines.error("`} else {`", "}")),
            (_, End::Else) => Err(self.lines.error("`}`", "} else {")),
            (_, End::Closed) => Ok(first as u64),
        }
    }

    /// What stands after a statement's name.
    fn arguments(&self, block: usize, s: &mut Statement, words: &[&str]) -> Result<(), ParseError> {
        let wrong = |expected| self.lines.error(expected, &words.join(" "));
        let rule = s.code.rule();
        let mut operands = words;
        match rule {
            Rule::Constant | Rule::Alloca | Rule::Shared | Rule::Carried | Rule::Argument => {
                let [word] = words else { return Err(wrong("a number")) };
                let number = match word.strip_prefix("0x") {
                    Some(digits) => u64::from_str_radix(digits, 16).ok(),
                    None => word.parse().ok(),
                };
                let number = number.ok_or_else(|| wrong("a number"))?;
                s.imm = match rule {
                    Rule::Carried => {
                        let index = u32::try_from(number).map_err(|_| wrong("a small number"))?;
                        Carried { block: block as u32, index }.imm()
                    }
                    _ => number,
                };
                return Ok(());
            }
            Rule::Load | Rule::LoadWhere | Rule::Gather | Rule::Check | Rule::Store | Rule::Memory => {
                let (word, rest) = words.split_first().ok_or_else(|| wrong("a parameter"))?;
                let place =
                    place_of(word).ok_or_else(|| self.lines.error("a parameter, such as `$0`", word))?;
                s.imm = match rule {
                    Rule::Store | Rule::Memory => u64::from(place.param),
                    _ => place.imm(),
                };
                operands = rest;
            }
            Rule::Call | Rule::CallTable => {
                let (word, rest) = words.split_first().ok_or_else(|| wrong("what is called"))?;
                s.imm = match rule {
                    Rule::Call => function_of(self.lines, self.calls, word)? as u64,
                    _ => word.parse().map_err(|_| wrong("the number of a table"))?,
                };
                operands = rest;
            }
            Rule::Result => {
                let (word, rest) = words.split_last().ok_or_else(|| wrong("a value and a number"))?;
                s.imm = word.parse().map_err(|_| wrong("the number of a result"))?;
                operands = rest;
            }
            _ => {}
        }
        s.operands = operands.iter().map(|word| self.number(word)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn finish(self) -> Kernel {
        let mut kernel = self.kernel;
        for (block, slot, statement) in self.unnumbered {
            kernel.blocks[block][slot] = Id(kernel.statements.len() as u32);
            kernel.statements.push(statement);
        }
        // What is named, and defined nowhere, is in no block: the verifier says so.
        kernel
    }
}

/// What stands for numbers that no statement has.
fn filler() -> Statement {
    Statement { code: Code::Constant, ty: Type::Bool, operands: Operands::new(), imm: 0 }
}

/// A part of a parameter: `$0`, `$0.im`, `$0.3`.
fn place_of(word: &str) -> Option<Place> {
    let word = word.strip_prefix('$')?;
    let (param, part) = match word.split_once('.') {
        None => (word, 0),
        Some((param, "im")) => (param, 1),
        Some((param, part)) => (param, part.parse().ok().filter(|&n: &u32| n < 256)?),
    };
    Some(Place { param: param.parse().ok().filter(|&n: &u32| n < NUMBERS)?, part })
}

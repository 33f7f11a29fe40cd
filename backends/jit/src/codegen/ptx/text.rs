//! The frame of a function: registers, arguments, and the loop over what a thread computes.

use super::memory::Cells;
use super::{ARGUMENT_BYTES, FUNCTION, Form, Shape, Walk, Words};
use crate::ir::{Code, Id, Kernel, Param, Type};
use std::collections::HashMap;
use std::fmt::Write;

/// What a module begins with; functions follow.
pub const HEADER: &str = ".version 6.4\n.target sm_70\n.address_size 64\n";

/// The module of a kernel that [`crate::ir::verify`] accepts, with the entry [`FUNCTION`].
pub fn module(kernel: &Kernel, form: Form) -> String {
    format!("{HEADER}\n{}", function(kernel, form, FUNCTION))
}

/// The function of a kernel that [`crate::ir::verify`] accepts.
pub fn function(kernel: &Kernel, form: Form, name: &str) -> String {
    let mut text = Text::new(&kernel.params, form);
    text.kernel = Some(kernel);
    match Shape::of(&kernel.params) {
        Shape::Elements => match form.walk {
            Walk::Abreast { each, whole, ragged } => text.elements(each, whole, ragged),
            Walk::Tiles { axis, transposed, mirrored } => text.tiles(axis, transposed, mirrored),
        },
        Shape::Along => text.along(),
        Shape::Across => text.across(),
    }
    text.finish(name)
}

/// The module of a function of so many words that does nothing: a launch of it is the driver's own part of any.
pub fn empty(words: usize) -> String {
    let mut text = Text::new(&[], Form::new(0, false));
    text.arguments(words);
    format!("{HEADER}\n{}", text.finish(FUNCTION))
}

/// Kinds of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bank {
    Truth,
    Word,
    Double,
}

impl Bank {
    pub(super) fn of(ty: Type) -> Bank {
        match ty.bits() {
            1 => Bank::Truth,
            64 => Bank::Double,
            _ => Bank::Word,
        }
    }

    /// The bank that memory is read to: truth values are bytes there.
    pub(super) fn memory(self) -> Bank {
        if self == Bank::Truth { Bank::Word } else { self }
    }

    /// The bytes of what memory is read to.
    pub(super) fn bytes(self) -> usize {
        if self == Bank::Double { 8 } else { 4 }
    }

    /// What moves and selects its bits.
    pub(super) fn bits(self) -> &'static str {
        match self {
            Bank::Truth => "pred",
            Bank::Word => "b32",
            Bank::Double => "b64",
        }
    }
}

pub(super) type Values = HashMap<Id, String>;

pub(super) struct Text<'k> {
    pub(super) kernel: Option<&'k Kernel>,
    pub(super) params: &'k [Param],
    pub(super) form: Form,
    pub(super) words: Words,
    pub(super) out: String,
    /// Lines outside of the function.
    pub(super) outside: String,
    /// What the function says of its launches.
    pub(super) bounds: String,
    /// The bytes of the argument.
    bytes: usize,
    counts: [u32; 3],
    labels: u32,
    /// Where the outermost loop around ends.
    pub(super) escape: Option<String>,
    /// Which of the elements that a thread computes is at hand.
    pub(super) lane: usize,
    /// Addresses of elements, by parameter and lane: a register, and what is added to it.
    pub(super) at: HashMap<(usize, usize), (String, i64)>,
    /// The parts of elements that have been read, by parameter and lane.
    pub(super) read: HashMap<(usize, usize), Vec<String>>,
    /// Where the results' element goes, in elements.
    pub(super) index: String,
    /// Whether a lane's element is written, and where it goes, in elements, if that is each one's own.
    pub(super) places: Vec<(String, String)>,
    /// What must be true for what is written now.
    pub(super) inside: Option<String>,
    /// What waits for the other lanes to be written: parameter, and the lanes' parts.
    pub(super) stored: HashMap<usize, Vec<String>>,
    /// What the body has stored to be folded: parameter, and parts.
    pub(super) folded: Vec<(usize, Vec<String>)>,
    /// The parts of each input, where they are in registers: stores go to [`Text::folded`] then.
    pub(super) held: Vec<Vec<String>>,
    /// What loops and conditionals give.
    pub(super) given: HashMap<Id, Vec<String>>,
    /// What names memory.
    pub(super) memories: HashMap<Id, Cells>,
}

impl<'k> Text<'k> {
    pub(super) fn new(params: &'k [Param], form: Form) -> Text<'k> {
        let words = Words::new(params, form);
        let mut text = Text {
            kernel: None,
            params,
            form,
            words,
            out: String::new(),
            outside: String::new(),
            bounds: String::new(),
            bytes: 0,
            counts: [0; 3],
            labels: 0,
            escape: None,
            lane: 0,
            at: HashMap::new(),
            read: HashMap::new(),
            index: String::new(),
            places: Vec::new(),
            inside: None,
            stored: HashMap::new(),
            folded: Vec::new(),
            held: Vec::new(),
            given: HashMap::new(),
            memories: HashMap::new(),
        };
        text.arguments(words.count(params));
        text
    }

    /// Says how many words the argument has.
    pub(super) fn arguments(&mut self, words: usize) {
        self.bytes = words * 8;
        if self.bytes > ARGUMENT_BYTES {
            self.out.clear();
            let address = self.put(Bank::Double, "ld.param.u64", &["[arguments]"]);
            let address = self.put(Bank::Double, "cvta.to.global.u64", &[&address]);
            self.line(format_args!("mov.b64 %words, {address};"));
        }
    }

    /// The whole function.
    pub(super) fn finish(self, name: &str) -> String {
        let inline = self.bytes <= ARGUMENT_BYTES;
        let bytes = if inline { self.bytes } else { 8 };
        let [p, r, d] = self.counts.map(|n| n + 1);
        let words = if inline { "" } else { "  .reg .b64 %words;\n" };
        format!(
            ".visible .entry {name}(\n  .param .align 8 .b8 arguments[{bytes}]\n)\n{}{{\n  \
             .reg .pred %p<{p}>;\n  .reg .b32 %r<{r}>;\n  .reg .b64 %d<{d}>;\n{words}{}{}  ret;\n}}\n",
            self.bounds, self.outside, self.out
        )
    }

    /// Writes a line as it is.
    pub(super) fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.out, "  {line}");
    }

    /// A register that nothing uses yet.
    pub(super) fn register(&mut self, bank: Bank) -> String {
        let (number, letter) = match bank {
            Bank::Truth => (0, 'p'),
            Bank::Word => (1, 'r'),
            Bank::Double => (2, 'd'),
        };
        self.counts[number] += 1;
        format!("%{letter}{}", self.counts[number])
    }

    /// Writes an instruction whose value goes to a register.
    pub(super) fn set(&mut self, register: &str, instruction: &str, operands: &[&str]) {
        let operands = operands.join(", ");
        self.line(format_args!("{instruction} {register}, {operands};"));
    }

    /// Writes an instruction whose value goes to a new register.
    pub(super) fn put(&mut self, bank: Bank, instruction: &str, operands: &[&str]) -> String {
        let register = self.register(bank);
        self.set(&register, instruction, operands);
        register
    }

    /// A truth value.
    pub(super) fn test(&mut self, instruction: &str, operands: &[&str]) -> String {
        self.put(Bank::Truth, instruction, operands)
    }

    /// A copy that may be written anew.
    pub(super) fn copy(&mut self, bank: Bank, value: &str) -> String {
        self.put(bank, &format!("mov.{}", bank.bits()), &[value])
    }

    pub(super) fn assign(&mut self, bank: Bank, register: &str, value: &str) {
        self.set(register, &format!("mov.{}", bank.bits()), &[value]);
    }

    /// A label that nothing uses yet.
    pub(super) fn label(&mut self, name: &str) -> String {
        self.labels += 1;
        format!("${name}{}", self.labels)
    }

    pub(super) fn place(&mut self, label: &str) {
        let _ = writeln!(self.out, "{label}:");
    }

    /// The bank of numbers of elements.
    pub(super) fn bank(&self) -> Bank {
        if self.form.wide { Bank::Double } else { Bank::Word }
    }

    /// An instruction on numbers of elements: its name, and how it takes them.
    pub(super) fn number(&mut self, name: &str, kind: char, operands: &[&str]) -> String {
        let bits = if self.form.wide { 64 } else { 32 };
        self.put(self.bank(), &format!("{name}.{kind}{bits}"), operands)
    }

    /// A comparison of numbers of elements.
    pub(super) fn compare(&mut self, how: &str, a: &str, b: &str) -> String {
        let bits = if self.form.wide { 64 } else { 32 };
        self.test(&format!("setp.{how}.u{bits}"), &[a, b])
    }

    /// A register of 32 bits as a number of elements.
    pub(super) fn widened(&mut self, word: &str) -> String {
        if self.form.wide { self.put(Bank::Double, "cvt.u64.u32", &[word]) } else { word.to_string() }
    }

    /// A word of the argument as a number of elements, or a distance.
    pub(super) fn word(&mut self, word: usize) -> String {
        let kind = if self.form.wide { "b64" } else { "b32" };
        self.argument(self.bank(), kind, word)
    }

    /// A word of the argument as an address.
    pub(super) fn address(&mut self, word: usize) -> String {
        let address = self.argument(Bank::Double, "u64", word);
        self.put(Bank::Double, "cvta.to.global.u64", &[&address])
    }

    /// A word of the argument as an address, or as 0 where there is none.
    pub(super) fn argument_address(&mut self, word: usize) -> String {
        let address = self.argument(Bank::Double, "u64", word);
        let none = self.test("setp.eq.u64", &[&address, "0"]);
        let found = self.put(Bank::Double, "cvta.to.global.u64", &[&address]);
        self.put(Bank::Double, "selp.b64", &["0", &found, &none])
    }

    /// A word of the argument as what is counted from.
    pub(super) fn counter(&mut self, word: usize) -> String {
        self.argument(Bank::Double, "u64", word)
    }

    pub(super) fn argument(&mut self, bank: Bank, kind: &str, word: usize) -> String {
        let (space, name) =
            if self.bytes > ARGUMENT_BYTES { ("global.nc", "%words") } else { ("param", "arguments") };
        self.put(bank, &format!("ld.{space}.{kind}"), &[&format!("[{name}+{}]", word * 8)])
    }

    /// A thread's number in the grid, and how many threads there are.
    pub(super) fn thread(&mut self) -> (String, String) {
        let [block, size, thread, blocks] = ["%ctaid.x", "%ntid.x", "%tid.x", "%nctaid.x"]
            .map(|special| self.put(Bank::Word, "mov.u32", &[special]));
        let number = self.put(Bank::Word, "mad.lo.u32", &[&block, &size, &thread]);
        let count = self.put(Bank::Word, "mul.lo.u32", &[&blocks, &size]);
        (number, count)
    }

    /// Begins a loop of a number from a first one to below a last one. [`Text::close`] ends it.
    pub(super) fn open(&mut self, name: &str, first: &str, last: &str, step: &str) -> Loop {
        let (body, done) = (self.label(name), self.label("done"));
        let i = self.copy(self.bank(), first);
        let none = self.compare("ge", &i, last);
        self.line(format_args!("@{none} bra {done};"));
        self.place(&body);
        Loop { i, last: last.into(), step: step.into(), body, done }
    }

    pub(super) fn close(&mut self, l: Loop) {
        let kind = if self.form.wide { "u64" } else { "u32" };
        self.set(&l.i, &format!("add.{kind}"), &[&l.i, &l.step]);
        let more = self.compare("lt", &l.i, &l.last);
        self.line(format_args!("@{more} bra {};", l.body));
        self.place(&l.done);
    }

    /// The quotient and the rest of numbers of elements.
    pub(super) fn split(&mut self, number: &str, by: &str) -> (String, String) {
        let quotient = self.number("div", 'u', &[number, by]);
        let whole = self.number("mul.lo", 'u', &[&quotient, by]);
        let rest = self.number("sub", 'u', &[number, &whole]);
        (quotient, rest)
    }

    /// The coordinates along the first axes of the element with a number in row-major order.
    pub(super) fn coordinates(&mut self, number: &str, axes: usize) -> Vec<String> {
        self.coordinates_along(number, &(0..axes).collect::<Vec<_>>())
    }

    /// The coordinates along some axes, of the element with a number in row-major order of these.
    pub(super) fn coordinates_along(&mut self, number: &str, axes: &[usize]) -> Vec<String> {
        let mut left = number.to_string();
        let mut found = Vec::new();
        for &axis in axes.iter().skip(1).rev() {
            let length = self.word(self.words.length(axis));
            let (quotient, rest) = self.split(&left, &length);
            found.push(rest);
            left = quotient;
        }
        if !axes.is_empty() {
            found.push(left);
        }
        found.reverse();
        found
    }

    /// The statements of the top block.
    pub(super) fn top(&mut self, values: &mut Values) {
        let kernel = self.kernel;
        self.block(kernel.map_or(&[], Kernel::top), values);
    }

    /// The statements for an element.
    pub(super) fn body(&mut self, values: &mut Values) {
        self.folded.clear();
        let kernel = self.kernel;
        self.block(kernel.map_or(&[], Kernel::body), values);
    }

    /// A kernel that is written in the middle of others: its top block is written here.
    pub(super) fn held(&mut self, kernel: &'k Kernel) -> Held<'k> {
        let mut top = Values::new();
        self.kernel = Some(kernel);
        self.top(&mut top);
        Held { kernel, top }
    }

    /// Such a kernel's results of inputs that are in registers.
    pub(super) fn inlined(&mut self, held: &Held<'k>, inputs: Vec<Vec<String>>) -> Vec<Vec<String>> {
        (self.kernel, self.held) = (Some(held.kernel), inputs);
        self.body(&mut held.top.clone());
        self.held.clear();
        let mut stored = std::mem::take(&mut self.folded);
        stored.sort_by_key(|(param, _)| *param);
        stored.into_iter().map(|(_, parts)| parts).collect()
    }

    pub(super) fn block(&mut self, ids: &[Id], values: &mut Values) {
        let Some(kernel) = self.kernel else { return };
        ids.iter().for_each(|&id| self.one(kernel, id, values));
    }

    /// Writes a statement, with the blocks that it holds.
    pub(super) fn one(&mut self, kernel: &Kernel, id: Id, values: &mut Values) {
        let s = kernel.statement(id);
        let value = match s.code {
            Code::Elements => return,
            Code::Rare => self.rare(kernel, id, values),
            Code::Loop => return self.repeated(kernel, id, values),
            Code::If => return self.branches(kernel, id, values),
            Code::Result => self.given[&s.operands[0]][s.imm as usize].clone(),
            _ => self.statement(kernel, s, values),
        };
        values.insert(id, value);
    }
}

/// A kernel whose inputs and results are registers, and the values of its top block.
pub(super) struct Held<'k> {
    kernel: &'k Kernel,
    top: Values,
}

/// A loop that is being written.
pub(super) struct Loop {
    pub(super) i: String,
    last: String,
    step: String,
    body: String,
    done: String,
}

//! Kernels with effects. A thread has one element after the other, each of which no other thread has; where
//! elements run in order, there is one thread. The threads of a block are a block of elements, whose memory
//! is all zeros when it begins.

use super::text::{Bank, Text, Values};
use super::{FUNCTION, Form, HEADER};
use crate::ir::{Access, Code, Kernel, Param};

/// The words of a launch's argument, 8 bytes each: the first element's number, and the one after the last's;
/// where memory holds the latter, or 0, and whether that is an i64 and not an i32; then of each parameter the bits of its value, what
/// is counted from, or the address of its memory and how many elements that has.
#[derive(Clone, Copy, Debug)]
pub struct EffectWords;

impl EffectWords {
    /// The first element's number.
    pub const FIRST: usize = 0;
    /// The number after the last element's.
    pub const END: usize = 1;
    /// Where memory holds that, or 0.
    pub const END_AT: usize = 2;
    /// Whether it is an i64 there.
    pub const END_IS_WIDE: usize = 3;

    /// The first word of a parameter.
    pub fn of(params: &[Param], param: usize) -> usize {
        4 + params[..param].iter().map(|p| 1 + usize::from(p.access.is_memory())).sum::<usize>()
    }

    /// How many words there are.
    pub fn count(params: &[Param]) -> usize {
        EffectWords::of(params, params.len())
    }
}

/// The module of a kernel with effects that [`crate::ir::verify`] accepts, with the entry [`FUNCTION`].
pub fn module(kernel: &Kernel) -> String {
    format!("{HEADER}\n{}", function(kernel, FUNCTION))
}

/// The function of such a kernel.
pub fn function(kernel: &Kernel, name: &str) -> String {
    let mut text = Text::new(&[], Form::new(0, true));
    (text.params, text.kernel) = (&kernel.params, Some(kernel));
    text.arguments(EffectWords::count(&kernel.params));
    let shares = kernel.has(Code::Shared);
    let mut values = Values::new();
    for (n, p) in kernel.params.iter().enumerate().filter(|(_, p)| p.access == Access::Uniform) {
        let value = text.value(p.ty, EffectWords::of(&kernel.params, n));
        text.read.insert((n, 0), vec![value]);
    }
    for &id in kernel.blocks.iter().flatten() {
        text.name(kernel, id);
    }
    let count = text.range();
    text.top(&mut values);
    let (number, threads) = text.thread();
    let (number, threads) = (text.widened(&number), text.widened(&threads));
    let elements = text.open("element", &number, &count, &threads);
    if shares {
        text.clear_shared(kernel);
    }
    let first = text.word(EffectWords::FIRST);
    let element = text.number("add", 's', &[&elements.i, &first]);
    for (n, _) in kernel.params.iter().enumerate().filter(|(_, p)| matches!(p.access, Access::Counter(_))) {
        let from = text.counter(EffectWords::of(&kernel.params, n));
        let number = text.number("add", 's', &[&from, &element]);
        text.read.insert((n, 0), vec![number]);
    }
    text.clear_own(kernel);
    text.body(&mut values);
    if shares {
        // The next block's zeros are written when all have read this one's.
        text.line(format_args!("bar.sync 0;"));
    }
    text.close(elements);
    text.finish(name)
}

impl Text<'_> {
    /// How many elements there are, up to a number that is a word, or that memory holds.
    fn range(&mut self) -> String {
        let end = self.word(EffectWords::END);
        let count = self.copy(Bank::Double, &end);
        let at = self.argument_address(EffectWords::END_AT);
        let wide = self.word(EffectWords::END_IS_WIDE);
        let (given, narrow) = (self.label("given"), self.label("narrow"));
        let none = self.test("setp.eq.u64", &[&at, "0"]);
        self.line(format_args!("@{none} bra {given};"));
        let is_narrow = self.test("setp.eq.u64", &[&wide, "0"]);
        self.line(format_args!("@{is_narrow} bra {narrow};"));
        self.set(&count, "ld.global.b64", &[&format!("[{at}]")]);
        self.line(format_args!("bra {given};"));
        self.place(&narrow);
        let word = self.put(Bank::Word, "ld.global.b32", &[&format!("[{at}]")]);
        self.set(&count, "cvt.s64.s32", &[&word]);
        self.place(&given);
        let first = self.word(EffectWords::FIRST);
        let none = self.test("setp.le.s64", &[&count, &first]);
        let count = self.number("sub", 's', &[&count, &first]);
        self.put(Bank::Double, "selp.b64", &["0", &count, &none])
    }
}

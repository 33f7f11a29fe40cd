//! Updates put at places, which are in order: a thread for the first update of each place joins all of that
//! place one after the other, so that their order is that of the updates.

use super::text::{Bank, Text};
use super::{Form, Words};
use crate::ir::Kernel;

/// The words of a launch's argument, 8 bytes each.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// How many updates there are.
    pub count: usize,
    /// The elements of an update, and of a place.
    pub each: usize,
    /// The place of each update, of uint32, in order.
    pub places: u64,
    /// The updates, in the same order.
    pub updates: u64,
    /// The elements that they are put to.
    pub to: u64,
}

impl Numbers {
    /// In order: first how many threads have work.
    pub fn words(&self) -> [u64; 6] {
        let Numbers { count, each, places, updates, to } = *self;
        [(count * each) as u64, count as u64, each as u64, places, updates, to]
    }
}

/// The function, of a kernel that joins what is there, its first input, with an update, its second. Its
/// argument are [`Numbers::words`].
pub fn put(step: &Kernel, name: &str) -> String {
    let p = step.params[0];
    let mut text = Text::new(&[], Form::new(0, true));
    text.arguments(6);
    let held = text.held(step);
    let (number, threads) = text.thread();
    let (first, threads) = (text.widened(&number), text.widened(&threads));
    let [units, count, each] = [Words::UNITS, 1, 2].map(|word| text.word(word));
    let [places, updates, to] = [3, 4, 5].map(|word| text.address(word));
    let unit = text.open("update", &first, &units, &threads);
    let (update, element) = text.split(&unit.i, &each);
    let done = text.label("after");
    let at = text.element(&places, &update, 4);
    let place = text.put(Bank::Word, "ld.global.nc.b32", &[&format!("[{at}]")]);
    let before = text.copy(Bank::Word, "0");
    let follows = text.compare("gt", &update, "0");
    text.line(format_args!("@{follows} ld.global.nc.b32 {before}, [{at}+-4];"));
    let same = text.test("setp.eq.u32", &[&before, &place]);
    let follows = text.test("and.pred", &[&follows, &same]);
    text.line(format_args!("@{follows} bra {done};"));
    let wide = text.widened(&place);
    let index = text.number("mad.lo", 'u', &[&wide, &each, &element]);
    let to = text.element(&to, &index, p.bytes());
    let there: Vec<String> = (0..p.parts as usize)
        .map(|part| {
            let value = text.fetch(p.ty, "global", &format!("[{to}+{}]", part * p.ty.bytes()));
            text.copy(Bank::of(p.ty), &value)
        })
        .collect();
    let from = text.element(&updates, &unit.i, p.bytes());
    let from = text.copy(Bank::Double, &from);
    let step = text.number("mul.lo", 'u', &[&each, &p.bytes().to_string()]);
    let (at, update) = (text.copy(Bank::Double, &at), text.copy(Bank::Double, &update));
    let (again, last) = (text.label("join"), text.label("last"));
    text.place(&again);
    let value: Vec<String> = (0..p.parts as usize)
        .map(|part| text.fetch(p.ty, "global.nc", &format!("[{from}+{}]", part * p.ty.bytes())))
        .collect();
    let next = text.inlined(&held, vec![there.clone(), value]);
    for (register, value) in there.iter().zip(&next[0]) {
        text.assign(Bank::of(p.ty), register, value);
    }
    text.set(&update, "add.u64", &[&update, "1"]);
    let more = text.compare("lt", &update, &count);
    text.line(format_args!("@!{more} bra {last};"));
    text.set(&at, "add.u64", &[&at, "4"]);
    text.set(&from, "add.u64", &[&from, &step]);
    let next = text.put(Bank::Word, "ld.global.nc.b32", &[&format!("[{at}]")]);
    let same = text.test("setp.eq.u32", &[&next, &place]);
    text.line(format_args!("@{same} bra {again};"));
    text.place(&last);
    text.keep(p.ty, "global", &to, &there);
    text.place(&done);
    text.close(unit);
    text.finish(name)
}

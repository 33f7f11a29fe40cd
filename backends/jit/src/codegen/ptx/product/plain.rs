//! A thread for each element: products without tiles, and what puts parts together.

use super::super::text::{Bank, Text};
use super::super::values::named;
use super::super::{Form, Words};
use super::{DEPTH, Product, Word};
use crate::ir::Type;

pub(super) fn write(kind: Product, mut text: Text<'_>, name: &str) -> String {
    let (bank, bits, ty) = (Bank::of(kind.ty), Bank::of(kind.ty).bits(), named(kind.ty));
    let (number, count) = text.thread();
    let (number, count) = (text.widened(&number), text.widened(&count));
    let units = text.word(Words::UNITS);
    let element = text.open("element", &number, &units, &count);
    let unit = kind.unit(&mut text, &element.i);
    let operands = [true, false].map(|left| kind.operand(&mut text, &unit, left));
    let steps = operands.each_ref().map(|operand| operand.k.clone());
    let from = [0, 1].map(|side| {
        let o = &operands[side];
        let from = text.number("mad.lo", 's', &[&unit.at[side], &o.line, &o.from]);
        text.copy(Bank::Double, &from)
    });
    let total = text.constant(kind.ty, 0);
    let block = text.open("block", &unit.first, &unit.last, &DEPTH.to_string());
    let end = text.number("add", 'u', &[&block.i, &DEPTH.to_string()]);
    let end = text.number("min", 'u', &[&end, &unit.last]);
    let sum = text.constant(kind.ty, 0);
    let one = text.open("one", &block.i, &end, "1");
    let [a, b] =
        from.each_ref().map(|from| text.put(bank, &format!("ld.global.nc.{bits}"), &[&format!("[{from}]")]));
    text.set(&sum, &format!("fma.rn.{ty}"), &[&a, &b, &sum]);
    for (from, step) in from.iter().zip(&steps) {
        text.set(from, "add.s64", &[from, step]);
    }
    text.close(one);
    let both = text.put(bank, &format!("add.rn.{ty}"), &[&total, &sum]);
    let begins = text.compare("eq", &block.i, &unit.first);
    let value = text.select(kind.ty, &begins, &sum, &both);
    text.assign(bank, &total, &value);
    text.close(block);
    let result = text.address(kind.word(Word::Result));
    let at = text.element(&result, &element.i, kind.ty.bytes());
    text.line(format_args!("st.global.{bits} [{at}], {total};"));
    text.close(element);
    text.finish(name)
}

/// The function that adds parts in order. Its argument are four words: elements, parts, and the
/// addresses of the parts, one after the other, and of the sums.
pub fn parts(ty: Type, name: &str) -> String {
    let (bank, bits) = (Bank::of(ty), Bank::of(ty).bits());
    let mut text = Text::new(&[], Form::new(0, true));
    text.arguments(4);
    let (number, count) = text.thread();
    let (number, count) = (text.widened(&number), text.widened(&count));
    let [elements, parts] = [0, 1].map(|word| text.word(word));
    let [from, to] = [2, 3].map(|word| text.address(word));
    let far = text.number("mul.lo", 's', &[&elements, &ty.bytes().to_string()]);
    let element = text.open("element", &number, &elements, &count);
    let at = text.element(&from, &element.i, ty.bytes());
    let at = text.copy(Bank::Double, &at);
    let sum = text.put(bank, &format!("ld.global.nc.{bits}"), &[&format!("[{at}]")]);
    let part = text.open("part", "1", &parts, "1");
    text.set(&at, "add.s64", &[&at, &far]);
    let next = text.put(bank, &format!("ld.global.nc.{bits}"), &[&format!("[{at}]")]);
    text.set(&sum, &format!("add.rn.{}", named(ty)), &[&sum, &next]);
    text.close(part);
    let at = text.element(&to, &element.i, ty.bytes());
    text.line(format_args!("st.global.{bits} [{at}], {sum};"));
    text.close(element);
    text.finish(name)
}

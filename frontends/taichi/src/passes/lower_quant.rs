//! Accesses of quantised numbers become accesses of the words that hold them. A word that other iterations of a task may write at
//! the same time is exchanged as one, until nobody has written in between.

use super::demote_atomics::{is_own, plain};
use super::edit::Edit;
use super::quant_codes::{Place, Words};
use crate::ir::{Code, Data, FieldInfo, Id, Ir, Packed, TaskKind};
use ivy_taichi_types::{BinaryOp, BitMember, PrimitiveType, Type, TypeKind};
use std::collections::HashMap;

/// A number in a word.
#[derive(Clone)]
struct Number {
    /// The pointer to the word.
    word: Id,
    /// The type of the word: a bit struct or a quant array.
    packing: Type,
    /// Its own type, and where it stands.
    ty: Type,
    at: Place,
    /// Which member of a bit struct it is.
    member: usize,
    /// The word's type in memory.
    physical: PrimitiveType,
    /// The type that it is computed in.
    compute: PrimitiveType,
    /// Whether no other iteration writes the word.
    alone: bool,
}

/// True if there was an access to lower.
pub fn lower_quant(ir: &mut Ir) -> bool {
    if ir.fields.iter().all(|field| field.packed.is_none()) {
        return false;
    }
    let tasks: Vec<(Id, TaskKind)> = ir.tasks().collect();
    let mut changed = false;
    for (task, kind) in tasks {
        let top = ir.statement(task).blocks[0];
        let within = ir.within(top);
        let alone: Vec<bool> =
            (0..ir.fields.len()).map(|field| is_own(ir, task, kind, &within, field)).collect();
        let mut numbers = HashMap::new();
        let inner = within.iter().flat_map(|&id| ir.statement(id).blocks.clone());
        for block in std::iter::once(top).chain(inner).collect::<Vec<_>>() {
            changed |= lower_block(ir, block, &alone, &mut numbers);
        }
    }
    changed
}

fn lower_block(ir: &mut Ir, block: usize, alone: &[bool], numbers: &mut HashMap<Id, Number>) -> bool {
    let ids = std::mem::take(&mut ir.blocks[block]);
    let mut with: HashMap<Id, Id> = HashMap::new();
    let mut edit = Edit { ir, out: Vec::new(), span: None };
    let mut changed = false;
    for id in ids {
        let s = edit.ir.statement(id).clone();
        edit.span = s.span;
        if let (Code::GlobalPtr, &Data::Component { field, component }) = (s.code, &s.data)
            && let Some(packed) = edit.ir.fields[field].packed.clone()
        {
            let number = point(&mut edit, id, field, component, &packed, alone[field]);
            numbers.extend(number.map(|number| (id, number)));
            changed = true;
            continue;
        }
        let number = s.operands.first().and_then(|pointer| numbers.get(pointer)).cloned();
        let access = match (number, s.code) {
            (Some(number), Code::GlobalLoad) => load(&mut edit, &number).map(|value| with.insert(id, value)),
            (Some(number), Code::GlobalStore) => {
                let value = s.operands[1];
                update(&mut edit, &number, &mut |edit, word, number| store(edit, word, number, value))
                    .map(|_| None)
            }
            (Some(number), Code::Atomic) => {
                let (Data::Atomic(op), value) = (s.data, s.operands[1]) else { continue };
                let before = update(&mut edit, &number, &mut |edit, word, number| {
                    let own = decoded(edit, word, number)?;
                    let next = edit.binary(plain(op), number.compute, own, value);
                    store(edit, word, number, next)
                });
                before.and_then(|word| decoded(&mut edit, word, &number)).map(|value| with.insert(id, value))
            }
            _ => None,
        };
        if access.is_none() {
            edit.out.push(id);
        }
    }
    ir.blocks[block] = edit.out;
    if !with.is_empty() {
        let with: Vec<Option<Id>> =
            (0..ir.statements.len()).map(|n| with.get(&Id(n as u32)).copied()).collect();
        ir.replace(&with);
    }
    changed
}

/// Makes a pointer to a number one to its word.
fn point(
    edit: &mut Edit<'_>,
    id: Id,
    field: usize,
    component: usize,
    packed: &Packed,
    alone: bool,
) -> Option<Number> {
    let info = edit.ir.fields[field].clone();
    let physical = packed.word();
    let whole = FieldInfo {
        ty: physical,
        matrix: None,
        components: vec![info.components[component]],
        packed: None,
        ..info.clone()
    };
    let known = edit.ir.fields.iter().position(|other| *other == whole);
    let number = known.unwrap_or_else(|| {
        edit.ir.fields.push(whole);
        edit.ir.fields.len() - 1
    });
    let indices = edit.ir.statement(id).operands.clone();
    let s = edit.ir.statement_mut(id);
    (s.ty, s.data) = (Some(physical), Data::Component { field: number, component: 0 });
    edit.out.push(id);
    let (packing, member) = *packed.words.get(component)?;
    let (ty, at) = match packing.kind() {
        TypeKind::BitStruct(bits) => {
            let own = bits.members().get(member)?;
            (own.ty, Place::Bit(own.offset))
        }
        TypeKind::QuantArray(array) => {
            let bits = physical.bits().min(array.physical().bits()) / array.len().max(1);
            let width = match array.element().kind() {
                TypeKind::QuantInt(int) => int.bits(),
                TypeKind::QuantFixed(fixed) => fixed.digits().bits(),
                _ => bits,
            };
            (array.element(), Place::Late(bit(edit, &info, packed, &indices, width, physical)))
        }
        _ => return None,
    };
    Some(Number { word: id, packing, ty, at, member, physical, compute: info.ty, alone })
}

/// The first bit of an element of a quant array.
fn bit(
    edit: &mut Edit<'_>,
    info: &FieldInfo,
    packed: &Packed,
    indices: &[Id],
    width: u32,
    physical: PrimitiveType,
) -> Id {
    const INT: PrimitiveType = PrimitiveType::I32;
    let mut sum = edit.constant(INT, 0);
    for digit in &packed.within {
        let mut part = indices[digit.axis];
        for (op, by) in
            [(BinaryOp::Div, digit.below), (BinaryOp::RawMod, digit.count), (BinaryOp::Mul, digit.stride)]
        {
            // The outermost part of an index is below its count as it is.
            let alone = info.digits.iter().filter(|own| own.axis == digit.axis).count() == 1;
            if by != 1 && !(op == BinaryOp::RawMod && alone) {
                let by = edit.constant(INT, by as u64);
                part = edit.binary(op, INT, part, by);
            }
        }
        sum = edit.binary(BinaryOp::Add, INT, sum, part);
    }
    let width = edit.constant(INT, u64::from(width));
    let bits = edit.binary(BinaryOp::Mul, INT, sum, width);
    edit.cast(bits, physical)
}

fn load(edit: &mut Edit<'_>, number: &Number) -> Option<Id> {
    let word = edit.push(Code::GlobalLoad, Some(number.physical), &[number.word], Data::None);
    decoded(edit, word, number)
}

/// The member of a bit struct that a number is.
fn member(number: &Number) -> Option<BitMember> {
    match number.packing.kind() {
        TypeKind::BitStruct(bits) => bits.members().get(number.member).copied(),
        _ => None,
    }
}

/// The value of a number in a word.
fn decoded(edit: &mut Edit<'_>, word: Id, number: &Number) -> Option<Id> {
    let own = member(number);
    let exponent = own.and_then(|own| Some((own.exponent?, own.group.is_some())));
    Words { edit, word: number.physical }.load(word, number.ty, number.at, exponent)
}

/// A word with another value of a number.
fn store(edit: &mut Edit<'_>, word: Id, number: &Number, value: Id) -> Option<Id> {
    let own = member(number);
    let (TypeKind::BitStruct(bits), Some(group)) = (number.packing.kind(), own.and_then(|own| own.group))
    else {
        let exponent = own.and_then(|own| own.exponent);
        return Words { edit, word: number.physical }.store(word, number.ty, number.at, exponent, value);
    };
    let mut words = Words { edit, word: number.physical };
    let mut all = Vec::new();
    for (n, other) in bits.members().iter().enumerate().filter(|(_, other)| other.group == Some(group)) {
        let own = match n == number.member {
            true => value,
            false => words.load(word, other.ty, Place::Bit(other.offset), Some((other.exponent?, true)))?,
        };
        all.push((*other, own));
    }
    words.store_group(word, &all)
}

/// What the word of a number becomes.
type Change<'c> = &'c mut dyn FnMut(&mut Edit<'_>, Id, &Number) -> Option<Id>;

/// Changes the word of a number; gives the word that was there before.
fn update(edit: &mut Edit<'_>, number: &Number, change: Change<'_>) -> Option<Id> {
    let ty = Some(number.physical);
    let first = edit.push(Code::GlobalLoad, ty, &[number.word], Data::None);
    if number.alone {
        let next = change(edit, first, number)?;
        edit.push(Code::GlobalStore, None, &[number.word, next], Data::None);
        return Some(first);
    }
    let variable = edit.push(Code::Alloca, ty, &[], Data::None);
    edit.store(variable, first);
    let whole = edit.push(Code::While, None, &[], Data::None);
    let block = edit.ir.statement(whole).blocks[0];
    let outer = std::mem::take(&mut edit.out);
    let before = edit.load(variable);
    let next = change(edit, before, number);
    if let Some(next) = next {
        let seen = edit.push(Code::CompareAndSwap, ty, &[number.word, before, next], Data::None);
        edit.store(variable, seen);
        let again = edit.binary(BinaryOp::CmpNe, PrimitiveType::U1, seen, before);
        edit.push(Code::WhileControl, None, &[again], Data::None);
    }
    edit.ir.blocks[block] = std::mem::replace(&mut edit.out, outer);
    next?;
    Some(edit.load(variable))
}

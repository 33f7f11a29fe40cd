//! Words of Philox4x32-10, computed by themselves for each element: in 64 bits, of which the lower half counts, since a
//! product of two halves is one instruction on vectors of these.

use crate::ir::{Builder, Code, Id, Type};
use ivy_core::{PHILOX_CONSTANTS, PHILOX_ROUNDS};

/// The element of a draw: that of this number, or, where its place in a block is known, of the block of this number;
/// under a key, of the counters with this upper half. `None` for other types than those of words.
pub(super) fn word(b: &mut Builder, place: Option<u8>, ty: Type, [number, key, high]: [Id; 3]) -> Option<Id> {
    // How far the number of an element is shifted to be that of its block.
    let shift = match ty {
        Type::U32 => 2,
        Type::U64 => 1,
        _ => return None,
    };
    let number = b.bitcast(number, Type::U64);
    let block = match place {
        Some(_) => number,
        None => shifted(b, number, shift),
    };
    let words = block_of(b, block, key, high);
    if let Some(place) = place {
        let first = usize::from(place) << (2 - shift);
        return Some(joined(b, ty, words.get(first..)?));
    }
    let halves = [joined(b, ty, &words), joined(b, ty, &words[2..])];
    Some(match ty {
        Type::U32 => {
            let others = [joined(b, ty, &words[1..]), joined(b, ty, &words[3..])];
            let odd = bit(b, number, 0);
            let [even, upper] = [0, 1].map(|i| b.select(odd, others[i], halves[i]));
            let second = bit(b, number, 1);
            b.select(second, upper, even)
        }
        _ => {
            let odd = bit(b, number, 0);
            b.select(odd, halves[1], halves[0])
        }
    })
}

/// The element that begins with the first of some words.
fn joined(b: &mut Builder, ty: Type, words: &[Id]) -> Id {
    if ty == Type::U32 {
        return b.convert(words[0], ty);
    }
    let low = lower(b, words[0]);
    let half = b.constant(Type::U64, 32);
    let high = b.binary(Code::Shl, words[1], half);
    b.binary(Code::Or, low, high)
}

/// The words of a block, each in the lower half of a value.
fn block_of(b: &mut Builder, block: Id, key: Id, high: Id) -> [Id; 4] {
    let (multipliers, steps) = PHILOX_CONSTANTS;
    let [multipliers, steps] = [multipliers, steps].map(|both| both.map(|x| b.constant(Type::U64, x.into())));
    let [mut x, mut y, mut z, mut w] = [block, shifted(b, block, 32), high, shifted(b, high, 32)];
    let [mut k, mut l] = [key, shifted(b, key, 32)];
    for round in 0..PHILOX_ROUNDS {
        if round > 0 {
            k = b.binary(Code::Add, k, steps[0]);
            l = b.binary(Code::Add, l, steps[1]);
        }
        let [first, second] = [(x, multipliers[0]), (z, multipliers[1])].map(|(word, by)| {
            let word = lower(b, word);
            b.binary(Code::Mul, word, by)
        });
        let mixed = |b: &mut Builder, product, word, key| {
            let upper = shifted(b, product, 32);
            let both = b.binary(Code::Xor, word, key);
            b.binary(Code::Xor, upper, both)
        };
        [x, y, z, w] = [mixed(b, second, y, k), second, mixed(b, first, w, l), first];
    }
    [x, y, z, w]
}

fn shifted(b: &mut Builder, x: Id, by: u64) -> Id {
    let by = b.constant(Type::U64, by);
    b.binary(Code::Shr, x, by)
}

/// The lower half.
fn lower(b: &mut Builder, x: Id) -> Id {
    let mask = b.constant(Type::U64, u64::from(u32::MAX));
    b.binary(Code::And, x, mask)
}

fn bit(b: &mut Builder, x: Id, place: u32) -> Id {
    let mask = b.constant(Type::U64, 1 << place);
    let bit = b.binary(Code::And, x, mask);
    b.convert(bit, Type::Bool)
}

//! Every atomic on every type: what is there before and after, as plain Rust has it, and on several threads.

use super::{ELEMENT, FREE, choice, memory, run, targets, to_f32, to_i64};
use ivy_backend_jit::ir::{Builder, Code, Kernel, Rule, Type, verify};
use ivy_backend_jit::program::Order;

const TYPES: [Type; 6] = [Type::I32, Type::U32, Type::I64, Type::U64, Type::F32, Type::F64];

/// Bits that are worth a look; of floats no NaN, whose bits are not promised.
fn edges(ty: Type) -> Vec<u64> {
    match ty {
        Type::F32 => [0f32, -0.0, 1.5, -2.0, f32::INFINITY, f32::MIN_POSITIVE / 2.0, 3e38]
            .map(|x| u64::from(x.to_bits()))
            .to_vec(),
        Type::F64 => [0f64, -0.0, 1.5, -2.0, f64::NEG_INFINITY, f64::MIN_POSITIVE / 2.0, 1e308]
            .map(f64::to_bits)
            .to_vec(),
        _ => [0, 1, 5, u64::MAX, 1 << (ty.bits() - 1), (1 << (ty.bits() - 1)) - 1]
            .map(|x: u64| x & ty.mask())
            .to_vec(),
    }
}

/// What Rust leaves of what was there and an operand.
fn left(code: Code, ty: Type, old: u64, x: u64) -> u64 {
    macro_rules! ints {
        ($t:ident) => {{
            let (a, b) = (old as $t, x as $t);
            let value = match code {
                Code::AtomicAdd => a.wrapping_add(b),
                Code::AtomicSub => a.wrapping_sub(b),
                Code::AtomicMin => a.min(b),
                Code::AtomicMax => a.max(b),
                Code::AtomicAnd => a & b,
                Code::AtomicOr => a | b,
                Code::AtomicXor => a ^ b,
                _ => b,
            };
            value as u64 & ty.mask()
        }};
    }
    macro_rules! floats {
        ($t:ident, $bits:ident) => {{
            let (a, b) = ($t::from_bits(old as $bits), $t::from_bits(x as $bits));
            let value = match code {
                Code::AtomicAdd => a + b,
                Code::AtomicSub => a - b,
                // The order of all numbers, in which -0 is less than 0.
                Code::AtomicMin => std::cmp::min_by(a, b, $t::total_cmp),
                Code::AtomicMax => std::cmp::max_by(a, b, $t::total_cmp),
                _ => b,
            };
            u64::from(value.to_bits())
        }};
    }
    match ty {
        Type::I32 => ints!(i32),
        Type::U32 => ints!(u32),
        Type::I64 => ints!(i64),
        Type::U64 => ints!(u64),
        Type::F32 => floats!(f32, u32),
        _ => floats!(f64, u64),
    }
}

/// Element i changes place i by operand i, and writes what was there.
fn single(code: Code, ty: Type, at_one: bool) -> Kernel {
    let mut b = Builder::with_effects(vec![ELEMENT, memory(ty), memory(ty), memory(ty)], FREE);
    let i = b.load(0, 0);
    let [cells, operands, before] = [1, 2, 3].map(|n| b.memory(n));
    let zero = b.constant(Type::I64, 0);
    let x = b.load_at(operands, i);
    let place = if at_one { zero } else { i };
    let old = match code {
        Code::AtomicCas => {
            // What is there already at every other place.
            let one = b.constant(Type::I64, 1);
            let odd = b.binary(Code::And, i, one);
            let odd = b.convert(odd, Type::Bool);
            let there = b.load_at(cells, place);
            let expected = b.select(odd, there, x);
            b.compare_and_swap(cells, place, expected, x)
        }
        _ => b.atomic(code, cells, place, x),
    };
    b.store_at(before, i, old);
    let kernel = b.finish();
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    kernel
}

fn raw(ty: Type, values: &[u64]) -> (Type, Vec<u8>) {
    (ty, values.iter().flat_map(|x| x.to_le_bytes()[..ty.bytes()].to_vec()).collect())
}

fn bits(ty: Type, bytes: &[u8]) -> Vec<u64> {
    let word = |x: &[u8]| x.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    bytes.chunks(ty.bytes()).map(word).collect()
}

#[test]
fn every_atomic_on_every_type() {
    let mut compared = 0;
    for &code in Code::ALL {
        for ty in TYPES {
            let takes = match code.rule() {
                Rule::Atomic(set) => set.contains(ty),
                Rule::Cas => true,
                _ => false,
            };
            if !takes {
                continue;
            }
            let values = edges(ty);
            let pairs: Vec<(u64, u64)> =
                values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect();
            let old: Vec<u64> = pairs.iter().map(|p| p.0).collect();
            let x: Vec<u64> = pairs.iter().map(|p| p.1).collect();
            let want: Vec<u64> = pairs
                .iter()
                .enumerate()
                .map(|(i, &(a, b))| match code {
                    Code::AtomicCas => {
                        if i % 2 == 1 || a == b {
                            b
                        } else {
                            a
                        }
                    }
                    _ => left(code, ty, a, b),
                })
                .collect();
            let kernel = single(code, ty, false);
            let given = [raw(ty, &old), raw(ty, &x), raw(ty, &vec![0; x.len()])];
            for (name, target) in targets() {
                for order in [Order::Fast, Order::Serial] {
                    // Fast sums of float32 take subnormal numbers for zeros on a device.
                    let flushes = name == "cuda" && order == Order::Fast && ty == Type::F32;
                    let sums = matches!(code, Code::AtomicAdd | Code::AtomicSub);
                    let (got, _) = run(&target, &kernel, (x.len() as i64, order), choice(true), &given);
                    let what = || format!("{name}, {order:?}, {code:?} of {ty}");
                    assert_eq!(bits(ty, &got[2]), old, "before: {}", what());
                    for (i, (&got, &want)) in bits(ty, &got[0]).iter().zip(&want).enumerate() {
                        let small = |bits: u64| f32::from_bits(bits as u32).is_subnormal();
                        if flushes && sums && (small(old[i]) || small(x[i])) {
                            continue;
                        }
                        let nan = ty == Type::F32 && f32::from_bits(want as u32).is_nan()
                            || ty == Type::F64 && f64::from_bits(want).is_nan();
                        assert!(got == want || nan, "{}: {:#x?}: {got:#x}, not {want:#x}", what(), pairs[i]);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 8000, "{compared}");
}

/// The default order is that of the elements where it matters: a sum of floats has one value.
#[test]
fn sums_of_floats_are_in_order() {
    let x: Vec<f32> =
        (0..2000).map(|i| 1.0 / (1.0 + i as f32) * if i % 3 == 0 { -1e4 } else { 1.0 }).collect();
    let (mut sum, mut before) = (0f32, Vec::new());
    for &x in &x {
        before.push(sum);
        sum += x;
    }
    let kernel = single(Code::AtomicAdd, Type::F32, true);
    let words = |x: &[f32]| raw(Type::F32, &x.iter().map(|x| u64::from(x.to_bits())).collect::<Vec<_>>());
    let given = [words(&[0.0]), words(&x), words(&vec![0.0; x.len()])];
    for (name, target) in targets() {
        let (got, _) = run(&target, &kernel, (2000, Order::Deterministic), choice(true), &given);
        assert_eq!(to_f32(&got[0]), [sum], "{name}");
        assert_eq!(to_f32(&got[2]), before, "{name}");
    }
}

/// Threads that count together lose nothing: each element gets a number of its own.
#[test]
fn threads_count_together() {
    let count = 1 << 17;
    let mut b = Builder::with_effects(vec![ELEMENT, memory(Type::I64), memory(Type::I64)], FREE);
    let i = b.load(0, 0);
    let (counter, list) = (b.memory(1), b.memory(2));
    let [zero, one] = [0, 1].map(|x| b.constant(Type::I64, x));
    let place = b.atomic(Code::AtomicAdd, counter, zero, one);
    // Work that makes threads worth it.
    let mut x = i;
    for _ in 0..64 {
        x = b.binary(Code::Mul, x, x);
        x = b.binary(Code::Xor, x, i);
    }
    let x = b.binary(Code::And, x, zero);
    let x = b.binary(Code::Add, x, i);
    b.store_at(list, place, x);
    let kernel = b.finish();
    assert!(kernel.order_matters());
    let given = [raw(Type::I64, &[0]), raw(Type::I64, &vec![0; count])];
    for (name, target) in targets() {
        let count = if name == "cuda" { 1 << 12 } else { count };
        let (got, _) = run(&target, &kernel, (count as i64, Order::Fast), choice(true), &given);
        assert_eq!(to_i64(&got[0]), [count as i64], "{name}");
        let mut list = to_i64(&got[1])[..count].to_vec();
        list.sort_unstable();
        assert!(list.iter().copied().eq(0..count as i64), "{name}: an element is missing or twice");
    }
}

//! Intervals of integers.

use ivy_backend_jit::internals::{binary, compare, limits};
use ivy_backend_jit::ir::*;
use ivy_backend_jit::ir::{Builder, Effects, Param, Steps};
use std::collections::HashMap;

#[test]
fn limits_are_those_of_the_types() {
    let of = |ty| limits(ty).map(|l| (l.least, l.most));
    assert_eq!(of(Type::I8), Some((-128, 127)));
    assert_eq!(of(Type::U16), Some((0, 65535)));
    assert_eq!(of(Type::I64), Some((i64::MIN, i64::MAX)));
    assert_eq!(of(Type::U64), Some((0, i64::MAX)));
    assert_eq!(of(Type::F32), None);
}

/// A value of two operands, the integers of some, in plain Rust; `None` for what wraps.
fn plain(code: Code, a: i64, b: i64) -> Option<i64> {
    Some(match code {
        Code::Add => a.checked_add(b)?,
        Code::Sub => a.checked_sub(b)?,
        Code::Mul => a.checked_mul(b)?,
        Code::Div => a.checked_div(b).unwrap_or(0),
        Code::Rem => a.checked_rem(b).unwrap_or(0),
        Code::And => a & b,
        Code::Shr if (0..8).contains(&b) => a >> b,
        Code::Shl if (0..8).contains(&b) => a << b,
        Code::Lt => i64::from(a < b),
        Code::Le => i64::from(a <= b),
        Code::Eq => i64::from(a == b),
        _ => i64::from(a != b),
    })
}

/// Whatever the analysis says of an operation on two intervals of i8 holds for every pair of numbers in them.
#[test]
fn intervals_have_every_value() {
    const CODES: [Code; 12] = [
        Code::Add,
        Code::Sub,
        Code::Mul,
        Code::Div,
        Code::Rem,
        Code::And,
        Code::Shr,
        Code::Shl,
        Code::Lt,
        Code::Le,
        Code::Eq,
        Code::Ne,
    ];
    let ends = [-128i64, -7, -1, 0, 1, 2, 3, 9, 127];
    let spans: Vec<Interval> = ends
        .iter()
        .flat_map(|&a| ends.iter().map(move |&b| (a, b)))
        .filter(|(a, b)| a <= b)
        .map(|(least, most)| Interval { least, most })
        .collect();
    let mut known: HashMap<Code, usize> = HashMap::new();
    for code in CODES {
        let is_truth = matches!(code.rule(), Rule::Compare(_));
        let ty = if is_truth { Type::Bool } else { Type::I8 };
        let s = Statement { code, ty, operands: smallvec::smallvec![], imm: 0 };
        for (&a, &b) in spans.iter().flat_map(|a| spans.iter().map(move |b| (a, b))) {
            let found = if is_truth { Some(compare(code, a, b)) } else { binary(&s, a, b) };
            let inside = |own: &Interval| limits(ty).is_some_and(|l| l.join(*own) == l);
            let Some(found) = found.filter(inside) else { continue };
            *known.entry(code).or_default() += 1;
            // The ends and what is next to them.
            let some = |i: Interval| {
                let near = [i.least, i.least + 1, i.most - 1, i.most, 0, 1];
                near.into_iter().filter(move |x| (i.least..=i.most).contains(x))
            };
            for (x, y) in some(a).flat_map(|x| some(b).map(move |y| (x, y))) {
                let value = plain(code, x, y).filter(|v| (-128..128).contains(v));
                let value = value.unwrap_or_else(|| panic!("{code:?} of {x} and {y} wraps"));
                assert!((found.least..=found.most).contains(&value), "{code:?} {a:?} {b:?}: {x} {y}");
            }
        }
    }
    assert!(CODES.iter().all(|code| known[code] > 100), "{known:?}");
}

#[test]
fn rows_and_columns_of_a_range_are_in_bounds() {
    let param = |ty, access| Param { ty, parts: 1, access };
    let params = vec![param(Type::I64, Access::Counter(Steps::One)), param(Type::F32, Access::Memory)];
    let mut b = Builder::with_effects(params, Effects::FREE);
    let (i, cells) = (b.load(0, 0), b.memory(1));
    let width = b.constant(Type::I64, 30);
    let stride = b.constant(Type::I64, 32);
    let one = b.constant(Type::I64, 1);
    let (row, column) = (b.binary(Code::Div, i, width), b.binary(Code::Rem, i, width));
    let column = b.binary(Code::Add, column, one);
    let start = b.binary(Code::Mul, row, stride);
    let at = b.binary(Code::Add, start, column);
    let inside = b.in_bounds(cells, at);
    let x = b.load_at(cells, at);
    b.store_at(cells, at, x);
    b.guarantee_elements(0..300);
    b.guarantee_length(1, 320);
    let kernel = b.finish();
    let found = intervals(&kernel);
    assert_eq!(found[at.0 as usize], Some(Interval { least: 1, most: 9 * 32 + 30 }));
    assert_eq!(found[inside.0 as usize], Some(Interval::one(1)));
    assert_eq!(kernel.to_string().parse::<Kernel>().as_ref(), Ok(&kernel));
}

//! Every statement on every type it takes, by both generators: the values that Rust's own
//! arithmetic gives, and the same bits from each.

use crate::common;
use crate::common::flow;
use crate::common::kernels;

use common::{edges, run_both};
use ivy_backend_jit::ir::{Access, Builder, Code, Kernel, Param, Rule, Type, verify};
use ivy_backend_jit::trace::Kind;
use ivy_backend_jit::{lower, passes};
use ivy_core::Dtype;
use kernels::{param, single};
use smallvec::smallvec;

/// Rust's own answer, for what it has an operator of.
fn truth(code: Code, ty: Type, a: u64, b: u64) -> Option<u64> {
    macro_rules! ints {
        ($($T:ident $t:ident $u:ident)*) => {
            match ty {
                $(Type::$T => {
                    let (a, b) = (a as $t, b as $t);
                    let inside = (b as $u) < $t::BITS as $u;
                    let value = match code {
                        Code::Neg => a.wrapping_neg(),
                        Code::Not => !a,
                        Code::Add => a.wrapping_add(b),
                        Code::Sub => a.wrapping_sub(b),
                        Code::Mul => a.wrapping_mul(b),
                        Code::Div => a.checked_div(b).unwrap_or(if b == 0 { 0 } else { a }),
                        Code::Rem => a.checked_rem(b).unwrap_or(0),
                        Code::And => a & b,
                        Code::Or => a | b,
                        Code::Xor => a ^ b,
                        Code::Shl => if inside { a << b } else { 0 },
                        Code::Shr if inside => a >> b,
                        Code::Shr => if a < 0 { (0 as $t).wrapping_sub(1) } else { 0 },
                        Code::Lt => return Some(u64::from(a < b)),
                        Code::Le => return Some(u64::from(a <= b)),
                        Code::Eq => return Some(u64::from(a == b)),
                        Code::Ne => return Some(u64::from(a != b)),
                        _ => return None,
                    };
                    Some(u64::from(value as $u))
                })*
                _ => None,
            }
        };
    }
    #[allow(unused_comparisons)]
    let integer =
        ints!(I8 i8 u8 I16 i16 u16 I32 i32 u32 I64 i64 u64 U8 u8 u8 U16 u16 u16 U32 u32 u32 U64 u64 u64);
    macro_rules! floats {
        ($t:ident $u:ident) => {{
            let (a, b) = ($t::from_bits(a as $u), $t::from_bits(b as $u));
            let value = match code {
                Code::Neg => -a,
                Code::Sqrt => a.sqrt(),
                Code::Floor => a.floor(),
                Code::Ceil => a.ceil(),
                Code::Trunc => a.trunc(),
                Code::RoundEven => a.round_ties_even(),
                Code::Add => a + b,
                Code::Sub => a - b,
                Code::Mul => a * b,
                Code::Div => a / b,
                Code::Fma => a.mul_add(b, a),
                Code::Lt => return Some(u64::from(a < b)),
                Code::Le => return Some(u64::from(a <= b)),
                Code::Eq => return Some(u64::from(a == b)),
                Code::Ne => return Some(u64::from(a != b)),
                _ => return None,
            };
            Some(u64::from(value.to_bits()))
        }};
    }
    match ty {
        Type::F32 => floats!(f32 u32),
        Type::F64 => floats!(f64 u64),
        _ => integer,
    }
}

fn is_nan(ty: Type, bits: u64) -> bool {
    match ty {
        Type::F32 => f32::from_bits(bits as u32).is_nan(),
        Type::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

#[test]
fn every_statement_on_every_type() {
    let (mut kernels, mut compared) = (0, 0);
    for &code in Code::ALL {
        for &from in Type::ALL {
            for &to in Type::ALL {
                let Some(kernel) = single(code, from, to) else { continue };
                verify(&kernel).unwrap();
                let values = edges(from);
                let pairs: Vec<(u64, u64)> =
                    values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect();
                let first: Vec<u64> = pairs.iter().map(|p| p.0).collect();
                let second: Vec<u64> = pairs.iter().map(|p| p.1).collect();
                let truths: Vec<u64> = (0..pairs.len() as u64).map(|i| i % 3 % 2).collect();
                let inputs = match code.rule() {
                    Rule::Unary(_) | Rule::Convert | Rule::Bitcast | Rule::Between(..) => vec![first.clone()],
                    Rule::Select | Rule::Rare => vec![truths.clone(), first.clone(), second.clone()],
                    Rule::Ternary(_) => vec![first.clone(), second.clone(), first.clone()],
                    _ => vec![first.clone(), second.clone()],
                };
                let got = run_both(&kernel, &inputs);
                for (i, &(a, b)) in pairs.iter().enumerate() {
                    let want = match code {
                        Code::Select => Some(if truths[i] == 1 { a } else { b }),
                        Code::Rare => Some(if truths[i] == 1 { b } else { a }),
                        Code::Bitcast => Some(a),
                        _ => truth(code, from, a, b),
                    };
                    let Some(want) = want else { continue };
                    let same = got[i] == want || is_nan(to, want) && is_nan(to, got[i]);
                    assert!(same, "{code:?} {from} to {to}: {a:#x} {b:#x}: {:#x}, not {want:#x}", got[i]);
                    compared += 1;
                }
                kernels += 1;
            }
        }
    }
    assert!(kernels > 250 && compared > 100_000, "{kernels} {compared}");
}

/// A conversion between float16 and float32 by statements of its own, and by those of integers.
fn halves(widen: bool) -> [Kernel; 2] {
    let [from, to] = if widen { [Dtype::FLOAT16, Dtype::FLOAT32] } else { [Dtype::FLOAT32, Dtype::FLOAT16] };
    [true, false].map(|own| {
        let types = [(from, Access::Linear), (to, Access::Out)];
        let params = types.map(|(dtype, access)| param(lower::memory(dtype).unwrap().0, access));
        let mut b = Builder::new(params.to_vec()).with_halves(own);
        let x = b.load(0, 0);
        let value = lower::lower(&mut b, Kind::Cast, to, &[(from, &smallvec![x])]).unwrap();
        b.store(1, &value);
        let kernel = b.finish();
        assert_eq!(kernel.has(Code::Widen) || kernel.has(Code::Narrow), own);
        kernel
    })
}

#[test]
fn every_float16_is_widened_exactly() {
    let values: Vec<u64> = (0..1 << 16).collect();
    for kernel in halves(true) {
        verify(&kernel).unwrap();
        for (&bits, got) in values.iter().zip(run_both(&kernel, std::slice::from_ref(&values))) {
            let (fraction, exponent) = ((bits & 0x3ff) as f64, (bits >> 10 & 31) as i32);
            let size = match exponent {
                0 => fraction * 2f64.powi(-24),
                31 => f64::INFINITY,
                _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
            };
            let want = (if bits & 0x8000 > 0 { -size } else { size }) as f32;
            match exponent == 31 && fraction > 0.0 {
                true => assert!(is_nan(Type::F32, got), "{bits:#x}"),
                false => assert_eq!(got, u64::from(want.to_bits()), "{bits:#x}"),
            }
        }
    }
}

#[test]
fn what_is_near_a_float16_or_between_two_is_narrowed_to_the_nearest() {
    let value = |bits: u64| match bits >> 10 {
        0 => bits as f64 * 2f64.powi(-24),
        exponent => (1024 + (bits & 0x3ff)) as f64 * 2f64.powi(exponent as i32 - 25),
    };
    // A number, and what it becomes.
    let mut cases: Vec<(f32, u64)> = vec![(f32::INFINITY, 0x7c00), (f32::MAX, 0x7c00), (1e-45, 0)];
    for bits in 0..0x7c00 {
        // Above the largest, 2^16 would be the next: half-way on it is infinity.
        let (here, next) = (value(bits), value(bits + 1));
        let middle = ((here + next) / 2.0) as f32;
        let even = if bits & 1 == 0 { bits } else { bits + 1 };
        cases.extend([(here as f32, bits), ((here as f32).next_up(), bits)]);
        cases.extend([(middle.next_down(), bits), (middle, even), (middle.next_up(), bits + 1)]);
    }
    let signs =
        |sign: u64| cases.iter().map(move |&(x, to)| (u64::from(x.to_bits()) | sign << 31, to | sign << 15));
    let cases: Vec<(u64, u64)> = signs(0).chain(signs(1)).collect();
    let nans = [0x7f80_0001, 0x7fc0_0000, 0xffff_ffff, 0xff80_2000];
    let inputs: Vec<u64> = cases.iter().map(|c| c.0).chain(nans).collect();
    for kernel in halves(false) {
        verify(&kernel).unwrap();
        let got = run_both(&kernel, std::slice::from_ref(&inputs));
        for (&(bits, want), got) in cases.iter().zip(&got) {
            assert_eq!(*got, want, "{bits:#x}");
        }
        assert!(got[cases.len()..].iter().all(|bits| bits & 0x7fff > 0x7c00), "NaN stays NaN");
    }
}

#[test]
fn conversions_are_those_of_rust() {
    macro_rules! check {
        ($($F:ident $f:ident $v:ident: $value:expr;)*) => {$(
            check!(@ $F $f $v $value; I8 i8 u8 I16 i16 u16 I32 i32 u32 I64 i64 u64 U8 u8 u8 U16 u16 u16 U32 u32 u32 U64 u64 u64);
            check!(@float $F $f $v $value; F32 f32 F64 f64);
        )*};
        (@ $F:ident $f:ident $v:ident $value:expr; $($T:ident $t:ident $u:ident)*) => {$(
            if let Some(kernel) = single(Code::Convert, Type::$F, Type::$T) {
                let values = edges(Type::$F);
                let got = run_both(&kernel, std::slice::from_ref(&values));
                for (i, &$v) in values.iter().enumerate() {
                    let x: $f = $value;
                    assert_eq!(got[i], u64::from(x as $t as $u), "{x:?} to {}", stringify!($t));
                }
            }
        )*};
        (@float $F:ident $f:ident $v:ident $value:expr; $($T:ident $t:ident)*) => {$(
            if let Some(kernel) = single(Code::Convert, Type::$F, Type::$T) {
                let values = edges(Type::$F);
                let got = run_both(&kernel, std::slice::from_ref(&values));
                for (i, &$v) in values.iter().enumerate() {
                    let x: $f = $value;
                    let want = x as $t;
                    assert!(got[i] == u64::from(want.to_bits()) || want.is_nan() && is_nan(Type::$T, got[i]), "{x:?}");
                }
            }
        )*};
    }
    check! {
        I8 i8 v: v as i8; I16 i16 v: v as i16; I32 i32 v: v as i32; I64 i64 v: v as i64;
        U8 u8 v: v as u8; U16 u16 v: v as u16; U32 u32 v: v as u32; U64 u64 v: v;
        F32 f32 v: f32::from_bits(v as u32); F64 f64 v: f64::from_bits(v);
    }
}

/// `x + 10`; above the limit something else, and above 10 that in another way.
fn seldom(limit: f64) -> Kernel {
    let mut b = Builder::new(vec![param(Type::F64, Access::Linear), param(Type::F64, Access::Out)]);
    let (x, limit, ten) = (b.load(0, 0), b.float(Type::F64, limit), b.float(Type::F64, 10.0));
    let large = b.binary(Code::Lt, limit, x);
    let usual = b.binary(Code::Add, x, ten);
    let value = b.rare(large, usual, |b| {
        let very = b.binary(Code::Lt, ten, x);
        let root = b.unary(Code::Sqrt, x);
        let more = b.rare(very, root, |b| {
            let twice = b.binary(Code::Add, root, root);
            b.binary(Code::Add, twice, ten)
        });
        b.binary(Code::Mul, more, more)
    });
    b.store(1, &[value]);
    b.finish()
}

#[test]
fn what_is_rare_is_computed_where_it_is_needed() {
    for limit in [4.0, 1e9] {
        let mut kernel = seldom(limit);
        verify(&kernel).unwrap();
        let want = |x: f64| match x {
            _ if x <= limit => x + 10.0,
            _ if x > 10.0 => (x.sqrt() * 2.0 + 10.0).powi(2),
            _ => x.sqrt().powi(2),
        };
        let values: Vec<f64> = (0..4000).map(|i| f64::from(i % 3 * (i / 500))).collect();
        for _ in 0..2 {
            let bits: Vec<u64> = values.iter().map(|x| x.to_bits()).collect();
            let got = run_both(&kernel, &[bits]);
            assert!(values.iter().zip(got).all(|(&x, y)| f64::from_bits(y) == want(x)));
            passes::run(&mut kernel, passes::PIPELINE);
        }
    }
    let mut kernel = seldom(4.0);
    passes::run(&mut kernel, passes::PIPELINE);
    insta::assert_snapshot!("what_is_rare", kernel.to_string());
    // Without a use, the block goes as well.
    let ten = kernel.statements.iter().position(|s| s.code == Code::Add).unwrap() as u32;
    let store = kernel.statements.iter().position(|s| s.code == Code::Store).unwrap();
    kernel.statements[store].operands[0] = ivy_backend_jit::ir::Id(ten);
    passes::run(&mut kernel, passes::PIPELINE);
    assert_eq!(kernel.len(), 5);
}

#[test]
fn pairs_strides_and_uniform_inputs() {
    let pair = |access| Param { ty: Type::F32, parts: 2, access };
    let mut b = Builder::new(vec![
        pair(Access::Linear),
        pair(Access::Strided),
        param(Type::F32, Access::Uniform),
        pair(Access::Out),
    ]);
    let [re, im] = [0, 1].map(|p| b.load(0, p));
    let [sre, sim] = [0, 1].map(|p| b.load(1, p));
    let one = b.load(2, 0);
    let two = b.float(Type::F32, 2.0);
    let scale = b.binary(Code::Mul, one, two);
    let x = b.binary(Code::Add, re, sim);
    let y = b.binary(Code::Sub, im, sre);
    let x = b.binary(Code::Mul, x, scale);
    b.store(3, &[x, y]);
    let kernel = b.finish();
    verify(&kernel).unwrap();
    common::check_pairs(&kernel);
}

#[test]
fn printed_kernels() {
    let mut b = Builder::new(vec![
        param(Type::F32, Access::Linear),
        param(Type::F32, Access::Uniform),
        param(Type::Bool, Access::Out),
        param(Type::F32, Access::Out),
    ]);
    let x = b.load(0, 0);
    let y = b.load(1, 0);
    let again = b.load(0, 0);
    let one = b.float(Type::F32, 1.0);
    let unused = b.binary(Code::Mul, x, y);
    let _ = b.unary(Code::Sqrt, unused);
    let shifted = b.binary(Code::Add, y, one);
    let less = b.binary(Code::Lt, again, shifted);
    let sum = b.binary(Code::Add, x, again);
    b.store(2, &[less]);
    b.store(3, &[sum]);
    let mut kernel = b.finish();
    insta::assert_snapshot!("as_built", kernel.to_string());
    passes::run(&mut kernel, passes::PIPELINE);
    verify(&kernel).unwrap();
    insta::assert_snapshot!("after_the_pipeline", kernel.to_string());
}

#[test]
fn the_pipeline_once_more_changes_nothing() {
    let made = kernels::operations().into_iter().map(|(kind, from, to)| kernels::operation(kind, from, to));
    let all = made.chain(kernels::folds().into_iter().map(|(_, kernel)| kernel));
    let all = all.chain(kernels::gathers()).chain([flow::collatz(), flow::fibonacci(), flow::nested()]);
    for mut kernel in all {
        passes::run(&mut kernel, passes::PIPELINE);
        let once = kernel.to_string();
        passes::run(&mut kernel, passes::PIPELINE);
        assert_eq!(kernel.to_string(), once);
    }
}

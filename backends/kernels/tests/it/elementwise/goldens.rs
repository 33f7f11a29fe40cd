//! float64 and complex128 functions against values computed with many digits, and against
//! the laws that hold for every value, the special ones included.

use super::array;
use ivy_core::{BinaryOp, Dtype, UnaryOp};
use ivy_kernels::elementwise::*;
use num_complex::{Complex32, Complex64};

/// The distance of neighbours at `x`.
fn unit(x: f64) -> f64 {
    f64::from_bits(x.abs().max(f64::MIN_POSITIVE).to_bits() & 0x7ff0_0000_0000_0000) * 2f64.powi(-52)
}

fn run<T: ivy_core::host::Element>(name: &str, operands: &[T]) -> T {
    let result = match *operands {
        [x] => {
            let op = UnaryOp::ALL.iter().find(|op| op.name() == name).expect("a unary op");
            unary(*op, array(&[x]).view())
        }
        [a, b] => {
            let op = BinaryOp::ALL.iter().find(|op| op.name() == name).expect("a binary op");
            binary(*op, array(&[a]).view(), array(&[b]).view())
        }
        _ => unreachable!("one operand or two"),
    };
    result.unwrap().to_vec::<T>().unwrap()[0]
}

#[test]
fn functions_of_doubles_are_near_the_truth() {
    let mut worst = std::collections::BTreeMap::<String, (f64, String)>::new();
    for line in include_str!("goldens.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let (kind, name) = (words.next().unwrap(), words.next().unwrap());
        let values: Vec<f64> = words.map(|w| f64::from_bits(u64::from_str_radix(w, 16).unwrap())).collect();
        let error = if kind == "real" {
            let (truth, operands) = values.split_last().unwrap();
            (run(name, operands) - truth).abs() / unit(*truth)
        } else {
            let pairs: Vec<Complex64> = values.chunks(2).map(|p| Complex64::new(p[0], p[1])).collect();
            let (truth, operands) = pairs.split_last().unwrap();
            let got = run(name, operands);
            (got - truth).norm() / unit(truth.re.abs().max(truth.im.abs()))
        };
        let entry = worst.entry(format!("{kind} {name}")).or_default();
        let error = if error.is_nan() { f64::INFINITY } else { error };
        if error > entry.0 {
            *entry = (error, format!("{values:?}"));
        }
    }
    assert_eq!(worst.len(), 21 + 24);
    let bound = |name: &str| match name.split_once(' ').unwrap() {
        ("complex", _) => 4.0,
        (_, "pow" | "hypot" | "atan2" | "logaddexp") => 2.5,
        _ => 2.0,
    };
    let bad: Vec<_> = worst.iter().filter(|(name, (error, _))| *error > bound(name)).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

const SYMMETRIC: &[UnaryOp] = &[
    UnaryOp::Acos,
    UnaryOp::Acosh,
    UnaryOp::Asin,
    UnaryOp::Asinh,
    UnaryOp::Atan,
    UnaryOp::Atanh,
    UnaryOp::Cos,
    UnaryOp::Cosh,
    UnaryOp::Exp,
    UnaryOp::Expm1,
    UnaryOp::Log,
    UnaryOp::Log1p,
    UnaryOp::Log2,
    UnaryOp::Log10,
    UnaryOp::Sin,
    UnaryOp::Sinh,
    UnaryOp::Sqrt,
    UnaryOp::Tan,
    UnaryOp::Tanh,
];

/// Equal but for the signs, if the operand has a part without one.
fn agrees(z: Complex64, a: Complex64, b: Complex64) -> bool {
    let size = |z: Complex64| Complex64::new(z.re.abs(), z.im.abs());
    if z.re.is_nan() || z.im.is_nan() { same(size(a), size(b)) } else { same(a, b) }
}

fn same(a: Complex64, b: Complex64) -> bool {
    let part = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    part(a.re, b.re) && part(a.im, b.im)
}

fn grid() -> Vec<Complex64> {
    let parts = [0.0, 1e-200, 0.3, 1.0, 2.5, 800.0, 1e200, f64::INFINITY];
    let signed: Vec<f64> = parts.iter().flat_map(|&x| [x, -x]).chain([f64::NAN]).collect();
    signed.iter().flat_map(|&re| signed.iter().map(move |&im| Complex64::new(re, im))).collect()
}

#[test]
fn complex_functions_respect_conjugation_and_parity() {
    let grid = grid();
    let map =
        |op, values: Vec<Complex64>| unary(op, array(&values).view()).unwrap().to_vec::<Complex64>().unwrap();
    for &op in SYMMETRIC {
        let plain = map(op, grid.clone());
        let conjugated = map(op, grid.iter().map(|z| z.conj()).collect());
        let negated = map(op, grid.iter().map(|z| -z).collect());
        let odd = [
            UnaryOp::Asin,
            UnaryOp::Asinh,
            UnaryOp::Atan,
            UnaryOp::Atanh,
            UnaryOp::Sin,
            UnaryOp::Sinh,
            UnaryOp::Tan,
            UnaryOp::Tanh,
        ]
        .contains(&op);
        let even = [UnaryOp::Cos, UnaryOp::Cosh].contains(&op);
        for (i, z) in grid.iter().enumerate() {
            assert!(agrees(*z, conjugated[i], plain[i].conj()), "{} of {z} and its conjugate", op.name());
            assert!(!odd || agrees(*z, negated[i], -plain[i]), "{} of {z} is odd", op.name());
            assert!(!even || agrees(*z, negated[i], plain[i]), "{} of {z} is even", op.name());
        }
    }
}

/// Values with a sign, for numbers in the first quadrant; `X` stands for NaN. The other
/// quadrants follow by the symmetries above.
#[test]
fn complex_functions_have_the_standards_special_values() {
    use std::f64::consts::{FRAC_PI_2 as H, FRAC_PI_4 as Q, PI};
    const I: f64 = f64::INFINITY;
    const X: f64 = f64::NAN;
    let t = 3.0 * Q;
    #[rustfmt::skip]
    let cases: &[(UnaryOp, [f64; 2], [f64; 2])] = &[
        (UnaryOp::Sqrt, [0.0, 0.0], [0.0, 0.0]), (UnaryOp::Sqrt, [-0.0, 0.0], [0.0, 0.0]),
        (UnaryOp::Sqrt, [1.0, I], [I, I]), (UnaryOp::Sqrt, [X, I], [I, I]), (UnaryOp::Sqrt, [1.0, X], [X, X]),
        (UnaryOp::Sqrt, [-I, 1.0], [0.0, I]), (UnaryOp::Sqrt, [I, 1.0], [I, 0.0]), (UnaryOp::Sqrt, [I, X], [I, X]),
        (UnaryOp::Sqrt, [X, 1.0], [X, X]),
        (UnaryOp::Exp, [0.0, 0.0], [1.0, 0.0]), (UnaryOp::Exp, [1.0, I], [X, X]), (UnaryOp::Exp, [I, 0.0], [I, 0.0]),
        (UnaryOp::Exp, [-I, 1.0], [0.0, 0.0]), (UnaryOp::Exp, [-I, 3.0], [-0.0, 0.0]), (UnaryOp::Exp, [I, 1.0], [I, I]),
        (UnaryOp::Exp, [-I, I], [0.0, 0.0]), (UnaryOp::Exp, [I, I], [I, X]), (UnaryOp::Exp, [I, X], [I, X]),
        (UnaryOp::Exp, [X, 0.0], [X, 0.0]), (UnaryOp::Exp, [X, 1.0], [X, X]), (UnaryOp::Exp, [-I, X], [0.0, 0.0]),
        (UnaryOp::Expm1, [0.0, 0.0], [0.0, 0.0]), (UnaryOp::Expm1, [-0.0, 0.0], [0.0, 0.0]), (UnaryOp::Expm1, [I, 0.0], [I, 0.0]), (UnaryOp::Expm1, [-I, 1.0], [-1.0, 0.0]),
        (UnaryOp::Expm1, [I, 1.0], [I, I]), (UnaryOp::Expm1, [-I, I], [-1.0, 0.0]), (UnaryOp::Expm1, [I, I], [I, X]),
        (UnaryOp::Expm1, [1.0, I], [X, X]), (UnaryOp::Expm1, [X, 0.0], [X, 0.0]), (UnaryOp::Expm1, [-I, X], [-1.0, 0.0]),
        (UnaryOp::Log, [-0.0, 0.0], [-I, PI]), (UnaryOp::Log, [0.0, 0.0], [-I, 0.0]), (UnaryOp::Log, [1.0, I], [I, H]),
        (UnaryOp::Log, [1.0, X], [X, X]), (UnaryOp::Log, [-I, 1.0], [I, PI]), (UnaryOp::Log, [I, 1.0], [I, 0.0]),
        (UnaryOp::Log, [-I, I], [I, t]), (UnaryOp::Log, [I, I], [I, Q]), (UnaryOp::Log, [I, X], [I, X]), (UnaryOp::Log, [X, I], [I, X]),
        (UnaryOp::Log1p, [-1.0, 0.0], [-I, 0.0]), (UnaryOp::Log1p, [1.0, I], [I, H]), (UnaryOp::Log1p, [-I, I], [I, t]),
        (UnaryOp::Log1p, [I, X], [I, X]), (UnaryOp::Log1p, [X, 1.0], [X, X]), (UnaryOp::Log1p, [X, I], [I, X]),
        (UnaryOp::Sinh, [0.0, 0.0], [0.0, 0.0]), (UnaryOp::Sinh, [0.0, I], [0.0, X]), (UnaryOp::Sinh, [0.0, X], [0.0, X]),
        (UnaryOp::Sinh, [1.0, I], [X, X]), (UnaryOp::Sinh, [I, 0.0], [I, 0.0]), (UnaryOp::Sinh, [I, 1.0], [I, I]),
        (UnaryOp::Sinh, [I, I], [I, X]), (UnaryOp::Sinh, [X, 0.0], [X, 0.0]), (UnaryOp::Sinh, [X, 1.0], [X, X]),
        (UnaryOp::Cosh, [0.0, 0.0], [1.0, 0.0]), (UnaryOp::Cosh, [0.0, I], [X, 0.0]), (UnaryOp::Cosh, [1.0, I], [X, X]),
        (UnaryOp::Cosh, [I, 0.0], [I, 0.0]), (UnaryOp::Cosh, [I, 1.0], [I, I]), (UnaryOp::Cosh, [I, I], [I, X]),
        (UnaryOp::Cosh, [X, 0.0], [X, 0.0]), (UnaryOp::Cosh, [X, I], [X, X]),
        (UnaryOp::Tanh, [0.0, 0.0], [0.0, 0.0]), (UnaryOp::Tanh, [0.0, I], [0.0, X]), (UnaryOp::Tanh, [1.0, I], [X, X]),
        (UnaryOp::Tanh, [I, 1.0], [1.0, 0.0]), (UnaryOp::Tanh, [I, 2.0], [1.0, 0.0]), (UnaryOp::Tanh, [I, I], [1.0, 0.0]),
        (UnaryOp::Tanh, [I, X], [1.0, 0.0]), (UnaryOp::Tanh, [X, 0.0], [X, 0.0]), (UnaryOp::Tanh, [X, 1.0], [X, X]),
        (UnaryOp::Asinh, [0.0, 0.0], [0.0, 0.0]), (UnaryOp::Asinh, [1.0, I], [I, H]), (UnaryOp::Asinh, [1.0, X], [X, X]),
        (UnaryOp::Asinh, [I, 1.0], [I, 0.0]), (UnaryOp::Asinh, [I, I], [I, Q]), (UnaryOp::Asinh, [I, X], [I, X]),
        (UnaryOp::Asinh, [X, 0.0], [X, 0.0]), (UnaryOp::Asinh, [X, 1.0], [X, X]), (UnaryOp::Asinh, [X, I], [I, X]),
        (UnaryOp::Acos, [0.0, 0.0], [H, -0.0]), (UnaryOp::Acos, [-0.0, X], [H, X]), (UnaryOp::Acos, [1.0, I], [H, -I]),
        (UnaryOp::Acos, [1.0, X], [X, X]), (UnaryOp::Acos, [-I, 1.0], [PI, -I]), (UnaryOp::Acos, [I, 1.0], [0.0, -I]),
        (UnaryOp::Acos, [-I, I], [t, -I]), (UnaryOp::Acos, [I, I], [Q, -I]), (UnaryOp::Acos, [X, 1.0], [X, X]), (UnaryOp::Acos, [X, I], [X, -I]),
        (UnaryOp::Acosh, [0.0, 0.0], [0.0, H]), (UnaryOp::Acosh, [-0.0, 0.0], [0.0, H]), (UnaryOp::Acosh, [1.0, I], [I, H]),
        (UnaryOp::Acosh, [1.0, X], [X, X]), (UnaryOp::Acosh, [-I, 1.0], [I, PI]), (UnaryOp::Acosh, [I, 1.0], [I, 0.0]),
        (UnaryOp::Acosh, [-I, I], [I, t]), (UnaryOp::Acosh, [I, I], [I, Q]), (UnaryOp::Acosh, [I, X], [I, X]), (UnaryOp::Acosh, [X, I], [I, X]),
        (UnaryOp::Acosh, [0.0, X], [X, H]), (UnaryOp::Acosh, [1.0, 0.0], [0.0, 0.0]),
        (UnaryOp::Atanh, [0.0, 0.0], [0.0, 0.0]), (UnaryOp::Atanh, [0.0, X], [0.0, X]), (UnaryOp::Atanh, [1.0, 0.0], [I, 0.0]),
        (UnaryOp::Atanh, [1.0, I], [0.0, H]), (UnaryOp::Atanh, [1.0, X], [X, X]), (UnaryOp::Atanh, [I, 1.0], [0.0, H]),
        (UnaryOp::Atanh, [I, I], [0.0, H]), (UnaryOp::Atanh, [I, X], [0.0, X]), (UnaryOp::Atanh, [X, 1.0], [X, X]), (UnaryOp::Atanh, [X, I], [0.0, H]),
        (UnaryOp::Sign, [0.0, -0.0], [0.0, 0.0]), (UnaryOp::Sign, [3.0, 4.0], [0.6, 0.8]), (UnaryOp::Sign, [X, 1.0], [X, X]),
        (UnaryOp::Round, [2.5, -3.5], [2.0, -4.0]),
    ];
    for &(op, z, expected) in cases {
        let [z, expected] = [z, expected].map(|[re, im]| Complex64::new(re, im));
        let got = run(op.name(), &[z]);
        assert!(same(got, expected), "{}({z}) = {got}, not {expected}", op.name());
        let (z, expected) = (
            Complex32::new(z.re as f32, z.im as f32),
            Complex32::new(expected.re as f32, expected.im as f32),
        );
        let got = run(op.name(), &[z]);
        let part = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        assert!(
            part(got.re, expected.re) && part(got.im, expected.im),
            "{}({z}) = {got} in complex64",
            op.name()
        );
    }
}

#[test]
fn complex_quotients_and_powers_at_the_edges() {
    let z = Complex64::new;
    let close = |a: Complex64, b: Complex64| (a - b).norm() <= 1e-15 * b.norm();
    assert!(close(run("divide", &[z(1e308, 1e308), z(1e308, 1e308)]), z(1.0, 0.0)));
    assert!(close(run("divide", &[z(5e-324, 5e-324), z(5e-324, 5e-324)]), z(1.0, 0.0)));
    assert!(close(run("divide", &[z(1e-300, 0.0), z(1e300, 1e300)]) * 1e300, z(0.0, 0.0)));
    assert!(run("divide", &[z(1.0, 1.0), z(0.0, 0.0)]).re.is_infinite());
    assert!(run("divide", &[z(1.0, 2.0), z(f64::INFINITY, 1.0)]).norm() == 0.0);
    assert!(run("divide", &[z(f64::INFINITY, 2.0), z(1.0, 1.0)]).norm().is_infinite());
    assert!(
        run("reciprocal", &[z(0.0, 0.0)]).norm().is_infinite()
            || run("reciprocal", &[z(0.0, 0.0)]).re.is_infinite()
    );
    assert_eq!(run("pow", &[z(0.0, 0.0), z(0.0, 0.0)]), z(1.0, 0.0));
    assert_eq!(run("pow", &[z(0.0, 0.0), z(2.0, 1.0)]), z(0.0, 0.0));
    assert!(close(run("pow", &[z(0.0, 1.0), z(2.0, 0.0)]), z(-1.0, 0.0)));
    assert!(close(run("pow", &[z(2.0, 0.0), z(-1.0, 0.0)]), z(0.5, 0.0)));
    // Near the unit circle, where the logarithm's last bits count, and many turns from 0.
    let near = z(1.0 + f64::EPSILON, 0.0);
    let few = run("pow", &[near, z(-1.9225592088364713e18, -1351079888211149.0)]);
    assert!(close(few, z(3.8237654992520915e-186, -1.1828292789253107e-186)));
    let many = run("pow", &[near, z(3.478668251639942e+17, -2.2517998136852484e+28)]);
    assert!(close(many, z(-3.4761712566062417e+33, -5.115476802325935e+32)));
    // Exponents whose products with a logarithm are beyond what numbers can be split at.
    for huge in [1e301, f64::MAX] {
        assert_eq!(run("pow", &[z(10.0, 0.0), z(huge, 0.0)]), z(f64::INFINITY, 0.0));
        assert_eq!(run("pow", &[z(0.1, 0.0), z(huge, 0.0)]), z(0.0, 0.0));
    }
}

/// The sign of a NaN is an accident of how it came about, and differs between processors.
#[test]
fn complex_functions_do_not_ask_for_the_sign_of_nan() {
    let other = |z: Complex64| {
        let turned = |part: f64| if part.is_nan() { -part } else { part };
        Complex64::new(turned(z.re), turned(z.im))
    };
    let grid = grid();
    let turned: Vec<Complex64> = grid.iter().map(|&z| other(z)).collect();
    for op in UnaryOp::ALL.iter().filter(|op| op.result(Dtype::COMPLEX128) == Some(Dtype::COMPLEX128)) {
        let map = |values: &[Complex64]| unary(*op, array(values).view()).unwrap();
        let (plain, same_as) = (map(&grid), map(&turned));
        let pairs =
            plain.to_vec::<Complex64>().unwrap().into_iter().zip(same_as.to_vec::<Complex64>().unwrap());
        for (z, (a, b)) in grid.iter().zip(pairs) {
            assert!(same(a, b), "{} of {z}: {a} and {b}", op.name());
        }
    }
    for op in [BinaryOp::Add, BinaryOp::Multiply, BinaryOp::Divide, BinaryOp::Pow] {
        for &x in &grid {
            let all = |x: Complex64, values: &[Complex64]| {
                let result = binary(op, array(&vec![x; values.len()]).view(), array(values).view());
                result.unwrap().to_vec::<Complex64>().unwrap()
            };
            let results = all(x, &grid).into_iter().zip(all(other(x), &turned));
            for (y, (a, b)) in grid.iter().zip(results) {
                assert!(same(a, b), "{} of {x} and {y}: {a} and {b}", op.name());
            }
        }
    }
    // It counts as positive, in the operand itself.
    let z = Complex64::new;
    assert!(same(run("atan", &[z(f64::INFINITY, -f64::NAN)]), z(std::f64::consts::FRAC_PI_2, 0.0)));
    assert!(same(run("divide", &[z(-4.0, -0.0), z(f64::INFINITY, -f64::NAN)]), z(-0.0, 0.0)));
}

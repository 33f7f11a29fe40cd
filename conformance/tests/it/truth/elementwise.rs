//! Element-wise functions against the goldens.

use ivy_conformance::truth::dd::{self, Dd};
use ivy_conformance::truth::elementwise::{next_after, pairs};
use ivy_conformance::truth::golden;
use ivy_conformance::truth::num::ulp;
use ivy_core::Dtype;

/// The pairs of float64 stand where the goldens have no point; here they are held against them.
#[test]
fn pairs_agree_with_the_goldens() {
    let mut compared = 0;
    for name in golden::functions().into_iter().filter(|n| !n.starts_with("c_")) {
        for row in golden::operands(name) {
            let want = golden::find(name, row).expect("a row")[0];
            let trigonometric = matches!(name, "sin" | "cos" | "tan");
            if row[0] == 0.0 || trigonometric && row[0].abs() > 1e5 || want.hi.abs() < 1e-280 {
                continue;
            }
            let got = match (name, row.as_slice()) {
                ("atan2", [y, x]) => Dd::from(*y).atan2((*x).into()),
                ("logaddexp", [a, b]) => dd::log_add_exp(*a, *b),
                ("pow", [a, b]) => dd::pow(*a, *b),
                (_, [x]) if matches!(name, "acos" | "asin" | "atanh") && x.abs() >= 1.0 => continue,
                ("acosh", [x]) if *x <= 1.0 => continue,
                (_, [x]) => pairs(name, *x),
                _ => unreachable!("one or two operands"),
            };
            compared += 1;
            if want.hi.is_infinite() {
                assert_eq!(got.hi, want.hi, "{name}{row:?}");
                continue;
            }
            let off = (got - want).hi.abs() / want.hi.abs();
            // A thousandth of a unit of float64 is more than any bound looks at.
            assert!(off < 2f64.powi(-62), "{name}{row:?}: {got:?} {want:?} off by 2^{}", off.log2());
        }
    }
    assert!(compared > 1500, "{compared}");
}

#[test]
fn the_machine_agrees_with_the_goldens_to_a_unit_or_two() {
    for (name, f) in
        [("exp", f64::exp as fn(f64) -> f64), ("log", f64::ln), ("sin", f64::sin), ("atan", f64::atan)]
    {
        for row in golden::operands(name) {
            let want = golden::find(name, row).expect("a row")[0].hi;
            let unit = ulp(want, Dtype::FLOAT64);
            let got = f(row[0]);
            assert!(
                got == want || (got - want).abs() <= 2.0 * unit,
                "{name}({:e}): {got:e} {want:e}",
                row[0]
            );
        }
    }
}

#[test]
fn neighbours_are_the_machines() {
    let least = f64::from(f32::from_bits(1));
    for x in [1.0f32, 1.5, 2.0, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), -1.0, -4.0, 3.7e-41] {
        let (up, down) = (f64::from(x.next_up()), f64::from(x.next_down()));
        assert_eq!(next_after(x.into(), f64::INFINITY, Dtype::FLOAT32), up, "{x:e}");
        assert_eq!(next_after(x.into(), f64::NEG_INFINITY, Dtype::FLOAT32), down, "{x:e}");
    }
    assert_eq!(next_after(0.0, -1.0, Dtype::FLOAT32), -least);
    assert_eq!(next_after(1.0, 2.0, Dtype::FLOAT64), 1f64.next_up());
    assert_eq!(next_after(f64::INFINITY, 0.0, Dtype::FLOAT16), 65504.0);
}

//! Values of several types, folded in pairs.

use ivy_backend_jit::internals::Values;
use ivy_backend_jit::ir::Join;

/// The order as [`ivy_backend_jit::ir::fold`] says it.
fn folded(x: &[f32], f: &impl Fn(f32, f32) -> f32) -> f32 {
    match x {
        [one] => *one,
        _ => {
            let (low, high) = x.split_at(x.len().next_power_of_two() / 2);
            f(folded(low, f), folded(high, f))
        }
    }
}

#[test]
fn rows_are_folded_in_pairs() {
    for rows in [1, 2, 3, 17] {
        for count in 1..70 {
            for parts in [1, 2] {
                let value = |i: usize| 1.0 + (i * i % 97) as f32 / 7.0;
                let x: Vec<f32> = (0..rows * count * parts).map(value).collect();
                let mut values = Values::F32(x.clone());
                values.pairs(Join::Add, (rows, count), parts);
                let Values::F32(got) = values else { unreachable!() };
                for r in 0..rows {
                    for p in 0..parts {
                        let row: Vec<f32> = (0..count).map(|i| x[(r * count + i) * parts + p]).collect();
                        assert_eq!(got[r * parts + p].to_bits(), folded(&row, &|a, b| a + b).to_bits());
                    }
                }
            }
        }
    }
}

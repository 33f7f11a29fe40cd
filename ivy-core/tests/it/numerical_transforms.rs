//! Batches and derivatives of what a NumPy user calls daily: mapped functions beside each entry's results, gradients
//! beside differences.

use ivy::prelude::*;
use ivy::{Average, Gradient, Interp, Overlap, Quantile, RavelMultiIndex, Result, Unwrap};

type Function = fn(&Array) -> Result<Array>;

fn numbers(shape: &[usize]) -> Array {
    let turn = |i: usize| 0.1 + 0.8 * ((i as f64 + 1.0) * 0.618_033_988_749_894_9).fract();
    Array::from_vec((0..shape.iter().product()).map(turn).collect(), shape)
        .expect("as many numbers as the shape has")
}

fn of(values: &[f64]) -> Array {
    Array::try_from(values).expect("host numbers are an array")
}

fn places(x: &Array) -> Result<Array> {
    ivy::astype(ivy::multiply(x, 5.0)?, Dtype::INT64)
}

/// Each takes five numbers from 0 to 1.
const FUNCTIONS: &[(&str, Function)] = &[
    ("interp", |x| ivy::interp(x, of(&[0.0, 0.37, 0.5]), of(&[1.0, -1.0, 3.0]), Interp::new().right(2.0))),
    ("interp, of points", |x| ivy::interp(of(&[0.2, 0.6]), of(&[0.0, 0.3, 0.55, 0.7, 1.0]), x, ())),
    ("interp, with a period", |x| {
        ivy::interp(x, of(&[0.1, 0.45, 0.2]), of(&[1.0, -1.0, 3.0]), Interp::new().period(0.5))
    }),
    ("polyval", |x| ivy::polyval(x, x)),
    ("gradient", |x| Ok(ivy::gradient(x, Gradient::new().edge_order(2))?.remove(0))),
    ("gradient, at places", |x| {
        let places = ivy::cumulative_sum(x, ())?;
        Ok(ivy::gradient(x, Gradient::new().edge_order(2).spacing(&places))?.remove(0))
    }),
    ("ediff1d", |x| ivy::ediff1d(x, ivy::Ediff1d::new().to_end(x))),
    ("unwrap", |x| ivy::unwrap(x, Unwrap::new().period(0.3))),
    ("convolve", |x| ivy::convolve(x, of(&[1.0, -2.0]), Overlap::Full)),
    ("correlate", |x| ivy::correlate(of(&[1.0, -2.0, 0.5]), x, Overlap::Same)),
    ("block_diag", |x| ivy::block_diag([x, x])),
    ("float_power", |x| ivy::float_power(x, x)),
    ("ldexp", |x| ivy::ldexp(x, places(x)?)),
    ("ptp", |x| ivy::ptp(x, ())),
    ("average", |x| ivy::average(x, Average::new().weights(ivy::square(x)?))),
    ("nanquantile", |x| ivy::nanquantile(x, of(&[0.3, 0.8]), Quantile::new())),
    ("geomspace", |x| ivy::geomspace(x, 3.0, 4, ())),
    ("diagflat", |x| ivy::diagflat(x, ivy::Diagflat::new().offset(1))),
    ("select", |x| ivy::select([ivy::less(x, 0.4)?], [ivy::square(x)?], x)),
    ("erfinv", |x| ivy::erfinv(x)),
    ("i0", |x| ivy::i0(ivy::multiply(x, 8.0)?)),
    ("zeta", |x| ivy::zeta(ivy::add(x, 1.5)?, ivy::multiply(x, 2.0)?)),
    ("polygamma", |x| ivy::polygamma(2, x)),
];

/// Functions whose results are numbers of places.
const SEARCHES: &[(&str, Function)] = &[
    ("digitize", |x| ivy::digitize(x, of(&[0.9, 0.5, 0.2]), ())),
    ("bucketize", |x| ivy::bucketize(x, of(&[0.2, 0.5, 0.9]), ())),
    ("lexsort", |x| ivy::lexsort([x, &ivy::floor(ivy::multiply(x, 3.0)?)?], ())),
    ("ravel_multi_index", |x| {
        ivy::ravel_multi_index([places(x)?, places(x)?], [5, 5], RavelMultiIndex::new())
    }),
    ("unravel_index", |x| Ok(ivy::unravel_index(places(x)?, [3, 2], ())?.remove(1))),
];

#[test]
fn a_mapped_function_is_that_of_each_entry() -> Result<()> {
    let x = numbers(&[3, 5]);
    for (name, f) in FUNCTIONS.iter().chain(SEARCHES) {
        let wanted: Vec<Array> = ivy::unstack(&x, ())?.iter().map(f).collect::<Result<_>>()?;
        let wanted = ivy::astype(ivy::stack(&wanted, ())?, Dtype::FLOAT64)?;
        let found = ivy::vmap(f, ())(&x).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(found.shape(), wanted.shape(), "{name}");
        let found = ivy::astype(found, Dtype::FLOAT64)?.to_vec::<f64>()?;
        for (a, b) in found.into_iter().zip(wanted.to_vec::<f64>()?) {
            assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{name}: {a}, not {b}");
        }
    }
    Ok(())
}

#[test]
fn gradients_are_those_of_differences() -> Result<()> {
    let x = numbers(&[5]);
    let step = 1e-6;
    for (name, f) in FUNCTIONS {
        let loss = |x: &Array| ivy::sum(ivy::sin(f(x)?)?, ());
        let found = ivy::grad(loss)(&x).unwrap_or_else(|e| panic!("{name}: {e}")).to_vec::<f64>()?;
        for (i, found) in found.into_iter().enumerate() {
            let at = |by: f64| -> Result<f64> {
                let mut values = x.to_vec::<f64>()?;
                values[i] += by;
                loss(&of(&values))?.item::<f64>()
            };
            let wanted = (at(step)? - at(-step)?) / (2.0 * step);
            // Sines of large results turn fast, and differences of them are as rough.
            assert!(
                (found - wanted).abs() <= 1e-4 * (1.0 + wanted.abs()),
                "{name}, {i}: {found}, not {wanted}"
            );
        }
    }
    Ok(())
}

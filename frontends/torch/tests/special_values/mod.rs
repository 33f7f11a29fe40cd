//! Special functions beside their values to 17 digits (`tools/special_series.py --values`), at points on both sides of where
//! one series takes over from another.

use ivy_core::{Array, Dtype, Result};
use ivy_frontend_torch::{Keywords, TORCH, Value};
use std::collections::BTreeSet;

/// The results of a function of arguments that are columns.
fn results(path: &str, arguments: &[Vec<f64>]) -> Result<Vec<f64>> {
    let arrays = arguments.iter().map(|all| Array::from_vec(all.clone(), [all.len()]));
    let arrays = arrays.collect::<Result<Vec<_>>>()?;
    let given: Vec<Value<'_>> = arrays.iter().map(Value::from).collect();
    match TORCH.call(path, &given, Keywords::new())? {
        Value::Array(found) => found.to_vec::<f64>(),
        other => panic!("{path} gave {}", other.kind()),
    }
}

#[test]
fn values_to_the_last_digits() -> Result<()> {
    let lines: Vec<Vec<&str>> = include_str!("values.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    let paths: BTreeSet<&str> = lines.iter().map(|line| line[0]).collect();
    assert_eq!(paths.len(), 14);
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let mut wrong = Vec::new();
    for path in paths {
        let of: Vec<&Vec<&str>> = lines.iter().filter(|line| line[0] == path).collect();
        let rows: Vec<Vec<f64>> = of.iter().map(|line| line[1].split(' ').map(number).collect()).collect();
        let columns: Vec<Vec<f64>> =
            (0..rows[0].len()).map(|at| rows.iter().map(|row| row[at]).collect()).collect();
        for (line, found) in of.iter().zip(results(path, &columns)?) {
            let wanted = number(line[2]);
            // Amplitudes are at most 1; tails of the incomplete gamma functions are powers and exponentials of what has an
            // error of its own.
            let share = if path.contains("gammainc") { 2e-12 } else { 2e-14 };
            if (found - wanted).abs() > share * wanted.abs() + 3e-15 {
                wrong.push(format!("{path}({}) is {wanted:e}, got {found:e}", line[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn ends_of_the_real_line() -> Result<()> {
    let ends = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];
    let of = |path: &str| results(path, &[ends.to_vec()]);
    for (path, wanted) in [
        ("special.i1", [f64::NEG_INFINITY, f64::INFINITY, f64::NAN]),
        ("special.i0e", [0.0, 0.0, f64::NAN]),
        ("special.i1e", [0.0, 0.0, f64::NAN]),
        ("special.bessel_j0", [0.0, 0.0, f64::NAN]),
        ("special.bessel_y0", [f64::NAN, 0.0, f64::NAN]),
        ("special.modified_bessel_k0", [f64::NAN, 0.0, f64::NAN]),
        ("special.spherical_bessel_j0", [0.0, 0.0, f64::NAN]),
        ("special.airy_ai", [0.0, 0.0, f64::NAN]),
    ] {
        for (found, wanted) in of(path)?.into_iter().zip(wanted) {
            assert!(found == wanted || found.is_nan() && wanted.is_nan(), "{path}: {found}, not {wanted}");
        }
    }
    Ok(())
}

#[test]
fn narrow_floats_keep_their_dtype() -> Result<()> {
    let x = ivy_core::functional::astype(&Array::from_vec(vec![0.5f32, 9.0], [2])?, Dtype::BFLOAT16)?;
    let Value::Array(found) = TORCH.call("special.i1e", &[Value::from(&x)], Keywords::new())? else {
        panic!("an array")
    };
    assert_eq!(found.dtype(), Dtype::BFLOAT16);
    Ok(())
}

#[test]
fn degrees_beyond_reason_are_refused() -> Result<()> {
    let x = Array::from_vec(vec![0.5f64], [1])?;
    for degree in [Value::from(5000i64), Value::Float(1e300)] {
        let error = TORCH.call("special.legendre_polynomial_p", &[Value::from(&x), degree], Keywords::new());
        assert!(error.unwrap_err().to_string().contains("degrees are at most 4096"));
    }
    Ok(())
}

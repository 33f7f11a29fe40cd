use ivy_core::host::HostArray;
use ivy_core::{FftOp, FftScale};
use ivy_kernels::fft::fft;
use num_complex::Complex64;
use proptest::prelude::*;
use std::f64::consts::TAU;

/// The transform by its definition.
fn direct(x: &[Complex64], n: usize, sign: f64) -> Vec<Complex64> {
    let turn = |j: usize, k: usize| Complex64::from_polar(1.0, sign * TAU * (j * k % n) as f64 / n as f64);
    (0..n).map(|k| x.iter().take(n).enumerate().map(|(j, &z)| z * turn(j, k)).sum()).collect()
}

fn close(got: &[Complex64], want: &[Complex64], size: f64) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).norm() <= 1e-13 * size, "{g} instead of {w}");
    }
}

fn run(op: FftOp, n: usize, scale: FftScale, x: &HostArray) -> HostArray {
    fft(op, x.shape().len() - 1, n, scale, x.view()).expect("a transform")
}

proptest! {
    #[test]
    fn every_number_of_points(parts in prop::collection::vec((-2.0..2.0f64, -2.0..2.0f64), 1..40), n in 1usize..70) {
        let z: Vec<Complex64> = parts.iter().map(|&(a, b)| Complex64::new(a, b)).collect();
        let real: Vec<f64> = parts.iter().map(|p| p.0).collect();
        let size = parts.iter().map(|p| p.0.abs() + p.1.abs()).sum::<f64>() + 1.0;
        let x = HostArray::from_vec(z.clone(), [z.len()].into()).unwrap();
        for (op, sign) in [(FftOp::Forward, -1.0), (FftOp::Inverse, 1.0)] {
            let got = run(op, n, FftScale::One, &x).to_vec::<Complex64>().unwrap();
            close(&got, &direct(&z, n, sign), size);
        }
        let x = HostArray::from_vec(real.clone(), [real.len()].into()).unwrap();
        let complex: Vec<Complex64> = real.iter().map(|&a| a.into()).collect();
        let half = run(FftOp::Real, n, FftScale::One, &x);
        let got = half.to_vec::<Complex64>().unwrap();
        close(&got, &direct(&complex, n, -1.0)[..n / 2 + 1], size);
        // And back: the line that was cut or lengthened.
        let back = run(FftOp::RealInverse, n, FftScale::Full, &half).to_vec::<f64>().unwrap();
        for (j, x) in back.iter().enumerate() {
            let want = real.get(j).copied().unwrap_or(0.0);
            prop_assert!((x - want).abs() <= 1e-13 * size, "{x} instead of {want}");
        }
    }
}

#[test]
fn lines_side_by_side_and_reversed() {
    let x = HostArray::from_vec((0..24).map(f64::from).collect(), [2, 4, 3].into()).unwrap();
    let whole = fft(FftOp::Forward, 1, 4, FftScale::Full, x.view()).unwrap().to_vec::<Complex64>().unwrap();
    let reversed = HostArray::from_parts(
        x.buffer().clone(),
        x.dtype(),
        [24].into(),
        [-1isize].into_iter().collect(),
        23,
    )
    .unwrap();
    let line = fft(FftOp::Forward, 0, 24, FftScale::One, reversed.view()).unwrap();
    assert_eq!(line.to_vec::<Complex64>().unwrap()[0].re, 276.0);
    for outer in 0..2 {
        for inner in 0..3 {
            let at = |k: usize| outer * 12 + k * 3 + inner;
            let column: Vec<Complex64> = (0..4).map(|k| Complex64::from(at(k) as f64)).collect();
            let want: Vec<Complex64> = direct(&column, 4, -1.0).into_iter().map(|z| z / 4.0).collect();
            close(&(0..4).map(|k| whole[at(k)]).collect::<Vec<_>>(), &want, 100.0);
        }
    }
}

#[test]
fn small_floats_are_rounded_once_and_lines_without_elements_are_none() {
    use half::f16;
    let x = HostArray::from_vec([1.0, 2.0, 4.0].map(f16::from_f32).to_vec(), [3].into()).unwrap();
    let z = run(FftOp::Real, 3, FftScale::One, &x);
    assert_eq!(z.dtype(), ivy_core::Dtype::COMPLEX64);
    let back = run(FftOp::RealInverse, 3, FftScale::Full, &x);
    assert_eq!(back.dtype(), ivy_core::Dtype::FLOAT16);
    let none = HostArray::from_vec(Vec::<f32>::new(), [0, 5].into()).unwrap();
    assert_eq!(run(FftOp::Forward, 8, FftScale::One, &none).shape()[..], [0, 8]);
    assert!(fft(FftOp::Real, 0, 3, FftScale::One, z.view()).is_err());
}

//! Products of matrices: the same bits with and without tiles, and near the reference kernels'.

use crate::common::arrays;

use arrays::{backends, reference, run, same, transposed};
use ivy_backend_jit::engine::Settings;
use ivy_backend_suite::Counted;
use ivy_core::backend::{Backend, Support};
use ivy_core::host::HostArray;
use ivy_core::{Dtype, ErrorKind, Op};

/// Numbers that no sum of a few makes round, in a dtype.
fn numbers(dtype: Dtype, shape: &[usize]) -> HostArray {
    let count: usize = shape.iter().product();
    let values: Vec<f64> = (0..count).map(|i| ((i * 7919 % 1009) as f64 - 504.0) / 811.0).collect();
    let wide = HostArray::from_vec(values, shape.into()).unwrap();
    reference(&Op::Cast { dtype }, &[&wide]).remove(0)
}

fn doubles(array: &HostArray) -> Vec<f64> {
    reference(&Op::Cast { dtype: Dtype::FLOAT64 }, &[array]).remove(0).to_vec().unwrap()
}

#[test]
fn tiles_change_no_bit() {
    let mut cases = Counted::default();
    for dtype in [Dtype::FLOAT16, Dtype::BFLOAT16, Dtype::FLOAT32, Dtype::FLOAT64] {
        let sizes = [([2, 70, 300], [300, 65]), ([1, 1, 40], [40, 9]), ([1, 33, 600], [600, 1])];
        for (a, b) in sizes.into_iter().filter(|_| cases.takes_next()) {
            let (x, y) = (numbers(dtype, &a), numbers(dtype, &b));
            let transposed = transposed(&y);
            let mut first: Option<HostArray> = None;
            for (name, backend) in backends() {
                assert_eq!(backend.support(&Op::Matmul, &[dtype, dtype]), Support::Native);
                for products in [true, false] {
                    backend.engine().set_settings(Settings { products, ..Settings::default() });
                    for y in [&y, &transposed] {
                        let got = run(&backend, &Op::Matmul, &[&x, y]);
                        let what = || format!("{name} {dtype} {a:?} {b:?} products {products}");
                        same(&got, first.get_or_insert_with(|| got.clone()), &what);
                    }
                }
            }
            // Two orders of roundings are at most twice the bound apart, and both round to the dtype.
            let depth = a[2] as f64;
            let single = if dtype == Dtype::FLOAT64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
            let last = ivy_core::finfo(dtype).unwrap().eps;
            let want = reference(&Op::Matmul, &[&x, &y]).remove(0);
            for (x, y) in doubles(&first.unwrap()).into_iter().zip(doubles(&want)) {
                let bound = 2.0 * depth * single * depth * 0.4 + 2.0 * last * y.abs();
                assert!((x - y).abs() <= bound, "{dtype} {x} {y}");
            }
        }
    }
}

#[test]
fn products_on_a_device() {
    let backends = backends();
    let of = |wanted| &backends.iter().find(|(name, _)| *name == wanted).unwrap().1;
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64] {
        for (a, b) in [
            (&[17, 5][..], &[5, 33][..]),
            (&[70], &[70]),
            (&[3, 1, 20, 18], &[4, 18, 7]),
            (&[2, 0], &[0, 3]),
            (&[0, 2], &[2, 3]),
            (&[5], &[3, 5, 2]),
            (&[3, 2, 5], &[5]),
            (&[40, 130, 7], &[7, 65]),
        ] {
            let (x, y) = (numbers(dtype, a), numbers(dtype, b));
            let got = run(of("cuda"), &Op::Matmul, &[&transposed(&x), &y]);
            same(&got, &run(of("interp"), &Op::Matmul, &[&x, &y]), &|| format!("{dtype} {a:?} {b:?}"));
        }
        // An underflow to -0 at the end of a row stays one.
        let row = |values: [f64; 3]| {
            let wide = HostArray::from_vec(values.to_vec(), [3].into()).unwrap();
            reference(&Op::Cast { dtype }, &[&wide]).remove(0)
        };
        let tiny = if dtype == Dtype::FLOAT32 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        let (x, y) = (row([0.0, 0.0, -tiny]), row([1.0, 1.0, tiny]));
        let got = run(of("cuda"), &Op::Matmul, &[&x, &y]);
        same(&got, &run(of("interp"), &Op::Matmul, &[&x, &y]), &|| "-0".into());
    }
    // Nothing of this went over the host.
    of("cuda").engine().set_transfers(false);
    let x = numbers(Dtype::BFLOAT16, &[20, 300]);
    let got = run(of("cuda"), &Op::Matmul, &[&x, &transposed(&numbers(Dtype::BFLOAT16, &[300, 3]))]);
    let want = run(of("interp"), &Op::Matmul, &[&x, &numbers(Dtype::BFLOAT16, &[300, 3])]);
    same(&got, &want, &|| "bfloat16".into());
    let x = of("cuda").from_host(x).unwrap();
    let error = of("cuda").execute(&Op::Matmul, &[&x, &x]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ShapeMismatch { argument: "x2", .. }), "{error}");
}

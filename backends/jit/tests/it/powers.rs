//! Complex powers against values of many digits: near the unit circle, of very large and very small numbers,
//! and with angles of up to 10^12 radians; by every generator, and the same bits by all of them.

use crate::common::arrays;

use arrays::{backends, near, run, same};
use ivy_core::backend::{Backend, Support};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, Op};
use num_complex::{Complex32, Complex64};

const POW: Op = Op::Binary(BinaryOp::Pow);

/// The rows of a kind: `a`, `b` and `a^b`.
fn rows(kind: &str) -> [Vec<Complex64>; 3] {
    let mut columns = [const { Vec::new() }; 3];
    for line in include_str!("powers.txt").lines() {
        let Some(words) = line.strip_prefix(kind) else { continue };
        let parts: Vec<f64> =
            words.split_whitespace().map(|w| f64::from_bits(u64::from_str_radix(w, 16).unwrap())).collect();
        for (column, part) in columns.iter_mut().zip(parts.chunks(2)) {
            column.push(Complex64::new(part[0], part[1]));
        }
    }
    columns
}

fn check(dtype: Dtype, columns: [HostArray; 3]) {
    let [a, b, truth] = columns;
    let mut first = None;
    for (name, backend) in backends() {
        assert_eq!(backend.support(&POW, &[dtype; 2]), Support::Native);
        let (got, what) = (run(&backend, &POW, &[&a, &b]), || format!("pow of {dtype} by {name}"));
        near(&got, &truth, &what);
        same(&got, first.get_or_insert_with(|| got.clone()), &what);
    }
}

#[test]
fn powers_of_complex128() {
    let columns = rows("float64");
    assert!(columns[0].len() > 100);
    let array = |column: Vec<Complex64>| HostArray::from_vec(column.clone(), [column.len()].into()).unwrap();
    check(Dtype::COMPLEX128, columns.map(array));
}

#[test]
fn powers_of_complex64() {
    let columns = rows("float32");
    assert!(columns[0].len() > 100);
    let narrow = |z: &Complex64| Complex32::new(z.re as f32, z.im as f32);
    let array = |column: Vec<Complex64>| {
        HostArray::from_vec(column.iter().map(narrow).collect(), [column.len()].into()).unwrap()
    };
    check(Dtype::COMPLEX64, columns.map(array));
}

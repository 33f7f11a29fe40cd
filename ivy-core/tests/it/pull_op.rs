//! The reverse derivative of one op: that of a function which runs it, without running it.

use crate::common::{backend_without, ops_run};
use ivy::prelude::*;
use ivy::{
    AxisSlice, BinaryOp, ConvOp, Dtype, DtypeSet, FftOp, FftScale, LinalgOp, Op, ReduceOp, Result, ScanOp,
    ScatterOp, UnaryOp,
};
use ivy_core::backend::{Value, pull_op};

fn run(op: &Op, operands: &[Array]) -> Result<Vec<Array>> {
    let backend = operands[0].backend();
    let values: Vec<&Value> = operands.iter().map(Array::value).collect();
    let results = backend.execute(op, &values)?;
    Ok(results.into_iter().map(|v| Array::from_value(backend.clone(), v)).collect())
}

/// Numbers between -1 and 1, away from 0, of which none are equal.
fn numbers(dtype: Dtype, shape: &[usize], seed: usize) -> Array {
    let n = shape.iter().product::<usize>();
    let of = |i: usize| {
        ((i * 37 + seed * 11) % 101) as f64 / 101.0 * if i.is_multiple_of(2) { 0.9 } else { -0.9 } + 0.003
    };
    let x = Array::try_from((0..n).map(of).collect::<Vec<f64>>()).expect("an array");
    let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
    let x = ivy::reshape(x, &shape[..], ()).expect("as many elements");
    ivy::astype(x, dtype).expect("a cast")
}

/// Compares both, if the op has a derivative and takes the dtypes.
fn same(op: &Op, operands: &[Array], what: &str) -> Result<bool> {
    let is_active = |x: &Array| x.dtype().is_float() || x.dtype().is_complex();
    let active: Vec<bool> = operands.iter().map(is_active).collect();
    let primals: Vec<Array> = operands.iter().filter(|x| is_active(x)).cloned().collect();
    let function = |given: &Vec<Array>| {
        let outer = given[0].backend();
        let mut given = given.iter();
        let all = operands.iter().map(|x| match is_active(x) {
            true => Ok(given.next().expect("one each").clone()),
            false => Ok(Array::from_value(outer.clone(), outer.lift(x.clone())?)),
        });
        run(op, &all.collect::<Result<Vec<_>>>()?)
    };
    let Ok((results, back)) = ivy::vjp(function, &primals) else {
        let cotangents = vec![None; 4];
        return pull_op(op, operands, &active, &cotangents).map(|_| false).or(Ok(false));
    };
    let cotangents: Vec<Array> = results
        .iter()
        .map(|y| {
            let shape: Vec<usize> = y.shape().to_vec();
            if is_active(y) { Ok(numbers(y.dtype(), &shape, 5)) } else { ivy::zeros_like(y, ()) }
        })
        .collect::<Result<_>>()?;
    let want = back.call(&cotangents)?;
    let given: Vec<Option<Array>> = cotangents.into_iter().map(|g| is_active(&g).then_some(g)).collect();
    let got = pull_op(op, operands, &active, &given)?;
    assert_eq!(got.len(), want.len(), "{what}");
    for (got, want) in got.iter().zip(&want) {
        let bytes = |x: &Array| Ok::<_, ivy::Error>(x.to_host()?.row_major_bytes()?.into_owned());
        assert_eq!((got.dtype(), got.shape()), (want.dtype(), want.shape()), "{what}");
        assert_eq!(bytes(got)?, bytes(want)?, "{what}: {got} {want}");
    }
    Ok(true)
}

#[test]
fn of_every_kind_of_op() -> Result<()> {
    let mut compared = 0;
    let mut check = |op: Op, operands: &[Array]| -> Result<()> {
        let dtypes: Vec<String> = operands.iter().map(|x| format!("{}{}", x.dtype(), x.shape())).collect();
        compared += usize::from(same(&op, operands, &format!("{op:?} of {}", dtypes.join(", ")))?);
        Ok(())
    };
    for dtype in [Dtype::FLOAT32, Dtype::FLOAT64, Dtype::COMPLEX128] {
        let x = |shape: &[usize]| numbers(dtype, shape, 1);
        let (a, b) = (x(&[2, 3]), numbers(dtype, &[2, 3], 2));
        for &op in UnaryOp::ALL {
            if op.result(dtype).is_some() {
                check(Op::Unary(op), std::slice::from_ref(&a))?;
            }
        }
        for &op in BinaryOp::ALL {
            if op.result(dtype).is_some() {
                check(Op::Binary(op), &[a.clone(), b.clone()])?;
                check(Op::Binary(op), &[a.clone(), numbers(dtype, &[3], 3)])?;
            }
        }
        for op in [
            ReduceOp::Sum,
            ReduceOp::Mean,
            ReduceOp::Prod,
            ReduceOp::Max,
            ReduceOp::Min,
            ReduceOp::Var { correction: 0 },
        ] {
            if !dtype.is_complex() || matches!(op, ReduceOp::Sum | ReduceOp::Mean | ReduceOp::Prod) {
                check(Op::Reduce { op, axes: [1][..].into(), keepdims: false }, std::slice::from_ref(&a))?;
            }
        }
        for op in [ScanOp::Sum, ScanOp::Prod] {
            check(Op::Scan { op, axis: 1, include_initial: true }, std::slice::from_ref(&a))?;
        }
        let mask = Array::try_from([[true, false, true], [false, true, true]])?;
        check(Op::Where, &[mask, a.clone(), b.clone()])?;
        check(
            Op::Cast { dtype: if dtype.is_complex() { Dtype::COMPLEX64 } else { Dtype::FLOAT16 } },
            std::slice::from_ref(&a),
        )?;
        check(Op::Reshape { shape: [3, 2].into() }, std::slice::from_ref(&a))?;
        check(Op::BroadcastTo { shape: [2, 2, 3].into() }, std::slice::from_ref(&a))?;
        check(Op::PermuteDims { axes: [1, 0][..].into() }, std::slice::from_ref(&a))?;
        let part = [AxisSlice { start: 1, step: -1, len: 2 }, AxisSlice { start: 0, step: 2, len: 2 }];
        check(Op::Slice { axes: part.into_iter().collect() }, std::slice::from_ref(&a))?;
        check(Op::SetSlice { axes: part.into_iter().collect() }, &[a.clone(), x(&[2, 2])])?;
        check(Op::Concat { axis: 0 }, &[a.clone(), b.clone()])?;
        let places = Array::try_from([1i64, 0, 1])?;
        check(Op::Take { axis: 1 }, &[a.clone(), places.clone()])?;
        check(Op::Gather { axes: 1 }, &[a.clone(), places.clone()])?;
        for op in [ScatterOp::Set, ScatterOp::Add, ScatterOp::Mul, ScatterOp::Max] {
            if op.takes(dtype) {
                check(Op::Scatter { axes: 1, op }, &[x(&[2]), x(&[3]), places.clone()])?;
            }
        }
        if !dtype.is_complex() {
            check(Op::Sort { axis: 1, descending: true }, std::slice::from_ref(&a))?;
        }
        check(Op::Matmul, &[x(&[2, 3]), numbers(dtype, &[3, 4], 2)])?;
        check(Op::Conv(ConvOp::new(1)), &[x(&[2, 3, 5]), numbers(dtype, &[4, 3, 2], 2)])?;
        check(Op::Fft { op: FftOp::Forward, axis: 1, n: 3, scale: FftScale::One }, std::slice::from_ref(&a))?;
        let square = ivy::add(x(&[3, 3]), ivy::astype(ivy::eye(3, ())?, dtype)?)?;
        for op in [
            LinalgOp::Inv,
            LinalgOp::Det,
            LinalgOp::LuFactor,
            LinalgOp::Eig,
            LinalgOp::Qr { complete: false },
        ] {
            check(Op::Linalg(op), std::slice::from_ref(&square))?;
        }
        check(Op::Linalg(LinalgOp::Solve), &[square.clone(), x(&[3, 2])])?;
    }
    assert!(compared > 150, "{compared} ops");
    Ok(())
}

#[test]
fn products_are_not_computed_again() -> Result<()> {
    let backend = backend_without(DtypeSet::EMPTY);
    let there = |shape: &[usize]| numbers(Dtype::FLOAT32, shape, 1).to_backend(&backend);
    let cases: [(Op, [&[usize]; 3], usize); 3] = [
        (Op::Matmul, [&[2, 3], &[3, 4], &[2, 4]], 2),
        (Op::Conv(ConvOp::new(1)), [&[2, 3, 5], &[4, 3, 2], &[2, 4, 4]], 2),
        (Op::Binary(BinaryOp::Multiply), [&[2, 3], &[2, 3], &[2, 3]], 2),
    ];
    for (op, [a, b, y], products) in cases {
        let (a, b, y) = (there(a)?, there(b)?, there(y)?);
        ops_run();
        pull_op(&op, &[a, b], &[true, true], &[Some(y)])?;
        let run = ops_run();
        assert_eq!(run.iter().filter(|name| **name == op.name()).count(), products, "{op:?}: {run:?}");
    }
    // What it is made of is.
    let x = there(&[3])?;
    ops_run();
    pull_op(&Op::Unary(UnaryOp::Exp), std::slice::from_ref(&x), &[true], &[Some(x.clone())])?;
    assert_eq!(ops_run(), ["exp", "multiply"]);
    Ok(())
}

#[test]
fn what_is_wanted_is_checked() -> Result<()> {
    let (x, i) = (Array::try_from([1.0f32, 2.0])?, Array::try_from([1i64, 0])?);
    let told = |operands: &[Array], wanted: &[bool]| {
        pull_op(&Op::Take { axis: 0 }, operands, wanted, &[None]).map(|_| ()).unwrap_err().to_string()
    };
    assert!(told(&[x.clone(), i.clone()], &[true]).contains("1 of 2 operands"));
    assert!(told(&[x.clone(), i.clone()], &[true, true]).contains("an operand of int64"));
    let zeros = pull_op(&Op::Take { axis: 0 }, &[x, i], &[true, false], &[])?;
    assert_eq!(zeros[0].to_vec::<f32>()?, [0.0, 0.0]);
    Ok(())
}

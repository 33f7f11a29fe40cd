//! Calls by the shortest way give what those by the general way give.

use ivy::function::{Body, functions};
use ivy::prelude::*;
use ivy::{Dtype, Function, Op, Operand, Scalar};
use std::borrow::Cow;

/// Dtype, shape and elements, or the error.
fn told(result: ivy::Result<Array>) -> String {
    match result
        .and_then(|x| Ok((x.dtype(), x.shape().clone(), x.to_host()?.row_major_bytes()?.into_owned())))
    {
        Ok((dtype, shape, bytes)) => format!("{dtype} {shape} {bytes:x?}"),
        Err(error) => error.to_string(),
    }
}

fn generally(function: &'static Function, operands: &[Operand<'_>]) -> String {
    told(ivy::call(function, operands, &()).map(|mut all| all.pop().expect("one result")))
}

#[test]
fn arrays_and_scalars() -> ivy::Result<()> {
    let scalars = [
        Scalar::Bool(true),
        Scalar::Int(3),
        Scalar::Int(-1),
        Scalar::Int(300),
        Scalar::Float(2.5),
        Scalar::Float(-0.0),
        Scalar::Complex(num_complex::Complex64::new(1.0, -2.0)),
    ];
    let is_binary = |f: &&&Function| matches!(f.body, Body::Fixed(Op::Binary(_)));
    let mut count = 0;
    for backend in ["ndarray", "candle", "jit"] {
        ivy::context::with_backend(backend, || {
            for dtype in Dtype::all() {
                let Ok(x) = ivy::astype(Array::try_from([1i32, 5, 2])?, dtype) else { continue };
                let array = || Operand::Array(Cow::Borrowed(&x));
                for function in functions().iter().filter(is_binary) {
                    let both = [array(), array()];
                    let short = told(ivy::call_arrays(function, [&x, &x]));
                    assert_eq!(
                        short,
                        generally(function, &both),
                        "{} of {dtype} on {backend}",
                        function.name
                    );
                    for (scalar, first) in scalars.iter().flat_map(|&s| [(s, false), (s, true)]) {
                        let given = Operand::Scalar(scalar);
                        let operands = if first { [given, array()] } else { [array(), given] };
                        // The first call makes the plan, which the second one finds.
                        let made = told(ivy::call_scalar(function, &x, scalar, first));
                        let found = told(ivy::call_scalar(function, &x, scalar, first));
                        let what = format!("{} of {dtype} and {scalar} on {backend}", function.name);
                        assert_eq!([&made, &found], [&generally(function, &operands); 2], "{what}, {first}");
                        count += 1;
                    }
                }
            }
            Ok::<(), ivy::Error>(())
        })??;
    }
    assert!(count > 10_000, "{count} calls");
    Ok(())
}

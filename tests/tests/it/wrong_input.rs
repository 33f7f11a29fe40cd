//! Every function with wrong input: a typed error, never a panic, and the operands as before.

use ivy::function::{ParamValue, Params, Role, functions};
use ivy::prelude::*;
use ivy::support::example_call;
use ivy::{ErrorKind, Function, Operand, Scalar, Shape, s};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Arrays of ones in place of the example's arrays without values; `shape` changes their shapes.
fn operands(
    function: &'static Function,
    dtype: Dtype,
    shape: impl Fn(usize, &[usize]) -> Shape,
) -> (Vec<Operand<'static>>, Box<dyn Params>) {
    let backend = ivy::context::current_backend().expect("a backend is linked");
    let (given, params) = example_call(function, dtype, &backend.to_abstract());
    let real = |(i, operand): (usize, Operand<'static>)| match operand {
        Operand::Array(array) => {
            let ones = ivy::ones(shape(i, array.shape()), array.dtype()).expect("every dtype has ones");
            Operand::Array(std::borrow::Cow::Owned(ones))
        }
        // Ascending: some are the ends of a range.
        Operand::Scalar(ivy::Scalar::Int(1)) => Operand::Scalar((i + 1).into()),
        other => other,
    };
    (given.into_iter().enumerate().map(real).collect(), params)
}

fn as_given(_: usize, shape: &[usize]) -> Shape {
    shape.into()
}

/// A dtype that every array operand takes.
fn accepted(function: &'static Function) -> Dtype {
    let taken = |d: &Dtype| {
        let (operands, params) = operands(function, *d, as_given);
        ivy::call(function, &operands, &*params).is_ok()
    };
    [Dtype::FLOAT32, Dtype::INT32, Dtype::BOOL, Dtype::COMPLEX64, Dtype::UINT32]
        .into_iter()
        .find(taken)
        .unwrap_or_else(|| panic!("{}: no dtype works on its example", function.name))
}

/// The error of a call that must fail.
fn refused(
    what: &str,
    function: &'static Function,
    operands: &[Operand<'_>],
    params: &dyn Params,
) -> ivy::Error {
    let before: Vec<String> = operands.iter().map(|o| format!("{o:?}")).collect();
    let called = catch_unwind(AssertUnwindSafe(|| ivy::call(function, operands, params)));
    let result = called.unwrap_or_else(|_| panic!("{}: {what}: a panic", function.name));
    let after: Vec<String> = operands.iter().map(|o| format!("{o:?}")).collect();
    assert_eq!(before, after, "{}: {what}: an operand has changed", function.name);
    match result {
        Err(error) => error,
        Ok(results) => panic!("{}: {what}: accepted, with {results:?}", function.name),
    }
}

fn on_every_backend(test: impl Fn(&'static Function)) {
    for known in ivy::backend::backends() {
        let Ok(backend) = known.instance else { continue };
        let context = Context::new().backend(&backend);
        ivy::with(&context, || functions().into_iter().for_each(&test));
    }
}

#[test]
fn a_wrong_number_of_operands() {
    on_every_backend(|function| {
        let dtype = accepted(function);
        let (mut given, params) = operands(function, dtype, as_given);
        if !function.variadic {
            given.push(Operand::Scalar(Scalar::Int(1)));
            let error = refused("one operand too many", function, &given, &*params);
            assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{error}");
        }
        if !function.operands.is_empty() {
            let error = refused("no operand", function, &[], &*params);
            assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{error}");
        }
    });
}

#[test]
fn an_axis_that_is_not_there() {
    let tried = std::cell::Cell::new(0);
    on_every_backend(|function| {
        let dtype = accepted(function);
        for name in ["axis", "axes", "axis1"] {
            let (given, mut params) = operands(function, dtype, as_given);
            if !params.fields().iter().any(|(field, _)| *field == name) {
                continue;
            }
            let set = [ParamValue::Int(99), ParamValue::Ints(vec![99])]
                .into_iter()
                .any(|value| params.set(function.name, name, value).is_ok());
            if set {
                tried.set(tried.get() + 1);
                let error = refused("axis 99", function, &given, &*params);
                let named = matches!(error.kind(), ErrorKind::AxisOutOfRange { axis: 99, .. })
                    || matches!(
                        error.kind(),
                        ErrorKind::InvalidArgument { .. } | ErrorKind::ShapeMismatch { .. }
                    );
                assert!(named, "{}: {name}: {error}", function.name);
            }
        }
    });
    assert!(tried.get() > 40, "{}", tried.get());
}

#[test]
fn shapes_that_do_not_fit_each_other() {
    on_every_backend(|function| {
        let arrays = |o: &&ivy::function::OperandInfo| matches!(o.role, Role::Promoted | Role::Kept);
        let count = function.operands.iter().filter(arrays).count();
        // Lists of any shapes, and functions whose second operand has its own meaning.
        let own_meaning = [
            "diff",
            "isin",
            "searchsorted",
            "meshgrid",
            "broadcast_arrays",
            "outer",
            "kron",
            "hstack",
            "array_equal",
            "percentile",
            "quantile",
            "wasserstein_loss_discriminator",
            "masked_scatter",
            "digitize",
            "bucketize",
            "polyval",
            "ediff1d",
            "convolve",
            "correlate",
            "block_diag",
            "nanquantile",
            "nanpercentile",
        ];
        if count < 2 && !(function.variadic && function.name.contains("stack"))
            || own_meaning.contains(&function.name)
        {
            return;
        }
        let dtype = accepted(function);
        let odd = |i: usize, shape: &[usize]| {
            if shape.is_empty() {
                return Shape::from([11 + i]);
            }
            let longer = |&d: &usize| d + 3 + 2 * i;
            shape.iter().map(longer).collect::<Shape>()
        };
        let (given, params) = operands(function, dtype, odd);
        let given: Vec<Operand<'_>> = match function.variadic {
            true => (0..2)
                .map(|i| Operand::Array(std::borrow::Cow::Owned(ivy::ones([2 + i], dtype).unwrap())))
                .collect(),
            false => given,
        };
        if given.iter().filter(|o| matches!(o, Operand::Array(_))).count() < 2 {
            return;
        }
        let result = catch_unwind(AssertUnwindSafe(|| ivy::call(function, &given, &*params)));
        match result.unwrap_or_else(|_| panic!("{}: a panic", function.name)) {
            Ok(results) => assert!(
                matches!(function.name, "promote_types_of_inputs" | "type_promote_arrays"),
                "{}: accepted, with {results:?}",
                function.name
            ),
            Err(error) => assert!(
                matches!(
                    error.kind(),
                    ErrorKind::BroadcastShapes { .. }
                        | ErrorKind::ShapeMismatch { .. }
                        | ErrorKind::InvalidArgument { .. }
                ),
                "{}: {error}",
                function.name
            ),
        }
    });
}

#[test]
fn a_parameter_that_is_not_there() {
    for function in functions() {
        let mut params = (function.params)();
        let error = params.set(function.name, "no_such_parameter", ParamValue::Int(1)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }), "{}: {error}", function.name);
    }
}

/// uint64 goes beyond int64, in which places are counted.
#[test]
fn an_unsigned_index_does_not_count_from_the_end() {
    for known in ivy::backend::backends() {
        let Ok(backend) = known.instance else { continue };
        ivy::with(&Context::new().backend(&backend), || -> ivy::Result<()> {
            let x = Array::try_from([0.0f32, 1.0, 2.0])?;
            for index in [u64::MAX, u64::MAX - 2, 1 << 63, 1 << 62, 3] {
                let i = Array::try_from([index])?;
                let column = ivy::reshape(&i, [1, 1], ())?;
                let mut changed = x.clone();
                let size = ivy::ScatterFlat::new().size(3usize);
                let results = [
                    ivy::take(&x, &i, ()),
                    ivy::take_along_axis(&x, &i, ()),
                    ivy::gather(&x, &i, ()),
                    ivy::gather_nd(&x, &column, ()),
                    ivy::scatter_flat(&i, Array::try_from([1.0f32])?, size),
                    x.get(s![i.clone()]),
                    changed.set(s![i.clone()], 9.0).map(|()| changed.clone()),
                ];
                for (n, result) in results.into_iter().enumerate() {
                    let error = result.and_then(|y| y.to_vec::<f32>()).unwrap_err();
                    // Where the index is read later, a greater one is the greatest int64.
                    let told = if backend.is_lazy() { index.min(i64::MAX as u64) } else { index };
                    let named = matches!(error.kind(), ErrorKind::IndexOutOfRange { index, length: 3, .. }
                        if *index == i128::from(told));
                    assert!(named, "{}: {n}: {index}: {error}", known.name);
                }
            }
            let i = Array::try_from([2u64, 0])?;
            assert_eq!(ivy::take(&x, &i, ())?.to_vec::<f32>()?, [2.0, 0.0]);
            assert_eq!(x.get(s![i])?.to_vec::<f32>()?, [2.0, 0.0]);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{}: {error}", known.name));
    }
}

#[test]
fn memory_that_the_system_has_not_got() {
    for name in ["ndarray", "jit:interp"] {
        let made = ivy::with_backend(name, || {
            ivy::add(ivy::ones(1 << 45, ())?, Array::try_from([1.0f32])?)?.to_vec::<f32>()
        });
        let error = made.unwrap().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::MemoryLimit { .. }), "{error}");
        assert!(error.to_string().ends_with("bytes, which the system has not got"), "{error}");
    }
}

/// A code generator is on a device, of which tables speak.
#[test]
fn places_of_other_versions() {
    for name in ["jit:interp@0.0.1", "jit:cpu@0.0.1", "jit@0.0.1"] {
        let backend = ivy::backend::question_backend(name).unwrap();
        assert_eq!((backend.name(), backend.devices()[0].to_string()), ("jit", "cpu".into()));
    }
    let error = ivy::backend::question_backend("jit:nowhere@0.0.1").unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}

//! A third backend, from outside: it registers, starts complete through the reference kernels,
//! and what it lacks is refused by the plan before it is called.

use ivy::backend::{Backend, BackendRef, Data, Device, Factory, Storage, Support, Value, Values};
use ivy::host::HostArray;
use ivy::prelude::*;
use ivy::{BinaryOp, ErrorKind, Op, UnaryOp};
use std::any::Any;
use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    /// Ops that this thread's test has run.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Adds float32 by itself, runs the rest on the host, has no complex numbers and no tangent.
struct Toy;

fn value(array: HostArray) -> Value {
    Value { dtype: array.dtype(), shape: array.shape().clone(), data: Data::new(Arc::new(array)) }
}

fn host(value: &Value) -> &HostArray {
    value.data::<Arc<HostArray>>().expect("a value of this backend")
}

impl Backend for Toy {
    fn name(&self) -> &str {
        "toy"
    }

    fn version(&self) -> semver::Version {
        semver::Version::new(0, 1, 0)
    }

    fn devices(&self) -> Vec<Device> {
        // The machine's other device would need an instance of its own.
        vec![Device::CPU, Device { kind: ivy::backend::DeviceKind::Cuda, index: 0 }]
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        match dtype.is_complex() {
            true => Storage::None,
            false => Storage::Native { name: dtype.name() },
        }
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        match op {
            Op::Binary(BinaryOp::Add) if operands[0] == Dtype::FLOAT32 => Support::Native,
            Op::Unary(UnaryOp::Tan) => Support::Unsupported("it has no tangent"),
            _ if operands.iter().any(|d| d.is_complex()) => Support::Unsupported("it has no complex numbers"),
            _ => Support::Host("by the reference kernels"),
        }
    }

    fn execute(&self, op: &Op, operands: &[&Value]) -> ivy::Result<Values> {
        CALLS.set(CALLS.get() + 1);
        let arrays: Vec<_> = operands.iter().map(|v| host(v).view()).collect();
        if let (Op::Binary(BinaryOp::Add), [a, b], true) =
            (op, operands, operands.first().is_some_and(|v| v.dtype == Dtype::FLOAT32))
            && a.shape == b.shape
        {
            let (a, b) = (host(a).to_vec::<f32>()?, host(b).to_vec::<f32>()?);
            let sum: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            let array = HostArray::from_vec(sum, operands[0].shape.clone()).expect("as many as before");
            return Ok(std::iter::once(value(array)).collect());
        }
        Ok(ivy_kernels::execute_views(op, &arrays)?.into_iter().map(value).collect())
    }

    fn from_host(&self, array: HostArray) -> ivy::Result<Value> {
        Ok(value(array))
    }

    fn to_host(&self, value: &Value) -> ivy::Result<HostArray> {
        Ok(host(value).clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

static FACTORY: Factory =
    Factory { name: "toy", create: |_| Ok(BackendRef::new(Toy)), priority: 100, places: &[] };

inventory::submit! {
    Factory { name: "toy-by-inventory", create: |_| Ok(BackendRef::new(Toy)), priority: 100, places: &[] }
}

fn on_toy<T>(f: impl FnOnce() -> ivy::Result<T>) -> ivy::Result<T> {
    ivy::backend::register(&FACTORY);
    ivy::with_backend("toy", f)?
}

#[test]
fn it_registers_by_hand_and_by_inventory() {
    ivy::backend::register(&FACTORY);
    let names: Vec<_> = ivy::backend::backends().iter().map(|b| b.name).collect();
    assert!(names.contains(&"toy") && names.contains(&"toy-by-inventory"), "{names:?}");
}

#[test]
fn it_starts_complete() {
    let (sum, rows, sorted) = on_toy(|| {
        let x = Array::try_from([[3.0f32, 1.0], [2.0, 4.0]])?;
        let sum = (&x + &x).ok()?;
        Ok((sum.to_vec::<f32>()?, ivy::softmax(&x, ())?.shape().clone(), ivy::sort(&x, ())?.to_vec::<f32>()?))
    })
    .unwrap();
    assert_eq!((sum, sorted), (vec![6.0, 2.0, 4.0, 8.0], vec![1.0, 3.0, 2.0, 4.0]));
    assert_eq!(rows.to_string(), "(2, 2)");
}

#[test]
fn what_it_lacks_is_refused_before_it_is_called() {
    on_toy(|| {
        let x = Array::try_from([1.0f32])?;
        let before = CALLS.get();
        let error = ivy::tan(&x).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UnsupportedDtype { function: "tan", .. }), "{error}");
        let error = ivy::zeros([2], Dtype::COMPLEX64).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::DtypeNotStored { .. }), "{error}");
        let forbidden = context_without_emulation(|| ivy::exp(&x)).unwrap_err();
        assert!(matches!(forbidden.kind(), ErrorKind::UnsupportedDtype { .. }), "{forbidden}");
        // A composition is planned whole: softmax needs exp, which would be emulated.
        let forbidden = context_without_emulation(|| ivy::softmax(&x, ())).unwrap_err();
        assert!(matches!(forbidden.kind(), ErrorKind::UnsupportedDtype { .. }), "{forbidden}");
        assert_eq!(CALLS.get(), before);
        Ok(())
    })
    .unwrap();
}

fn context_without_emulation<T>(f: impl FnOnce() -> T) -> T {
    ivy::with(&ivy::context::current().emulation(false), f)
}

#[test]
fn arrays_of_two_backends_do_not_mix() {
    let x = on_toy(|| Array::try_from([1.0f32])).unwrap();
    let y = ivy::with_backend("ndarray", || Array::try_from([1.0f32])).unwrap().unwrap();
    let error = ivy::add(&x, &y).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BackendMismatch { .. }), "{error}");
    assert!(error.to_string().contains("toy") && error.to_string().contains("ndarray"), "{error}");
    assert!(ivy::add(&x, y.to_backend(x.backend())).is_ok());
}

#[test]
fn a_device_of_another_instance_is_refused() {
    let context = Context::new().backend(BackendRef::new(Toy));
    ivy::with(&context, || {
        let on = |device: &str| ivy::zeros([2], Filled::new().device(device.parse::<Device>().unwrap()));
        assert!(on("cpu").is_ok());
        let error = on("cuda:0").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidArgument { argument: "device", .. }), "{error}");
    });
}

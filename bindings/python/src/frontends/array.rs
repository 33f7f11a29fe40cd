//! The array types of the frameworks: ivyrs' array with other operators.

use super::indexing::{get_item, parts, set_item};
use super::{NAMESPACES, Namespace, PyFrontendDtype, convert, dtype, error};
use crate::array::{PyArray, detached, is_large, unlocked};
use crate::context;
use crate::error::{Fallible, type_error};
use crate::value;
use ivy::{Array, Scalar};
use ivy_frontend::autograd::Began;
use ivy_frontend::{Keywords, Operator, Value};
use pyo3::PyClass;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

/// Makes an object of an array; the flag says that it is a number of the framework.
pub(crate) type Wrap = fn(Python<'_>, Array, bool) -> Fallible<Py<PyAny>>;

/// Makes an object of a view that has not been read.
pub(crate) type WrapUnread = fn(Python<'_>) -> Fallible<Py<PyAny>>;

/// A class of arrays.
pub(crate) trait ArrayClass: PyClass<BaseType = PyArray> {
    /// Its frontend, among [`NAMESPACES`].
    const PLACE: usize;

    fn of(number: bool) -> Self;

    fn is_number(&self) -> bool;

    fn namespace() -> &'static Namespace {
        &NAMESPACES[Self::PLACE]
    }
}

pub(crate) fn wrap<T: ArrayClass>(py: Python<'_>, array: Array, number: bool) -> Fallible<Py<PyAny>>
where
    PyClassInitializer<T>: From<(T, PyArray)>,
{
    Ok(Py::new(py, (T::of(number), PyArray::new(array)))?.into_any())
}

pub(crate) fn unread<T: ArrayClass>(py: Python<'_>) -> Fallible<Py<PyAny>>
where
    PyClassInitializer<T>: From<(T, PyArray)>,
{
    Ok(Py::new(py, (T::of(false), PyArray::unread()))?.into_any())
}

/// What the class of arrays makes of its arguments.
fn made(
    namespace: &'static Namespace,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> Fallible<Array> {
    let py = args.py();
    let frontend = namespace.frontend;
    let told = |e: ivy::Error| error::failure(py, frontend, &e);
    let _scope = context::enter(py, None)?;
    let (positional, named) = super::function::given(namespace, args, kwargs, convert::copied)?;
    let is_ivy = |given: Bound<'_, PyAny>| given.get_type().is(py.get_type::<PyArray>());
    if let Some(path) = namespace.constructor
        && !(args.len() == 1 && is_ivy(args.get_item(0)?))
    {
        let names: Vec<(&str, Value<'_>)> = named.iter().map(|(n, v)| (n.as_str(), v.borrowed())).collect();
        return match frontend.call(path, &positional, Keywords::from(names)).map_err(told)? {
            Value::Array(array) => Ok(array.into_owned()),
            other => frontend.make(&other).map_err(told),
        };
    }
    match (&positional[..], &named[..]) {
        ([value], []) => frontend.make(value).map_err(told),
        _ => type_error(format!("{}: {} takes one argument", frontend.name(), frontend.class())),
    }
}

/// What stands beside an array in an operator; `None` for nothing that it knows.
fn operand(namespace: &Namespace, other: &Bound<'_, PyAny>) -> Fallible<Option<Value<'static>>> {
    if convert::is_typed_number(namespace, other)? {
        return convert::from_python(namespace, other).map(Some);
    }
    if let Some(scalar) = value::scalar(other)? {
        return Ok(Some(scalar.into()));
    }
    let listed = namespace.frontend.array_likes() == ivy_frontend::ArrayLikes::All
        && (other.is_instance_of::<pyo3::types::PyList>() || other.is_instance_of::<PyTuple>());
    if other.is_instance_of::<PyArray>() || listed || other.hasattr("__array__")? {
        return convert::from_python(namespace, other).map(Some);
    }
    Ok(None)
}

/// Numbers of a framework stay numbers where both sides are.
pub(super) fn number_of(namespace: &Namespace, result: &Array) -> bool {
    namespace.numbers && result.ndim() == 0
}

/// The result of an operator for Python.
fn operate(
    namespace: &'static Namespace,
    operator: Operator,
    this: &Bound<'_, PyArray>,
    other: &Bound<'_, PyAny>,
    reflected: bool,
) -> Fallible<Py<PyAny>> {
    let py = this.py();
    let frontend = namespace.frontend;
    let told = |e: ivy::Error| error::failure(py, frontend, &e);
    let scope = context::enter(py, None)?;
    let result = if let Ok(other) = other.cast::<PyArray>() {
        let (x, y) = if reflected { (other, this) } else { (this, other) };
        let (a, b) = (x.borrow(), y.borrow());
        let (x, y) = (a.array()?, b.array()?);
        if is_large(x) || is_large(y) {
            let (x, y) = (x.clone(), y.clone());
            // Another thread may write to the objects meanwhile.
            drop((a, b));
            detached(py, move || frontend.operate(operator, [Value::from(&x), Value::from(&y)]))
        } else {
            frontend.operate(operator, [Value::from(x), Value::from(y)])
        }
    } else {
        let number = value::number(other)?;
        let other = match number {
            Some(scalar) => Some(scalar.into()),
            None => operand(namespace, other)?,
        };
        let Some(other) = other else { return Ok(py.NotImplemented()) };
        let ordered = |x, other| if reflected { [other, x] } else { [x, other] };
        let x = this.borrow();
        if number.is_some() && !is_large(x.array()?) {
            frontend.operate(operator, ordered(Value::from(x.array()?), other))
        } else {
            let array = x.array()?.clone();
            // Another thread may write to the object meanwhile.
            drop(x);
            unlocked(py, array.size(), move || frontend.operate(operator, ordered(Value::from(array), other)))
        }
    };
    drop(scope);
    let result = result.map_err(told)?;
    let number = number_of(namespace, &result);
    (namespace.wrap)(py, result, number)
}

fn unary(
    namespace: &'static Namespace,
    operator: Operator,
    this: &Bound<'_, PyArray>,
) -> Fallible<Py<PyAny>> {
    let py = this.py();
    let _scope = context::enter(py, None)?;
    let x = this.borrow();
    let result = namespace.frontend.operate(operator, [Value::from(x.array()?)]);
    let result = result.map_err(|e| error::failure(py, namespace.frontend, &e))?;
    if namespace.frontend.gives_operand(operator) {
        return Ok(this.clone().into_any().unbind());
    }
    let number = number_of(namespace, &result);
    (namespace.wrap)(py, result, number)
}

/// `x op= y` where the framework's arrays change.
fn replace(
    namespace: &'static Namespace,
    operator: Operator,
    this: &Bound<'_, PyArray>,
    other: &Bound<'_, PyAny>,
) -> Fallible<()> {
    let py = this.py();
    let frontend = namespace.frontend;
    let Some(entry) = frontend.inplace_operator(operator) else {
        let path = format!("{}.{}", frontend.class(), operator.inplace());
        return Err(error::failure(py, frontend, &frontend.unknown(&path)));
    };
    let Some(other) = operand(namespace, other)? else {
        let text = format!("{}: an array or a number is needed on the right", operator.inplace());
        return type_error(text);
    };
    let _scope = context::enter(py, None)?;
    let began = Began::now();
    let x = this.borrow().array()?.clone();
    let result = frontend.call_entry(entry, vec![Value::from(&x), other], Keywords::new());
    let result = result.map_err(|e| error::failure(py, frontend, &e))?;
    super::function::write(this.as_any(), &result, began)
}

/// What a comparison with `None` or a text says of each element, where the framework has such comparisons: no number is
/// equal to one.
fn unlike(
    namespace: &'static Namespace,
    this: &Bound<'_, PyArray>,
    other: &Bound<'_, PyAny>,
    op: CompareOp,
) -> Fallible<Option<Py<PyAny>>> {
    let is_told = namespace.numbers && matches!(op, CompareOp::Eq | CompareOp::Ne);
    if !is_told || !(other.is_none() || other.is_instance_of::<PyString>()) {
        return Ok(None);
    }
    let x = this.borrow().array()?.clone();
    let bools = ivy::Like::new().dtype(ivy::Dtype::BOOL);
    let result = ivy::full_like(&x, matches!(op, CompareOp::Ne), bools)?;
    let number = number_of(namespace, &result);
    (namespace.wrap)(this.py(), result, number).map(Some)
}

/// The only element, whatever its axes.
fn single(namespace: &'static Namespace, this: &Bound<'_, PyArray>, what: &str) -> Fallible<Scalar> {
    let x = this.borrow();
    if x.array()?.size() == 1 {
        return Ok(x.array()?.to_scalar()?);
    }
    let shape = x.array()?.shape();
    if what == "bool" {
        // As the framework's class of such errors: a ValueError, or PyTorch's RuntimeError.
        let kind = ivy::ErrorKind::FrontendCall {
            function: namespace.frontend.name(),
            frontend: namespace.frontend.name(),
            argument: "self".into(),
            value: format!("an array of shape {shape}"),
            rule: "the truth value of an array with more than one element is ambiguous; use any() or all()"
                .into(),
            remedy: String::new(),
            fault: ivy_frontend::Fault::Runtime.name(),
        };
        return Err(error::failure(this.py(), namespace.frontend, &kind.into()));
    }
    type_error(format!("only an array with one element becomes a {what}, this one has shape {shape}"))
}

/// An argument that nothing is: the interpreter then does without the method.
struct Nothing;

impl<'py> FromPyObject<'_, 'py> for Nothing {
    type Error = PyErr;

    fn extract(_: Borrowed<'_, 'py, PyAny>) -> PyResult<Nothing> {
        Err(pyo3::exceptions::PyTypeError::new_err("the arrays of this framework do not change"))
    }
}

macro_rules! binary {
    ($class:ident; $($operator:ident $forward:ident $reflected:ident;)*) => {
        #[pymethods]
        impl $class {
            $(
                fn $forward(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
                    operate(Self::namespace(), Operator::$operator, slf.as_super(), other, false)
                }

                fn $reflected(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
                    operate(Self::namespace(), Operator::$operator, slf.as_super(), other, true)
                }
            )*
        }
    };
}

macro_rules! in_place {
    ($class:ident, changes; $($operator:ident $method:ident;)*) => {
        #[pymethods]
        impl $class {
            $(fn $method(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> Fallible<()> {
                replace(Self::namespace(), Operator::$operator, slf.as_super(), other)
            })*
        }
    };
    ($class:ident, stays; $($operator:ident $method:ident;)*) => {
        #[pymethods]
        impl $class {
            $(fn $method(_slf: &Bound<'_, Self>, _other: Nothing) {})*
        }
    };
}

macro_rules! array_class {
    ($class:ident $place:literal $name:literal $module:literal $changes:ident) => {
        /// An array of the framework. Whether a part of it is a view is as in the framework.
        #[pyclass(name = $name, module = $module, extends = PyArray, subclass)]
        pub(crate) struct $class {
            number: bool,
        }

        impl ArrayClass for $class {
            const PLACE: usize = $place;

            fn of(number: bool) -> Self {
                $class { number }
            }

            fn is_number(&self) -> bool {
                self.number
            }
        }

        binary! { $class;
            Add __add__ __radd__;
            Subtract __sub__ __rsub__;
            Multiply __mul__ __rmul__;
            Divide __truediv__ __rtruediv__;
            FloorDivide __floordiv__ __rfloordiv__;
            Remainder __mod__ __rmod__;
            MatMul __matmul__ __rmatmul__;
            And __and__ __rand__;
            Or __or__ __ror__;
            Xor __xor__ __rxor__;
            LeftShift __lshift__ __rlshift__;
            RightShift __rshift__ __rrshift__;
        }

        in_place! { $class, $changes;
            Add __iadd__;
            Subtract __isub__;
            Multiply __imul__;
            Divide __itruediv__;
            FloorDivide __ifloordiv__;
            Remainder __imod__;
            MatMul __imatmul__;
            And __iand__;
            Or __ior__;
            Xor __ixor__;
            LeftShift __ilshift__;
            RightShift __irshift__;
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (*args, **kwargs))]
            fn new(
                args: &Bound<'_, PyTuple>,
                kwargs: Option<&Bound<'_, PyDict>>,
            ) -> Fallible<PyClassInitializer<Self>> {
                let made = made(Self::namespace(), args, kwargs)?;
                Ok(PyClassInitializer::from(PyArray::new(made)).add_subclass($class { number: false }))
            }

            fn __pow__(
                slf: &Bound<'_, Self>,
                other: &Bound<'_, PyAny>,
                modulo: Option<&Bound<'_, PyAny>>,
            ) -> Fallible<Py<PyAny>> {
                if modulo.is_some() {
                    return type_error("pow() of arrays has no modulo");
                }
                operate(Self::namespace(), Operator::Power, slf.as_super(), other, false)
            }

            fn __rpow__(
                slf: &Bound<'_, Self>,
                other: &Bound<'_, PyAny>,
                _modulo: Option<&Bound<'_, PyAny>>,
            ) -> Fallible<Py<PyAny>> {
                operate(Self::namespace(), Operator::Power, slf.as_super(), other, true)
            }

            fn __richcmp__(
                slf: &Bound<'_, Self>,
                other: &Bound<'_, PyAny>,
                op: CompareOp,
            ) -> Fallible<Py<PyAny>> {
                if let Some(result) = unlike(Self::namespace(), slf.as_super(), other, op)? {
                    return Ok(result);
                }
                let operator = match op {
                    CompareOp::Lt => Operator::Less,
                    CompareOp::Le => Operator::LessEqual,
                    CompareOp::Gt => Operator::Greater,
                    CompareOp::Ge => Operator::GreaterEqual,
                    CompareOp::Eq => Operator::Equal,
                    CompareOp::Ne => Operator::NotEqual,
                };
                operate(Self::namespace(), operator, slf.as_super(), other, false)
            }

            /// By identity, as the framework's or not at all: a comparison gives an array.
            fn __hash__(slf: &Bound<'_, Self>) -> isize {
                slf.as_ptr() as isize >> 4
            }

            fn __neg__(slf: &Bound<'_, Self>) -> Fallible<Py<PyAny>> {
                unary(Self::namespace(), Operator::Negate, slf.as_super())
            }

            fn __pos__(slf: &Bound<'_, Self>) -> Fallible<Py<PyAny>> {
                unary(Self::namespace(), Operator::Positive, slf.as_super())
            }

            fn __abs__(slf: &Bound<'_, Self>) -> Fallible<Py<PyAny>> {
                unary(Self::namespace(), Operator::Abs, slf.as_super())
            }

            fn __invert__(slf: &Bound<'_, Self>) -> Fallible<Py<PyAny>> {
                unary(Self::namespace(), Operator::Invert, slf.as_super())
            }

            fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
                get_item(Self::namespace(), slf.as_super(), key)
            }

            fn __setitem__(
                slf: &Bound<'_, Self>,
                key: &Bound<'_, PyAny>,
                value: &Bound<'_, PyAny>,
            ) -> Fallible<()> {
                set_item(Self::namespace(), slf.as_super(), key, value)
            }

            fn __iter__(slf: &Bound<'_, Self>) -> Fallible<Py<PyAny>> {
                let parts = parts(Self::namespace(), slf.as_super())?;
                Ok(PyTuple::new(slf.py(), parts)?.try_iter()?.into_any().unbind())
            }

            fn __bool__(slf: &Bound<'_, Self>) -> Fallible<bool> {
                Ok(single(Self::namespace(), slf.as_super(), "bool")?.to_bool())
            }

            fn __float__(slf: &Bound<'_, Self>) -> Fallible<f64> {
                Ok(single(Self::namespace(), slf.as_super(), "float")?.to_f64())
            }

            fn __int__<'py>(slf: &Bound<'py, Self>) -> Fallible<Bound<'py, PyAny>> {
                let scalar = single(Self::namespace(), slf.as_super(), "int")?;
                Ok(value::to_python(slf.py(), scalar)?.call_method0("__int__")?)
            }

            /// The lengths of the axes.
            #[getter]
            fn shape<'py>(slf: &Bound<'py, Self>) -> Fallible<Bound<'py, PyAny>> {
                let this = slf.as_super().borrow();
                let shape = PyTuple::new(slf.py(), this.array()?.shape().iter())?;
                super::shape(slf.py(), Self::namespace(), shape)
            }

            /// The dtype of the elements.
            #[getter]
            fn dtype(slf: &Bound<'_, Self>) -> Fallible<Py<PyFrontendDtype>> {
                Ok(dtype::object(slf.py(), Self::namespace(), slf.as_super().borrow().array()?.dtype())?)
            }

            /// Whether this is a number of the framework, as NumPy's functions give them, and no array.
            #[getter]
            fn _is_number(&self) -> bool {
                self.is_number()
            }

            /// The array as one of ivyrs, which shares the elements.
            #[getter]
            fn ivy_array(slf: &Bound<'_, Self>) -> Fallible<PyArray> {
                Ok(PyArray::new(slf.as_super().borrow().array()?.clone()))
            }

            fn __repr__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                let print = slf.py().import("ivyrs.frontends._printing")?;
                print.call_method1("representation", (Self::namespace().frontend.name(), slf))
            }

            fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                let print = slf.py().import("ivyrs.frontends._printing")?;
                print.call_method1("text", (Self::namespace().frontend.name(), slf))
            }

            fn __copy__(slf: &Bound<'_, Self>) -> Fallible<Py<PyAny>> {
                let inner = slf.as_super().borrow().array()?.clone();
                (Self::namespace().wrap)(slf.py(), inner, slf.borrow().number)
            }

            fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> Fallible<Py<PyAny>> {
                Self::__copy__(slf)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Fallible<Bound<'py, PyTuple>> {
                let find = slf.py().import("ivyrs.frontends._namespace")?.getattr("rebuild")?;
                let state = (Self::namespace().frontend.name(), Self::ivy_array(slf)?, slf.borrow().number);
                Ok((find, state).into_pyobject(slf.py())?)
            }

            /// Puts an array of ivyrs in the framework's rules; it shares the elements.
            #[staticmethod]
            #[pyo3(signature = (array, number=false))]
            fn _of(py: Python<'_>, array: PyRef<'_, PyArray>, number: bool) -> Fallible<Py<PyAny>> {
                (Self::namespace().wrap)(py, array.array()?.clone(), number)
            }
        }
    };
}
array_class! { PyNdArray 0 "ndarray" "ivyrs.frontends.numpy" changes }
array_class! { PyTorchTensor 1 "Tensor" "ivyrs.frontends.torch" changes }
array_class! { PyJaxArray 2 "Array" "ivyrs.frontends.jax" stays }
array_class! { PyTensorFlowTensor 3 "Tensor" "ivyrs.frontends.tensorflow" stays }
array_class! { PyPaddleTensor 4 "Tensor" "ivyrs.frontends.paddle" stays }

//! Judging what comes out of a call.

use crate::expect::{Combination, Expectation, Refusal, expect};
use crate::run::caught;
use crate::sample::{Case, Layout};
use crate::truth::{Arg, Call, Num, Tensor, Tolerance, Truth, Value, evaluate, residual, zeros_equal};
use ivy_core::backend::BackendRef;
use ivy_core::function::{Outputs, ParamValue, Params, Role, find_function};
use ivy_core::host::{HostArray, contiguous_strides};
use ivy_core::plan::State;
use ivy_core::{Array, Dims, Dtype, ErrorKind, Function, Operand, Scalar, Shape};

/// Backends on which nothing inside a domain may be refused, and which add pairwise.
pub(crate) fn is_complete(backend: &BackendRef) -> bool {
    matches!(backend.name(), "ndarray" | "jit")
}

pub(crate) fn host_values(case: &Case) -> Vec<Scalar> {
    let scalar = |a: &Arg| match a {
        Arg::Scalar(s) => Some(*s),
        _ => None,
    };
    case.operands.iter().filter_map(scalar).collect()
}

/// What a case did other than right.
pub(crate) enum Fault {
    /// An explained refusal.
    Refused(String),
    /// Anything else.
    Failed { reason: String, error: f64 },
}

impl Fault {
    pub(crate) fn failed(reason: String) -> Fault {
        Fault::Failed { reason, error: f64::INFINITY }
    }
}

fn failed(reason: String) -> Fault {
    Fault::failed(reason)
}

/// The function whose dtypes and bound a call has: where a keyword argument names one, that.
fn ruling(function: &'static Function, case: &Case) -> &'static Function {
    let named = |name: &str| case.keywords.iter().find(|k| k.0 == name).map(|k| &k.1);
    match (function.name, named("reduction")) {
        ("einops_reduce", Some(ParamValue::Text(word))) => {
            find_function(word).expect("reductions have functions' names")
        }
        _ => function,
    }
}

pub(crate) fn try_case(
    function: &'static Function,
    c: &Combination,
    backend: &BackendRef,
    case: &Case,
) -> Result<(State, f64), Fault> {
    let ruling = ruling(function, case);
    let Expectation::Compute { compute, outputs } = expect(ruling, c, &host_values(case)) else {
        return Err(failed(format!("{}: the call lies outside the domain", describe(function, case))));
    };
    let mut params = (function.params)();
    for (name, value) in &case.keywords {
        params
            .set(function.name, name, value.clone())
            .map_err(|e| failed(format!("keyword `{name}`: {e}")))?;
    }
    let said = |e: ivy_core::Error| match e.kind() {
        ErrorKind::UnsupportedDtype { .. } | ErrorKind::DtypeNotStored { .. } => {
            Fault::Refused(e.to_string())
        }
        _ => failed(format!("{}: {e}", describe(function, case))),
    };
    let operands = case
        .operands
        .iter()
        .map(|arg| operand(arg, case.layout, backend))
        .collect::<ivy_core::Result<Vec<_>>>()
        .map_err(said)?;
    let asked = || -> ivy_core::Result<(State, Vec<Dtype>, Outputs)> {
        let plan = ivy_core::plan_call(function, &operands, &*params)?;
        let results = ivy_core::call(function, &operands, &*params)?;
        Ok((plan.state, plan.outputs.to_vec(), results))
    };
    let (state, planned, results) = caught(asked)
        .map_err(|panic| failed(format!("{}: panic: {panic}", describe(function, case))))?
        .map_err(said)?;
    let call = Call {
        function: function.name,
        operands: &case.operands,
        keywords: &case.keywords,
        compute,
        outputs: &outputs,
    };
    let truths = caught(|| evaluate(&call))
        .map_err(|panic| failed(format!("no truth: {}: {panic}", describe(function, case))))?
        .ok_or_else(|| failed(format!("no truth: {}", describe(function, case))))?;
    let kept = function.variadic && function.operand(0).role == Role::Kept;
    if !kept && planned != outputs {
        return Err(failed(format!("the plan gives {planned:?}, the rules {outputs:?}")));
    }
    if results.len() != truths.len() {
        let (got, want) = (results.len(), truths.len());
        return Err(failed(format!("{}: {got} results instead of {want}", describe(function, case))));
    }
    let tolerance = Tolerance {
        bound: ruling.bound,
        compute,
        pairwise: is_complete(backend),
        zeros_equal: zeros_equal(ruling.name),
    };
    let mut worst = 0.0f64;
    for (i, (result, truth)) in results.iter().zip(&truths).enumerate() {
        worst = worst.max(judge(function, case, i, result, truth, &tolerance)?);
    }
    if let Some(error) = left_over(&call, &results) {
        if error > 1.0 {
            let reason =
                format!("{}: what is left over is {error:.3e} times the bound", describe(function, case));
            return Err(Fault::Failed { reason, error });
        }
        worst = worst.max(error);
    }
    Ok((state, worst))
}

fn judge(
    function: &'static Function,
    case: &Case,
    i: usize,
    result: &Array,
    truth: &Truth,
    tolerance: &Tolerance,
) -> Result<f64, Fault> {
    let at = |what: String| failed(format!("{}: result {i}: {what}", describe(function, case)));
    if result.dtype() != truth.dtype {
        return Err(at(format!("dtype {} instead of {}", result.dtype(), truth.dtype)));
    }
    if result.shape()[..] != truth.shape[..] {
        return Err(at(format!("shape {} instead of {}", result.shape(), Shape::from(&truth.shape[..]))));
    }
    let host = caught(|| result.to_host())
        .map_err(|panic| at(format!("panic while reading: {panic}")))?
        .map_err(|e| at(format!("while reading: {e}")))?;
    if host.dtype() != truth.dtype || host.shape()[..] != truth.shape[..] {
        return Err(at(format!("host memory of {} {}", host.dtype(), host.shape())));
    }
    let got = Tensor::from_host(&host).ok_or_else(|| at(format!("no numbers of {}", host.dtype())))?;
    let mut worst = 0.0f64;
    for (k, (want, got)) in truth.data.iter().zip(&got.data).enumerate() {
        let error = tolerance.error(want, *got, truth.dtype);
        if error > 1.0 {
            let place = element(function, case, &truth.shape, k);
            let reason = format!(
                "{}: result {i}, element {k}{place}: {} instead of {}",
                describe(function, case),
                number(*got),
                wanted(want)
            );
            return Err(Fault::Failed { reason, error });
        }
        worst = worst.max(error);
    }
    Ok(worst)
}

/// What the definition of a decomposition leaves over of its results, in units of the bound.
fn left_over(call: &Call<'_>, results: &Outputs) -> Option<f64> {
    let read = |x: &Array| Tensor::from_host(&x.to_host().ok()?);
    let tensors: Vec<Tensor> = results.iter().map(read).collect::<Option<_>>()?;
    residual::error(call, &tensors)
}

fn number(x: Num) -> String {
    match x {
        Num::Bool(b) => b.to_string(),
        Num::Int(i) => i.to_string(),
        Num::Float(x) => format!("{x:?}"),
        Num::Complex(a, b) => format!("{a:?}{b:+?}j"),
    }
}

fn wanted(value: &Value) -> String {
    match value {
        Value::Exact(x) => number(*x),
        Value::Either(a, b) => format!("{} or {}", number(*a), number(*b)),
        Value::Near { re, im, .. } if im.hi == 0.0 => format!("{:?}", re.hi),
        Value::Near { re, im, .. } => format!("{:?}{:+?}j", re.hi, im.hi),
        Value::Any => "anything".into(),
    }
}

/// The operands' elements behind a result's element, where shapes make that plain.
fn element(function: &'static Function, case: &Case, shape: &[usize], k: usize) -> String {
    if function.category != ivy_core::function::Category::Elementwise {
        return String::new();
    }
    let of = |arg: &Arg| match arg {
        Arg::Array(t) => number(t.data[crate::truth::spread(&t.shape, shape)[k]]),
        Arg::Scalar(s) => s.to_string(),
        Arg::Absent => "-".into(),
    };
    format!(" of ({})", case.operands.iter().map(of).collect::<Vec<_>>().join(", "))
}

pub(crate) fn describe(function: &'static Function, case: &Case) -> String {
    let arg = |arg: &Arg| match arg {
        Arg::Array(t) => format!("{} {}", t.dtype, Shape::from(&t.shape[..])),
        Arg::Scalar(s) => s.to_string(),
        Arg::Absent => "-".into(),
    };
    let mut parts: Vec<String> = case.operands.iter().map(arg).collect();
    let word = |v: &ParamValue| match v {
        ParamValue::None => "None".into(),
        ParamValue::Bool(b) => b.to_string(),
        ParamValue::Int(i) => i.to_string(),
        ParamValue::Float(x) => format!("{x:?}"),
        ParamValue::Ints(v) => format!("{v:?}"),
        ParamValue::Text(t) => format!("{t:?}"),
        ParamValue::Dtype(d) => d.to_string(),
        other => format!("{other:?}"),
    };
    parts.extend(case.keywords.iter().map(|(name, v)| format!("{name}={}", word(v))));
    let layout = match case.layout {
        Layout::Contiguous => "",
        Layout::Transposed => ", column-major",
        Layout::Reversed => ", reversed",
    };
    format!("{}({}){layout}", function.name, parts.join(", "))
}

fn operand(arg: &Arg, layout: Layout, backend: &BackendRef) -> ivy_core::Result<Operand<'static>> {
    Ok(match arg {
        Arg::Array(tensor) => {
            Operand::Array(std::borrow::Cow::Owned(Array::from_host(backend, lay_out(tensor, layout))?))
        }
        Arg::Scalar(s) => Operand::Scalar(*s),
        Arg::Absent => Operand::Absent,
    })
}

/// Host memory in which the same elements lie in another order.
fn lay_out(tensor: &Tensor, layout: Layout) -> HostArray {
    let n = tensor.shape.len();
    if layout == Layout::Contiguous || n == 0 || tensor.data.is_empty() {
        return tensor.to_host();
    }
    let strides: Dims<isize> = match layout {
        Layout::Transposed => {
            let back: Vec<usize> = tensor.shape.iter().rev().copied().collect();
            contiguous_strides(&back).into_iter().rev().collect()
        }
        _ => contiguous_strides(&tensor.shape).into_iter().map(|s| -s).collect(),
    };
    let offset: isize =
        strides.iter().zip(&tensor.shape).map(|(&s, &n)| if s < 0 { -s * (n as isize - 1) } else { 0 }).sum();
    // The memory in its own order holds the elements at their strides.
    let mut memory = tensor.data.clone();
    for (index, &x) in crate::truth::indices(&tensor.shape).zip(&tensor.data) {
        let place: isize = index.iter().zip(&strides).map(|(&i, &s)| i as isize * s).sum();
        memory[(offset + place) as usize] = x;
    }
    let flat = Tensor { dtype: tensor.dtype, shape: vec![memory.len()], data: memory }.to_host();
    let shape = Shape::from(&tensor.shape[..]);
    HostArray::from_parts(flat.buffer().clone(), tensor.dtype, shape, strides, offset as usize)
        .expect("the strides walk the memory once")
}

/// The operands and parameters of a call of a combination with small arrays of ones.
pub(crate) fn ones(
    function: &'static Function,
    c: &Combination,
    backend: &BackendRef,
) -> ivy_core::Result<(Vec<Operand<'static>>, Box<dyn Params>)> {
    let mut params: Box<dyn Params> = (function.params)();
    if let Some(dtype) = c.dtype {
        params.set(function.name, "dtype", ParamValue::Dtype(dtype))?;
    }
    let shape = |i: usize| function.example.get(i).or(function.example.first()).copied().unwrap_or(&[]);
    let one = |i: usize, dtype: Option<Dtype>| match dtype {
        Some(dtype) => {
            let shape =
                if function.example.get(i).is_some_and(|s| s.is_empty()) { shape(0) } else { shape(i) };
            let n = shape.iter().product();
            let ones = Tensor::new(dtype, shape, vec![Num::Int(1); n]);
            operand(&Arg::Array(ones), Layout::Contiguous, backend)
        }
        None if function.operand(i).role.keeps_scalars() => Ok(Operand::Scalar(Scalar::Int(1))),
        None => Ok(Operand::Absent),
    };
    let operands = c.operands.iter().enumerate().map(|(i, &d)| one(i, d)).collect::<ivy_core::Result<_>>()?;
    Ok((operands, params))
}

/// Calls outside the domain with small arrays, and wants the typed error.
pub(crate) fn check_refusal(
    function: &'static Function,
    c: &Combination,
    backend: &BackendRef,
    refusal: Refusal,
) -> Result<(), String> {
    let (operands, params) = match ones(function, c, backend) {
        // A dtype that the backend does not store cannot even be asked about here.
        Err(e) if matches!(e.kind(), ErrorKind::DtypeNotStored { .. }) => return Ok(()),
        made => made.map_err(|e| e.to_string())?,
    };
    let outcome = caught(|| ivy_core::call(function, &operands, &*params));
    match outcome {
        Err(panic) => Err(format!("outside the domain ({refusal:?}): panic: {panic}")),
        Ok(Ok(_)) => Err(format!("outside the domain ({refusal:?}), but the call was accepted")),
        Ok(Err(e)) if refusal.matches(e.kind()) => Ok(()),
        Ok(Err(e)) => Err(format!("outside the domain ({refusal:?}), but the error is: {e}")),
    }
}

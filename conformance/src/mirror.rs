//! A backend that computes by the truth, op by op: a slow backend that is right, on which the
//! engine itself is tried, and a wrong one wherever a fault is asked of it.

use crate::truth::num::{cast, round_pair};
use crate::truth::{Arg, Call, Keywords, Num, Tensor, Value, elementwise, evaluate, indices, place};
use ivy_core::backend::{Backend, Data, Device, Storage, Support, Value as Held, Values};
use ivy_core::function::ParamValue;
use ivy_core::host::HostArray;
use ivy_core::{Dtype, ErrorKind, ExchangeOp, FftOp, FftScale, Op, ReduceOp, Result, ScanOp, Shape};
use std::any::Any;
use std::sync::Arc;

/// What a mirror does wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Results of an op are wrong by this many units in the last place.
    Units(&'static str, i64),
    /// Zeros of an op lose their sign.
    Zeros(&'static str),
    /// The first result of an op has another dtype.
    Dtype(&'static str),
    /// An op panics.
    Panic(&'static str),
    /// An op fails with an error that no rule foresees.
    Error(&'static str),
    /// An op on one dtype is refused, and said to be.
    Unsupported(&'static str, Dtype),
}

/// The backend.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// The name that it goes by.
    pub name: &'static str,
    /// What it does wrong.
    pub fault: Option<Fault>,
}

fn held(tensor: Tensor) -> Held {
    let shape = Shape::from(&tensor.shape[..]);
    Held { dtype: tensor.dtype, shape, data: Data::new(Arc::new(tensor)) }
}

fn tensor(value: &Held) -> &Tensor {
    value.data::<Arc<Tensor>>().expect("a mirror's value")
}

impl Backend for Mirror {
    fn name(&self) -> &str {
        self.name
    }

    fn version(&self) -> semver::Version {
        semver::Version::new(1, 0, 0)
    }

    fn devices(&self) -> Vec<Device> {
        vec![Device::CPU]
    }

    fn storage(&self, dtype: Dtype) -> Storage {
        Storage::Native { name: dtype.name() }
    }

    fn support(&self, op: &Op, operands: &[Dtype]) -> Support {
        match self.fault {
            Some(Fault::Unsupported(name, dtype)) if op.name() == name && operands.contains(&dtype) => {
                Support::Unsupported("a fault that was asked for")
            }
            _ => Support::Native,
        }
    }

    fn execute(&self, op: &Op, operands: &[&Held]) -> Result<Values> {
        match self.fault {
            Some(Fault::Panic(name)) if op.name() == name => panic!("a fault that was asked for"),
            Some(Fault::Error(name)) if op.name() == name => return Err(self.failure(op)),
            _ => {}
        }
        let signature =
            op.result(op.name(), &operands.iter().map(|v| (v.dtype, &v.shape)).collect::<Vec<_>>())?;
        let results = compute(op, operands, &signature).ok_or_else(|| self.failure(op))?;
        Ok(results.into_iter().map(|t| held(self.spoil(op, t))).collect())
    }

    fn from_host(&self, array: HostArray) -> Result<Held> {
        Ok(held(Tensor::from_host(&array).expect("every dtype has numbers")))
    }

    fn to_host(&self, value: &Held) -> Result<HostArray> {
        Ok(tensor(value).to_host())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Mirror {
    fn failure(&self, op: &Op) -> ivy_core::Error {
        ErrorKind::BackendFailure {
            function: op.name(),
            backend: self.name.into(),
            version: "1.0.0".into(),
            dtypes: Default::default(),
            source: "the mirror has no truth for this call".into(),
        }
        .into()
    }

    fn spoil(&self, op: &Op, mut t: Tensor) -> Tensor {
        match self.fault {
            Some(Fault::Units(name, units)) if op.name() == name => {
                for x in &mut t.data {
                    if let Num::Float(v) = x
                        && v.is_finite()
                    {
                        let unit = crate::truth::num::ulp(*v, t.dtype);
                        *x = cast(Num::Float(*v + units as f64 * unit), t.dtype);
                    }
                    if let Num::Int(i) = x {
                        *x = cast(Num::Int(*i + i128::from(units)), t.dtype);
                    }
                }
            }
            Some(Fault::Zeros(name)) if op.name() == name => {
                for x in &mut t.data {
                    if let Num::Float(v) = x {
                        *v += 0.0;
                    }
                }
            }
            Some(Fault::Dtype(name)) if op.name() == name => {
                let other = if t.dtype == Dtype::FLOAT64 { Dtype::FLOAT32 } else { Dtype::FLOAT64 };
                t = t.cast(other);
            }
            _ => {}
        }
        t
    }
}

fn list(values: &[usize]) -> ParamValue {
    ParamValue::Ints(values.iter().map(|&v| v as i64).collect())
}

fn axis(axis: usize) -> (&'static str, ParamValue) {
    ("axis", ParamValue::Int(axis as i64))
}

/// The op as a call that has a truth.
fn compute(op: &Op, operands: &[&Held], signature: &[(Dtype, Shape)]) -> Option<Vec<Tensor>> {
    let outputs: Vec<Dtype> = signature.iter().map(|s| s.0).collect();
    let shape = |i: usize| signature[i].1.to_vec();
    let given: Vec<Arg> = operands.iter().map(|v| Arg::Array(tensor(v).clone())).collect();
    let own = |i: usize| tensor(operands[i]);
    let flag = |b: &bool| ParamValue::Bool(*b);
    let (name, operands, keywords): (&str, Vec<Arg>, Keywords) = match op {
        Op::Full { shape, value, .. } => ("full", vec![Arg::Scalar(*value)], vec![("shape", list(shape))]),
        Op::Eye { rows, cols, k, .. } => {
            let int = |i: usize| ParamValue::Int(i as i64);
            ("eye", vec![], vec![("n_rows", int(*rows)), ("n_cols", int(*cols)), ("k", ParamValue::Int(*k))])
        }
        Op::Linspace { start, stop, len, endpoint, .. } => (
            "linspace",
            vec![Arg::Scalar(*start), Arg::Scalar(*stop)],
            vec![("num", ParamValue::Int(*len as i64)), ("endpoint", flag(endpoint))],
        ),
        Op::Arange { start, step, len, dtype } => {
            let (a, b) = (*start, *step);
            let at = |i: usize| match (a, b) {
                (ivy_core::Scalar::Int(a), ivy_core::Scalar::Int(b)) => Num::Int(a + i as i128 * b),
                _ => Num::Float(a.to_f64() + i as f64 * b.to_f64()),
            };
            return Some(vec![Tensor::new(*dtype, &[*len], (0..*len).map(at))]);
        }
        Op::Cast { dtype } => return Some(vec![own(0).cast(*dtype)]),
        Op::Reshape { shape } => {
            return Some(vec![Tensor { shape: shape.to_vec(), ..own(0).clone() }]);
        }
        Op::Slice { axes } => {
            let x = own(0);
            let from = |index: Vec<usize>| {
                let source: Vec<usize> = index
                    .iter()
                    .zip(axes)
                    .map(|(&i, a)| (a.start as isize + i as isize * a.step) as usize)
                    .collect();
                x.data[place(&source, &x.shape)]
            };
            return Some(vec![Tensor {
                dtype: x.dtype,
                shape: shape(0),
                data: indices(&shape(0)).map(from).collect(),
            }]);
        }
        Op::Pad { axes, value } => {
            let pairs = axes.iter().map(|pad| vec![pad.before as i64, pad.after as i64]).collect();
            let operands = vec![given[0].clone(), Arg::Scalar(*value)];
            ("constant_pad", operands, vec![("pad_width", ParamValue::IntLists(pairs))])
        }
        Op::SetSlice { axes } => {
            let (mut x, value) = (own(0).clone(), own(1));
            for (p, index) in indices(&value.shape).enumerate() {
                let target: Vec<usize> = index
                    .iter()
                    .zip(axes)
                    .map(|(&i, a)| (a.start as isize + i as isize * a.step) as usize)
                    .collect();
                let target = place(&target, &x.shape);
                x.data[target] = value.data[p];
            }
            return Some(vec![x]);
        }
        Op::Gather { axes } => {
            let x = own(0);
            let from = |index: Vec<usize>| x.data[indexed(&index, *axes, x, &operands[1..])];
            let data = indices(&shape(0)).map(from).collect();
            return Some(vec![Tensor { dtype: x.dtype, shape: shape(0), data }]);
        }
        Op::Scatter { axes, op } => {
            let (mut x, updates) = (own(0).clone(), own(1));
            for (p, index) in indices(&updates.shape).enumerate() {
                let target = indexed(&index, *axes, &x, &operands[2..]);
                x.data[target] = match op.binary(x.dtype) {
                    None => updates.data[p],
                    Some(op) => {
                        let both = elementwise::binary(op.name(), x.data[target], updates.data[p], x.dtype)?;
                        number(&both, x.dtype)
                    }
                };
            }
            return Some(vec![x]);
        }
        Op::Exchange { op } => {
            let (mut x, places, updates) = (own(0).clone(), own(1), own(2));
            let mut old = updates.clone();
            for (i, place) in places.data.iter().map(|place| place.int()).enumerate() {
                let place = if place < 0 { place + x.data.len() as i128 } else { place } as usize;
                let (before, update) = (x.data[place], updates.data[i]);
                old.data[i] = before;
                let of = |name, a, b| elementwise::binary(name, a, b, x.dtype);
                x.data[place] = match op {
                    ExchangeOp::Set => update,
                    ExchangeOp::Add => number(&of("add", before, update)?, x.dtype),
                    ExchangeOp::Compare => match of("equal", before, own(3).data[i])? {
                        Value::Exact(Num::Bool(true)) => update,
                        _ => before,
                    },
                };
            }
            return Some(vec![x, old]);
        }
        Op::Scan { op: kind, axis: a, include_initial } if !matches!(kind, ScanOp::Sum | ScanOp::Prod) => {
            return Some(vec![running(*kind, *a, *include_initial, own(0))?]);
        }
        Op::Unary(op) => (op.name(), given, vec![]),
        Op::Binary(op) => (op.name(), given, vec![]),
        Op::BroadcastTo { shape } => ("broadcast_to", given, vec![("shape", list(shape))]),
        Op::PermuteDims { axes } => ("permute_dims", given, vec![("axes", list(axes))]),
        Op::Concat { axis: a } => ("concat", given, vec![axis(*a)]),
        Op::Take { axis: a } => ("take", given, vec![axis(*a)]),
        Op::TakeAlongAxis { axis: a } => ("take_along_axis", given, vec![axis(*a)]),
        Op::Reduce { op: kind, axes, keepdims } => {
            let mut keywords = vec![("axis", list(axes)), ("keepdims", flag(keepdims))];
            if let ReduceOp::Var { correction } = kind {
                keywords.push(("correction", ParamValue::Float(f64::from_bits(*correction))));
            }
            (op.name(), given, keywords)
        }
        Op::ArgReduce { axis: a, keepdims, .. } => {
            let mut keywords = vec![("keepdims", flag(keepdims))];
            keywords.extend(a.map(axis));
            (op.name(), given, keywords)
        }
        Op::Scan { op: kind, axis: a, include_initial } => {
            let name = if *kind == ScanOp::Sum { "cumulative_sum" } else { "cumulative_prod" };
            (name, given, vec![axis(*a), ("include_initial", flag(include_initial))])
        }
        Op::Sort { axis: a, descending } => ("sort", given, vec![axis(*a), ("descending", flag(descending))]),
        Op::Argsort { axis: a, descending } => {
            ("argsort", given, vec![axis(*a), ("descending", flag(descending))])
        }
        Op::SearchSorted { right } => {
            let side = if *right { "right" } else { "left" };
            ("searchsorted", given, vec![("side", ParamValue::Text(side.into()))])
        }
        Op::RandomBits { shape, dtype } => {
            ("random_bits", given, vec![("shape", list(shape)), ("dtype", ParamValue::Dtype(*dtype))])
        }
        Op::Conv(op) => {
            let pairs = op.padding.iter().map(|&(before, after)| vec![before, after]).collect();
            let first = || ParamValue::Text("channel_first".into());
            let keywords = vec![
                ("dims", ParamValue::Int(op.spatial() as i64)),
                ("data_format", first()),
                ("filter_format", first()),
                ("strides", list(&op.strides)),
                ("padding", ParamValue::IntLists(pairs)),
                ("x_dilations", list(&op.input_dilation)),
                ("dilations", list(&op.window_dilation)),
                ("feature_group_count", ParamValue::Int(op.groups as i64)),
            ];
            ("conv_general_dilated", given, keywords)
        }
        Op::Fft { op, axis: a, n, scale } => {
            let forward = matches!(op, FftOp::Forward | FftOp::Real);
            let norm = match (scale, forward) {
                (FftScale::Root, _) => "ortho",
                (FftScale::Full, true) | (FftScale::One, false) => "forward",
                _ => "backward",
            };
            let norm = ("norm", ParamValue::Text(norm.into()));
            (op.name(), given, vec![axis(*a), ("n", ParamValue::Int(*n as i64)), norm])
        }
        // Factors are not unique: what is right is found by putting them together again.
        Op::Linalg(op) => {
            let hosts: Vec<HostArray> = (0..operands.len()).map(|i| own(i).to_host()).collect();
            let views: Vec<_> = hosts.iter().map(HostArray::view).collect();
            let found = ivy_kernels::linalg::linalg(*op, &views).ok()?;
            return found.iter().map(Tensor::from_host).collect();
        }
        other => (other.name(), given, vec![]),
    };
    // All operands of an op have one dtype but conditions, indices and what it creates from.
    let compute = match op {
        Op::Where => tensor_dtype(&operands[1]),
        _ => operands.first().map_or(outputs.first().copied(), |_| tensor_dtype(&operands[0])),
    };
    let compute = compute.or(outputs.first().copied()).unwrap_or(Dtype::INT64);
    let call = Call { function: name, operands: &operands, keywords: &keywords, compute, outputs: &outputs };
    let truths = evaluate(&call)?;
    let rounded = |truth: crate::truth::Truth| {
        let data = truth.data.iter().map(|v| number(v, truth.dtype));
        Tensor::new(truth.dtype, &truth.shape, data.collect::<Vec<_>>())
    };
    Some(truths.into_iter().map(rounded).collect())
}

/// What is least, greatest or common so far along an axis.
fn running(op: ScanOp, axis: usize, initial: bool, x: &Tensor) -> Option<Tensor> {
    let name = match op {
        ScanOp::Min => "minimum",
        ScanOp::Max => "maximum",
        ScanOp::And => "bitwise_and",
        _ => "bitwise_or",
    };
    let mut shape = x.shape.clone();
    shape[axis] += usize::from(initial);
    let mut result = Tensor::new(x.dtype, &shape, vec![identity(op, x.dtype); shape.iter().product()]);
    for (p, mut index) in indices(&x.shape).enumerate() {
        index[axis] += usize::from(initial);
        let to = place(&index, &shape);
        let before = index[axis].checked_sub(1).map(|before| {
            index[axis] = before;
            result.data[place(&index, &shape)]
        });
        result.data[to] = match before {
            Some(before) => number(&elementwise::binary(name, before, x.data[p], x.dtype)?, x.dtype),
            None => x.data[p],
        };
    }
    Some(result)
}

/// What leaves every element of a dtype as it is.
fn identity(op: ScanOp, dtype: Dtype) -> Num {
    let (low, high) = dtype.int_range().unwrap_or_default();
    match (op, dtype.is_float()) {
        (ScanOp::Min, true) => Num::Float(f64::INFINITY),
        (ScanOp::Max, true) => Num::Float(f64::NEG_INFINITY),
        (ScanOp::Min, false) => Num::Int(high),
        (ScanOp::Max, false) => Num::Int(low),
        (ScanOp::And, _) => Num::Int(if low < 0 { -1 } else { high }),
        _ => Num::Int(0),
    }
}

/// The place in `x` that an index of a gathered array stands for.
fn indexed(index: &[usize], axes: usize, x: &Tensor, which: &[&Held]) -> usize {
    let lead = index.len() - (x.shape.len() - axes);
    let mut source: Vec<usize> = (0..axes)
        .map(|k| {
            let list = tensor(which[k]);
            let own = index[lead - list.shape.len()..lead].iter().zip(&list.shape);
            let own: Vec<usize> = own.map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
            let i = list.data[place(&own, &list.shape)].int();
            (if i < 0 { i + x.shape[k] as i128 } else { i }) as usize
        })
        .collect();
    source.extend(&index[lead..]);
    place(&source, &x.shape)
}

fn tensor_dtype(arg: &Arg) -> Option<Dtype> {
    match arg {
        Arg::Array(t) => Some(t.dtype),
        _ => None,
    }
}

/// The number that a true value rounds to.
fn number(value: &Value, dtype: Dtype) -> Num {
    match value {
        Value::Exact(x) | Value::Either(x, _) => *x,
        Value::Near { re, im, .. } => {
            let (re, im) = (round_pair(re.hi, re.lo, dtype), round_pair(im.hi, im.lo, dtype));
            if dtype.is_complex() { Num::Complex(re, im) } else { Num::Float(re) }
        }
        Value::Any => cast(Num::Int(0), dtype),
    }
}

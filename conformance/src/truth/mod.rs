//! The truth about calls, independent of every backend: each function of the first part of the
//! API evaluated from host numbers, integers exactly, floats to about 106 bits or from the
//! committed goldens, and rounded once.

pub mod complex;
pub mod dd;
pub mod dense;
pub mod elementwise;
pub mod golden;
pub mod num;
pub mod value;

mod activations;
mod arrange;
mod attention;
mod averages;
mod blocks;
mod conv;
mod distances;
mod einops;
mod einsum;
mod exchange;
mod fft;
mod heads;
mod histograms;
mod ivy_elementwise;
mod ivy_linalg;
mod layers;
mod linalg;
mod losses;
mod made;
mod matrices;
mod norms;
mod numerical;
mod order;
mod pad;
mod pool;
mod quantiles;
mod random;
mod rearrange;
mod reduce;
pub mod residual;
mod sampling;
mod scatter;
mod shuffle;
mod special;
mod stable;
mod tensor_split;
mod updates;

pub use num::{Num, Tensor};
pub use value::{Open, Tolerance, Value};

use ivy_core::function::ParamValue;
use ivy_core::{Dtype, Scalar};

/// An operand of a call.
#[derive(Clone, Debug)]
pub enum Arg {
    /// An array.
    Array(Tensor),
    /// A host scalar.
    Scalar(Scalar),
    /// Left out.
    Absent,
}

/// Keyword arguments that a call sets, by name; the others have their defaults.
pub type Keywords = Vec<(&'static str, ParamValue)>;

/// A call whose result is asked for.
pub struct Call<'a> {
    /// The function's name.
    pub function: &'a str,
    /// Its operands.
    pub operands: &'a [Arg],
    /// Its keyword arguments.
    pub keywords: &'a Keywords,
    /// The dtype computed in.
    pub compute: Dtype,
    /// The dtypes of the results; the last also stands for those that follow.
    pub outputs: &'a [Dtype],
}

/// One result of a call.
#[derive(Clone, Debug)]
pub struct Truth {
    /// Its dtype.
    pub dtype: Dtype,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its elements, in row-major order.
    pub data: Vec<Value>,
}

impl Call<'_> {
    fn keyword(&self, name: &str) -> Option<&ParamValue> {
        self.keywords.iter().find(|k| k.0 == name).map(|k| &k.1).filter(|v| !matches!(v, ParamValue::None))
    }

    fn int(&self, name: &str) -> Option<i64> {
        match self.keyword(name)? {
            ParamValue::Int(i) => Some(*i),
            _ => None,
        }
    }

    fn number(&self, name: &str) -> Option<f64> {
        match self.keyword(name)? {
            ParamValue::Float(x) => Some(*x),
            ParamValue::Int(i) => Some(*i as f64),
            _ => None,
        }
    }

    fn word(&self, name: &str) -> Option<&str> {
        match self.keyword(name)? {
            ParamValue::Text(word) => Some(word),
            _ => None,
        }
    }

    fn ints(&self, name: &str) -> Option<Vec<i64>> {
        match self.keyword(name)? {
            ParamValue::Int(i) => Some(vec![*i]),
            ParamValue::Ints(v) => Some(v.clone()),
            _ => None,
        }
    }

    fn sizes(&self, name: &str) -> Option<Vec<usize>> {
        self.ints(name)?.into_iter().map(|i| usize::try_from(i).ok()).collect()
    }

    fn flag(&self, name: &str) -> bool {
        self.set(name) == Some(true)
    }

    /// A flag that may be set to either.
    fn set(&self, name: &str) -> Option<bool> {
        match self.keyword(name)? {
            ParamValue::Bool(on) => Some(*on),
            _ => None,
        }
    }

    /// Operand `i` with its own dtype; a host scalar as a zero-dimensional array.
    fn given(&self, i: usize) -> Option<Tensor> {
        match self.operands.get(i)? {
            Arg::Array(t) => Some(t.clone()),
            Arg::Scalar(s) => Some(match *s {
                Scalar::Bool(b) => Tensor::new(Dtype::BOOL, &[], [Num::Bool(b)]),
                Scalar::Int(i) => Tensor { dtype: Dtype::INT64, shape: vec![], data: vec![Num::Int(i)] },
                Scalar::Float(x) => Tensor::new(Dtype::FLOAT64, &[], [Num::Float(x)]),
                Scalar::Complex(z) => Tensor::new(Dtype::COMPLEX128, &[], [Num::Complex(z.re, z.im)]),
            }),
            Arg::Absent => None,
        }
    }

    /// Operand `i` cast to the dtype computed in.
    fn operand(&self, i: usize) -> Option<Tensor> {
        Some(self.given(i)?.cast(self.compute))
    }

    fn output(&self, i: usize) -> Dtype {
        self.outputs.get(i).or(self.outputs.last()).copied().unwrap_or(self.compute)
    }

    /// The one result, of elements that come out exactly.
    fn exact(&self, shape: Vec<usize>, data: Vec<Num>) -> Truth {
        Truth { dtype: self.output(0), shape, data: data.into_iter().map(Value::Exact).collect() }
    }
}

/// The results of a call that has any; `None` if there is no truth for the function, or for
/// these operands.
pub fn evaluate(call: &Call<'_>) -> Option<Vec<Truth>> {
    arrange::evaluate(call)
        .or_else(|| reduce::evaluate(call))
        .or_else(|| order::evaluate(call))
        .or_else(|| scatter::evaluate(call))
        .or_else(|| distances::evaluate(call))
        .or_else(|| shuffle::evaluate(call))
        .or_else(|| sampling::evaluate(call))
        .or_else(|| updates::evaluate(call))
        .or_else(|| exchange::evaluate(call))
        .or_else(|| blocks::evaluate(call))
        .or_else(|| rearrange::evaluate(call))
        .or_else(|| made::evaluate(call))
        .or_else(|| tensor_split::evaluate(call))
        .or_else(|| conv::evaluate(call))
        .or_else(|| pool::evaluate(call))
        .or_else(|| attention::evaluate(call))
        .or_else(|| heads::evaluate(call))
        .or_else(|| layers::evaluate(call))
        .or_else(|| activations::evaluate(call))
        .or_else(|| norms::evaluate(call))
        .or_else(|| losses::evaluate(call))
        .or_else(|| linalg::evaluate(call))
        .or_else(|| matrices::evaluate(call))
        .or_else(|| fft::evaluate(call))
        .or_else(|| einsum::evaluate(call))
        .or_else(|| einops::evaluate(call))
        .or_else(|| stable::evaluate(call))
        .or_else(|| ivy_linalg::evaluate(call))
        .or_else(|| quantiles::evaluate(call))
        .or_else(|| histograms::evaluate(call))
        .or_else(|| numerical::evaluate(call))
        .or_else(|| averages::evaluate(call))
        .or_else(|| special::evaluate(call))
        .or_else(|| random::evaluate(call))
        .or_else(|| residual::evaluate(call))
        .or_else(|| ivy_elementwise::evaluate(call))
        .or_else(|| evaluate_elementwise(call))
}

/// True if equal zeros of different signs are the same result of this function.
pub fn zeros_equal(function: &str) -> bool {
    const NAMES: &[&str] = &[
        "sort",
        "max",
        "min",
        "maximum",
        "minimum",
        "clip",
        "sign",
        "block_reduce",
        "adaptive_max_pool2d",
        "reduce_window",
    ];
    NAMES.contains(&function)
        || matches!(function, "cummax" | "cummin")
        || function.starts_with("unique")
        || function.starts_with("max_pool")
}

fn evaluate_elementwise(call: &Call<'_>) -> Option<Vec<Truth>> {
    let operands: Vec<Tensor> = (0..call.operands.len()).map_while(|i| call.operand(i)).collect();
    let shapes: Vec<&[usize]> = operands.iter().map(|t| t.shape.as_slice()).collect();
    let shape = broadcast(&shapes)?;
    let spread: Vec<Vec<usize>> = operands.iter().map(|t| spread(&t.shape, &shape)).collect();
    let size: usize = shape.iter().product();
    let at_index = |i: usize| {
        let at = |k: usize| operands[k].data[spread[k][i]];
        match operands.len() {
            1 => elementwise::unary(call.function, at(0), call.compute),
            2 => elementwise::binary(call.function, at(0), at(1), call.compute),
            _ => None,
        }
    };
    let data = (0..size).map(at_index).collect::<Option<Vec<_>>>()?;
    let known = match operands.len() {
        1 => has_unary(call.function, call.compute),
        _ => has_binary(call.function, call.compute),
    };
    known.then(|| vec![Truth { dtype: call.output(0), shape, data }])
}

/// An empty result proves nothing about the function's name, so a point is tried.
fn has_unary(function: &str, dtype: Dtype) -> bool {
    let one = num::cast(Num::Int(1), dtype);
    let half = num::cast(Num::Float(0.5), dtype);
    [one, half].iter().any(|&x| elementwise::unary(function, x, dtype).is_some())
}

fn has_binary(function: &str, dtype: Dtype) -> bool {
    let two = num::cast(Num::Int(2), dtype);
    elementwise::binary(function, two, two, dtype).is_some()
}

/// The shape that shapes broadcast to.
pub(crate) fn broadcast(shapes: &[&[usize]]) -> Option<Vec<usize>> {
    let ndim = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out = vec![1; ndim];
    for shape in shapes {
        for (to, &from) in out[ndim - shape.len()..].iter_mut().zip(*shape) {
            match (*to, from) {
                (1, n) => *to = n,
                (_, 1) => {}
                (a, b) if a == b => {}
                _ => return None,
            }
        }
    }
    Some(out)
}

/// For each element of the shape `to`, the place of the element of an array of shape `from`
/// that broadcasts there.
pub(crate) fn spread(from: &[usize], to: &[usize]) -> Vec<usize> {
    indices(to)
        .map(|index| {
            let own = &index[to.len() - from.len()..];
            let own: Vec<usize> = own.iter().zip(from).map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
            place(&own, from)
        })
        .collect()
}

/// All indices of a shape in row-major order.
pub(crate) fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    (0..shape.iter().product::<usize>()).map(move |mut flat| {
        let mut index = vec![0; shape.len()];
        for (i, &n) in index.iter_mut().zip(&shape).rev() {
            *i = flat % n;
            flat /= n;
        }
        index
    })
}

/// The place of an index in row-major order.
pub(crate) fn place(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |p, (&i, &n)| p * n + i)
}

/// An axis counted from the front.
pub(crate) fn axis(axis: i64, ndim: usize) -> usize {
    (if axis < 0 { axis + ndim as i64 } else { axis }) as usize
}

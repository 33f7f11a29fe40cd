//! libtorch's own forms of functions: one pass, without a plan for each step. On the floats in which libtorch adds up
//! exactly enough; the other dtypes are composed.

mod attention;
mod layer_norm;
mod softmax;

use crate::error::{self, Message, failed};
use crate::memory::{tensor_of, value_of};
use ivy_core::backend::{Support, Value};
use ivy_core::function::Params;
use ivy_core::{Dtype, Function, Result, Shape};
use smallvec::SmallVec;
use tch::Tensor;

/// A function that libtorch has a form of.
struct Own {
    name: &'static str,
    /// How many arrays it is called with.
    arity: &'static [usize],
    /// `None` for a call that libtorch's form is not for.
    run: fn(&Call<'_>) -> Result<Option<Value>>,
}

static OWN: &[Own] = &[
    Own { name: "softmax", arity: &[1], run: softmax::softmax },
    Own { name: "log_softmax", arity: &[1], run: softmax::log_softmax },
    // With an offset alone the arrays do not say which of the two is there.
    Own { name: "layer_norm", arity: &[1, 3], run: layer_norm::run },
    Own { name: "scaled_dot_product_attention", arity: &[3], run: attention::run },
];

/// What an own form sees of a call.
struct Call<'a> {
    function: &'static Function,
    params: &'a dyn Params,
    operands: &'a [&'a Value],
}

fn find(function: &Function, operands: &[Dtype]) -> Option<&'static Own> {
    let own = OWN.iter().find(|own| own.name == function.name && own.arity.contains(&operands.len()))?;
    let first = operands.first()?;
    let exact = matches!(*first, Dtype::FLOAT32 | Dtype::FLOAT64) && operands.iter().all(|d| d == first);
    exact.then_some(own)
}

/// How torch runs a function on operands of these dtypes, where it has a form of its own.
pub(crate) fn support(function: &Function, operands: &[Dtype]) -> Option<Support> {
    find(function, operands).map(|_| Support::Native)
}

/// Runs a function by libtorch's own form; `None` for a call that this is not for.
pub(crate) fn run(
    function: &'static Function,
    params: &dyn Params,
    operands: &[&Value],
) -> Result<Option<Value>> {
    let dtypes: SmallVec<[Dtype; 4]> = operands.iter().map(|v| v.dtype).collect();
    match find(function, &dtypes) {
        Some(own) => (own.run)(&Call { function, params, operands }),
        None => Err(error::FAILURES.no_own_form(function)),
    }
}

impl Call<'_> {
    /// The parameters as their own type.
    fn params<T: Params>(&self) -> Result<&T> {
        self.params.as_any().downcast_ref().ok_or_else(|| error::FAILURES.no_own_form(self.function))
    }

    fn tensor(&self, operand: usize) -> Result<&Tensor> {
        tensor_of(self.function.name, self.operands[operand])
    }

    /// The result of libtorch's call, of the first operand's dtype.
    fn made(&self, shape: Shape, result: Result<Tensor, tch::TchError>) -> Result<Value> {
        let dtype = self.operands[0].dtype;
        let tensor = result.map_err(|e| failed(self.function.name, &[dtype], Message::from(e)))?;
        Ok(value_of(dtype, shape, tensor, false))
    }
}

//! Operations with derivatives of the user's own, and functions of the core's arrays.

use super::graph::{Kernel, run_all};
use crate::array::{AnyArray, Leaf};
use crate::types::ArrayType;
use crate::{Error, Result};
use ivy_core::Array;
use std::sync::{Arc, Mutex, PoisonError};

/// An operation with derivatives of its own (`dr.CustomOp`). All functions are called on arrays without gradients.
pub trait CustomOp: Send + Sync + 'static {
    /// What it computes.
    ///
    /// # Errors
    /// Its own.
    fn eval(&self, inputs: &[AnyArray]) -> Result<AnyArray>;

    /// How the result changes where the inputs change by tangents.
    ///
    /// # Errors
    /// Its own.
    fn forward(&self, inputs: &[AnyArray], tangents: &[AnyArray]) -> Result<AnyArray>;

    /// The inputs' gradients, one each, for the result's.
    ///
    /// # Errors
    /// Its own.
    fn backward(&self, inputs: &[AnyArray], gradient: &AnyArray) -> Result<Vec<AnyArray>>;
}

/// An operation of several outputs with derivatives of its own. All functions are called on arrays without gradients.
pub trait MultiOutputOp: Send + Sync + 'static {
    /// What it computes.
    ///
    /// # Errors
    /// Its own.
    fn eval(&self, inputs: &[AnyArray]) -> Result<Vec<AnyArray>>;

    /// How the outputs change where the inputs change by tangents, one each.
    ///
    /// # Errors
    /// Its own.
    fn forward(&self, inputs: &[AnyArray], tangents: &[AnyArray]) -> Result<Vec<AnyArray>>;

    /// The inputs' gradients, one each, for the outputs' cotangents; zeros stand for outputs without any.
    ///
    /// # Errors
    /// Its own.
    fn backward(&self, inputs: &[AnyArray], cotangents: &[AnyArray]) -> Result<Vec<AnyArray>>;
}

/// A custom operation on the flat arrays that its inputs and its result are made of.
pub(crate) trait Rules: Send + Sync {
    fn eval(&self, inputs: &[Array]) -> Result<Vec<Array>>;
    fn forward(&self, inputs: &[Array], tangents: &[Array]) -> Result<Vec<Array>>;
    fn backward(&self, inputs: &[Array], cotangents: &[Array]) -> Result<Vec<Array>>;
}

struct OnLeaves<O> {
    op: O,
    inputs: Vec<ArrayType>,
    lengths: Vec<Vec<usize>>,
    outputs: Vec<ArrayType>,
    output_lengths: Vec<Vec<usize>>,
    /// What it gave when it was called to see what it gives.
    first: Mutex<Option<Vec<AnyArray>>>,
}

impl<O> OnLeaves<O> {
    /// Outputs of floats from the flat arrays within them, and single zeros for those that have no derivatives.
    fn cotangents(&self, arrays: &[Array]) -> Result<Vec<AnyArray>> {
        let mut leaves = arrays.iter().cloned().map(Leaf::new);
        let one = |(&ty, lengths): (&ArrayType, &Vec<usize>)| match ty.is_float_v() {
            true => AnyArray::from_leaves(ty, lengths, &mut leaves),
            false => ty.zeros(1),
        };
        self.outputs.iter().zip(&self.output_lengths).map(one).collect()
    }
}

/// Arrays of types from the flat arrays within them.
fn made(types: &[ArrayType], lengths: &[Vec<usize>], arrays: &[Array]) -> Result<Vec<AnyArray>> {
    let mut leaves = arrays.iter().cloned().map(Leaf::new);
    types.iter().zip(lengths).map(|(&ty, lengths)| AnyArray::from_leaves(ty, lengths, &mut leaves)).collect()
}

/// The flat arrays of values, each as large as the one it goes with.
fn apart(values: &[AnyArray], types: &[ArrayType], like: Option<&[Array]>) -> Result<Vec<Array>> {
    let mut arrays = Vec::new();
    for (value, &ty) in values.iter().zip(types) {
        value.cast_to(ty)?.for_each_leaf(&mut |leaf| arrays.push(leaf.array.clone()));
    }
    let Some(like) = like else { return Ok(arrays) };
    let one = |(x, like): (Array, &Array)| ivy_core::functional::broadcast_to(&x, like.shape().clone());
    Ok(arrays.into_iter().zip(like).map(one).collect::<ivy_core::Result<_>>()?)
}

impl<O: MultiOutputOp> Rules for OnLeaves<O> {
    fn eval(&self, inputs: &[Array]) -> Result<Vec<Array>> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        let outputs = match first {
            Some(outputs) => outputs,
            None => self.op.eval(&made(&self.inputs, &self.lengths, inputs)?)?,
        };
        apart(&outputs, &self.outputs, None)
    }

    fn forward(&self, inputs: &[Array], tangents: &[Array]) -> Result<Vec<Array>> {
        let [inputs, tangents] = [inputs, tangents].map(|x| made(&self.inputs, &self.lengths, x));
        let tangents = self.op.forward(&inputs?, &tangents?)?;
        expect("tangents", tangents.len(), self.outputs.len(), "one for each output")?;
        let floats = tangents.into_iter().zip(&self.outputs).filter(|(_, ty)| ty.is_float_v());
        let (tangents, types): (Vec<AnyArray>, Vec<ArrayType>) = floats.map(|(x, ty)| (x, *ty)).unzip();
        apart(&tangents, &types, None)
    }

    fn backward(&self, inputs: &[Array], cotangents: &[Array]) -> Result<Vec<Array>> {
        let own = made(&self.inputs, &self.lengths, inputs)?;
        let gradients = self.op.backward(&own, &self.cotangents(cotangents)?)?;
        expect("gradients", gradients.len(), own.len(), "one for each input")?;
        apart(&gradients, &self.inputs, Some(inputs))
    }
}

fn expect(argument: &'static str, got: usize, expected: usize, rule: &'static str) -> Result<()> {
    match got == expected {
        true => Ok(()),
        false => Err(Error::InvalidArgument { function: "custom", argument, value: got.to_string(), rule }),
    }
}

/// An operation of one output as one of several.
struct OneOutput<O>(O);

fn only(outputs: &[AnyArray]) -> Result<&AnyArray> {
    outputs.first().ok_or(Error::NotDifferentiable { function: "custom" })
}

impl<O: CustomOp> MultiOutputOp for OneOutput<O> {
    fn eval(&self, inputs: &[AnyArray]) -> Result<Vec<AnyArray>> {
        Ok(vec![self.0.eval(inputs)?])
    }

    fn forward(&self, inputs: &[AnyArray], tangents: &[AnyArray]) -> Result<Vec<AnyArray>> {
        Ok(vec![self.0.forward(inputs, tangents)?])
    }

    fn backward(&self, inputs: &[AnyArray], cotangents: &[AnyArray]) -> Result<Vec<AnyArray>> {
        self.0.backward(inputs, only(cotangents)?)
    }
}

/// Calls a custom operation, which has its own derivatives.
///
/// # Errors
/// Those of the operation.
pub fn custom(op: impl CustomOp, inputs: &[&AnyArray]) -> Result<AnyArray> {
    Ok(only(&custom_outputs(OneOutput(op), inputs)?)?.clone())
}

/// Calls a custom operation of several outputs, which has its own derivatives.
///
/// # Errors
/// Those of the operation.
pub fn custom_outputs(op: impl MultiOutputOp, inputs: &[&AnyArray]) -> Result<Vec<AnyArray>> {
    let detached = inputs.iter().map(|x| super::detach(*x)).collect::<Result<Vec<_>>>()?;
    let outputs = op.eval(&detached)?;
    let outputs = outputs.iter().map(super::detach).collect::<Result<Vec<_>>>()?;
    let (types, lengths): (Vec<_>, Vec<_>) = outputs.iter().map(|x| (x.ty(), x.lengths())).unzip();
    let rules = OnLeaves {
        op,
        inputs: inputs.iter().map(|x| x.ty()).collect(),
        lengths: inputs.iter().map(|x| x.lengths()).collect(),
        outputs: types.clone(),
        output_lengths: lengths.clone(),
        first: Mutex::new(Some(outputs)),
    };
    let mut leaves = Vec::new();
    inputs.iter().for_each(|x| x.for_each_leaf(&mut |leaf| leaves.push(leaf.clone())));
    let leaves: Vec<&Leaf> = leaves.iter().collect();
    let mut results = run_all("custom", &Kernel::Custom(Arc::new(rules)), &leaves)?.into_iter();
    types
        .iter()
        .zip(&lengths)
        .map(|(&ty, lengths)| AnyArray::from_leaves(ty, lengths, &mut results))
        .collect()
}

/// Makes a function of the core's arrays one of tensors and flat arrays, through which gradients pass: `dr.wrap`, where the other
/// library is the core.
///
/// # Errors
/// Those of the function; [`Error::NotSupported`] for nested arrays, which have no one array.
pub fn wrap(
    function: impl Fn(&[Array]) -> ivy_core::Result<Array> + Send + Sync + 'static,
    inputs: &[&AnyArray],
) -> Result<AnyArray> {
    let leaf = |x: &&AnyArray| x.leaf().ok_or(Error::NotSupported { function: "wrap", ty: x.ty() }).cloned();
    let leaves = inputs.iter().map(leaf).collect::<Result<Vec<_>>>()?;
    let leaves: Vec<&Leaf> = leaves.iter().collect();
    let result = super::run("wrap", &Kernel::one(function), &leaves)?;
    let package =
        inputs.iter().map(|x| x.ty().package()).find(|p| p.ad).or(inputs.first().map(|x| x.ty().package()));
    AnyArray::from_core_leaf(package.unwrap_or(crate::types::Package::LLVM), result)
}

//! Operations with derivatives of the user's own, and functions of the core's arrays.

use super::graph::{Kernel, run_all};
use crate::array::{AnyArray, Leaf};
use crate::types::ArrayType;
use crate::{Error, Result};
use ivy_core::Array;
use std::sync::Arc;

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
    output: ArrayType,
    output_lengths: Vec<usize>,
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

impl<O: CustomOp> Rules for OnLeaves<O> {
    fn eval(&self, inputs: &[Array]) -> Result<Vec<Array>> {
        let output = self.op.eval(&made(&self.inputs, &self.lengths, inputs)?)?;
        apart(&[output], &[self.output], None)
    }

    fn forward(&self, inputs: &[Array], tangents: &[Array]) -> Result<Vec<Array>> {
        let [inputs, tangents] = [inputs, tangents].map(|x| made(&self.inputs, &self.lengths, x));
        apart(&[self.op.forward(&inputs?, &tangents?)?], &[self.output], None)
    }

    fn backward(&self, inputs: &[Array], cotangents: &[Array]) -> Result<Vec<Array>> {
        let gradient = made(&[self.output], std::slice::from_ref(&self.output_lengths), cotangents)?;
        let own = made(&self.inputs, &self.lengths, inputs)?;
        let gradient = gradient.first().ok_or(Error::NotDifferentiable { function: "custom" })?;
        let gradients = self.op.backward(&own, gradient)?;
        if gradients.len() != own.len() {
            return Err(Error::InvalidArgument {
                function: "custom",
                argument: "gradients",
                value: gradients.len().to_string(),
                rule: "one for each input",
            });
        }
        apart(&gradients, &self.inputs, Some(inputs))
    }
}

/// Calls a custom operation, which has its own derivatives.
///
/// # Errors
/// Those of the operation.
pub fn custom(op: impl CustomOp, inputs: &[&AnyArray]) -> Result<AnyArray> {
    let detached = inputs.iter().map(|x| super::detach(*x)).collect::<Result<Vec<_>>>()?;
    let output = op.eval(&detached)?;
    let types = inputs.iter().map(|x| x.ty()).collect();
    let lengths = inputs.iter().map(|x| x.lengths()).collect();
    let (ty, output_lengths) = (output.ty(), output.lengths());
    let rules = OnLeaves { op, inputs: types, lengths, output: ty, output_lengths: output_lengths.clone() };
    let mut leaves = Vec::new();
    inputs.iter().for_each(|x| x.for_each_leaf(&mut |leaf| leaves.push(leaf.clone())));
    let leaves: Vec<&Leaf> = leaves.iter().collect();
    let results = run_all("custom", &Kernel::Custom(Arc::new(rules)), &leaves)?;
    AnyArray::from_leaves(ty, &output_lengths, &mut results.into_iter())
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

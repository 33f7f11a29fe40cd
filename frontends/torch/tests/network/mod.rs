//! A small network with PyTorch's weights, from a `.safetensors` file: forward and backward, beside PyTorch's numbers.

use ivy_backend_ndarray as _;
use ivy_core::{Array, Result, Shape};
use ivy_frontend_suite::{Tolerance, difference, value};
use ivy_frontend_torch::{TORCH, Value, autograd, kw};
use safetensors::SafeTensors;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Weights by their names, each a leaf that requires a gradient.
struct Weights(BTreeMap<String, Array>);

impl Weights {
    fn read(bytes: &[u8]) -> Result<Weights> {
        let file = SafeTensors::deserialize(bytes).expect("a file of the format");
        let entry = |(name, view): (String, safetensors::tensor::TensorView<'_>)| {
            let floats = view.data().chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            let array = Array::from_vec(floats.collect(), Shape::from(view.shape().to_vec()))?;
            Ok((name, autograd::require_grad(&array)?))
        };
        file.tensors().into_iter().map(entry).collect::<Result<_>>().map(Weights)
    }

    fn get(&self, name: &str) -> Value<'_> {
        Value::from(&self.0[name])
    }
}

fn call(path: &str, arguments: &[Value<'_>], keywords: ivy_frontend_torch::Keywords<'_>) -> Result<Array> {
    match TORCH.call(path, arguments, keywords)? {
        Value::Array(array) => Ok(array.into_owned()),
        other => panic!("an array is expected, not {}", other.told()),
    }
}

/// `conv - batch norm - gelu - pool - linear - layer norm - relu - linear`, as `torch_network.py` has it.
fn logits(w: &Weights, x: &Array) -> Result<Array> {
    let bare = |name: &str| Value::from(autograd::detached(&w.0[name]));
    let x = call(
        "nn.functional.conv2d",
        &[x.into(), w.get("conv.weight"), w.get("conv.bias")],
        kw! { padding: 1 },
    )?;
    let running = [bare("bn.running_mean"), bare("bn.running_var")];
    let [mean, variance] = running;
    let x = call(
        "nn.functional.batch_norm",
        &[(&x).into(), mean, variance, w.get("bn.weight"), w.get("bn.bias")],
        kw! {},
    )?;
    let x = call("nn.functional.gelu", &[(&x).into()], kw! {})?;
    let x = call("nn.functional.max_pool2d", &[(&x).into(), 2.into()], kw! {})?;
    let x = call("flatten", &[(&x).into(), 1.into()], kw! {})?;
    let x =
        call("nn.functional.linear", &[(&x).into(), w.get("hidden.weight"), w.get("hidden.bias")], kw! {})?;
    let shape = Value::from([16]);
    let x = call(
        "nn.functional.layer_norm",
        &[(&x).into(), shape, w.get("norm.weight"), w.get("norm.bias")],
        kw! {},
    )?;
    let x = call("relu", &[(&x).into()], kw! {})?;
    call("nn.functional.linear", &[(&x).into(), w.get("out.weight"), w.get("out.bias")], kw! {})
}

#[test]
fn a_network_from_a_file_gives_pytorchs_numbers() -> Result<()> {
    let weights = Weights::read(include_bytes!("weights.safetensors"))?;
    let record: Json = serde_json::from_str(include_str!("network.json")).expect("a record is JSON");
    let backend = ivy_core::backend::backend("ndarray")?;
    let recorded = |name: &str| match value(&record[name], Some(&backend)).expect("a record can be read") {
        Value::Array(array) => array.into_owned(),
        other => panic!("an array is expected, not {}", other.told()),
    };
    let own = logits(&weights, &recorded("image"))?;
    let loss = call("nn.functional.cross_entropy", &[(&own).into(), (&recorded("label")).into()], kw! {})?;
    autograd::backward(std::slice::from_ref(&loss), &[], autograd::Graph::Freed, None)?;
    let gradient = |name: &str| autograd::grad_of(&weights.0[name]).expect("a gradient");
    let close = Tolerance { float32: 1e-5, ..Tolerance::default() };
    for (name, found) in [
        ("logits", own),
        ("loss", loss),
        ("conv.weight.grad", gradient("conv.weight")),
        ("out.bias.grad", gradient("out.bias")),
    ] {
        assert_eq!(difference(&record[name], &Value::from(found), close), None, "{name}");
    }
    Ok(())
}

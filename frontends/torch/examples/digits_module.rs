//! A PyTorch module's forward and backward pass on hand-written digits, line by line: a convolutional network, the cross
//! entropy, `backward`, and steps of stochastic gradient descent with momentum under `no_grad`.
//!
//! ```text
//! cargo run -p ivy-frontend-torch --example digits_module
//! ```

use ivy_backend_ndarray as _;
use ivy_core::{Array, Dtype, Index, Result, load};
use ivy_frontend_torch as torch;
use torch::nn::functional as F;
use torch::{Methods, Tensor, Value, autograd, kw};

const TRAIN: usize = 1438;
const BATCH: usize = 128;

/// `nn.Conv2d(1, 16, 3, padding=1)`, `nn.Linear(256, 64)` and `nn.Linear(64, 10)`.
struct Network {
    conv: [Tensor; 2],
    hidden: [Tensor; 2],
    out: [Tensor; 2],
}

/// A weight and a bias as PyTorch's layers begin: uniform within one over the root of the fan-in.
fn layer(shape: &[usize]) -> Result<[Tensor; 2]> {
    let bound = (shape[1..].iter().product::<usize>() as f64).sqrt().recip();
    let new = |shape: &[usize]| -> Result<Tensor> {
        let shape = Value::from(shape);
        let mut weight = torch::zeros([shape], ())?;
        weight.uniform_(kw! { from_: -bound, to: bound })?;
        Ok(Tensor::from(autograd::require_grad(weight.ivy_array())?))
    };
    Ok([new(shape)?, new(&shape[..1])?])
}

impl Network {
    fn new() -> Result<Network> {
        Ok(Network { conv: layer(&[16, 1, 3, 3])?, hidden: layer(&[64, 256])?, out: layer(&[10, 64])? })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let x = F::conv2d(x, &self.conv[0], kw! { bias: &self.conv[1], padding: 1 })?;
        let x = F::avg_pool2d(&F::relu(&x, ())?, 2, ())?;
        let x = F::linear(
            &torch::flatten(&x, kw! { start_dim: 1 })?,
            &self.hidden[0],
            kw! { bias: &self.hidden[1] },
        )?;
        F::linear(&torch::relu(&x, ())?, &self.out[0], kw! { bias: &self.out[1] })
    }

    fn parameters(&mut self) -> impl Iterator<Item = &mut Tensor> {
        self.conv.iter_mut().chain(&mut self.hidden).chain(&mut self.out)
    }
}

/// `torch.optim.SGD(lr=0.1, momentum=0.9)`.
fn step(network: &mut Network, velocities: &mut [Option<Tensor>]) -> Result<()> {
    for (parameter, velocity) in network.parameters().zip(velocities) {
        let Some(gradient) = autograd::grad_of(parameter.ivy_array()) else { continue };
        let moved = match velocity.take() {
            Some(mut known) => {
                known.mul_(0.9, ())?;
                known.add_(&gradient, ())?;
                known
            }
            None => Tensor::from(gradient),
        };
        autograd::no_grad(|| parameter.sub_(&moved, kw! { alpha: 0.1 }))?;
        autograd::set_grad(parameter.ivy_array(), None)?;
        *velocity = Some(moved);
    }
    Ok(())
}

fn rows(x: &Array, start: usize, stop: usize) -> Result<Tensor> {
    let range = Index::Slice { start: Some(start as i64), stop: Some(stop as i64), step: 1 };
    x.get([range]).map(Tensor::from)
}

fn main() -> Result<()> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data");
    let images = ivy_core::functional::astype(load(format!("{folder}/digits_images.npy"))?, Dtype::FLOAT32)?;
    let images = ivy_core::functional::reshape(images, [-1, 1, 8, 8], ())?;
    let images = ivy_core::functional::divide(&images, 16.0)?;
    let labels = ivy_core::functional::astype(load(format!("{folder}/digits_labels.npy"))?, Dtype::INT64)?;
    torch::manual_seed(0, ())?;
    let mut network = Network::new()?;
    let mut velocities: Vec<Option<Tensor>> = (0..6).map(|_| None).collect();
    for epoch in 1..=5 {
        let mut total = 0.0;
        for start in (0..TRAIN - BATCH).step_by(BATCH) {
            let (x, y) = (rows(&images, start, start + BATCH)?, rows(&labels, start, start + BATCH)?);
            let loss = F::cross_entropy(&network.forward(&x)?, &y, ())?;
            loss.backward(())?;
            step(&mut network, &mut velocities)?;
            total += f64::from(loss.to_vec::<f32>()?[0]);
        }
        println!("epoch {epoch}: mean loss {:.3}", total / ((TRAIN - BATCH) / BATCH) as f64);
    }
    let (x, y) = (rows(&images, TRAIN, images.shape()[0])?, rows(&labels, TRAIN, images.shape()[0])?);
    let logits = autograd::no_grad(|| network.forward(&x))?;
    let right = torch::eq(&torch::argmax(&logits, kw! { dim: 1 })?, &y, ())?;
    let right = right.to_vec::<bool>()?.into_iter().filter(|&hit| hit).count();
    println!("{right} of {} digits are right", y.numel());
    Ok(())
}

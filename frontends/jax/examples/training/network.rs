//! A network for hand-written digits, as JAX's programs write one: parameters are a tree of arrays, the prediction is of
//! one image, and `vmap`, `grad` and `jit` make a training step of it.

use ivy_core::{Dtype, Index, Result, load};
use ivy_frontend_jax as jax;
use jax::{Array, Vmap, kw, nn, numpy as jnp, random, tree};
use std::path::Path;

const STEP_SIZE: f64 = 2.0;

/// The weights and biases of each layer.
pub type Params = Vec<(Array, Array)>;

/// Images `[n, 64]` of numbers from 0 to 1, and the digits that they show.
pub struct Digits {
    /// The images.
    pub images: Array,
    /// The digits.
    pub labels: Array,
}

/// What came of a training.
pub struct Outcome {
    /// The mean loss of each epoch.
    pub losses: Vec<f64>,
    /// How many images that were not trained on are told right.
    pub right: usize,
}

impl Digits {
    /// The digits of the examples, on the backend in force.
    pub fn load() -> Result<Digits> {
        // The example is one of this crate, and of the facade two folders above.
        let mut above =
            Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("examples/data"));
        let folder = above.find(|folder| folder.is_dir()).unwrap_or_default();
        let images = Array::from(load(folder.join("digits_images.npy"))?);
        let labels = Array::from(load(folder.join("digits_labels.npy"))?);
        let images = jnp::astype(&jnp::reshape(&images, (-1, 64), ())?, Dtype::FLOAT32, ())?;
        Ok(Digits {
            images: jnp::divide(&images, 16.0, ())?,
            labels: jnp::astype(&labels, Dtype::INT32, ())?,
        })
    }

    /// Those from `start` to before `stop`.
    pub fn rows(&self, start: usize, stop: usize) -> Result<Digits> {
        let range = [Index::Slice { start: Some(start as i64), stop: Some(stop as i64), step: 1 }];
        Ok(Digits { images: self.images.get(&range)?, labels: self.labels.get(&range)? })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.labels.numel()
    }
}

fn random_layer_params(m: usize, n: usize, key: &Array) -> Result<(Array, Array)> {
    let keys = random::split(key, ())?;
    let (w_key, b_key) = (keys.get([Index::Int(0)])?, keys.get([Index::Int(1)])?);
    let w = jnp::multiply(&random::normal(&w_key, kw! { shape: [n, m] })?, 0.1, ())?;
    let b = jnp::multiply(&random::normal(&b_key, kw! { shape: [n] })?, 0.1, ())?;
    Ok((w, b))
}

/// A pair for each layer, of the key.
pub fn init_network_params(sizes: &[usize], key: &Array) -> Result<Params> {
    let keys = random::split(key, kw! { num: sizes.len() - 1 })?;
    let layer = |(i, pair): (usize, &[usize])| {
        random_layer_params(pair[0], pair[1], &keys.get([Index::Int(i as i64)])?)
    };
    sizes.windows(2).enumerate().map(layer).collect()
}

/// The logarithms of the probabilities of the ten digits, for one image.
pub fn predict(params: &Params, image: &Array) -> Result<Array> {
    let mut activations = image.clone();
    for (place, (w, b)) in params.iter().enumerate() {
        let outputs = (jnp::dot(w, &activations, ())? + b).ok()?;
        activations = if place + 1 < params.len() { nn::relu(&outputs, ())? } else { outputs };
    }
    nn::log_softmax(&activations, ())
}

/// Likewise for a batch: `vmap(predict, in_axes=(None, 0))`.
pub fn batched_predict(params: &Params, images: &Array) -> Result<Array> {
    let axes = params.iter().flat_map(|_| [None, None]).chain([Some(0)]);
    let batched =
        jax::vmap(|(params, image): &(Params, Array)| predict(params, image), Vmap::new().in_axes(axes));
    batched(&(params.clone(), images.clone()))
}

/// The mean of the logarithms of the right answers' probabilities, with its sign changed.
pub fn loss(params: &Params, images: &Array, targets: &Array) -> Result<Array> {
    let right = jnp::multiply(&batched_predict(params, images)?, targets, ())?;
    jnp::negative(&jnp::mean(&right, ())?, ())
}

/// A step of gradient descent: the loss before it, and the parameters after it.
pub fn update((params, images, targets): &(Params, Array, Array)) -> Result<(Array, Params)> {
    let (value, grads) = jax::value_and_grad(|params: &Params| loss(params, images, targets))(params)?;
    Ok((value, tree::map2(|p, g| (p - STEP_SIZE * g).ok(), params, &grads)?))
}

/// Trains on the first digits, in batches, and tells the others.
pub fn train(digits: &Digits, count: usize, batch: usize, epochs: usize) -> Result<Outcome> {
    let mut params = init_network_params(&[64, 64, 10], &random::key(0, ())?)?;
    let update = jax::jit(update);
    let mut losses = Vec::new();
    for _ in 0..epochs {
        let (mut total, mut steps) = (0.0, 0);
        for start in (0..=count - batch).step_by(batch) {
            let part = digits.rows(start, start + batch)?;
            let targets = nn::one_hot(&part.labels, 10, ())?;
            let (value, next) = update(&(params, part.images, targets))?;
            total += value.ivy_array().to_scalar()?.to_f64();
            steps += 1;
            params = next;
        }
        losses.push(total / f64::from(steps));
    }
    let rest = digits.rows(count, digits.count())?;
    let answers = jnp::argmax(&batched_predict(&params, &rest.images)?, kw! { axis: 1 })?;
    let hits = jnp::equal(&answers, &rest.labels, ())?.to_vec::<bool>()?;
    Ok(Outcome { losses, right: hits.into_iter().filter(|&hit| hit).count() })
}

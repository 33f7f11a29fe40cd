"""A training loop in JAX's words: hand-written digits, a network of two layers, `jit`, `vmap` and `grad`.

    python examples/frontends/jax_training.py [BACKEND ...]

The one line that differs from a program for JAX is the import, and backends are what is added: on each that is named the
network is trained from the same key, and losses and answers are compared. The data are read by NumPy.
"""

import argparse
from pathlib import Path

import numpy as np

import ivyrs
import ivyrs.frontends.jax as jax

jnp = jax.numpy

DATA = Path(__file__).resolve().parents[1] / "data"
TRAIN, BATCH, EPOCHS = 1438, 64, 5
STEP_SIZE = 2.0


def random_layer_params(m, n, key, scale=0.1):
    """The weights and biases of a layer."""
    w_key, b_key = jax.random.split(key)
    return scale * jax.random.normal(w_key, (n, m)), scale * jax.random.normal(b_key, (n,))


def init_network_params(sizes, key):
    """A pair for each layer."""
    keys = jax.random.split(key, len(sizes) - 1)
    return [random_layer_params(m, n, k) for m, n, k in zip(sizes[:-1], sizes[1:], keys)]


def predict(params, image):
    """The logarithms of the probabilities of the ten digits, for one image."""
    activations = image
    for w, b in params[:-1]:
        activations = jax.nn.relu(jnp.dot(w, activations) + b)
    w, b = params[-1]
    return jax.nn.log_softmax(jnp.dot(w, activations) + b)


batched_predict = jax.vmap(predict, in_axes=(None, 0))


def loss(params, images, targets):
    """The mean of the logarithms of the right answers' probabilities, with its sign changed."""
    return -jnp.mean(batched_predict(params, images) * targets)


@jax.jit
def update(params, images, targets):
    """A step of gradient descent: the loss before it, and the parameters after it."""
    value, grads = jax.value_and_grad(loss)(params, images, targets)
    return value, jax.tree.map(lambda p, g: p - STEP_SIZE * g, params, grads)


def train(images, labels):
    """The mean loss of each epoch, and how many of the images that were not trained on are told right."""
    params = init_network_params([64, 64, 10], jax.random.key(0))
    targets = jax.nn.one_hot(labels, 10)
    losses = []
    for _ in range(EPOCHS):
        total, steps = 0.0, 0
        for start in range(0, TRAIN - BATCH + 1, BATCH):
            part = slice(start, start + BATCH)
            value, params = update(params, images[part], targets[part])
            total, steps = total + float(value), steps + 1
        losses.append(total / steps)
    answers = jnp.argmax(batched_predict(params, images[TRAIN:]), axis=1)
    return losses, int(jnp.sum(answers == labels[TRAIN:]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("backends", nargs="*", default=["ndarray"])
    given = arguments.parse_args()
    pixels = (np.load(DATA / "digits_images.npy").reshape(-1, 64) / 16).astype(np.float32)
    digits = np.load(DATA / "digits_labels.npy").astype(np.int32)
    first = None
    for backend in given.backends:
        with ivyrs.with_backend(backend):
            losses, right = train(jnp.asarray(pixels), jnp.asarray(digits))
        first = first or (losses, right)
        told = ", ".join(f"{value:.4f}" for value in losses)
        print(f"{backend}: losses {told}; {right} of {len(digits) - TRAIN} digits are right")
        assert max(abs(a - b) for a, b in zip(first[0], losses)) < 1e-4, "the losses are those of the first backend"
        assert abs(first[1] - right) <= 1, "the answers are those of the first backend"


if __name__ == "__main__":
    main()

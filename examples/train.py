#!/usr/bin/env python3
"""Trains a convolutional network on hand-written digits, the network of `examples/train.rs` in thirty lines.

    python3 examples/train.py [BACKEND] [--epochs N]      (the preferred backend and 12 by default)

Needs `pip install ./bindings/python` and NumPy, which reads the images.
"""

import argparse
from math import cos, pi
from pathlib import Path

import numpy as np

import ivyrs as ivy

DATA = Path(__file__).parent / "data"


def main(backend=None, epochs=12, batch=64, train=1438):
    if backend:
        ivy.set_backend(backend)
    source = ivy.Generator(2026)
    images = ivy.asarray(np.load(DATA / "digits_images.npy").reshape(-1, 8, 8, 1).astype("float32")) / 16.0
    labels = ivy.asarray(np.load(DATA / "digits_labels.npy").astype("int64"))

    def weights(*shape):  # He's: as much variance goes out as comes in
        return ivy.random_normal(shape=shape, std=(2 / np.prod(shape[:-1])) ** 0.5, seed=source)

    shapes = {"conv1": (3, 3, 1, 16), "conv2": (3, 3, 16, 32), "dense1": (512, 64), "dense2": (64, 10)}
    model = {name: {"w": weights(*shape), "b": ivy.zeros(shape[-1])} for name, shape in shapes.items()}

    def network(model, x, draws=None):
        for name in ("conv1", "conv2"):
            x = ivy.relu(ivy.conv2d(x, model[name]["w"], 1, "SAME") + model[name]["b"])
        x = ivy.reshape(ivy.max_pool2d(x, 2, 2, "VALID"), (-1, 512))
        x = x if draws is None else ivy.dropout(x, 0.3, seed=draws)
        return ivy.relu(x @ model["dense1"]["w"] + model["dense1"]["b"]) @ model["dense2"]["w"] + model["dense2"]["b"]

    def loss(model, x, y, draws):
        return ivy.sparse_cross_entropy(y, network(model, x, draws), from_logits=True)

    step, steps = 0, epochs * (train // batch)
    means, squares = [ivy.nested_map(ivy.zeros_like, model, shallow=False) for _ in range(2)]
    for epoch in range(epochs):
        order = ivy.permutation(n=train, seed=source)
        for start in range(0, train - batch + 1, batch):
            chosen, step = order[start : start + batch], step + 1
            x, y = ivy.take(images, chosen, axis=0), ivy.take(labels, chosen, axis=0)
            value, gradient = ivy.value_and_grad(loss)(model, x, y, source.fold_in(step))
            rate = 4e-3 * (1 + cos(pi * step / steps)) / 2
            for name, layer in model.items():  # Adam
                for key, g in gradient[name].items():
                    mean = means[name][key] = 0.9 * means[name][key] + 0.1 * g
                    square = squares[name][key] = 0.999 * squares[name][key] + 0.001 * g * g
                    shift = mean / (1 - 0.9**step) / (ivy.sqrt(square / (1 - 0.999**step)) + 1e-8)
                    layer[key] = layer[key] - rate * shift
        print(f"\repoch {epoch + 1} of {epochs}: loss {float(value):.3f}", end="", flush=True)
    right = ivy.mean(ivy.astype(ivy.argmax(network(model, images[train:]), axis=1) == labels[train:], ivy.float32))
    print(f"\n{float(right):.1%} of the held-out images are read rightly")
    return float(right)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("backend", nargs="?")
    parser.add_argument("--epochs", type=int, default=12)
    arguments = parser.parse_args()
    raise SystemExit(0 if main(arguments.backend, arguments.epochs) > 0.9 or arguments.epochs < 12 else 1)

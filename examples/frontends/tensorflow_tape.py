"""A curve that a small network is fitted to with TensorFlow's GradientTape: variables, a loss under the tape, its gradients,
and steps of gradient descent.

    python examples/frontends/tensorflow_tape.py [BACKEND ...]

The one line that differs from a program for TensorFlow is the import. On every backend that is named the fit runs and the
losses are compared.
"""

import argparse

import ivyrs.frontends.tensorflow as tf

# How far two backends may be apart, relative to the loss: float32, added in another order.
APART = 1e-4


class Model:
    """A hidden layer of tanh, and a linear one."""

    def __init__(self, units):
        """A model that begins the same in every run: bends spread over the curve, which the second layer has yet to weight."""
        hidden = tf.linspace(1.0, 3.0, units)
        offset = tf.linspace(-4.0, 4.0, units)
        self.w1 = tf.Variable(tf.reshape(hidden, (1, units)))
        self.b1 = tf.Variable(offset)
        self.w2 = tf.Variable(tf.zeros((units, 1)))
        self.b2 = tf.Variable(tf.zeros([1]))

    def __call__(self, x):
        """The model's answer to a column of numbers."""
        hidden = tf.matmul(x, self.w1) + self.b1
        return tf.matmul(tf.tanh(hidden), self.w2) + self.b2

    @property
    def trainable_variables(self):
        """What is trained."""
        return [self.w1, self.b1, self.w2, self.b2]


def curve(count):
    """The curve at places from -2 to 2: ``x^2 + 2x - 5`` with a ripple that no model of few units follows."""
    x = tf.reshape(tf.linspace(-2.0, 2.0, count), (count, 1))
    ripple = tf.sin(x * 30.0) * 0.25
    y = tf.square(x) + x * 2.0 - 5.0 + ripple
    return x, y


def mse(y_true, y_pred):
    """The mean of the squared differences."""
    return tf.reduce_mean(tf.square(y_true - y_pred))


def train(model, data, steps, learning_rate):
    """Steps of gradient descent; the loss before each of them."""
    x, y = data
    losses = []
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = mse(y, model(x))
        variables = model.trainable_variables
        gradients = tape.gradient(loss, variables)
        for variable, gradient in zip(variables, gradients):
            variable.assign_sub(gradient * learning_rate)
        losses.append(float(loss))
    return losses


def fit(units, count, steps):
    """The fit on the current backend: the loss before each step."""
    return train(Model(units), curve(count), steps, 0.05)


def main():
    # The fit itself knows TensorFlow's names only: the script that records TensorFlow's losses runs it as well.
    import ivyrs

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("backends", nargs="*", default=["ndarray"])
    names = arguments.parse_args().backends
    first = None
    for name in names:
        with ivyrs.with_backend(name):
            losses = fit(16, 201, 400)
        first = first or losses
        apart = max(abs(a - b) / abs(a) for a, b in zip(first, losses))
        print(f"{name}: the loss goes from {losses[0]:.4f} to {losses[-1]:.4f}, {apart:.1e} apart from {names[0]} at most")
        assert apart <= APART


if __name__ == "__main__":
    main()

"""Records TensorFlow's gradients: of calls, of a line that is fitted, and of the curve of
`examples/frontends/tensorflow_tape.py`. Written to `frontends/tensorflow/tests/tape` and `tests/curve`.

    /tmp/venv/bin/python tools/record_frontend/tensorflow_tape.py

A call is recorded as `common.py` says, with `"grad"`, the places of the arguments that are watched, and as `"r"` the
gradients by these of the sum of the result's elements, weighted by 1, 2, 3 and so on.
"""

import json

import tensorflow_cases  # sets TensorFlow's environment before it is imported

import tensorflow as tf

import common
from tensorflow_chapters import f4, f8, i4, ramp

FOLDER = tensorflow_cases.ROOT / "frontends/tensorflow/tests/tape"
CURVE = tensorflow_cases.ROOT / "frontends/tensorflow/tests/curve"
EXAMPLE = tensorflow_cases.ROOT / "examples/frontends/tensorflow_tape.py"
HEADER = {
    "package": "tensorflow",
    "version": tf.__version__,
    "licence": "Apache-2.0",
    "generator": "tools/record_frontend/tensorflow_tape.py",
}

X = f8([[0.5, -1.25, 2.0], [0.75, 1.5, -0.5]])
SQUARE = f8([[4.0, 1.0], [2.0, 3.0]])
CALLS = [
    *((f"math.{name}", [f8([0.5, 1.25])], [0]) for name in "exp log sqrt sin tanh sigmoid rsqrt erf lgamma softplus abs".split()),
    *((f"math.{name}", [f8([1.5, -2.0]), f8([0.5, 3.0])], [0, 1]) for name in "add subtract multiply divide maximum".split()),
    ("math.pow", [f8([1.5, 2.0]), f8([2.0, 0.5])], [0, 1]),
    ("math.multiply", [f8([[1.0], [2.0]]), f8([3.0, 4.0])], [0, 1]),
    *((f"math.reduce_{name}", [X], [0]) for name in "sum mean max min logsumexp variance".split()),
    ("math.reduce_prod", [X, 1], [0]),
    ("math.cumsum", [X, 1], [0]),
    ("math.divide_no_nan", [f8([1.0, 2.0]), f8([0.0, 4.0])], [0, 1]),
    ("math.segment_sum", [X, i4([0, 0])], [0]),
    ("linalg.matmul", [X, f8([[1.0], [2.0], [0.5]])], [0, 1]),
    ("linalg.det", [SQUARE], [0]),
    ("linalg.inv", [SQUARE], [0]),
    ("linalg.norm", [X], [0]),
    ("reshape", [X, [3, 2]], [0]),
    ("transpose", [X], [0]),
    ("gather", [X, i4([1, 1])], [0]),
    ("pad", [X, [[1, 0], [0, 1]]], [0]),
    ("clip_by_value", [X, -1.0, 1.0], [0]),
    *((f"nn.{name}", [X], [0]) for name in "relu elu selu gelu softmax log_softmax leaky_relu".split()),
    ("nn.l2_loss", [X], [0]),
    ("nn.softmax_cross_entropy_with_logits", [f8([[0.5, 0.25, 0.25], [0.125, 0.75, 0.125]]), X], [1]),
    ("nn.sparse_softmax_cross_entropy_with_logits", [i4([0, 2]), X], [1]),
    ("nn.sigmoid_cross_entropy_with_logits", [f8([0.0, 1.0]), f8([0.5, -1.0])], [1]),
    ("nn.conv2d", [ramp((1, 3, 3, 1), "float64"), ramp((2, 2, 1, 1), "float64"), 1, "VALID"], [0, 1]),
    ("nn.max_pool2d", [ramp((1, 4, 4, 1), "float64"), 2, 2, "VALID"], [0]),
    ("nn.avg_pool2d", [ramp((1, 4, 4, 1), "float64"), 2, 2, "SAME"], [0]),
]


def gradient(path, arguments, places):
    """The record of a call and its gradients."""
    watched = [arguments[place] for place in places]
    with tf.GradientTape() as tape:
        for tensor in watched:
            tape.watch(tensor)
        result = tensorflow_cases.resolve(path)(*arguments)
        weights = tf.reshape(tf.range(1, tf.size(result) + 1), tf.shape(result))
        total = tf.reduce_sum(result * tf.cast(weights, result.dtype))
    describe = tensorflow_cases.describe
    return {
        "f": path,
        "a": [common.encode(value, describe) for value in arguments],
        "grad": places,
        # Rows by number, which gathering gives, are a tensor as well.
        "r": common.encode([tf.convert_to_tensor(found) for found in tape.gradient(total, watched)], describe),
    }


def fit():
    """The losses of a line that is fitted by gradient descent, and the line."""
    x = tf.range(8, dtype=tf.float32) / 4
    y = 3.0 * x - 1.0 + tf.constant([0.125, -0.125] * 4)
    slope, offset = tf.Variable(0.0), tf.Variable(0.0)
    losses = []
    for _ in range(40):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(slope * x + offset - y))
        by_slope, by_offset = tape.gradient(loss, [slope, offset])
        slope.assign_sub(0.25 * by_slope)
        offset.assign_sub(0.25 * by_offset)
        losses.append(common.shortest(float(loss), "float32"))
    return {
        "x": x.numpy().tolist(),
        "y": y.numpy().tolist(),
        "losses": losses,
        "slope": common.shortest(float(slope), "float32"),
        "offset": common.shortest(float(offset), "float32"),
    }


def curve(units, count, steps):
    """The losses of the example's fit, whose program runs here with TensorFlow itself."""
    program = EXAMPLE.read_text().replace("import ivyrs.frontends.tensorflow as tf", "import tensorflow as tf")
    names = {"__name__": "example"}
    exec(compile(program, str(EXAMPLE), "exec"), names)
    losses = [common.shortest(loss, "float32") for loss in names["fit"](units, count, steps)]
    return {"units": units, "count": count, "steps": steps, "losses": losses}


def main():
    for folder in (FOLDER, CURVE):
        folder.mkdir(parents=True, exist_ok=True)
    lines = [HEADER, *(gradient(*call) for call in CALLS)]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    (FOLDER / "gradients.jsonl").write_text(text)
    (FOLDER / "fit.json").write_text(json.dumps(HEADER | fit(), separators=(",", ":")) + "\n")
    (CURVE / "losses.json").write_text(json.dumps(HEADER | curve(4, 21, 12), separators=(",", ":")) + "\n")
    print(f"{len(lines) - 1} gradients and two fits")


if __name__ == "__main__":
    main()

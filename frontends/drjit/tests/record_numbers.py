"""Asks Dr.Jit for the numbers of data/textures.tsv and data/signals.tsv anew: `DRJIT_LIBLLVM_PATH=... python record_numbers.py`
(drjit 1.5.0)."""

import itertools
import pathlib

import drjit as dr
import drjit.llvm as L
import drjit.llvm.ad as A
from drjit.opt import SGD, Adam, AdamW, RMSProp

DATA = pathlib.Path(__file__).parent / "data"
SOURCE = "# Answers of drjit 1.5.0 (BSD 3-Clause licence, https://github.com/mitsuba-renderer/drjit), read off by record_numbers.py on x86-64 with LLVM 22:"
PLACES = (
    [-1.3, -0.4, -0.05, 0.0, 0.1, 0.31, 0.5, 0.77, 0.999, 1.0, 1.2, 2.6],
    [0.2, 0.9, 1.4, -0.7, 0.55, 0.5, 0.01, 0.6, -0.1, 0.35, 0.8, 0.45],
    [0.6, -0.2, 0.3, 0.95, 0.5, 1.7, 0.15, 0.4, 0.05, 0.7, -1.1, 0.85],
)


def numbers(values):
    return " ".join("%.8g" % float(value) for value in values)


def texture_rows():
    kinds = ((L.Texture1f, (4, 2)), (L.Texture2f, (3, 4, 2)), (L.Texture3f, (2, 3, 4, 1)))
    for dimensions, (kind, shape) in enumerate(kinds, 1):
        elements = [((i * 7) % 11) * 0.5 - 1 for i in range(dr.prod(shape))]
        tensor = L.TensorXf(elements, shape=shape)
        axes = [L.Float(PLACES[i]) for i in range(dimensions)]
        place = (L.Array1f, L.Array2f, L.Array3f)[dimensions - 1](*axes)
        for wrap, filter in itertools.product(("Repeat", "Clamp", "Mirror"), ("Nearest", "Linear")):
            modes = {"filter_mode": getattr(dr.FilterMode, filter), "wrap_mode": getattr(dr.WrapMode, wrap)}
            texture = kind(tensor, **modes)
            found = [("eval", texture.eval(place))]
            if filter == "Linear":
                found += [(f"fetch {k}", value) for k, value in enumerate(texture.eval_fetch(place))]
                found += [("cubic", texture.eval_cubic(place))]
                slopes = texture.eval_cubic_grad(place)[1]
                found += [(f"slope {k}", [slope[k] for slope in slopes]) for k in range(dimensions)]
                if dimensions == 3:
                    bends = texture.eval_cubic_hessian(place)[2]
                    for i, j in itertools.product(range(3), range(3)):
                        found += [(f"bend {i} {j}", [bend[i][j] for bend in bends])]
            for what, channels in found:
                for channel in range(shape[-1]):
                    yield dimensions, what, filter, wrap, channel, numbers(channels[channel])


SIGNAL = [0.5, -1.0, 2.0, 3.5, -0.25, 1.0, 0.0, 4.0]
FILTERS = ("box", "linear", "hamming", "cubic", "lanczos", "gaussian")
BOUNDARIES = ("zero", "nearest", "wrap", "reflect", "mirror")


def signal_rows():
    signal = L.Float(SIGNAL)
    for filter, boundary in itertools.product(FILTERS, BOUNDARIES):
        for size in (3, 5, 12):
            value = dr.resample(signal, (size,), filter=filter, boundary=boundary)
            yield "resample", filter, boundary, size, numbers(value)
        for radius, normalize in itertools.product((None, 2.5), (False, True)):
            value = dr.convolve(signal, filter, radius, boundary=boundary, normalize=normalize)
            yield "convolve", filter, boundary, f"{radius} {normalize}", numbers(value)
    for boundary, kernel in itertools.product(BOUNDARIES, ([1, 0, -1], [1, 2, 3, 4])):
        for normalize in (False, True) if sum(kernel) else (False,):
            value = dr.convolve(signal, kernel, boundary=boundary, normalize=normalize)
            yield "convolve", " ".join(map(str, kernel)), boundary, f"None {normalize}", numbers(value)
    optimisers = {
        "SGD": SGD(0.1),
        "SGD momentum": SGD(0.1, momentum=0.9),
        "SGD nesterov": SGD(0.1, momentum=0.9, nesterov=True),
        "RMSProp": RMSProp(0.1),
        "RMSProp epsilon": RMSProp(0.1, alpha=0.9, epsilon=1e-2),
        "Adam": Adam(0.1),
        "Adam epsilon": Adam(0.1, beta_1=0.8, beta_2=0.9, epsilon=1e-2),
        "Adam uniform": Adam(0.1, uniform=True),
        "Adam amsgrad": Adam(0.1, amsgrad=True),
        "Adam masked": Adam(0.1, mask_updates=True),
        "AdamW": AdamW(0.1, weight_decay=0.05),
    }
    for name, optimiser in optimisers.items():
        optimiser["x"] = A.Float([1.0, -2.0, 0.5, 3.0])
        for _ in range(6):
            x = optimiser["x"]
            dr.backward(dr.sum(dr.square(dr.maximum(x, 0.25) - A.Float([0.0, 1.0, 2.0, -1.0])) * x))
            optimiser.step()
        yield "opt", name, "-", 6, numbers(optimiser["x"])
    for kind, draw in itertools.product(("Float16", "Float", "Float64"), ("random", "normal")):
        rng = dr.rng(seed=5)
        for turn in range(2):
            yield "rng", draw, kind, turn, numbers(getattr(rng, draw)(getattr(L, kind), 4))
    rng = dr.rng(seed=5)
    yield "rng", "uniform", "Float", 0, numbers(rng.uniform(L.Float, 4, -2, 3))
    for turn in range(2):
        yield "rng", "integers", "Int", turn, numbers(rng.integers(L.Int, 4, -5, 1000))
        yield "rng", "random", "Array3f", turn, numbers(dr.ravel(rng.random(L.Array3f, (3, 2))))
        yield "rng", "random", "TensorXf", turn, numbers(rng.random(L.TensorXf, (2, 2)).array)


def write(name, what, rows):
    lines = [SOURCE, what] + ["\t".join(map(str, row)) for row in rows]
    (DATA / name).write_text("\n".join(lines) + "\n")


write(
    "textures.tsv",
    "# textures of the elements ((7 i) mod 11) / 2 - 1 and the shapes (4, 2), (3, 4, 2), (2, 3, 4, 1): dimensions, what, filter, wrap, channel, numbers.",
    texture_rows(),
)
write(
    "signals.tsv",
    "# `resample`, `convolve` (filter, boundary, size or radius and whether normalised), optimisers and random numbers, with the numbers that come out.",
    signal_rows(),
)

"""The Mandelbrot set: mandelbrot.py PICTURE [--width N] [--mode symbolic|evaluated|scalar]."""

import argparse

import ivyrs.drjit as dr
from ivyrs.drjit.llvm import Array3f, Complex2f, Float, Int
from ivyrs.taichi.tools import imwrite


@dr.syntax
def escape(c, most, mode):
    """How often each number is squared and added to until it is beyond 2."""
    z, iterations = type(c)(c), dr.int32_array_t(type(c.real))(0)
    while dr.hint((dr.squared_norm(z) < 4) & (iterations < most), mode=mode):
        z = z * z + c
        iterations += 1
    return iterations


def plane(width):
    """The numbers of a picture of three by two, by rows."""
    x, y = dr.linspace(Float, -2, 1, width, endpoint=False), dr.linspace(Float, -1, 1, width * 2 // 3, endpoint=False)
    return Complex2f(*dr.meshgrid(x, y))


def iterations_of(width, most, mode):
    if mode != "scalar":
        return escape(plane(width), most, mode)
    # One number after the other, as Python does it: the same function on single values.
    from ivyrs.drjit.scalar import Complex2f as Single

    @dr.syntax
    def one(c):
        z, iterations = c, 0
        while dr.squared_norm(z) < 4 and iterations < most:
            z = z * z + c
            iterations += 1
        return iterations

    c = plane(width)
    return Int([one(Single(re, im)) for re, im in zip(c.real, c.imag, strict=True)])


def colours(iterations, most):
    """Colours of how often numbers went round: black for those that never ended."""
    part = Float(iterations) / most
    wave = [dr.cos(part * 18 + phase) * 0.5 + 0.5 for phase in (3.0, 3.6, 4.2)]
    return dr.select(part > 0.999, 0, Array3f(*wave))


def main(options=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", help="the PNG file to write")
    parser.add_argument("--width", type=int, default=768, help="columns of the picture")
    parser.add_argument("--mode", choices=["symbolic", "evaluated", "scalar"], default="symbolic", help="how the loop is done")
    given = parser.parse_args(options)
    iterations = iterations_of(given.width, 200, given.mode)
    picture = colours(iterations, 200).numpy().reshape(3, given.width * 2 // 3, given.width)
    # From rows downwards to columns upwards, as Taichi's pictures are.
    imwrite(picture.transpose(2, 1, 0)[:, ::-1], given.picture)
    return iterations


if __name__ == "__main__":
    main()

"""A Julia set, as Taichi's first example has it: julia.py PICTURE [--size N] [--time T]."""

import argparse

import ivyrs.taichi as ti


@ti.func
def complex_sqr(z):
    return ti.Vector([z[0] ** 2 - z[1] ** 2, z[1] * z[0] * 2])


@ti.kernel
def paint(pixels: ti.template(), t: float):
    for i, j in pixels:
        c = ti.Vector([-0.8, ti.cos(t) * 0.2])
        z = ti.Vector([i / pixels.shape[1] - 1, j / pixels.shape[1] - 0.5]) * 2
        iterations = 0
        while z.norm() < 20 and iterations < 50:
            z = complex_sqr(z) + c
            iterations += 1
        pixels[i, j] = 1 - iterations * 0.02


def main(options=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", help="the PNG file to write")
    parser.add_argument("--size", type=int, default=320, help="rows of the picture, which has twice as many columns")
    parser.add_argument("--time", type=float, default=0.9, help="which set it is")
    given = parser.parse_args(options)
    ti.init(arch=ti.cpu)
    pixels = ti.field(dtype=float, shape=(given.size * 2, given.size))
    paint(pixels, given.time)
    ti.tools.imwrite(pixels, given.picture)


if __name__ == "__main__":
    main()

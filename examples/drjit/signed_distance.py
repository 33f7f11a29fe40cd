"""A scene that is a distance, lit by its slopes: signed_distance.py PICTURE [--size N].

Rays go on by how far the nearest surface is until they are there (J. Hart 1996); the distance's gradients are the surfaces' slopes.
"""

import argparse

import ivyrs.drjit as dr
from ivyrs.drjit.llvm.ad import Array2f, Array3f, Float, Int
from ivyrs.taichi.tools import imwrite

FAR = 20.0
NEAR = 1e-3


def distance(p):
    """The distance of points from a ball, half sunk into a ring, above a floor."""
    ball = dr.norm(p) - 1
    ring = dr.norm(Array2f(dr.norm(p.xz) - 1.4, p.y + 0.25)) - 0.25
    # The two melt into each other where they are near.
    blend = dr.maximum(0.2 - dr.abs(ball - ring), 0)
    return dr.minimum(dr.minimum(ball, ring) - blend * blend * 1.25, p.y + 1)


@dr.syntax
def march(origin, direction):
    """How far rays go until they meet something."""
    far, steps = Float(0.02), Int(0)
    near = distance(origin + far * direction)
    while (near > NEAR) & (far < FAR) & (steps < 100):
        near = distance(origin + far * direction)
        far += near
        steps += 1
    return far


def render(size):
    number = dr.arange(Int, size * size)
    x, y = (Float(own) + 0.5 for own in (number % size, number // size))
    x, y = x * (2 / size) - 1, y * (2 / size) - 1
    # From above, before the ball: what is in the middle of the picture is the origin.
    eye = Array3f(0, 1.5, -4)
    ahead, up, right = dr.normalize(-eye), dr.normalize(Array3f(0, 4, 1.5)), Array3f(1, 0, 0)
    direction = dr.normalize(ahead + right * (x * 0.6) - up * (y * 0.6))
    far = march(eye, direction)
    point = eye + far * direction

    dr.enable_grad(point)
    dr.backward(dr.sum(distance(point)))
    normal = dr.normalize(point.grad)
    point = dr.detach(point)

    light = dr.normalize(Array3f(1, 2, -1.5))
    # A little outside of the surface, so that it does not shade itself.
    shadow = march(point + normal * 0.02, light) < FAR
    lit = dr.select(shadow, 0, dr.maximum(dr.dot(normal, light), 0))
    squares = (Int(dr.floor(point.x * 2)) + Int(dr.floor(point.z * 2))) & 1
    paint = dr.select(point.y < -0.99, Array3f(0.7 - Float(squares) * 0.4), Array3f(0.9, 0.35, 0.15))
    return dr.select(far < FAR, paint * (lit * 0.85 + 0.15), Array3f(0.55, 0.7, 0.95))


def main(options=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", help="the PNG file to write")
    parser.add_argument("--size", type=int, default=512, help="rows and columns of the picture")
    given = parser.parse_args(options)
    picture = render(given.size).numpy().reshape(3, given.size, given.size)
    # From rows downwards to columns upwards, as Taichi's pictures are.
    imwrite(picture.transpose(2, 1, 0)[:, ::-1], given.picture)
    return picture


if __name__ == "__main__":
    main()

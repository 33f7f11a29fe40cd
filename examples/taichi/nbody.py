"""Bodies that attract each other, in structs side by side or in an array for each member: nbody.py PICTURE [--layout aos|soa] [--bodies N] [--steps N]."""

import argparse

import ivyrs.taichi as ti


@ti.dataclass
class Body:
    position: ti.math.vec3
    velocity: ti.math.vec3
    mass: float


@ti.kernel
def start(bodies: ti.template()):
    for i in bodies:
        # A disc that turns.
        angle, radius = ti.random() * 6.2831853, ti.sqrt(ti.random()) * 0.8 + 0.1
        direction = ti.Vector([ti.cos(angle), ti.sin(angle), 0.0])
        bodies[i].position = direction * radius + ti.Vector([0.0, 0.0, (ti.random() - 0.5) * 0.05])
        bodies[i].velocity = ti.Vector([-direction.y, direction.x, 0.0]) * ti.sqrt(radius)
        bodies[i].mass = 1.0 / bodies.shape[0]


@ti.kernel
def step(bodies: ti.template(), dt: float):
    for i in bodies:
        at = bodies[i].position
        pull = ti.Vector([0.0, 0.0, 0.0])
        for j in range(bodies.shape[0]):
            away = bodies[j].position - at
            square = away.norm_sqr() + 1e-3
            pull += away * (bodies[j].mass / (square * ti.sqrt(square)))
        bodies[i].velocity += pull * dt
    for i in bodies:
        bodies[i].position += bodies[i].velocity * dt


@ti.kernel
def draw(bodies: ti.template(), pixels: ti.template()):
    for i in bodies:
        at = int((bodies[i].position * 0.4 + 0.5) * pixels.shape[0])
        for k, l in ti.static(ti.ndrange((-1, 2), (-1, 2))):
            x, y = at.x + k, at.y + l
            if 0 <= x < pixels.shape[0] and 0 <= y < pixels.shape[1]:
                pixels[x, y] += ti.Vector([0.35, 0.3, 0.2]) * (0.4 if k * l else 0.8)


def main(options=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", help="the PNG file to write")
    parser.add_argument("--layout", choices=["aos", "soa"], default="aos")
    parser.add_argument("--bodies", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=60)
    given = parser.parse_args(options)
    ti.init(arch=ti.cpu)
    bodies = Body.field(shape=given.bodies, layout=ti.Layout.AOS if given.layout == "aos" else ti.Layout.SOA)
    start(bodies)
    for _ in range(given.steps):
        step(bodies, 0.02)
    pixels = ti.Vector.field(3, float, (512, 512))
    draw(bodies, pixels)
    ti.tools.imwrite(pixels, given.picture)
    return bodies


if __name__ == "__main__":
    main()

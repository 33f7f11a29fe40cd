"""MLS-MPM of a block of liquid that falls, in a dense grid: mpm88.py PICTURE [--particles N] [--grid N] [--steps N]."""

import argparse

import ivyrs.taichi as ti


@ti.data_oriented
class Liquid:
    def __init__(self, particles, grid):
        self.n_particles, self.n_grid = particles, grid
        self.dx, self.dt = 1 / grid, 2e-4 * 128 / grid
        self.p_vol = (self.dx * 0.5) ** 2
        self.gravity, self.bound, self.E = 9.8, 3, 400.0
        self.p_mass = self.p_vol
        self.x = ti.Vector.field(2, float, particles)
        self.v = ti.Vector.field(2, float, particles)
        self.C = ti.Matrix.field(2, 2, float, particles)
        self.J = ti.field(float, particles)
        self.grid_v = ti.Vector.field(2, float, (grid, grid))
        self.grid_m = ti.field(float, (grid, grid))

    @ti.kernel
    def init(self):
        for i in range(self.n_particles):
            self.x[i] = [ti.random() * 0.4 + 0.2, ti.random() * 0.4 + 0.2]
            self.v[i] = [0, -1]
            self.J[i] = 1

    @ti.kernel
    def substep(self):
        for i, j in self.grid_m:
            self.grid_v[i, j] = [0, 0]
            self.grid_m[i, j] = 0
        for p in self.x:
            xp = self.x[p] / self.dx
            base = int(xp - 0.5)
            fx = xp - base
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
            stress = -self.dt * 4 * self.E * self.p_vol * (self.J[p] - 1) / self.dx**2
            affine = ti.Matrix([[stress, 0], [0, stress]]) + self.p_mass * self.C[p]
            for i, j in ti.static(ti.ndrange(3, 3)):
                offset = ti.Vector([i, j])
                dpos = (offset - fx) * self.dx
                weight = w[i].x * w[j].y
                self.grid_v[base + offset] += weight * (self.p_mass * self.v[p] + affine @ dpos)
                self.grid_m[base + offset] += weight * self.p_mass
        for i, j in self.grid_m:
            if self.grid_m[i, j] > 0:
                self.grid_v[i, j] /= self.grid_m[i, j]
            self.grid_v[i, j].y -= self.dt * self.gravity
            if i < self.bound and self.grid_v[i, j].x < 0:
                self.grid_v[i, j].x = 0
            if i > self.n_grid - self.bound and self.grid_v[i, j].x > 0:
                self.grid_v[i, j].x = 0
            if j < self.bound and self.grid_v[i, j].y < 0:
                self.grid_v[i, j].y = 0
            if j > self.n_grid - self.bound and self.grid_v[i, j].y > 0:
                self.grid_v[i, j].y = 0
        for p in self.x:
            xp = self.x[p] / self.dx
            base = int(xp - 0.5)
            fx = xp - base
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
            new_v = ti.Vector.zero(float, 2)
            new_C = ti.Matrix.zero(float, 2, 2)
            for i, j in ti.static(ti.ndrange(3, 3)):
                offset = ti.Vector([i, j])
                dpos = (offset - fx) * self.dx
                weight = w[i].x * w[j].y
                g_v = self.grid_v[base + offset]
                new_v += weight * g_v
                new_C += 4 * weight * g_v.outer_product(dpos) / self.dx**2
            self.v[p] = new_v
            self.x[p] += self.dt * self.v[p]
            self.J[p] *= 1 + self.dt * new_C.trace()
            self.C[p] = new_C

    @ti.kernel
    def draw(self, pixels: ti.template()):
        for i, j in pixels:
            pixels[i, j] = [0.067, 0.184, 0.255]
        for p in self.x:
            at = int(self.x[p] * pixels.shape[0])
            for i, j in ti.static(ti.ndrange((-1, 2), (-1, 2))):
                pixels[at + ti.Vector([i, j])] = [0.027, 0.522, 0.529]


def main(options=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", help="the PNG file to write")
    parser.add_argument("--particles", type=int, default=8192)
    parser.add_argument("--grid", type=int, default=128)
    parser.add_argument("--steps", type=int, default=1500)
    given = parser.parse_args(options)
    ti.init(arch=ti.cpu, fast=True)
    liquid = Liquid(given.particles, given.grid)
    liquid.init()
    for _ in range(given.steps):
        liquid.substep()
    pixels = ti.Vector.field(3, float, (512, 512))
    liquid.draw(pixels)
    ti.tools.imwrite(pixels, given.picture)
    return liquid


if __name__ == "__main__":
    main()

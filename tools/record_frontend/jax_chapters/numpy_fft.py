"""Calls of jax.numpy.fft."""


def calls(jax, v):
    f = jax.numpy.fft
    x = v.f([1.0, 2.0, 0.5, -1.0])
    z = v.c([1 + 1j, 2, -1j, 0.5])
    grid = v.f([[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]])
    for name in "fft ifft rfft irfft hfft ihfft".split():
        g = getattr(f, name)
        g(z if name in ("fft", "ifft", "irfft", "hfft") else x)
        g(x)
        g(x, n=6)
        g(x, 3, norm="ortho")
        g(grid, axis=0)
        g(v.i([1, 2, 3, 4]))
        g(x, norm="forward")
        g(x, norm="unknown")
        g(x, axis=2)
    for name in "fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split():
        g = getattr(f, name)
        g(grid)
        g(grid, s=(2, 2))
        g(grid, axes=(0, 1), norm="ortho")
    f.fft2(x)
    f.fftn(grid, axes=(1,))
    f.rfftn(v.f([[[1.0, 2.0], [3.0, 4.0]]]))
    f.fft(z, n=0)
    for name in "fftshift ifftshift".split():
        g = getattr(f, name)
        g(v.i([0, 1, 2, 3, 4]))
        g(grid)
        g(grid, axes=1)
        g(grid, axes=(0,))
    for name in "fftfreq rfftfreq".split():
        g = getattr(f, name)
        g(5)
        g(4, d=0.5)
        g(4, 0.1)
        g(6, dtype="float16")
        g(2.5)

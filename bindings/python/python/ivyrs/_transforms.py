"""Ivy's Fourier transforms in the main namespace, whose axes come by position; ``fft`` is a module that can be called."""


def _given(**optional):
    return {name: value for name, value in optional.items() if value is not None}


def functions(extension):
    """What the main namespace gets, of the extension's functions by name."""

    def ifft(x, dim=-1, *, norm="backward", n=None, out=None):
        """The inverse discrete Fourier transform along an axis."""
        return extension["ifft"](x, axis=dim, norm=norm, **_given(n=n, out=out))

    def ifftn(x, s=None, axes=None, *, norm="backward", out=None):
        """The inverse discrete Fourier transform along several axes."""
        return extension["ifftn"](x, norm=norm, **_given(s=s, axes=axes, out=out))

    def rfftn(x, s=None, axes=None, *, norm="backward", out=None):
        """The discrete Fourier transform of real numbers along several axes."""
        return extension["rfftn"](x, norm=norm, **_given(s=s, axes=axes, out=out))

    return {function.__name__: function for function in (ifft, ifftn, rfftn)}


def fft(function, x, dim=-1, *, norm="backward", n=None, out=None):
    """The discrete Fourier transform along an axis: of the extension's function ``fft``."""
    return function(x, axis=dim, norm=norm, **_given(n=n, out=out))

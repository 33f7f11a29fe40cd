"""An image filter in NumPy's words: a blur, the edges of what is left, and a picture of both.

    python examples/frontends/numpy_filter.py [BACKEND ...] [--out FILE.png]

The one line that differs from a program for NumPy is the import. On every backend that is named the filter runs and the
results are compared; the picture is that of the last one.
"""

import argparse
import struct
import zlib
from pathlib import Path

import ivyrs
import ivyrs.frontends.numpy as np

PICTURE = Path(__file__).resolve().parents[1] / "data/astronaut.png"


def read_png(path):
    """Height, width and the bytes of a picture of 8 bits and three colours, without interlacing."""
    data, place, chunks = path.read_bytes(), 8, b""
    while place < len(data):
        (length,), kind = struct.unpack(">I", data[place : place + 4]), data[place + 4 : place + 8]
        body = data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            chunks += body
        place += 12 + length
    stream, stride = zlib.decompress(chunks), 3 * width
    rows, above = bytearray(), bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        row = bytearray(stream[start + 1 : start + 1 + stride])
        unfilter(stream[start], row, above)
        rows += row
        above = row
    return height, width, bytes(rows)


def unfilter(kind, row, above):
    """The bytes of a row from their differences: the five filters of PNG."""
    for i in range(len(row)):
        left, up = (row[i - 3] if i >= 3 else 0), above[i]
        corner = above[i - 3] if i >= 3 else 0
        if kind == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        else:
            near = (0, left, up, (left + up) // 2)[kind]
        row[i] = (row[i] + near) & 255


def write_png(path, height, width, pixels):
    """A picture of 8 bits and three colours."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = b"".join(b"\0" + pixels[3 * width * y : 3 * width * (y + 1)] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    Path(path).write_bytes(png)


def filtered(kernel, image, axis):
    """The image under a kernel along an axis, with its edges repeated."""
    half = len(kernel) // 2
    widths = [(half, half) if a == axis else (0, 0) for a in range(image.ndim)]
    wide = np.pad(image, widths, mode="edge")
    length = image.shape[axis]
    return sum(weight * np.take(wide, np.arange(i, i + length), axis=axis) for i, weight in enumerate(kernel))


def blur(image, sigma):
    """A Gaussian blur of both axes."""
    places = np.arange(-int(3 * sigma), int(3 * sigma) + 1)
    kernel = np.exp(-0.5 * (places / sigma) ** 2)
    kernel = (kernel / kernel.sum()).tolist()
    return filtered(kernel, filtered(kernel, image, 0), 1)


def edges(gray):
    """The slope of the light, by Sobel's kernels."""
    down = filtered([1.0, 2.0, 1.0], filtered([-1.0, 0.0, 1.0], gray, 0), 1)
    across = filtered([1.0, 2.0, 1.0], filtered([-1.0, 0.0, 1.0], gray, 1), 0)
    return np.hypot(down, across)


def picture(image):
    """The blurred image, darker where its light changes."""
    smooth = blur(image.astype(np.float64), 2.0)
    slope = edges(smooth @ np.array([0.299, 0.587, 0.114]))
    shade = 1.0 - np.clip(slope / np.percentile(slope, 98), 0.0, 1.0)
    return np.round(np.clip(smooth * shade[..., np.newaxis], 0, 255)).astype(np.uint8)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("backends", nargs="*", default=["ndarray"])
    arguments.add_argument("--out", default="numpy_filter.png")
    given = arguments.parse_args()
    height, width, pixels = read_png(PICTURE)
    first = None
    for backend in given.backends:
        with ivyrs.with_backend(backend):
            image = np.array(list(pixels), dtype=np.uint8).reshape(height, width, 3)
            found = bytes(picture(image).ravel().tolist())
        first = first or found
        apart = max(abs(a - b) for a, b in zip(first, found))
        print(f"{backend}: {height} x {width}, {apart} apart from {given.backends[0]} at most")
        assert apart <= 1
    write_png(given.out, height, width, found)
    print(f"{given.out} is written")


if __name__ == "__main__":
    main()

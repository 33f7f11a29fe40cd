"""``ti.tools``: pictures as files and as arrays.

A picture is a field or an array of shape (width, height), or (width, height, channels) of 1, 3 or 4 channels: the first index is the column
from the left, the second one the row from the bottom.
"""

from __future__ import annotations

import operator
import struct
import zlib
from pathlib import Path
from typing import Any


def imwrite(img: Any, filename: str | Path) -> None:
    """Writes a picture: reals from 0 to 1, or unsigned integers, of which the 8 upper bits are taken.

    A name that ends in ``.png``, or in nothing, makes a PNG file; the other formats are written by Pillow.
    """
    import numpy as np

    rows = np.ascontiguousarray(_bytes_of(img).swapaxes(0, 1)[::-1])
    suffix = Path(filename).suffix.lower()
    if suffix in ("", ".png"):
        Path(filename).write_bytes(_png(rows))
    else:
        _pillow("imwrite", filename).fromarray(rows[:, :, 0] if rows.shape[2] == 1 else rows).save(filename)


def imread(filename: str | Path, channels: int = 0) -> Any:
    """A picture of a file as an array of uint8 of shape (width, height, channels). It is read by Pillow.

    ``channels`` is 1 (grey), 2 (grey and alpha), 3 (RGB), 4 (RGBA), or 0, for those of the file.
    """
    import numpy as np

    modes = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
    if channels not in (0, *modes):
        raise ValueError(f"imread: channels is {channels!r}, and not one of 0, 1, 2, 3 and 4")
    with _pillow("imread", filename).open(filename) as picture:
        own = picture.mode if picture.mode in modes.values() else "RGBA" if "A" in picture.getbands() or "transparency" in picture.info else "RGB"
        rows = np.asarray(picture.convert(modes.get(channels, own)))
    rows = rows[:, :, None] if rows.ndim == 2 else rows
    return np.ascontiguousarray(rows.swapaxes(0, 1)[:, ::-1])


def imresize(img: Any, w: int, h: int | None = None) -> Any:
    """A picture in another size, by the nearest pixel to the left and below. Without ``h`` it is square."""
    import numpy as np

    array = _array(img)
    if array.ndim < 2:
        raise ValueError(f"imresize: a picture has the shape (width, height, ...), not {array.shape}")
    try:
        w, h = operator.index(w), operator.index(w if h is None else h)
    except TypeError:
        raise TypeError(f"imresize: sizes are integers, not {w!r} and {h!r}") from None
    if (w, h) == array.shape[:2]:
        return array
    if w < 1 or h < 1:
        raise ValueError(f"imresize: a picture of {w} x {h} pixels")
    # As the package, by the lower left corners of pixels, not by their centres.
    column, row = (np.arange(new) * (old / new) for new, old in zip((w, h), array.shape, strict=False))
    return array[column.astype(int)][:, row.astype(int)]


def rgb_to_hex(colour: Any) -> int:
    """A colour of three numbers from 0 to 1 as the integer ``0xrrggbb``; of arrays an array."""
    red, green, blue = ((_bounded(part) * 255).astype(int) if hasattr(part, "astype") else int(_bounded(part) * 255) for part in colour)
    return (red << 16) + (green << 8) + blue  # type: ignore[no-any-return]


def hex_to_rgb(colour: int) -> tuple[float, float, float]:
    """The integer ``0xrrggbb`` as three numbers from 0 to 1."""
    return ((colour >> 16) & 255) / 255, ((colour >> 8) & 255) / 255, (colour & 255) / 255


def _bounded(part: Any) -> Any:
    return part.clip(0, 1) if hasattr(part, "clip") else min(max(part, 0.0), 1.0)


def _array(img: Any) -> Any:
    import numpy as np

    return np.asarray(img.to_numpy() if hasattr(img, "to_numpy") else img)


def _bytes_of(img: Any) -> Any:
    """A picture as uint8 of shape (width, height, channels)."""
    import numpy as np

    array = _array(img)
    if array.ndim not in (2, 3) or array.ndim == 3 and array.shape[2] not in (1, 3, 4) or 0 in array.shape:
        raise ValueError(f"imwrite: a picture has the shape (width, height), or one more axis of 1, 3 or 4 channels, not {array.shape}")
    if array.dtype.kind == "f":
        array = (np.clip(np.nan_to_num(array, nan=0.0), 0, 1) * 255.0).astype(np.uint8)
    elif array.dtype.kind == "u":
        array = (array >> (8 * array.dtype.itemsize - 8)).astype(np.uint8)
    else:
        raise ValueError(f"imwrite: a picture is of reals or of unsigned integers, not of {array.dtype}")
    return array[:, :, None] if array.ndim == 2 else array


def _png(rows: Any) -> bytes:
    """A PNG file of uint8 of shape (height, width, channels), the first row the uppermost."""
    height, width, channels = rows.shape
    lines = b"".join(b"\0" + row.tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    chunks = (struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _pillow(function: str, filename: str | Path) -> Any:
    """The module of Pillow's pictures."""
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(f"{function}: the picture {str(filename)!r} needs the package Pillow (`pip install pillow`)") from None
    return Image

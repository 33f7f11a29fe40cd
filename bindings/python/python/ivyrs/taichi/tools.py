"""``ti.tools``: pictures as files."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any


def imwrite(image: Any, filename: str) -> None:
    """Writes a picture as a PNG file: a field or array of shape (width, height) or (width, height, 3), of numbers from 0 to 1, or of uint8.

    The first index is the column from the left, the second one the row from the bottom, as in Taichi.
    """
    import numpy as np

    array = np.asarray(image.to_numpy() if hasattr(image, "to_numpy") else image)
    if array.ndim not in (2, 3) or array.ndim == 3 and array.shape[2] not in (1, 3, 4):
        raise ValueError(f"a picture has the shape (width, height), or one more axis of 1, 3 or 4 colours, not {array.shape}")
    if array.dtype.kind == "f":
        array = (np.clip(array, 0, 1) * 255 + 0.5).astype(np.uint8)
    if array.ndim == 2:
        array = array[:, :, None]
    rows = np.ascontiguousarray(array.astype(np.uint8).swapaxes(0, 1)[::-1])
    height, width, colours = rows.shape
    lines = b"".join(b"\0" + row.tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[colours], 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    chunks = (struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts)
    Path(filename).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def rgb_to_hex(colour: Any) -> int:
    """A colour of three numbers from 0 to 1 as the integer ``0xrrggbb``; of arrays an array."""
    red, green, blue = ((_bounded(part) * 255).astype(int) if hasattr(part, "astype") else int(_bounded(part) * 255) for part in colour)
    return (red << 16) + (green << 8) + blue  # type: ignore[no-any-return]


def hex_to_rgb(colour: int) -> tuple[float, float, float]:
    """The integer ``0xrrggbb`` as three numbers from 0 to 1."""
    return ((colour >> 16) & 255) / 255, ((colour >> 8) & 255) / 255, (colour & 255) / 255


def _bounded(part: Any) -> Any:
    return part.clip(0, 1) if hasattr(part, "clip") else min(max(part, 0.0), 1.0)

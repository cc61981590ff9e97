"""Vectors in half precision (IEEE 754 binary16, little-endian), as the database and the graphs' files store them.

A cosine of two unit vectors of 384 dimensions changes by some hundred-thousandths, and a vector takes half the space.
All cosines are computed from the values that are stored, so that equal vectors have equal scores in every part of the
index, before and after a restart; graphs in memory may choose candidates by others (`projection.py`). Earlier versions
of the program stored float32: such a vector is recognized by its length, and read as the half-precision vector that
`half_conversion.py` makes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from desktop_app.core.arrays import Vectors

    Halves = NDArray[np.float16]

HALF = np.dtype("<f2")
_FRACTION_SHIFT = 13  # float32 has that many more bits of fraction
_SIGN_AND_NUMBER = np.int32(-0x70002000)  # 0x8FFFE000: the sign, and what came from the other 15 bits
_EXPONENTS = np.float32(2.0**112)  # the exponents' zeros are 127 and 15
_NO_NUMBER = np.float32(65_536)  # from here on, `widen` gives no value that a half can have
_BLOCK = 100_000  # numbers converted at once: they stay in the processor's cache


def to_halves(vectors: Vectors) -> Halves:
    """Return the nearest half-precision values, float16 of the same shape; of damaged values, infinity."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(vectors, HALF)


def round_to_halves(vectors: Vectors) -> Vectors:
    """Return the values that are stored of `vectors`, float32 of the same shape."""
    return to_halves(vectors).astype(np.float32)


def widen(halves: Halves, out: Vectors | None = None) -> Vectors:
    """Return half-precision rows [n, dim] as float32 [n, dim], exactly.

    A damaged value that is no number becomes one beyond those that a half can have (see `are_numbers`). NumPy converts
    one number after the other, which takes three times as long.
    """
    wide: Vectors = np.empty(halves.shape, np.float32) if out is None else out
    step = max(1, _BLOCK // max(1, halves.shape[1]))
    if not wide.flags.c_contiguous:  # rows that lie apart take twice as long to change in place
        for at in range(0, len(halves), step):
            wide[at : at + step] = widen(halves[at : at + step])
        return wide
    bits = wide.view(np.int32)
    for at in range(0, len(halves), step):
        some = bits[at : at + step]
        # The shift copies the sign bit too: the mask clears the copies.
        np.copyto(some, halves[at : at + step].view("<i2"))
        np.left_shift(some, _FRACTION_SHIFT, out=some)
        np.bitwise_and(some, _SIGN_AND_NUMBER, out=some)
        np.multiply(wide[at : at + step], _EXPONENTS, out=wide[at : at + step])
    return wide


def are_numbers(vectors: Vectors) -> NDArray[np.bool_]:
    """Return for each row, float32 [n, dim], whether all its values are those of halves: bool [n]."""
    return np.asarray((np.abs(vectors) < _NO_NUMBER).all(axis=1), np.bool_)


def lengths_in_bytes(dim: int) -> tuple[int, int]:
    """Return the lengths that a stored vector may have: of halves, and of float32."""
    return HALF.itemsize * dim, 4 * dim


def read_vectors(stored: Sequence[bytes], dim: int) -> Vectors:
    """Return stored vectors as float32 [n, dim].

    Raises:
        ValueError: one has none of the `lengths_in_bytes`.
    """
    half, whole = lengths_in_bytes(dim)
    lengths = np.fromiter(map(len, stored), np.int64, len(stored))
    if (lengths == half).all():
        return widen(np.frombuffer(b"".join(stored), HALF).reshape(-1, dim))
    if (lengths == whole).all():
        return round_to_halves(np.frombuffer(b"".join(stored), "<f4").reshape(-1, dim))
    vectors = np.empty((len(stored), dim), np.float32)
    if not np.isin(lengths, (half, whole)).all():
        raise ValueError("a stored vector has an impossible length")
    for length in (half, whole):
        vectors[lengths == length] = read_vectors([each for each in stored if len(each) == length], dim)
    return vectors

"""Vectors between numpy and the server, in pgvector's binary form: two int16 (length, unused), then the numbers.

Numbers are float32 (`vector`) or float16 (`halfvec`), big-endian. The text form, which takes ten times as long to write
and to read, is only used where a statement needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.types import TypeInfo

    from desktop_app.core.arrays import Vector


_HEAD_BYTES = 4
_NUMBERS = {"vector": ">f4", "halfvec": ">f2"}


def pack_vector(vector: Vector) -> bytes:
    """Return a vector float32 [dim] in binary form."""
    head = np.array([len(vector), 0], ">i2").tobytes()
    return head + np.ascontiguousarray(vector, ">f4").tobytes()


def unpack_vector(content: Any, numbers: str = ">f4") -> Vector:
    """Return the vector float32 [dim] of such bytes."""
    return np.frombuffer(content, numbers, offset=_HEAD_BYTES).astype(np.float32)


def register_vectors(connection: Connection[Any], info: TypeInfo) -> None:
    """Let a connection receive vectors of a type as arrays of numpy; arrays are sent as `vector`."""
    numbers = _NUMBERS[info.name]

    class ArrayDumper(Dumper):
        format = Format.BINARY
        oid = info.oid

        def dump(self, obj: Vector) -> bytes:
            return pack_vector(obj)

    class TextLoader(Loader):
        format = Format.TEXT

        def load(self, data: Any) -> Vector:
            return np.array(bytes(data)[1:-1].split(b","), np.float32)

    class BinaryLoader(Loader):
        format = Format.BINARY

        def load(self, data: Any) -> Vector:
            return unpack_vector(data, numbers)

    info.register(connection)
    if info.name == "vector":
        connection.adapters.register_dumper(np.ndarray, ArrayDumper)
    connection.adapters.register_loader(info.oid, TextLoader)
    connection.adapters.register_loader(info.oid, BinaryLoader)

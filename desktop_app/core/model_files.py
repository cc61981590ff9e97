"""The files of a model in a shared library: every computer that opens the library can get its model there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from desktop_app.core.jobs import Steps

PIECE_BYTES = 1 << 19
"""Files are stored and read in pieces of this size."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of a model.

    Attributes:
        name: its path in the model's folder, with `/`.
        size_bytes: of the file.
        sha256: of its content, hexadecimal.
    """

    name: str
    size_bytes: int
    sha256: str


class ModelFileStore(Protocol):
    """The files of models that a library keeps."""

    def find(self, fingerprint: str) -> tuple[ModelFile, ...]:
        """Return the files of a model; none if they are not, or not all, stored."""
        ...

    def read_piece(self, fingerprint: str, file: ModelFile, number: int) -> bytes:
        """Return a piece of a file, counted from 0; empty if it is gone."""
        ...

    def store(self, fingerprint: str, files: Mapping[ModelFile, Path]) -> Steps[None]:
        """Store the files of a model that the library has vectors of, step by step.

        What an interrupted call has stored is kept. Does nothing while another session stores them.
        """
        ...


class NoModelFiles:
    """Implements `ModelFileStore` for a library on this computer: its models are here too."""

    def find(self, fingerprint: str) -> tuple[ModelFile, ...]:
        """Return none."""
        return ()

    def read_piece(self, fingerprint: str, file: ModelFile, number: int) -> bytes:
        """Return nothing."""
        return b""

    def store(self, fingerprint: str, files: Mapping[ModelFile, Path]) -> Steps[None]:
        """Do nothing."""
        yield from ()

"""Small readings of a model's files: JSON and hashes, without torch."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import ModelMissing

if TYPE_CHECKING:
    from pathlib import Path

_digests: dict[tuple[str, int, int], str] = {}  # (path, size, mtime_ns) -> SHA-256, for this process's life


def file_sha256(path: Path) -> str:
    """Return a file's SHA-256, hexadecimal; remembered in this process while size and time stay the same."""
    status = path.stat()
    key = (str(path), status.st_size, status.st_mtime_ns)
    if key not in _digests:
        with path.open("rb") as file:
            _digests[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _digests[key]


def read_json(file: Path) -> dict[str, Any]:
    """Return a JSON object; empty when the file is not there."""
    value = _load(file) if file.is_file() else {}
    if not isinstance(value, dict):
        raise ModelMissing(f"{file} is not what it should be", "Copy the model anew.")
    return value


def read_json_list(file: Path) -> list[Any]:
    """Return a JSON array."""
    value = _load(file)
    if not isinstance(value, list):
        raise ModelMissing(f"{file} is not what it should be", "Copy the model anew.")
    return value


def _load(file: Path) -> Any:
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelMissing(f"{file} cannot be read ({error})", "Copy the model anew.") from error

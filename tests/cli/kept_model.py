"""The bundled model as it was loaded before: commands of one process would load the same weights hundreds of times."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from desktop_app.encoder import bundled_model_folder

if TYPE_CHECKING:
    from desktop_app.encoder.checkpoint import Checkpoint
    from desktop_app.encoder.inference.network import Network

_networks: dict[str, Any] = {}
_bodies: dict[tuple[Any, ...], Any] = {}


@contextmanager
def keep_loaded_model() -> Iterator[None]:
    """Let encoders share the weights of the bundled model, which inference never changes; all else is their own."""
    siamese: Any = sys.modules.get("desktop_app.encoder.siamese")
    prepared: Any = sys.modules.get("desktop_app.encoder.inference.prepared_model")
    if siamese is None or prepared is None:  # nothing has loaded a model yet, so nothing is kept either
        yield
        return
    load, pack = siamese.load_network, prepared.PackedBert

    def load_kept(checkpoint: Checkpoint) -> Network:
        if checkpoint.folder != bundled_model_folder():
            return load(checkpoint)
        key = checkpoint.info().fingerprint  # the pooling is part of it
        if key not in _networks:
            _networks[key] = load(checkpoint)
        return _networks[key]

    def pack_kept(body: Any, dtype: Any, device: str) -> Any:
        if not any(body is network.body for network in _networks.values()):
            return pack(body, dtype, device)
        key = (id(body), dtype, device)
        if key not in _bodies:
            _bodies[key] = pack(body, dtype, device)
        return _bodies[key]

    siamese.load_network, prepared.PackedBert = load_kept, pack_kept
    try:
        yield
    finally:
        siamese.load_network, prepared.PackedBert = load, pack

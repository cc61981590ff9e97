"""The bundled model as it was loaded before: commands of one process would load the same weights hundreds of times."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from desktop_app.encoder import bundled_model_folder

if TYPE_CHECKING:
    from desktop_app.encoder.checkpoint import Checkpoint
    from desktop_app.encoder.inference.network import Network

_networks: dict[str, Any] = {}
_bodies: dict[tuple[Any, ...], Any] = {}
_free_tokenizers: list[Any] = []
"""Those of encoders that are gone; a tokenizer changes at work, so each belongs to one encoder at a time."""


def _is_bundled(checkpoint: Checkpoint) -> bool:
    """Return whether a model is the bundled one, also where the set-up is a link to another checkout's."""
    return checkpoint.folder.resolve() == bundled_model_folder().resolve()


@contextmanager
def keep_loaded_model() -> Iterator[None]:
    """Let encoders share the weights of the bundled model, which inference never changes, and take over its tokenizer.

    All else is their own.
    """
    siamese: Any = sys.modules.get("desktop_app.encoder.siamese")
    prepared: Any = sys.modules.get("desktop_app.encoder.inference.prepared_model")
    tokenizing: Any = sys.modules.get("desktop_app.encoder.tokenizing")
    if siamese is None or prepared is None or tokenizing is None:  # nothing has loaded a model yet to be kept
        yield
        return
    load, pack = siamese.load_network, prepared.PackedBert

    def load_kept(checkpoint: Checkpoint) -> Network:
        if not _is_bundled(checkpoint):
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

    load_tokenizer, begin_tokenizing = tokenizing._load_tokenizer, tokenizing.TextTokenizer.__init__

    def load_free_tokenizer(checkpoint: Checkpoint, config: dict[str, Any]) -> Any:
        if _is_bundled(checkpoint) and _free_tokenizers:
            return _free_tokenizers.pop()
        return load_tokenizer(checkpoint, config)

    def begin_with_free_tokenizer(self: Any, checkpoint: Checkpoint) -> None:
        begin_tokenizing(self, checkpoint)
        if _is_bundled(checkpoint):
            weakref.finalize(self, _free_tokenizers.append, self._tokenizer).atexit = False

    siamese.load_network, prepared.PackedBert = load_kept, pack_kept
    tokenizing._load_tokenizer, tokenizing.TextTokenizer.__init__ = load_free_tokenizer, begin_with_free_tokenizer
    try:
        yield
    finally:
        siamese.load_network, prepared.PackedBert = load, pack
        tokenizing._load_tokenizer, tokenizing.TextTokenizer.__init__ = load_tokenizer, begin_tokenizing

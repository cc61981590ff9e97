"""Turns texts into vectors; the only package that imports torch and transformers.

    from desktop_app.encoder import SiameseEncoder, cos_sim

    encoder = SiameseEncoder()
    vectors = encoder.encode(["The cat sits outside", "The cat plays in the garden"])
    cos_sim(vectors[0], vectors[1])

Names are resolved on first use (PEP 562), so that importing the package does not import torch: the window is painted,
and `read_model_info` has returned, before that.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop_app.encoder.checkpoint import Checkpoint, fingerprint, read_checkpoint, read_model_info
    from desktop_app.encoder.checkpoint_writer import save
    from desktop_app.encoder.device import choose_device
    from desktop_app.encoder.inference.precision import PrecisionChoice
    from desktop_app.encoder.inference.precision_benchmark import measure_precision
    from desktop_app.encoder.models.bundled import bundled_model_folder, resolve_model
    from desktop_app.encoder.siamese import SiameseEncoder
    from desktop_app.encoder.similarity import cos_sim

# oneDNN caches code for each shape of a product, half a megabyte each: by default for 1,024 shapes. The setting must be
# made before the import of torch. With 256 a long import takes 200 MB less, and no more time.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "256")

# With few cores all of them compute, and a tokenizer would wait for its own threads to get a core: a typed query waited
# up to a second for that. The variable is read at each call.
if (os.cpu_count() or 1) <= 4:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

__all__ = [
    "Checkpoint",
    "PrecisionChoice",
    "SiameseEncoder",
    "bundled_model_folder",
    "choose_device",
    "cos_sim",
    "fingerprint",
    "measure_precision",
    "read_checkpoint",
    "read_model_info",
    "resolve_model",
    "save",
]

_HOMES = {
    "Checkpoint": "checkpoint",
    "PrecisionChoice": "inference.precision",
    "SiameseEncoder": "siamese",
    "bundled_model_folder": "models.bundled",
    "choose_device": "device",
    "cos_sim": "similarity",
    "fingerprint": "checkpoint",
    "measure_precision": "inference.precision_benchmark",
    "read_checkpoint": "checkpoint",
    "read_model_info": "checkpoint",
    "resolve_model": "models.bundled",
    "save": "checkpoint_writer",
}


def __getattr__(name: str) -> Any:
    """Import the module that `name` lives in, once."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def load_torch_dll_before_qt() -> None:
    """Load a first DLL of torch on Windows, and with it the C++ runtime that torch was built for.

    PySide6 brings an older one; if that is loaded first, torch cannot be initialised. On other systems this does
    nothing, and if it fails, torch itself reports the reason when it is needed.
    """
    if sys.platform == "win32":
        spec = importlib.util.find_spec("torch")
        for place in (spec.submodule_search_locations or ()) if spec is not None else ():
            import ctypes

            folder = Path(place) / "lib"
            with contextlib.suppress(OSError), os.add_dll_directory(str(folder)):
                ctypes.WinDLL(str(folder / "c10.dll"))

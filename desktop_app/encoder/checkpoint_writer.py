"""Writes an encoder as a folder in the sentence-transformers format.

Attention pooling and the mean over padding exist only in this program: attention pooling is a `Pooling` of that mode
with its weights in `model.safetensors` next to its configuration. sentence-transformers refuses both modes.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from safetensors import SafetensorError
from safetensors.torch import save_file

from desktop_app.core.errors import AppError
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.unfinished_files import record_unfinished
from desktop_app.encoder.checkpoint import DenseSpec
from desktop_app.encoder.pooling import MEAN_PADDED

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import nn

    from desktop_app.encoder.checkpoint import Checkpoint
    from desktop_app.encoder.inference.network import Network
    from desktop_app.encoder.tokenizing import TextTokenizer

_MODULE_PREFIX = "sentence_transformers.models"  # every version of sentence-transformers finds its parts here


class WritableModel(Protocol):
    """A model that can be written: an encoder, or a model in training."""

    @property
    def checkpoint(self) -> Checkpoint:
        """The contents of its folder."""
        ...

    @property
    def network(self) -> Network:
        """Its weights."""
        ...

    @property
    def tokenizer(self) -> TextTokenizer:
        """Its tokenizer."""
        ...


def save(encoder: WritableModel, folder: str | Path, write_more: Callable[[Path], None] | None = None) -> None:
    """Write the model in `folder`, whole or not at all; weights in fp32, as safetensors.

    Args:
        encoder: the model to write, with its present weights.
        folder: does not exist yet.
        write_more: writes more files into the folder before it gets its name.

    Raises:
        AppError: `folder` exists and is not empty.
        OSError: it cannot be written.
    """

    def write(draft: Path) -> None:
        _write_model(encoder, draft)
        if write_more is not None:
            write_more(draft)

    write_folder_atomically(Path(folder), write)


def write_folder_atomically(folder: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a new folder, which gets its name when it is complete.

    Raises:
        AppError: `folder` exists and is not empty.
        OSError: it cannot be written.
    """
    if folder.exists():
        raise AppError("{folder} already exists", "Choose a folder that does not exist yet.", folder=folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = folder.with_name(folder.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    with record_unfinished(draft):
        try:
            write(draft)
            _sync_files(draft)
            replace_file(draft, folder)
        except SafetensorError as error:  # what it raises when the disk is full
            raise OSError(str(error)) from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _sync_files(folder: Path) -> None:
    """Wait until the disk has the files: what they were made from, a training's checkpoint, may be deleted next."""
    for file in folder.rglob("*"):
        if file.is_file():
            with contextlib.suppress(PermissionError), file.open("rb+") as stream:  # a copy of a protected file
                os.fsync(stream.fileno())


def _write_model(encoder: WritableModel, folder: Path) -> None:
    checkpoint = encoder.checkpoint
    _write_body(encoder, folder)
    modules: list[tuple[str, str]] = [("Transformer", "")]
    if checkpoint.pooling_modes != ("pooler",):
        modules.append(("Pooling", "1_Pooling"))
        _write_json(folder / "1_Pooling" / "config.json", _build_pooling_config(encoder))
    if encoder.network.attention is not None:
        _write_weights(encoder.network.attention, folder / "1_Pooling")
    for step, part in zip(checkpoint.head, encoder.network.head, strict=True):
        name = "Dense" if isinstance(step, DenseSpec) else "Normalize"
        place = folder / f"{len(modules)}_{name}"
        place.mkdir()
        modules.append((name, place.name))
        if isinstance(step, DenseSpec):
            _write_json(place / "config.json", _build_dense_config(step))
            _write_weights(part, place)
    _write_json(
        folder / "modules.json",
        [
            {"idx": place, "name": str(place), "path": path, "type": f"{_MODULE_PREFIX}.{name}"}
            for place, (name, path) in enumerate(modules)
        ],
    )
    _write_json(
        folder / "config_sentence_transformers.json",
        {
            "prompts": checkpoint.prompts,
            "default_prompt_name": checkpoint.default_prompt,
            "similarity_fn_name": "cosine",
        },
    )


def _build_dense_config(step: DenseSpec) -> dict[str, Any]:
    home = "linear" if step.activation == "Identity" else "activation"
    return {
        "in_features": step.in_features,
        "out_features": step.out_features,
        "bias": step.bias,
        "activation_function": f"torch.nn.modules.{home}.{step.activation}",
        # Older versions of sentence-transformers do not know the key.
        **({"use_residual": True} if step.residual else {}),
    }


def _write_body(encoder: WritableModel, folder: Path) -> None:
    checkpoint = encoder.checkpoint
    config = {key: value for key, value in checkpoint.config.items() if key not in ("dtype", "torch_dtype")}
    _write_json(folder / "config.json", config)
    save_file(encoder.network.body_tensors(), folder / "model.safetensors", metadata={"format": "pt"})
    for file in checkpoint.tokenizer_files:
        shutil.copyfile(file, folder / file.name)
    if not (folder / "tokenizer.json").is_file():
        encoder.tokenizer.save(folder / "tokenizer.json")
    length: dict[str, Any] = {"max_seq_length": checkpoint.max_length, "do_lower_case": checkpoint.lower_case}
    if checkpoint.pooling_modes == ("pooler",):
        # The format has no pooling of that name: the transformer's second output replaces the pooling.
        length["modality_config"] = {"text": {"method": "forward", "method_output_name": "pooler_output"}}
        length["module_output_name"] = "sentence_embedding"
    _write_json(folder / "sentence_bert_config.json", length)


def _build_pooling_config(encoder: WritableModel) -> dict[str, Any]:
    modes = encoder.checkpoint.pooling_modes
    if "pooler" in modes:
        raise AppError("The pooler's output combined with other poolings cannot be saved", "Use one of them alone.")
    if {"attention", MEAN_PADDED} & set(modes):
        # sentence-transformers has no such pooling: it must refuse the model, not use another pooling.
        return {
            "embedding_dimension": encoder.checkpoint.hidden,
            "pooling_mode": list(modes),
            "include_prompt": encoder.checkpoint.include_prompt,
        }
    return {
        "word_embedding_dimension": encoder.checkpoint.hidden,
        "pooling_mode_cls_token": "cls" in modes,
        "pooling_mode_max_tokens": "max" in modes,
        "pooling_mode_mean_tokens": "mean" in modes,
        "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens" in modes,
        "include_prompt": encoder.checkpoint.include_prompt,
    }


def _write_weights(part: nn.Module, place: Path) -> None:
    tensors = {name: tensor.detach().float().cpu().clone() for name, tensor in part.state_dict().items()}
    save_file(tensors, place / "model.safetensors", metadata={"format": "pt"})


def _write_json(file: Path, value: Any) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")

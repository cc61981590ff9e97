"""Downloads a model where needed and tries it, in a child process.

Only this module uses the network, and only because a person asked for a particular model.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.child_process import ChildDied, ChildProcess, TaskCrashed, TaskFailed
from desktop_app.core.errors import AppError, DeviceUnavailable, ModelMissing, Offline, StorageFull
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.messages import system_text
from desktop_app.core.records import ModelInfo
from desktop_app.encoder.device import error_summary, is_out_of_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection
    from pathlib import Path

TRIAL_TEXTS = ("The cat sits outside.", "A man is playing the guitar.")
"""Texts for the trial of a model."""

PUBLIC_ENDPOINT = "https://huggingface.co"

REVISION_FILE = ".revision"
"""In the folder of a download until its model is listed: names the commit that its files are from."""

_POLL_WAIT_S = 0.002
_SPACE_MARGIN = 1.05
_CHUNK_BYTES = 1 << 20  # downloaded between two writes, and lost if the connection breaks
_PARTIAL_SUFFIX = ".begun"
# The folder of a part of a model (`1_Pooling/`, `0_Transformer/`).
_MODULE_FOLDER = re.compile(r"\d+_\w+")
_WEIGHTS_NAME = re.compile(r"model(-\d+-of-\d+)?\.safetensors(\.index\.json)?")
_SMALL_FILES = frozenset(
    {"modules.json", "config.json", "config_sentence_transformers.json", "LICENSE", "LICENSE.txt"}
    | {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.txt"}
    | {"vocab.json", "merges.txt", "sentencepiece.bpe.model", "spiece.model"}
)
_SENTENCE_CONFIG = re.compile(r"sentence_\w+_config\.json")


@dataclass(frozen=True, slots=True)
class ModelAddRequest:
    """The model to add: `folder`; a `repository` is downloaded there first.

    Attributes:
        revision: the commit of the repository; empty for its newest.
        weights_sha256: of that commit's `model.safetensors`; empty if unknown.
    """

    folder: Path
    repository: str = ""
    endpoint: str = PUBLIC_ENDPOINT
    revision: str = ""
    weights_sha256: str = ""


@dataclass(frozen=True, slots=True)
class DownloadStarted:
    """A download has started; its size in bytes."""

    total_bytes: int


class ModelAddProcess:
    """Adds a model in a child process."""

    def __init__(self, request: ModelAddRequest) -> None:
        self._folder = request.folder
        self._child = ChildProcess(_run_child, (request,), name="kindred-model")

    def poll(self) -> ModelInfo | DownloadStarted | None:
        """Return the model's identity after download and trial; None while there is nothing new.

        Raises:
            AppError: it cannot be downloaded or used.
        """
        try:
            answer: object = self._child.receive(_POLL_WAIT_S)
        except ChildDied as error:
            raise DeviceUnavailable(
                "The process that tested the model in {folder} ended with status {exit_status}",
                "It may need more memory than is available: close other programs, or use a smaller model.",
                folder=self._folder,
                exit_status=error.exit_status,
            ) from None
        if isinstance(answer, TaskFailed):
            raise answer.error
        if isinstance(answer, TaskCrashed):
            raise RuntimeError(answer.details)
        assert isinstance(answer, ModelInfo | DownloadStarted | None), answer
        return answer

    @property
    def fetched_bytes(self) -> int:
        """Bytes of the download so far."""
        sizes = 0
        for file in self._folder.rglob("*") if self._folder.is_dir() else ():
            try:
                sizes += file.stat().st_size if file.is_file() else 0
            except OSError:  # it has just been renamed
                continue
        return sizes

    def close(self) -> None:
        """End the process; downloaded files stay. Calling it again does nothing."""
        self._child.close()


def try_model(folder: Path) -> ModelInfo:
    """Load the model in `folder`, let it embed a sentence or judge a pair, and return its identity.

    Raises:
        AppError: it is incomplete, damaged, or of an unsupported kind.
    """
    from desktop_app.encoder.checkpoint import read_checkpoint

    checkpoint = read_checkpoint(folder)  # before torch is loaded: finds most problems at once
    from desktop_app.encoder.cross_encoder import CrossEncoder
    from desktop_app.encoder.siamese import SiameseEncoder

    with translate_model_errors(folder):
        if checkpoint.is_cross:
            CrossEncoder(folder, "fp32", threads=1).scores([TRIAL_TEXTS])
        else:
            SiameseEncoder(folder, device="cpu", precision="fp32", threads=1).encode(TRIAL_TEXTS)
    return checkpoint.info()


@contextlib.contextmanager
def translate_model_errors(folder: Path) -> Iterator[None]:
    """Translate torch's errors about parts that do not fit together into errors of the model.

    Raises:
        ModelMissing: the model in `folder` does not work.
        DeviceUnavailable: there is not enough memory.
    """
    try:
        yield
    except (ArithmeticError, IndexError, MemoryError, RuntimeError, ValueError) as error:
        if is_out_of_memory(error):
            raise DeviceUnavailable(
                "The model in {folder} cannot be used: there is too little memory",
                "Close other programs, or use a smaller model.",
                folder=folder,
            ) from error
        raise ModelMissing(
            "The model in {folder} cannot be used: its parts do not fit together ({why})",
            "Copy the model again, or use another one.",
            folder=folder,
            why=error_summary(error),
        ) from error


def download_model(request: ModelAddRequest, pipe: Connection) -> None:
    """Download the files of a model that the program uses; skips files that exist.

    Every file is compared with the checksum that the hub names for it, and weights also with the one of the request.
    `REVISION_FILE` stays in the folder: with it, a later call finds a complete download again.

    Raises:
        Offline: the network cannot be reached, the connection breaks, or something else than the hub answers.
        ModelMissing: there is no such model, it is not public, or has no safetensors.
        StorageFull: there is not enough space.
    """
    # huggingface_hub reads these settings at its import: it sends nothing about the person, stores nothing elsewhere,
    # and finds half a download again.
    hub_home = request.folder.parent / ".hub"
    os.environ |= {
        "HF_HOME": str(hub_home),
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_SYMLINKS_WARNING": "1",
    }
    from huggingface_hub import HfApi, errors

    hub: Any = errors  # older versions have some names elsewhere
    name, endpoint = request.repository, request.endpoint
    try:
        info = _read_model_info(HfApi(endpoint=endpoint, token=False), hub, request)
        sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}
        checksums = {file.rfilename: _read_checksum(file) for file in info.siblings or ()}
        if request.weights_sha256 and info.sha == request.revision:
            checksums["model.safetensors"] = ("sha256", request.weights_sha256)
        files = select_model_files(name, sizes)
        total = sum(sizes[file] for file in files)
        _discard_other_revision(request.folder, str(info.sha))
        require_free_space(request.folder, total)
        pipe.send(DownloadStarted(total))
        for file in files:
            _download_file(request, file, str(info.sha), sizes[file], checksums[file])
    except hub.OfflineModeIsEnabled as error:
        raise Offline("Downloads are switched off (HF_HUB_OFFLINE is set)", "Unset it, then try again.") from error
    except (hub.GatedRepoError, hub.DisabledRepoError) as error:
        raise ModelMissing(
            "The model {name} is not publicly available", "Download it yourself, then add its folder.", name=name
        ) from error
    except hub.RepositoryNotFoundError as error:
        raise ModelMissing(
            "There is no model {name} at {endpoint}",
            "Check its name, or give a model's folder.",
            name=name,
            endpoint=endpoint,
        ) from error
    except json.JSONDecodeError as error:
        raise Offline(
            "{endpoint} answers, but not like a model hub",
            "The network may require you to log in first: open a web page in your browser, then try again.",
            endpoint=endpoint,
        ) from error
    except hub.HFValidationError as error:
        raise ModelMissing("{name} is not a model's name", "Names look like owner/model.", name=name) from error
    except (hub.HTTPError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None and not isinstance(error, ConnectionError):
            raise StorageFull(
                "The model cannot be saved in {folder}: {why}",
                "Free some disk space and try again. What was already downloaded is kept.",
                folder=request.folder,
                why=system_text(error.strerror or error),
            ) from error
        raise Offline(
            "{name} cannot be downloaded from {endpoint}: {why}",
            "Check the connection and try again. What was already downloaded is kept. Without a connection, download "
            "the files from {page} on another computer, copy them to a folder here, and add that folder.",
            name=name,
            endpoint=endpoint,
            why=error_summary(error),
            page=f"{PUBLIC_ENDPOINT}/{name}/tree/{request.revision or 'main'}",
        ) from error
    finally:
        shutil.rmtree(hub_home, ignore_errors=True)


def _read_model_info(api: Any, hub: Any, request: ModelAddRequest) -> Any:
    """Return the description of a repository at the revision of the request, or its newest if that is gone."""
    name, wanted = request.repository, request.revision or None
    try:
        return api.model_info(name, revision=wanted, files_metadata=True, timeout=20)
    except hub.RevisionNotFoundError:
        return api.model_info(name, files_metadata=True, timeout=20)


def _read_checksum(file: Any) -> tuple[str, str]:
    """Return the kind and the value of the checksum that the hub names for a file; empty if it names none."""
    if lfs := getattr(file, "lfs", None):
        return "sha256", str(lfs["sha256"] if isinstance(lfs, dict) else lfs.sha256)
    blob = str(getattr(file, "blob_id", None) or "")
    return ("git", blob) if blob else ("", "")


def _is_intact(file: Path, kind: str, expected: str) -> bool:
    """Return whether a file has a checksum: of its content, or as Git names it."""
    if not kind:
        return True
    digest = hashlib.sha1(usedforsecurity=False) if kind == "git" else hashlib.sha256()
    if kind == "git":
        digest.update(f"blob {file.stat().st_size}\0".encode())
    with file.open("rb") as content:
        while chunk := content.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest() == expected


def _download_file(request: ModelAddRequest, file: str, revision: str, size: int, checksum: tuple[str, str]) -> None:
    """Download a file, or the rest of a partial one; it gets its name when it is complete and intact."""
    from huggingface_hub import constants, hf_hub_url
    from huggingface_hub.file_download import http_get
    from huggingface_hub.utils._headers import build_hf_headers

    constants.DOWNLOAD_CHUNK_SIZE = _CHUNK_BYTES
    target = request.folder / file
    if target.is_file():
        return
    target.parent.mkdir(exist_ok=True)
    draft = target.with_name(target.name + _PARTIAL_SUFFIX)
    # Not hf_hub_download: it starts a large file from the beginning each time.
    with draft.open("r+b" if draft.is_file() else "w+b") as out:
        if out.seek(0, os.SEEK_END) > size > 0:  # not the beginning of this file: there is no rest to ask for
            out.truncate(out.seek(0))
        url = hf_hub_url(request.repository, file, revision=revision, endpoint=request.endpoint)
        headers = build_hf_headers(token=False)
        http_get(url, out, resume_size=out.tell(), headers=headers, expected_size=size or None)
    if not _is_intact(draft, *checksum):
        draft.unlink()
        raise Offline(
            "{file} of the model {name} arrived damaged: its checksum is wrong",
            "Try again; only this file is downloaded again. If it keeps happening, something on the network changes "
            "the file.",
            file=file,
            name=request.repository,
        )
    replace_file(draft, target)


def _discard_other_revision(folder: Path, revision: str) -> None:
    """Delete `folder` if its files are of another revision."""
    marker = folder / REVISION_FILE
    if folder.is_dir() and (not marker.is_file() or marker.read_text("utf-8") != revision):
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    marker.write_text(revision, "utf-8")


def select_model_files(name: str, names: Iterable[str]) -> list[str]:
    """Return the files of a model that the program loads, small ones first.

    Raises:
        ModelMissing: there are no safetensors.
    """
    chosen: list[str] = []
    for file in names:
        folder, _, own = file.rpartition("/")
        is_model_part = not folder or _MODULE_FOLDER.fullmatch(folder)
        if is_model_part and (own in _SMALL_FILES or _WEIGHTS_NAME.fullmatch(own) or _SENTENCE_CONFIG.fullmatch(own)):
            chosen.append(file)
    if not any(file.endswith(".safetensors") for file in chosen):
        raise ModelMissing(
            "{name} has no safetensors weights; a pickle can run any program when it is opened, and is not downloaded",
            "Use another model, or convert it if you trust it, and add its folder.",
            name=name,
        )
    # If there is a whole file, the same weights in pieces are not needed.
    if "model.safetensors" in chosen:
        chosen = [
            file for file in chosen if "/" in file or file == "model.safetensors" or not _WEIGHTS_NAME.fullmatch(file)
        ]
    return sorted(chosen, key=lambda file: (file.endswith(".safetensors"), file))


def require_free_space(folder: Path, total_bytes: int) -> None:
    """Check that a model fits; what is in its folder already counts.

    Raises:
        StorageFull: it does not.
    """
    there = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    free = shutil.disk_usage(folder).free
    if (total_bytes - there) * _SPACE_MARGIN > free:
        raise StorageFull(
            "The model needs {total_bytes:,.0f} MB, but only {free:,.0f} MB are free in {folder}",
            "Free some disk space.",
            total_bytes=total_bytes / 1e6,
            free=free / 1e6,
            folder=folder,
        )


def _run_child(answer: Connection, request: ModelAddRequest) -> None:
    result: ModelInfo | TaskFailed | TaskCrashed
    try:
        if request.repository:
            download_model(request, answer)
        result = try_model(request.folder)
    except AppError as error:
        result = TaskFailed(error)
    except Exception as error:  # noqa: BLE001 - a bug here is reported as one in the program's own process
        result = TaskCrashed(f"{type(error).__name__}: {error}")
    answer.send(result)

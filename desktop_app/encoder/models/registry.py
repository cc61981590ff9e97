"""The models on this computer: the bundled one, linked folders, downloads and variants."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from desktop_app.core.errors import AppError, ModelMissing, NotFound, StorageFull, UsageError
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.jobs import WAITING, Progress, Steps
from desktop_app.core.messages import Message, system_text
from desktop_app.core.models import NO_CHANGES, ModelChanges, ModelEntry
from desktop_app.core.name_locks import claim_name
from desktop_app.core.private_files import make_private_folder, write_private
from desktop_app.core.recommended_models import find_recommended
from desktop_app.core.records import ModelInfo
from desktop_app.encoder.checkpoint import read_checkpoint, read_model_info
from desktop_app.encoder.models.bundled import BUNDLED_NAME, bundled_model_folder, is_bundled, resolve_model
from desktop_app.encoder.models.download import (
    PUBLIC_ENDPOINT,
    REVISION_FILE,
    DownloadStarted,
    ModelAddProcess,
    ModelAddRequest,
)
from desktop_app.encoder.models.transfer import list_model_files, read_received_changes, receive_files
from desktop_app.encoder.models.variants import VARIANT_FILE, read_variant, variant_base_folder, write_variant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from desktop_app.core.model_files import ModelFile

_REGISTRY_FILE = "models.json"
_DOWNLOADS_FOLDER = "downloaded"
_VARIANTS_FOLDER = "adapted"
_PARTIAL_SUFFIX = ".part"
_DEFAULT_OWNER = "sentence-transformers"  # its models are known by their name alone
_HUB_NAME = re.compile(r"(?:[\w-][\w.-]*/)?[\w-][\w.-]*")
_UNSAFE = re.compile(r"[^\w.-]+")
_REPORT_INTERVAL_S = 0.2


class ModelRegistry:
    """Keeps the list of models, `models.json`. Folders are linked, and checked when they are used.

    Args:
        folder: the program's own folder for models; created when needed.
        endpoint: the server of downloads; empty for HF_ENDPOINT, or else huggingface.co.
    """

    def __init__(self, folder: Path, endpoint: str = "") -> None:
        self._folder = folder
        self._endpoint = endpoint or os.environ.get("HF_ENDPOINT") or PUBLIC_ENDPOINT

    # Look-ups

    def entries(self) -> list[ModelEntry]:
        """Return all models, the bundled one first, then by name; `problem` says why one cannot be used."""
        entries: list[ModelEntry] = []
        try:
            bundled = bundled_model_folder()
        except ModelMissing as error:
            missing = ModelInfo(BUNDLED_NAME, "", 0, 0, "", normalised=False)
            entries.append(ModelEntry(BUNDLED_NAME, missing, "bundled", error.message))
        else:
            entries.append(ModelEntry(BUNDLED_NAME, read_model_info(bundled), "bundled"))
        for entry in sorted(self._read(), key=lambda entry: entry.name.casefold()):
            entries.append(_check_entry(entry))
        return entries

    def find(self, name_or_folder: str) -> Path:
        """Return the folder of a model: by its name here, or any folder.

        Raises:
            ModelMissing: there is no such model, or its folder has changed since it was added.
        """
        if name_or_folder in ("", BUNDLED_NAME):
            return bundled_model_folder()
        entry = self._find_by_name(name_or_folder)
        if entry is None:
            if not Path(name_or_folder).expanduser().is_dir():
                raise ModelMissing(
                    "There is no model {name!r}",
                    "`models` lists the models; `models add FOLDER_OR_NAME` adds one.",
                    name=name_or_folder,
                )
            return resolve_model(name_or_folder)
        folder = Path(entry.info.folder)
        if not folder.is_dir():
            raise ModelMissing(
                "The folder of the model {name}, {folder}, is missing",
                "Restore it, or remove the model.",
                name=entry.name,
                folder=folder,
            )
        if read_model_info(folder).fingerprint != entry.info.fingerprint:
            raise ModelMissing(
                "The model {name} in {folder} has changed since it was added",
                "Check it, then run `models remove {name}` and add it again.",
                name=entry.name,
                folder=folder,
            )
        return folder

    def with_fingerprint(self, fingerprint: str, known_folder: str = "") -> Path | None:
        """Return the folder of the model with these vectors; see `core.ports.ModelCatalogue`."""
        listed = [Path(entry.info.folder) for entry in self._read() if entry.info.fingerprint == fingerprint]
        for folder in (bundled_model_folder(), *([Path(known_folder)] if known_folder else []), *listed):
            with suppress(ModelMissing):  # the known folder of another computer may be anything here
                if folder.is_dir() and read_model_info(folder).fingerprint == fingerprint:
                    return folder
        return None

    def _find_by_name(self, name: str) -> ModelEntry | None:
        entries = self._read()
        exact = [entry for entry in entries if entry.name == name]
        last = [entry for entry in entries if entry.name.rpartition("/")[2] == name]
        found = exact or last
        return found[0] if len(found) == 1 else None

    # Changes

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> Steps[ModelEntry]:
        """Add a model: link a folder, or download a name. It is tried before it is listed.

        An interrupted download continues where it stopped, and a complete one that could not be tried is tried again.
        With `changes` the new model is a variant of the given one, which may be any model of the list.

        Raises:
            AppError: it cannot be downloaded or used; the list has not changed.
        """
        if changes:
            return (yield from self._adapt(name_or_folder, changes))
        folder = Path(name_or_folder).expanduser()
        if name_or_folder == BUNDLED_NAME or is_bundled(folder):
            return self.entries()[0]
        if folder.is_dir():
            info = yield from self._run(ModelAddRequest(folder.resolve()))
            return self._list(info.name, info, "linked")
        if not _HUB_NAME.fullmatch(name_or_folder) or name_or_folder.count("/") > 1:
            raise NotFound("There is no folder {name}", "Give a model's folder or name.", name=name_or_folder)
        name = name_or_folder if "/" in name_or_folder else f"{_DEFAULT_OWNER}/{name_or_folder}"
        if (known := self._find_by_name(name)) is not None and Path(known.info.folder).is_dir():
            return known
        target = self._folder / _DOWNLOADS_FOLDER / name
        partial = target.with_name(target.name + _PARTIAL_SUFFIX)
        with self._writing():
            target.parent.mkdir(parents=True, exist_ok=True)
        with _claim_download(name, partial):
            return (yield from self._download(name, target, partial))

    def _download(self, name: str, target: Path, partial: Path) -> Steps[ModelEntry]:
        """Download a model into `partial`, try it and list it as `target`."""
        with self._writing():
            if not partial.exists() and (target / REVISION_FILE).is_file():  # complete, but it could not be listed
                replace_file(target, partial)
        try:
            known_model = find_recommended(name)
            revision, checksum = (
                (known_model.revision, known_model.weights_sha256) if known_model is not None else ("", "")
            )
            info = yield from self._run(ModelAddRequest(partial, name, self._endpoint, revision, checksum))
        except ModelMissing:
            # More of the download would not help.
            shutil.rmtree(partial, ignore_errors=True)
            raise
        with self._writing():
            shutil.rmtree(target, ignore_errors=True)
            replace_file(partial, target)
        entry = self._list(name, replace(info, name=target.name, folder=str(target)), "downloaded")
        with self._writing():
            (target / REVISION_FILE).unlink(missing_ok=True)
        return entry

    def _adapt(self, name_or_folder: str, changes: ModelChanges) -> Steps[ModelEntry]:
        """Add a variant with a person's settings."""
        known = self._find_by_name(name_or_folder)
        folder = Path(name_or_folder).expanduser()
        if known is not None:
            folder = self.find(known.name)
        elif name_or_folder == BUNDLED_NAME:
            folder = bundled_model_folder()
        elif folder.is_dir():
            folder = folder.resolve()
        else:
            folder = Path((yield from self.add(name_or_folder)).info.folder)
        base = "" if is_bundled(folder) else str(folder)
        if (before := read_variant(folder)) is not None:
            base, changes = before[0], changes.over(before[1])
        if (listed := self._find_variant(base, changes)) is not None:
            return listed
        stem = variant_base_folder(base).name if base else BUNDLED_NAME
        with self._writing():
            taken = {entry.name for entry in self._read()}
            name, number = f"{stem}-{_VARIANTS_FOLDER}", 1
            while name in taken or (self._folder / _VARIANTS_FOLDER / name).exists():
                number += 1
                name = f"{stem}-{_VARIANTS_FOLDER}-{number}"
            place = self._folder / _VARIANTS_FOLDER / name
            write_variant(place, base, changes)
        try:
            info = yield from self._run(ModelAddRequest(place))
            listed = self._find_variant(base, changes)  # another process may have been faster
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        if listed is not None:
            shutil.rmtree(place, ignore_errors=True)
            return listed
        return self._list(name, info, "adapted")

    def _find_variant(self, base: str, changes: ModelChanges) -> ModelEntry | None:
        """Return the variant of a base with these changes; None if there is none."""
        adapted = (entry for entry in self._read() if entry.origin == "adapted")
        return next((each for each in adapted if read_variant(Path(each.info.folder)) == (base, changes)), None)

    def list_files(self, folder: Path) -> dict[ModelFile, Path]:
        """Return the files of the model in a folder."""
        return list_model_files(folder)

    def receive(
        self, name: str, fingerprint: str, files: Sequence[ModelFile], read_piece: Callable[[ModelFile, int], bytes]
    ) -> Steps[ModelEntry]:
        """Add a model whose files come from a shared library; see `core.ports.ModelCatalogue`.

        What has arrived is kept until the model is listed or turns out not to work.
        """
        target = self._folder / _DOWNLOADS_FOLDER / _received_name(name, fingerprint)
        partial = target.with_name(target.name + _PARTIAL_SUFFIX)
        with self._writing():
            target.parent.mkdir(parents=True, exist_ok=True)
        with _claim_download(name, partial):
            return (yield from self._receive(_safe_name(name), fingerprint, files, read_piece, target, partial))

    def _receive(
        self,
        name: str,
        fingerprint: str,
        files: Sequence[ModelFile],
        read_piece: Callable[[ModelFile, int], bytes],
        target: Path,
        partial: Path,
    ) -> Steps[ModelEntry]:
        """Receive a model's files into `partial`, try the model and list it as `target`."""
        with self._writing():
            if not partial.exists() and target.is_dir():  # complete, but it could not be listed
                replace_file(target, partial)
        try:
            yield from receive_files(name, partial, files, read_piece)
        except OSError as error:  # what has arrived is kept
            raise _unwritable_error(self._folder, error) from error
        has_base = len(files) > 1
        try:
            changes = read_received_changes(partial)
            info = yield from self._try_received(partial, changes, has_base=has_base)
            if info.fingerprint != fingerprint:
                raise ModelMissing(
                    "The library's files of the model {name} are those of another model",
                    "They were not kept. Tell the library's owner.",
                    name=name,
                )
        except ModelMissing:
            # The same files would arrive again.
            shutil.rmtree(partial, ignore_errors=True)
            raise
        found = target
        with self._writing():
            shutil.rmtree(target, ignore_errors=True)
            replace_file(partial, target)
            if changes is not None:
                found = self._folder / _VARIANTS_FOLDER / target.name
                shutil.rmtree(found, ignore_errors=True)
                write_variant(found, str(target) if has_base else "", changes)
        if changes is not None and has_base:
            self._list(f"{name}-base", read_model_info(target), "downloaded")
        info = replace(info, name=name, folder=str(found))
        return self._list(name, info, "downloaded" if changes is None else "adapted")

    def _try_received(self, partial: Path, changes: ModelChanges | None, *, has_base: bool) -> Steps[ModelInfo]:
        """Return the identity of a model that has arrived in `partial`, after a trial.

        Deletes the small file of a variant there: it names the base where the sender has it.
        """
        if changes is None:
            return (yield from self._run(ModelAddRequest(partial)))
        place = self._folder / _VARIANTS_FOLDER / partial.name
        with self._writing():
            (partial / VARIANT_FILE).unlink()
            shutil.rmtree(place, ignore_errors=True)
            write_variant(place, str(partial) if has_base else "", changes)
        try:
            return (yield from self._run(ModelAddRequest(place)))
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def remove(self, name: str) -> ModelEntry:
        """Remove a model from the list. A linked folder stays; a download is deleted, also an unfinished one.

        Raises:
            UsageError: it is the bundled one, or the base of a variant.
            NotFound: there is no model of that name.
            AppError: it is being downloaded.
        """
        if name == BUNDLED_NAME:
            raise UsageError(
                "{name} comes with Kindred and cannot be removed", "It has no effect unless you use it.", name=name
            )
        entry = self._find_by_name(name)
        partials = self._find_partials(name, entry)
        if entry is None and len(partials) != 1:
            raise NotFound("There is no model {name}", "`models` lists the models.", name=name)
        if entry is not None and (variants := self._list_variants_of(entry)):
            raise UsageError(
                "The model {name} is a variant of {entry_name} and does not work without it",
                "Remove {name} first: `models remove {name}`.",
                name=variants[0].name,
                entry_name=entry.name,
            )
        for full_name, partial in partials.items():
            with _claim_download(full_name, partial):
                shutil.rmtree(partial, ignore_errors=True)
        if entry is None:
            (full_name,) = partials
            missing = ModelInfo(full_name, "", 0, 0, "", normalised=False)
            return ModelEntry(
                full_name, missing, "downloaded", Message("it was downloaded only in part", code="model_incomplete")
            )
        self._change(lambda entries: [other for other in entries if other.name != entry.name])
        if entry.origin in ("downloaded", "adapted"):
            shutil.rmtree(entry.info.folder, ignore_errors=True)
        return entry

    def _find_partials(self, name: str, entry: ModelEntry | None) -> dict[str, Path]:
        """Return the folders of unfinished downloads, by the name of the model.

        Args:
            name: the full name, the part after the owner, or the name of the model in a shared library.
            entry: the model of the list with this name: only downloads of this very model are returned.
        """
        folder = self._folder / _DOWNLOADS_FOLDER
        found = {
            path.relative_to(folder).as_posix().removesuffix(_PARTIAL_SUFFIX): path
            for pattern in ("*", "*/*")
            for path in folder.glob(pattern + _PARTIAL_SUFFIX)
            if path.is_dir()
        }
        if entry is not None:
            own = (entry.name, _received_name(entry.name, entry.info.fingerprint))
            return {each: path for each, path in found.items() if each in own}
        for wanted in (name, f"{_DEFAULT_OWNER}/{name}"):
            if wanted in found:
                return {wanted: found[wanted]}
        received = re.compile(re.escape(_received_name(name, "")) + "[0-9a-f]{8}")
        return {
            each: path for each, path in found.items() if each.rpartition("/")[2] == name or received.fullmatch(each)
        }

    def _list_variants_of(self, entry: ModelEntry) -> list[ModelEntry]:
        """Return the variants of a model."""
        variants = []
        for other in self._read():
            if other.origin != "adapted":
                continue
            try:
                adapted = read_variant(Path(other.info.folder))
            except ModelMissing:
                continue  # its file cannot be read: it does not work anyway
            if adapted is not None and adapted[0] and Path(adapted[0]) == Path(entry.info.folder):
                variants.append(other)
        return variants

    def _run(self, request: ModelAddRequest) -> Steps[ModelInfo]:
        adding = ModelAddProcess(request)
        total = 0
        reported_at = 0.0
        try:
            while True:
                answer = adding.poll()
                if isinstance(answer, ModelInfo):
                    return answer
                if isinstance(answer, DownloadStarted):
                    total = answer.total_bytes
                if total and (now := time.monotonic()) - reported_at >= _REPORT_INTERVAL_S:
                    reported_at = now
                    yield Progress("downloading", min(adding.fetched_bytes, total), total, "bytes")
                yield WAITING
        finally:
            adding.close()

    def _list(self, name: str, info: ModelInfo, origin: str) -> ModelEntry:
        added: list[ModelEntry] = []

        def change(entries: list[ModelEntry]) -> list[ModelEntry]:
            same = next((e for e in entries if e.info.folder == info.folder), None)
            others = [entry for entry in entries if entry is not same]
            taken = {entry.name for entry in others} | {BUNDLED_NAME}
            own = same.name if same is not None else name
            number = 2
            while own in taken:
                own = f"{name}-{number}"
                number += 1
            added.append(ModelEntry(own, info, origin))
            return [*others, added[0]]

        self._change(change)
        return added[0]

    # The list

    def _read(self) -> list[ModelEntry]:
        file = self._folder / _REGISTRY_FILE
        try:
            table = json.loads(file.read_text("utf-8"))
            entries = [
                ModelEntry(str(row["name"]), ModelInfo(**row["info"]), str(row["origin"])) for row in table["models"]
            ]
            # An earlier version of the program linked the bundled model's own folder as a second model.
            return [entry for entry in entries if not is_bundled(Path(entry.info.folder))]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelMissing(
                "The list of models {file} cannot be read ({why})",
                "Delete it and add the models again; downloaded models are in the same folder.",
                file=file,
                why=repr(error),
            ) from error

    def _change(self, change: Callable[[list[ModelEntry]], list[ModelEntry]]) -> None:
        with self._writing():
            rows: list[dict[str, Any]] = [
                {"name": entry.name, "origin": entry.origin, "info": asdict(entry.info)}
                for entry in change(self._read())
            ]
            content = json.dumps({"version": 1, "models": rows}, indent=2, ensure_ascii=False)
            write_private(self._folder / _REGISTRY_FILE, content)

    def _writing(self) -> _RegistryLock:
        return _RegistryLock(self._folder)


def _claim_download(name: str, partial: Path) -> AbstractContextManager[None]:
    """Hold the folder of a download: two processes would write the same files.

    Raises (on entry):
        AppError: another window or command holds it.
    """
    return claim_name(
        partial,
        AppError(
            "The model {name} is being downloaded already, in another window or by a command",
            "Wait until the download ends.",
            name=name,
        ),
    )


def _safe_name(name: str) -> str:
    """Return the name of a shared library's model as the name of a folder."""
    return _UNSAFE.sub("-", name).strip("-.") or "model"


def _received_name(name: str, fingerprint: str) -> str:
    """Return the name of the folder of a model that comes from a shared library."""
    return f"{_safe_name(name)}-{fingerprint[:8]}"


def _check_entry(entry: ModelEntry) -> ModelEntry:
    """Return an entry with what its folder says now, or why it cannot be used."""
    folder = Path(entry.info.folder)
    if not folder.is_dir():
        return replace(entry, problem=Message("its folder {folder} is missing", code="model_gone", folder=folder))
    try:
        checkpoint = read_checkpoint(folder)
    except AppError as error:
        return replace(entry, problem=error.message)
    query, passage = checkpoint.prompt("query"), checkpoint.prompt("document")
    return replace(entry, info=replace(entry.info, query_prompt=query, passage_prompt=passage))


class _RegistryLock:
    """Lock the registry's folder against other processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = FileLock(folder / "models.lock", mode=0o600)

    def __enter__(self) -> None:
        try:
            make_private_folder(self._folder)
            self._lock.acquire()
        except OSError as error:
            raise _unwritable_error(self._folder, error) from error

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._lock.release()
        if isinstance(error, OSError):
            raise _unwritable_error(self._folder, error) from error


def _unwritable_error(folder: Path, error: OSError) -> StorageFull:
    return StorageFull(
        "Cannot write to the models folder {folder}: {why}",
        "Free some disk space, and check that you have permission to write there.",
        folder=folder,
        why=system_text(error.strerror or error),
    )

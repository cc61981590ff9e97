"""Runs a command on a library opened for reading or for writing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from desktop_app.cli import (
    backup,
    clusters,
    collections,
    documents,
    evaluate,
    export,
    models,
    pairs,
    search,
    trace,
    train,
)
from desktop_app.cli.session import CommandSession
from desktop_app.core.errors import AppError

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.cli.command_line import Command
    from desktop_app.core.settings import LaunchOptions
    from desktop_app.engine.workspace import Workspace

_COMMANDS: dict[str, Callable[[CommandSession], int]] = {
    "import": documents.run_import,
    "documents": documents.run_documents,
    "remove": documents.run_remove,
    "collections": collections.run_collections,
    "tags": collections.run_tags,
    "info": documents.run_info,
    "search": search.run_search,
    "compare": pairs.run_compare,
    "pairs": pairs.run_pairs,
    "clusters": clusters.run_clusters,
    "keys": clusters.run_keys,
    "diff": trace.run_diff,
    "trace": trace.run_trace,
    "embed": export.run_embed,
    "export": export.run_export,
    "models": models.run_models,
    "backup": backup.run_backup,
    "restore": backup.run_restore,
    "relink": backup.run_relink,
    "doctor": documents.run_doctor,
    "train": train.run_train,
    "evaluate": evaluate.run_evaluate,
}

_CACHING_COMMANDS = ("pairs", "clusters")
"""Commands and exports that read, and keep what they found for the next time where they can."""


def run_command(command: Command, open_workspace: Callable[[LaunchOptions], Workspace]) -> int:
    """Run a headless command; returns the exit status."""
    name = cast("str", command.name)
    writes = (
        name in ("import", "remove", "relink")
        or (name in ("collections", "tags") and command.options.action is not None)
        or (name == "doctor" and command.options.repair)
        or (name == "models" and command.options.action == "use")
    )
    # The person's own library is simply empty before its first import; one that was named must be there.
    create = name == "import" or not command.has_chosen_library
    launch = command.launch(writable=writes or (create and not _library_exists(command)), create=create)
    workspace = open_workspace(launch)
    what = command.options.what if name == "export" else name
    if what in _CACHING_COMMANDS and not launch.writable:
        workspace = _reopen_writable(command, workspace, open_workspace)
    try:
        return _COMMANDS[name](CommandSession(command, workspace))
    finally:
        workspace.close()


def _reopen_writable(
    command: Command, reading: Workspace, open_workspace: Callable[[LaunchOptions], Workspace]
) -> Workspace:
    """Return a workspace that may keep what it finds out; the reading one while another process writes the library."""
    writing = open_workspace(command.launch(writable=True, create=False))
    try:
        writing.open().wait()
    except AppError:
        writing.close()
        return reading
    reading.close()
    return writing


def _library_exists(command: Command) -> bool:
    return command.launch(writable=False, create=False).library.is_dir()

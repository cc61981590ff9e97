"""Which function keeps each command, and on what kind of library it works."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from desktop_app.cli import (
    collections,
    documents,
    evaluating,
    exports,
    insights,
    models,
    pairs,
    safekeeping,
    searches,
    tracing,
    training,
)
from desktop_app.cli.session import Session
from desktop_app.core.errors import AppError

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.cli.parser import Command
    from desktop_app.core.settings import Launch
    from desktop_app.engine.workspace import Workspace

_COMMANDS: dict[str, Callable[[Session], int]] = {
    "import": documents.import_files,
    "documents": documents.documents,
    "remove": documents.remove,
    "collections": collections.collections,
    "tags": collections.tags,
    "info": documents.info,
    "search": searches.search,
    "compare": pairs.compare,
    "pairs": pairs.pairs,
    "clusters": insights.clusters,
    "keys": insights.keys,
    "diff": tracing.diff,
    "trace": tracing.trace,
    "embed": exports.embed,
    "export": exports.export,
    "models": models.models,
    "backup": safekeeping.backup,
    "restore": safekeeping.restore,
    "relink": safekeeping.relink,
    "doctor": documents.doctor,
    "train": training.train,
    "evaluate": evaluating.evaluate,
}

_KEEP = ("pairs", "clusters")
"""Commands and exports that read, and keep what they found for the next time where they can."""


def run(command: Command, open_workspace: Callable[[Launch], Workspace]) -> int:
    """Run a headless command; returns the exit status."""
    name = cast("str", command.name)
    writes = (
        name in ("import", "remove", "relink")
        or (name in ("collections", "tags") and command.options.action is not None)
        or (name == "doctor" and command.options.repair)
        or (name == "models" and command.options.action == "use")
    )
    # The person's own library is simply empty before its first import; one that was named must be there.
    create = name == "import" or not command.names_library
    launch = command.launch(writable=writes or (create and not _exists(command)), create=create)
    workspace = open_workspace(launch)
    what = command.options.what if name == "export" else name
    if what in _KEEP and not launch.writable:
        workspace = _able_to_keep(command, workspace, open_workspace)
    try:
        return _COMMANDS[name](Session(command, workspace))
    finally:
        workspace.close()


def _able_to_keep(command: Command, reading: Workspace, open_workspace: Callable[[Launch], Workspace]) -> Workspace:
    """Return a workspace that may keep what it finds out; the reading one while another process writes the library."""
    writing = open_workspace(command.launch(writable=True, create=False))
    try:
        writing.open().wait()
    except AppError:
        writing.close()
        return reading
    reading.close()
    return writing


def _exists(command: Command) -> bool:
    return command.launch(writable=False, create=False).library.is_dir()

"""Children of the program that begin as copies of a process that has everything loaded.

The program spawns its children: a new interpreter that imports what it needs, half a second each time, and several
for a training. The tests start hundreds. Here two servers import once, one what reads files, one what trains, and a
child is a fork of one of them. What the child does, and how it is watched, limited and killed, stays the same.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping
from multiprocessing import context, reduction, spawn, util
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CAN_FORK = sys.platform == "linux"

if CAN_FORK:
    from multiprocessing import forkserver, popen_forkserver

    def _serve(*packages: str, more: tuple[str, ...]) -> forkserver.ForkServer:
        """Return a server, which starts with its first child."""
        files = [file for package in packages for file in sorted((ROOT / package).rglob("*.py"))]
        names = [".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for file in files]
        server = forkserver.ForkServer()
        server.set_forkserver_preload([*names, *more, "tests.frozen_objects"])
        return server

    SERVERS = {
        "reading": _serve(
            "desktop_app/text", more=("desktop_app.store.index_segment_builder", "numpy", "hnswlib", "pypdf")
        ),
        "training": _serve("desktop_app/encoder", "desktop_app/analysis", more=("torch",)),
    }

    class _ForkedPopen(popen_forkserver.Popen):
        """As its base, from one of several servers."""

        def _launch(self, process_obj: Any) -> None:
            data = io.BytesIO()
            context.set_spawning_popen(self)
            try:
                reduction.dump(spawn.get_preparation_data(process_obj.name), data)
                reduction.dump(process_obj, data)
            finally:
                context.set_spawning_popen(None)
            with contextlib.chdir(ROOT):  # a server that starts now finds the packages there
                self.sentinel, write_end = SERVERS[process_obj.server].connect_to_new_process(self._fds)
            parents_end = os.dup(write_end)  # its end tells the child that the parent has ended
            self.finalizer = util.Finalize(self, util.close_fds, (parents_end, self.sentinel))
            with open(write_end, "wb") as file:
                file.write(data.getbuffer())
            self.pid = forkserver.read_signed(self.sentinel)


def _run_as_spawned(variables: Mapping[str, str], target: Callable[..., None], arguments: tuple[object, ...]) -> None:
    """Take the environment of the parent, which may have changed since the server started."""
    os.environ.clear()
    os.environ.update(variables)
    target(*arguments)


class ForkedProcess(BaseProcess):
    """A process that begins as a copy of a server."""

    _start_method = "forkserver"

    def __init__(self, *, target: Callable[..., None], args: tuple[Any, ...], name: str, daemon: bool) -> None:
        work = args[2]  # see `ChildProcess`
        self.server = "training" if work.__module__.startswith("desktop_app.encoder.") else "reading"
        super().__init__(target=_run_as_spawned, args=(dict(os.environ), target, args), name=name, daemon=daemon)

    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        return _ForkedPopen(process_obj)


class ForkedContext(multiprocessing.context.BaseContext):
    """Starts the children of the program."""

    _name = "forkserver"
    Process = ForkedProcess


def is_server(pid: int) -> bool:
    """Return whether a process is one of the servers, which stay for the run."""
    return CAN_FORK and any(server._forkserver_pid == pid for server in SERVERS.values())

"""What helps others to understand a problem: versions, parts, counts and the log, without any text of documents."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.parts import parts
from desktop_app.gui.reporting import versions

if TYPE_CHECKING:
    from desktop_app.engine.requests import Status

_LAST_BYTES = 40_000
_LAST_LINES = 200
# Lines of our log begin with a time and a level. What follows a line that quotes, or names a file, is left out.
_HEAD = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ (?P<level>[A-Z]+) (?P<thread>\S+) (?P<name>[\w.]+): ")
_FRAME = re.compile(r'^\s+File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)$')
_RAISED = re.compile(r"^(?P<kind>[\w.]+(?:Error|Exception|Warning|Interrupt|Failure|Died|Failed))\b")

log = logging.getLogger(__name__)


def problem_report(status: Status | None, log_file: Path) -> str:
    """Return the report.

    Args:
        status: of the library; None while none is open.
        log_file: of the program.
    """
    lines = [versions(), *(f"{part.name} {part.version}" for part in parts())]
    if status is not None:
        counts = status.library
        lines += ["", f"documents {counts.documents}, searchable sentences {counts.searchable}"]
        if status.device is not None:
            lines.append(f"device {status.device.device} {status.device.precision}, {status.device.threads} threads")
    return "\n".join([*lines, "", *_of_log(log_file)])


def _of_log(file: Path) -> list[str]:
    """Return when what was logged, and where in the code; messages may name files and quote them, and stay out."""
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, file.stat().st_size - _LAST_BYTES))
            text = stream.read().decode("utf-8", "replace")
    except OSError as error:
        return [f"no log: {type(error).__name__}"]
    found: list[str] = []
    for line in text.splitlines():
        if head := _HEAD.match(line):
            found.append(head[0].rstrip(": "))
        elif frame := _FRAME.match(line):
            found.append(f"  {Path(frame['file']).name}:{frame['line']} in {frame['function']}")
        elif raised := _RAISED.match(line):
            found.append(f"  {raised['kind']}")
    return found[-_LAST_LINES:]

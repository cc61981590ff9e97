"""Faults: every uncaught exception ends in a report that a person can read and copy."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import (
    QCoreApplication,
    QMessageLogContext,
    QObject,
    Qt,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
    qVersion,
)

import desktop_app

if TYPE_CHECKING:
    from types import TracebackType

log = logging.getLogger(__name__)

# Exceptions whose message is about code. Others can quote their input, and a report holds no text of
# documents.
_INTERNAL_ERRORS = (AttributeError, TypeError, NameError, ImportError, AssertionError, IndexError, RuntimeError)

_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def list_versions() -> str:
    """Return the versions of program, system and libraries, one per line."""
    import platform

    return "\n".join(
        (
            f"Kindred {desktop_app.__version__}",
            f"Python {platform.python_version()}",
            f"Qt {qVersion()}, PySide6 {PySide6.__version__}",
            f"{platform.system()} {platform.release()} {platform.machine()}",
        )
    )


def make_fault_report(error: BaseException) -> str:
    """Return a report of `error`: versions and the stack, without any text of documents."""
    lines = [list_versions(), ""]
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        message = f": {current}" if isinstance(current, _INTERNAL_ERRORS) else ""
        lines.append(f"{type(current).__name__}{message}")
        for frame in traceback.extract_tb(current.__traceback__):
            lines.append(f"  {shorten_code_path(frame.filename)}:{frame.lineno} in {frame.name}")
        current = current.__cause__ or current.__context__
    return "\n".join(lines)


def shorten_code_path(file: str) -> str:
    """Return the path of a source file without the folders above the program."""
    path = Path(file)
    package = Path(desktop_app.__file__).resolve().parent.parent
    if path.is_relative_to(package):
        return str(path.relative_to(package))
    return path.name


class FaultReporter(QObject):
    """Catches exceptions that nothing else caught.

    Attributes:
        reported: a new report, emitted on the window's thread; carries its text.
    """

    reported = Signal(object)
    _caught = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._caught.connect(self.reported, Qt.ConnectionType.QueuedConnection)
        self._previous = (sys.excepthook, threading.excepthook)
        self._installed = False

    def install(self) -> None:
        """Catch exceptions of slots and threads, and log the messages of Qt."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        qInstallMessageHandler(log_qt_message)
        self._installed = True

    def uninstall(self) -> None:
        """Undo `install`."""
        if self._installed:
            sys.excepthook, threading.excepthook = self._previous
            qInstallMessageHandler(None)
            self._installed = False

    def take(self, error: BaseException) -> None:
        """Report `error`. May be called on any thread."""
        log.error("a fault", exc_info=error)
        self._caught.emit(make_fault_report(error))

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QCoreApplication.quit()  # Ctrl+C in the terminal
        else:
            self.take(error)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self.take(args.exc_value)


def log_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
    """Log a message of Qt."""
    logging.getLogger("qt").log(_QT_LEVELS.get(kind, logging.WARNING), "%s", message)

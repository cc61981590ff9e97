"""Take the README's screenshots from the sample documents, without a display: `.venv/bin/python THIS`."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "screenshots"
SIZE_PX = (1280, 800)
QUERY = "rising oceans threaten the coast"
PAIR = ("The sea is rising faster than expected.", "Ocean levels climb more quickly than anyone thought.")
LARGEST_BYTES = 250_000
PATIENCE_S = 180

os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402 - the platform must be set first
from PySide6.QtCore import QtMsgType, qInstallMessageHandler  # noqa: E402
from PySide6.QtGui import QImage  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from desktop_app.compose import open_workspace  # noqa: E402
from desktop_app.core.paths import Paths  # noqa: E402
from desktop_app.core.settings import LaunchOptions, Settings  # noqa: E402
from desktop_app.gui.base.bridge import Bridge  # noqa: E402
from desktop_app.gui.compare.dialog import CompareDialog  # noqa: E402
from desktop_app.gui.imports.controller import list_sample_files  # noqa: E402
from desktop_app.gui.shell.app import prepare_application  # noqa: E402
from desktop_app.gui.shell.main_window import MainWindow  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def main() -> int:
    """Take every screenshot; return the exit status."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    # Ignore warnings about features that the offscreen platform lacks.
    qInstallMessageHandler(lambda kind, _context, text: _say(text) if kind != QtMsgType.QtWarningMsg else None)
    application = QApplication(["kindred"])
    application.setCursorFlashTime(0)
    with tempfile.TemporaryDirectory(prefix="kindred-", ignore_cleanup_errors=True) as base:
        paths, settings = Paths.under(Path(base)), Settings(theme="light", language="en")
        workspace = open_workspace(LaunchOptions(settings, paths.default_library, writable=True, create=True))
        bridge = Bridge(application)
        window = MainWindow(
            workspace, bridge, prepare_application(application, settings), settings, paths, lambda _settings: None
        )
        try:
            # The screenshots show folders, but must not show those of this machine.
            papers = Path(base) / "Papers"
            papers.mkdir()
            _take_all(window, [str(shutil.copy(file, str(papers))) for file in list_sample_files()])
        finally:
            window.close()
            workspace.close()
            bridge.close()
    return 0


def _take_all(window: MainWindow, files: list[str]) -> None:
    window.painted.connect(window.start)
    window.resize(*SIZE_PX)
    window.show()
    _until(lambda: window.session.phase in ("ready", "failed"), "the program is ready")
    window.imports.start(files)
    _until(lambda: not window.imports.is_running, "the samples are imported")
    window.search.box.setText(QUERY)
    _until(lambda: window.search_pane.model.rowCount() > 0 and not window.search.controller.is_waiting, "hits")
    window.search_pane.view.setCurrentIndex(window.search_pane.model.index(0))
    for theme in ("light", "dark"):
        window.apply_theme(theme)
        _save(window, f"search-{theme}")
    window.apply_theme("light")
    # The first hit in a PDF, so that the screenshot shows a page.
    row = next(row for row in range(window.search_pane.model.rowCount()) if _hit_type(window, row) == "pdf")
    window.search_pane.view.setCurrentIndex(window.search_pane.model.index(row))
    window.context.navigator.open_hit.emit(window.search_pane.current)
    _save(window, "reader")
    _take_compare(window)


def _hit_type(window: MainWindow, row: int) -> str:
    return window.search_pane.model.hit(window.search_pane.model.index(row)).type


def _take_compare(window: MainWindow) -> None:
    window.action_table["compare.open"].trigger()
    (dialog,) = window.findChildren(CompareDialog)
    for side, text in zip((dialog.first, dialog.second), PAIR, strict=True):
        side.field.setPlainText(text)
    _save(dialog, "compare")
    dialog.close()


def _until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"screenshots: timed out waiting: {what}")
        _wait(0.02)


def _wait(seconds: float) -> None:
    """Process events for so many seconds; unlike Qt's own wait, this lets other threads run."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)


def _save(widget: QWidget, name: str) -> None:
    """Save a screenshot of a window once it no longer changes."""
    looks_alike = 0
    picture = widget.grab().toImage()
    end = time.monotonic() + 60
    # Takes some seconds: the reader's pages come from another process.
    while looks_alike < 10 and time.monotonic() < end:
        _wait(0.4)
        previous, picture = picture, widget.grab().toImage()
        looks_alike = looks_alike + 1 if picture == previous else 0
    file = FOLDER / f"{name}.png"
    _of_few_colors(picture).save(str(file), quality=0)  # lowest quality means strongest compression
    size = file.stat().st_size
    _say(f"{file.relative_to(ROOT)}  {size // 1000} kB")
    if size > LARGEST_BYTES:
        raise SystemExit(f"screenshots: {file.name} is larger than {LARGEST_BYTES // 1000} kB")


def _of_few_colors(picture: QImage) -> QImage:
    """Reduce a picture to its 256 most frequent colours, with other pixels in the nearest one: a third of the size."""
    picture = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), picture.width())
    colors, places, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    kept = colors[np.argsort(-counts, kind="stable")[:256]]

    def channels(values: NDArray[np.uint32]) -> NDArray[np.int32]:
        return np.stack([(values >> shift & 255).astype(np.int32) for shift in (16, 8, 0)], axis=-1)

    nearest = np.array([np.argmin(((channels(kept) - color) ** 2).sum(axis=1)) for color in channels(colors)], np.uint8)
    indexes = np.ascontiguousarray(nearest[places].reshape(pixels.shape))
    result = QImage(indexes.data, picture.width(), picture.height(), picture.width(), QImage.Format.Format_Indexed8)
    result.setColorTable([int(color) for color in kept])
    return result.copy()


def _say(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())

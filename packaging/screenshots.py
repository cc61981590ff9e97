"""Take the screenshots of README and manual from the sample documents, without a display: `.venv/bin/python THIS`.

The manual has its own in each language, so the program runs once for each.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

ROOT = Path(__file__).resolve().parent.parent
README_FOLDER = ROOT / "resources" / "screenshots"
LANGUAGES = ("en", "de")
README_SIZE_PX = (1280, 800)
WINDOW_SIZE_PX = (1120, 700)  # the smallest one with the library; the manual shows it in a column of 660 pixels
PANE_SIZE_PX = (940, 640)
QUERY = "rising oceans threaten the coast"
PAIR = ("The sea is rising faster than expected.", "Ocean levels climb more quickly than anyone thought.")
# Near copies and paraphrases of the samples.
NOTES = """# Notes from the shore

The sea is rising for two simple reasons. The oceans now climb about twice as fast as they did a generation before.
A flood that our grandparents saw once in their life may return every few years. Good warnings save more lives than good
walls. A marsh grows higher on its own when it gets mud and time.
"""
DRAFT = """Good warnings save more lives than good walls. Warm water needs more space than cold water, and melting ice
adds to it. A marsh grows higher on its own when it gets mud and time. Sinking ground is not a problem for any
delta. The new barrier was opened by the mayor in May.
"""
LARGEST_BYTES = 150_000
PATIENCE_S = 180

os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402 - the platform must be set first
from PySide6.QtCore import QRect, QtMsgType, qInstallMessageHandler  # noqa: E402
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
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from desktop_app.gui.clusters.pane import ClustersPane
    from desktop_app.gui.duplicates.pane import DuplicatesPane
    from desktop_app.gui.trace.pane import TracePane


def main() -> int:
    """Take every screenshot; return the exit status."""
    if len(sys.argv) == 1:
        return max(subprocess.run([sys.executable, __file__, language]).returncode for language in LANGUAGES)
    language = sys.argv[1]
    # Ignore warnings about features that the offscreen platform lacks.
    qInstallMessageHandler(lambda kind, _context, text: _say(text) if kind != QtMsgType.QtWarningMsg else None)
    application = QApplication(["kindred"])
    application.setCursorFlashTime(0)
    with tempfile.TemporaryDirectory(prefix="kindred-", ignore_cleanup_errors=True) as base:
        paths, settings = Paths.under(Path(base)), Settings(theme="light", language=language)
        workspace = open_workspace(LaunchOptions(settings, paths.default_library, writable=True, create=True))
        bridge = Bridge(application)
        window = MainWindow(
            workspace, bridge, prepare_application(application, settings), settings, paths, lambda _settings: None
        )
        try:
            # The screenshots show folders, but must not show those of this machine.
            papers = Path(base) / "Papers"
            papers.mkdir()
            window.painted.connect(window.start)
            window.resize(*README_SIZE_PX)
            window.show()
            _until(lambda: window.session.phase in ("ready", "failed"), "the program is ready")
            _import(window, [str(shutil.copy(file, str(papers))) for file in list_sample_files()])
            _search(window)
            if language == LANGUAGES[0]:
                _take_readme(window)
            notes = papers / "Notes from the shore.md"
            notes.write_text(NOTES, "utf-8")
            _take_manual(window, notes, ROOT / "resources" / "manual" / language / "pictures")
        finally:
            window.close()
            workspace.close()
            bridge.close()
    return 0


def _import(window: MainWindow, files: list[str]) -> None:
    window.imports.start(files)
    _until(lambda: not window.imports.is_running, "the import")


def _search(window: MainWindow) -> None:
    window.search.box.setText(QUERY)
    _until(lambda: window.search_pane.model.rowCount() > 0 and not window.search.controller.is_waiting, "results")
    window.search_pane.view.setCurrentIndex(window.search_pane.model.index(0))


def _take_readme(window: MainWindow) -> None:
    for theme in ("light", "dark"):
        window.apply_theme(theme)
        _save(window, README_FOLDER / f"search-{theme}.png")
    window.apply_theme("light")
    _open_pdf_hit(window)
    _save(window, README_FOLDER / "reader.png")
    with _compared(window) as dialog:
        _save(dialog, README_FOLDER / "compare.png")


def _take_manual(window: MainWindow, notes: Path, folder: Path) -> None:
    """Take the screenshots of the manual's pages in one language."""
    folder.mkdir(parents=True, exist_ok=True)
    window.resize(*WINDOW_SIZE_PX)
    _search(window)
    window.job_card.hide()
    _save(window, folder / "search.png")
    window.resize(*PANE_SIZE_PX)
    _save(window.search_pane.view, folder / "result.png", lambda: _result_rect(window))
    _open_pdf_hit(window)
    _save(window.reader, folder / "reader.png")
    with _compared(window) as dialog:
        _save(dialog, folder / "compare.png")
    trace = cast("TracePane", window.panes.pane("trace"))
    window.panes.show_pane("trace")
    trace.controller.trace_text(DRAFT)
    _until(lambda: trace.controller.found is not None and not trace.controller.is_working, "the draft is checked")
    trace.view.choose(1)
    _save(window.panes, folder / "check-draft.png")
    _import(window, [str(notes)])
    window.panes.show_pane("pairs")
    duplicates = cast("DuplicatesPane", window.panes.pane("pairs"))
    _until(lambda: duplicates.model.rowCount() > 0 and not duplicates.controller.is_working, "the duplicates")
    _save(window.panes, folder / "duplicates.png")
    window.action_table["clusters.find"].trigger()
    window.reader_controller.set_visible(False)
    topics = cast("ClustersPane", window.panes.pane("clusters"))
    _until(lambda: topics.model.rowCount() > 0 and topics.controller.is_idle, "the topics")
    topics.view.setCurrentIndex(topics.model.index(0, 0))
    _save(window.panes, folder / "topics.png")


def _result_rect(window: MainWindow) -> QRect:
    """Return the place of a result with sentences before and after it."""
    view = window.search_pane.view
    return view.visualRect(view.model().index(2, 0)).adjusted(0, -4, 0, 4)


def _open_pdf_hit(window: MainWindow) -> None:
    """Open the first result in a PDF, so that the reader shows a page."""
    model = window.search_pane.model
    row = next(row for row in range(model.rowCount()) if _hit_type(window, row) == "pdf")
    window.search_pane.view.setCurrentIndex(model.index(row))
    window.context.navigator.open_hit.emit(window.search_pane.current)


def _hit_type(window: MainWindow, row: int) -> str:
    return window.search_pane.model.hit(window.search_pane.model.index(row)).type


@contextmanager
def _compared(window: MainWindow) -> Iterator[CompareDialog]:
    """Yield the dialog with two sentences; close it afterwards."""
    window.action_table["compare.open"].trigger()
    (dialog,) = window.findChildren(CompareDialog)
    for side, text in zip((dialog.first, dialog.second), PAIR, strict=True):
        side.field.setPlainText(text)
    yield dialog
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


def _save(widget: QWidget, file: Path, find_part: Callable[[], QRect] | None = None) -> None:
    """Save a screenshot of a window, or of a part of it, once it no longer changes."""

    def grab() -> QImage:
        return widget.grab(find_part() if find_part is not None else widget.rect()).toImage()

    looks_alike = 0
    picture = grab()
    end = time.monotonic() + 60
    # Takes some seconds: the reader's pages come from another process.
    while looks_alike < 10 and time.monotonic() < end:
        _wait(0.4)
        previous, picture = picture, grab()
        looks_alike = looks_alike + 1 if picture == previous else 0
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

"""The main window: names for screen readers, colours, geometry, faults, start and end."""

from __future__ import annotations

import gc
import logging
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QSize, Qt, QtMsgType
from PySide6.QtGui import QAccessible, QColor, QGuiApplication, QHelpEvent, QIcon, QKeySequence, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import AppError
from desktop_app.core.messages import verbatim
from desktop_app.core.models import RejectedDocument
from desktop_app.core.settings import Settings
from desktop_app.engine.model_switch import SwitchReport
from desktop_app.engine.requests import ImportReport
from desktop_app.gui.base import fault_reporter, icons
from desktop_app.gui.base.actions import MENUS
from desktop_app.gui.base.bridge import Bridge
from desktop_app.gui.base.display_text import make_path_wrappable
from desktop_app.gui.base.fault_reporter import FaultReporter
from desktop_app.gui.base.theme import DARK, LIGHT, Theme, ThemeManager
from desktop_app.gui.help.about_dialog import AboutDialog
from desktop_app.gui.imports.report_dialog import ImportReportDialog
from desktop_app.gui.preferences.dialog import PreferencesDialog
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.shell.fault_dialog import FaultDialog, show_fault_dialog
from desktop_app.gui.widgets import labels, notice_bar
from desktop_app.gui.widgets.fields import CheckBox
from tests.gui.conftest import Kindred, close, search
from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]

# Screen readers and keyboards


def unnamed(top: QWidget) -> list[str]:
    """Return the visible parts below `top` without a name for screen readers."""
    found = []

    def walk(node: QAccessible) -> None:
        part = node.object()
        if isinstance(part, QWidget) and part.objectName().startswith("qt_"):
            return  # viewports, corners and extension buttons of Qt's own
        if isinstance(part, QWidget) and not node.text(QAccessible.Text.Name):
            found.append(f"{type(part).__name__} {part.objectName()} in {type(part.parent()).__name__}")
        for nth in range(node.childCount()):
            child = node.child(nth)
            if child is not None:
                walk(child)

    walk(QAccessible.queryAccessibleInterface(top))
    return found


def test_the_tab_key_goes_from_column_to_column(kindred: Kindred) -> None:
    window = kindred.window
    columns = (window.library_pane, window.panes, window.reader)
    reached, widget = [], window.nextInFocusChain()
    while widget is not window:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            reached += [at for at, column in enumerate(columns) if column.isAncestorOf(widget)]
        widget = widget.nextInFocusChain()
    assert list(dict.fromkeys(reached)) == [0, 1, 2]


def test_every_control_of_the_window_has_a_name(filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    assert unnamed(window) == []
    search(filled, qtbot, "bread")
    window.removals.remove([1])
    window.context.tell("Something has happened.")
    qtbot.waitUntil(window.undo_bar.isVisible)
    window.drop_and_paste.hint.show_overlay()
    assert unnamed(window) == []
    report = ImportReportDialog(ImportReport(), window._themes, window)
    for dialog in (FaultDialog("r", window), AboutDialog(window), report):
        dialog.show()
        assert unnamed(dialog) == []
        dialog.close()


def test_a_failing_gpu_is_reported_and_the_status_line_changes(kindred: Kindred, qtbot: QtBot) -> None:
    window, session = kindred.window, kindred.window.session
    assert session.status is not None
    assert session.status.device is not None
    note = verbatim("cuda failed (the driver is gone): switched to the CPU")
    device = replace(session.status.device, device="cpu", note=note, failure=note)
    for _ in range(2):
        session._on_counted(replace(session.status, device=device))
    assert "the driver is gone" in window.notice.text
    assert "the driver is gone" in window.status.toolTip()
    window.context.tell("Something else.")
    session._on_counted(replace(session.status, device=device))
    assert window.notice.text == "Something else.", "shown once"


def test_documents_that_a_change_of_models_leaves_out_are_reported_and_shown(kindred: Kindred, qtbot: QtBot) -> None:
    window = kindred.window
    window.models.switched.emit(SwitchReport("tiny", 3, 1.0))
    assert window.notice.text == "Your library now uses tiny."
    window.action_table["view.library"].trigger()
    assert window.library_pane.isHidden()
    rejected = RejectedDocument(1, "/a.txt", verbatim("line 1 has no vector"))
    window.models.switched.emit(SwitchReport("tiny", 3, 1.0, left_out=(rejected,)))
    assert window.notice.text.startswith("Your library now uses tiny. 1 document failed")
    with qtbot.waitSignal(window.action_table["library.failed_only"].toggled):
        window.notice.pressed.emit()
    assert not window.library_pane.isHidden()


def test_screen_readers_get_the_full_text_of_a_hit_and_a_document(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread waiting")
    hits = QAccessible.queryAccessibleInterface(shared.window.search_pane.view)
    assert hits.child(0).text(QAccessible.Text.Name).startswith("Bread is mostly waiting., score 0.")
    documents = QAccessible.queryAccessibleInterface(shared.window.library_pane.view)
    names = [documents.child(row).text(QAccessible.Text.Name) for row in range(documents.childCount())]
    assert names == ["Documents", "papers, 2 documents", "sea, 5 sentences", "tags, 2 sentences"]


def test_the_tab_key_reaches_search_documents_and_hits(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    shared.window.search.box.setFocus()
    seen: list[QWidget | None] = []
    for _ in range(18):
        seen.append(QApplication.focusWidget())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert shared.window.library_pane.view in seen
    assert shared.window.search_pane.view in seen
    assert seen.count(shared.window.search.box) > 1, "Tab wraps around"


def test_actions_have_unique_ids_texts_and_shortcuts(shared: Kindred) -> None:
    ids = [spec.id for spec in ACTION_SPECS]
    assert len(ids) == len(set(ids))
    assert {spec.menu for spec in ACTION_SPECS if spec.menu} == {name for name, _ in MENUS}
    # A pane's own shortcut works while the focus is in it; another pane may have the same.
    actions = shared.window.action_table
    keys = [(spec.pane, key.toString()) for spec in ACTION_SPECS for key in actions[spec.id].shortcuts()]
    assert sorted(keys) == sorted(set(keys)), "a shortcut is used by two actions"
    for spec in ACTION_SPECS:
        is_choice = bool(spec.group or spec.checkable)
        assert is_choice or shared.window.action_table[spec.id].receivers("2triggered(bool)"), spec.id


def test_ctrl_o_imports(shared: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: asked.append(dialog))
    qtbot.keySequence(shared.window, QKeySequence(QKeySequence.StandardKey.Open))
    assert len(asked) == 1
    asked[0].deleteLater()  # type: ignore[attr-defined]


def test_no_label_interprets_its_text_as_markup(shared: Kindred) -> None:
    labels = shared.window.findChildren(QLabel)
    assert labels
    assert all(each.textFormat() == Qt.TextFormat.PlainText for each in labels if each.text())


# Colours and pictures


def luminance(color: str) -> float:
    """Return the relative luminance as defined in WCAG 2.1."""
    parts = [value / 255 for value in QColor(color).getRgb()[:3]]  # type: ignore[index]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_text_has_enough_contrast(theme: Theme) -> None:
    surfaces = ("ground", "panel", "raised", "soft", "hover")
    pairs = [(text, surface) for surface in surfaces for text in ("text", "muted", "accent")]
    pairs += [("bad", surface) for surface in surfaces] + [("good", "panel"), ("good", "raised")]
    pairs += [("warn", "panel"), ("warn", "raised"), ("muted", "track")]
    pairs += [("on_accent", "accent"), ("on_mark", "mark")]
    weak = {pair: round(contrast(getattr(theme, pair[0]), getattr(theme, pair[1])), 2) for pair in pairs}
    assert {pair: value for pair, value in weak.items() if value < 4.5} == {}
    assert theme.ground not in ("#000000", "#ffffff")


def test_the_theme_can_be_chosen_and_is_saved(kindred: Kindred, qapp: QApplication, themes: ThemeManager) -> None:
    kindred.window.action_table["view.theme.dark"].trigger()
    assert themes.theme is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == DARK.color("panel")
    assert kindred.saved[-1].theme == "dark"
    kindred.window.action_table["view.theme.light"].trigger()
    assert themes.theme is LIGHT


def test_a_theme_is_applied_once(themes: ThemeManager) -> None:
    applied: list[Theme] = []
    themes.changed.connect(applied.append)
    for choice in ("light", "dark", "dark", "light"):
        themes.choose(choice)
    themes.changed.disconnect(applied.append)
    assert applied == [DARK, LIGHT]


def test_the_search_box_stays_where_it_is_when_the_theme_changes(shared: Kindred) -> None:
    before = shared.window.search.box.mapTo(shared.window, shared.window.search.box.rect().topLeft())
    for theme in ("dark", "light"):
        shared.window.apply_theme(theme)
        QApplication.processEvents()
        assert shared.window.search.box.mapTo(shared.window, shared.window.search.box.rect().topLeft()) == before


def test_a_theme_and_back_leave_the_window_as_it_was(shared: Kindred) -> None:
    window = shared.window
    window.action_table["app.preferences"].trigger()
    (dialog,) = (each for each in QApplication.topLevelWidgets() if isinstance(each, PreferencesDialog))
    shown: list[QWidget] = [window, dialog]
    window.search.box.clearFocus()  # its cursor blinks
    QApplication.processEvents()
    before = [widget.grab().toImage() for widget in shown]
    window.apply_theme("dark")
    dark = [widget.grab().toImage() for widget in shown]
    assert all(picture.pixelColor(5, 200).lightness() < 80 for picture in dark)
    window.apply_theme("light")
    for widget, picture in zip(shown, before, strict=True):
        assert widget.grab().toImage() == picture, widget
    dialog.close()


def test_menus_show_the_current_choice(shared: Kindred) -> None:
    """An icon in place of the tick would hide the choice."""
    for spec in ACTION_SPECS:
        action = shared.window.action_table[spec.id]
        assert action.isIconVisibleInMenu() != action.isCheckable(), spec.id


def test_a_message_disappears_after_time_to_read_it(
    kindred: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_bar, "_MIN_NOTICE_MS", 1)
    monkeypatch.setattr(notice_bar, "_NOTICE_MS_PER_CHARACTER", 0)
    kindred.window.context.tell("There is nothing on the clipboard.")
    assert kindred.window.notice.isVisible()
    qtbot.waitUntil(lambda: not kindred.window.notice.isVisible())
    kindred.window.undo_bar.say("Removed.", "Undo")
    assert kindred.window.undo_bar._passing is None, "this one disappears with the undo time"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_check_box_is_visible(shared: Kindred, theme: Theme) -> None:
    shared.window.apply_theme("dark" if theme.dark else "light")
    box = CheckBox("Written in Markdown")
    box.resize(box.sizeHint())
    picture = box.grab().toImage()
    ground = theme.color("panel")
    seen = {picture.pixelColor(x, picture.height() // 2).rgb() for x in range(20)}
    assert max(contrast(QColor(colour), ground) for colour in seen) >= 3
    box.deleteLater()


def test_unwritable_settings_are_reported(kindred: Kindred) -> None:
    def refuse(_settings: Settings) -> None:
        raise OSError(28, "No space left on device")

    kindred.window.context._save_settings = refuse
    kindred.window.action_table["view.theme.light"].trigger()
    assert "No space left on device" in kindred.window.notice.text


def test_icons_are_tinted_by_the_palette_and_keep_their_scale(qapp: QApplication) -> None:
    def darkest(icon: QIcon, ratio: float) -> tuple[int, int]:
        image = icon.pixmap(QSize(20, 20), ratio).toImage()
        opaque = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        return image.width(), max(color.lightness() for color in opaque if color.alpha() > 200)

    before = qapp.palette()
    assert darkest(icons.make_icon("search"), 1.5)[0] == 30
    assert darkest(icons.make_icon("search"), 1.0)[1] < 100
    changed = QPalette(before)
    changed.setColor(QPalette.ColorRole.WindowText, QColor("white"))
    qapp.setPalette(changed)
    assert darkest(icons.make_icon("search"), 1.0)[1] > 200
    qapp.setPalette(before)


def test_every_icon_of_the_table_exists() -> None:
    for name in {spec.icon for spec in ACTION_SPECS if spec.icon}:
        assert not icons.tinted_pixmap(name, QColor("black"), QSize(16, 16)).isNull()
    assert icons.application_icon().pixmap(48, 48).toImage().pixelColor(24, 24).saturation() > 0


# Start and end


def test_the_window_is_restored_at_its_former_place(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    first = make()
    first.window.resize(760, 600)
    first.window.splitter.setSizes([250, 509])
    sizes = first.window.splitter.sizes()
    close(first)
    second = make()
    assert second.window.size() == QSize(760, 600)
    assert second.window.splitter.sizes() == sizes


def test_nothing_is_left_of_a_closed_window(make: Callable[..., Kindred], qtbot: QtBot, files: Path) -> None:
    kindred = make(files=[str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    search(kindred, qtbot, "bread")
    before = len(QApplication.allWidgets())
    window = weakref.ref(kindred.window)
    close(kindred)
    assert kindred.library.closed
    kindred.window = None  # type: ignore[assignment]
    gc.collect()
    assert window() is None
    assert len(QApplication.allWidgets()) < before - 20


def test_closing_during_an_import_is_clean(make: Callable[..., Kindred], qtbot: QtBot, files: Path) -> None:
    kindred = make()
    kindred.reading.shut()
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: len(kindred.documents) == 2)
    kindred.window.search.box.setText("bread")
    close(kindred)
    assert kindred.library.closed


START = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from desktop_app.gui.shell import app as gui
HEAVY = {"torch", "transformers", "hnswlib", "sqlalchemy", "pypdf", "pypdfium2", "sentence_transformers"}
print("after import:", sorted(HEAVY & set(sys.modules)))
from pathlib import Path
from desktop_app.core.paths import Paths
from desktop_app.core.settings import Settings
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.workspace import Workspace
from desktop_app.gui.shell.main_window import MainWindow
from tests.gui.fakes import FakeEncoder, FakeLibrary, FakeReader, Gate
print("loaded by the fakes:", sorted(HEAVY & set(sys.modules)))
opened = []
def open_library():
    opened.append(True)
    return FakeLibrary()
def make():
    return Workspace(EngineSetup(open_library=open_library, load_encoder=lambda _: FakeEncoder(),
                     is_supported=lambda _: True, start_reader=lambda: FakeReader(Gate()),
                     choose_device=lambda _: FakeEncoder.device))
first = MainWindow.paintEvent
def paint(self, event):
    first(self, event)
    if not opened:
        print("painted first:", sorted(HEAVY & set(sys.modules)))
    self.session.changed.connect(lambda: self.session.phase == "ready" and QTimer.singleShot(0, self.close))
MainWindow.paintEvent = paint
print("status:", gui.run_window(make, Settings(theme="light"), Paths.under(Path(sys.argv[1])), [], lambda _: None))
"""


def run_python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_window_is_painted_before_heavy_modules_load(tmp_path: Path) -> None:
    lines = run_python(START, str(tmp_path)).splitlines()
    assert lines[0] == "after import: []"
    assert lines[1] == "loaded by the fakes: []"
    assert lines[2] == "painted first: []"
    assert lines[-1] == "status: 0"
    state = tmp_path / "config" / "window.ini"
    assert state.is_file()
    assert os.name == "nt" or not state.stat().st_mode & 0o077


BROKEN = (
    START.replace("from pathlib import Path", "from pathlib import Path\nfrom desktop_app.core.messages import Message")
    .replace("lambda _: None))", "lambda _: None, settings_fault=Message('Kept as {file}.', file=sys.argv[2])))")
    .replace("QTimer.singleShot(0, self.close)", "(print(self.notice.text), QTimer.singleShot(0, self.close))")
)


def test_the_window_reports_unreadable_settings_and_where_the_copy_is(tmp_path: Path) -> None:
    aside = str(tmp_path / "settings.broken")
    (message,) = {line for line in run_python(BROKEN, str(tmp_path), aside).splitlines() if "Kept" in line}
    assert message == f"Kept as {aside}."


# PySide6 6.12.0 loses a reference to None at each void call on Python 3.11 and older, and aborts after some thousand.
CALLS = """
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
class Sender(QObject):
    sent = Signal(object)
app = QApplication([])
widget, sender, image = QWidget(), Sender(), QImage(20, 20, QImage.Format.Format_ARGB32_Premultiplied)
sender.sent.connect(lambda _: None)
painter = QPainter(image)
for _ in range(20_000):
    widget.update()
    sender.sent.emit(None)
    sender.sent.emit(True)
    painter.save()
    painter.restore()
    widget.isEnabled()
painter.end()
print("alive")
"""


def test_twenty_thousand_void_calls_are_survived() -> None:
    assert run_python(CALLS).strip() == "alive"


# Results that cross threads


def test_a_result_for_a_widget_that_is_gone_is_dropped(shared: Kindred, qtbot: QtBot) -> None:
    called: list[object] = []
    receiver = QObject()
    shared.querying.shut()
    shared.window.search.box.setText("held")
    job = shared.bridge.call(shared.workspace.read(lambda _library: None), receiver, called.append)
    receiver.deleteLater()
    QCoreApplication.sendPostedEvents(receiver, QEvent.Type.DeferredDelete)
    shared.querying.open()
    job.wait(PATIENCE_S)
    done: list[object] = []
    shared.bridge.call(shared.workspace.read(lambda _library: None), shared.window, done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert called == []


def test_callbacks_run_on_the_windows_thread(shared: Kindred, qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []
    job = shared.workspace.read(lambda _library: None)
    shared.bridge.call(job, shared.window, lambda _status: threads.append(threading.current_thread()))
    qtbot.waitUntil(lambda: bool(threads))
    assert threads == [threading.main_thread()]


# Faults


@pytest.fixture
def reporter(kindred: Kindred) -> FaultReporter:
    reporter = FaultReporter(kindred.window)
    reporter.reported.connect(lambda report: show_fault_dialog(report, kindred.window))
    kindred.bridge.fault.connect(reporter.take)
    return reporter


def test_a_bug_in_a_job_ends_in_a_report(kindred: Kindred, qtbot: QtBot, reporter: FaultReporter) -> None:
    def break_down(*_arguments: object, **_named: object) -> None:
        raise KeyError("a sentence that nobody else may read")

    kindred.library.info = break_down  # type: ignore[method-assign]
    kindred.bridge.call(kindred.workspace.status(), kindred.window)
    qtbot.waitUntil(lambda: kindred.window.findChild(FaultDialog) is not None)
    dialog = kindred.window.findChild(FaultDialog)
    text = dialog.report.toPlainText()
    assert "KeyError" in text
    assert "break_down" in text
    assert "nobody else may read" not in text
    copy = next(button for button in dialog.findChildren(QAbstractButton) if "Copy" in button.text())
    copy.click()
    assert QGuiApplication.clipboard().text() == text
    dialog.close()


def test_further_faults_join_the_dialog_that_is_open(kindred: Kindred, qtbot: QtBot, reporter: FaultReporter) -> None:
    for message in ("first", "second"):
        reporter.take(RuntimeError(message))
    qtbot.waitUntil(lambda: kindred.window.findChild(FaultDialog) is not None)
    dialog = kindred.window.findChild(FaultDialog)
    qtbot.waitUntil(lambda: "second" in dialog.report.toPlainText())
    assert len(kindred.window.findChildren(FaultDialog)) == 1
    dialog.close()


def test_an_error_with_advice_is_shown_without_a_report(kindred: Kindred, reporter: FaultReporter) -> None:
    kindred.window.context.tell_error(AppError("The disk is full", "Free some space."))
    assert kindred.window.notice.text == "The disk is full. Free some space."
    assert kindred.window.findChild(FaultDialog) is None


def test_exceptions_of_slots_and_threads_reach_the_reporter(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    reporter = FaultReporter()
    reports: list[str] = []
    reporter.reported.connect(reports.append)
    hooks = sys.excepthook, threading.excepthook
    reporter.install()
    try:
        sys.excepthook(ValueError, ValueError("slot"), None)
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: len(reports) == 2)
    finally:
        reporter.uninstall()
    assert "ZeroDivisionError" in reports[1]
    assert (sys.excepthook, threading.excepthook) == hooks


def test_messages_of_qt_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "qt"):
        fault_reporter.log_qt_message(QtMsgType.QtWarningMsg, None, "a warning")  # type: ignore[arg-type]
    assert caplog.messages == ["a warning"]


def test_a_closed_bridge_delivers_nothing(shared: Kindred, qtbot: QtBot) -> None:
    bridge, called = Bridge(), list[object]()
    bridge.call(shared.workspace.read(lambda _library: None), shared.window, called.append).wait(PATIENCE_S)
    bridge.close()
    done: list[object] = []
    shared.bridge.call(shared.workspace.read(lambda _library: None), shared.window, done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert called == []
    bridge.deleteLater()


def test_the_buttons_of_an_empty_library_are_complete_at_every_width(kindred: Kindred, qtbot: QtBot) -> None:
    window = kindred.window
    state = window.search_pane.state
    for width in (1000, 1280, 2400):
        window.resize(width, 800)
        QApplication.processEvents()
        buttons = state.findChildren(QPushButton)
        assert [button.text() for button in buttons][2] == "Try with Sample Documents"
        assert all(button.width() >= button.sizeHint().width() for button in buttons), width
    assert "Everything stays on this computer" in state.text.text()
    assert make_path_wrappable(kindred.window.session.status.library.folder) in state.text.text()


def test_a_scroll_bar_with_nothing_to_scroll_is_hidden(shared: Kindred, qtbot: QtBot) -> None:
    view = shared.window.search_pane.view
    search(shared, qtbot, "sea")
    width = view.viewport().width()
    shared.window.resize(1280, 400)
    qtbot.waitUntil(view.verticalScrollBar().isEnabled)
    shared.window.resize(1280, 1600)
    qtbot.waitUntil(lambda: not view.verticalScrollBar().isEnabled())
    assert view.verticalScrollBar().isVisible(), "its place is kept"
    assert view.viewport().width() == width


def test_an_elided_line_shows_its_full_text_in_a_tooltip(qtbot: QtBot) -> None:
    line = labels.ElidedLabel("About")
    qtbot.addWidget(line)
    line.resize(80, 20)
    line.show()

    def tip(text: str) -> str:
        line.setText(text)
        at = QPoint(5, 5)
        QApplication.sendEvent(line, QHelpEvent(QEvent.Type.ToolTip, at, line.mapToGlobal(at)))
        return QToolTip.text()

    assert tip("All") == ""
    assert "most similar first" in tip("All of these many sentences, most similar first")
    QToolTip.hideText()

"""Colours, fonts and the few style rules: light, dark, or as the system."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette, QPixmapCache

from desktop_app.core.paths import resources_folder

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

FONT_FAMILY = "Inter"
FONT_SIZE_PT = 10.5
_POINTS_ON_MACOS = 96 / 72
"""macOS counts 72 points to an inch and draws each as one pixel, other systems draw 96 pixels."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a theme, as #rrggbb.

    Attributes:
        ground: behind cards and results.
        panel: side panel, bars, fields.
        raised: cards, buttons, menus.
        line: hairlines and frames.
        text: main text.
        muted: secondary text, still at a contrast of 4.5.
        accent: the one colour: focus, links, progress, primary buttons.
        on_accent: text on it.
        soft: behind the selection.
        hover: behind the item under the pointer.
        mark: behind words that match; `on_mark` is their text.
        selected: behind selected text of a document, which looks like no result.
        found: behind the matches of a find in a document; `found_now` is behind the current one.
        track: the part of a progress bar that is not filled yet.
        good: text about a success; `bad` about a failure, `warn` about anything between.
    """

    name: str
    dark: bool
    ground: str
    panel: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    on_accent: str
    soft: str
    hover: str
    mark: str
    on_mark: str
    selected: str
    found: str
    found_now: str
    track: str
    good: str
    warn: str
    bad: str

    def color(self, name: str) -> QColor:
        """Return the colour with this name."""
        return QColor(getattr(self, name))


LIGHT = Theme(
    name="light",
    dark=False,
    ground="#f5f5f8",
    panel="#fcfcfd",
    raised="#ffffff",
    line="#dfe0e8",
    text="#20222b",
    muted="#5f6475",
    accent="#4453c4",
    on_accent="#ffffff",
    soft="#e9ebfb",
    hover="#f0f1f6",
    mark="#ffe9a8",
    on_mark="#3d2f00",
    selected="#a9dcd6",
    found="#ffd9b5",
    found_now="#ffa24d",
    track="#e3e5ee",
    good="#1d7044",
    warn="#8a5a00",
    bad="#b3261e",
)
DARK = Theme(
    name="dark",
    dark=True,
    ground="#181a20",
    panel="#1f2128",
    raised="#262932",
    line="#363a46",
    text="#e4e6ee",
    muted="#a3a8b8",
    accent="#98a4fa",
    on_accent="#14172b",
    soft="#303658",
    hover="#2c2f39",
    mark="#5d4c17",
    on_mark="#ffefc0",
    selected="#14605c",
    found="#6a3d12",
    found_now="#964e08",
    track="#373b47",
    good="#7ccf9d",
    warn="#e6bd6a",
    bad="#ff9c93",
)

_RULES = """
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {line}; padding: 5px 7px; }}
QMenuBar {{ background: {panel}; padding: 2px 6px; }}
QMenuBar::item {{ background: transparent; padding: 4px 9px; border-radius: 6px; }}
QMenuBar::item:selected, QMenuBar::item:pressed {{ background: {soft}; }}
QMenu {{ background: {raised}; border: 1px solid {line}; padding: 5px; }}
QMenu::item {{ padding: 6px 28px 6px 10px; border-radius: 6px; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::item:selected {{ background: {soft}; color: {text}; }}
QMenu::item:disabled {{ color: {muted}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 5px 8px; }}
QWidget#top {{ background: {panel}; border-bottom: 1px solid {line}; }}
QStatusBar {{ background: {panel}; border-top: 1px solid {line}; color: {muted}; }}
QStatusBar::item {{ border: 0; }}
QSplitter::handle {{ background: {line}; }}
QWidget[surface="panel"] {{ background: {panel}; }}
QWidget[surface="ground"], QListView#hits, QTreeView#clusters {{ background: {ground}; }}
QFrame[surface="card"] {{ background: {raised}; border: 1px solid {line}; border-radius: 10px; }}
QFrame[surface="notice"] {{ background: {raised}; border: 0; border-top: 1px solid {line}; }}
QListView, QTreeView {{ background: {panel}; border: 0; outline: 0; }}
QTableView#scored {{ background: {panel}; border: 1px solid {line}; border-radius: 8px; outline: 0;
    selection-background-color: {soft}; selection-color: {text}; }}
QTableView#scored::item {{ padding: 3px 8px; border: 0; }}
QTableView#scored QHeaderView::section {{ padding: 6px 8px; }}
QTreeView::item:selected {{ background: {soft}; color: {text}; }}
QHeaderView::section {{ background: {panel}; color: {muted}; border: 0; border-bottom: 1px solid {line};
    padding: 6px 4px; }}
QTableView#plain {{ background: transparent; border: 0; }}
QTableView#plain::item {{ padding: 4px 10px 4px 2px; }}
QTableView#plain::item:selected {{ background: {soft}; color: {text}; }}
QTableView#plain QHeaderView, QTableView#plain QHeaderView::section {{ background: transparent; }}
QTableView#plain QHeaderView::section {{ padding: 6px 10px 6px 5px; }}
QLabel[tone="muted"] {{ color: {muted}; }}
QLabel[tone="bad"] {{ color: {bad}; }}
QLineEdit, QPlainTextEdit {{ background: {ground}; border: 1px solid {line}; border-radius: 8px; padding: 5px 9px;
    selection-background-color: {accent}; selection-color: {on_accent}; }}
QLineEdit:focus, QPlainTextEdit:focus {{ border-color: {accent}; background: {raised}; }}
QPlainTextEdit#licence, QPlainTextEdit#licence:focus {{ background: {panel}; border: 0; border-radius: 0;
    padding: 10px 14px; }}
QPlainTextEdit#stored_text, QPlainTextEdit#stored_text:focus {{ background: {panel}; border: 0; border-radius: 0;
    border-top: 1px solid {line}; padding: 0; selection-background-color: {selected}; selection-color: {text}; }}
QPlainTextEdit#search {{ border-radius: 10px; padding: 0; }}
QToolButton#in_field, QToolButton#in_field:hover {{ background: transparent; border: 0; padding: 4px; }}
QComboBox, QAbstractSpinBox {{ background: {ground}; border: 1px solid {line}; border-radius: 8px;
    padding: 5px 9px; min-height: 18px; selection-background-color: {accent}; selection-color: {on_accent}; }}
QComboBox:hover, QAbstractSpinBox:hover {{ background: {hover}; }}
QComboBox:focus, QAbstractSpinBox:focus {{ border-color: {accent}; background: {raised}; }}
QComboBox:disabled, QAbstractSpinBox:disabled {{ color: {muted}; }}
QAbstractSpinBox {{ padding: 3px 2px; }}
QAbstractSpinBox QLineEdit {{ background: transparent; border: 0; padding: 0; }}
QComboBox::drop-down {{ border: 0; width: 26px; }}
QComboBox::down-arrow, QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow {{ image: none; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: 0; width: 24px; background: transparent; }}
QComboBox QAbstractItemView {{ background: {raised}; border: 1px solid {line}; padding: 4px; outline: 0;
    selection-background-color: {soft}; selection-color: {text}; }}
QPushButton {{ background: {raised}; border: 1px solid {line}; border-radius: 8px; padding: 6px 14px;
    outline: 0; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:focus {{ border-color: {accent}; }}
QPushButton:pressed {{ background: {soft}; }}
QPushButton:disabled {{ color: {muted}; background: {panel}; }}
QPushButton[tone="primary"] {{ background: {accent}; color: {on_accent}; border: 1px solid {accent};
    font-weight: 600; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QPushButton[tone="primary"]:disabled {{ background: {track}; color: {muted}; border-color: {track}; }}
QPushButton[tone="primary"]:focus {{ border: 2px solid {text}; padding: 5px 13px; }}
QPushButton[tone="chip"] {{ background: {soft}; border: 1px solid transparent; border-radius: 11px;
    padding: 2px 10px 2px 8px; }}
QPushButton[tone="chip"]:hover {{ border-color: {accent}; }}
QPushButton[tone="chip"]:focus {{ border-color: {accent}; }}
QToolButton[tone="bad"] {{ color: {bad}; border-color: {line}; border-radius: 8px; padding: 5px 8px; }}
QToolButton[tone="bad"]:checked {{ border-color: {bad}; }}
QTreeView#documents::item:selected, QTreeView#clusters::item:selected {{ background: transparent; }}
QLineEdit#title {{ padding: 2px 6px; border-radius: 6px; border-color: {accent}; background: {raised}; }}
QTreeView#outline {{ background: transparent; }}
QTreeView#outline::item {{ padding: 5px 4px; }}
QTreeView#filters {{ background: transparent; }}
QTreeView#filters::item {{ padding: 4px 4px; }}
QTreeView#filters::indicator {{ width: 13px; height: 13px; border: 1px solid {muted}; border-radius: 4px; }}
QTreeView#filters::indicator:checked {{ background: {accent}; border-color: {accent};
    color: {on_accent}; }}
QRadioButton::indicator {{ width: 13px; height: 13px; border: 1px solid {muted}; border-radius: 7px; }}
QRadioButton::indicator:checked {{ width: 7px; height: 7px; border: 4px solid {accent}; }}
QListView#quotes::item {{ border-radius: 8px; padding: 7px 8px; color: {text}; }}
QListView#quotes::item:selected {{ background: {soft}; color: {text}; }}
QListView#quotes::item:hover:!selected {{ background: {hover}; }}
QListView#kinds::item {{ border-radius: 7px; padding: 4px 8px; color: {text}; }}
QListView#kinds::item:selected {{ background: {soft}; color: {text}; }}
QListView#kinds::item:hover:!selected {{ background: {hover}; }}
QToolButton {{ border: 1px solid transparent; border-radius: 7px; padding: 4px; }}
QToolButton:hover {{ background: {hover}; }}
QToolButton:pressed, QToolButton:checked {{ background: {soft}; }}
QToolButton:focus {{ border-color: {accent}; }}
QToolButton#show_library {{ padding: 6px; }}
QToolButton#show_library:checked:!hover {{ background: transparent; }}
QToolButton[tone="tab"] {{ padding: 6px 10px; border-radius: 8px; }}
QToolButton[tone="close"] {{ padding: 1px; border-radius: 5px; margin: 0 4px 0 0; }}
QTabBar#documents_read {{ background: {panel}; }}
QTabBar#documents_read::tab {{ background: transparent; color: {muted}; border: 0;
    border-bottom: 2px solid {line}; padding: 8px 4px 7px 10px; }}
QTabBar#documents_read::tab:selected {{ color: {text}; border-bottom-color: {accent}; }}
QTabBar#documents_read::tab:hover:!selected {{ background: {hover}; color: {text}; }}
QToolButton::menu-indicator {{ image: none; }}
QLabel[surface="key"] {{ background: {panel}; border: 1px solid {line}; border-radius: 5px; padding: 1px 7px; }}
QLabel[surface="banner"] {{ background: {mark}; color: {on_mark}; border-radius: 8px; padding: 8px 12px; }}
QLabel[surface="badge"] {{ background: {mark}; color: {on_mark}; border-radius: 9px; padding: 2px 9px; }}
QLabel:disabled {{ color: {muted}; }}
QListView#completions {{ background: {raised}; border: 1px solid {line}; padding: 4px; }}
QListView#completions::item {{ border-radius: 6px; padding: 3px 6px; color: {text}; }}
QListView#completions::item:selected {{ background: {soft}; color: {text}; }}
QListView#palette, QListView#near {{ background: transparent; }}
QScrollArea {{ background: transparent; border: 0; }}
QProgressBar {{ background: {track}; border: 0; border-radius: 3px; min-height: 6px; max-height: 6px; }}
QSlider::groove:horizontal {{ background: {track}; height: 4px; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {accent}; color: {on_accent}; height: 4px; border-radius: 2px; }}
QSlider::handle:horizontal {{ background: {accent}; color: {on_accent}; width: 14px; height: 14px; margin: -5px 0;
    border-radius: 7px; }}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ border: 2px solid {text}; width: 10px;
    height: 10px; }}
QSlider::handle:horizontal:disabled {{ background: {muted}; color: {panel}; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 3px; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 2px; }}
QScrollBar::handle:vertical {{ background: {track}; border-radius: 4px; min-height: 36px; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 2px; }}
QScrollBar::handle:horizontal {{ background: {track}; border-radius: 4px; min-width: 36px; }}
QScrollBar::handle:hover {{ background: {muted}; }}
QScrollBar::handle:disabled {{ background: transparent; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def make_style_sheet(theme: Theme) -> str:
    """Return the style rules in the colours of `theme`."""
    colours = {field: getattr(theme, field) for field in theme.__slots__}
    return _RULES.format(**colours)


def make_palette(theme: Theme) -> QPalette:
    """Return the palette of `theme`; icons are tinted from it too."""
    role = QPalette.ColorRole
    result = QPalette()
    for roles, name in (
        ((role.Window,), "panel"),
        ((role.Base, role.AlternateBase), "panel"),
        ((role.Button, role.ToolTipBase), "raised"),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.BrightText), "text"),
        ((role.PlaceholderText,), "muted"),
        ((role.Highlight, role.Accent, role.Link, role.LinkVisited), "accent"),
        ((role.HighlightedText,), "on_accent"),
        ((role.Light, role.Midlight, role.Mid, role.Dark, role.Shadow), "line"),
    ):
        for each in roles:
            result.setColor(each, theme.color(name))
    for each in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, each, theme.color("muted"))
    return result


def mix_colours(first: QColor, second: QColor, share: float) -> QColor:
    """Return `first` with a share of `second`."""
    return QColor.fromRgbF(
        first.redF() + (second.redF() - first.redF()) * share,
        first.greenF() + (second.greenF() - first.greenF()) * share,
        first.blueF() + (second.blueF() - first.blueF()) * share,
    )


def scale_font(font: QFont, factor: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return `font` in another size and weight."""
    result = QFont(font)
    result.setPointSizeF(font.pointSizeF() * factor)
    result.setWeight(weight)
    return result


def load_fonts() -> None:
    """Make the program's own fonts known to Qt."""
    for file in sorted((resources_folder() / "fonts").glob("*.otf")):
        QFontDatabase.addApplicationFont(str(file))


def make_application_font() -> QFont:
    """Return the font of the window, 14 pixels high where nothing is scaled."""
    font = QFont(FONT_FAMILY)
    font.setPointSizeF(FONT_SIZE_PT * (_POINTS_ON_MACOS if sys.platform == "darwin" else 1))
    # Inter's contextual alternates turn "3x4" into "3×4" and "->" into an arrow, which is not what documents say.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


class ThemeManager(QObject):
    """Applies a theme to the application, and follows the system if that was chosen.

    Attributes:
        changed: the theme changed; carries the Theme.
    """

    changed = Signal(object)

    def __init__(self, app: QApplication, choice: str = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        self.theme = LIGHT
        self._applied: Theme | None = None
        app.setStyle("Fusion")
        load_fonts()
        app.setFont(make_application_font())
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self.choose(choice)

    def choose(self, choice: str) -> None:
        """Apply a choice of theme: `system`, `light` or `dark`."""
        self._choice = choice
        hints = QGuiApplication.styleHints()
        # Title bars and native dialogs follow this; on bare X and offscreen it does nothing, hence our own palette.
        if choice == "system":
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme.Dark if choice == "dark" else Qt.ColorScheme.Light)
        self._apply()

    def _on_system_changed(self) -> None:
        if self._choice == "system":
            self._apply()

    def _apply(self) -> None:
        dark = self._choice == "dark"
        if self._choice == "system":
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        theme = DARK if dark else LIGHT
        if theme is self._applied:
            return  # polishing every widget again takes a while, and "as the system" asks for it twice
        self._applied = self.theme = theme
        QPixmapCache.clear()
        # Without rules in between, Qt 6.11 compares the old and new rules of each widget, which takes five times as
        # long: 0.5 s of processor time for the 900 widgets of a window with its preferences.
        self._app.setStyleSheet("")
        self._app.setPalette(make_palette(self.theme))
        self._app.setStyleSheet(make_style_sheet(self.theme))
        self.changed.emit(self.theme)

"""The language of the window: translations by Qt's tools, numbers and dates in its format."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QLibraryInfo, QLocale, QTranslator

from desktop_app.core.paths import resources_folder
from desktop_app.core.settings import SYSTEM_LANGUAGE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

log = logging.getLogger(__name__)

# Qt's translations name these keys otherwise than keyboards and the manual do.
QT_TRANSLATE_NOOP("QShortcut", "Return")
QT_TRANSLATE_NOOP("QShortcut", "Up")
QT_TRANSLATE_NOOP("QShortcut", "Down")

_WITH_PLAIN_NUMBERS = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)


def choose_locale(choice: str) -> QLocale:
    """Return the locale for numbers and dates, given the chosen language.

    The system's locale counts even if its language has no translation: then the texts are English and the numbers
    follow the system. A system without a locale ("C") gets grouped thousands.
    """
    locale = QLocale.system() if choice == SYSTEM_LANGUAGE else QLocale(choice)
    return _WITH_PLAIN_NUMBERS if locale.language() == QLocale.Language.C else locale


def install_language(app: QApplication, choice: str) -> str:
    """Show everything from now on in the chosen language; a second call changes it.

    Args:
        app: the application.
        choice: `system`, or a language as ISO 639 names it.

    Returns:
        the language in use: `en` if the chosen one has no translation.
    """
    for old in app.findChildren(QTranslator):
        app.removeTranslator(old)
        old.deleteLater()
    locale = choose_locale(choice)
    QLocale.setDefault(locale)
    # The last one is asked first: Qt's own texts, then English for its plurals, then the language of the window.
    if locale.language() != QLocale.Language.English:
        _load_translator(app, locale, "qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    _load_translator(app, QLocale("en"), "kindred", str(resources_folder() / "translations"))
    if locale.language() == QLocale.Language.English:
        return "en"
    if not _load_translator(app, locale, "kindred", str(resources_folder() / "translations")):
        log.info("there is no translation into %s", locale.name())
        return "en"
    return QLocale.languageToCode(locale.language())


def _load_translator(app: QApplication, locale: QLocale, name: str, folder: str) -> bool:
    translator = QTranslator(app)
    if translator.load(locale, name, "_", folder):
        return app.installTranslator(translator)
    translator.deleteLater()
    return False

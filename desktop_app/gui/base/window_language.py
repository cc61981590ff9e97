"""The window's language: translations by Qt's own tools, numbers and dates as the language writes them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

from desktop_app.core.paths import resources_folder
from desktop_app.core.settings import SYSTEM_LANGUAGE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

log = logging.getLogger(__name__)

_WITH_PLAIN_NUMBERS = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)


def choose_locale(choice: str) -> QLocale:
    """Return how numbers and dates are written for a choice of the settings.

    The system's own choice counts also where its language has no translation: then the texts are English and the
    numbers its own. A system without any ("C") gets thousands apart.
    """
    locale = QLocale.system() if choice == SYSTEM_LANGUAGE else QLocale(choice)
    return _WITH_PLAIN_NUMBERS if locale.language() == QLocale.Language.C else locale


def install_language(app: QApplication, choice: str) -> str:
    """Have everything that is shown from now on speak the chosen language; a second call changes it.

    Args:
        app: whose texts they are.
        choice: `system`, or a language as ISO 639 names it.

    Returns:
        the language that is spoken: `en` where the chosen one has no translation.
    """
    for old in app.findChildren(QTranslator):
        app.removeTranslator(old)
        old.deleteLater()
    locale = choose_locale(choice)
    QLocale.setDefault(locale)
    # English first, for its plurals; what another language lacks falls back to it.
    _load_translator(app, QLocale("en"), "kindred", str(resources_folder() / "translations"))
    if locale.language() == QLocale.Language.English:
        return "en"
    if not _load_translator(app, locale, "kindred", str(resources_folder() / "translations")):
        log.info("there is no translation into %s", locale.name())
        return "en"
    _load_translator(app, locale, "qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    return QLocale.languageToCode(locale.language())


def _load_translator(app: QApplication, locale: QLocale, name: str, folder: str) -> bool:
    translator = QTranslator(app)
    if translator.load(locale, name, "_", folder):
        return app.installTranslator(translator)
    translator.deleteLater()
    return False

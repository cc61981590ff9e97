"""Actions of the Help menu."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

Keys = QKeySequence.StandardKey

HELP_ACTIONS = (
    ActionSpec(
        "app.palette",
        _tr("Find an &Action…"),
        "help",
        ("Ctrl+Shift+P",),
        "command",
        _tr("Find an action by a few letters of its name"),
    ),
    ActionSpec(
        "app.shortcuts",
        _tr("&Keyboard Shortcuts"),
        "help",
        (Keys.HelpContents, "F1", "Ctrl+?"),
        "keyboard",
        _tr("All shortcuts on one sheet"),
    ),
    ActionSpec(
        "app.welcome",
        _tr("&Welcome"),
        "help",
        (),
        "sparkles",
        _tr("What Kindred does, where your data lies, and how to begin"),
        separated=True,
    ),
    ActionSpec("app.manual", _tr("&Manual"), "help", (), "book-open", _tr("A short manual; it needs no network")),
    ActionSpec(
        "app.problem",
        _tr("&Report a Problem…"),
        "help",
        (),
        "bug",
        _tr("Collect versions and log, without any text of documents, for a report"),
    ),
    ActionSpec(
        "app.licences", _tr("&Licences"), "help", (), "scale", _tr("All parts of the program and their licences")
    ),
    ActionSpec("app.about", _tr("&About Kindred"), "help", (), "info", _tr("Version, parts and licences")),
)

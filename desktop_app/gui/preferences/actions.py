"""The action that opens the preferences."""

from __future__ import annotations

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

PREFERENCES_ACTIONS = (
    ActionSpec(
        "app.preferences",
        _tr("&Preferences…"),
        "file",
        ("Ctrl+,",),  # Qt's standard key has keys on macOS only
        "settings",
        _tr("Theme, model, device, library and limits"),
        separated=True,
    ),
)

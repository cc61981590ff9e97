"""The pages that features add to the preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.base.display_text import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop_app.core.settings import Settings
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.imports.watched_folders import WatchedFoldersController
    from desktop_app.gui.preferences.dialog import PreferencesPageSpec

    ChangeSettings = Callable[[dict[str, object]], None]


def list_preferences_pages(
    context: WindowContext, watched_folders: WatchedFoldersController
) -> list[PreferencesPageSpec]:
    """Return the pages. What they show is imported when they are first shown."""
    from desktop_app.gui.preferences.dialog import PreferencesPageSpec

    def build_models_page(settings: Settings, change: ChangeSettings) -> QWidget:
        from desktop_app.gui.models.pane import ModelsPage

        page = ModelsPage(context.models, settings.reranker)
        page.reranker_chosen.connect(lambda name: change({"reranker": name}))
        return page

    def build_watched_folders_page(_settings: Settings, _change: ChangeSettings) -> QWidget:
        from desktop_app.gui.imports.watched_folders import WatchedFoldersPage

        return WatchedFoldersPage(watched_folders)

    return [
        PreferencesPageSpec("models", translate("PreferencesDialog", "Models"), "sparkles", build_models_page),
        PreferencesPageSpec(
            "watched", translate("PreferencesDialog", "Watched folders"), "folder-search", build_watched_folders_page
        ),
    ]

"""Follows `kindred://` links in the window of their library."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import UsageError
from desktop_app.core.links import parse_link
from desktop_app.engine.links import find_link_target
from desktop_app.gui.base import display_text
from desktop_app.gui.shell.library_switch import find_known_library, library_name, remember_identity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.links import LibraryLink
    from desktop_app.engine.links import LinkTarget
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.shell.library_switch import LibrarySwitch


class LinkController(QObject):
    """Shows what a link leads to.

    Attributes:
        elsewhere: the person follows a link into another library; carries its place and the link.
    """

    elsewhere = Signal(object, str)

    def __init__(self, context: WindowContext, library_switch: LibrarySwitch) -> None:
        super().__init__(context.widget)
        self._context = context
        self._switch = library_switch
        self._waiting: list[str] = []  # until the library is open
        context.session.opened.connect(self._on_opened)

    def follow(self, links: Sequence[str]) -> None:
        """Show what links lead to, one after the other, as soon as the library is open."""
        self._waiting += links
        if self._context.session.status is not None:
            self._on_opened()

    def _on_opened(self) -> None:
        context = self._context
        if self._switch.place is not None and (identity := context.library_identity):
            remember_identity(context.state_file, identity, self._switch.place)
        waiting, self._waiting = self._waiting, []
        for text in waiting:
            try:
                link = parse_link(text)
            except UsageError as error:
                context.tell_error(error)
                continue
            if link.library != context.library_identity:
                self._offer_other_library(link, text)
            elif link.document_id is None:
                self._search(link)
            else:
                self._find(link)

    def _search(self, link: LibraryLink) -> None:
        navigator = self._context.navigator
        navigator.show_pane.emit("search")
        if link.mode is not None:
            self._context.actions[f"search.mode.{link.mode}"].trigger()
        navigator.search_for.emit(link.query)

    def _find(self, link: LibraryLink) -> None:
        session = self._context.session
        job = session.workspace.read(lambda library: find_link_target(library, link))
        session.bridge.call(job, self, partial(self._show, link), on_error=self._context.tell_error)

    def _show(self, link: LibraryLink, target: LinkTarget) -> None:
        context, document = self._context, target.document
        name = display_text.document_name(document.title, document.path)
        if target.hit is not None:
            context.navigator.open_hit.emit(target.hit)
        elif document.sentences:
            context.navigator.open_document.emit(document, False)
        else:
            # It is not opened in another program: a link may come from anybody.
            context.tell(self.tr("{name} has no text to show.").format(name=name))
            return
        if not target.is_exact and link.sentence is not None:
            context.tell(self.tr("The linked sentence is no longer in {name}.").format(name=name))
        elif not target.is_exact:
            context.tell(self.tr("The linked page of {name} has no text.").format(name=name))

    def _offer_other_library(self, link: LibraryLink, text: str) -> None:
        context = self._context
        place = find_known_library(context.state_file, link.library)
        if place is None:
            context.tell(
                self.tr(
                    "This link belongs to a library that Kindred hasn't opened on this computer. Open that library, "
                    "then try again."
                )
            )
            return
        name = library_name(place, context.paths.default_library)
        context.offer(
            self.tr("This link belongs to another library: {name}.").format(name=name),
            self.tr("Open {name}").format(name=name),
            lambda: self.elsewhere.emit(place, text),
        )

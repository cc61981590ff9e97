"""One line about what others import into a shared library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from desktop_app.gui.base.session import LibrarySession


class OtherImportersLine(ElidedLabel):
    """Says which other computers import, and how many documents wait; hidden while nobody does.

    Args:
        session: of the library.
    """

    def __init__(self, session: LibrarySession) -> None:
        super().__init__("", "muted")
        self.setAccessibleName(self.tr("Imports on other computers"))
        self.setFont(scale_font(self.font(), 0.9))
        self.setContentsMargins(12, 4, 8, 6)
        self._session = session
        session.changed.connect(self._refresh)
        self.hide()

    def _refresh(self) -> None:
        status = self._session.status
        importers = status.importers if status is not None and self._session.is_connected else ()
        if status is None or not importers:
            self.hide()
            return
        machines = list(dict.fromkeys(each.machine or each.user for each in importers))
        if len(machines) == 1:
            text = self.tr("{machine} is importing").format(machine=machines[0])
        else:
            text = self.tr("%Ln computer(s) are importing", "", len(machines))
        if waiting := status.library.states.get("queued", 0):
            text += self.tr(" · {count} waiting").format(count=display_text.format_number(waiting))
        self.setText(text)
        lines = [
            self.tr("{machine}, as {user}: {documents}").format(
                machine=each.machine, user=each.user, documents=display_text.count_documents(each.documents)
            )
            for each in importers
        ]
        self.setToolTip(display_text.make_tooltip("\n".join(lines)))
        self.show()

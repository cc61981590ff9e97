"""The server knows which sentences are visible: nothing is cached here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_app.core.jobs import Steps


class ServerVisibility:
    """Implements `core.library.VisibilityCache` without a cache: every search asks the server once, in any case."""

    @property
    def is_filled(self) -> bool:
        """Whether the cache is up to date."""
        return True

    def fill(self) -> Steps[None]:
        """Do nothing."""
        yield from ()

"""Creates a shared library, gives rights in it, and describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job
    from desktop_app.core.ports import SharedAdministration
    from desktop_app.core.shared_address import LibraryRight, SharedStatus
    from desktop_app.engine.context import EngineContext

T = TypeVar("T")


class AdministrationService:
    """Administers the shared library that the program was started with.

    Args:
        context: the engine, and how the library is administered.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def create(self) -> Job[None]:
        """Create the library, which must not exist yet."""
        return self._submit("create library", lambda shared: shared.create())

    def upgrade(self) -> Job[bool]:
        """Bring the library to this program's version; returns whether there was something to do."""
        return self._submit("upgrade library", lambda shared: shared.upgrade())

    def grant(self, user: str, right: LibraryRight) -> Job[None]:
        """Give a user a right, instead of the one that the user has."""
        return self._submit("grant", lambda shared: shared.grant(user, right))

    def store_password(self, password: str) -> Job[None]:
        """Try a password, and store it in the system's keyring."""
        return self._submit("store password", lambda shared: shared.store_password(password))

    def status(self) -> Job[SharedStatus]:
        """Describe server and library."""
        return self._submit("describe library", lambda shared: shared.status())

    def _submit(self, name: str, act: Callable[[SharedAdministration], T]) -> Job[T]:
        def run() -> T:
            if self._context.setup.open_administration is None:
                raise UsageError(
                    "This command needs the address of a shared library",
                    "Add --library postgresql://USER@SERVER/DATABASE?library=NAME",
                )
            return act(self._context.setup.open_administration())

        return self._context.engine.submit(name, run)

"""Creates a shared library, gives rights in it, and describes it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import UsageError
from desktop_app.core.jobs import Lane
from desktop_app.core.shared_address import SharedLogin

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.ports import SharedAdministration
    from desktop_app.core.shared_address import LibraryRight, SharedAddress, SharedStatus
    from desktop_app.engine.context import EngineContext

T = TypeVar("T")


class AdministrationService:
    """Administers the shared library of the workspace, and looks at others.

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

    def use_password(self, password: str, *, store: bool) -> Job[None]:
        """Try a password, and use it from now on; with `store` it is stored in the system's keyring too."""
        return self._submit("use password", lambda shared: shared.use_password(password, store=store))

    def status(self) -> Job[SharedStatus]:
        """Describe server and library."""
        return self._submit("describe library", lambda shared: shared.status())

    def find_roots(self) -> Job[list[str]]:
        """Return the names of the roots that documents of the library are below."""
        return self._submit("find roots", lambda shared: shared.find_roots())

    def use_root(self, name: str, folder: str) -> Job[int]:
        """Store the paths of documents in a folder of this computer below a root; returns how many changed."""
        return self._submit("use root", lambda shared: shared.use_root(name, folder))

    def test(self, address: SharedAddress, password: str | None) -> Job[SharedStatus]:
        """Describe the library at any address, in a thread: a server that does not answer delays nothing else.

        Args:
            address: of the library.
            password: of its user; None: the stored one.
        """

        def steps() -> Steps[SharedStatus]:
            open_administration = self._context.setup.open_administration
            assert open_administration is not None, "the window can open shared libraries"
            status = yield from run_in_thread(lambda: open_administration(SharedLogin(address, password)).status())
            open_models = self._context.setup.open_models
            if not status.fingerprint or open_models is None:
                return status
            known = {entry.info.fingerprint for entry in open_models().entries() if not entry.problem}
            return replace(status, is_model_here=status.fingerprint in known)

        return self._context.engine.submit("test library", steps, lane=Lane.FRONT, key="test library")

    def _submit(self, name: str, act: Callable[[SharedAdministration], T]) -> Job[T]:
        def run() -> T:
            setup = self._context.setup
            if setup.open_administration is None or setup.login is None:
                raise UsageError(
                    "This command needs the address of a shared library",
                    "Add --library postgresql://USER@SERVER/DATABASE?library=NAME",
                )
            return act(setup.open_administration(setup.login))

        return self._context.engine.submit(name, run)

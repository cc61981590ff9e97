"""Answers the search of the desktop while the window is open: GNOME Shell and KRunner ask over D-Bus.

GNOME: https://developer.gnome.org/documentation/tutorials/search-provider.html
KDE: https://develop.kde.org/docs/plasma/krunner/
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.desktop_search import BUS_NAME, MIN_CHARACTERS
from desktop_app.core.errors import AppError
from desktop_app.core.links import LibraryLink, format_link, link_hit
from desktop_app.core.locations import format_location
from desktop_app.engine.requests import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.records import Hit
    from desktop_app.engine.workspace import Workspace

_log = logging.getLogger(__name__)

_MAX_RESULTS = 5
_MIN_SCORE = 0.35
"""Below it a sentence that contains none of the words is rather noise."""
_MAX_TITLE = 200
_KNOWN = 200  # results that the desktop may still ask about
_KDE_MATCH = 30  # PossibleMatch: below the desktop's own exact ones
_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class _Found:
    """A result as desktops show it."""

    link: str
    text: str
    place: str
    score: float


class DesktopSearch:
    """Answers on a thread of its own; without a session bus nobody asks.

    Args:
        workspace: of the window.
        open_link: shows a place of the library in the window; called on the thread.
    """

    def __init__(self, workspace: Workspace, open_link: Callable[[str], None]) -> None:
        self._workspace = workspace
        self._open_link = open_link
        self._known: dict[str, _Found] = {}
        self._identity = ""
        self._is_stopping = False
        self._connection: Any = None
        self._has_begun = threading.Event()
        self._is_asked = False
        self._thread = threading.Thread(target=self._serve, name="desktop-search", daemon=True)
        self._thread.start()

    def wait_until_asked(self, patience_s: float) -> bool:
        """Wait until desktops can ask; returns False if there is no bus."""
        self._has_begun.wait(patience_s)
        return self._is_asked

    def stop(self) -> None:
        """Answer no more. Calling it again does nothing."""
        self._is_stopping = True
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)  # wakes the thread
        self._thread.join(_TIMEOUT_S)  # a bus that does not answer must not keep the program

    def _serve(self) -> None:
        from jeepney import MessageType, new_error
        from jeepney.bus_messages import message_bus
        from jeepney.io.blocking import open_dbus_connection

        try:
            with open_dbus_connection(bus="SESSION") as connection:
                self._connection = connection
                # A second window has the name in turn when this one is gone.
                connection.send_and_get_reply(message_bus.RequestName(BUS_NAME), timeout=_TIMEOUT_S)
                self._is_asked = True
                self._has_begun.set()
                while not self._is_stopping:
                    message = connection.receive()
                    if message.header.message_type != MessageType.method_call:
                        continue
                    try:
                        reply = self._answer(message)
                    except (AppError, TimeoutError, ValueError, TypeError, IndexError) as error:
                        reply = new_error(message, f"{BUS_NAME}.Failed", "s", (str(error),))
                    connection.send(reply)
        except (OSError, KeyError, ValueError, EOFError) as error:
            if not self._is_stopping:
                _log.info("the search of the desktop is not answered: %s", error)
        finally:
            self._connection = None
            self._has_begun.set()

    def _answer(self, message: Any) -> Any:
        """Return the reply to a call."""
        from jeepney import HeaderFields, new_error, new_method_return

        member, body = message.header.fields[HeaderFields.member], message.body
        signature = ""
        answer: Any = ()
        match member:
            # GNOME Shell
            case "GetInitialResultSet" | "GetSubsearchResultSet":
                signature, answer = "as", ([each.link for each in self._find(" ".join(body[-1]))],)
            case "GetResultMetas":
                known = [self._known[name] for name in body[0] if name in self._known]
                signature, answer = "aa{sv}", ([_describe(each) for each in known],)
            case "ActivateResult":
                self._open_link(str(body[0]))
            case "LaunchSearch":
                self._open_link(format_link(LibraryLink(self._read_identity(), query=" ".join(body[0]))))
            # KRunner
            case "Match":
                signature, answer = "a(sssida{sv})", ([_describe_match(each) for each in self._find(str(body[0]))],)
            case "Actions":
                signature, answer = "a(sss)", ([],)
            case "Run":
                self._open_link(str(body[0]))
            case "Teardown":
                pass
            case _:
                return new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", (f"{member} is unknown",))
        return new_method_return(message, signature, answer)

    def _find(self, query: str) -> Sequence[_Found]:
        query = " ".join(query.split())
        if len(query) < MIN_CHARACTERS:
            return ()
        request = SearchRequest(query, _MAX_RESULTS, mode="both")
        result = self._workspace.search.find_sentences(request, key=None, by_person=False).wait(_TIMEOUT_S)
        identity = self._read_identity()
        found = [
            _make_found(identity, hit) for hit in result.hits if "words" in hit.matched_by or hit.score >= _MIN_SCORE
        ]
        self._known = dict(list((self._known | {each.link: each for each in found}).items())[-_KNOWN:])
        return found

    def _read_identity(self) -> str:
        if not self._identity:
            job = self._workspace.read(lambda library: library.info().identity, by_person=False)
            self._identity = job.wait(_TIMEOUT_S)
        return self._identity


def _make_found(identity: str, hit: Hit) -> _Found:
    place = format_location(hit)
    return _Found(
        format_link(link_hit(identity, hit)),
        hit.text[:_MAX_TITLE],
        " · ".join(filter(None, (hit.title, place))),
        hit.score,
    )


def _describe(found: _Found) -> dict[str, tuple[str, str]]:
    return {
        "id": ("s", found.link),
        "name": ("s", found.text),
        "description": ("s", found.place),
        "gicon": ("s", "kindred"),
    }


def _describe_match(found: _Found) -> tuple[Any, ...]:
    relevance = min(1.0, max(0.0, found.score))
    return found.link, found.text, "kindred", _KDE_MATCH, relevance, {"subtext": ("s", found.place)}

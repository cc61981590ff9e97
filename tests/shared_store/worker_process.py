"""A worker of a shared library in a process of its own, to be killed: imports what waits, with made vectors."""

from __future__ import annotations

import sys

from desktop_app.core.errors import LibraryUnreachable, NotFound
from desktop_app.core.reader_events import ReadingDone
from desktop_app.core.shared_address import parse_shared_address
from desktop_app.shared_store.library import SharedLibrary
from tests.store.helpers import head, store

SENTENCES = 30
STEP = 6


def sentences_of(path: str) -> list[str]:
    """The sentences of a made document: half of them are the same in every document."""
    return [f"{path if at % 2 else 'Everybody'} says sentence {at}." for at in range(SENTENCES)]


def say(what: str, document_id: int) -> None:
    """Print what was done, and wait until the test has read it: on a busy machine all would be done before it looks."""
    sys.stdout.write(f"{what} {document_id}\n")
    sys.stdout.flush()
    sys.stdin.readline()


def main() -> None:
    """Import until nothing waits; print each document that is begun, and each that is finished."""
    address, password = sys.argv[1:]
    is_done = False
    while not is_done:
        try:
            with SharedLibrary.open(parse_shared_address(address), password) as library:
                is_done = work_on(library)
        except LibraryUnreachable:
            continue  # the connection was cut while the library was opened


def work_on(library: SharedLibrary) -> bool:
    """Import until nothing waits; returns True."""
    while True:
        try:
            if not work(library):
                return True
        except LibraryUnreachable:
            continue  # the connection was cut; the next statement opens it again


def work(library: SharedLibrary) -> bool:
    """Import some of the documents that wait; returns whether there were any."""
    library.ingest.recover()
    waiting = library.documents.fetch(state="queued", limit=50)
    for document in waiting:
        if not library.ingest.claim([document.document_id]):
            continue
        say("begun", document.document_id)
        try:
            library.ingest.begin(document.document_id, head(str(document.document_id)))
            own = sentences_of(document.path)
            for top in range(0, len(own), STEP):
                store(library, document.document_id, own[top : top + STEP])
            library.ingest.finish(document.document_id, ReadingDone())
        except NotFound:
            continue  # another worker has it
        say("finished", document.document_id)
    return bool(waiting)


if __name__ == "__main__":
    main()

"""Collections and tags: named groups of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.jobs import ChangeSet, Job, Lane, Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.library import Library
    from desktop_app.core.records import DocumentCollection
    from desktop_app.engine.engine import Engine

CollectionList = list["DocumentCollection"]


class CollectionService:
    """Changes the collections of a library; each change returns all of them as they are then.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
    """

    def __init__(self, engine: Engine, open_library: Callable[[], Library]) -> None:
        self._engine = engine
        self._open_library = open_library

    def collections(self) -> Job[CollectionList]:
        """Return every collection, by name; then the tags."""
        return self._engine.submit(
            "collections",
            lambda: self._open_library().collecting.collections(),
            lane=Lane.FRONT,
            key="collections",
            by_person=False,
        )

    def make(self, name: str, document_ids: Sequence[int] = ()) -> Job[CollectionList]:
        """Begin a collection with some documents in it.

        Raises (the job):
            UsageError: it has no name, or another one has it.
        """

        def change(library: Library) -> None:
            collection_id = library.collecting.make(name)
            library.collecting.add(collection_id, document_ids)

        return self._change("make collection", change)

    def rename(self, collection_id: int, name: str) -> Job[CollectionList]:
        """Give a collection another name; raises like `make`, and NotFound when it has gone."""
        return self._change("rename collection", lambda library: library.collecting.rename(collection_id, name))

    def forget(self, collection_id: int) -> Job[CollectionList]:
        """Take a collection away; its documents stay. Raises NotFound when it has gone."""
        return self._change("forget collection", lambda library: library.collecting.forget(collection_id))

    def add(self, collection_id: int, document_ids: Sequence[int]) -> Job[CollectionList]:
        """Put documents into a collection; raises NotFound when it has gone."""
        return self._change("add to collection", lambda library: library.collecting.add(collection_id, document_ids))

    def tag(self, document_ids: Sequence[int], add: Sequence[str], take: Sequence[str] = ()) -> Job[CollectionList]:
        """Put tags on documents, and take others off; raises UsageError when a word is no tag."""
        return self._change("tag documents", lambda library: library.collecting.tag(document_ids, add, take))

    def take_out(self, collection_id: int, document_ids: Sequence[int]) -> Job[CollectionList]:
        """Take documents out of a collection; they stay in the library."""
        return self._change(
            "take out of collection", lambda library: library.collecting.take_out(collection_id, document_ids)
        )

    def _change(self, name: str, change: Callable[[Library], object]) -> Job[CollectionList]:
        def steps() -> Steps[CollectionList]:
            library = self._open_library()
            change(library)
            yield ChangeSet(collections=True)
            return library.collecting.collections()

        return self._engine.submit(name, steps, lane=Lane.FRONT)

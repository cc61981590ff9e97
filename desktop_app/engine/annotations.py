"""Highlights and notes on documents: keeps them, makes them searchable, and writes them to copies of PDFs.

The words of annotations are the last passages of their document. They are written anew after each change, and after
each reading of the file, which may have moved the marked words.
"""

from __future__ import annotations

import getpass
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.annotations import locate_on_page, locate_text, make_note_spans, parse_colour, sort_by_place
from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import ChangeSet, Job, Lane, Progress, Steps
from desktop_app.core.pages import AnnotationToWrite
from desktop_app.core.scope import EVERYTHING
from desktop_app.engine.embedding import EmbeddingBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.citation_styles import CitationStyle
    from desktop_app.core.library import Library
    from desktop_app.core.pages import Box
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import Place
    from desktop_app.core.scope import Scope
    from desktop_app.engine.context import EngineContext

T = TypeVar("T")

log = logging.getLogger(__name__)

_CHANGED = ChangeSet(annotations=True)
_SENTENCES = 1000
_PATIENCE_S = 0.02
"""How long a step waits for vectors."""


class AnnotationService:
    """Keeps annotations; short jobs are in the front lane.

    Args:
        context: the library, the encoder and the source of pages.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def fetch(
        self, document_id: int | None = None, *, scope: Scope = EVERYTHING, with_file: bool = False
    ) -> Job[list[Annotation]]:
        """Return the annotations of a document or of a part of the library, by document and place.

        Args:
            document_id: of one document; None for all.
            scope: of which part of the library.
            with_file: include notes and highlights in the files themselves, which cannot be changed.
        """

        def read() -> list[Annotation]:
            library = self._context.open_library()
            found = library.annotations.fetch(document_id, scope=scope)
            if with_file:
                found += library.annotations.file_notes(document_id, scope=scope)
            groups: dict[int, list[Annotation]] = {}
            for each in found:
                groups.setdefault(each.document_id, []).append(each)
            return [each for key in sorted(groups) for each in sort_by_place(groups[key])]

        return self._context.engine.submit("annotations", read, lane=Lane.FRONT, by_person=False)

    def add(self, annotations: Sequence[Annotation]) -> Job[list[int]]:
        """Store annotations and return their ids; those that were deleted before come back."""
        return self._change("annotate", lambda library: library.annotations.add(annotations), lambda _ids: annotations)

    def change(self, annotation_id: int, *, comment: str | None = None, colour: str | None = None) -> Job[Annotation]:
        """Change what is written on an annotation, or its colour; returns it as it was."""
        return self._change(
            "change annotation",
            lambda library: library.annotations.change(annotation_id, comment=comment, colour=colour),
            lambda before: [before],
        )

    def delete(self, annotation_ids: Sequence[int]) -> Job[list[Annotation]]:
        """Delete annotations and return them."""
        return self._change(
            "delete annotations", lambda library: library.annotations.delete(annotation_ids), lambda gone: gone
        )

    def refresh(self, document_ids: Collection[int] | None = None) -> Job[None]:
        """Make the words of annotations searchable where they are not yet: in some documents, or in all."""

        def steps() -> Steps[None]:
            library = self._context.open_library()
            if not library.writable or library.models.current is None:
                return
            ids = document_ids
            if ids is None:
                ids = {each.document_id for each in library.annotations.fetch()}
            for document_id in sorted(ids):
                split = self._context.setup.split_sentences
                yield from refresh_notes(library, self._context.library_encoder, document_id, split)

        return self._context.engine.submit("index annotations", steps, by_person=False)

    def export(
        self,
        annotations: Sequence[Annotation],
        file: str,
        *,
        style: CitationStyle | None = None,
        language: str = "en",
    ) -> Job[None]:
        """Write annotations to a file in the format of its suffix; see `core.annotation_files`.

        Raises (the job):
            UsageError: no format has this suffix.
            StorageFull: the file cannot be written.
        """

        def steps() -> Steps[None]:
            from desktop_app.core.annotation_files import write_annotations

            ids = sorted({each.document_id for each in annotations})
            references = self._context.open_library().documents.references(ids)
            yield from run_in_thread(lambda: write_annotations(file, annotations, references, style, language))

        return self._context.engine.submit("export annotations", steps, lane=Lane.FRONT)

    def save_copy(self, document_id: int, file: str, *, author: str = "") -> Job[int]:
        """Write a copy of a PDF with its annotations, as other programs show them; returns how many there are.

        Args:
            document_id: of the PDF.
            file: the copy; it is replaced if it exists.
            author: of the person's own annotations; empty: the name by which they are logged in.

        Raises (the job):
            UsageError: the document is no PDF, has no annotations, or is the file itself.
            FileFailure: the file cannot be read.
            StorageFull: the copy cannot be written.
        """

        def steps() -> Steps[int]:
            from desktop_app.core.atomic_files import open_atomic
            from desktop_app.core.stored_path import find_stored_path

            library = self._context.open_library()
            document = library.documents.get(document_id)
            if document.type != "pdf":
                raise UsageError(
                    "Only copies of PDF files can contain highlights",
                    "Export the highlights of other documents as Markdown.",
                )
            if find_stored_path(file) in map(find_stored_path, document.paths):
                raise UsageError("The original file is never changed", "Choose another name for the copy.")
            annotations = library.annotations.fetch(document_id)
            if not annotations:
                raise UsageError(
                    "{name} has no highlights", "Select text in the reader and highlight it first.", name=document.title
                )
            written: list[AnnotationToWrite] = []
            own_name = author or _find_user_name()
            found = 0
            for done, each in enumerate(annotations):
                yield Progress("exporting", done, len(annotations), "annotations")
                parts = yield from self._locate(document.path, each)
                written += [_to_write(each, page, boxes, own_name) for page, boxes in parts]
                found += bool(parts)
            shared = self._context.page_source
            content = yield from shared.ask(
                lambda source: source.write_annotations(document.path, shared.passwords, written)
            )
            with open_atomic(file) as out:
                out.write(content)
            return found

        return self._context.engine.submit("save annotated copy", steps, lane=Lane.FRONT)

    def _locate(self, path: str, annotation: Annotation) -> Steps[list[tuple[int, tuple[Box, ...]]]]:
        """Return the pages on which an annotation stands, and its boxes on each."""
        from desktop_app.engine.pages import PageService

        found = []
        for page in annotation.pages:
            (boxes,) = yield from PageService(self._context).locate(path, page, [locate_on_page(annotation, page)])
            if boxes:
                found.append((page, boxes))
        return found

    def _change(
        self, name: str, change: Callable[[Library], T], affected: Callable[[T], Iterable[Annotation]]
    ) -> Job[T]:
        def steps() -> Steps[T]:
            result = change(self._context.open_library())
            yield _CHANGED
            self.refresh({each.document_id for each in affected(result)})
            return result

        return self._context.engine.submit(name, steps, lane=Lane.FRONT)


def refresh_notes(
    library: Library,
    encoder: Callable[[], Encoder],
    document_id: int,
    split: Callable[[str], Iterable[str]] = str.splitlines,
) -> Steps[None]:
    """Write the words of a document's annotations as its last passages, unless they are there; step by step.

    Args:
        library: of the document.
        encoder: called if a text must be embedded.
        document_id: of a document that may have gone.
        split: cuts a text into sentences.
    """
    try:
        kept = library.ingest.kept_notes(document_id)
        annotations = library.annotations.fetch(document_id)
        if kept is None or not (kept[0] or annotations):
            return
        if annotations:
            annotations = yield from _find_again(library, document_id, annotations)
        spans = list(make_note_spans(annotations, kept[1], split))
        if spans == kept[0]:
            return
        vectors: dict[str, NDArray[np.float32]] = {}
        truncated: set[str] = set()
        using: Encoder | None = None
        while True:
            new = library.ingest.without_vector([span.text for span in spans])
            if new and using is not (using := encoder()):
                vectors.clear()  # the library has switched to another model
                truncated.clear()
            missing = [text for text in new if text not in vectors]
            if not missing or using is None:
                break
            # While these are embedded, a purge may erase others.
            refused = yield from _embed(using, missing, vectors, truncated)
            spans = [span for span in spans if span.text not in refused]
        import numpy as np

        rows = np.stack([vectors[text] for text in new]) if new else np.empty((0, 0), np.float32)
        library.ingest.replace_notes(document_id, spans, new, rows, truncated.intersection(new))
    except NotFound:
        return
    yield ChangeSet(sentences=True, annotations=True, annotated=frozenset({document_id}))


def refresh_unfinished_notes(
    library: Library, encoder: Callable[[], Encoder], split: Callable[[str], Iterable[str]]
) -> Steps[None]:
    """Make annotations searchable that an earlier run did not, because it ended or failed in between.

    To look takes 0.8 s for 1000 documents with five annotations each, in a library of 10,000: 10 ms a step at most.
    """
    for document_id in library.ingest.find_noted():
        with suppress(NotFound):  # it was removed meanwhile
            if not has_notes(library, document_id, split):
                yield from refresh_notes(library, encoder, document_id, split)
        yield None


def has_notes(library: Library, document_id: int, split: Callable[[str], Iterable[str]]) -> bool:
    """Return whether the words of a document's annotations are passages of it; quick, their places are not compared."""
    kept = library.ingest.kept_notes(document_id)
    if kept is None:
        return True
    spans = make_note_spans(library.annotations.fetch(document_id), kept[1], split)
    return sorted(span.text for span in spans) == sorted(span.text for span in kept[0])


def _embed(
    encoder: Encoder, texts: Sequence[str], vectors: dict[str, NDArray[np.float32]], truncated: set[str]
) -> Steps[set[str]]:
    """Embed texts step by step; returns those that the model has no vector for."""
    counts = encoder.count_truncated(texts).tolist()
    truncated.update(text for text, beyond in zip(texts, counts, strict=True) if beyond)
    batch = EmbeddingBatch(dict.fromkeys(texts))
    refused: set[str] = set()
    try:
        while batch.remaining:
            found = batch.take(encoder, _PATIENCE_S)
            if isinstance(found, str):
                log.warning("the model has no vector for a note of %d characters", len(found))
                refused.add(found)
                del batch.remaining[found]
            else:
                vectors |= found
            yield None
    finally:
        batch.interrupt()
    return refused


# Places that have moved


def _find_again(library: Library, document_id: int, annotations: list[Annotation]) -> Steps[list[Annotation]]:
    """Return annotations with the places of their marked words now; what has moved is stored.

    Words that are gone keep their place.
    """
    marked = [each for each in annotations if each.text and each.places]
    if not marked:
        return annotations
    sentences: list[tuple[int, str]] = []
    noted: list[tuple[int, str]] = []  # in the file itself: a comment on it can be highlighted, too
    places: dict[int, tuple[Place, ...]] = {}
    for batch in library.sentences.occurrences(document_id=document_id, batch=_SENTENCES):
        for row in batch:
            if row.reason != "library":
                (noted if row.kind == "note" else sentences).append((row.ordinal, row.text))
                places[row.ordinal] = row.places
        yield None
    moved: dict[int, Annotation] = {}
    for each in marked:
        is_in_note = any(row == each.ordinal and each.text in text for row, text in noted)
        first, second = (noted, sentences) if is_in_note else (sentences, noted)
        now = _find_place(each, first, places) or _find_place(each, second, places)
        if now is not None and now != each:
            moved[each.annotation_id] = now
        yield None
    for now in moved.values():
        library.annotations.move(now)
    return sort_by_place(moved.get(each.annotation_id, each) for each in annotations)


def _find_place(
    annotation: Annotation, sentences: Sequence[tuple[int, str]], places: dict[int, tuple[Place, ...]]
) -> Annotation | None:
    """Return an annotation where its marked words are now; None if these sentences do not have them."""
    ordinal = annotation.ordinal
    if ordinal is None:
        # It is known by its page: the sentences there are looked at first.
        page = annotation.page or 0
        ordinal = next((key for key, at in places.items() if any((each.page or 0) >= page for each in at)), None)
    found = locate_text(sentences, annotation.text, ordinal, annotation.offset)
    if found is None:
        return None
    (first, offset), (last, _stop) = found
    pages = [place.page for key in (first, last) for place in places[key]]
    if annotation.ordinal is None:
        # On a page its own characters count; only another page is another place.
        if annotation.page in pages or None in pages:
            return annotation
        place = places[first][0]
        return replace(annotation, places=(replace(place, unit="text"),), rects=())
    return replace(annotation, ordinal=first, offset=offset, places=places[first])


def _find_user_name() -> str:
    """Return the name by which the person is logged in; empty if it is unknown."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # without an entry in the list of users
        return ""


def _to_write(annotation: Annotation, page: int, boxes: tuple[Box, ...], author: str) -> AnnotationToWrite:
    return AnnotationToWrite(
        page,
        boxes,
        annotation.kind,
        parse_colour(annotation.colour),
        annotation.comment,
        annotation.author or (author if annotation.origin == "own" else ""),
        f"kindred-{annotation.annotation_id}-{page}",
        annotation.changed_at,
    )

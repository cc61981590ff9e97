"""Copies a library into another one: from a folder to a server, or back.

Documents are copied one by one with their sentences and vectors; no file is read again. A copy that was interrupted
continues: what is in the target already, and equal, is skipped. At the end every document is compared.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import NotFound, TakenOver, UsageError
from desktop_app.core.jobs import Progress, Steps
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone
from desktop_app.core.records import ScoredSentence
from desktop_app.core.sentence_corrections import CorrectedRange
from desktop_app.core.stored_rows import span_of
from desktop_app.core.stored_text import fold_text
from desktop_app.engine.document_pages import iter_documents
from desktop_app.engine.model_sharing import share_known_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.jobs import Job
    from desktop_app.core.library import Library
    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.core.records import Document, Occurrence
    from desktop_app.core.sentence_corrections import Correction
    from desktop_app.engine.context import EngineContext

_BATCH = 500  # sentences in a transaction
_PAGE = 200  # documents in a reading
_LEAST_COSINE = 0.999  # of a vector with its copy: a server keeps half the digits


@dataclass
class CopyReport:
    """The result of a copy.

    Attributes:
        copied: documents that were copied.
        present: documents that were there already, and equal.
        waiting: documents that are not imported yet; they wait in the target too.
        failed: documents that could not be imported; the target says so too.
        busy: paths of documents that somebody imports into the target at this moment.
        sentences: places of sentences that were copied.
        checked: documents that were compared at the end.
        different: paths of documents that differ from their copies.
    """

    copied: int = 0
    present: int = 0
    waiting: int = 0
    failed: int = 0
    busy: list[str] = field(default_factory=list)
    sentences: int = 0
    checked: int = 0
    different: list[str] = field(default_factory=list)


class LibraryCopyService:
    """Copies the library to another place.

    Args:
        context: the library, and how another one is opened.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def copy(self, place: LibraryPlace) -> Job[CopyReport]:
        """Copy the library to a folder, which need not exist, or into the shared library at an address."""

        def steps() -> Steps[CopyReport]:
            assert self._context.setup.open_other is not None, "the program opens other libraries"
            source = self._context.open_library()
            if str(place) == source.info().folder or (isinstance(place, Path) and _is_at(place, source)):
                raise UsageError("A library cannot be copied to itself", "Name another folder or address.")
            target = self._context.setup.open_other(place)
            try:
                if not target.writable:
                    raise UsageError(
                        "You may only read the library {place}", "Ask its owner for permission to write.", place=place
                    )
                report = yield from LibraryCopier(source, target).run()
                model = source.models.current
                if model is not None and self._context.setup.open_models is not None:
                    yield from share_known_model(target, model, self._context.setup.open_models())
                return report
            finally:
                target.close()

        return self._context.engine.submit("copy library", steps)


def _is_at(place: Path, library: Library) -> bool:
    return place.resolve() == Path(library.info().folder).resolve()


class LibraryCopier:
    """Copies everything of one library into another.

    Args:
        source: is only read.
        target: is written; may contain other documents already.

    Attributes:
        report: what was done so far.
    """

    def __init__(self, source: Library, target: Library) -> None:
        self._source = source
        self._target = target
        self._ids: dict[int, int] = {}  # of documents: source -> target
        self._places: dict[int, tuple[int, int]] = {}  # of the source's sentences: document and ordinal of one place
        self._fingerprint = ""
        self.report = CopyReport()

    def run(self) -> Steps[CopyReport]:
        """Copy, then compare; step by step.

        Raises:
            ModelMismatch: the target has vectors of another model.
        """
        model = self._source.models.current
        if model is not None:
            self._target.models.bind(model)
            self._fingerprint = model.fingerprint
        total = self._source.info().documents
        for done, document in enumerate(iter_documents(self._source, _PAGE), 1):
            yield from self._copy_document(document)
            yield Progress("copying", done, total, "documents", document.document_id)
        self._copy_collections()
        yield None
        self._copy_personal()
        yield None
        for done, document in enumerate(iter_documents(self._source, _PAGE), 1):
            if document.document_id in self._ids and document.state == "ready":
                yield from self._compare(document)
            yield Progress("comparing", done, total, "documents", document.document_id)
        yield from self._target.maintenance.run()
        return self.report

    def _copy_document(self, document: Document) -> Steps[None]:
        """Copy one document, unless the target has it already."""
        (there,) = self._target.documents.add([FileRef.of_document(document)])
        self._ids[document.document_id] = there.document_id
        if document.state == "failed" and document.reason is not None:
            if there.state != "failed":
                with suppress(TakenOver):
                    self._target.ingest.fail(there.document_id, document.reason, document.message)
            self.report.failed += 1
            return
        if document.state != "ready":
            self.report.waiting += 1
            return
        is_there = there.state == "ready" and there.content_hash == document.content_hash
        if is_there and (yield from self._is_equal(document, there.document_id)):
            # An earlier copy may have ended before these.
            yield from self._copy_corrections(document.document_id, there.document_id)
            self._copy_files(document, there.document_id)
            self.report.present += 1
            return
        if there.state != "queued":
            self._target.ingest.queue(there.document_id, FileRef.of_document(document))
        if not self._target.ingest.claim([there.document_id]):
            self.report.busy.append(document.path)
            del self._ids[document.document_id]
            return
        try:
            yield from self._copy_contents(document, there.document_id)
            self._copy_files(document, there.document_id)
        except TakenOver:  # the connection was lost for a moment
            self._target.ingest.release(there.document_id)
            self.report.busy.append(document.path)
            del self._ids[document.document_id]
            return
        except NotFound:  # somebody removed it in the meantime, here or there
            self._target.documents.remove([there.document_id])
            self.report.different.append(document.path)
            del self._ids[document.document_id]
            return
        self.report.copied += 1

    def _copy_contents(self, document: Document, target_id: int) -> Steps[None]:
        source, target = self._source, self._target
        notes = source.documents.page_notes(document.document_id)
        reference = source.documents.references([document.document_id])[document.document_id]
        labels = yield from self._page_labels(document)
        target.ingest.begin(
            target_id,
            DocumentHead(
                type=document.type or "text",
                content_hash=document.content_hash or "",
                title="" if document.title == Path(document.path).name else document.title,
                author=document.author,
                page_count=document.pages,
                page_labels=labels,
                outline=tuple(source.documents.outline(document.document_id)),
                encoding=document.encoding,
                dated=document.dated,
                reference=reference,
            ),
        )
        for batch in self._occurrences(source, document.document_id):
            texts = {each.text: each.sentence_id for each in batch}
            for each in batch:
                self._places.setdefault(each.sentence_id, (target_id, each.ordinal))
            new = target.ingest.without_vector(list(texts))
            found = source.search.vectors([texts[text] for text in new])
            if len(found) < len({texts[text] for text in new}):
                raise NotFound("{path} was removed during the copy", "Copy again.", path=document.path)
            vectors = np.empty((0, 0), np.float32)
            if new:
                vectors = np.array([found[texts[text]] for text in new], np.float32)
                vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            spans = [span_of(each) for each in batch]
            target.ingest.append(target_id, spans, new, vectors, fingerprint=self._fingerprint)
            self.report.sentences += len(batch)
            yield None
        for note in notes:
            page = source.ocr_pages.page(document.path, note.page) if note.state == "ocr" else None
            if page is not None:
                target.ocr_pages.save(target_id, page)
        omitted = source.documents.omissions(document.document_id).texts
        target.ingest.finish(target_id, ReadingDone(document.warnings, tuple(notes), omitted))
        if target.documents.references([target_id])[target_id] != reference:
            target.documents.set_reference(target_id, reference)
        if target.documents.get(target_id).title != document.title:
            target.documents.set_title(target_id, document.title)
        if document.ocr:
            target.ocr_pages.request([target_id], document.ocr)
        yield from self._copy_corrections(document.document_id, target_id)

    def _copy_files(self, document: Document, target_id: int) -> None:
        """Let the copy of a document have the same further files."""
        known = self._target.documents.get(target_id).paths
        for file in document.copies:
            if file.path not in known and document.content_hash:
                ref = FileRef(file.path, file.size_bytes, file.mtime_ns, file.stamp)
                (added,) = self._target.documents.add([ref])
                if added.document_id != target_id and added.state == "queued":
                    self._target.copies.join(added.document_id, document.content_hash)

    def _copy_corrections(self, document_id: int, target_id: int) -> Steps[None]:
        """Record the corrections behind the sentences, so that the next reading of the file applies them again."""
        corrections = self._source.corrections.find(document_id)
        known = self._target.corrections.find(target_id)
        if list(map(_without_id, known)) != list(map(_without_id, corrections[: len(known)])):
            return  # others have corrected the copy
        corrections = corrections[len(known) :]
        if not corrections:
            return
        originals = tuple(span for part in self._source.corrections.originals(document_id) for span in part)
        store = self._target.corrections
        for correction in corrections:
            version = store.begin(target_id)
            try:
                count = 0
                for batch in self._occurrences(self._source, document_id):
                    nothing = np.empty((0, 0), np.float32)
                    store.append(target_id, version, [span_of(each) for each in batch], [], nothing)
                    count += len(batch)
                    yield None
                store.save_ranges(target_id, [CorrectedRange(0, count, originals)])
                store.finish(target_id, version, made=_without_id(correction), undone=None)
            except BaseException:
                store.give_up(target_id, version)
                raise

    def _page_labels(self, document: Document) -> Steps[tuple[str, ...]]:
        """Return the labels of the pages, as far as sentences stand on them; nothing if there are none."""
        if not document.pages:
            return ()
        labels: dict[int, str] = {}
        for batch in self._occurrences(self._source, document.document_id):
            firsts = [next(group) for _page, group in groupby(batch, key=lambda each: each.places[0].page)]
            places = [(document.document_id, each.ordinal, 0.0) for each in firsts]
            for hit in self._source.search.hits_at(places):
                page = hit.places[0].page if hit is not None else None
                if hit is not None and hit.page_label is not None and page is not None:
                    labels[page] = hit.page_label
            yield None
        return tuple(labels.get(page, "") for page in range(1, document.pages + 1)) if labels else ()

    def _occurrences(self, library: Library, document_id: int) -> Iterator[list[Occurrence]]:
        return library.sentences.occurrences(document_id=document_id, batch=_BATCH)

    # What people have made

    def _copy_collections(self) -> None:
        target = self._target.collections
        present = {(each.kind, fold_text(each.name)): each for each in target.collections()}
        for each in self._source.collections.collections():
            documents = [self._ids[document] for document in each.document_ids if document in self._ids]
            if each.kind == "tag":
                if documents:
                    target.tag(documents, [each.name])
                continue
            known = present.get((each.kind, fold_text(each.name)))
            target.add(known.collection_id if known is not None else target.create(each.name), documents)

    def _copy_personal(self) -> None:
        """Copy what belongs to the person who copies: others do it themselves."""
        source, target = self._source, self._target
        for past in reversed(source.user_data.past_queries(limit=10_000)):
            target.user_data.remember(past.text, past.mode)
        for search in source.user_data.saved_searches():
            target.user_data.save_search(replace(search, search_id=0))
        quotes = [each for each in source.user_data.quotes() if each.document_id in self._ids]
        hits = target.search.hits_at([(self._ids[each.document_id], each.ordinal, 0.0) for each in quotes])
        same = [hit for quote, hit in zip(quotes, hits, strict=True) if hit is not None and hit.text == quote.text]
        target.user_data.add_quotes(same)
        self._copy_judgements()
        for label in source.pair_labels.labelled_pairs(with_reviewed=True):
            if label.same is not None:
                target.pair_labels.judge(label.a, label.b, label.same)
            if label.reviewed:
                target.pair_labels.review([(label.a, label.b)], True)
        self._copy_annotations()

    def _copy_judgements(self) -> None:
        for judgement in self._source.user_data.judgements():
            place = self._places.get(judgement.sentence_id)
            if place is None:
                found = self._source.search.hits([ScoredSentence(judgement.sentence_id, 0.0)])
                place = (self._ids.get(found[0].document_id, 0), found[0].ordinal) if found else None
            (hit,) = self._target.search.hits_at([(*place, 0.0)]) if place is not None else (None,)
            if hit is not None and hit.text == judgement.text:
                self._target.user_data.judge(judgement.query, hit.sentence_id, judgement.is_relevant)

    def _copy_annotations(self) -> None:
        by_document: dict[int, list[Annotation]] = {}
        for each in self._source.annotations.fetch():
            if each.document_id in self._ids:
                document_id = self._ids[each.document_id]
                by_document.setdefault(document_id, []).append(replace(each, annotation_id=0, document_id=document_id))
        for document_id, found in by_document.items():
            own = [each for each in found if each.origin == "own"]
            foreign = [each for each in found if each.origin != "own"]
            known = {_content_of(each) for each in self._target.annotations.fetch(document_id)}
            with suppress(NotFound):  # the comparison names documents that are gone
                self._target.annotations.add([each for each in own if _content_of(each) not in known])
                if foreign:
                    self._target.annotations.replace(document_id, foreign[0].origin, foreign)

    # The check

    def _is_equal(self, document: Document, target_id: int) -> Steps[bool]:
        """Return whether a document has the same sentences at the same places in both libraries."""
        ours = yield from self._digest(self._source, document.document_id)
        theirs = yield from self._digest(self._target, target_id)
        return ours == theirs

    def _compare(self, document: Document) -> Steps[None]:
        """Compare a document with its copy: sentences, places, and the vectors of both."""
        target_id = self._ids[document.document_id]
        self.report.checked += 1
        try:
            is_equal = yield from self._is_equal(document, target_id)
            if is_equal:
                is_equal = yield from self._are_vectors_equal(document.document_id, target_id)
                is_equal &= set(document.paths) <= set(self._target.documents.get(target_id).paths)
        except NotFound:
            is_equal = False
        if not is_equal:
            self.report.different.append(document.path)

    def _digest(self, library: Library, document_id: int) -> Steps[bytes]:
        digest = hashlib.blake2b(digest_size=16)
        for batch in self._occurrences(library, document_id):
            for each in batch:
                place = (each.ordinal, each.text, each.paragraph, each.kind, each.passage, each.places)
                digest.update(repr(place).encode("utf-8", "surrogatepass"))
            yield None
        return digest.digest()

    def _are_vectors_equal(self, document_id: int, target_id: int) -> Steps[bool]:
        pairs = zip(
            self._occurrences(self._source, document_id), self._occurrences(self._target, target_id), strict=True
        )
        for ours, theirs in pairs:
            first = self._source.search.vectors([each.sentence_id for each in ours])
            second = self._target.search.vectors([each.sentence_id for each in theirs])
            for a, b in zip(ours, theirs, strict=True):
                one, other = first.get(a.sentence_id), second.get(b.sentence_id)
                if one is None or other is None or float(one @ other) < _LEAST_COSINE:
                    return False
            yield None
        return True


def _without_id(correction: Correction) -> Correction:
    return replace(correction, correction_id=0)


def _content_of(annotation: Annotation) -> tuple[object, ...]:
    """Return what tells an annotation from others of its document."""
    return annotation.kind, annotation.text, annotation.comment, annotation.ordinal, annotation.offset

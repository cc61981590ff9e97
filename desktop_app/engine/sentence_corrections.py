"""Corrections of sentences: merge, split, ignore, say what they are, and undo the last correction.

A correction builds a new version of its document from the stored originals while the current one stays visible; only
new sentences are embedded. The step that makes the new version visible also saves the correction.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import ChangeSet, Job, Lane, Steps
from desktop_app.core.sentence_corrections import Correction, hash_text
from desktop_app.engine.annotations import refresh_notes
from desktop_app.engine.sentence_batches import CorrectedSentences, IncomingDocument, SentenceBatches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Occurrence, PassageKind
    from desktop_app.core.sentence_corrections import CorrectionAction
    from desktop_app.engine.context import EngineContext

_SENTENCES_PER_STEP = 256
"""Sentences that are corrected and looked up in one step."""


class CorrectionService:
    """Corrects the sentences of a document; every job is in the front lane.

    Args:
        context: the library and encoder that the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def merge(self, document_id: int, ordinal: int, sentence_id: int) -> Job[None]:
        """Merge a sentence with the next one."""
        return self._correct(document_id, ordinal, sentence_id, "merge")

    def split(self, document_id: int, ordinal: int, sentence_id: int, at: int) -> Job[None]:
        """Split a sentence in two; the second part starts at its character `at`."""
        return self._correct(document_id, ordinal, sentence_id, "split", at)

    def ignore(self, document_id: int, ordinal: int, sentence_id: int) -> Job[None]:
        """Leave a sentence out of the document, wherever it occurs in it."""
        return self._correct(document_id, ordinal, sentence_id, "ignore")

    def set_kind(self, document_id: int, ordinal: int, sentence_id: int, kind: PassageKind) -> Job[None]:
        """Say what a passage is, wherever it occurs in the document."""
        return self._correct(document_id, ordinal, sentence_id, "kind", kind=kind)

    def undo(self, document_id: int) -> Job[bool]:
        """Undo the document's last correction; returns whether there was one."""

        def steps() -> Steps[bool]:
            known = self._context.open_library().corrections.find(document_id)
            if known:
                yield from self._apply_corrections(document_id, known[:-1], None, known[-1].correction_id)
            return bool(known)

        return self._context.engine.submit("undo correction", steps, lane=Lane.FRONT)

    # On the engine's thread

    def _correct(
        self,
        document_id: int,
        ordinal: int,
        sentence_id: int,
        action: CorrectionAction,
        at: int | None = None,
        kind: PassageKind | None = None,
    ) -> Job[None]:
        def steps() -> Steps[None]:
            library = self._context.open_library()
            rows = library.sentences.context(document_id, ordinal, 0, 1)
            if not rows or (rows[0].ordinal, rows[0].sentence_id) != (ordinal, sentence_id):
                raise NotFound(
                    "The sentence no longer exists", "The document was read again in the meantime. Try again."
                )
            made = _make_correction(rows, action, at, kind)
            yield from self._apply_corrections(document_id, [*library.corrections.find(document_id), made], made, None)

        return self._context.engine.submit(f"{action} sentence", steps, lane=Lane.FRONT)

    def _apply_corrections(
        self, document_id: int, rules: Sequence[Correction], made: Correction | None, undone: int | None
    ) -> Steps[None]:
        library = self._context.open_library()
        document = library.documents.get(document_id)
        corrections = library.corrections
        version_id = corrections.begin(document_id)
        batches = SentenceBatches(library, self._context.library_encoder(), timeout_s=None)
        try:
            arrival = IncomingDocument(document)
            corrected = CorrectedSentences(rules)
            for originals in corrections.originals(document_id):
                arrival.spans.extend(corrected.feed(originals))
                yield from self._store(batches, arrival, version_id)
            arrival.spans.extend(corrected.finish())
            yield from self._store(batches, arrival, version_id)
            corrections.save_ranges(document_id, corrected.corrected_ranges)
            yield None
            corrections.finish(document_id, version_id, made=made, undone=undone)
            yield None
            split = self._context.setup.split_sentences
            yield from refresh_notes(library, self._context.library_encoder, document_id, split)
        except BaseException:
            corrections.give_up(document_id, version_id)
            raise
        finally:
            batches.close()
        yield ChangeSet(documents=frozenset({document_id}), sentences=True)

    def _store(self, batches: SentenceBatches, arrival: IncomingDocument, version_id: int) -> Steps[None]:
        """Embed the new sentences and store all of them, a few in each step."""
        document_id = arrival.document.document_id
        while arrival.spans:
            spans = list(islice(arrival.spans, _SENTENCES_PER_STEP))
            for _ in spans:
                arrival.spans.popleft()
            for _ in batches.add_batch([(arrival, spans)]):
                yield None
            while batches:
                if refused := batches.advance():
                    raise refused.failure(arrival)
                while chunk := batches.next_chunk():
                    self._context.open_library().corrections.append(
                        document_id,
                        version_id,
                        chunk.spans,
                        chunk.texts,
                        chunk.vectors,
                        chunk.truncated,
                        batches.encoder.model.fingerprint,
                    )
                    batches.mark_stored(chunk)
                    yield None
                yield None


def _make_correction(
    rows: Sequence[Occurrence], action: CorrectionAction, at: int | None, kind: PassageKind | None
) -> Correction:
    text = rows[0].text
    if action == "merge":
        if len(rows) < 2:
            raise UsageError("This is the last sentence", "Merge the previous sentence with this one.")
        return Correction(0, action, hash_text(text), hash_text(rows[1].text))
    if action == "split":
        if at is None or not text[:at].strip() or not text[at:].strip():
            raise UsageError(
                "A sentence can only be split between two words",
                "Put the cursor before the word that starts the second part.",
            )
        return Correction(0, action, hash_text(text), at=at)
    return Correction(0, action, hash_text(text), kind=kind)

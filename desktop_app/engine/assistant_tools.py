"""What an assistant may ask of a library: reading only, one method for each tool of the `mcp` command."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from desktop_app.core.citation import CitationForm, CitedSentence, cite_hit, format_citations, format_cited_location
from desktop_app.core.clusters import ClustersRequest
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.language_detection import language_code
from desktop_app.core.links import format_link, link_hit
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search_notes import list_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.bibliography import Reference
    from desktop_app.core.jobs import Job
    from desktop_app.core.records import Document, Hit
    from desktop_app.engine.workspace import Workspace

T = TypeVar("T")

TOOL_NAMES = ("search", "read_passage", "list_documents", "compare", "check_draft", "topics", "cite")
"""The methods of `AssistantTools` that an assistant may call."""

MAX_RESULTS = 50
MAX_AROUND = 50
MAX_DOCUMENTS = 500
_MAX_TOPICS = 40
_MAX_DRAFT_CHARACTERS = 200_000
_MAX_ORDINAL = 2**31


class AssistantTools:
    """The tools; each returns values for JSON.

    They raise `AppError` with a reason and a remedy for whatever cannot be done. Their jobs have no keys: in the
    window's engine they must not replace what the person asks there.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def search(
        self,
        query: str,
        mode: Literal["both", "meaning", "words"] = "both",
        by: Literal["sentence", "document"] = "sentence",
        top_k: int = 10,
        min_score: float = -1.0,
        documents: list[str] | None = None,
        collection: str = "",
        tag: str = "",
        language: str = "",
    ) -> dict[str, Any]:
        """Search the library for sentences (or documents) by meaning and by words.

        The query may be a question, a sentence, a few words, several queries as `a | b`, and may contain operators:
        "exact phrase", +word, -word, (this OR that), begin*, title:, author:, year:2019, in:folder, type:pdf,
        after:2020-05, before:. Each result has the sentence, its neighbours, its document, its place and a citation.
        The notes say when results are no better than chance.

        Args:
            query: what to search for.
            mode: by meaning, by words, or both.
            by: rank sentences, or whole documents with their best sentences.
            top_k: how many results, at most 50.
            min_score: lowest cosine similarity, from -1 to 1.
            documents: only in these documents or folders (path, file name or id such as "#5").
            collection: only in this collection.
            tag: only in documents with this tag.
            language: only in documents in this language, by name or two letters.
        """
        scope = self._find_scope(documents, collection, tag, language)
        request = SearchRequest(query, max(1, min(top_k, MAX_RESULTS)), min_score, scope=scope, mode=mode)
        if by == "document":
            found = self._workspace.search.find_documents(request, key=None).wait()
            references = self._references([each.document_id for each in found.hits])
            rows = [
                {
                    "rank": each.rank,
                    "score": round(each.score, 4),
                    **_document_values(each.document_id, each.title, each.path, references),
                    "best": [self._hit(hit, references) for hit in each.best],
                }
                for each in found.hits
            ]
            return {"results": rows, "notes": list_notes(found)}
        result = self._workspace.search.find_sentences(request, key=None, by_person=False).wait()
        references = self._references([hit.document_id for hit in result.hits])
        return {"results": [self._hit(hit, references) for hit in result.hits], "notes": list_notes(result)}

    def read_passage(self, document: str, sentence: int = 0, before: int = 5, after: int = 20) -> dict[str, Any]:
        """Read a document around a sentence, in reading order.

        Args:
            document: its path, file name, or id such as "#5".
            sentence: the number of a sentence in the document, as results give it; 0 for the beginning.
            before: how many sentences before it, at most 50.
            after: how many after it, at most 50.
        """
        found = self._find_document(document)
        before, after = (max(0, min(count, MAX_AROUND)) for count in (before, after))
        occurrences = self._read(
            lambda library: library.sentences.context(found.document_id, max(sentence, 0), before, after)
        )
        return {
            **_document_values(found.document_id, found.title, found.path, self._references([found.document_id])),
            "sentences_in_document": found.sentences,
            "sentences": [{"sentence": each.ordinal, "text": each.text} for each in occurrences],
        }

    def list_documents(
        self, title: str = "", author: str = "", collection: str = "", tag: str = "", after_id: int = 0
    ) -> dict[str, Any]:
        """List the documents of the library, at most 500 at once; `after_id` continues the list.

        Args:
            title: only documents whose title contains this.
            author: only documents whose author contains this.
            collection: only those of this collection.
            tag: only those with this tag.
            after_id: only documents with a greater id.
        """
        scope = replace(
            self._find_scope(None, collection, tag, ""),
            titles=(title,) if title else (),
            authors=(author,) if author else (),
        )
        documents = self._read(
            lambda library: library.documents.fetch(after_id=after_id, limit=MAX_DOCUMENTS, scope=scope)
        )
        rows = [
            {
                "document": f"#{each.document_id}",
                "title": each.title,
                "author": each.author,
                "date": each.dated,
                "path": each.path,
                "also_at": [copy.path for copy in each.copies],
                "type": each.type,
                "pages": each.pages,
                "sentences": each.sentences,
                "state": each.state,
            }
            for each in documents
        ]
        return {"documents": rows, "has_more": len(documents) == MAX_DOCUMENTS}

    def compare(self, first: str, second: str) -> dict[str, Any]:
        """Compare two sentences by meaning: their cosine similarity, and what that means.

        Args:
            first: a sentence.
            second: another one.
        """
        found = self._workspace.comparison.compare(first, second, key=None).wait()
        return {"cosine": round(found.score.cosine, 4), "kind": found.kind}

    def check_draft(self, text: str, sources: int = 3) -> dict[str, Any]:
        """Find the sources of each sentence of a draft in the library.

        Each sentence is verbatim, paraphrased, related or unsupported; nothing of the draft is kept.

        Args:
            text: the draft.
            sources: how many sources for each sentence, at most 10.
        """
        if len(text) > _MAX_DRAFT_CHARACTERS:
            raise UsageError(
                "The draft has more than {most} characters", "Check it in parts.", most=_MAX_DRAFT_CHARACTERS
            )
        found = self._workspace.trace.trace_text(text, sources=max(1, min(sources, 10)), key=None).wait()
        ids = [hit.document_id for sentence in found.sentences for hit in sentence.sources]
        references = self._references(ids)
        rows = [
            {
                "text": each.text,
                "support": each.support,
                "differs_in": list(each.badges),
                "sources": [self._hit(hit, references) for hit in each.sources],
            }
            for each in found.sentences
        ]
        unknown = {"unknown_languages": list(found.unknown_languages)} if found.unknown_languages else {}
        return {"coverage": found.coverage, "sentences": rows, **unknown}

    def topics(self) -> dict[str, Any]:
        """List the topics of the library, the largest first, with their key sentences."""
        found = self._workspace.clusters.load_last(key=None).wait()
        if found is None:
            found = self._workspace.clusters.find(ClustersRequest(), key=None).wait()
        rows = [
            {
                "name": each.name,
                "sentences": each.size,
                "documents": each.documents,
                "key_sentences": [hit.text for hit in each.key_sentences],
            }
            for each in sorted(found.clusters, key=lambda each: -each.size)[:_MAX_TOPICS]
        ]
        return {"topics": rows, "sentences_without_topic": len(found.unclustered)}

    def cite(
        self, documents: list[str], style: CitationForm = "apa", sentences: list[int] | None = None
    ) -> dict[str, Any]:
        """Cite documents, or sentences with their pages, in a citation style or a format of reference managers.

        Args:
            documents: paths, file names, or ids such as "#5".
            style: apa, mla, chicago, chicago-notes, iso690, bibtex, ris, csl, markdown or plain.
            sentences: for each document the number of a sentence, as results give it; none to cite whole documents.
        """
        found = [self._find_document(name) for name in documents]
        references = self._references([each.document_id for each in found])
        if sentences is None:
            cited = [CitedSentence("", references[each.document_id], each.path) for each in found]
            return {"citation": format_citations(cited, style)}
        if len(sentences) != len(found) or not all(0 <= number < _MAX_ORDINAL for number in sentences):
            raise UsageError("There must be one sentence for each document", "Use the numbers given in the results.")
        places = [(each.document_id, number, 1.0) for each, number in zip(found, sentences, strict=True)]
        hits: list[Hit | None] = self._read(lambda library: library.search.hits_at(places))
        if None in hits:
            raise NotFound("The document has no sentence with that number", "Search again, or read the document.")
        cited = [
            cite_hit(hit, references.get(hit.document_id), format_cited_location(hit))
            for hit in hits
            if hit is not None
        ]
        return {"citation": format_citations(cited, style)}

    # What the tools share

    def _read(self, query: Any) -> Any:
        job: Job[Any] = self._workspace.read(query, by_person=False)
        return job.wait()

    def _references(self, document_ids: Sequence[int]) -> dict[int, Reference]:
        references: dict[int, Reference] = self._read(
            lambda library: library.documents.references(sorted(set(document_ids)))
        )
        return references

    def _find_document(self, name: str) -> Document:
        documents: list[Document] = self._read(lambda library: library.documents.find(name))
        if len(documents) != 1:
            raise NotFound(
                "{name} does not name exactly one document of the library",
                "List the documents, and use an id such as #5.",
                name=name,
            )
        return documents[0]

    def _find_scope(self, documents: Sequence[str] | None, collection: str, tag: str, language: str) -> Scope:
        scope = EVERYTHING
        if documents:
            ids: set[int] = set()
            for name in documents:
                found: list[Document] = self._read(lambda library, name=name: library.documents.find(name))
                if not found:
                    raise NotFound(
                        "The library has no document or folder {name}", "List the documents to see them.", name=name
                    )
                ids.update(each.document_id for each in found)
            scope = replace(scope, document_ids=frozenset(ids))
        code = language_code(language)
        if language and not code:
            raise UsageError("No language is called {name}", "Use its two letters, such as en or de.", name=language)
        return replace(
            scope,
            collections=(collection,) if collection else (),
            tags=(tag,) if tag else (),
            languages=frozenset({code}) if code else None,
        )

    def _hit(self, hit: Hit, references: dict[int, Reference]) -> dict[str, Any]:
        place = format_cited_location(hit)
        cited = cite_hit(hit, references.get(hit.document_id), place)
        return {
            "score": round(hit.score, 4),
            "text": hit.text,
            "before": hit.before,
            "after": hit.after,
            "matched_by": list(hit.matched_by),
            "sentence": hit.ordinal,
            "place": place,
            **_document_values(hit.document_id, hit.title, hit.path, references),
            "citation": format_citations([cited], "plain"),
            "link": format_link(link_hit(self._identity, hit)),
        }

    @cached_property
    def _identity(self) -> str:
        identity: str = self._read(lambda library: library.info().identity)
        return identity


def _document_values(document_id: int, title: str, path: str, references: dict[int, Reference]) -> dict[str, Any]:
    reference = references.get(document_id)
    return {
        "document": f"#{document_id}",
        "title": title,
        "author": reference.author_line if reference is not None else "",
        "date": reference.date if reference is not None else "",
        "path": path,
    }

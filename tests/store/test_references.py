"""References of documents: those of the files, and those that a person gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
from desktop_app.core.errors import NotFound
from desktop_app.core.library import Library
from desktop_app.core.scope import Scope

from .conftest import Open
from .helpers import MODEL, add, drain, files_with, head, store, take_in, vector_of

pytestmark = pytest.mark.every_library

OF_FILE = Reference(container="Nature", doi="10.1000/xyz", kind="article-journal")
OWN = Reference(kind="book", title="The Waves", authors=("Woolf, Virginia",), date="1931", publisher="Hogarth")


@pytest.fixture
def paper(library: Library) -> int:
    return take_in(library, "p.pdf", ["One."], title="Tides", author="George Darwin", dated="1898", reference=OF_FILE)


def found(library: Library, **scope: object) -> set[str]:
    near = library.search.nearest(vector_of("One."), 9, scope=Scope(**scope))  # type: ignore[arg-type]
    return {hit.text for hit in library.search.hits(near)}


def test_the_reference_of_a_file_has_its_title_author_and_date(library: Library, paper: int) -> None:
    assert library.documents.references([paper]) == {
        paper: Reference(
            kind="article-journal",
            title="Tides",
            authors=("Darwin, George",),
            date="1898",
            container="Nature",
            doi="10.1000/xyz",
        )
    }


def test_a_file_that_says_nothing_has_its_name(library: Library) -> None:
    waiting = add(library, "notes.txt")
    assert library.documents.references([waiting, 999]) == {waiting: Reference(title="notes")}


def test_a_persons_reference_counts_instead_of_the_files(library: Library, paper: int) -> None:
    other = take_in(library, "q.pdf", ["Other."], author="Ann Li", dated="1900")
    library.documents.set_reference(paper, OWN)
    assert library.documents.references([paper]) == {paper: OWN}
    document = library.documents.get(paper)
    assert (document.title, document.author, document.dated) == ("The Waves", "Virginia Woolf", "1931")
    assert found(library, authors=("woolf",)) == {"One."}
    assert found(library, authors=("darwin",)) == set()
    assert found(library, authors=("li",)) == {"Other."}
    assert library.documents.get(other).author == "Ann Li"
    assert found(library, dated_after="1930") == {"One."}
    assert library.documents.fetch(scope=Scope(authors=("woolf",)))[0].document_id == paper
    assert library.documents.count_file_dates(Scope()) == (0, 0)


def test_a_persons_reference_stays_when_the_file_is_read_again(library: Library, paper: int) -> None:
    library.documents.set_reference(paper, OWN)
    take_in(library, "p.pdf", ["One.", "Two."], title="Tides, again", author="Other")
    assert library.documents.references([paper]) == {paper: OWN}


def test_the_files_reference_comes_back(library: Library, paper: int) -> None:
    before = library.documents.references([paper])
    library.documents.set_reference(paper, OWN)
    library.documents.set_reference(paper, None)
    assert library.documents.references([paper]) == before
    assert found(library, authors=("darwin",)) == {"One."}


def test_a_reference_with_the_same_title_leaves_the_title_to_the_file(library: Library, paper: int) -> None:
    library.documents.set_reference(paper, Reference(title="Tides", date="1900"))
    take_in(library, "p.pdf", ["One."], title="Tides, second edition")
    assert library.documents.get(paper).title == "Tides, second edition"


def test_a_document_that_is_gone_has_no_reference(library: Library, paper: int) -> None:
    library.documents.remove([paper])
    with pytest.raises(NotFound):
        library.documents.set_reference(paper, OWN)
    assert library.documents.references([paper]) == {}


@pytest.mark.only_local
def test_a_removed_documents_reference_is_erased(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    document_id = add(library, "a.pdf")
    library.ingest.begin(document_id, head("h", reference=Reference(publisher="private-publisher")))
    store(library, document_id, ["One."])
    library.documents.set_reference(document_id, Reference(title="private-title", authors=("private-author",)))
    assert files_with(tmp_path, b"private-publisher", b"private-author")
    library.documents.remove([document_id])
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"private-") == []

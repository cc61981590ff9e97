"""Files below a root are stored by root and relative path: every machine has its own folder for it."""

from __future__ import annotations

import os

import pytest

from desktop_app.core.scope import Scope
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.paths import PathCodec
from tests.store.helpers import path, take_in, texts

from .conftest import Open


def test_each_machine_sees_its_own_paths(library: SharedLibrary, open_session: Open) -> None:
    one = open_session(roots={"archive": path("mnt/archive")})
    two = open_session(roots={"archive": path("volumes/old")})
    inside = take_in(one, "mnt/archive/1999/a.pdf", texts("a", 3))
    outside = take_in(one, "mnt/other.pdf", texts("b", 3))
    assert two.documents.get(inside).path == path("volumes/old/1999/a.pdf")
    assert two.documents.get(outside).path == path("mnt/other.pdf")
    assert library.documents.get(inside).path == "archive:/1999/a.pdf"
    assert [each.document_id for each in two.documents.find(path("volumes/old"))] == [inside]
    assert [each.document_id for each in two.documents.find(path("volumes"))] == [inside]
    assert two.documents.find(path("mnt/archive")) == []
    assert (
        len(two.search.nearest(two.search.sample_vectors(1)[0], 9, scope=Scope(paths=(path("volumes/old/1999"),)))) == 3
    )
    assert [each.document_id for each in library.documents.fetch(scope=Scope(folders=("1999",)))] == [inside]
    assert take_in(two, "volumes/old/1999/a.pdf", texts("a", 3)) == inside


@pytest.mark.parametrize("name", ["", "a", "a/b c.txt", "bad \udcff byte.txt"])
def test_a_path_becomes_itself_again(name: str) -> None:
    codec = PathCodec({"papers": path("papers")})
    for whole in (os.path.normpath(os.path.join(path("papers"), *name.split("/"))), path(f"paperss/{name}x")):
        assert codec.decode(codec.encode(whole)) == whole
    assert PathCodec().decode(codec.encode(path("papers/a.txt"))) == "papers:/a.txt"

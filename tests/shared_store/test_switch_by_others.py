"""Another session switches a shared library to another model while this one searches and imports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.errors import ModelMissing, TakenOver
from desktop_app.core.records import ModelInfo
from desktop_app.engine.context import EngineContext, EngineSetup
from desktop_app.engine.engine import Engine
from desktop_app.engine.import_run import Importer
from desktop_app.engine.requests import ImportRequest
from desktop_app.shared_store.library import SharedLibrary
from tests.engine.fakes import HashingEncoder, ScriptedReader, script
from tests.steps import run_steps
from tests.store.helpers import MODEL, OTHER, add, drain, faults, head, spans_of, switch, take_in, texts, vectors_of

from .conftest import Open
from .same_moment import Later


class OtherEncoder(HashingEncoder):
    """Its vectors have the length of those of the first one, and nothing else in common with them."""

    model = replace(HashingEncoder.model, name="other", fingerprint="9" * 64)

    def encode(
        self, texts: Sequence[str], *, normalize: bool = True, kind: str = "document", exact: bool = False
    ) -> NDArray[np.float32]:
        return -super().encode(texts, normalize=normalize, kind=kind, exact=exact)


def switch_to(library: SharedLibrary, encoder: HashingEncoder) -> None:
    library.model_switch.begin(encoder.model)
    after: int | None = 0
    while after is not None:
        pending, after = library.model_switch.without_new_vector(after, 1000)
        if pending:
            vectors = encoder.encode([text for _, text in pending])
            library.model_switch.append([number for number, _ in pending], vectors)
    drain(library.model_switch.prepare())
    assert library.model_switch.complete()


def test_a_session_uses_the_model_that_another_one_has_switched_to(library: SharedLibrary, open_session: Open) -> None:
    take_in(library, "a.txt", texts("a", 3))
    missing: set[str] = set()

    def load(bound: ModelInfo | None) -> HashingEncoder:
        assert bound is not None
        if bound.fingerprint in missing:
            raise ModelMissing("The model is not on this computer", "Get it.")
        encoder = HashingEncoder()
        encoder.model = bound
        return encoder

    setup = EngineSetup(
        open_library=lambda: library,
        load_encoder=load,
        start_reader=lambda: ScriptedReader({}),
        is_supported=lambda _path: True,
        choose_device=lambda _bound: HashingEncoder.device,
    )
    context = EngineContext(Engine(), setup)
    assert context.library_encoder().model == MODEL
    missing.add(OTHER.fingerprint)
    switch(open_session("writer"))
    with pytest.raises(ModelMissing):
        context.library_encoder()
    missing.clear()
    assert context.library_encoder().model == OTHER


def test_vectors_that_were_computed_before_a_switch_are_not_stored_after_it(
    library: SharedLibrary, open_session: Open
) -> None:
    """Also if the session waits with them while the other one switches."""
    other = open_session("writer")
    take_in(other, "a.txt", texts("a", 3))
    document_id, own = add(library, "b.txt"), texts("b", 3)
    library.ingest.begin(document_id, head())
    other.model_switch.begin(replace(OTHER, dim=MODEL.dim))
    other.model_switch.append(list(other.sentences.ids(texts("a", 3)).values()), vectors_of(texts("x", 3)))
    drain(other.model_switch.prepare())
    later = Later(
        lambda: library.ingest.append(document_id, spans_of(own), own, vectors_of(own), fingerprint=MODEL.fingerprint)
    )
    with later.after(other):
        assert other.model_switch.complete()
    with pytest.raises(TakenOver, match="another model"):
        later.result()
    assert library.info().sentences == 3
    assert library.documents.get(document_id).state == "queued"
    library.ingest.release(document_id)
    library.ingest.recover()
    assert library.ingest.claim([document_id]) == [document_id]
    assert faults(library) == []


def test_an_import_goes_on_with_the_model_that_another_session_has_switched_to(
    open_session: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, other = open_session(), open_session("writer")
    first, second = HashingEncoder(), OtherEncoder()
    encoders = {each.model.fingerprint: each for each in (first, second)}
    own = texts("long", 600)
    (tmp_path / "a.txt").write_text("stands for a", "utf-8")
    reader = ScriptedReader({"a.txt": script(own, content_hash="a")})

    def find_encoder() -> HashingEncoder:
        model = session.models.current
        return first if model is None else encoders[model.fingerprint]

    importer = Importer(session, find_encoder, reader, lambda _path: True, lambda: True)
    append, calls = session.ingest.append, list[Any]()

    def switch_before(*values: object) -> None:
        calls.append(values)
        if len(calls) == 2:
            switch_to(other, second)
        append(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(session.ingest, "append", switch_before)
    report = run_steps(importer.run(ImportRequest((str(tmp_path),))))
    assert [each.sentences for each in report.imported] == [600]
    assert session.models.current == second.model
    of_second_batch = calls[1][1][0].text
    (near,) = session.search.nearest(second.encode([of_second_batch])[0], 1)
    assert near.score == pytest.approx(1, abs=1e-3)
    drain(session.maintenance.purge())
    assert faults(session) == []

"""The explanation of two sentences."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_app.core.duplicates import PairLabel, PairVerdict
from desktop_app.core.errors import Cancelled, VectorNotFinite
from desktop_app.core.records import DeviceInfo
from desktop_app.engine import compare
from desktop_app.engine.compare import MAX_WORDS, ComparisonService
from desktop_app.engine.model_loading import OtherModel
from desktop_app.engine.requests import EXPLAINED_CHARACTERS
from tests.patience import PATIENCE_S
from tests.steps import run_steps

from .analysed_library import AnalysedLibrary
from .fakes import HashingEncoder, SlowModels


def explaining(analysed: AnalysedLibrary) -> ComparisonService:
    service = ComparisonService(analysed.context)
    service._find_percentile = lambda cosine: 100 * cosine
    return service


def test_a_pair_is_explained(analysed: AnalysedLibrary) -> None:
    a, b = "The old ice melts in May.", "The old ice never melts in June."
    analysed.do(lambda: analysed.library().pair_labels.judge(b, a, False))
    found = explaining(analysed).explain(a, b, 0.5).wait(PATIENCE_S)
    assert (found.kind, found.badges, found.percentile, found.known_texts) == (
        "near",
        ("negation",),
        50.0,
        (True, True),
    )
    assert [b[start:stop] for start, stop in found.differs_b] == ["never", "June"]
    assert found.label is not None
    assert found.label.same is False
    assert found.words is not None
    assert found.words.a == ("The", "old", "ice", "melts", "in", "May.")
    assert found.words.similarity.shape == (6, 7)
    joined = {(found.words.a[row], found.words.b[column]) for row, column in found.words.alignment}
    assert {("The", "The"), ("ice", "ice"), ("melts", "melts"), ("in", "in")} <= joined


def test_a_text_without_words_is_explained(analysed: AnalysedLibrary) -> None:
    found = explaining(analysed).explain("...", "", 0.0).wait(PATIENCE_S)
    assert (found.words, found.known_texts, found.label) == (None, (False, False), None)


def test_only_the_beginning_of_very_long_sentences_is_compared(analysed: AnalysedLibrary) -> None:
    words = explaining(analysed).compare_words("word " * 500, "other " * 300).wait(PATIENCE_S)
    assert words is not None
    assert words.similarity.shape == (MAX_WORDS, MAX_WORDS)
    assert words.is_cut
    assert np.isfinite(words.similarity).all()


def test_of_very_long_texts_the_beginnings_are_explained(analysed: AnalysedLibrary) -> None:
    middle = "The old ice melts. " * (EXPLAINED_CHARACTERS // 10)
    a, b = f"In May. {middle}It is safe.", f"In June. {middle}It is not safe."
    found = explaining(analysed).explain(a, b, 0.9).wait(PATIENCE_S)
    assert found.is_cut
    assert [b[start:stop] for start, stop in found.differs_b] == ["June"]
    assert (found.kind, found.badges) == ("near", ())


def test_known_facts_of_a_pair_are_not_computed_again(
    analysed: AnalysedLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = "The old ice melts in May.", "The old ice never melts in June."
    analysed.put("a.txt", a)
    analysed.put("b.txt", b)
    (pair,) = analysed.pairs(min_score=0.3)
    pair = replace(pair, same=False)
    computed = explaining(analysed).explain(pair.a.text, pair.b.text, pair.score).wait(PATIENCE_S)

    def again(*_: object) -> None:
        raise AssertionError("it is known already")

    for name in ("classify_pair", "find_badges", "find_word_differences"):
        monkeypatch.setattr(compare, name, again)
    taken = explaining(analysed).explain(pair.a.text, pair.b.text, pair.score, pair=pair).wait(PATIENCE_S)
    assert (taken.kind, taken.badges) == (computed.kind, computed.badges)
    assert (taken.differs_a, taken.differs_b) == (computed.differs_a, computed.differs_b)
    assert (computed.label, taken.label) == (None, PairLabel(pair.a.text, pair.b.text, same=False))


@pytest.mark.parametrize(("label", "kind"), [("same", "paraphrase"), ("different", "related")])
def test_the_kind_of_a_pair_agrees_with_the_label_of_the_model(
    analysed: AnalysedLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, label: str, kind: str
) -> None:
    verdict = PairVerdict(label, margin=0.1)
    monkeypatch.setattr(HashingEncoder, "verdict", verdict)
    service = explaining(analysed)
    a, b = "Ice melts in May, early.", "Early in May some ice melts."
    file = tmp_path / "pairs.tsv"
    file.write_text(f"a\tb\n{a}\t{b}\n", "utf-8")
    compared = service.compare(a, b).wait(PATIENCE_S)
    assert (compared.kind, compared.verdict) == (kind, verdict)
    explained = service.explain(a, b, compared.score.cosine, verdict=compared.verdict).wait(PATIENCE_S)
    assert explained.kind == kind
    assert service.score_table(str(file)).wait(PATIENCE_S).kinds == (kind,)
    (pair,) = service.pair_texts([a, b, "Bread."], 10, 0.5, kind).wait(PATIENCE_S)
    assert (pair.kind, pair.verdict) == (kind, verdict)
    other = "related" if label == "same" else "paraphrase"
    assert service.pair_texts([a, b, "Bread."], 10, 0.5, other).wait(PATIENCE_S) == []


def test_each_pair_of_a_list_is_judged_once(analysed: AnalysedLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[tuple[str, str]] = []

    def judge(_: HashingEncoder, u: object, v: object, first: list[str], second: list[str]) -> Any:
        judged.extend(zip(first, second, strict=True))
        yield len(first)
        return [PairVerdict("different")] * len(first)

    monkeypatch.setattr(HashingEncoder, "verdict", PairVerdict("different"))
    monkeypatch.setattr(HashingEncoder, "judge_pairs", judge)
    texts = [f"Ice melts in month {number}, early." for number in range(9)]
    assert explaining(analysed).pair_texts(texts, 2, 0.1, "paraphrase", max_score=0.99).wait(PATIENCE_S) == []
    assert len(judged) == len(set(judged)) == 36


class ReadingEncoder(HashingEncoder):
    """Judges pairs while it embeds them, and gives vectors of length 2; `read` records what its readers embedded."""

    model = replace(HashingEncoder.model, normalised=False)
    verdict = PairVerdict("same", margin=0.1)

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self.judged: list[tuple[str, str]] = []

    def read_pairs(self) -> Any:
        return self

    def embed(self, texts: list[str]) -> Generator[int, None, Any]:
        for number, text in enumerate(texts):
            if text in self.refused:
                raise VectorNotFinite("There is no vector", "", number)
        self.read += texts
        yield len(texts)
        return 2 * self.encode(texts)

    def judge(self, first: list[str], second: list[str]) -> Generator[int, None, Any]:
        self.judged += zip(first, second, strict=True)
        texts = yield from self.embed([*first, *second])
        return texts[: len(first)], texts[len(first) :], [self.verdict] * len(first)


@pytest.fixture
def reading(analysed: AnalysedLibrary, monkeypatch: pytest.MonkeyPatch) -> ReadingEncoder:
    encoder = ReadingEncoder()
    monkeypatch.setattr(analysed.context, "load_encoder", lambda: encoder)
    return encoder


def test_texts_that_are_embedded_while_they_are_judged_are_not_embedded_before(
    analysed: AnalysedLibrary, reading: ReadingEncoder, tmp_path: Path
) -> None:
    rows = [("Ice melts early.", "Early ice melts."), ("Ice.", "Bread.")]
    file = tmp_path / "pairs.tsv"
    file.write_text("\n".join(["a\tb", *("\t".join(row) for row in rows)]), "utf-8")
    service = ComparisonService(analysed.context)
    scored = service.score_table(str(file)).wait(PATIENCE_S)
    plain = HashingEncoder()
    u, v = plain.encode([a for a, _ in rows]), plain.encode([b for _, b in rows])
    assert np.allclose(scored.cosines, (u * v).sum(axis=1), atol=1e-5)
    assert scored.verdicts == (reading.verdict,) * 2
    compared = service.compare(*rows[0]).wait(PATIENCE_S)
    assert compared.score.cosine == pytest.approx(scored.cosines[0], abs=1e-6)
    assert compared.verdict == reading.verdict
    assert reading.embedded == []
    assert sorted(reading.judged) == sorted([*rows, rows[0]])


def test_texts_of_a_list_are_read_before_their_pairs_are_judged(
    analysed: AnalysedLibrary, reading: ReadingEncoder
) -> None:
    texts = ["Ice melts in May.", "Bread bakes.", "Ice melts in May.", "In May ice melts early."]
    pairs = ComparisonService(analysed.context).pair_texts(texts, 9, 0.6).wait(PATIENCE_S)
    assert [(pair.a, pair.b) for pair in pairs] == [(0, 2), (0, 3), (2, 3)]
    a, b = HashingEncoder().encode([texts[0], texts[3]])
    assert [pair.score for pair in pairs] == pytest.approx([1, a @ b, a @ b], abs=1e-6)
    assert reading.embedded == []
    assert reading.read[:3] == [texts[0], texts[1], texts[3]]


def test_a_gpu_embeds_the_texts_of_a_list(analysed: AnalysedLibrary, reading: ReadingEncoder) -> None:
    reading.device = DeviceInfo("cuda", "fp16", 1)
    texts = ["Ice melts in May.", "Bread bakes.", "Ice melts in May."]
    (pair,) = ComparisonService(analysed.context).pair_texts(texts, 9, 0.6).wait(PATIENCE_S)
    assert (pair.a, pair.b, pair.verdict) == (0, 2, reading.verdict)
    assert reading.embedded == texts[:2]
    assert reading.read == []


def test_a_core_is_left_free_while_texts_are_read() -> None:
    texts = ["Ice melts in May.", "Bread bakes.", "Ice melts in May."]
    for compare_them in (
        lambda encoder: compare.find_text_pairs(encoder, texts, 9, (0.6, 1.0), None, lambda: True),
        lambda encoder: compare.compare_rows(encoder, texts, texts, lambda: True),
    ):
        encoder = ReadingEncoder()
        encoder.device = DeviceInfo("cpu", "fp32", 4)
        run_steps(compare_them(encoder))
        assert set(encoder.threads) == {3, 0}
        assert encoder.threads[-1] == 0


def test_vectors_of_a_list_are_scaled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def find(vectors: Any, *_: object) -> Iterator[list[Any]]:
        seen.append(vectors)
        yield []

    monkeypatch.setattr(compare, "find_most_similar_pairs", find)
    encoder = HashingEncoder()
    monkeypatch.setattr(encoder, "model", replace(HashingEncoder.model, normalised=False))
    texts = [f"Ice melts in month {number}." for number in range(50)]
    run_steps(compare.find_text_pairs(encoder, texts, 9, (0.6, 1.0), None, lambda: False))
    assert (seen[0] == encoder.encode(texts)).all()


def test_a_text_without_a_vector_is_named_where_pairs_are_read(
    analysed: AnalysedLibrary, reading: ReadingEncoder, tmp_path: Path
) -> None:
    reading.refused = {"Bread."}
    service = ComparisonService(analysed.context)
    with pytest.raises(VectorNotFinite, match="Bread") as caught:
        service.pair_texts(["Ice.", "Ice.", "Bread."], 9, 0.1).wait(PATIENCE_S)
    assert caught.value.text == 2
    file = tmp_path / "pairs.tsv"
    file.write_text("a\tb\nIce.\tIce.\nIce melts.\tBread.\n", "utf-8")
    with pytest.raises(VectorNotFinite, match=r"Bread.*line 3|line 3.*Bread"):
        service.score_table(str(file)).wait(PATIENCE_S)


def test_vectors_of_a_list_that_are_all_zeros_are_refused(
    analysed: AnalysedLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    def encode(texts: list[str], **_: object) -> Any:
        raise VectorNotFinite("There is no vector", "", 0, is_zero=True)

    def embed(texts: list[str]) -> Generator[int, None, Any]:
        yield 2
        return np.array([[2.0] * 32, [0.0] * 32], np.float32)

    encoder = ReadingEncoder()
    monkeypatch.setattr(analysed.context, "load_encoder", lambda: encoder)
    monkeypatch.setattr(encoder, "embed", embed)
    monkeypatch.setattr(encoder, "encode", encode)
    with pytest.raises(VectorNotFinite, match="Bread"):
        ComparisonService(analysed.context).pair_texts(["Ice.", "Bread."], 9, 0.1).wait(PATIENCE_S)


def test_every_pair_of_a_table_is_scored_and_written(analysed: AnalysedLibrary, tmp_path: Path) -> None:
    file, out = tmp_path / "pairs.tsv", tmp_path / "scored.csv"
    rows = [("Ice melts.", "Ice melts."), ("Ice melts in May.", "Ice never melts in May."), ("Ice.", "Bread.")]
    file.write_text("\n".join(["a\tb", *("\t".join(row) for row in rows)]), "utf-8")
    service = ComparisonService(analysed.context)
    scored = service.score_table(str(file)).wait(PATIENCE_S)
    u, v = HashingEncoder().encode([a for a, _ in rows]), HashingEncoder().encode([b for _, b in rows])
    assert np.allclose(scored.cosines, (u * v).sum(axis=1), atol=1e-5)
    assert scored.kinds[0] == "exact"
    assert [list(each) for each in scored.badges] == [[], ["negation"], []]
    assert service.export_table(scored, str(out)).wait(PATIENCE_S) == 3
    header, first, second, third = out.read_text("utf-8-sig").splitlines()
    assert header == "a,b,cosine,kind,badges"
    assert first == "Ice melts.,Ice melts.,1.000000,exact,"
    assert second.endswith(",negation")
    assert third.startswith(f"Ice.,Bread.,{scored.cosines[2]:.6f},")


def test_the_most_similar_pairs_of_a_list_are_found(analysed: AnalysedLibrary) -> None:
    texts = ["Ice melts in May.", "Bread bakes.", "Ice melts in May.", "Ice melts in June."]
    service = ComparisonService(analysed.context)
    pairs = service.pair_texts(texts, 2, -1.0).wait(PATIENCE_S)
    assert (pairs[0].a, pairs[0].b) == (0, 2)
    assert len(pairs) == 2
    assert [pair.score for pair in pairs] == sorted((pair.score for pair in pairs), reverse=True)
    near = service.pair_texts(texts, 5, 0.5, max_score=0.99).wait(PATIENCE_S)
    assert {(pair.a, pair.b) for pair in near} == {(0, 3), (2, 3)}
    only = service.pair_texts(texts, 1, -1.0, "near").wait(PATIENCE_S)
    assert [pair.kind for pair in only] in ([], ["near"])


def test_no_cosine_of_a_list_exceeds_one(analysed: AnalysedLibrary) -> None:
    texts = [f"The {number}th sentence has {number} words of its own, or {number + 1}." for number in range(40)]
    pairs = ComparisonService(analysed.context).pair_texts([*texts, *texts], 40, -1.0).wait(PATIENCE_S)
    assert max(pair.score for pair in pairs) == 1.0


def test_a_cosine_has_no_percentile_in_a_small_library(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", "Ice melts.")
    assert ComparisonService(analysed.context).percentile(0.5).wait(PATIENCE_S) is None


def test_finding_another_model_holds_up_no_other_job(analysed: AnalysedLibrary) -> None:
    models = SlowModels()
    analysed.context.other_model = OtherModel(models.open, lambda _folder: HashingEncoder())
    compared = explaining(analysed).compare("Ice melts.", "Ice melts.", model="other")
    assert models.check_others_go_on(analysed.engine, compared).score.cosine == pytest.approx(1.0)


def test_a_comparison_that_is_cancelled_does_not_wait_for_its_model(analysed: AnalysedLibrary) -> None:
    models = SlowModels()
    analysed.context.other_model = OtherModel(models.open, lambda _folder: HashingEncoder())
    compared = explaining(analysed).compare("Ice melts.", "Ice melts.", model="other")
    try:
        assert models.asked.wait(PATIENCE_S)
        compared.cancel()
        with pytest.raises(Cancelled):
            compared.wait(PATIENCE_S)
    finally:
        models.go.set()

"""The judge of scores and words: what it learns, and how it is stored."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from desktop_app.core.errors import ModelMissing
from desktop_app.encoder.word_alignment import ALIGNMENT_FEATURES, PairWords
from desktop_app.encoder.word_judge import WORDS_FOLDER, WordJudge, load_word_judge
from desktop_app.encoder.word_rarity import WordRarity
from tests.steps import run_steps

THINGS = ["harbour", "theatre", "museum", "bridge", "station", "library", "garden", "market"]


def make_pairs(count: int, seed: int) -> tuple[np.ndarray, PairWords, np.ndarray]:
    """Pairs with scores that say nothing; they are the same if both sides have the same year."""
    source = random.Random(seed)
    first, second, same = [], [], []
    for number in range(count):
        thing, year = source.choice(THINGS), source.randrange(1900, 1999)
        first.append(f"the {thing} was opened in {year}")
        second.append(f"in {year + number % 2} they opened the {thing}")
        same.append(number % 2 == 0)
    return np.random.default_rng(seed).random(count), pair_words(first, second), np.array(same, np.float64)


def pair_words(first: list[str], second: list[str], alignment: np.ndarray | None = None) -> PairWords:
    """Return the words of pairs; without an alignment, all are aligned alike."""
    alike = np.zeros((len(first), len(ALIGNMENT_FEATURES)), np.float32)
    return PairWords(first, second, alike if alignment is None else alignment)


def fit(scores: np.ndarray, words: PairWords, labels: np.ndarray, *kind: Any) -> WordJudge:
    """Fit a judge in one go."""
    judge: WordJudge
    rarity = WordRarity.count(words.first, words.second)
    judge, predicted = run_steps(WordJudge.fit(scores, words, labels, rarity, *kind))
    np.testing.assert_allclose(predicted, judge.predict(scores, words), atol=1e-5)
    return judge


@pytest.fixture(scope="module")
def judge() -> WordJudge:
    return fit(*make_pairs(600, 1))


def test_words_decide_where_the_score_says_nothing(judge) -> None:
    scores, words, same = make_pairs(200, 2)
    assert ((scores > 0.5) == same).mean() < 0.65
    assert ((judge.predict(scores, words) > 0.5) == same).all()


def test_the_score_decides_where_the_words_say_nothing() -> None:
    _, words, _ = make_pairs(600, 3)
    scores = np.random.default_rng(3).random(600)
    same = (scores > 0.7).astype(np.float64)
    found = fit(scores, words, same).predict(scores, words)
    assert ((found > 0.5) == same).mean() > 0.98


def test_the_order_of_the_texts_does_not_matter(judge) -> None:
    scores, words, _ = make_pairs(50, 4)
    turned = pair_words([*words.second], [*words.first])
    assert (judge.predict(scores, words) == judge.predict(scores, turned)).all()


def test_texts_without_words_are_judged_too(judge) -> None:
    found = judge.predict(np.array([0.5, 0.9]), pair_words(["", "?!"], ["...", "the harbour"]))
    assert ((found > 0) & (found < 1)).all()


def test_a_saved_judge_says_the_same_and_names_no_word(judge, tmp_path) -> None:
    judge.save(tmp_path)
    scores, words, _ = make_pairs(50, 5)
    loaded = load_word_judge(tmp_path)
    assert loaded is not None
    assert (loaded.predict(scores, words) == judge.predict(scores, words)).all()
    stored = b"".join(file.read_bytes() for file in (tmp_path / WORDS_FOLDER).iterdir())
    assert not [thing for thing in THINGS if thing.encode() in stored]


def test_a_folder_without_a_judge_has_none_and_a_damaged_one_is_reported(judge, tmp_path) -> None:
    assert load_word_judge(tmp_path) is None
    judge.save(tmp_path)
    file = tmp_path / WORDS_FOLDER / "model.safetensors"
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(ModelMissing, match="cannot be loaded"):
        load_word_judge(tmp_path)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [("line", np.nan, "impossible numbers"), ("splits", 1000, "impossible numbers"), ("kind", None, "earlier version")],
)
def test_a_judge_that_cannot_be_used_is_refused(judge, tmp_path, name: str, value: float | None, why: str) -> None:
    judge.save(tmp_path)
    file = tmp_path / WORDS_FOLDER / "model.safetensors"
    tables = load_file(file)
    if value is None:
        del tables[name]
    else:
        tables[name].flat[0] = value
    save_file(tables, file)
    with pytest.raises(ModelMissing, match=why):
        load_word_judge(tmp_path)


def test_scores_are_learnt_as_scores(tmp_path) -> None:
    """Each pair has one of four scores, by score and words; the judge says these, also when it is loaded again."""
    scores, words, same = make_pairs(800, 6)
    wanted = 0.2 + 0.4 * same + 0.2 * (scores > 0.5)
    judge = fit(scores, words, wanted, "similarity")
    judge.save(tmp_path)
    loaded = load_word_judge(tmp_path)
    assert loaded is not None
    assert loaded.kind == "similarity"
    scores, words, same = make_pairs(100, 7)
    found = loaded.predict(scores, words)
    assert np.abs(found - (0.2 + 0.4 * same + 0.2 * (scores > 0.5))).mean() < 0.06


def test_alignment_decides_where_score_and_words_say_nothing() -> None:
    """Half of the pairs have a rare word without a counterpart in meaning; all have the same words."""
    source = np.random.default_rng(8)
    apart = source.random(600) < 0.5
    alignment = np.zeros((600, len(ALIGNMENT_FEATURES)), np.float32)
    alignment[:, 5] = np.where(apart, 4.0, 1.0) + source.normal(0, 0.5, 600)
    words = pair_words(["a boat sails"] * 600, ["a ship sails"] * 600, alignment)
    judge = fit(source.random(600), words, (~apart).astype(np.float64))
    rows = np.zeros((2, len(ALIGNMENT_FEATURES)), np.float32)
    rows[:, 5] = 1.0, 4.0
    same, different = judge.predict(np.array([0.5, 0.5]), pair_words(["a boat"] * 2, ["a ship"] * 2, rows))
    assert same > 0.9 > 0.1 > different


def test_few_rows_leave_the_score_as_it_is() -> None:
    """With 200 rows there are ten small trees: equal sentences stay the same, and scores do not become steps."""
    source = np.random.default_rng(9)
    same = (np.arange(200) % 2 == 0).astype(np.float64)
    scores = np.where(same == 1, 0.85, 0.4) + source.normal(0, 0.08, 200)
    _, words, _ = make_pairs(200, 9)
    judge = fit(scores, words, same)
    assert judge.predict(np.array([1.0]), pair_words(["a boat"], ["a boat"]))[0] > 0.95
    spread = np.linspace(0.2, 1.0, 200)
    found = judge.predict(spread, pair_words(["a boat"] * 200, ["a ship"] * 200))
    assert len(set(found.tolist())) == 200

"""Two models on one library: what stays, what moves, and nothing stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.errors import ModelMissing, NotFound, UsageError
from tests.engine.test_modelling import TEXTS, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.workspace.close()


def test_results_under_both_models_stand_side_by_side(world: World) -> None:
    world.take_in("a").wait(120)
    found = world.workspace.before_after.run([TEXTS[7], "  ", TEXTS[9]], "turned", 5).wait(120)
    assert (found.before, found.after, found.sentences) == ("hashing", "turned", len(TEXTS))
    assert [each.query for each in found.queries] == [TEXTS[7], TEXTS[9]]
    # The same as a search by meaning finds now, and the same as one would find after a switch.
    first = found.queries[0]
    before = [hit.sentence_id for hit in first.before]
    vectors = world.turned.encode([TEXTS[7], *TEXTS])
    order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:5]
    assert {hit.text for hit in first.after} == {TEXTS[place] for place in order}
    assert len(before) == 5
    assert first.after[0].text == TEXTS[7]
    assert first.moved(first.after[0]) == 0
    for hit in first.after:
        moved = first.moved(hit)
        assert (moved is None) == (hit.sentence_id not in before)
        assert moved is None or before.index(hit.sentence_id) + 1 - hit.rank == moved
    assert first.shared == 1 - len(first.gone) / 5
    # A look: nothing of the other model is kept.
    assert world.states()["turned"] == (False, 0, "")


def test_conditions_of_a_query_are_no_part_of_its_meaning(world: World) -> None:
    world.take_in("a").wait(120)
    plain, bound = world.workspace.before_after.run([TEXTS[7], f"{TEXTS[7]} type:text"], "turned", 5).wait(120).queries
    assert bound.query == f"{TEXTS[7]} type:text"
    assert [hit.sentence_id for hit in bound.before] == [hit.sentence_id for hit in plain.before]
    assert [hit.score for hit in bound.after] == [hit.score for hit in plain.after]


def test_the_library_answers_while_it_is_compared(world: World) -> None:
    world.take_in("a").wait(120)
    asked = []
    world.turned.hook = lambda: asked.append(world.workspace.search)
    found = world.workspace.before_after.run(["Sentence number 3"], "turned").wait(120)
    assert asked
    assert world.found(TEXTS[3])[0] == TEXTS[3]
    assert len(found.queries[0].after) == 10


def test_what_cannot_be_compared_says_why(world: World) -> None:
    with pytest.raises(NotFound, match="is empty"):
        world.workspace.before_after.run(["a"], "turned").wait(120)
    world.take_in("a").wait(120)
    with pytest.raises(UsageError, match="no query"):
        world.workspace.before_after.run([" "], "turned").wait(120)
    with pytest.raises(ModelMissing):
        world.workspace.before_after.run(["a"], "nobody").wait(120)

"""The models that are offered: one of each size, with what a person and the download need to know."""

from __future__ import annotations

import re

from desktop_app.core.recommended_models import MULTILINGUAL_MODELS, find_recommended


def test_one_is_recommended_beside_a_smaller_and_a_larger_one() -> None:
    by_choice = {each.choice: each for each in MULTILINGUAL_MODELS}
    assert MULTILINGUAL_MODELS[0].choice == "recommended"
    small, medium, large = (by_choice[choice] for choice in ("small", "recommended", "large"))
    assert small.size_bytes < medium.size_bytes < large.size_bytes
    assert small.agreement < medium.agreement < large.agreement


def test_each_names_a_fixed_revision_and_sound_checksums() -> None:
    for model in MULTILINGUAL_MODELS:
        assert re.fullmatch(r"[\w-]+/[\w.-]+", model.name)
        assert re.fullmatch("[0-9a-f]{40}", model.revision)
        assert re.fullmatch("([0-9a-f]{64})?", model.weights_sha256)
        assert model.address == f"https://huggingface.co/{model.name}/tree/{model.revision}"
        assert find_recommended(model.name) is model
    assert find_recommended("owner/another") is None

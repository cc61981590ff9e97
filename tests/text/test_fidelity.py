"""How the benchmark of missing words counts."""

from __future__ import annotations

from tests.benchmarks.fidelity import OwnText, count_missing


def test_each_word_counts_as_often_as_the_peer_has_it() -> None:
    total, left_out, missing = count_missing("The sea, the Sea!\nA boat.", OwnText(["The sea. A boat."]))
    assert (total, left_out, dict(missing)) == (6, 0, {"the": 1, "sea": 1})


def test_other_blanks_hyphens_and_ligatures_are_no_loss() -> None:
    own = OwnText(["An example of eﬃcient hyphenation.", "海は広い。"])
    assert not count_missing("An exam- ple of\nefficient hyphen-\nation\n海 は 広 い", own)[2]


def test_what_is_left_out_on_purpose_is_not_missing() -> None:
    _, left_out, missing = count_missing("The Gazette\nText.\nLost.", OwnText(["Text."], left_out=["The Gazette"]))
    assert (left_out, dict(missing)) == (2, {"lost": 1})

"""Names of clusters: joined from keywords, and made again when a word is lost."""

from __future__ import annotations

import numpy as np

from desktop_app.core.cluster_words import (
    drop_words,
    find_words,
    list_derived_words,
    name_from_keywords,
    name_from_text,
    name_groups,
)
from desktop_app.core.clusters import StoredCluster


def cluster(name: str, *keywords: str, own_name: bool = False) -> StoredCluster:
    none = np.empty(0)
    return StoredCluster(1, name, none.astype(np.int64), none.astype(np.float32), own_name, keywords=keywords)


def test_vowel_signs_are_parts_of_words() -> None:
    assert find_words("\u0939\u093f\u0928\u094d\u0926\u0940 \u0915\u0940 1") == {
        "\u0939\u093f\u0928\u094d\u0926\u0940",
        "\u0915\u0940",
    }


def test_a_name_has_three_keywords_of_different_stems() -> None:
    assert name_from_keywords(["transfer", "transfers", "account", "pending", "card"]) == "transfer, account, pending"
    assert (
        name_from_keywords(["to-morrow", "Tomorrow", "Transfer", "transfers", "E-Mail"])
        == "to-morrow, Transfer, E-Mail"
    )
    assert name_from_keywords([]) == ""


def test_a_group_is_named_by_words_of_its_clusters_that_other_groups_do_not_have() -> None:
    travel = [("ticket", "train"), ("ticket", "plane"), ("people", "bus")]
    food = [("people", "bread"), ("bread", "oven")]
    names = name_groups([travel, food], [(10, 8, 9), (10, 5)])
    assert names[0].startswith("ticket, ")
    assert names[1].startswith("bread, ")
    assert name_groups([], []) == []
    assert name_groups([[()]], [(3,)]) == [""]


def test_a_sentence_without_distinctive_words_names_its_cluster_by_its_beginning() -> None:
    assert name_from_text("It is  what\nit is.") == "It is what it is."
    assert name_from_text("One two three four five six seven.") == "One two three four five six…"


def test_a_name_that_loses_a_word_is_made_from_the_keywords_that_are_left() -> None:
    ice = cluster("ice, snow, arctic", "ice", "snow", "arctic", "glacier")
    assert list_derived_words(ice) == {"ice", "snow", "arctic", "glacier"}
    assert drop_words(ice, {"snow"}).name == "ice, arctic, glacier"
    assert drop_words(ice, {"glacier"}).name == ice.name, "a name that is still right stays"
    assert drop_words(ice, find_words("Ice, snow: arctic glacier!")).name == ""
    mary = cluster("Mary, Deich", "Mary", "Deich", "Garten")
    assert list_derived_words(mary) == {"mary", "deich", "garten"}
    rest = drop_words(mary, {"deich"})
    assert (rest.name, rest.keywords) == ("Mary, Garten", ("Mary", "Garten")), "as they are written"
    own = cluster("My own words", "ice", own_name=True)
    assert list_derived_words(own) == {"ice"}
    assert (drop_words(own, {"ice"}).name, drop_words(own, {"ice"}).keywords) == ("My own words", ())

"""The words of clusters' names: found in texts, joined to a name, and dropped when no sentence has them any more."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.word_marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.clusters import StoredCluster

_LETTERS = f"[^\\W\\d_](?:[^\\W\\d_]|[{MARKS}])*"
_WORD = re.compile(f"{_LETTERS}(?:['’-]{_LETTERS})*")
_NAME_WORDS = 3
_TEXT_WORDS = 6  # of a sentence that stands for a name


def find_words(text: str) -> set[str]:
    """Return the distinct words of a text in lower case, without numbers."""
    return set(map(str.lower, list_written_words(text)))


def list_written_words(text: str) -> list[str]:
    """Return the words of a text in their order, as they are written, without numbers."""
    return _WORD.findall(text.replace("’", "'"))


def name_from_keywords(keywords: Iterable[str]) -> str:
    """Return a name: the first keywords, without those that repeat the stem of another."""
    chosen: list[str] = []
    for word in keywords:
        if not any(_share_stem(word, other) for other in chosen):
            chosen.append(word)
        if len(chosen) == _NAME_WORDS:
            break
    return ", ".join(chosen)


def name_groups(keywords: Sequence[Sequence[Sequence[str]]], sizes: Sequence[Sequence[int]]) -> list[str]:
    """Return a name for each group of clusters: words that are important in it and not in the other groups.

    Args:
        keywords: of each cluster of each group, best first.
        sizes: of each cluster of each group.
    """
    weights: list[dict[str, float]] = []
    for group, counts in zip(keywords, sizes, strict=True):
        weight: dict[str, float] = defaultdict(float)
        for words, count in zip(group, counts, strict=True):
            for rank, word in enumerate(words):
                weight[word] += count / (1 + rank)
        weights.append(weight)
    everywhere: dict[str, float] = defaultdict(float)
    for weight in weights:
        for word, value in weight.items():
            everywhere[word] += value
    return [
        name_from_keywords(sorted(own, key=lambda word, own=own: (-(own[word] ** 2) / everywhere[word], word)))  # type: ignore[misc]
        for own in weights
    ]


def name_from_text(text: str) -> str:
    """Return the beginning of a sentence, the name of a cluster without distinctive words."""
    words = text.split()
    return " ".join(words[:_TEXT_WORDS]) + "…" * (len(words) > _TEXT_WORDS)


def list_derived_words(cluster: StoredCluster) -> set[str]:
    """Return the words of a cluster that come from its sentences, in lower case: keywords and an automatic name."""
    return set(map(str.lower, cluster.keywords)) | (set() if cluster.own_name else find_words(cluster.name))


def drop_members(cluster: StoredCluster, gone: NDArray[np.bool_]) -> StoredCluster:
    """Return a cluster without some of its n members.

    Args:
        cluster: with n members, of which the first `keys` are its key sentences.
        gone: bool [n].
    """
    return replace(
        cluster,
        members=cluster.members[~gone],
        closeness=cluster.closeness[~gone],
        keys=cluster.keys - int(gone[: cluster.keys].sum()),
    )


def drop_words(cluster: StoredCluster, lost: set[str]) -> StoredCluster:
    """Return a cluster without those of its derived words, in lower case, that its sentences no longer contain.

    A name that loses a word is made again from the keywords that are left, unless a person chose it. It is empty if
    there are none: see `name_from_text`.
    """
    keywords = tuple(word for word in cluster.keywords if word.lower() not in lost)
    keeps_name = cluster.own_name or not find_words(cluster.name) & lost
    return replace(cluster, name=cluster.name if keeps_name else name_from_keywords(keywords), keywords=keywords)


def drop_lost_words(
    cluster: StoredCluster, read_texts: Callable[[list[int]], Iterable[str]], texts_per_step: int
) -> Generator[None, None, StoredCluster]:
    """Return a cluster without its derived words that none of its sentences contains.

    Args:
        cluster: some members may have been dropped.
        read_texts: returns the texts of sentences by their ids.
        texts_per_step: how many to read in a step.
    """
    lost, members = list_derived_words(cluster), cluster.members.tolist()
    for top in range(0, len(members), texts_per_step):
        if not lost:
            break
        for text in read_texts(members[top : top + texts_per_step]):
            lost -= find_words(text)
        yield None
    return drop_words(cluster, lost)


def drop_erased_members(
    cluster: StoredCluster,
    erased: NDArray[np.int64],
    read_texts: Callable[[list[int]], Iterable[str]],
    texts_per_step: int,
) -> Generator[None, None, StoredCluster]:
    """Return a cluster without erased members and the words that only they contained; itself if it has none of them.

    Args:
        cluster: to be returned.
        erased: ids of sentences: int64 [n].
        read_texts: see `drop_lost_words`.
        texts_per_step: see `drop_lost_words`.
    """
    gone = np.isin(cluster.members, erased)
    if not gone.any():
        return cluster
    return (yield from drop_lost_words(drop_members(cluster, gone), read_texts, texts_per_step))


def _share_stem(a: str, b: str) -> bool:
    short, long = sorted((each.casefold().replace("-", "") for each in (a, b)), key=len)  # "to-morrow" is "tomorrow"
    return len(short) > 3 and long.startswith(short[: max(4, len(short) - 1)]) and len(long) - len(short) <= 3

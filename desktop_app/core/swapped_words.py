"""Words that swapped places: "the dog bit the man" beside "the man bit the dog".

Both sentences have the same words, and an encoder puts them close together whatever their order. They differ if one
becomes the other by a swap of what stands before and behind a verb, an adjective or a preposition. Many sentences
can be turned around and still say the same ("apples and pears", "she met him", "in June it rained"): what is not
certain is no difference. The lists of words are English and German.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop_app.core.index_terms import stem_word

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+(?:[-‑][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?\b")
_MIN_COMMON, _MAX_WORDS = 3, 60
_MIN_SHARE = 0.75
"""The share of the words of the longer sentence that the other has too, at least."""

_FUNCTION_WORDS = """
a an the this that these those my your his her its our their some any is are was were be been being am do does did
has have had having will would shall should can could may might must i you he she it we they me him us them who what
which how why there also so very just too
ein eine einen einem einer eines der die das den dem des dieser diese dieses diesen diesem mein meine dein sein seine
ihr ihre unser unsere ist sind war waren sein hat haben hatte hatten wird werden wurde wurden worden kann können
konnte muss müssen soll sollen darf dürfen will ich du er sie es wir uns auch so sehr
est sont es son è sono é são zijn
"""
_IGNORED = frozenset(_FUNCTION_WORDS.split())
_RELATING = """
to from into onto of off in on at over under for after before behind above below by toward towards against through
during until since because than about without inside outside within upon across around along beyond up down out
zu zum zur von vom nach vor hinter über unter für in im ins an am auf aus bei beim durch gegen ohne um während seit bis
weil als
"""
_PREPOSITIONS = frozenset(_RELATING.split())
_TURNING = """
and or nor but versus vs plus with as while whereas when where between among like unlike along alongside together
similar similarly same equal equals equally equivalent identical close closely near next adjacent beside opposite
parallel perpendicular different differs differ differed differently distinct resemble resembles resembled related
correlated correlates correlate associated compared comparable connected linked combined meets meet met marry married
marries each other both neighbours neighbors
say says said saying asked replies replied cried exclaimed adds added according states stated reports reported
here there now then today yesterday tomorrow tonight soon later once again often always never sometimes usually finally
perhaps however year month week day morning evening night
und oder sowie noch aber sondern mit wie während wobei zwischen gleich gleichen ähnlich ähneln ähnelt identisch neben
nahe verschieden unterscheidet unterscheiden unterschied entspricht entsprechen heiratet heiratete traf trifft treffen
beide sagt sagte sagten fragte antwortete rief laut
hier da dort jetzt nun dann heute gestern morgen bald später einmal wieder oft immer nie manchmal meist schließlich
vielleicht jedoch damals danach zuletzt zuerst dabei jahr monat woche tag abend nacht
"""
_BOTH_WAYS = frozenset(_TURNING.split())
"""What stands between two things that can be named in either order, a verb by which somebody speaks, and words of time
and place, which stand first or last.
"""
_LISTING, _RESPECTIVELY = frozenset(("and", "or", "und", "oder")), frozenset(("respectively", "bzw", "jeweils"))
_BY = frozenset(("by", "von", "vom", "durch"))
_ARTICLES = frozenset(("der", "die", "das", "den", "dem", "ein", "eine", "einen", "einem", "einer"))
_CASES = frozenset(("der", "den", "dem", "ein", "einen", "einem"))
"""German articles, and those that say whether somebody does something or has it done to them."""


def have_swapped_words(a: str, b: str) -> bool:
    """Return whether one sentence becomes the other if words before and behind a verb or the like are swapped.

    Words that only one of them has are left out, if they are few. Then the other must have no words of its own.
    """
    ours, theirs = _find_words(a), _find_words(b)
    if max(len(ours), len(theirs)) > _MAX_WORDS:
        return False
    common = Counter(ours) & Counter(theirs)
    n = common.total()
    if n < max(_MIN_COMMON, _MIN_SHARE * max(len(ours), len(theirs))) or n < min(len(ours), len(theirs)):
        return False
    one, other = _keep(ours, common), _keep(theirs, common)
    if one == other or not (_BY | _BOTH_WAYS).isdisjoint(set(ours) ^ set(theirs)):
        return False  # "the dog bit the man", "the man was bitten by the dog"
    start = next(at for at in range(n) if one[at] != other[at])
    end = next(at for at in range(n, 0, -1) if one[at - 1] != other[at - 1])
    both_ways = _BOTH_WAYS if _RESPECTIVELY.isdisjoint(ours) else _BOTH_WAYS - _LISTING
    between = _find_swap(one[start:end], other[start:end], both_ways)
    return bool(between) and (between <= _PREPOSITIONS or not _has_free_order(a, b))


@lru_cache(maxsize=4096)
def _find_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order: stems, but the words of the lists as they are."""
    words = (word.lower() for word in _WORD.findall(_POSSESSIVE.sub("", text)))
    listed = _PREPOSITIONS | _BOTH_WAYS | _RESPECTIVELY
    return tuple(word if word in listed else stem_word(word) for word in words if word not in _IGNORED)


def _keep(words: Sequence[str], wanted: Counter[str]) -> list[str]:
    left = wanted.copy()
    kept = []
    for word in words:
        if left[word]:
            left[word] -= 1
            kept.append(word)
    return kept


def _find_swap(one: Sequence[str], other: Sequence[str], both_ways: frozenset[str]) -> frozenset[str]:
    """Return the words x if `one` is "a x b", and `other` "b x a"; none if not, or if they can be turned around."""
    n = len(one)
    for before in range(1, n - 1):
        a = one[:before]
        if other[n - before :] != a:
            continue
        for after in range(1, n - before):
            b, between = one[n - after :], frozenset(one[before : n - after])
            if other[:after] == b and other[after : n - before] == one[before : n - after]:
                starts_with_preposition = a[0] in _PREPOSITIONS or b[0] in _PREPOSITIONS  # "from here", "in June"
                if not starts_with_preposition and both_ways.isdisjoint(one):
                    return between
    return frozenset()


def _has_free_order(a: str, b: str) -> bool:
    """Return whether sentences are German, and no article says that a noun has another role.

    In "Das Kind sieht die Mutter" either can see the other; "Den Mann sieht der Hund" is "Der Hund sieht den Mann".
    """
    ours, theirs = _find_articles(a), _find_articles(b)
    return bool(ours) and {each for each in ours if each[0] in _CASES} == {each for each in theirs if each[0] in _CASES}


def _find_articles(text: str) -> set[tuple[str, str]]:
    """Return the German articles of a text, each with the word behind it."""
    return {(article, noun) for article, noun in pairwise(_WORD.findall(text.lower())) if article in _ARTICLES}

"""Finds the languages of a longer text that the model was not trained for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from desktop_app.core.language_detection import guess_language, guess_script_language
from desktop_app.engine.query_understanding import understand_query
from desktop_app.text.query_language import detect_language

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import KeywordSearch
    from desktop_app.core.ports import Encoder

_BLOCK_CHARACTERS = 120
"""Sentences are judged together until they have so many: fewer are often misjudged. A shorter text is judged as a query
is, by the words that the tokenizer has, too."""

_MAX_BLOCKS = 200  # each takes an eighth of a millisecond
_BLOCKS_PER_STEP = 20
_MIN_BLOCKS, _MIN_SHARE = 3, 0.1  # of all blocks, in a language that is named


def find_unknown_languages(
    texts: Sequence[str], encoder: Encoder, words: KeywordSearch | None
) -> Steps[tuple[str, ...]]:
    """Return the languages (two letters) of sentences that the model was not trained for, the most frequent first.

    Args:
        texts: the sentences, in reading order.
        encoder: the model.
        words: of the library; None without one.
    """
    if sum(map(len, texts)) < _BLOCK_CHARACTERS:
        understood = understand_query(texts, encoder, words) if texts else None
        return (understood.language,) if understood and not understood.is_known and understood.language else ()
    return (yield from find_languages_except(encoder.model.languages, texts))


def find_languages_except(known: Collection[str], texts: Sequence[str]) -> Steps[tuple[str, ...]]:
    """Return the languages (two letters) of sentences that are none of the known ones, the most frequent first.

    A language counts if its function words and its pairs of letters agree: of 13,800 blocks of English stories,
    articles and questions this misjudges one, and of 439 blocks of a German manual with English commands it misses 48.

    Args:
        known: those of the model; empty if they are not documented, so that none is found.
        texts: the sentences, in reading order.
    """
    if not known:
        return ()
    blocks = list(_join_into_blocks(texts))
    blocks = blocks[:: -(-len(blocks) // _MAX_BLOCKS) or 1]
    counts: Counter[str] = Counter()
    for at, block in enumerate(blocks, start=1):
        counts[_judge_language(block)] += 1
        if at % _BLOCKS_PER_STEP == 0:
            yield None
    enough = min(_MIN_BLOCKS, _MIN_SHARE * len(blocks))
    return tuple(each for each, count in counts.most_common() if each and each not in known and count >= enough)


def _judge_language(text: str) -> str:
    """Return the language of a text; empty if the evidence is contradictory."""
    language = guess_language(text)
    return language if language in (guess_script_language(text), detect_language(text)) else ""


def _join_into_blocks(texts: Sequence[str]) -> Iterator[str]:
    block: list[str] = []
    characters = 0
    for text in texts:
        block.append(text)
        characters += len(text)
        if characters >= _BLOCK_CHARACTERS:
            yield " ".join(block)
            block, characters = [], 0
    if block:
        yield " ".join(block)

"""Why two sentences are as alike as they are: their words side by side, what differs, and what the score means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.analysis.differences import differences
from desktop_app.analysis.paraphrases import kind_of
from desktop_app.analysis.word_alignment import best_alignment
from desktop_app.core.badges import badges
from desktop_app.core.jobs import Lane
from desktop_app.core.tokens import WordComparison
from desktop_app.engine.requests import Explanation

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.engine.engine import Engine
    from desktop_app.engine.other_model import OtherModel

MOST_WORDS = 80
"""Words of a sentence that are looked at: more would be seen by nobody."""


class Explaining:
    """What there is to say of two sentences.

    Args:
        engine: runs the jobs.
        ready_encoder: returns the encoder, loading it first if need be; called on the engine's thread.
        open_library: returns the library; called there too.
        percentile: returns the share of random pairs of the library below a cosine, None where nobody knows.
        other_model: holds another one.
    """

    def __init__(
        self,
        engine: Engine,
        ready_encoder: Callable[[], Encoder],
        open_library: Callable[[], Library],
        percentile: Callable[[float], float | None],
        other_model: OtherModel,
    ) -> None:
        self._engine = engine
        self._encoder = ready_encoder
        self._open_library = open_library
        self._percentile = percentile
        self._other_model = other_model

    def explain(
        self, a: str, b: str, cosine: float, *, model: str = "", key: str | None = "explain"
    ) -> Job[Explanation]:
        """Say all of two sentences with that cosine. With a key, the latest wins.

        Args:
            a: the first sentence.
            b: the second one.
            cosine: of both.
            model: name or folder of the one whose cosine it is, of which no percentile is known; empty: the library's.
            key: see above.
        """

        def steps() -> Steps[Explanation]:
            encoder = (yield from self._other_model.ready(model)) if model else self._encoder()
            library = self._open_library()
            only_a, only_b = differences(a, b)
            first, second = (bool(known) for known in encoder.knows([a, b]))
            yield None
            percentile = None if model else self._percentile(cosine)
            yield None
            words = yield from _words(encoder, a, b)
            mark = library.marks.of([(a, b)])[0]
            kind = kind_of(a, b)
            return Explanation(a, b, kind, badges(a, b), only_a, only_b, percentile, (first, second), mark, words)

        return self._engine.submit("explain", steps, lane=Lane.FRONT, key=key)

    def words(self, a: str, b: str) -> Job[WordComparison | None]:
        """Say how the words of two sentences belong together; None where one of them has none."""
        return self._engine.submit("words", lambda: _words(self._encoder(), a, b), lane=Lane.FRONT)


def _words(encoder: Encoder, a: str, b: str) -> Steps[WordComparison | None]:
    seen = []
    for text in (a, b):
        (found,) = encoder.token_vectors([text])
        seen.append(found)
        yield None
    left, right = seen
    if not (left.tokens and right.tokens):
        return None
    similarity = (left.vectors[:MOST_WORDS] @ right.vectors[:MOST_WORDS].T).clip(-1.0, 1.0)
    yield None
    is_cut = max(len(left.tokens), len(right.tokens)) > MOST_WORDS
    alignment = best_alignment(similarity)
    return WordComparison(left.tokens[:MOST_WORDS], right.tokens[:MOST_WORDS], similarity, alignment, is_cut)

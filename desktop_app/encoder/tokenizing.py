"""Maps texts to token ids with the Rust tokenizer.

If the model has a `tokenizer.json`, only `tokenizers` is loaded: it takes hundredths of a second, and the ids do not
depend on the version of transformers. Use a tokenizer from one thread: its truncation is a setting of the object, and
a change of it while another thread encodes makes it panic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from tokenizers import Tokenizer
from tokenizers.normalizers import BertNormalizer, Lowercase, Sequence

from desktop_app.core.errors import ModelMissing
from desktop_app.core.messages import system_text
from desktop_app.encoder.models.model_files import JsonFields, refuse_lfs_pointer
from desktop_app.encoder.quiet_transformers import silence_transformers

if TYPE_CHECKING:
    import collections.abc
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.encoder.checkpoint import Checkpoint

    TokenIds = NDArray[np.int32]

SLICE_TEXTS = 256
SLICE_CHARACTERS = 65_536
"""Texts that are tokenized in one step: about twenty milliseconds."""

PART_TEXTS = 64
"""Texts of a step in a thread for which somebody may wait: about five milliseconds."""

MAX_CHARACTERS = 100_000
"""Only this much of a text is tokenized: no model reads further, and a book must not block a step."""

_SPECIAL_TOKENS = 4  # at most, around a text

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class PairIds:
    """Two texts as one row of tokens: ids and segments (which text a token belongs to), int32 [tokens] each."""

    ids: TokenIds
    segments: TokenIds

    def __len__(self) -> int:
        return len(self.ids)


class TextTokenizer:
    """Maps texts to the model's token ids, with special tokens, cut at the model's length.

    Use it from one thread.

    Attributes:
        pad_id: the id of padding.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._config = JsonFields(checkpoint.body_folder / "tokenizer_config.json")
        self._tokenizer = _load_tokenizer(checkpoint, self._config.values)
        if checkpoint.lower_case and not _has_lowercase_step(self._tokenizer.normalizer):
            old = self._tokenizer.normalizer
            self._tokenizer.normalizer = Lowercase() if old is None else Sequence([Lowercase(), old])
        self.pad_id = self._find_pad_id(checkpoint)
        self._empty_ids = self._find_empty_ids()
        self._tokenizer.no_padding()
        self._max_length = checkpoint.max_length
        self._tokenizer.enable_truncation(self._max_length)
        self._latest: tuple[str, list[int]] | None = None

    def encode(self, texts: collections.abc.Sequence[str], prompt: str = "") -> list[TokenIds]:
        """Return int32 [tokens] for each text, never empty."""
        inputs = [prompt + clean_text(text) for text in texts]
        return [np.asarray(ids or [self.pad_id], dtype=np.int32) for ids in self._ids(inputs)]

    def _ids(self, inputs: list[str]) -> list[list[int]]:
        """Return the ids of each input. Those of a single input are cached, because a query is tokenized twice."""
        if len(inputs) != 1:
            return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(inputs)]
        latest = self._latest
        if latest is None or latest[0] != inputs[0]:
            latest = self._latest = inputs[0], self._tokenizer.encode_batch_fast(inputs)[0].ids
        return [latest[1]]

    def encode_pairs(self, pairs: collections.abc.Sequence[tuple[str, str]]) -> list[PairIds]:
        """Return both texts of each pair as one row; if a pair is too long, the longer text is cut."""
        return [
            PairIds(np.asarray(encoding.ids, np.int32), np.asarray(encoding.type_ids, np.int32))
            for encoding in self._tokenizer.encode_batch([(clean_text(a), clean_text(b)) for a, b in pairs])
        ]

    def count_truncated_tokens(self, texts: collections.abc.Sequence[str], prompt: str = "") -> list[int]:
        """Return how many tokens of each text are cut off at the model's length.

        Does not count the part of a text after `MAX_CHARACTERS`.
        """
        self._tokenizer.no_truncation()
        try:
            inputs = [prompt + clean_text(text) for text in texts]
            lengths = [len(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(inputs)]
        finally:
            self._tokenizer.enable_truncation(self._max_length)
        return [max(0, length - self._max_length) for length in lengths]

    def knows(self, texts: collections.abc.Sequence[str]) -> list[bool]:
        """Return for each text whether it has a token that is neither special nor that of unknown words."""
        return [not self._empty_ids.issuperset(ids) for ids in self._ids([clean_text(text) for text in texts])]

    def words(self, text: str, prompt: str = "") -> tuple[TokenIds, list[tuple[str, int, int]]]:
        """Return a text's token ids int32 [tokens], and its words: (text, first token, one past the last).

        Special tokens, the prompt and tokens beyond the model's length belong to no word.
        """
        input_text = prompt + clean_text(text)
        encoding = self._tokenizer.encode(input_text)
        found: list[tuple[str, int, int]] = []
        known: tuple[int | None, int, int] | None = None  # word, start and stop in the text
        for at, (word, (start, stop)) in enumerate(zip(encoding.word_ids, encoding.offsets, strict=True)):
            if encoding.special_tokens_mask[at] or stop <= len(prompt) or not input_text[start:stop].strip():
                known = None
            elif known is not None and word is not None and known[0] == word:
                known = (word, known[1], stop)
                found[-1] = (input_text[known[1] : stop].strip(), found[-1][1], at + 1)
            else:
                known = (word, start, stop)
                found.append((input_text[start:stop].strip(), at, at + 1))
        return np.asarray(encoding.ids or [self.pad_id], dtype=np.int32), found

    def prompt_length(self, prompt: str) -> int:
        """Return the number of tokens before an input's own: the prompt's, and a special token at the start."""
        encoding = self._tokenizer.encode(prompt)
        return len(encoding.ids) - int(bool(encoding.special_tokens_mask[-1:] == [1]))

    def largest_id(self) -> int:
        """Return the largest id of a token."""
        size = self._tokenizer.get_vocab_size(with_added_tokens=True)
        added = max(self._tokenizer.get_added_tokens_decoder(), default=0)
        # Without gaps it is the last one; a look at every token takes a tenth of a second.
        if self._tokenizer.id_to_token(size - 1) is None:
            added = max(added, *self._tokenizer.get_vocab(with_added_tokens=True).values())
        return max(size - 1, added, self.pad_id)

    def save(self, file: Path) -> None:
        """Write a `tokenizer.json`.

        Raises:
            OSError: it cannot be written.
        """
        # The library's own `save` raises a plain Exception.
        file.write_bytes(self._tokenizer.to_str(pretty=True).encode())

    def _find_empty_ids(self) -> frozenset[int]:
        """Return the ids without information about a text: special tokens, and the token of unknown words."""
        ids = {number for number, token in self._tokenizer.get_added_tokens_decoder().items() if token.special}
        unknown = _read_special_token(self._config, "unk_token")
        unknown_id = self._tokenizer.token_to_id(unknown) if unknown else None
        return frozenset(ids if unknown_id is None else {*ids, unknown_id})

    def _find_pad_id(self, checkpoint: Checkpoint) -> int:
        special = JsonFields(checkpoint.body_folder / "special_tokens_map.json")
        token = _read_special_token(self._config, "pad_token") or _read_special_token(special, "pad_token")
        found = self._tokenizer.token_to_id(token) if token else None
        if found is None and self._tokenizer.padding:
            found = self._tokenizer.padding["pad_id"]
        return int(found if found is not None else checkpoint.config.get("pad_token_id") or 0)


def _read_special_token(config: JsonFields, name: str) -> str:
    """Return a special token, which is given as a text or with its settings; empty if there is none."""
    is_described = isinstance(config.values.get(name), dict)
    return config.table(name).text("content") if is_described else config.text(name)


def max_token_count(text: str) -> int:
    """Return an upper bound of a text's tokens, including special tokens, without tokenizing.

    A token has at least one character, but a character outside ASCII may become several tokens (bytes, or normalised).
    """
    further_bytes = 0 if text.isascii() else len(text.encode("utf-8", "surrogatepass")) - len(text)
    return len(text) + 3 * further_bytes + _SPECIAL_TOKENS


def clean_text(text: str) -> str:
    """Return `text` with lone surrogates replaced by U+FFFD and pairs joined: the tokenizer takes only valid UTF-8."""
    text = text[:MAX_CHARACTERS]
    if text.isascii() or not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _load_tokenizer(checkpoint: Checkpoint, config: dict[str, Any]) -> Tokenizer:
    file = checkpoint.body_folder / "tokenizer.json"
    try:
        if file.is_file():
            refuse_lfs_pointer(file)
            tokenizer = Tokenizer.from_file(str(file))
            _apply_config(tokenizer, config)
            return tokenizer
        if not checkpoint.tokenizer_files:
            raise ModelMissing("{folder} has no tokenizer", "Copy the model again.", folder=checkpoint.folder)
        with silence_transformers():
            from transformers import AutoTokenizer

            slow = AutoTokenizer.from_pretrained(
                str(checkpoint.body_folder), use_fast=True, local_files_only=True, trust_remote_code=False
            )
        backend: Tokenizer = slow.backend_tokenizer
        return backend
    except ModelMissing:
        raise
    # tokenizers raises plain Exception for a file that it cannot parse.
    except Exception as error:
        raise ModelMissing(
            "The tokenizer of {folder} cannot be loaded ({why})",
            "Copy the model again.",
            folder=checkpoint.folder,
            why=system_text(error),
        ) from error


def _apply_config(tokenizer: Tokenizer, config: dict[str, Any]) -> None:
    """Let tokenizer_config.json override a BERT normaliser, as transformers does.

    Models with contradicting files were trained and published with the interpretation of transformers.
    """
    normalizer = tokenizer.normalizer
    if not isinstance(normalizer, BertNormalizer) or not str(config.get("tokenizer_class", "")).startswith("Bert"):
        return
    for key, attribute in (
        ("do_lower_case", "lowercase"),
        ("tokenize_chinese_chars", "handle_chinese_chars"),
        ("strip_accents", "strip_accents"),
    ):
        if key in config:
            setattr(normalizer, attribute, config[key])
    tokenizer.normalizer = normalizer


def _has_lowercase_step(normalizer: Any) -> bool:
    """Return whether there is a plain Lowercase step, also inside a sequence."""
    if isinstance(normalizer, Sequence):
        return any(isinstance(step, Lowercase) for step in cast("Any", normalizer))  # the stubs know no __iter__
    return isinstance(normalizer, Lowercase)

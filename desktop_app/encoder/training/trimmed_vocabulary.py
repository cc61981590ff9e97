"""Trims the embedding table to the tokens of the training rows while a model is trained.

Words that do not occur have no gradient, and most of a table of 30,000 words do not occur. In a small model that table
has half of all weights: the optimizer, the average and the checkpoints can do without them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from desktop_app.encoder.inference.bert import BertBody
from desktop_app.encoder.tokenizing import PairIds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.encoder.inference.network import Network


class TrimmedVocabulary:
    """Restricts a network to the words of some rows, until `widen`. Bodies other than a `BertBody` keep all words.

    Args:
        network: its embedding table is replaced by a smaller one.
        pad_id: the token of padding; it and the tokens before it keep their ids, because positions may be counted
            from it.
        columns: all rows of tokens that the network will see.
    """

    def __init__(self, network: Network, pad_id: int, columns: Sequence[Sequence[Any]]) -> None:
        self._layer = network.body.embeddings.word_embeddings if isinstance(network.body, BertBody) else None
        if self._layer is None:
            return
        self._whole = self._layer.weight
        occurs = np.zeros(len(self._whole), np.bool_)
        occurs[: pad_id + 1] = True
        for column in columns:
            if column:
                occurs[np.concatenate([_row_ids(row) for row in column])] = True
        self._places = torch.from_numpy(np.flatnonzero(occurs)).to(self._whole.device)
        self._numbers = np.cumsum(occurs, dtype=np.int32) - 1
        self._layer.weight = nn.Parameter(self._whole.detach()[self._places])

    def rows(self, columns: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return rows of tokens with the ids of the smaller table."""
        if self._layer is None:
            return [list(column) for column in columns]
        return [[_replace_ids(row, self._numbers[_row_ids(row)]) for row in column] for column in columns]

    def widen(self) -> None:
        """Restore the whole table, with the trained words updated."""
        if self._layer is not None and self._layer.weight is not self._whole:
            with torch.no_grad():
                self._whole[self._places] = self._layer.weight
            self._layer.weight = self._whole


def _row_ids(row: Any) -> Any:
    return row.ids if isinstance(row, PairIds) else row


def _replace_ids(row: Any, ids: Any) -> Any:
    return replace(row, ids=ids) if isinstance(row, PairIds) else ids

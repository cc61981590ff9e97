"""Models for documents in many languages that the program offers for download, with what is known of them.

Sizes, revisions and checksums are those of huggingface.co. `agreement` is the mean Spearman correlation with people's
ratings on STS17 (Cer et al. 2017, SemEval task 1), over the eight pairs of languages that contain English and that all
models were measured on: `results/MODEL/REVISION/STS17.json` of github.com/embeddings-benchmark/results (MTEB).

Measured likewise, and not offered: multilingual-e5-base (1.1 GB, 0.776), whose cosines lie between 0.7 and 1 by its own
description, so that Kindred's bands of similarity do not fit; LaBSE (1.9 GB, 0.744). bge-m3 has no safetensors, and
gte-multilingual-base needs code of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ModelChoice = Literal["small", "recommended", "large"]


@dataclass(frozen=True, slots=True)
class RecommendedModel:
    """A model that is offered for download.

    Attributes:
        choice: its place among the offered ones.
        name: on the hub.
        revision: the commit that was looked at; its files do not change.
        size_bytes: of the files that are downloaded.
        languages: how many it was trained for.
        licence: its SPDX identifier.
        agreement: with people's ratings, from 0 to 1; see the module's docstring.
        weights_sha256: of `model.safetensors`, where it is publicly known; else empty, and the hub's own is checked.
    """

    choice: ModelChoice
    name: str
    revision: str
    size_bytes: int
    languages: int
    licence: str
    agreement: float
    weights_sha256: str = ""

    @property
    def address(self) -> str:
        """The page from which a person can download the files."""
        return f"https://huggingface.co/{self.name}/tree/{self.revision}"


MULTILINGUAL_MODELS: tuple[RecommendedModel, ...] = (
    RecommendedModel(
        choice="recommended",
        name="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        revision="e8f8c211226b894fcb81acc59f3b34ba3efd5f42",
        size_bytes=484_800_000,
        languages=50,
        licence="Apache-2.0",
        agreement=0.818,
        weights_sha256="eaa086f0ffee582aeb45b36e34cdd1fe2d6de2bef61f8a559a1bbc9bd955917b",
    ),
    RecommendedModel(
        choice="small",
        name="ibm-granite/granite-embedding-107m-multilingual",
        revision="2e65e1acd9584bc89ef7c73510db64f53716c696",
        size_bytes=228_000_000,
        languages=12,
        licence="Apache-2.0",
        agreement=0.652,
    ),
    RecommendedModel(
        choice="large",
        name="sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
        revision="4328cf26390c98c5e3c738b4460a05b95f4911f5",
        size_bytes=1_126_000_000,
        languages=50,
        licence="Apache-2.0",
        agreement=0.825,
    ),
)
"""The recommended one first."""


def find_recommended(name: str) -> RecommendedModel | None:
    """Return the offered model with a name on the hub; None if it is not offered."""
    return next((each for each in MULTILINGUAL_MODELS if each.name == name), None)

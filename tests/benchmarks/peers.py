"""Other ways to embed the same sentences with the same weights, each configured for speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.cpu_cores import default_threads

Embed = Callable[[list[str]], Any]

_BATCH_TEXTS = 16  # OpenVINO's: the fastest of 8, 16, 32, 64 and 128 on two cores


def sentence_transformers(encoder: SiameseEncoder) -> dict[str, Embed]:
    """Return sentence-transformers at its defaults, and in bf16 with batches of 128; it sorts by length itself."""
    from sentence_transformers import SentenceTransformer

    folder, device = encoder.model.folder, encoder.device.device
    default = SentenceTransformer(folder, device=device)
    best = SentenceTransformer(folder, device=device, model_kwargs={"dtype": torch.bfloat16})
    cores = default_threads()

    def at_its_threads(work: Callable[[], Any]) -> Any:
        torch.set_num_threads(cores)
        try:
            return work()
        finally:
            torch.set_num_threads(1)

    return {
        "defaults": lambda texts: at_its_threads(lambda: default.encode(texts, show_progress_bar=False)),
        "bf16 peer": lambda texts: at_its_threads(
            lambda: best.encode(texts, batch_size=128, show_progress_bar=False, convert_to_numpy=False)
        ),
    }


def openvino(encoder: SiameseEncoder) -> Embed | None:
    """Return OpenVINO on the processor: bf16 where supported, its own number of streams, sorted by length.

    Returns None if it is not installed or the encoder does not run on the processor.
    """
    if find_spec("openvino") is None or encoder.device.device != "cpu":
        return None
    import openvino as ov
    from transformers import AutoModel

    class Body(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = AutoModel.from_pretrained(encoder.model.folder).eval()

        def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            hidden = self.body(input_ids=ids, attention_mask=mask).last_hidden_state
            counted = mask[:, :, None].to(hidden.dtype)
            return torch.nn.functional.normalize((hidden * counted).sum(1) / counted.sum(1), dim=-1)

    example = torch.ones(2, 8, dtype=torch.int64)
    model = ov.convert_model(Body(), example_input=(example, example))
    hints = {"INFERENCE_PRECISION_HINT": "bf16", "PERFORMANCE_HINT": "THROUGHPUT"}
    compiled = ov.Core().compile_model(model, "CPU", hints)
    queue = ov.AsyncInferQueue(compiled)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), encoder.dim), np.float32)

        def keep(request: Any, places: NDArray[np.int64]) -> None:
            vectors[places] = request.get_output_tensor(0).data

        queue.set_callback(keep)
        rows = encoder.tokenizer.encode(texts)
        order = np.argsort([-len(row) for row in rows], kind="stable")
        for start in range(0, len(order), _BATCH_TEXTS):
            places = order[start : start + _BATCH_TEXTS]
            ids = np.zeros((len(places), len(rows[places[0]])), np.int64)
            mask = np.zeros_like(ids)
            for at, place in enumerate(places):
                ids[at, : len(rows[place])] = rows[place]
                mask[at, : len(rows[place])] = 1
            queue.start_async((ids, mask), places)
        queue.wait_all()
        return vectors

    return embed

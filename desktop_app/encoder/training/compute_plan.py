"""Where and how a training computes: device, precision, threads and shares of a batch.

What is learnt depends on all of these but the threads, so they are kept in the checkpoints and taken up again.

A reduced precision is taken by itself only where it is quicker and faithful: the gradient of the first batches of the
run, without dropout, has a cosine of at least `MIN_GRADIENT_COSINE` with that of fp32, over all weights, and their loss
differs by no more than `MAX_LOSS_DIFFERENCE` of it. Otherwise a training is in fp32.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.core.messages import remark
from desktop_app.encoder.device import choose_device
from desktop_app.encoder.training.gradients import GradientAccumulator

if TYPE_CHECKING:
    from collections.abc import Generator

    from torch import Tensor

    from desktop_app.core.training import TrainingRequest
    from desktop_app.encoder.data.dataset import DataSet
    from desktop_app.encoder.training.objectives import Objective
    from desktop_app.encoder.training.trained_model import TrainedModel

MIN_GRADIENT_COSINE = 0.99
"""Smallest cosine of a reduced precision's gradient with that of fp32."""

MAX_LOSS_DIFFERENCE = 0.05
"""Largest difference of its loss from that of fp32, as a share of it."""

_CHECKED_BATCHES, _CHECKED_ROWS = 4, 8
_MIN_SPEEDUP = 1.2  # times as fast as fp32: below, the finer numbers are worth more


@dataclass(frozen=True, slots=True)
class ComputePlan:
    """Where and how.

    Attributes:
        device: `cpu`, `cuda` or `mps`.
        precision: of the products: `fp32` or `bf16`; `auto`: not yet known.
        threads: that compute, on a processor.
        shares: of a batch, which they take one after the other.
    """

    device: str
    precision: str
    threads: int
    shares: int

    def resumable_settings(self) -> dict[str, Any]:
        """Return what another run has to take up, plain values."""
        begun = asdict(self)
        del begun["threads"]
        return begun


def choose_compute_plan(request: TrainingRequest, begun: dict[str, Any] | None, told: list[str]) -> ComputePlan:
    """Return where and how a training computes; its precision is `auto` where it is still to be found.

    Args:
        request: what was asked for.
        begun: `resumable_settings` of the run that is gone on with; None: it begins, or nothing is known.
        told: gets what a person should know.

    Raises:
        AppError: the device is not there.
    """
    is_cross = request.settings.architecture == "cross"
    found = choose_device(request.device, "auto", request.threads)
    if is_cross and found.device != "cpu":
        told.append(remark("a cross-encoder is trained on the processor, not on the graphics card"))
        found = choose_device("cpu", "auto", request.threads)
    device, threads = found.device, max(1, found.threads - int(request.gentle))
    if begun is not None:
        precision, shares = str(begun["precision"]), int(begun["shares"])
        if request.precision not in ("auto", "fp16", precision):
            told.append(remark(f"the training goes on in {precision}, as it began"))
        if begun["device"] != device:
            told.append(
                remark(f"the training began on {begun['device']} and goes on on {device}: it ends a little differently")
            )
        return ComputePlan(device, precision, threads, shares)
    if request.precision == "fp16":
        told.append(remark("nothing is trained in fp16, whose small gradients vanish: bf16 or fp32 is taken"))
    precision = "auto" if request.precision == "fp16" else request.precision
    return ComputePlan(device, precision, threads, threads)


def fastest_training_precision(device: str) -> str:
    """Return the precision of the products that suits a device, as far as speed goes."""
    if device == "cpu":
        return fastest_cpu_precision()
    return "fp32" if device == "cuda" and not torch.cuda.is_bf16_supported() else "bf16"


def fastest_cpu_precision() -> str:
    """Return `bf16` where products in it are quicker than in fp32 on this processor, else `fp32`.

    Sums, normalisations, the softmax, weights and the optimizer stay fp32 in either.
    """
    rows, best = torch.rand(512, 384), dict.fromkeys((torch.float32, torch.bfloat16), math.inf)
    weight = torch.rand(1536, 384)
    for _ in range(8):
        for dtype in best:
            x, w = rows.to(dtype), weight.to(dtype)
            started = time.perf_counter()
            F.linear(x, w)
            best[dtype] = min(best[dtype], time.perf_counter() - started)
    return "bf16" if best[torch.float32] > _MIN_SPEEDUP * best[torch.bfloat16] else "fp32"


def verify_training_precision(
    model: TrainedModel, objective: Objective, data: DataSet, seed: int, told: list[str]
) -> Generator[None, None, None]:
    """Have a model compute in fp32 where its own precision is not faithful; see the module. Changes nothing else.

    Args:
        model: as it is before its training.
        objective: that it is trained with.
        data: rows to learn from.
        seed: of the run.
        told: gets what a person should know.
    """
    precision = model.precision
    if precision == "fp32":
        return
    order = np.random.default_rng([seed, 0]).permutation(len(data))[: _CHECKED_BATCHES * _CHECKED_ROWS]
    few = data.take(order)
    columns = yield from model.columns(few)
    was_training = objective.training
    objective.to(model.device).eval()  # a hidden layer's dropout too
    parameters = [*model.network.parameters(), *objective.parameters()]
    found: list[tuple[float, list[Tensor]]] = []
    for each in ("fp32", precision):
        model.precision = each
        gradients = GradientAccumulator(model, objective, few, columns, seed)
        forward = model.forward(seed, drops=False)
        try:
            loss = 0.0
            for number, start in enumerate(range(0, len(few), _CHECKED_ROWS)):
                chosen = np.arange(start, min(start + _CHECKED_ROWS, len(few)), dtype=np.int64)
                loss += gradients.add(forward, chosen, number)
                yield
            found.append((loss, [torch.zeros(1) if p.grad is None else p.grad for p in parameters]))
        finally:
            forward.close()
            for parameter in parameters:
                parameter.grad = None
    objective.train(was_training)
    (expected_loss, expected), (loss, gradient) = found
    cosine = _gradient_cosine(gradient, expected)
    apart = abs(loss - expected_loss) / max(abs(expected_loss), 1e-3)
    if not (cosine >= MIN_GRADIENT_COSINE and apart <= MAX_LOSS_DIFFERENCE):
        model.precision = "fp32"
        told.append(
            remark(
                f"{precision} is quicker here, but not faithful to this model (cosine of gradients {cosine:.3f}): fp32"
            )
        )


def _gradient_cosine(a: list[Tensor], b: list[Tensor]) -> float:
    """Return the cosine of two gradients over all weights; 1 where both are nothing."""
    product = sum(float((x.double() * y.double()).sum()) for x, y in zip(a, b, strict=True))
    lengths = math.prod(math.sqrt(sum(float(x.double().square().sum()) for x in each)) for each in (a, b))
    if lengths == 0.0:
        return float(all(not bool(x.any()) for x in (*a, *b)))
    return product / lengths

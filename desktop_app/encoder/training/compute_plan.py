"""Where and how a training computes: device, precision, threads and shares of a batch.

What is learnt depends on all of these but the threads, so they are kept in the checkpoints and taken up again.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.messages import Message
from desktop_app.encoder.device import choose_device

if TYPE_CHECKING:
    from desktop_app.core.training import TrainingRequest


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


def choose_compute_plan(request: TrainingRequest, begun: dict[str, Any] | None, told: list[Message]) -> ComputePlan:
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
        told.append(
            Message("a cross-encoder is trained on the processor, not on the graphics card", code="cross_on_cpu")
        )
        found = choose_device("cpu", "auto", request.threads)
    device, threads = found.device, max(1, found.threads - int(request.gentle))
    if begun is not None:
        precision, shares = str(begun["precision"]), int(begun["shares"])
        if request.precision not in ("auto", "fp16", precision):
            told.append(
                Message("the training goes on in {precision}, as it began", code="precision_kept", precision=precision)
            )
        if begun["device"] != device:
            told.append(
                Message(
                    "the training began on {device} and goes on on {device_2}: it ends a little differently",
                    code="device_changed",
                    device=begun["device"],
                    device_2=device,
                )
            )
        return ComputePlan(device, precision, threads, shares)
    if request.precision == "fp16":
        told.append(
            Message("nothing is trained in fp16, whose small gradients vanish: bf16 or fp32 is taken", code="no_fp16")
        )
    precision = "auto" if request.precision == "fp16" else request.precision
    return ComputePlan(device, precision, threads, threads)

"""Where and how a training computes: device, precision, threads and shares of a batch.

The result depends on all of these except the threads, so they are saved in checkpoints and restored.
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
        threads: number of computing threads, on a processor.
        shares: of a batch; the threads compute them one after the other.
    """

    device: str
    precision: str
    threads: int
    shares: int

    def resumable_settings(self) -> dict[str, Any]:
        """Return the settings that a resumed run must restore, as plain values."""
        settings = asdict(self)
        del settings["threads"]
        return settings


def choose_compute_plan(
    request: TrainingRequest, resumed: dict[str, Any] | None, messages: list[Message]
) -> ComputePlan:
    """Return where and how a training computes; its precision is `auto` if it is still to be found.

    Args:
        request: of the training.
        resumed: `resumable_settings` of the resumed run; None for a new run, or if nothing is known.
        messages: receives messages for the person.

    Raises:
        AppError: the device is not available.
    """
    is_cross = request.settings.architecture == "cross"
    found = choose_device(request.device, "auto", request.threads)
    if is_cross and found.device != "cpu":
        messages.append(Message("a cross-encoder is trained on the CPU, not on the GPU", code="cross_on_cpu"))
        found = choose_device("cpu", "auto", request.threads)
    device, threads = found.device, max(1, found.threads - int(request.gentle))
    if resumed is not None:
        precision, shares = str(resumed["precision"]), int(resumed["shares"])
        if request.precision not in ("auto", "fp16", precision):
            messages.append(
                Message(
                    "the training continues in {precision}, as it started", code="precision_kept", precision=precision
                )
            )
        if resumed["device"] != device:
            messages.append(
                Message(
                    "resumed on a different device ({device_2} instead of {device}): results may differ slightly",
                    code="device_changed",
                    device=resumed["device"],
                    device_2=device,
                )
            )
        return ComputePlan(device, precision, threads, shares)
    if request.precision == "fp16":
        messages.append(
            Message(
                "training does not use fp16, because small gradients vanish in it: bf16 or fp32 is used", code="no_fp16"
            )
        )
    precision = "auto" if request.precision == "fp16" else request.precision
    return ComputePlan(device, precision, threads, threads)

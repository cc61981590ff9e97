"""The precision chosen for a device and a model: the default, and the one that was measured and saved."""

from __future__ import annotations

import hashlib
import json
import logging
import platform
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.messages import Message, join_messages
from desktop_app.core.private_files import write_private
from desktop_app.encoder.device import choose_precision

if TYPE_CHECKING:
    from desktop_app.core.records import DeviceInfo

CANDIDATES = ("bf16", "fp16")
"""The precisions that are measured against fp32."""

_FORMAT = 1
_MAX_REMEMBERED = 32

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PrecisionChoice:
    """A precision, and the measurements behind the choice.

    Attributes:
        precision: the one to use.
        note: the reason, in words.
        speeds: relative to fp32, by precision; only those that were timed to the end.
        cosines: smallest cosine with fp32, by precision.
    """

    precision: str
    note: Message
    speeds: dict[str, float]
    cosines: dict[str, float]

    def apply_to(self, device: DeviceInfo) -> DeviceInfo:
        """Return `device` with this precision and its reason."""
        return replace(device, precision=self.precision, note=join_messages(device.note, self.note))


def default_precision_choice(device: DeviceInfo) -> PrecisionChoice:
    """Return the choice until the precisions are measured."""
    precision = choose_precision(device.device)
    return PrecisionChoice(
        precision,
        Message(
            "{precision}: faster modes have not been measured yet", code="precision_not_measured", precision=precision
        ),
        {},
        {},
    )


def load_precision_choice(memory: Path | None, fingerprint: str, device: str) -> PrecisionChoice | None:
    """Return the saved choice for a device of this machine, this torch and the model of that fingerprint, or None.

    Args:
        memory: the file of saved choices.
        fingerprint: of the model.
        device: `cpu`, `cuda` or `mps`.
    """
    entry = _read_memory(memory).get(_memory_key(fingerprint, device)) if memory is not None else None
    try:
        choice = PrecisionChoice(**{**entry, "note": Message.from_json(entry["note"])}) if entry else None
    except (TypeError, AttributeError, KeyError):  # written by hand, or by another version
        return None
    return choice if choice is not None and choice.precision in ("fp32", *CANDIDATES) else None


def save_precision_choice(memory: Path, fingerprint: str, choice: PrecisionChoice, device: str) -> None:
    """Add a choice to the saved ones. If the folder cannot be written, only the measurement is lost."""
    entries = _read_memory(memory)
    key = _memory_key(fingerprint, device)
    entries.pop(key, None)
    recent = dict(list(entries.items())[1 - _MAX_REMEMBERED :])
    try:
        write_private(memory, json.dumps({**recent, key: asdict(choice)}, indent=1))
    except OSError:
        log.warning("the measured precision cannot be kept in %s", memory, exc_info=True)


def _memory_key(fingerprint: str, device: str) -> str:
    """Return a hash of all that the choice depends on: the device, torch, the model."""
    import torch

    facts = [_FORMAT, fingerprint, torch.__version__, torch.backends.cpu.get_cpu_capability()]
    facts += _describe_cpu() if device == "cpu" else _describe_gpu(device)
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _describe_gpu(device: str) -> list[str]:
    """Return the properties of a GPU."""
    import torch

    if device == "cuda":
        return [device, str(torch.version.cuda), torch.cuda.get_device_name(), str(torch.cuda.get_device_capability())]
    return [device, platform.mac_ver()[0], *_describe_cpu()]


def _describe_cpu() -> list[str]:
    """Return the properties of the processor: its name, and on Linux its instructions."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return [platform.machine(), platform.processor()]
    facts = ("vendor_id", "cpu family", "model", "model name", "flags", "Features", "CPU implementer", "CPU part")
    first: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() in facts:
            first.setdefault(name.strip(), value.strip())
    return [platform.machine(), *first.values()]


def _read_memory(memory: Path) -> dict[str, Any]:
    try:
        entries = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}

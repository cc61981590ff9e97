"""Which precision is the fastest that is faithful: measured on this machine, with this model, and remembered.

Reduced precision is three times faster than fp32 where a processor multiplies it (AMX, AVX-512-BF16,
AVX-512-FP16) and several times slower where it does not, and no table of processors would last. So fp32, bf16 and
fp16 embed the same sentences in turn. The fastest is taken whose smallest cosine with fp32 is at least
`FAITHFUL`; vectors of such precisions may be mixed in one library. A graphics processor is measured likewise, with
batches that keep it busy.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import sys
import threading
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from desktop_app.core.remarks import remark
from desktop_app.encoder.samples import SENTENCES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from numpy.typing import NDArray

    from desktop_app.core.records import DeviceInfo
    from desktop_app.encoder.inference import Inference
    from desktop_app.encoder.link import Link
    from desktop_app.encoder.siamese import SiameseEncoder
    from desktop_app.encoder.tokenizing import TokenIds

FAITHFUL = 0.9995
"""Smallest cosine with fp32 of a precision that is used."""

_CANDIDATES = ("bf16", "fp16")
_WORTH_IT = 1.1  # times as fast as fp32: less is noise
_MEASURE_S = 1.6  # of computing and laying out weights, in all
_LAID_OUT_PER_S = 2e9  # bytes of weights, at the slowest; until it was measured
_MOMENT_S = 0.005  # that a step waits for what is computed beside
_ROUNDS = 3
_TRIAL_TEXTS = 2  # few, for a processor may take a hundred times as long in a precision that it emulates
_BATCH_TEXTS = 8  # about 130 tokens: a step of some ten milliseconds
_CARD_TEXTS = 512  # about 8,000 tokens: with fewer a card's time is that of the calls
_FORMAT = 1
_MOST_REMEMBERED = 32

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PrecisionChoice:
    """What was measured.

    Attributes:
        precision: the one to use.
        note: why, in words.
        speeds: times as fast as fp32, by precision; of those that were timed to the end.
        cosines: smallest cosine with fp32, by precision.
    """

    precision: str
    note: str
    speeds: dict[str, float]
    cosines: dict[str, float]

    def applied_to(self, device: DeviceInfo) -> DeviceInfo:
        """Return `device` with this precision and its reason."""
        return replace(device, precision=self.precision, note="; ".join(filter(None, (device.note, self.note))))


def not_measured(device: DeviceInfo) -> PrecisionChoice:
    """Return what is computed in until it is measured."""
    from desktop_app.encoder.device import choose_precision

    precision = choose_precision(device.device)
    return PrecisionChoice(precision, remark(f"{precision}: not yet measured what is faster here"), {}, {})


def measure_precision(encoder: SiameseEncoder) -> Generator[None, None, PrecisionChoice]:
    """Time the precisions on the encoder's device, switch it to the best, and remember that.

    On a processor passes and the laying out of weights are done in a thread beside, and every step waits a moment for
    it, so that this can run in the background of an encoder in use; at most 2 s in all. What would not be done by
    then, of a large model, is not begun; where that is everything, nothing changes and nothing is remembered. On a
    graphics processor every step is one pass or the laying out of weights. Stopped early it changes nothing. Use it
    from the encoder's own thread.

    Args:
        encoder: a graphics processor of it that fails meanwhile, or memory that does not suffice, changes nothing: the
            next batch will tell.

    Yields:
        nothing, after each step.

    Returns:
        what was found.
    """
    from desktop_app.encoder.computing import is_out_of_memory

    device = encoder.device.device
    try:
        choice = yield from _measured(encoder)
    except (RuntimeError, MemoryError) as error:
        if device == "cpu" and not is_out_of_memory(error):
            raise
        log.warning("precisions cannot be measured on %s", device, exc_info=True)
        choice = None
    if encoder.device.device != device:  # it failed for another, of which nothing was measured
        return PrecisionChoice(encoder.device.precision, encoder.device.note, {}, {})
    if choice is None:
        encoder.computing.knows_precision = True
        return PrecisionChoice(encoder.device.precision, encoder.device.note, {}, {})
    encoder.set_precision(choice.precision, choice.note)
    encoder.computing.knows_precision = True
    if encoder.memory is not None:
        remember(encoder.memory, encoder.model.fingerprint, choice, device)
    return choice


def _measured(encoder: SiameseEncoder) -> Generator[None, None, PrecisionChoice | None]:
    """Return what was found; None where the model is too large for a processor to try anything in time.

    Raises:
        RuntimeError: the memory does not suffice, or a graphics processor fails: that says nothing of a precision.
        MemoryError: likewise.
    """
    from desktop_app.encoder.computing import is_out_of_memory

    device = encoder.device.device
    batches = _batches(encoder, _BATCH_TEXTS if device == "cpu" else _CARD_TEXTS)
    yield
    clock = _Clock(encoder.computing.link(device))
    contest = {"fp32": (yield from _done(lambda: _build(encoder, "fp32"), device))}
    trial = (-1, batches[0][1][:_TRIAL_TEXTS] if device == "cpu" else batches[0][1])
    expected = yield from _tried(contest["fp32"], trial, clock)
    cosines: dict[str, float] = {}
    is_too_large = False
    has_failed = False
    takes_s = _weights_bytes(encoder) / _LAID_OUT_PER_S + clock.spent_s  # to lay a candidate out and try it
    for precision in _CANDIDATES:
        before_s = clock.spent_s
        # A card's first passes last by the loading of its kernels: they say nothing of the model.
        if device == "cpu" and before_s + takes_s > _MEASURE_S:
            log.info("%s is not tried: that would take %.1f s", precision, takes_s)
            is_too_large = True
            continue
        try:
            contest[precision] = yield from _done(partial(clock.timed, partial(_build, encoder, precision)), device)
            found = yield from _tried(contest[precision], trial, clock)
            takes_s = clock.spent_s - before_s
        except RuntimeError as error:  # an operator that is not there for this precision
            if is_out_of_memory(error):
                raise
            log.info("%s does not compute here", precision, exc_info=True)
            contest.pop(precision, None)
            has_failed = True
            continue
        cosines[precision] = _smallest_cosine(found, expected)
        hopeless = clock.best(precision, -1) > 1.5 * clock.best("fp32", -1)
        if hopeless or not cosines[precision] >= FAITHFUL:
            del contest[precision]
    if has_failed and device != "cpu" and len(contest) == 1:
        # Was it the card? Every card computes in one of them, and one that has failed fails from then on.
        if not cosines:
            raise RuntimeError(f"{device} computes in none of {', '.join(_CANDIDATES)}")
        yield from _tried(contest["fp32"], trial, clock)
    if len(contest) > 1:
        yield from _compare(contest, batches, clock, cosines)
    if is_too_large and not cosines:
        return None
    return _choose(contest, clock, cosines)


def remembered(memory: Path | None, fingerprint: str, device: str) -> PrecisionChoice | None:
    """Return what was measured on a device of this machine, with this torch and the model of that fingerprint, or None.

    Args:
        memory: the file of what was measured.
        fingerprint: of the model.
        device: `cpu`, `cuda` or `mps`.
    """
    entry = _read(memory).get(_key(fingerprint, device)) if memory is not None else None
    try:
        choice = PrecisionChoice(**entry) if entry else None
    except (TypeError, AttributeError):  # written by hand, or by another version
        return None
    return choice if choice is not None and choice.precision in ("fp32", *_CANDIDATES) else None


def remember(memory: Path, fingerprint: str, choice: PrecisionChoice, device: str) -> None:
    """Write a choice beside those that are there. A folder that cannot be written costs a measurement, no more."""
    entries = _read(memory)
    key = _key(fingerprint, device)
    entries.pop(key, None)
    kept = dict(list(entries.items())[1 - _MOST_REMEMBERED :])
    draft = memory.with_name(memory.name + ".new")
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps({**kept, key: asdict(choice)}, indent=1), "utf-8")
        os.replace(draft, memory)
    except OSError:
        log.warning("the measured precision cannot be kept in %s", memory, exc_info=True)


class _Clock:
    """Times passes: the best of several, by precision and batch.

    It counts the processor's time in this thread, which computes a pass alone: another program that is busy just now
    must not decide what is remembered for good. Windows counts that in ticks longer than a pass, so there it is the
    time on the wall, and so it is on a graphics processor, where this thread waits.
    """

    def __init__(self, link: Link) -> None:
        self.spent_s = 0.0  # on the wall
        self.device = link.device
        self._link = link
        waits = link.device != "cpu" or sys.platform == "win32"
        self._now = time.perf_counter if waits else time.thread_time
        self._best: dict[tuple[str, int], float] = {}

    def run(self, inference: Inference, batch: tuple[int, list[TokenIds]]) -> NDArray[np.float32]:
        """Embed a batch (its number, its rows), rows of length 1."""
        import torch

        from desktop_app.encoder.inference import padded

        number, rows = batch
        began, started = time.perf_counter(), self._now()
        with torch.inference_mode():
            ids, mask = padded(rows, 0)
            on_device = None if mask is None else self._link.send(mask)
            made = inference(self._link.send(ids), on_device, 0, normalize=True)
            vectors: NDArray[np.float32] = made.cpu().numpy()
        seconds = self._now() - started
        self.spent_s += time.perf_counter() - began
        key = (inference.precision, number)
        self._best[key] = min(seconds, self._best.get(key, seconds))
        return vectors

    def timed(self, work: Callable[[], T]) -> T:
        """Do something else that takes time."""
        began = time.perf_counter()
        try:
            return work()
        finally:
            self.spent_s += time.perf_counter() - began

    def best(self, precision: str, number: int) -> float:
        """Return the seconds of the quickest pass of a batch."""
        return self._best[precision, number]

    def speed(self, precision: str) -> float:
        """Return how many times as fast as fp32 it was on the batches that both embedded."""
        both = [n for (name, n) in self._best if name == precision and ("fp32", n) in self._best]
        return sum(self.best("fp32", n) for n in both) / sum(self.best(precision, n) for n in both)


def _compare(
    contest: dict[str, Inference],
    batches: list[tuple[int, list[TokenIds]]],
    clock: _Clock,
    cosines: dict[str, float],
) -> Generator[None, None, None]:
    """Embed every batch in every precision in turn, as often as the time allows: a machine's speed drifts."""
    # A batch in every precision; the first time that is told from the trial, on a processor of fewer texts.
    times = _BATCH_TEXTS / _TRIAL_TEXTS if clock.device == "cpu" else 1.0
    takes_s = sum(clock.best(precision, -1) for precision in contest) * times
    for _ in range(_ROUNDS):
        for batch in batches:
            before_s = clock.spent_s
            if before_s + takes_s > _MEASURE_S:
                return
            expected = yield from _done(partial(clock.run, contest["fp32"], batch), clock.device)
            for precision, inference in contest.items():
                if precision != "fp32":
                    found = yield from _done(partial(clock.run, inference, batch), clock.device)
                    cosines[precision] = min(cosines[precision], _smallest_cosine(found, expected))
            takes_s = clock.spent_s - before_s


def _tried(
    inference: Inference, trial: tuple[int, list[TokenIds]], clock: _Clock
) -> Generator[None, None, NDArray[np.float32]]:
    """Embed the trial's few texts three times: the first pass of a shape makes its kernels."""
    for _ in range(3):
        found = yield from _done(partial(clock.run, inference, trial), clock.device)
    return found


def _done(work: Callable[[], T], device: str) -> Generator[None, None, T]:
    """Return what `work` returns: done beside on a processor, and in one step on a graphics processor."""
    if device == "cpu":
        return (yield from _beside(work))
    result = work()
    yield
    return result


def _beside(work: Callable[[], T]) -> Generator[None, None, T]:
    """Return what `work` returns; it runs in a thread, which is waited for also when the steps are closed."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        import torch

        torch.set_num_threads(1)  # a new thread would take all cores
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            errors.append(error)

    thread = threading.Thread(target=run, name="measuring", daemon=True)
    thread.start()
    try:
        while True:
            thread.join(_MOMENT_S)
            yield
            if not thread.is_alive():
                break
    finally:
        thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _weights_bytes(encoder: SiameseEncoder) -> int:
    """Return how large the weights are in fp32."""
    return sum(4 * parameter.numel() for parameter in encoder.network.parameters())


def _choose(contest: dict[str, Inference], clock: _Clock, cosines: dict[str, float]) -> PrecisionChoice:
    speeds = {precision: clock.speed(precision) for precision in cosines}
    faithful = [name for name in contest if name != "fp32" and cosines[name] >= FAITHFUL]
    best = max(faithful, key=lambda name: speeds[name], default="fp32")
    if best == "fp32" or speeds[best] < _WORTH_IT:
        others = [remark(f"{name}: {speeds[name]:.1f} times its speed, cosine {cosines[name]:.4f}") for name in speeds]
        why = remark("fp32: the fastest that is faithful here")
        return PrecisionChoice("fp32", "; ".join([why, *others]), speeds, cosines)
    note = remark(f"{best}: {speeds[best]:.1f} times as fast as fp32 here, cosine {cosines[best]:.4f}")
    return PrecisionChoice(best, note, speeds, cosines)


def _batches(encoder: SiameseEncoder, texts: int) -> list[tuple[int, list[TokenIds]]]:
    """Return numbered batches of the sample, each of texts of about one length, lengths mixed over the batches.

    Where a batch is of more texts than are of one length, it has each several times.
    """
    rows = sorted(encoder.tokenizer.encode(SENTENCES, encoder.checkpoint.prompt("document")), key=len, reverse=True)
    times = max(1, texts // _BATCH_TEXTS)
    parts = [rows[start : start + _BATCH_TEXTS] * times for start in range(0, len(rows), _BATCH_TEXTS)]
    middle = len(parts) // 2
    # The middle first: the trial that dismisses a precision should be of usual texts.
    return list(enumerate(parts[middle:] + parts[:middle]))


def _build(encoder: SiameseEncoder, precision: str) -> Inference:
    from desktop_app.encoder.inference import Inference

    if encoder.computing.inference.precision == precision:
        return encoder.computing.inference
    return Inference(encoder.network, precision, encoder.device.device)


def _smallest_cosine(found: NDArray[np.float32], expected: NDArray[np.float32]) -> float:
    cosines = (found.astype(np.float64) * expected).sum(axis=1)
    return float(cosines.min()) if np.isfinite(cosines).all() else 0.0


def _key(fingerprint: str, device: str) -> str:
    """Return a hash of what the choice depends on: the device, torch, the model."""
    import torch

    facts = [_FORMAT, fingerprint, torch.__version__, torch.backends.cpu.get_cpu_capability()]
    facts += _processor() if device == "cpu" else _card(device)
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _card(device: str) -> list[str]:
    """Return what is known of a graphics processor."""
    import torch

    if device == "cuda":
        return [device, str(torch.version.cuda), torch.cuda.get_device_name(), str(torch.cuda.get_device_capability())]
    return [device, platform.mac_ver()[0], *_processor()]


def _processor() -> list[str]:
    """Return what the system says of its processor: its name, and on Linux its instructions."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return [platform.machine(), platform.processor()]
    told = ("vendor_id", "cpu family", "model", "model name", "flags", "Features", "CPU implementer", "CPU part")
    first: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() in told:
            first.setdefault(name.strip(), value.strip())
    return [platform.machine(), *first.values()]


def _read(memory: Path) -> dict[str, Any]:
    try:
        entries = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}

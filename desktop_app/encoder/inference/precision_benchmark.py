"""Measures which precision is the fastest faithful one on this machine with this model.

Reduced precision is three times faster than fp32 if a processor multiplies it (AMX, AVX-512-BF16, AVX-512-FP16) and
several times slower if it does not, and no table of processors would stay up to date. So fp32, bf16 and fp16 embed the
same sentences in turn. The fastest with a smallest cosine to fp32 of at least `MIN_FAITHFUL_COSINE` is chosen; vectors
of such precisions may be mixed in one library. A GPU is measured in the same way, with batches that keep it busy.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
import torch

from desktop_app.core.messages import NOTHING, Message, join_messages
from desktop_app.encoder.device import is_out_of_memory
from desktop_app.encoder.inference.precision import CANDIDATES, PrecisionChoice, save_precision_choice
from desktop_app.encoder.inference.prepared_model import PreparedModel, pad_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.records import DeviceInfo, ModelInfo
    from desktop_app.encoder.checkpoint import Checkpoint
    from desktop_app.encoder.inference.backend import InferenceBackend
    from desktop_app.encoder.inference.device_stream import DeviceStream
    from desktop_app.encoder.inference.network import Network
    from desktop_app.encoder.tokenizing import TextTokenizer, TokenIds

MIN_FAITHFUL_COSINE = 0.9995
"""Smallest cosine with fp32 of an acceptable precision."""

_MIN_SPEEDUP = 1.1  # factor to fp32: less is noise
_TIME_BUDGET_S = 1.6  # for computing and prepacking weights, in total
_PREPACK_BYTES_PER_S = 2e9  # bytes of weights, a low estimate until it is measured
_SHORT_WAIT_S = 0.005  # for which a step waits for the measuring thread
_ROUNDS = 3
_TRIAL_TEXTS = 2  # few, because an emulated precision may take a hundred times as long
_BATCH_TEXTS = 8  # about 130 tokens: a step of some ten milliseconds
_GPU_BATCH_TEXTS = 512  # about 8,000 tokens: with fewer the calls take most of a GPU's time

T = TypeVar("T")

log = logging.getLogger(__name__)

SAMPLE_SENTENCES = tuple(
    """
The ferry leaves at six.
Why is the sky blue?
No.
She closed the window and went back to her desk.
Total assets rose by 4.2% to EUR 18.6 million in the third quarter of 2019.
The tenant shall give written notice of at least three months before the lease ends.
We propose a method that needs no labelled data and runs on a laptop.
How do I reset the password of an account that I no longer have the e-mail address of?
Simmer the lentils for twenty minutes, then stir in the spinach and a squeeze of lemon.
It had rained all night, and the river stood so high that the lower meadows had become a lake.
Figure 3 shows the error as a function of the number of layers.
"You will not find him here," said the old woman, "for he sailed with the herring fleet on Tuesday."
The committee approved the minutes of the previous meeting.
Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.
My card was charged twice for the same purchase.
The patient reported no pain, but the swelling of the left knee had not gone down.
A theorem of this kind was first proved by Gauss.
Please find attached the revised schedule.
The bridge, built in 1887 of wrought iron, was closed to lorries when cracks were found in two of its girders.
What is the difference between a virus and a bacterium?
Dogs are not allowed on the beach between May and September.
The sample was heated to 350 degrees for two hours and cooled slowly in argon.
Nobody believed her at first.
He plays the violin better than anyone else in the orchestra.
A man is slicing an onion in a kitchen.
Someone cuts vegetables.
The results do not support the hypothesis that sleep alone explains the effect.
Unemployment fell for the fifth month in a row, although fewer people were looking for work.
Turn left after the church and follow the path along the wall until you reach a small green gate.
Interest is calculated daily and paid at the end of each calendar year.
The engine would not start because the battery was flat.
This software is provided as it is, without warranty of any kind.
Can I take a refund instead of a voucher if the concert is cancelled?
The glacier has lost a third of its volume since the first measurements were made.
Let G be a finite group and let H be a subgroup whose index is the smallest prime that divides the order of G.
She had never liked the house.
Children under twelve travel free when they are accompanied by an adult.
The wind tunnel measurements agree with the theory at low angles of attack and depart from it near the stall.
Two chairs, a table and a lamp were all the furniture there was.
The minister denied that the report had been held back.
Add a pinch of salt.
The mean age of the participants was 43.7 years (standard deviation 12.1), and 58 of them were women.
I have been waiting for my new card for over a week.
In the beginning nobody at the company took the idea seriously; ten years later it paid everybody's wages.
The museum is open daily except on Mondays.
Water freezes at zero degrees Celsius.
Ice forms when the temperature of water falls to 0 C.
The contract may be terminated by either party.
An octopus has three hearts and blue blood.
It was the best soup that he had eaten since the war.
The train to Edinburgh was cancelled owing to snow on the line.
Data were collected from 1,204 households by telephone.
The author would like to thank two anonymous reviewers.
After the storm the fishermen mended their nets in silence, each thinking of the boat that had not come home.
Prices include tax.
Which medicines should not be taken together with grapefruit juice?
The new law makes it easier for small firms to employ apprentices.
A neural network with one hidden layer can approximate any continuous function on a compact set.
They quarrelled about money.
The court found that the warning on the label was too small to be read.
Snow lay on the roofs, and smoke rose straight up from every chimney in the village.
The password must have at least twelve characters.
Her grandfather had come from Odessa with nothing but a trunk of books and the address of a cousin.
If the light blinks red, switch the machine off, wait for a minute, and switch it on again.
""".strip().splitlines()
)


class MeasurableEncoder(Protocol):
    """The parts of an encoder that a measurement uses.

    Attributes:
        checkpoint: its prompts are put before the sample.
        tokenizer: of the model.
        memory: file in which the choice is saved; None to save nothing.
    """

    checkpoint: Checkpoint
    tokenizer: TextTokenizer
    memory: Path | None

    @property
    def backend(self) -> InferenceBackend:
        """The network at work on a device."""
        ...

    @property
    def device(self) -> DeviceInfo:
        """Where and how it computes."""
        ...

    @property
    def model(self) -> ModelInfo:
        """Which model it is."""
        ...

    @property
    def network(self) -> Network:
        """The model in fp32 on the processor."""
        ...

    def set_precision(self, precision: str, note: Message = NOTHING) -> None:
        """Compute in another precision from now on."""
        ...


def measure_precision(encoder: MeasurableEncoder) -> Generator[None, None, PrecisionChoice]:
    """Time the precisions on the encoder's device, switch the encoder to the best, and save the choice.

    On a processor another thread runs the passes and prepacks weights, and every step waits a moment for it, so that
    this can run in the background of an encoder in use; at most 2 s in total. Measurements that would take longer, of
    a large model, are skipped; if all are, nothing changes and nothing is saved. On a GPU every step is one pass or
    the preparation of weights. If it is stopped early, it changes nothing. Use it from the encoder's own thread.

    Args:
        encoder: if its GPU fails or memory runs out, nothing changes: the next batch handles that.

    Yields:
        None, after each step.

    Returns:
        the chosen precision and the measurements.
    """
    device = encoder.device.device
    try:
        choice = yield from _measure(encoder)
    except (RuntimeError, MemoryError) as error:
        if device == "cpu" and not is_out_of_memory(error):
            raise
        log.warning("precisions cannot be measured on %s", device, exc_info=True)
        choice = None
    if encoder.device.device != device:  # it failed in another run; nothing is measured of the new one
        return PrecisionChoice(encoder.device.precision, encoder.device.note, {}, {})
    if choice is None:
        encoder.backend.is_precision_known = True
        return PrecisionChoice(encoder.device.precision, encoder.device.note, {}, {})
    encoder.set_precision(choice.precision, choice.note)
    encoder.backend.is_precision_known = True
    if encoder.memory is not None:
        save_precision_choice(encoder.memory, encoder.model.fingerprint, choice, device)
    return choice


def _measure(encoder: MeasurableEncoder) -> Generator[None, None, PrecisionChoice | None]:
    """Return the choice; None if the model is too large to try anything in time on a processor.

    Raises:
        RuntimeError, MemoryError: memory runs out, or a GPU fails: that says nothing about a precision.
    """
    device = encoder.device.device
    batches = _make_batches(encoder, _BATCH_TEXTS if device == "cpu" else _GPU_BATCH_TEXTS)
    yield
    clock = _PassTimer(encoder.backend.stream(device))
    contest = {"fp32": (yield from _run_step(lambda: _prepare_model(encoder, "fp32"), device))}
    trial = (-1, batches[0][1][:_TRIAL_TEXTS] if device == "cpu" else batches[0][1])
    expected = yield from _run_trial(contest["fp32"], trial, clock)
    cosines: dict[str, float] = {}
    is_too_large = False
    has_failed = False
    takes_s = _count_weight_bytes(encoder) / _PREPACK_BYTES_PER_S + clock.spent_s  # to prepack and try a candidate
    for precision in CANDIDATES:
        before_s = clock.spent_s
        # The first passes of a GPU load its kernels: their duration says nothing about the model.
        if device == "cpu" and before_s + takes_s > _TIME_BUDGET_S:
            log.info("%s is not tried: that would take %.1f s", precision, takes_s)
            is_too_large = True
            continue
        try:
            contest[precision] = yield from _run_step(
                partial(clock.timed, partial(_prepare_model, encoder, precision)), device
            )
            found = yield from _run_trial(contest[precision], trial, clock)
            takes_s = clock.spent_s - before_s
        except RuntimeError as error:  # an operator does not exist for this precision
            if is_out_of_memory(error):
                raise
            log.info("%s does not compute here", precision, exc_info=True)
            contest.pop(precision, None)
            has_failed = True
            continue
        cosines[precision] = _min_cosine(found, expected)
        hopeless = clock.best(precision, -1) > 1.5 * clock.best("fp32", -1)
        if hopeless or not cosines[precision] >= MIN_FAITHFUL_COSINE:
            del contest[precision]
    if has_failed and device != "cpu" and len(contest) == 1:
        # Was it the GPU? Every GPU computes in one of them, and a GPU that has failed keeps failing.
        if not cosines:
            raise RuntimeError(f"{device} computes in none of {', '.join(CANDIDATES)}")
        yield from _run_trial(contest["fp32"], trial, clock)
    if len(contest) > 1:
        yield from _time_candidates(contest, batches, clock, cosines)
    if is_too_large and not cosines:
        return None
    return _choose_precision(contest, clock, cosines)


class _PassTimer:
    """Times passes: the best of several, by precision and batch.

    It counts the processor time of this thread, which computes a pass alone: another busy program must not decide the
    saved choice. Windows counts it in ticks longer than a pass, so there, and on a GPU, for which this thread waits,
    it is wall-clock time.
    """

    def __init__(self, stream: DeviceStream) -> None:
        self.spent_s = 0.0  # wall-clock
        self.device = stream.device
        self._stream = stream
        waits = stream.device != "cpu" or sys.platform == "win32"
        self._now = time.perf_counter if waits else time.thread_time
        self._best: dict[tuple[str, int], float] = {}

    def run(self, prepared: PreparedModel, batch: tuple[int, list[TokenIds]]) -> NDArray[np.float32]:
        """Embed and time a batch (its number, its rows); returns rows of length 1."""
        number, rows = batch
        began, started = time.perf_counter(), self._now()
        with torch.inference_mode():
            ids, mask = pad_rows(rows, 0)
            on_device = None if mask is None else self._stream.send(mask)
            made = prepared(self._stream.send(ids), on_device, 0, normalize=True)
            vectors: NDArray[np.float32] = made.cpu().numpy()
        seconds = self._now() - started
        self.spent_s += time.perf_counter() - began
        key = (prepared.precision, number)
        self._best[key] = min(seconds, self._best.get(key, seconds))
        return vectors

    def timed(self, work: Callable[[], T]) -> T:
        """Run other work, and count its time."""
        began = time.perf_counter()
        try:
            return work()
        finally:
            self.spent_s += time.perf_counter() - began

    def best(self, precision: str, number: int) -> float:
        """Return the seconds of the fastest pass of a batch."""
        return self._best[precision, number]

    def speed(self, precision: str) -> float:
        """Return the speed relative to fp32, on the batches that both embedded."""
        both = [n for (name, n) in self._best if name == precision and ("fp32", n) in self._best]
        return sum(self.best("fp32", n) for n in both) / sum(self.best(precision, n) for n in both)


def _time_candidates(
    contest: dict[str, PreparedModel],
    batches: list[tuple[int, list[TokenIds]]],
    clock: _PassTimer,
    cosines: dict[str, float],
) -> Generator[None, None, None]:
    """Embed every batch in every precision in turn, as often as time allows: a machine's speed drifts."""
    # The time of a batch in every precision; at first estimated from the trial, on a processor with fewer texts.
    times = _BATCH_TEXTS / _TRIAL_TEXTS if clock.device == "cpu" else 1.0
    takes_s = sum(clock.best(precision, -1) for precision in contest) * times
    for _ in range(_ROUNDS):
        for batch in batches:
            before_s = clock.spent_s
            if before_s + takes_s > _TIME_BUDGET_S:
                return
            expected = yield from _run_step(partial(clock.run, contest["fp32"], batch), clock.device)
            for precision, prepared in contest.items():
                if precision != "fp32":
                    found = yield from _run_step(partial(clock.run, prepared, batch), clock.device)
                    cosines[precision] = min(cosines[precision], _min_cosine(found, expected))
            takes_s = clock.spent_s - before_s


def _run_trial(
    prepared: PreparedModel, trial: tuple[int, list[TokenIds]], clock: _PassTimer
) -> Generator[None, None, NDArray[np.float32]]:
    """Embed the trial's few texts three times: the first pass of a shape compiles its kernels."""
    for _ in range(3):
        found = yield from _run_step(partial(clock.run, prepared, trial), clock.device)
    return found


def _run_step(work: Callable[[], T], device: str) -> Generator[None, None, T]:
    """Return the result of `work`, which runs in a thread for a processor, and in one step for a GPU."""
    if device == "cpu":
        return (yield from _run_in_thread(work))
    result = work()
    yield
    return result


def _run_in_thread(work: Callable[[], T]) -> Generator[None, None, T]:
    """Return the result of `work`, which runs in a thread. Waits for the thread even if the generator is closed."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        torch.set_num_threads(1)  # a new thread would take all cores
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            errors.append(error)

    thread = threading.Thread(target=run, name="measuring", daemon=True)
    thread.start()
    try:
        while True:
            thread.join(_SHORT_WAIT_S)
            yield
            if not thread.is_alive():
                break
    finally:
        thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _count_weight_bytes(encoder: MeasurableEncoder) -> int:
    """Return the size of the weights in fp32."""
    return sum(4 * parameter.numel() for parameter in encoder.network.parameters())


def _choose_precision(
    contest: dict[str, PreparedModel], clock: _PassTimer, cosines: dict[str, float]
) -> PrecisionChoice:
    speeds = {precision: clock.speed(precision) for precision in cosines}
    faithful = [name for name in contest if name != "fp32" and cosines[name] >= MIN_FAITHFUL_COSINE]
    best = max(faithful, key=lambda name: speeds[name], default="fp32")
    if best == "fp32" or speeds[best] < _MIN_SPEEDUP:
        others = [
            Message(
                "{name}: {speed:.1f} times as fast as fp32, cosine {cosine:.4f}",
                code="precision_slower",
                name=name,
                speed=speeds[name],
                cosine=cosines[name],
            )
            for name in speeds
        ]
        why = Message("fp32: the fastest accurate precision here", code="precision_fp32")
        return PrecisionChoice("fp32", join_messages(why, *others), speeds, cosines)
    note = Message(
        "{best}: {speed:.1f} times as fast as fp32 here, cosine {cosine:.4f}",
        code="precision_measured",
        best=best,
        speed=speeds[best],
        cosine=cosines[best],
    )
    return PrecisionChoice(best, note, speeds, cosines)


def _make_batches(encoder: MeasurableEncoder, texts: int) -> list[tuple[int, list[TokenIds]]]:
    """Return numbered batches of the sample, each with texts of about the same length, lengths mixed over the batches.

    A batch that needs more texts than there are of one length has each several times.
    """
    rows = sorted(
        encoder.tokenizer.encode(SAMPLE_SENTENCES, encoder.checkpoint.prompt("document")), key=len, reverse=True
    )
    times = max(1, texts // _BATCH_TEXTS)
    parts = [rows[start : start + _BATCH_TEXTS] * times for start in range(0, len(rows), _BATCH_TEXTS)]
    middle = len(parts) // 2
    # The middle first: the trial that rejects a precision should have usual texts.
    return list(enumerate(parts[middle:] + parts[:middle]))


def _prepare_model(encoder: MeasurableEncoder, precision: str) -> PreparedModel:
    if encoder.backend.prepared_model.precision == precision:
        return encoder.backend.prepared_model
    return PreparedModel(encoder.network, precision, encoder.device.device)


def _min_cosine(found: NDArray[np.float32], expected: NDArray[np.float32]) -> float:
    cosines = (found.astype(np.float64) * expected).sum(axis=1)
    return float(cosines.min()) if np.isfinite(cosines).all() else 0.0

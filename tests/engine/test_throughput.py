"""The rate of an import, and the time that is left."""

from __future__ import annotations

import pytest

from desktop_app.engine import throughput
from desktop_app.engine.throughput import ThroughputMeter


def test_the_remaining_time_follows_the_share_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(throughput.time, "monotonic", lambda: now[0])
    meter = ThroughputMeter(1000)
    assert meter.remaining_s() is None
    now[0] += 30
    assert meter.remaining_s() is None, "nothing is done yet"
    assert meter.remaining_s(under_way=100) == pytest.approx(270)
    meter.done = 500
    assert meter.remaining_s(under_way=100) == pytest.approx(20)
    meter.expect(200)
    assert meter.remaining_s(under_way=100) == pytest.approx(30)
    assert meter.remaining_s(under_way=5000) == 0


def test_the_slow_first_batches_of_a_short_import_make_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(throughput.time, "monotonic", lambda: now[0])
    meter = ThroughputMeter(1000)
    now[0] += 6
    meter.done = 12
    assert meter.remaining_s() is None, "it would be eight minutes"
    meter.done = 60
    assert meter.remaining_s() == pytest.approx(94)
    meter.done = 12
    now[0] += 14
    assert meter.remaining_s() is not None, "a long import"

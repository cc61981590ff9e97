"""The pass for inference: the same vectors as the module's, on any torch, and always finite."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from desktop_app.core.errors import VectorNotFinite
from desktop_app.encoder import SiameseEncoder, save
from desktop_app.encoder.inference.bert import BertBody
from desktop_app.encoder.inference.linear import PrepackedLinear
from desktop_app.encoder.inference.packed_bert import PackedBert
from tests.encoder.conftest import CONFIG, HIDDEN, as_on_a_gpu
from tests.encoder.test_reference import load_reference, smallest_cosine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def tiny(make_model: Callable[..., Path], **more: Any) -> SiameseEncoder:
    return SiameseEncoder(make_model(**more), device="cpu", precision="fp32")


@pytest.mark.parametrize("lengths", [[7, 7, 7], [9, 4, 1], [1], [8], [13], [40], [40, 2]])
@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16, torch.float16])
def test_it_computes_the_same_as_the_module(
    make_model: Callable[..., Path], lengths: list[int], precision: torch.dtype
) -> None:
    body = tiny(make_model, pooling={}, sentence_config={"max_seq_length": 48, **_POOLER}).network.body
    assert isinstance(body, BertBody)
    ids = torch.randint(1, 2000, (len(lengths), max(lengths)), generator=torch.Generator().manual_seed(3))
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    with torch.inference_mode():
        expected, pooled = body(ids, mask)
        found, found_pooled = PackedBert(body, precision, "cpu")(ids, None if mask.all() else mask)
    tolerance = 2e-5 if precision == torch.float32 else 0.15
    torch.testing.assert_close(found[mask].float(), expected[mask], atol=tolerance, rtol=tolerance)
    assert pooled is not None
    assert found_pooled is not None
    torch.testing.assert_close(found_pooled.float(), pooled, atol=tolerance, rtol=tolerance)
    assert not found[~mask].any()


def test_a_text_without_a_token_does_not_affect_others(make_model: Callable[..., Path]) -> None:
    """A tokenizer without special tokens returns nothing for an empty text."""
    body = tiny(make_model).network.body
    assert isinstance(body, BertBody)
    ids = torch.randint(1, 2000, (3, 9), generator=torch.Generator().manual_seed(3))
    mask = torch.arange(9) < torch.tensor([9, 0, 4])[:, None]
    lean = PackedBert(body, torch.float32, "cpu")
    with torch.inference_mode():
        found, _ = lean(ids, mask)
        others, _ = lean(ids[[0, 2]], mask[[0, 2]])
        nothing, _ = lean(ids, torch.zeros_like(mask))
    assert found.isfinite().all()
    assert nothing.isfinite().all()
    torch.testing.assert_close(found[[0, 2]], others, atol=0, rtol=0)


_POOLER = {
    "modality_config": {"text": {"method": "forward", "method_output_name": "pooler_output"}},
    "module_output_name": "sentence_embedding",
}


def _vanished(*_: Any) -> Any:
    raise AttributeError("'_OpNamespace' 'mkldnn' object has no attribute '_reorder_linear_weight'")


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("way", ["no oneDNN", "operators gone", "operators that mean something else"])
def test_without_the_private_operators_plain_products_are_used(
    monkeypatch: pytest.MonkeyPatch, way: str, precision: torch.dtype
) -> None:
    monkeypatch.setattr("desktop_app.encoder.inference.linear._verified", set())  # others may have tried this shape
    source = torch.Generator().manual_seed(1)
    weight, bias = torch.randn(24, 16, generator=source), torch.randn(24, generator=source)
    x, residual = torch.randn(5, 16, generator=source), torch.randn(5, 24, generator=source)
    if way == "no oneDNN":
        monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    elif way == "operators gone":
        monkeypatch.setattr(torch.ops.mkldnn, "_reorder_linear_weight", _vanished)
    else:
        monkeypatch.setattr(torch.ops.mkldnn, "_reorder_linear_weight", lambda weight, _: weight * 2)
    linear = PrepackedLinear(weight, bias, precision, "cpu")
    assert not linear.is_prepacked
    plain, tolerance = F.linear(x, weight, bias), 1e-5 if precision == torch.float32 else 0.2
    x, residual = x.to(precision), residual.to(precision)
    torch.testing.assert_close(linear(x).float(), plain, atol=tolerance, rtol=0)
    torch.testing.assert_close(linear.gelu(x, "none").float(), F.gelu(plain), atol=tolerance, rtol=0)
    torch.testing.assert_close(linear.add_to(x, residual).float(), plain + residual.float(), atol=tolerance, rtol=0)


def test_vectors_are_the_same_without_the_private_operators(
    encoder: SiameseEncoder, sentences: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.ops.mkldnn, "_reorder_linear_weight", _vanished)
    other = SiameseEncoder(device="cpu", precision="fp32")
    np.testing.assert_allclose(other.encode(sentences[:40]), encoder.encode(sentences[:40]), atol=2e-6)


def test_a_trained_copy_of_the_network_can_be_used(make_model: Callable[..., Path]) -> None:
    encoder = tiny(make_model)
    before = encoder.encode(["a cat"])
    network = copy.deepcopy(encoder.network).requires_grad_(True)
    ids = torch.tensor([[101, 1037, 4937, 102]])
    (network(ids, None) * torch.arange(HIDDEN)).sum().backward()
    assert all(p.grad is not None for n, p in network.body.named_parameters() if "pooler" not in n)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter -= 0.1 * torch.sign(parameter.grad)
        expected = network(ids, None).numpy()
    np.testing.assert_array_equal(encoder.encode(["a cat"]), before)
    assert not np.allclose(expected, before, atol=1e-3)
    encoder.network = network
    encoder.refresh()
    np.testing.assert_allclose(encoder.encode(["a cat"]), expected, atol=1e-5)


def test_scores_beyond_the_powers_of_two_are_computed_by_the_module(
    make_model: Callable[..., Path], sentences: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    encoder = tiny(make_model)
    with torch.no_grad():
        encoder.network.body.encoder["layer"][0].attention["self"]["query"].weight.mul_(300.0)  # type: ignore[index]
    encoder.refresh()
    texts = sentences[:30]
    rows = encoder.tokenizer.encode(texts)
    with torch.inference_mode():
        expected = [encoder.network(torch.from_numpy(row.astype(np.int64))[None], None)[0].numpy() for row in rows]
    np.testing.assert_allclose(encoder.encode(texts), expected, atol=1e-4)
    assert "once more in fp32" in caplog.text
    caplog.clear()  # a warning fails a test


def test_a_vector_that_is_not_finite_is_an_error_with_the_texts_index(
    make_model: Callable[..., Path], caplog: pytest.LogCaptureFixture
) -> None:
    encoder = tiny(make_model)
    with torch.no_grad():
        encoder.network.body.embeddings.word_embeddings.weight[4937] = float("nan")  # "cat"
    encoder.refresh()
    with pytest.raises(VectorNotFinite, match="text 2 ") as caught:
        encoder.encode(["a dog", "some water", "a cat", "the end"])
    assert caught.value.kind == "vector_not_finite"
    assert str(caught.value.hint)
    assert caught.value.text == 2
    assert np.isfinite(encoder.encode(["a dog", "some water"])).all()
    caplog.clear()


def test_a_vector_of_zeros_has_no_direction(make_model: Callable[..., Path]) -> None:
    relu = {"in_features": HIDDEN, "out_features": 8, "activation_function": "torch.nn.modules.activation.ReLU"}
    encoder = SiameseEncoder(make_model(dense=[relu], normalize=False), device="cpu", precision="fp32")
    texts = ["a dog", "some water", "a cat", "the end"]
    raw = encoder.encode(texts, normalize=False)
    with torch.no_grad():
        for name, parameter in encoder.network.head.named_parameters():
            if name.endswith("bias"):
                parameter -= 1.01 * float(raw[1].max()) + 0.01
    encoder.refresh()
    zeros = np.flatnonzero(~encoder.encode(texts, normalize=False).any(axis=1)).tolist()
    assert 1 in zeros, "raw vectors may be zero"
    with pytest.raises(VectorNotFinite, match="its vector is all zeros") as caught:
        encoder.encode(texts)
    assert caught.value.text in zeros
    assert caught.value.is_zero


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_the_forward_pass_of_a_gpu_equals_that_of_the_processor(
    make_model: Callable[..., Path], sentences: list[str], precision: str
) -> None:
    """`cpu:0` takes every branch for other devices than the processor; transfers are real."""
    encoder = SiameseEncoder(make_model(), device="cpu", precision=precision)
    expected = SiameseEncoder(encoder.model.folder, device="cpu", precision="fp32").encode(sentences)
    as_on_a_gpu(encoder)
    found = encoder.encode(sentences)
    assert (found * expected).sum(axis=1).min() >= (0.9999 if precision == "fp32" else 0.99)
    assert encoder.device.device == "cpu:0", "it has not fallen back"
    one = encoder.encode([sentences[0]], kind="query")[0]
    assert float(one @ expected[0]) >= (0.9999 if precision == "fp32" else 0.99)


def test_the_forward_pass_of_a_gpu_accepts_texts_without_a_token(make_model: Callable[..., Path]) -> None:
    body = tiny(make_model).network.body
    assert isinstance(body, BertBody)
    ids = torch.randint(1, 2000, (3, 9), generator=torch.Generator().manual_seed(3))
    mask = torch.arange(9) < torch.tensor([9, 0, 4])[:, None]
    with torch.inference_mode():
        found, _ = PackedBert(body, torch.float32, "cpu:0")(ids, mask)
        expected, _ = PackedBert(body, torch.float32, "cpu")(ids, mask)
    torch.testing.assert_close(found[mask], expected[mask], atol=1e-4, rtol=1e-4)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no card")
@pytest.mark.parametrize("precision", ["auto", "fp32", "bf16", "fp16"])
def test_a_real_gpu_gives_the_vectors_of_the_processor(
    encoder: SiameseEncoder, sentences: list[str], precision: str
) -> None:
    on_card = SiameseEncoder(device="cuda", precision=precision)
    expected = encoder.encode(sentences)
    found = np.full_like(expected, np.nan)
    for indices, rows in on_card.encode_batches(sentences, batch_tokens=2000, timeout_s=0.01):
        found[indices] = rows
        query = on_card.encode([sentences[3]], kind="query")[0]
        assert float(query @ expected[3]) >= 0.999
    assert (found * expected).sum(axis=1).min() >= (0.9999 if precision == "fp32" else 0.999)
    assert on_card.device.device == "cuda"


def _write(folder: Path, family: str) -> None:
    from transformers import DistilBertConfig, DistilBertModel, RobertaConfig, RobertaModel

    torch.manual_seed(5)
    if family == "distilbert":
        model: Any = DistilBertModel(
            DistilBertConfig(
                vocab_size=CONFIG["vocab_size"],
                dim=HIDDEN,
                n_layers=2,
                n_heads=4,
                hidden_dim=40,
                max_position_embeddings=60,
            )
        )
    else:
        model = RobertaModel(
            RobertaConfig(
                vocab_size=CONFIG["vocab_size"],
                hidden_size=HIDDEN,
                num_hidden_layers=2,
                num_attention_heads=4,
                intermediate_size=40,
                max_position_embeddings=60,
                type_vocab_size=1,
                pad_token_id=0,
                layer_norm_eps=1e-5,
            )
        )
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embeddings.weight" in name:
                parameter.normal_(0.0, 1.0)
            elif parameter.dim() == 2:
                parameter.normal_(0.0, 0.3)
            elif name.endswith("bias"):
                parameter.normal_(0.0, 0.1)
    model.save_pretrained(folder)


@pytest.mark.parametrize("family", ["roberta", "distilbert"])
def test_relatives_of_bert_are_computed_here_too(
    make_model: Callable[..., Path], sentences: list[str], tmp_path: Path, family: str
) -> None:
    folder = make_model()
    _write(folder, family)
    texts = [*sentences, "padding [PAD] inside [PAD] a text"]
    encoder = SiameseEncoder(folder, device="cpu")
    assert isinstance(encoder.network.body, BertBody)
    theirs = load_reference(folder).encode(texts)
    assert smallest_cosine(encoder.encode(texts), theirs) >= 0.9999
    save(encoder, tmp_path / "saved")
    assert smallest_cosine(load_reference(tmp_path / "saved").encode(texts), theirs) >= 0.9999
    np.testing.assert_allclose(SiameseEncoder(tmp_path / "saved").encode(texts), encoder.encode(texts), atol=1e-6)

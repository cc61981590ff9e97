"""Encoders of every family, with their kinds of tokenizers: vectors equal those of sentence-transformers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from desktop_app.core.labelled_data import DataFile
from desktop_app.core.training import StepReport, TrainingRequest
from desktop_app.core.training_settings import PRESETS, TrainingSettings
from desktop_app.encoder import SiameseEncoder, save
from desktop_app.encoder.classification_head import load_head
from desktop_app.encoder.training.tasks import train
from tests.encoder.conftest import HIDDEN, as_on_a_gpu, write
from tests.encoder.test_reference import load_reference, smallest_cosine
from tests.encoder.test_training import finish

WORDS = 400
SIZES = {
    "hidden_size": HIDDEN,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "vocab_size": WORDS,
    "max_position_embeddings": 64,
}
DISTIL = {"dim": HIDDEN, "n_layers": 2, "n_heads": 4, "hidden_dim": 48, "vocab_size": WORDS}
MODERN = {"global_attn_every_n_layers": 2, "local_attention": 16, "reference_compile": False}
BERT_TOKENS = ("[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]")
ROBERTA_TOKENS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")


def word_pieces(texts: list[str]) -> Tokenizer:
    """Like BERT's."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=WORDS, special_tokens=list(BERT_TOKENS)))
    made.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 0))
    return made


def byte_pairs(texts: list[str]) -> Tokenizer:
    """Like RoBERTa's and ModernBERT's."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=WORDS,
            special_tokens=list(ROBERTA_TOKENS),
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return made


def unigrams(texts: list[str]) -> Tokenizer:
    """Like XLM-R's."""
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.train_from_iterator(
        texts,
        trainers.UnigramTrainer(vocab_size=WORDS, special_tokens=list(ROBERTA_TOKENS), unk_token="<unk>"),
    )
    made.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return made


FAMILIES: dict[str, tuple[str, dict[str, Any], Callable[[list[str]], Tokenizer], tuple[str, ...]]] = {
    "bert": ("Bert", SIZES, word_pieces, BERT_TOKENS),
    "minilm": ("Bert", {**SIZES, "hidden_size": 36, "num_attention_heads": 12}, word_pieces, BERT_TOKENS),
    "distilbert": ("DistilBert", {**DISTIL, "max_position_embeddings": 64}, word_pieces, BERT_TOKENS),
    "roberta": ("Roberta", {**SIZES, "max_position_embeddings": 66}, byte_pairs, ROBERTA_TOKENS),
    "xlm-roberta": ("XLMRoberta", {**SIZES, "max_position_embeddings": 66}, unigrams, ROBERTA_TOKENS),
    "mpnet": ("MPNet", {**SIZES, "max_position_embeddings": 66}, word_pieces, BERT_TOKENS),
    "modernbert": ("ModernBert", {**SIZES, **MODERN}, byte_pairs, ROBERTA_TOKENS),
}


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest, sentences: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with random weights, written by transformers. Its folder is only read."""
    import transformers

    name, config, make_tokenizer, (cls, pad, sep, unk, mask) = FAMILIES[request.param]
    folder = tmp_path_factory.mktemp("family") / request.param
    torch.manual_seed(5)
    more = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "cls_token_id": 0, "sep_token_id": 2}
    model = getattr(transformers, f"{name}Model")(getattr(transformers, f"{name}Config")(**config, **more))
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.data.normal_(0.0, 0.3)
    model.eval().save_pretrained(folder)
    tokens = {"cls_token": cls, "pad_token": pad, "sep_token": sep, "unk_token": unk, "mask_token": mask}
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=make_tokenizer(sentences), model_max_length=64, **tokens
    )
    tokenizer.save_pretrained(folder)
    return folder


def test_a_plain_folder(family: Path, sentences: list[str]) -> None:
    ours, reference = SiameseEncoder(family, device="cpu", precision="fp32"), load_reference(family)
    vectors, theirs = ours.encode(sentences, normalize=False), reference.encode(sentences)
    assert smallest_cosine(vectors, theirs) >= 0.9999
    np.testing.assert_allclose(vectors, theirs, rtol=1e-3, atol=1e-4)
    assert ours.model.max_length == reference.max_seq_length
    as_on_a_gpu(ours)
    assert smallest_cosine(ours.encode(sentences, normalize=False), vectors) >= 0.9999
    assert ours.device.device == "cpu:0"
    unit = ours.encode(["the cat", "a theorem of 1984", "quiet water"])
    assert np.abs(unit @ unit.T - np.eye(3)).max() < 0.999  # otherwise equal cosines would prove nothing


def test_prompts_length_and_pooling(family: Path, sentences: list[str], tmp_path: Path) -> None:
    family = shutil.copytree(family, tmp_path / "changed")
    config = json.loads((family / "config.json").read_text("utf-8"))
    dim = config.get("hidden_size") or config["dim"]
    write(family / "sentence_bert_config.json", {"max_seq_length": 20, "do_lower_case": False})
    write(family / "1_Pooling" / "config.json", {"word_embedding_dimension": dim, "pooling_mode_max_tokens": True})
    prompts = {"query": "query: ", "passage": "passage: "}
    write(family / "config_sentence_transformers.json", {"prompts": prompts})
    parts = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
    write(
        family / "modules.json",
        [
            {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{name}"}
            for i, (path, name) in enumerate(parts)
        ],
    )
    ours, reference = SiameseEncoder(family, device="cpu", precision="fp32"), load_reference(family)
    for kind, theirs in (
        ("query", reference.encode(sentences, prompt_name="query")),
        ("document", reference.encode(sentences, prompt_name="passage")),
    ):
        assert smallest_cosine(ours.encode(sentences, kind=kind), theirs) >= 0.9999
    save(ours, tmp_path / "saved")
    again = SiameseEncoder(tmp_path / "saved", device="cpu", precision="fp32")
    np.testing.assert_allclose(again.encode(sentences), ours.encode(sentences), atol=1e-5)


@pytest.mark.parametrize("family", ["distilbert"], indirect=True)
def test_the_published_series_runs_on_a_plain_distilbert(family: Path, tmp_path: Path, sentences: list[str]) -> None:
    file = tmp_path / "pairs.tsv"
    rows = [f"the cat {n}\tthe {'old ' if n % 2 else 'theatre in '}winter {n}\t{n % 2}" for n in range(20)]
    file.write_text("question1\tquestion2\tis_duplicate\n" + "\n".join(rows), "utf-8")
    presets = [PRESETS[f"binary-{number}"] for number in (1, 2, 3)]
    found = {}
    for number, preset in enumerate([*presets, replace(presets[0], pooling="mean-padded")]):
        output = tmp_path / f"made-{number}"
        settings = replace(preset, epochs=1, batch_size=8)
        asked = TrainingRequest(
            (DataFile(str(file)),), str(output), settings, str(family), device="cpu", precision="fp32", threads=1
        )
        _, report = finish(train(asked))
        assert (report.threshold, report.validation_rows) == (0.5, 4)
        saved = SiameseEncoder(output, device="cpu", precision="fp32")
        assert (saved.model.pooling, saved.model.max_length) == (settings.pooling, 32)
        head = load_head(output)
        assert head is not None
        assert head.spec.kind == settings.head
        found[settings.pooling] = saved.encode(["the cat", "a theorem of 1984"])
        assert np.isfinite(found[settings.pooling]).all()
    assert not np.allclose(found["mean"], found["mean-padded"], atol=1e-2)
    for number in (0, 1):  # mean and cls: sentence-transformers knows them too
        theirs = load_reference(tmp_path / f"made-{number}").encode(sentences, normalize_embeddings=True)
        ours = SiameseEncoder(tmp_path / f"made-{number}", device="cpu", precision="fp32").encode(sentences)
        assert smallest_cosine(ours, theirs) >= 0.9999


@pytest.mark.parametrize("family", ["mpnet"], indirect=True)
def test_a_body_of_transformers_is_resumed_with_the_same_dropout(family: Path, tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    rows = [f"the cat {n}\tthe {'old ' if n % 2 else 'theatre in '}winter {n}\t{n % 2}" for n in range(16)]
    file.write_text("question1\tquestion2\tis_duplicate\n" + "\n".join(rows), "utf-8")
    settings = TrainingSettings("binary", head="cosine", learning_rate=1e-3, epochs=2, batch_size=4, validation=0.25)
    found = {}
    for name in ("whole", "stopped"):
        output = tmp_path / name
        asked = TrainingRequest(
            (DataFile(str(file)),), str(output), settings, str(family), device="cpu", precision="fp32", threads=1
        )
        if name == "stopped":
            steps = train(asked)
            while not (isinstance(each := next(steps), StepReport) and each.step == 2):
                pass
            steps.close()
        _, report = finish(train(replace(asked, resume=True)))
        assert report.resumed_at == (2 if name == "stopped" else 0)
        found[name] = SiameseEncoder(output, device="cpu", precision="fp32").encode(["the cat", "winter of 1984"])
    assert np.array_equal(found["whole"], found["stopped"])

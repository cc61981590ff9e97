"""Reads, checks and fingerprints a model folder in the sentence-transformers format, without torch.

`modules.json` lists the parts of a model in order, each with a folder: a Transformer (`config.json`, weights,
tokenizer, `sentence_bert_config.json`), a Pooling, then any number of Dense and Normalize. A folder without
`modules.json` is a plain transformers model and gets mean pooling. Only safetensors are read (a pickle can run
anything when it is opened). Code in a model's folder never runs, and nothing is downloaded.

This module only reads JSON and hashes files, so that `info` and the check of a library's model are quick;
`network.py` builds the model.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from desktop_app.core.errors import ModelMissing, UsageError
from desktop_app.core.records import ModelInfo
from desktop_app.encoder.models.bundled import name_model
from desktop_app.encoder.models.model_card import read_card_languages
from desktop_app.encoder.models.model_files import (
    JsonFields,
    file_sha256,
    is_file,
    read_json_list,
    refuse_lfs_pointer,
    shorten_for_error,
)
from desktop_app.encoder.models.variants import read_variant, variant_base_folder

if TYPE_CHECKING:
    from desktop_app.core.models import ModelChanges

SUPPORTED_POOLING = ("attention", "cls", "max", "mean", "mean-padded", "mean_sqrt_len_tokens", "pooler")

# The flags of 1_Pooling/config.json, in the order in which sentence-transformers puts several side by side.
_POOLING_FLAGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
# Activations of torch.nn that need no arguments; a class by any other name would be a model's own code.
ACTIVATIONS = frozenset(
    {"ELU", "GELU", "Identity", "LeakyReLU", "LogSigmoid", "Mish", "ReLU", "ReLU6", "SELU", "SiLU"}
    | {"Sigmoid", "Softplus", "Softsign", "Tanh"}
)
_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "sentencepiece.bpe.model",
    "spiece.model",
)
# Keys of config.json that describe the origin of a model, not its computation.
_COSMETIC_KEYS = frozenset({"_name_or_path", "architectures", "dtype", "torch_dtype", "transformers_version"})
# Their position table starts after the padding token's id, so the table is longer than the longest text.
_OFFSET_POSITIONS = frozenset({"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "mpnet", "longformer"})

# The sizes in a body's configuration, and the largest value that is accepted.
_SIZE_LIMITS = dict.fromkeys(("num_hidden_layers", "n_layers", "num_attention_heads", "n_heads"), 1000) | dict.fromkeys(
    ("hidden_size", "dim", "intermediate_size", "hidden_dim", "vocab_size"), 10_000_000
)
MIN_VARIANT_TOKENS = 8
_MAX_PROMPT_CHARACTERS = 1000
_MIN_LENGTH = 3  # one word between the two special tokens of every text


@dataclass(frozen=True, slots=True)
class DenseSpec:
    """A linear layer after the pooling, with the name of its activation in `torch.nn`."""

    folder: Path
    in_features: int
    out_features: int
    bias: bool
    activation: str
    residual: bool


HeadStep = DenseSpec | Literal["normalize"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The contents of a model's folder.

    Attributes:
        name: shown to people.
        folder: the model's folder.
        body_folder: the folder of the transformer, its tokenizer and its length; usually `folder` itself.
        config: the transformer's `config.json`.
        pooling_modes: pooling strategies, side by side in the vector.
        include_prompt: whether the prompt's tokens count in the pooling.
        head: the steps after the pooling, in order.
        hidden: length of a token's vector.
        dim: length of the model's vector.
        max_length: tokens at which a text is cut, including special tokens.
        lower_case: lower-case texts before the tokenizer's own rules.
        prompts: texts put before the input, by name.
        default_prompt: name of the prompt for inputs without one of their own.
        weights: the body's safetensors files.
        attention: the file with the weights of `attention` pooling; None if it is not trained yet.
        variant_folder: the folder with a person's own prompts and length; None if there are none.
    """

    name: str
    folder: Path
    body_folder: Path
    config: dict[str, Any]
    pooling_modes: tuple[str, ...]
    include_prompt: bool
    head: tuple[HeadStep, ...]
    hidden: int
    dim: int
    max_length: int
    lower_case: bool
    prompts: dict[str, str]
    default_prompt: str | None
    weights: tuple[Path, ...]
    attention: Path | None = None
    variant_folder: Path | None = None

    @property
    def load_folder(self) -> Path:
        """The folder from which it can be loaded again."""
        return self.variant_folder or self.folder

    @property
    def position_limit(self) -> int:
        """The number of tokens in its position table; its own limit may be lower."""
        config = JsonFields(self.body_folder / "config.json", self.config)
        return max(self.max_length, _count_positions(config) or 8192)

    @property
    def normalised(self) -> bool:
        """Whether the model itself returns unit vectors."""
        return bool(self.head) and self.head[-1] == "normalize"

    @property
    def is_cross(self) -> bool:
        """Whether it is a cross-encoder: both sentences in one pass, to one answer."""
        names = JsonFields(self.body_folder / "config.json", self.config).texts("architectures")
        return any(name.endswith("ForSequenceClassification") for name in names)

    @property
    def tokenizer_files(self) -> tuple[Path, ...]:
        """The tokenizer's files that exist."""
        return tuple(p for name in _TOKENIZER_FILES if is_file(p := self.body_folder / name))

    def prompt(self, kind: str) -> str:
        """Return the text to put before an input of `kind`; empty for none.

        Like `encode_query` and `encode_document` of sentence-transformers: the prompt of that name, if the
        model has one (an empty one means none), else the model's default prompt.

        Args:
            kind: `query` or `document`; `document` is also called `passage` or `corpus` by some models.
        """
        for name in {"query": ("query",), "document": ("document", "passage", "corpus")}[kind]:
            if name in self.prompts:
                return self.prompts[name]
        return self.prompts.get(self.default_prompt or "", "")

    def fingerprint(self) -> str:
        """Return a hash of everything that decides the vectors: SHA-256, hexadecimal.

        It covers weights, tokenizer, the body's configuration, pooling, head, length, normalisation and prompts, but
        not the folder's name or times. Equal fingerprints mean equal vectors up to the precision of the computation.
        """
        facts = {
            "format": 1,
            "config": {key: value for key, value in self.config.items() if key not in _COSMETIC_KEYS},
            "weights": [file_sha256(path) for path in self.weights],
            "tokenizer": {path.name: file_sha256(path) for path in self.tokenizer_files},
            "pooling": [*self.pooling_modes, self.include_prompt],
            "head": [step if step == "normalize" else _fingerprint_dense(step) for step in self.head],
            "max_length": self.max_length,
            "lower_case": self.lower_case,
            "prompts": [self.prompt("query"), self.prompt("document")],
        }
        if self.attention is not None:  # no key without it: stored fingerprints stay valid
            facts["attention"] = file_sha256(self.attention)
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def info(self) -> ModelInfo:
        """Return the model's identity."""
        return ModelInfo(
            name=self.variant_folder.name if self.variant_folder is not None else self.name,
            fingerprint=self.fingerprint(),
            dim=self.dim,
            max_length=self.max_length,
            pooling="+".join(self.pooling_modes),
            normalised=self.normalised,
            folder=str(self.load_folder),
            languages=read_card_languages(self.folder),
            is_cross=self.is_cross,
            query_prompt=self.prompt("query"),
            passage_prompt=self.prompt("document"),
        )


def read_model_info(folder: str | Path) -> ModelInfo:
    """Return the identity of the model in `folder` without importing torch or transformers.

    Raises:
        ModelMissing: it is not a model that is loaded.
    """
    return read_checkpoint(folder).info()


def fingerprint(folder: str | Path, pooling: str | None = None) -> str:
    """Return the fingerprint of the model in `folder`; see `Checkpoint.fingerprint`.

    Raises:
        ModelMissing: it is not a model that is loaded.
    """
    return read_checkpoint(folder, pooling).fingerprint()


def read_checkpoint(folder: str | Path, pooling: str | None = None) -> Checkpoint:
    """Read a model's folder. Refuse folders that would not give the model's own vectors.

    Args:
        folder: in the sentence-transformers format, or a plain transformers model.
        pooling: another pooling than the model's own: `mean`, `mean-padded`, `cls`, `max`, `attention` or `pooler`.

    Raises:
        ModelMissing: files are missing, damaged, or of a kind that is not loaded.
    """
    folder = Path(folder)
    if (found := read_variant(folder)) is not None:
        base, changes = found
        return _apply_variant(read_checkpoint(variant_base_folder(base), pooling), folder, changes)
    if not folder.is_dir():
        raise ModelMissing(
            "There is no model folder {folder}", "Add a model with: models add FOLDER_OR_NAME.", folder=folder
        )
    modules = _list_modules(folder)
    body_folder = modules[0][1]
    if is_file(body_folder / "adapter_config.json"):
        raise ModelMissing(
            "{folder} is an adapter to another model", "Merge it into its model, and use the result.", folder=folder
        )
    if not is_file(body_folder / "config.json"):
        raise ModelMissing(
            "No model in {folder} (config.json not found)", "Select the folder of a model.", folder=folder
        )
    config = JsonFields(body_folder / "config.json")
    sentence_config = JsonFields(body_folder / "sentence_bert_config.json")
    prompts_config = JsonFields(folder / "config_sentence_transformers.json")
    _refuse_unknown_features(folder, sentence_config)
    _refuse_impossible_sizes(config)

    hidden = _read_hidden_size(folder, config)
    modes, include_prompt, head = _read_pooling_and_head(folder, modules[1:], sentence_config)
    own_modes, modes = modes, modes if pooling is None else (pooling,)
    attention = _find_attention_file(modules) if "attention" in own_modes and "attention" in modes else None
    for mode in modes:
        if mode not in SUPPORTED_POOLING:
            raise ModelMissing(
                "The pooling {mode!r} of {folder} is not supported",
                "Supported: {supported_pooling}.",
                mode=shorten_for_error(mode),
                folder=folder,
                supported_pooling=", ".join(SUPPORTED_POOLING),
            )
    dim = hidden * len(modes)
    for step in head:
        if isinstance(step, DenseSpec):
            if step.in_features != dim:
                raise ModelMissing(
                    "{folder} takes {in_features} numbers, but the previous part gives {dim}",
                    "Use the model's own pooling, or another model.",
                    folder=step.folder,
                    in_features=step.in_features,
                    dim=dim,
                )
            dim = step.out_features
    return Checkpoint(
        name=name_model(folder),
        folder=folder,
        body_folder=body_folder,
        config=config.values,
        pooling_modes=modes,
        include_prompt=include_prompt,
        head=head,
        hidden=hidden,
        dim=dim,
        max_length=_read_max_length(folder, sentence_config, JsonFields(body_folder / "tokenizer_config.json"), config),
        lower_case=sentence_config.flag("do_lower_case"),
        prompts=prompts_config.table("prompts").texts_by_name(),
        default_prompt=prompts_config.text("default_prompt_name") or None,
        weights=_find_weight_files(body_folder),
        attention=attention,
    )


def _apply_variant(checkpoint: Checkpoint, folder: Path, changes: ModelChanges) -> Checkpoint:
    """Return a checkpoint with the changes that a person set in `folder`.

    Raises:
        UsageError: the changes do not suit the model.
    """
    prompts = {**checkpoint.prompts}
    for name, prompt in (("query", changes.query_prompt), ("document", changes.passage_prompt)):
        if prompt is None:
            continue
        if checkpoint.is_cross and prompt:
            raise UsageError(
                "{name} is a cross-encoder, which does not use prompts", "Omit the prompts.", name=checkpoint.name
            )
        if len(prompt) > _MAX_PROMPT_CHARACTERS:
            raise UsageError(
                "A prompt has at most {max_prompt_characters} characters",
                "Use a shorter one.",
                max_prompt_characters=_MAX_PROMPT_CHARACTERS,
            )
        prompts[name] = prompt
    length, longest = changes.max_length, checkpoint.position_limit
    if length is not None and not MIN_VARIANT_TOKENS <= length <= longest:
        raise UsageError(
            "{name} supports {min_variant_tokens} to {longest} tokens, not {length}",
            "Choose a length in this range.",
            name=checkpoint.name,
            min_variant_tokens=MIN_VARIANT_TOKENS,
            longest=longest,
            length=length,
        )
    return replace(checkpoint, prompts=prompts, max_length=length or checkpoint.max_length, variant_folder=folder)


def _list_modules(folder: Path) -> list[tuple[str, Path]]:
    """Return (class name, folder) of the model's parts, the transformer first."""
    file = folder / "modules.json"
    if not file.is_file():
        return [("Transformer", folder)]
    parts: list[tuple[str, Path]] = []
    try:
        for entry in sorted(read_json_list(file), key=lambda entry: int(entry["idx"])):
            package, _, name = str(entry["type"]).rpartition(".")
            place = (folder / str(entry["path"])).resolve()
            if package.partition(".")[0] != "sentence_transformers" or not place.is_relative_to(folder.resolve()):
                raise ModelMissing(
                    "{folder} needs its own code ({type}), which is never run",
                    "Use another model.",
                    folder=folder,
                    type=shorten_for_error(str(entry["type"])),
                )
            parts.append((name, folder if place == folder.resolve() else place))
    except (KeyError, TypeError, ValueError, OSError, OverflowError) as error:
        raise ModelMissing(
            "{file} cannot be read ({why})", "Copy the model again.", file=file, why=shorten_for_error(repr(error))
        ) from error
    if not parts or parts[0][0] != "Transformer":
        raise ModelMissing("{folder} does not start with a transformer", "Use another model.", folder=folder)
    return parts


def _read_pooling_and_head(
    folder: Path, modules: list[tuple[str, Path]], sentence_config: JsonFields
) -> tuple[tuple[str, ...], bool, tuple[HeadStep, ...]]:
    """Return (pooling modes, whether the prompt is pooled too, head)."""
    text_output = sentence_config.table("modality_config").table("text").texts("method_output_name")
    modes: tuple[str, ...] = ("pooler",) if text_output == ["pooler_output"] else ()
    include_prompt, head = True, list[HeadStep]()
    for name, place in modules:
        if name == "Pooling" and not modes and not head:
            config = JsonFields(place / "config.json")
            modes, include_prompt = _read_pooling_modes(config), config.flag("include_prompt", otherwise=True)
        elif name == "Dense":
            head.append(_read_dense(place))
        elif name == "Normalize":
            head.append("normalize")
        else:
            raise ModelMissing(
                "{folder} has a part that is not supported here: {name}",
                "Parts may be Transformer, one Pooling, Dense and Normalize, in this order.",
                folder=folder,
                name=shorten_for_error(name),
            )
    if not modes and (folder / "modules.json").is_file():
        raise ModelMissing(
            "{folder} has no pooling, so it gives no sentence vectors", "Use another model.", folder=folder
        )
    return modes or ("mean",), include_prompt, tuple(head)


def _read_pooling_modes(config: JsonFields) -> tuple[str, ...]:
    named = tuple(config.texts("pooling_mode"))
    return named or tuple(mode for flag, mode in _POOLING_FLAGS.items() if config.flag(flag)) or ("mean",)


def _find_attention_file(modules: list[tuple[str, Path]]) -> Path:
    """Return the weights of a model's own attention pooling."""
    place = next(place for name, place in modules if name == "Pooling")
    file = place / "model.safetensors"
    if not is_file(file):
        raise _missing_weights_error(place)
    refuse_lfs_pointer(file)
    return file


def _read_dense(place: Path) -> DenseSpec:
    config = JsonFields(place / "config.json")
    if not is_file(place / "model.safetensors"):
        raise _missing_weights_error(place)
    refuse_lfs_pointer(place / "model.safetensors")
    if config.text("module_input_name", "sentence_embedding") != "sentence_embedding":
        raise ModelMissing("{place} works on single tokens, which is not supported", "Use another model.", place=place)
    activation = config.text("activation_function", "torch.nn.modules.activation.Tanh")
    if not activation.startswith("torch.nn.") or activation.rpartition(".")[2] not in ACTIVATIONS:
        raise ModelMissing(
            "{place} needs the activation {activation}, which is not supported",
            "Use another model.",
            place=place,
            activation=shorten_for_error(activation),
        )
    takes, gives = config.number("in_features") or 0, config.number("out_features") or 0
    if takes < 1 or gives < 1:
        raise ModelMissing(
            "{place} does not state the length of its vectors", "Copy the model again.", place=place / "config.json"
        )
    return DenseSpec(
        folder=place,
        in_features=takes,
        out_features=gives,
        bias=config.flag("bias", otherwise=True),
        activation=activation.rpartition(".")[2],
        residual=config.flag("use_residual"),
    )


def _fingerprint_dense(dense: DenseSpec) -> list[Any]:
    return [dense.activation, dense.residual, file_sha256(dense.folder / "model.safetensors")]


def _refuse_unknown_features(folder: Path, sentence_config: JsonFields) -> None:
    """Refuse features of newer sentence-transformers that are not supported: vectors would silently differ."""
    ways = sentence_config.table("modality_config")
    odd = [key for key in ("query_length", "document_length", "query_expansion") if sentence_config.values.get(key)]
    if sentence_config.text("transformer_task", "feature-extraction") != "feature-extraction":
        odd.append("transformer_task")
    if "message" in ways.values:
        odd.append("chat template")
    if sentence_config.table("processing_kwargs").values.keys() & {"text", "common"}:
        odd.append("processing_kwargs")
    if odd:
        raise ModelMissing(
            "{folder} needs features that are not supported: {odd}",
            "Use another model.",
            folder=folder,
            odd=", ".join(odd),
        )


def _refuse_impossible_sizes(config: JsonFields) -> None:
    """Refuse impossible sizes: torch would try to build such a network."""
    config.text("model_type")
    config.number("pad_token_id")
    for name, most in _SIZE_LIMITS.items():
        size = config.number(name)
        if size is not None and not 1 <= size <= most:
            raise ModelMissing(
                "{file} has an impossible value of {name}: {size}",
                "Copy the model again.",
                file=config.file,
                size=size,
                name=name,
            )


def _read_hidden_size(folder: Path, config: JsonFields) -> int:
    for key in ("hidden_size", "dim", "d_model", "n_embd"):
        if (size := config.number(key)) is not None and size > 0:
            return size
    raise ModelMissing(
        "The config.json of {folder} does not state the length of a vector", "Use another model.", folder=folder
    )


def _read_max_length(
    folder: Path, sentence_config: JsonFields, tokenizer_config: JsonFields, config: JsonFields
) -> int:
    """Return the model's own limit, at most the size of its position table."""
    limit = sentence_config.number("max_seq_length") or tokenizer_config.number("model_max_length") or 512
    length = min(limit, _count_positions(config) or 8192)
    if length < _MIN_LENGTH:
        raise ModelMissing(
            "{folder} states a maximum length of {length} tokens",
            "Copy the model again.",
            folder=folder,
            length=length,
        )
    return length


def _count_positions(config: JsonFields) -> int:
    """Return the number of tokens in the position table; 0 if there is none."""
    positions = config.number("max_position_embeddings") or 0
    if positions > 0 and config.text("model_type") in _OFFSET_POSITIONS:
        padding = config.number("pad_token_id")
        return positions - (1 if padding is None else padding) - 1
    return max(0, positions)


def _find_weight_files(folder: Path) -> tuple[Path, ...]:
    if is_file(folder / "model.safetensors"):
        refuse_lfs_pointer(folder / "model.safetensors")
        return (folder / "model.safetensors",)
    index = folder / "model.safetensors.index.json"
    if not is_file(index):
        raise _missing_weights_error(folder)
    names = sorted(set(JsonFields(index).table("weight_map").texts_by_name().values()))
    files = tuple(folder / name for name in names)
    missing = [name for name, file in zip(names, files, strict=True) if Path(name).name != name or not is_file(file)]
    if missing or not files:
        raise ModelMissing(
            "Weights of {folder} are missing: {missing}",
            "Copy it again.",
            folder=folder,
            missing=shorten_for_error(", ".join(missing)) or index.name,
        )
    for file in files:
        refuse_lfs_pointer(file)
    return files


def _missing_weights_error(folder: Path) -> ModelMissing:
    if any(folder.glob("*.bin")) or any(folder.glob("*.pt")) or any(folder.glob("*.ckpt")):
        return ModelMissing(
            "The weights of {folder} are a pickle, which can run any program when it is opened",
            "Use the model's safetensors version, or convert it if you trust it.",
            folder=folder,
        )
    return ModelMissing("No model in {folder} (model.safetensors not found)", "Copy the model again.", folder=folder)

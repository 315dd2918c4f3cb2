"""Models of transformers with an example of their inputs."""

from __future__ import annotations

import argparse
import pathlib
from typing import Any

import torch
import transformers

from .._torch.module import Example
from .errors import CommandError

_BATCH, _LENGTH = 1, 128


def make_example(name: str, values: dict[str, Any], options: argparse.Namespace) -> Example:
    """The model `name` with `values` in its configuration, and inputs for it."""
    # Its progress bars are not those of the command.
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    try:
        config = _load_config(name, values)
        module = _make_module(name, config, options)
    except CommandError:
        raise
    except (OSError, ValueError, KeyError, RuntimeError, TypeError) as error:
        reason = str(error).strip().partition("\n\n")[0]
        raise CommandError(f"expects a model that transformers can make, but got {name}: {reason}") from error
    inputs = _make_inputs(module, options.batch or _BATCH, options.length or _LENGTH)
    sizes = {0: "batch", 1: "length"}
    asked = {dim: size for dim, size in sizes.items() if size in (options.dynamic or ())}
    dynamic = {key: asked for key in inputs} if asked else None
    if asked and "input_ids" not in inputs:
        raise CommandError(f"expects --dynamic for models of tokens, but {name} takes {', '.join(inputs)}")
    return Example(module, inputs, dynamic)


def _load_config(name: str, values: dict[str, Any]) -> Any:
    path = pathlib.Path(name)
    if path.suffix == ".json":
        config = transformers.AutoConfig.from_pretrained(path.parent, _configuration_file=path.name)
    elif name in transformers.CONFIG_MAPPING and not path.exists():
        config = transformers.AutoConfig.for_model(name)
    else:
        config = transformers.AutoConfig.from_pretrained(name)
    for key, value in values.items():
        if not hasattr(config, key):
            raise CommandError(f"expects values of the configuration of {name}, but it has no '{key}'")
        setattr(config, key, value)
    # A cache would be a result of the function.
    if hasattr(config, "use_cache"):
        config.use_cache = False
    return config


def _make_module(name: str, config: Any, options: argparse.Namespace) -> torch.nn.Module:
    kind = getattr(transformers, options.model_class or "AutoModel", None)
    if kind is None:
        raise CommandError(f"expects a class of transformers, but it has no '{options.model_class}'")
    attention = {"attn_implementation": options.attention} if options.attention else {}
    if options.pretrained:
        return kind.from_pretrained(name, config=config, **attention)
    make = getattr(kind, "from_config", None) or getattr(kind, "_from_config")
    return make(config, **attention)


def _make_inputs(module: Any, batch: int, length: int) -> dict[str, torch.Tensor]:
    config, name = module.config, module.main_input_name
    if name == "pixel_values":
        size = config.image_size if isinstance(config.image_size, (tuple, list)) else (config.image_size,) * 2
        return {name: torch.randn(batch, config.num_channels, *size)}
    text = config.get_text_config()
    tokens = torch.randint(text.vocab_size, (batch, length))
    if name == "input_features":
        frames = 2 * config.max_source_positions
        return {name: torch.randn(batch, config.num_mel_bins, frames), "decoder_input_ids": tokens}
    if name != "input_ids":
        raise CommandError(f"expects a model of tokens, images or sound, but got inputs '{name}'; make it by a function")
    limit = getattr(text, "max_position_embeddings", None)
    if limit is not None and length > limit:
        raise CommandError(f"expects at most {limit} tokens of the model, but got --length {length}")
    inputs = {name: tokens, "attention_mask": torch.ones_like(tokens)}
    return inputs | {"decoder_input_ids": tokens} if config.is_encoder_decoder else inputs

"""page_blocks.py PAGE TEST FOLDER: runs the blocks that PAGE says are run by TEST, as they are and in order. Those of Python
have small models and tensors as what the text speaks of; those of commands are compared with what these print in FOLDER."""

import os
import pathlib
import sys

import torch
import transformers
from torch_mlir import fx, ir

sys.path.append(str(pathlib.Path(__file__).parents[2] / "House" / "Inputs"))
import check_book

SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 100}


def bert(name="bert"):
    return transformers.BertModel(transformers.BertConfig(**SIZES, max_position_embeddings=128)).eval()


def decoder():
    sizes = SIZES | {"num_key_value_heads": 1, "max_position_embeddings": 1024, "pad_token_id": 0}
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes)).eval()


class Step(torch.nn.Module):
    """Writes a row of a cache."""

    def forward(self, token, pos, cache):
        return cache.index_copy_(0, pos, token)[:2] + 1


def attention():
    q, k, v = (torch.randn(1, 8, 64, 16) for _ in range(3))
    return {"q": q, "k": k, "v": v, "slopes": torch.rand(8), "ids": torch.arange(64, dtype=torch.int32) // 20}


def step():
    return {"torch": torch, "fx": fx, "ir": ir, "step": Step(), "token": torch.ones(1, 4), "pos": torch.tensor([3]), "cache": torch.zeros(8, 4)}


def bert_of_hub():
    transformers.BertModel.from_pretrained = bert
    return {}


def static_cache():
    # Of the 1024 positions of the cache, the words after the prompt have four.
    return {"model": decoder(), "prompt": torch.randint(1, 100, (1, 1020))}


# What there is before each block of a page.
GIVEN = {
    "README.md": [attention, step],
    "python/README.md": [bert_of_hub, static_cache, lambda: {"model": bert()}, dict, lambda: {"model": decoder()}],
}

page, test, folder = sys.argv[1:]
root = pathlib.Path(__file__).parents[3]
for entry in root.iterdir():
    os.symlink(entry, pathlib.Path(folder) / entry.name)
# The Python of commands is this one.
os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
torch.manual_seed(0)
names, given = {}, iter(GIVEN[page])
for number, language, text, _, what in check_book.blocks(root / page):
    if what != test:
        continue
    if language == "python":
        names |= next(given)()
        exec(compile("\n" * number + text, page, "exec"), names)
        print(f"{page}:{number}: runs")
    else:
        for command, expected in check_book.commands(text):
            output, succeeded = check_book.run(command, folder)
            missing = check_book.compare(expected, output)
            print(f"{page}: '{command}'", "prints that" if succeeded and missing is None else f"does not print '{missing}', but {output}")

"""Generation on one cache: a function for the prompt and one for each token after it, which update the cache in place."""

import stof
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
WORDS, FEATURES, HEADS, LAYERS, MOST = 500, 64, 4, 2, 128


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(FEATURES) for _ in range(2))
        self.project, self.join = nn.Linear(FEATURES, 3 * FEATURES), nn.Linear(FEATURES, FEATURES)
        self.widen, self.narrow = nn.Linear(FEATURES, 4 * FEATURES), nn.Linear(4 * FEATURES, FEATURES)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(1, HEADS, MOST, FEATURES // HEADS))

    def forward(self, x, positions):
        heads = self.project(self.norms[0](x)).unflatten(-1, (3 * HEADS, -1)).transpose(1, 2)
        query, key, value = heads.chunk(3, 1)
        self.keys.index_copy_(2, positions, key)
        self.values.index_copy_(2, positions, value)
        # What the cache has behind the positions is not seen.
        seen = torch.arange(MOST, device=x.device) <= positions[:, None]
        out = F.scaled_dot_product_attention(query, self.keys, self.values, attn_mask=seen)
        x = x + self.join(out.transpose(1, 2).flatten(2))
        return x + self.narrow(F.gelu(self.widen(self.norms[1](x))))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, FEATURES), nn.Embedding(MOST, FEATURES)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, words, positions):
        x = self.words(words) + self.places(positions)
        for layer in self.layers:
            x = layer(x, positions)
        return (x[:, -1] @ self.words.weight.mT).argmax(-1, keepdim=True)


def generate(prefill, decode, prompt, count):
    """`count` words after the prompt."""
    length = prompt.shape[1]
    word = prefill(prompt, torch.arange(length, device=device))
    words = [word]
    for position in range(length, length + count - 1):
        word = decode(word, torch.tensor([position], device=device))
        words.append(word)
    return torch.cat(words, 1)


model = Decoder().eval().to(device)
prompt = torch.randint(0, WORDS, (1, 12), device=device)
positions = torch.arange(12, device=device)

# Prompts of any length, and single words after them.
functions = stof.compile_functions(
    {
        "prefill": stof.Example(model, (prompt, positions), dynamic={"words": {1: "length"}, "positions": {0: "length"}}),
        "decode": stof.Example(model, (prompt[:, :1], positions[:1])),
    }
)
decode = functions["decode"]
updated = [result for result in decode.function.results if result.aliases]
print(f"{len(updated)} tensors are updated in place: {updated[0]}, ...")

with torch.no_grad():
    for length in (12, 30):
        prompt = torch.randint(0, WORDS, (1, length), device=device)
        expected = generate(model, model, prompt, 20)
        words = generate(functions["prefill"], decode, prompt, 20)
        print(f"{length} words and 20 more: the same as eager:", torch.equal(words, expected))

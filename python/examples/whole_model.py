"""A whole model of torch, compiled for inference: what it takes, where its masks are from, and that it computes the same."""

import stof
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
WORDS, FEATURES, MOST = 1000, 64, 256


class Classifier(nn.Module):
    """A transformer on sentences of several lengths."""

    def __init__(self):
        super().__init__()
        self.words, self.positions = nn.Embedding(WORDS, FEATURES), nn.Embedding(MOST, FEATURES)
        layer = nn.TransformerEncoderLayer(FEATURES, nhead=4, dim_feedforward=128, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.head = nn.Linear(FEATURES, 3)

    def forward(self, words, lengths):
        positions = torch.arange(words.shape[1], device=words.device)
        is_padding = positions >= lengths[:, None]
        hidden = self.layers(self.words(words) + self.positions(positions), src_key_padding_mask=is_padding)
        return self.head(hidden[:, 0]).softmax(-1)


model = Classifier().eval().to(device)
words = torch.randint(0, WORDS, (2, 40), device=device)
lengths = torch.tensor([40, 25], device=device)

# Sizes of one name are equal. Without `dynamic`, the package is for the sizes of the example.
compiled = stof.compile(
    model, (words, lengths), dynamic={"words": {0: "batch", 1: torch.export.Dim("length", max=MOST)}, "lengths": {0: "batch"}}
)
print(compiled)
print(compiled.report)

with torch.no_grad():
    for batch, length in ((2, 40), (5, 7), (1, 256)):
        words = torch.randint(0, WORDS, (batch, length), device=device)
        lengths = torch.randint(1, length + 1, (batch,), device=device)
        difference = (compiled(words, lengths) - model(words, lengths)).abs().max()
        print(f"{batch} x {length}: difference below 1e-5:", bool(difference < 1e-5))

    # Weights are read where the model has them.
    model.head.bias.add_(1)
    print("after a change:", bool((compiled(words, lengths) - model(words, lengths)).abs().max() < 1e-5))

# The data of a call is checked, too.
try:
    compiled(words + WORDS, lengths)
    compiled.function.synchronize()
except stof.CheckError as error:
    print(error)

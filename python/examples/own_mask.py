"""A mask and a score of one's own: functions of batch, head, query and key on torch tensors, as for FlexAttention."""

import stof
import torch
from stof.masks import Mask, causal
from stof.scores import Score

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
BATCH, HEADS, WIDTH, HEIGHT, FEATURES = 2, 4, 24, 20, 64
LENGTH = WIDTH * HEIGHT
query, key, value = (torch.randn(BATCH, HEADS, LENGTH, FEATURES, device=device) for _ in range(3))


# Pixels of an image see those within 3 rows and columns. Python's numbers are compiled into the mask.
def near(b, h, q, k):
    rows = (q // WIDTH - k // WIDTH).abs()
    columns = (q % WIDTH - k % WIDTH).abs()
    return (rows <= 3) & (columns <= 3)


# Tensors are read when the mask runs: other numbers, of other lengths too, are not compiled anew.
tags = torch.randint(0, 3, (BATCH, LENGTH), dtype=torch.int32, device=device)


def same_tag(b, h, q, k):
    return tags[b, q] == tags[b, k]


# A bias for each distance, which is learnt for each head.
distances = torch.randn(HEADS, 2 * LENGTH, device=device)


def biased(s, b, h, q, k):
    return s + distances[h, q - k + LENGTH]


# A mask is traced when it is made. Masks are combined, with those of stof.masks as well.
mask = Mask(near) & ~causal() | Mask(same_tag) & causal()
out = stof.attention(query, key, value, mask=mask, score=Score(biased))

# By definition: the same functions on all positions at once.
b, h, q, k = (
    torch.arange(size, device=device).view([-1 if axis == dim else 1 for axis in range(4)])
    for dim, size in enumerate((BATCH, HEADS, LENGTH, LENGTH))
)
scores = biased(query.double() @ key.double().mT / FEATURES**0.5, b, h, q, k)
kept = near(b, h, q, k) & (k > q) | same_tag(b, h, q, k) & (k <= q)
expected = scores.masked_fill(~kept, -float("inf")).softmax(-1) @ value.double()
print("difference below 1e-5:", bool((out - expected).abs().max() < 1e-5))

# What is proven of a mask decides what it costs.
print(Mask(near).explain(LENGTH, heads=HEADS, target="sm_90a"))

# Errors say what a function must not do.
try:
    Mask(lambda b, h, q, k: q >= k and q - k < 8)
except stof.ArgumentError as error:
    print(error)

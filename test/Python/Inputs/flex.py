"""FlexAttention's own masks and scores, as its users write them, traced as they are and compared with it in float64."""

import sys

import stof
import torch
from torch.nn.attention.flex_attention import and_masks, create_block_mask, flex_attention, or_masks

BATCH, HEADS, LENGTH, FEATURES = 2, 4, 96, 16
torch.manual_seed(0)
query, key, value = (torch.randn(BATCH, HEADS, LENGTH, FEATURES) for _ in range(3))
document_id = torch.arange(LENGTH) // 20
batch_document_id = torch.stack([document_id, torch.arange(LENGTH) // 33])
prefix_length = torch.tensor([10, 30])
offset = torch.tensor(3)
table = torch.randn(HEADS, 2 * LENGTH)
slopes = torch.exp2(-torch.arange(1, HEADS + 1) * 8.0 / HEADS)
WIDTH, HEIGHT, KERNEL = 12, 8, 5


def causal_mask(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx


def sliding_window(b, h, q_idx, kv_idx):
    return q_idx - kv_idx <= 7


def prefix_mask(b, h, q_idx, kv_idx):
    return kv_idx < prefix_length[b]


def document_mask(b, h, q_idx, kv_idx):
    return document_id[q_idx] == document_id[kv_idx]


def batch_document_mask(b, h, q_idx, kv_idx):
    return batch_document_id[b, q_idx] == batch_document_id[b][kv_idx]


def offset_mask(b, h, q_idx, kv_idx):
    return q_idx + offset >= kv_idx


def get_x_y(idx):
    return idx // WIDTH, idx % WIDTH


def block_mask_of_rows(b, h, q_idx, kv_idx):
    return torch.div(q_idx, 16, rounding_mode="floor") == kv_idx.div(16, rounding_mode="floor")


def natten_mask(b, h, q_idx, kv_idx):
    q_x, q_y = get_x_y(q_idx)
    kv_x, kv_y = get_x_y(kv_idx)
    kernel_x = q_x.clamp(KERNEL // 2, (HEIGHT - 1) - KERNEL // 2)
    kernel_y = q_y.clamp(KERNEL // 2, (WIDTH - 1) - KERNEL // 2)
    return ((kernel_x - kv_x).abs() <= KERNEL // 2) & ((kernel_y - kv_y).abs() <= KERNEL // 2)


def soft_window_mask(b, h, q_idx, kv_idx):
    return torch.erf((q_idx - kv_idx) / 8.0) > 0.5


def alibi(score, b, h, q_idx, kv_idx):
    return score + slopes[h] * (kv_idx - q_idx)


def computed_alibi(score, b, h, q_idx, kv_idx):
    return score + torch.exp2(-((h + 1) * 8.0 / HEADS)) * (kv_idx - q_idx)


def soft_cap(score, b, h, q_idx, kv_idx):
    score = score / 20
    score = torch.tanh(score)
    return score * 20


def relative(score, b, h, q_idx, kv_idx):
    return score + table[h, q_idx - kv_idx + LENGTH]


def causal_score(score, b, h, q_idx, kv_idx):
    return torch.where(q_idx >= kv_idx, score, -float("inf"))


MASKS = {
    "causal": causal_mask,
    "sliding window": and_masks(causal_mask, sliding_window),
    "prefix LM": or_masks(prefix_mask, causal_mask),
    "documents": and_masks(document_mask, causal_mask),
    "documents of batches": batch_document_mask,
    "offset": offset_mask,
    "blocks": block_mask_of_rows,
    "natten": natten_mask,
    "soft window": soft_window_mask,
}
SCORES = {
    "ALiBi": alibi,
    "computed ALiBi": computed_alibi,
    "soft cap": soft_cap,
    "relative": relative,
    "causal score": causal_score,
}


def compare(name, got, **options):
    """Prints how far `got` is from FlexAttention in float64, in units of 1e-6."""
    expected = flex_attention(query.double(), key.double(), value.double(), **options)
    print(f"{name}: {'exact' if (got - expected).abs().max() < 2e-6 else (got - expected).abs().max().item()}")


def compare_masks():
    for name, mask in MASKS.items():
        block_mask = create_block_mask(mask, BATCH, HEADS, LENGTH, LENGTH, device="cpu", BLOCK_SIZE=32)
        dense = torch.from_numpy(stof.Mask(mask).dense(LENGTH, batch=BATCH, heads=HEADS))
        at = [torch.arange(size) for size in dense.shape]
        grid = [[mask(b, h, at[2][:, None], at[3]).expand(LENGTH, LENGTH) for h in at[1]] for b in at[0]]
        assert torch.equal(dense, torch.stack([torch.stack(heads) for heads in grid])), name
        compare(name, stof.attention(query, key, value, mask=mask), block_mask=block_mask)


def compare_scores():
    for name, score in SCORES.items():
        compare(name, stof.attention(query, key, value, score=score), score_mod=score)
    narrow = [tensor.bfloat16() for tensor in (query, key, value)]
    out = stof.attention(*narrow, score=soft_cap)
    expected = flex_attention(*(tensor.double() for tensor in narrow), score_mod=soft_cap)
    print("bfloat16:", out.dtype, bool((out - expected).abs().max() < 2e-2))


def fails(action):
    try:
        action()
    except stof.ArgumentError as error:
        print(error)
    else:
        print("no error")


def misuse():
    block_mask = create_block_mask(causal_mask, None, None, LENGTH, LENGTH, device="cpu")
    fails(lambda: stof.attention(query.requires_grad_(), key, value))
    fails(lambda: stof.attention(query.detach(), key.transpose(2, 3), value))
    fails(lambda: stof.attention(query.detach(), key.to("meta"), value))
    fails(lambda: stof.attention(query.detach()[:, :, ::2], key, value))
    fails(lambda: stof.attention(query.detach(), key, value, mask=block_mask))
    fails(lambda: stof.attention(query.detach(), key, value, mask=torch.ones(LENGTH, LENGTH, dtype=torch.bool)))
    fails(lambda: stof.Mask(lambda b, h, q, k: torch.cumsum(q, 0) > k))
    fails(lambda: stof.Mask(lambda b, h, q, k: torch.div(q, k, rounding_mode="trunc") > 0))
    fails(lambda: stof.Mask(lambda b, h, q, k: table[h] > k))
    fails(lambda: stof.Mask(lambda b, h, q, k: table[h, :4] > k))
    fails(lambda: stof.Mask(lambda b, h, q, k: table[[h]] > k))
    fails(lambda: stof.Mask(lambda b, h, q, k: torch.abs(table[h]) > 0))
    fails(lambda: stof.Mask(lambda b, h, q, k: table[h] + 1 > 0))
    fails(lambda: stof.Mask(lambda b, h, q, k: table.double()[h, q] > k))


{"masks": compare_masks, "scores": compare_scores, "misuse": misuse}[sys.argv[1]]()

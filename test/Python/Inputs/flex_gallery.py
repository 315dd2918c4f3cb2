"""Masks and scores of attention-gym, the collection of FlexAttention's authors, as they are there except for names and
annotations, compared with FlexAttention in float64. Its paged attention maps keys to pages and back."""

import sys

import stof
import torch
import torch.nn.functional as F
from torch.nn.attention.flex_attention import and_masks, create_block_mask, flex_attention, noop_mask, or_masks

BATCH, HEADS, LENGTH, FEATURES = 2, 4, 96, 16
torch.manual_seed(0)


def causal_mask(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx


def generate_sliding_window(window_size):
    def sliding_window(b, h, q_idx, kv_idx):
        return q_idx - kv_idx <= window_size

    return and_masks(sliding_window, causal_mask)


def batchify_mask_mod(mask_mod, batchify_size):
    def batched_mask_mod(b, h, q_idx, kv_idx):
        q_batch = q_idx // batchify_size
        kv_batch = kv_idx // batchify_size
        same_batch = q_batch == kv_batch
        inner_mask = mask_mod(b, h, q_idx % batchify_size, kv_idx % batchify_size)
        return same_batch & inner_mask

    return batched_mask_mod


def generate_block_diffusion_mask(seq_len, block_size):
    def block_diffusion_mask(b, h, q_idx, kv_idx):
        q_noised = q_idx < seq_len
        kv_noised = kv_idx < seq_len
        q_block = (q_idx % seq_len) // block_size
        kv_block = (kv_idx % seq_len) // block_size
        block_diagonal = (q_block == kv_block) & (q_noised == kv_noised)
        offset_block_causal = (q_block > kv_block) & q_noised & ~kv_noised
        block_causal = (q_block >= kv_block) & ~q_noised & ~kv_noised
        return block_diagonal | offset_block_causal | block_causal

    return block_diffusion_mask


def generate_dilated_sliding_window(window_size, dilation):
    def dilated_sliding_window(b, h, q_idx, kv_idx):
        diff = torch.abs(q_idx - kv_idx)
        in_window = diff <= window_size
        is_dilated = (diff % dilation) == 0
        return in_window & is_dilated

    return dilated_sliding_window


def generate_doc_mask_mod(mask_mod, offsets):
    counts = offsets[1:] - offsets[:-1]
    document_id = torch.repeat_interleave(torch.arange(len(counts), dtype=torch.int32), counts)

    def doc_mask_mod(b, h, q_idx, kv_idx):
        same_doc = document_id[q_idx] == document_id[kv_idx]
        q_logical = q_idx - offsets[document_id[q_idx]]
        kv_logical = kv_idx - offsets[document_id[kv_idx]]
        inner_mask = mask_mod(b, h, q_logical, kv_logical)
        return same_doc & inner_mask

    return doc_mask_mod


def generate_vision_cross_attention_mask_mod(intervals, image_token_length):
    num_images = intervals.shape[0]
    image_boundaries = torch.repeat_interleave(torch.arange(num_images), repeats=image_token_length)

    def vision_cross_attention_mask_mod(b, h, q_idx, kv_idx):
        image_idx = image_boundaries[kv_idx]
        interval = intervals[image_idx]
        return (q_idx >= interval[0]) & (q_idx < interval[1])

    return vision_cross_attention_mask_mod


def generate_global_sliding_window(window_size, is_global):
    def sliding_window(b, h, q_idx, kv_idx):
        return (q_idx - kv_idx).abs() <= window_size

    def global_attention(b, h, q_idx, kv_idx):
        return is_global[q_idx] | is_global[kv_idx]

    return or_masks(sliding_window, global_attention)


def generate_tree_causal_mask_mod(prefix_length, ancestor_matrix):
    num_tree_nodes = ancestor_matrix.shape[0]
    tree_stop = prefix_length + num_tree_nodes

    def tree_causal_mask_mod(b, h, q_idx, kv_idx):
        tree_idx = (kv_idx - prefix_length).clamp(min=0, max=num_tree_nodes - 1)
        tree_visible = (kv_idx >= prefix_length) & (kv_idx < tree_stop)
        return (kv_idx < prefix_length) | (tree_visible & ancestor_matrix[q_idx, tree_idx])

    return tree_causal_mask_mod


def generate_tiled_natten(W, H, K_W, K_H, T_W, T_H):
    def get_x_y_tiled(idx):
        t_id = idx // (T_H * T_W)
        t_y, t_x = t_id // (W // T_W), t_id % (W // T_W)
        t_offset = idx % (T_H * T_W)
        i_y, i_x = t_offset // T_W, t_offset % T_W
        return t_x * T_W + i_x, t_y * T_H + i_y

    def tiled_natten_mask(b, h, q_idx, kv_idx):
        q_x, q_y = get_x_y_tiled(q_idx)
        kv_x, kv_y = get_x_y_tiled(kv_idx)
        kernel_x = q_x.clamp(K_W // 2, (W - 1) - K_W // 2)
        kernel_y = q_y.clamp(K_H // 2, (H - 1) - K_H // 2)
        hori_mask = (kernel_x - kv_x).abs() <= K_W // 2
        vert_mask = (kernel_y - kv_y).abs() <= K_H // 2
        return hori_mask & vert_mask

    return tiled_natten_mask


def deinterleave_bits_32(code):
    code = code & 0x55555555
    code = (code | (code >> 1)) & 0x33333333
    code = (code | (code >> 2)) & 0x0F0F0F0F
    code = (code | (code >> 4)) & 0x00FF00FF
    code = (code | (code >> 8)) & 0x0000FFFF
    return code


def generate_morton_natten(canvas_w, canvas_h, kernel_w, kernel_h):
    def natten_mask_mod(b, h, q_idx, kv_idx):
        q_x, q_y = deinterleave_bits_32(q_idx), deinterleave_bits_32(q_idx >> 1)
        kv_x, kv_y = deinterleave_bits_32(kv_idx), deinterleave_bits_32(kv_idx >> 1)
        kernel_center_x = q_x.clamp(kernel_w // 2, (canvas_w - 1) - kernel_w // 2)
        kernel_center_y = q_y.clamp(kernel_h // 2, (canvas_h - 1) - kernel_h // 2)
        hori_mask = (kernel_center_x - kv_x).abs() <= kernel_w // 2
        vert_mask = (kernel_center_y - kv_y).abs() <= kernel_h // 2
        return hori_mask & vert_mask

    return natten_mask_mod


def generate_shared_prefix_mask_mod(offsets, prefix_document_id):
    counts = offsets[1:] - offsets[:-1]
    document_id = torch.repeat_interleave(torch.arange(len(counts), dtype=torch.int32), counts)

    def shared_prefix_mask_mod(b, h, q_idx, kv_idx):
        q_document = document_id[q_idx]
        q_document_start = offsets[q_document]
        q_prefix_document = prefix_document_id[q_document]
        q_prefix_start = offsets[q_prefix_document]
        q_prefix_end = offsets[q_prefix_document + 1]
        same_document_causal = (kv_idx >= q_document_start) & causal_mask(b, h, q_idx, kv_idx)
        prefix_document = (q_document != q_prefix_document) & (kv_idx >= q_prefix_start) & (kv_idx < q_prefix_end)
        return same_document_causal | prefix_document

    return shared_prefix_mask_mod


def generate_temporal_head_mask_mod(prompt_length, num_frames, token_per_frame, width):
    def get_token_id_in_frame(idx, prompt_length):
        return (idx - prompt_length) % token_per_frame

    def temporal_mask_mod(b, h, q_idx, kv_idx):
        first_row_mask = q_idx < prompt_length
        first_column_mask = kv_idx < prompt_length
        mask_width = (width * token_per_frame) // num_frames
        q_token_id = get_token_id_in_frame(q_idx, prompt_length)
        kv_token_id = get_token_id_in_frame(kv_idx, prompt_length)
        temporal_head_mask = torch.abs(q_token_id - kv_token_id) < mask_width
        return first_column_mask | first_row_mask | temporal_head_mask

    return temporal_mask_mod


def generate_activation_score_mod(activation, offset=1.0):
    def activation_score_mod(score, b, h, q_idx, kv_idx):
        return torch.log(activation(score) + offset)

    return activation_score_mod


def generate_alibi_bias(H):
    def alibi_mod(score, b, h, q_idx, kv_idx):
        scale = torch.exp2(-((h + 1) * 8.0 / H))
        bias = (kv_idx - q_idx) * scale
        return score + bias

    return alibi_mod


def generate_graphormer_edge_bias(edge_bias, path_edge_types, path_lengths):
    max_path_len = path_edge_types.shape[-1]
    position_tables = [edge_bias[:, n] for n in range(max_path_len)]

    def graphormer_edge_bias(score, b, h, q_idx, kv_idx):
        length = path_lengths[b, q_idx, kv_idx]
        total = 0.0
        for n, table in enumerate(position_tables):
            contrib = table[h, path_edge_types[b, q_idx, kv_idx, n]]
            total = total + torch.where(length > n, contrib, 0.0)
        return score + total / torch.clamp(length, min=1)

    return graphormer_edge_bias


class PagedAttention:
    """Pages of keys and values; `physical_to_logical` has the number of a page in each batch, or -1."""

    def __init__(self, page_size, page_table, n_pages):
        self.page_size, self.page_table = page_size, page_table
        self.physical_to_logical = torch.full((BATCH, n_pages), -1)
        for batch, pages in enumerate(page_table):
            self.physical_to_logical[batch, pages] = torch.arange(len(pages))

    def get_mask_mod(self, mask_mod):
        physical_to_logical = self.physical_to_logical

        def new_mask_mod(b, h, q_idx, physical_kv_idx):
            physical_kv_block = physical_kv_idx // self.page_size
            physical_kv_offset = physical_kv_idx % self.page_size
            logical_block_idx = physical_to_logical[b, physical_kv_block]
            logical_kv_idx = logical_block_idx * self.page_size + physical_kv_offset
            return torch.where(logical_block_idx >= 0, mask_mod(b, h, q_idx, logical_kv_idx), False)

        return new_mask_mod

    def get_score_mod(self, score_mod):
        physical_to_logical = self.physical_to_logical

        def new_score_mod(score, b, h, q_idx, physical_kv_idx):
            physical_kv_block = physical_kv_idx // self.page_size
            physical_kv_offset = physical_kv_idx % self.page_size
            logical_block_idx = physical_to_logical[b, physical_kv_block]
            logical_kv_idx = logical_block_idx * self.page_size + physical_kv_offset
            return torch.where(
                logical_block_idx >= 0, score_mod(score, b, h, q_idx, logical_kv_idx), float("-inf")
            )

        return new_score_mod

    def store(self, tensor):
        """The keys or values of batches in the pages, which all batches see."""
        n_pages = self.physical_to_logical.shape[1]
        pages = torch.zeros(HEADS, n_pages, self.page_size, FEATURES)
        for batch, table in enumerate(self.page_table):
            pages[:, table] = tensor[batch].unflatten(1, (-1, self.page_size))
        return pages.flatten(1, 2).expand(BATCH, -1, -1, -1).contiguous()


offsets = torch.tensor([0, 20, 50, 96], dtype=torch.int32)
is_global = torch.zeros(LENGTH, dtype=torch.bool)
is_global[[0, 40]] = True
ancestors = torch.tril(torch.rand(LENGTH, LENGTH) < 0.3).fill_diagonal_(True)

MASKS = {
    "none": noop_mask,
    "causal in batches": batchify_mask_mod(causal_mask, 24),
    "batches": batchify_mask_mod(noop_mask, 24),
    "block diffusion": generate_block_diffusion_mask(48, 8),
    "dilated window": generate_dilated_sliding_window(16, 4),
    "causal documents": generate_doc_mask_mod(causal_mask, offsets),
    "documents with windows": generate_doc_mask_mod(generate_sliding_window(5), offsets),
    "images": generate_vision_cross_attention_mask_mod(torch.tensor([[0, 70], [10, 60], [60, 96]]), LENGTH // 3),
    "global tokens": generate_global_sliding_window(6, is_global),
    "tree": generate_tree_causal_mask_mod(0, ancestors),
    "tiled natten": generate_tiled_natten(12, 8, 5, 3, 4, 4),
    "morton natten": generate_morton_natten(16, 8, 5, 3),
    "shared prefix": generate_shared_prefix_mask_mod(offsets, torch.tensor([0, 0, 2])),
    "temporal head": generate_temporal_head_mask_mod(6, 9, 10, 2),
}
SCORES = {
    "relu": generate_activation_score_mod(torch.relu),
    "gelu": generate_activation_score_mod(F.gelu),
    "gelu by tanh": generate_activation_score_mod(lambda score: F.gelu(score, approximate="tanh")),
    "silu": generate_activation_score_mod(F.silu),
    "leaky relu": generate_activation_score_mod(lambda score: F.leaky_relu(score, 0.1)),
    "softplus": generate_activation_score_mod(F.softplus),
    "sigmoid": generate_activation_score_mod(torch.sigmoid),
    "logarithms": generate_activation_score_mod(lambda score: torch.expm1(score / 4) + torch.log1p(score.abs())),
    "edges of graphs": generate_graphormer_edge_bias(
        torch.randn(HEADS, 3, 5),
        torch.randint(0, 5, (BATCH, LENGTH, LENGTH, 3), dtype=torch.int32),
        torch.randint(0, 4, (BATCH, LENGTH, LENGTH), dtype=torch.int32),
    ),
}


def report(name, got, expected):
    difference = (got - expected).abs().max().item()
    print(f"{name}: {'exact' if difference < 2e-6 else difference}")


def compare_gallery():
    query, key, value = (torch.randn(BATCH, HEADS, LENGTH, FEATURES) for _ in range(3))
    wide = [tensor.double() for tensor in (query, key, value)]
    for name, mask in MASKS.items():
        block_mask = create_block_mask(mask, BATCH, HEADS, LENGTH, LENGTH, device="cpu", BLOCK_SIZE=32)
        report(name, stof.attention(query, key, value, mask=mask), flex_attention(*wide, block_mask=block_mask))
    for name, score in SCORES.items():
        report(name, stof.attention(query, key, value, score=score), flex_attention(*wide, score_mod=score))


def compare_pages():
    """Attention on pages is that on the keys of each batch in order."""
    query, key, value = (torch.randn(BATCH, HEADS, LENGTH, FEATURES) for _ in range(3))
    pages = torch.randperm(2 * LENGTH // 16 + 3)[: 2 * LENGTH // 16]
    paged = PagedAttention(16, pages.view(BATCH, -1), len(pages) + 3)
    wide, stored = [tensor.double() for tensor in (query, key, value)], (paged.store(key), paged.store(value))
    for name, mask in {**MASKS, "causal": causal_mask}.items():
        if name in ("none", "causal", "dilated window", "documents with windows", "global tokens"):
            block_mask = create_block_mask(mask, BATCH, HEADS, LENGTH, LENGTH, device="cpu", BLOCK_SIZE=32)
            got = stof.attention(query, *stored, mask=paged.get_mask_mod(mask))
            report(f"{name} on pages", got, flex_attention(*wide, block_mask=block_mask))
    biased = generate_alibi_bias(HEADS)
    got = stof.attention(query, *stored, score=paged.get_score_mod(biased))
    report("ALiBi on pages", got, flex_attention(*wide, score_mod=biased))


{"gallery": compare_gallery, "pages": compare_pages}[sys.argv[1]]()

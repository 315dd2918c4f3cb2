"""The masks of the attention tests: each as a predicate of the stof dialect and as one on tensors of torch.

A mask is made for `queries` x `keys` positions. `captures` are the tensors that its predicate reads, which a
kernel is given as arguments; `region` is the text of the predicate, in which %q and %k are the coordinates and
the captured tensors have the names that `captures` gives them.
"""

import dataclasses
import math

import torch


@dataclasses.dataclass
class Mask:
    """`keep(q, k)` takes index tensors that broadcast and returns which pairs are kept."""

    region: str
    keep: callable
    captures: dict = dataclasses.field(default_factory=dict)


def _band(width):
    return f"""
      %d0 = arith.subi %q, %k : index
      %d1 = arith.subi %k, %q : index
      %d = arith.maxsi %d0, %d1 : index
      %width = arith.constant {width} : index
      %near = arith.cmpi sle, %d, %width : index"""


def _below(name, operand, bound):
    return f"""
      %{name}_bound = arith.constant {bound} : index
      %{name} = arith.cmpi slt, %{operand}, %{name}_bound : index"""


_CAUSAL = """
      %causal = arith.cmpi sge, %q, %k : index"""


def _either(result, *operands):
    text, sofar = "", operands[0]
    for i, operand in enumerate(operands[1:]):
        name = f"{result}{i}" if i + 2 < len(operands) else result
        text += f"\n      %{name} = arith.ori %{sofar}, %{operand} : i1"
        sofar = name
    return text


def make(name, queries, keys, device):
    """The mask called `name`, one of NAMES."""
    longest = max(queries, keys)
    root = max(math.isqrt(longest), 8)
    generator = torch.Generator().manual_seed(0)
    if name == "dense":
        return None
    if name == "causal":
        return Mask(_CAUSAL + "\n      stof.yield %causal : i1", lambda q, k: q >= k)
    if name == "window":
        return Mask(_band(root) + "\n      stof.yield %near : i1", lambda q, k: (q - k).abs() <= root)
    if name == "swa":
        width = max(longest // 4, 1)
        return Mask(
            _CAUSAL + """
      %d = arith.subi %q, %k : index""" + _below("close", "d", width) + """
      %keep = arith.andi %causal, %close : i1
      stof.yield %keep : i1""",
            lambda q, k: (q >= k) & (q - k < width))
    if name == "dilated":
        return Mask(
            _band(2 * root) + """
      %two = arith.constant 2 : index
      %zero = arith.constant 0 : index
      %rest = arith.remsi %d, %two : index
      %even = arith.cmpi eq, %rest, %zero : index
      %keep = arith.andi %near, %even : i1
      stof.yield %keep : i1""",
            lambda q, k: ((q - k).abs() <= 2 * root) & ((q - k) % 2 == 0))
    if name == "longformer":
        return Mask(
            _band(root) + _below("rows", "q", root) + _below("columns", "k", root)
            + _either("keep", "near", "rows", "columns") + "\n      stof.yield %keep : i1",
            lambda q, k: ((q - k).abs() <= root) | (q < root) | (k < root))
    if name == "bigbird":
        table = torch.rand((queries + 63) // 64, (keys + 63) // 64, generator=generator) < 0.1
        table = table.to(device)
        return Mask(
            _band(root) + _below("rows", "q", root) + _below("columns", "k", root) + """
      %block = arith.constant 64 : index
      %bq = arith.floordivsi %q, %block : index
      %bk = arith.floordivsi %k, %block : index
      %random = tensor.extract %table[%bq, %bk] : TABLE"""
            + _either("keep", "near", "rows", "columns", "random") + "\n      stof.yield %keep : i1",
            lambda q, k: ((q - k).abs() <= root) | (q < root) | (k < root) | table[q // 64, k // 64],
            {"table": table})
    if name == "strided":
        return Mask(
            _CAUSAL + f"""
      %root = arith.constant {root} : index
      %last = arith.constant {root - 1} : index
      %d = arith.subi %q, %k : index
      %local = arith.cmpi slt, %d, %root : index
      %rest = arith.remsi %k, %root : index
      %column = arith.cmpi eq, %rest, %last : index
      %seen = arith.ori %local, %column : i1
      %keep = arith.andi %causal, %seen : i1
      stof.yield %keep : i1""",
            lambda q, k: (q >= k) & ((q - k < root) | (k % root == root - 1)))
    if name == "prefix":
        return Mask(
            _CAUSAL + _below("prefix", "k", longest // 4) + _either("keep", "causal", "prefix")
            + "\n      stof.yield %keep : i1",
            lambda q, k: (q >= k) | (k < longest // 4))
    if name == "document":
        ids = torch.cumsum((torch.rand(longest, generator=generator) < 8 / longest).int(), 0).int().to(device)
        of_q, of_k = ids[:queries].contiguous(), ids[:keys].contiguous()
        return Mask(
            _CAUSAL + """
      %dq = tensor.extract %ids_q[%q] : IDS_Q
      %dk = tensor.extract %ids_k[%k] : IDS_K
      %same = arith.cmpi eq, %dq, %dk : i32
      %keep = arith.andi %causal, %same : i1
      stof.yield %keep : i1""",
            lambda q, k: (of_q[q] == of_k[k]) & (q >= k),
            {"ids_q": of_q, "ids_k": of_k})
    raise KeyError(name)


NAMES = ["dense", "causal", "window", "swa", "dilated", "longformer", "bigbird", "strided", "prefix", "document"]

"""What a mask is in terms of implementations that know a few kinds: all keys, causal, a band, packed documents."""

from __future__ import annotations

import dataclasses

import torch

from .torch_mask import DenseMask


@dataclasses.dataclass(frozen=True)
class Structure:
    """What is true of all positions of a mask. `band` has the keys (before, after) the position of a query; `documents` the
    lengths of consecutive documents, which may be causal inside; `nonzeros` counts unmasked positions, of all batches and
    heads for which the mask differs."""

    nonzeros: int
    is_dense: bool = False
    is_causal: bool = False
    band: tuple[int, int] | None = None
    documents: tuple[int, ...] | None = None
    are_documents_causal: bool = False


def find_structure(mask: DenseMask) -> Structure:
    """Examines all positions."""
    first, last, counts = _find_ends(mask)
    nonzeros = int(counts.sum())
    if mask.batch * mask.heads > 1:
        return Structure(nonzeros)
    query = torch.arange(mask.queries, device=first.device)
    # A row is an interval if it has as many keys as there are between its ends.
    if not bool((counts == last - first + 1).all()) or not bool((counts > 0).all()):
        return Structure(nonzeros)
    final = mask.keys - 1
    starts = bool((first == 0).all())
    is_dense = starts and bool((last == final).all())
    is_causal = starts and bool((last == query.clamp(max=final)).all())
    before, after = int((query - first).max()), int((last - query).max())
    is_band = bool((first == (query - before).clamp(min=0)).all() and (last == (query + after).clamp(max=final)).all())
    band = (before, after) if is_band and not is_dense and not is_causal else None
    if is_dense or is_causal or mask.queries != mask.keys:
        return Structure(nonzeros, is_dense, is_causal, band)
    return Structure(nonzeros, False, False, band, *_find_documents(first, last, query))


def _find_ends(mask: DenseMask) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The first key, the last key and the number of keys of each row."""
    first, last, counts = [], [], []
    for _, _, rows in mask.chunks():
        flat = rows.reshape(-1, mask.keys).to(torch.uint8)
        first.append(flat.argmax(-1))
        last.append(mask.keys - 1 - flat.flip(-1).argmax(-1))
        counts.append(flat.sum(-1, dtype=torch.int64))
    return torch.cat(first), torch.cat(last), torch.cat(counts)


def _find_documents(
    first: torch.Tensor, last: torch.Tensor, query: torch.Tensor
) -> tuple[tuple[int, ...] | None, bool]:
    """The lengths of documents if rows are intervals that are those of documents, and whether these are causal."""
    # A document starts at itself, and at all of its positions.
    if not bool((first <= query).all()) or not bool((first[first] == first).all()) or bool((first.diff() < 0).any()):
        return None, False
    starts, lengths = first.unique_consecutive(return_counts=True)
    is_causal = bool((last == query).all())
    ends = (starts + lengths - 1).repeat_interleave(lengths)
    if not is_causal and not bool((last == ends).all()):
        return None, False
    return tuple(lengths.tolist()), is_causal

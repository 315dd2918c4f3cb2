"""What the compiler says about masks, as text and as values."""

import numpy
import stof
from stof.masks import Mask, block_list, blocked, captured, causal, documents, full, global_tokens, strided, window

explained = (causal() & window(256) | global_tokens(32)).explain(4096)
print(explained)
dense = (causal() & window(256) | global_tokens(32)).dense(4096)
assert explained.nonzeros == dense.sum() and explained.density == dense.mean()
tiles = dense[0, 0].reshape(4096 // explained.row_tile, explained.row_tile, 4096 // explained.col_tile, explained.col_tile)
sums = tiles.sum((1, 3))
whole = explained.row_tile * explained.col_tile
counted = (sums == whole).sum(), ((sums > 0) & (sums < whole)).sum(), (sums == 0).sum()
assert counted == (explained.full, explained.partial, explained.empty), counted
print("as counted")
print(full().explain(64, 128, target="sm_80"))
print(documents(numpy.zeros(512, "int32")).explain(512))
print(strided(4).explain(1024).storage, blocked(64).explain(1024, heads=4).visited)
try:
    documents(numpy.zeros(512, "int32")).explain(513)
except stof.ArgumentError as error:
    print(error)

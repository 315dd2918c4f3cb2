"""Draws the tiles of masks."""

import sys

import numpy
import stof
from stof._show import EMPTY, FULL, PARTIAL, classify_tiles
from stof.masks import causal, window

tiles = classify_tiles((causal() & window(8)).dense(20, 22)[0, 0], (8, 8))
print(numpy.array(list("-po"))[tiles].tolist(), (EMPTY, PARTIAL, FULL))
try:
    causal().show(16, tile=(0, 4))
except stof.ArgumentError as error:
    print(error)
if sys.argv[1:] == ["none"]:
    sys.modules["matplotlib"] = None
    try:
        causal().show(16)
    except ImportError as error:
        print(error)
else:
    import matplotlib

    matplotlib.use("Agg")
    axes = causal().show(20, 22, tile=(8, 8))
    print(axes.get_title(), axes.images[0].get_array().shape, [text.get_text() for text in axes.get_legend().get_texts()])
    assert causal().show(16, axes=axes) is axes
    axes.figure.savefig(sys.argv[1])

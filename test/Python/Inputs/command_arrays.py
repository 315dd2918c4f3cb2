"""Writes arrays for the command line."""

import pathlib
import sys

import numpy

folder = pathlib.Path(sys.argv[1])
numpy.save(folder / "ones.npy", numpy.ones(64, "float32"))
# Strided, as some writers leave arrays.
numpy.save(folder / "given.npy", numpy.asfortranarray(numpy.ones((5, 32), "float32")))

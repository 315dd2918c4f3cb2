"""Prints a model whose functions have the given names; each multiplies by its
position, from 1. `LENGTH*` is a name of so many letters.

Usage: make_names.py NAME...
"""

import sys

for position, name in enumerate(sys.argv[1:], 1):
    if name.endswith("*"):
        name = int(name[:-1]) * "n"
    print(f"""
func.func @"{name}"(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %c = arith.constant dense<[{position}.0, {position}.0, {position}.0, 0.0]> : tensor<4xf32>
  %init = tensor.empty() : tensor<4xf32>
  %y = linalg.mul ins(%x, %c : tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}}""")

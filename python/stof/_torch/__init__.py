"""Whole torch modules as functions of a package: traced by torch.export or torch.compile, lowered by torch-mlir.

Only functions that need torch import it, and torch-mlir where they lower: `import stof` needs neither.
"""

"""The command line, `python -m stof`: models to MLIR, to packages and to numbers."""

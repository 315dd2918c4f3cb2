"""`python -m stof.bench`: attention and whole models in one run with the other implementations that are installed.

Each result is compared with a reference before it is timed; `python -m stof.bench --help` has the options.
"""

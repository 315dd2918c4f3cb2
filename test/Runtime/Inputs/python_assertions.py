"""Runs a function whose data breaks an assertion, as a call and as a graph: python_assertions.py PACKAGE."""

import sys

import numpy as np

import stof

main = stof.load(sys.argv[1]).main
x, y = (np.zeros((3, 4), np.float32) for _ in range(2))


def attempt(what, run):
    try:
        run()
        print(f"{what}good")
    except stof.CheckError as error:
        print(f"{what}CheckError: {error}")
        return error


attempt("", lambda: main(x, y))
x[:] = 1
error = attempt("", lambda: main(x, y))
print(f"ArgumentError: {isinstance(error, stof.ArgumentError)}")
main.synchronize()
x[:] = 0
attempt("", lambda: main(x, y))
graph = main.graph(x, y)
x[:] = 2
attempt("graph ", graph.replay)
x[:] = 0
attempt("graph ", graph.replay)

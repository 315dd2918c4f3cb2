"""Reads what a measurement wrote."""

import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
for row in report["rows"]:
    timed = [outcome["peer"] for outcome in row["outcomes"] if outcome["status"] == "timed"]
    assert all(outcome["reason"] for outcome in row["outcomes"] if outcome["status"] != "timed")
    assert all(outcome["timing"]["median"] > 0 and outcome["tflops"] > 0 for outcome in row["outcomes"] if outcome["peer"] in timed)
    print(row["facts"]["mask"], row["facts"]["heads"], "timed", timed, report["device"]["name"])

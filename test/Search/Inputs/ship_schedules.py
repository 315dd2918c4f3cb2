"""ship_schedules.py REPORT DEVICE: a text of schedules that ship for the kernels of a report of a search. Of each, the
schedule that is predicted to be the slowest was the fastest."""

import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
for kernel in report["kernels"]:
    key = {"signature": kernel["signature"], "device": sys.argv[2], "driver": "1.0", "target": report["target"], "compiler": "0"}
    schedules = [schedule["schedule"] for schedule in kernel["schedules"]]
    times = {schedules[kernel["untuned"]]: 20, schedules[-1]: 10}
    for schedule, time in times.items():
        print(json.dumps({**key, "schedule": schedule, "microseconds": time, "clock_mhz": 0}))
    print(json.dumps({**key, "finished": 16}))

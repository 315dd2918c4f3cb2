"""Assembles PTX and complains of spills, of wgmmas in series and of functions from elsewhere.

Usage: check_assembly.py PTXDIR
"""

import glob
import os
import re
import subprocess
import sys

complaints = checked = 0
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.ptx"))):
    chip = os.path.basename(path).split(".")[1]
    with open(path, encoding="ascii") as file:
        if ".extern .func" in file.read():
            print(f"{path}: needs a function from elsewhere")
            complaints += 1
    result = subprocess.run(["ptxas", f"-arch={chip}", "-v", path, "-o", os.devnull],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        print(result.stdout)
        complaints += 1
    name = None
    for line in result.stdout.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            name = match[1]
            checked += 1
        if "wgmma.mma_async instructions are serialized" in line:
            print(line)
            complaints += 1
        if (match := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line)) and \
                (int(match[1]) or int(match[2])):
            print(f"{chip} {name}: {match[0]}")
            complaints += 1
        if match := re.search(r"Used (\d+) registers", line):
            print(f"{chip} {name}: {match[1]} registers")
print(f"{checked} kernels checked, {complaints} complaints")
sys.exit(complaints > 0 or checked == 0)

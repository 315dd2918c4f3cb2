"""Digests of many masks, in groups of spellings of one set."""

import re
import subprocess
import sys

C = "%{0} = arith.constant {0} : index\n".format


def mask(body, queries=200, keys=200, captures=(), constants=()):
    """A function with the mask `body`, which defines %keep. `captures` are pairs of a name and a type; a name that
    begins with @ is a constant of the value that follows."""
    kind = f"!stof.mask<{queries}x{keys}>"
    q, k = (f"tensor<2x3x{n}x64xf16>" for n in (queries, keys))
    arguments = "".join(f", %{name}: {type}" for name, type in captures)
    # Queries and keys of one tensor where they have one length.
    key = "%x" if queries == keys else "%y"
    text = f"func.func @f(%x: {q}, %y: {k}{arguments}) -> {q} {{\n" + "".join(constants)
    names = ", ".join(f"%{name}" for name, _ in captures) + "".join(", %c" for _ in constants)
    types = ", ".join(type for _, type in captures) + "".join(", " + c.split(" : ")[-1].strip() for c in constants)
    names, types = names.removeprefix(", "), types.removeprefix(", ")
    inner = "".join(f", %{name}_: {type}" for name, type in captures)
    inner += "".join(", %c_: " + c.split(" : ")[-1].strip() for c in constants)
    text += f"  %m = stof.mask {f'captures({names} : {types})' if names else ''} {{\n"
    text += f"  ^bb0(%b: index, %h: index, %q: index, %k: index{inner}):\n"
    for number in ("0", "1", "2", "3", "8", "16", "20", "64", "255", "256", "4096"):
        text += "    " + C(number)
    text += "".join(f"    {line.strip()}\n" for line in body.strip().splitlines())
    return text + f"""    stof.yield %keep : i1
  }} : {kind}
  %o = stof.attention ins(%x, {key}, {key} : {q}, {k}, {k}) mask(%m : {kind}) outs(%x : {q}) -> {q}
  return %o : {q}
}}
"""


def same(*bodies, **options):
    return [mask(body, **options) for body in bodies]


CAUSAL = ["%keep = arith.cmpi sge, %q, %k : index",
          "%keep = arith.cmpi sle, %k, %q : index",
          "%keep = arith.cmpi ule, %k, %q : index",
          "%true = arith.constant true\n%a = arith.cmpi sgt, %k, %q : index\n%keep = arith.xori %a, %true : i1",
          "%d = arith.subi %q, %k : index\n%keep = arith.cmpi sge, %d, %0 : index",
          "%d = arith.minsi %q, %k : index\n%keep = arith.cmpi eq, %d, %k : index",
          "%d = arith.addi %q, %1 : index\n%keep = arith.cmpi slt, %k, %d : index",
          "%a = arith.cmpi sge, %q, %k : index\n%b1 = arith.cmpi sge, %q, %0 : index\n"
          "%keep = arith.andi %a, %b1 : i1",
          "%a = arith.cmpi sge, %q, %k : index\n%d = arith.subi %k, %q : index\n"
          "%b1 = arith.cmpi slt, %d, %20 : index\n%keep = arith.andi %b1, %a : i1",
          # What depends on a head without a difference.
          "%d = arith.addi %q, %h : index\n%e = arith.addi %k, %h : index\n%s = arith.muli %h, %0 : index\n"
          "%f = arith.addi %e, %s : index\n%keep = arith.cmpi sge, %d, %f : index",
          "%a = arith.cmpi sgt, %q, %k : index\n%b1 = arith.cmpi eq, %q, %k : index\n%z = arith.cmpi eq, %h, %0 : index\n"
          "%u = arith.ori %a, %b1 : i1\n%v = arith.ori %b1, %a : i1\n%keep = arith.select %z, %u, %v : i1"]
BAND = ["%d = arith.subi %q, %k : index\n%e = arith.subi %k, %q : index\n%f = arith.maxsi %d, %e : index\n"
        "%keep = arith.cmpi sle, %f, %20 : index",
        "%d = arith.subi %q, %k : index\n%e = math.absi %d : index\n%keep = arith.cmpi sle, %e, %20 : index",
        "%l = arith.addi %q, %20 : index\n%r = arith.addi %k, %20 : index\n%a = arith.cmpi sle, %k, %l : index\n"
        "%c = arith.cmpi sle, %q, %r : index\n%keep = arith.andi %c, %a : i1"]
EVEN = ["%d = arith.subi %q, %k : index\n%r = arith.remsi %d, %2 : index\n%keep = arith.cmpi eq, %r, %0 : index",
        "%d = arith.remui %q, %2 : index\n%e = arith.remui %k, %2 : index\n%keep = arith.cmpi eq, %d, %e : index",
        "%d = arith.addi %q, %k : index\n%e = arith.divui %d, %2 : index\n%f = arith.muli %e, %2 : index\n"
        "%keep = arith.cmpi eq, %d, %f : index"]
STRIDED = ["%r = arith.remui %k, %8 : index\n%keep = arith.cmpi eq, %r, %3 : index",
           "%j = arith.divui %k, %8 : index\n%s = arith.muli %j, %8 : index\n%t = arith.addi %s, %3 : index\n"
           "%keep = arith.cmpi eq, %t, %k : index"]
WINDOW = ["%d = arith.subi %q, %k : index\n%a = arith.cmpi sge, %d, %0 : index\n%c = arith.cmpi slt, %d, %W_ : index\n"
          "%keep = arith.andi %a, %c : i1",
          "%a = arith.cmpi sle, %k, %q : index\n%e = arith.addi %k, %W_ : index\n%c = arith.cmpi sgt, %e, %q : index\n"
          "%keep = arith.andi %c, %a : i1"]


def window(name):
    return [body.replace("%W_", f"%{name}_") for body in WINDOW]


def fixed(width):
    return [body.replace("%W_", f"%{width}") for body in WINDOW]


TWO = ("%d = arith.subi %q, %k : index\n%n = arith.subi %0, %L_ : index\n%a = arith.cmpi sge, %d, %n : index\n"
       "%c = arith.cmpi sle, %d, %R_ : index\n%keep = arith.andi %a, %c : i1")
TABLE = "tensor<?xi32>"
SAME = ("%i = tensor.extract %A_[%q] : tensor<?xi32>\n%j = tensor.extract %B_[%k] : tensor<?xi32>\n"
        "%same = arith.cmpi eq, %i, %j : i32\n")
PAD = ("%n = tensor.extract %A_[%b] : tensor<?xi32>\n%m = arith.index_cast %n : i32 to index\n"
       "%keep = arith.cmpi slt, %k, %m : index")
ALL = {"queries": "?", "keys": "?"}
CONSTANT = "  %c = arith.constant dense<{}> : tensor<4xi1>\n"
PICK = "%i = arith.remui %k, %4 : index\n%keep = tensor.extract %c_[%i] : tensor<4xi1>"
PICK = PICK.replace("%i = ", "%4 = arith.addi %3, %1 : index\n%i = ")
groups = [
    same(*CAUSAL), same(*CAUSAL, keys=190), same(*CAUSAL, **ALL), same(*CAUSAL, queries=5000, keys=5000),
    # One length is known.
    same(*CAUSAL, keys="?"), same(*CAUSAL, queries="?"), same(*BAND, keys="?"), same(*BAND, queries="?"),
    same(*BAND), same(*BAND, **ALL), same(*EVEN), same(*EVEN, **ALL), same(*EVEN, queries=4096, keys=4096),
    same(*STRIDED), same(*STRIDED, **ALL),
    # A window of a captured width, whatever else is captured, and wherever.
    same(*window("w"), captures=[("w", "index")]) + same(*window("v"), captures=[("t", TABLE), ("v", "index")]),
    same(*window("w"), captures=[("w", "index")], **ALL),
    same(*fixed(20)), same(*fixed(16)), same(*fixed(256), **ALL), same(*fixed(255), **ALL), same(*fixed(4096), **ALL),
    # Which of two widths is captured first means nothing, what they do does.
    same(TWO, captures=[("L", "index"), ("R", "index")]) + same(TWO, captures=[("R", "index"), ("L", "index")]),
    same(TWO.replace("%R_", "%L_"), captures=[("L", "index")]),
    # Documents: the same table twice is another thing than two tables.
    same(*(SAME + "%a = " + body.removeprefix("%keep = ") + "\n%keep = arith.andi %same, %a : i1"
           for body in CAUSAL[:3]), captures=[("A", TABLE), ("B", TABLE)], **ALL)
    + same(SAME.replace("eq, %i, %j", "ne, %j, %i") + "%t = arith.constant true\n%s = arith.xori %same, %t : i1\n"
           "%a = arith.cmpi sge, %q, %k : index\n%keep = arith.andi %a, %s : i1",
           captures=[("u", "index"), ("B", TABLE), ("A", TABLE)], **ALL),
    same(SAME.replace("%B_", "%A_") + "%a = arith.cmpi sge, %q, %k : index\n%keep = arith.andi %same, %a : i1",
         captures=[("A", TABLE)], **ALL),
    same(SAME.replace("%same", "%keep"), captures=[("A", TABLE), ("B", TABLE)], **ALL),
    same(SAME.replace("eq, %i, %j", "slt, %i, %j").replace("%same", "%keep"),
         SAME.replace("eq, %i, %j", "sgt, %j, %i").replace("%same", "%keep"),
         captures=[("A", TABLE), ("B", TABLE)], **ALL),
    # A length of each element of the batch.
    same(PAD, captures=[("A", TABLE)], **ALL) + same(PAD, captures=[("u", "index"), ("A", TABLE)], **ALL),
    # A table of constants, and the predicate that says the same.
    same(PICK, constants=[CONSTANT.format("[true, false, true, false]")])
    + same("%r = arith.remui %k, %2 : index\n%keep = arith.cmpi eq, %r, %0 : index"),
    same(PICK, constants=[CONSTANT.format("[true, false, true, true]")]),
    # Of each head its own.
    same("%w = arith.muli %h, %20 : index\n%d = arith.addi %k, %w : index\n%keep = arith.cmpi sge, %q, %d : index",
         "%d = arith.subi %q, %k : index\n%e = arith.divsi %d, %20 : index\n%a = arith.cmpi sge, %e, %h : index\n"
         "%c = arith.cmpi sge, %d, %0 : index\n%keep = arith.andi %a, %c : i1"),
    same("%keep = arith.constant true"), same("%keep = arith.constant true", **ALL),
    same("%keep = arith.cmpi slt, %q, %0 : index", "%keep = arith.constant false"),
]

model = "".join(text.replace("@f(", f"@f{i}_{j}(") for i, group in enumerate(groups) for j, text in enumerate(group))
result = subprocess.run([sys.argv[1], "--stof-plan-layout=digest", "--remarks-filter=stof-plan.*"], input=model,
                        capture_output=True, text=True)
if result.returncode:
    sys.exit(result.stderr)
digests = re.findall(r"Digest=(\w+)", result.stderr)
if len(digests) != sum(map(len, groups)) or "DigestOfText" in result.stderr:
    sys.exit(f"{len(digests)} digests for {sum(map(len, groups))} masks")
within, seen, shared = 0, {}, 0
for number, group in enumerate(groups):
    mine, digests = digests[:len(group)], digests[len(group):]
    if len(set(mine)) != 1:
        within += 1
        print(f"group {number} differs within: {mine}")
    for digest in set(mine):
        if digest in seen:
            shared += 1
            print(f"groups {seen[digest]} and {number} share {digest}")
        seen[digest] = number
print(f"{within} of {len(groups)} groups differ within, {shared} digests are shared")

"""check_words.py ROOT: words that lib/GLOSSARY.md has replaced stay out of code, comments, texts and pages, and out of
the comments of tests."""

import re
import sys

import tree

# (what is out, what to write)
OUT = [
    (r"nobody|whoever|somebody", "a passive, or who it is"),
    (r"multiprocessors?", "SM"),
    (r"thread blocks?", "CTA"),
    (r"beside", "next to, alongside, in addition to"),
    (r"apart", "separate, strided, except"),
    (r"stems?", "symbol name"),
    (r"truths", "predicates"),
    (r"pieces?", "disjunct, allocation, copy, sub-tile"),
    (r"held whole|spread", "unsplit, folded into N"),
    (r"chained (?:product|contraction)s?", "back-to-back GEMM"),
    (r"matrix products?", "contraction, matmul"),
    (r"rows? without a key|rows? that (?:keeps?|kept|has|have) no keys?", "fully masked row"),
    (r"what is computed of|is computed of", "a noun"),
    (r"what (?:it|they) sums? over", "K, reduction dim"),
    (r"squares of (?:the )?tensor cores", "MMA tile"),
    (r"\w*DigitTable\w*|\w*HeldTile\w*|\w*ElementAt\w*|\w*MaskGrid\w*|\w*ProductWalk\w*|\w*LayoutWalk\w*", "IterationSpace, FullNTile, TensorElement, ..."),
]
pattern = re.compile("|".join(rf"(?P<w{number}>\b(?:{words})\b)" for number, (words, _) in enumerate(OUT)), re.I)

root = tree.root_from(sys.argv[1])
complaints = []
checked = 0
paths = list(tree.files(root, ["include", "lib", "tools", "python"], tree.SOURCES | {".md"}))
readme = root / "README.md"
lines = [(path, enumerate(path.read_text().splitlines(), 1)) for path in paths + [readme] * readme.exists()]
# Of tests only what is written about them: the rest is input and output.
tests = tree.files(root, ["test"], tree.SOURCES | {".mlir", ".test", ".cfg"})
lines += [(path, tree.comments(path)) for path in tests if path.name != "check_words.py"]
for path, numbered in lines:
    checked += 1
    for number, line in numbered:
        for match in pattern.finditer(line):
            instead = OUT[int(match.lastgroup[1:])][1]
            complaints.append(f"{path.relative_to(root)}:{number}: '{match[0]}' is out; expects {instead}")
tree.verdict(complaints, checked, "files")

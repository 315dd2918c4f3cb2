"""Reads the kernels of a PTX module, for ptx_simulator.py."""

import collections
import re

# The threads that execute an instruction together: those of a warp or of a warpgroup.
WIDE = {"shfl": 32, "mma": 32, "ldmatrix": 32, "vote": 32, "bar": 32, "barrier": 32, "elect": 32,
        "wgmma": 128, "setmaxnreg": 128}

Instruction = collections.namedtuple("Instruction", "name parts operands guard width text")


def split_operands(text):
    """The operands between the commas that lie in no brackets."""
    operands, depth = [""], 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        if character == "," and depth == 0:
            operands.append("")
        else:
            operands[-1] += character
    return [operand.strip() for operand in operands if operand.strip()]


def parse(statement):
    text, guard = " ".join(statement.split()), None
    if match := re.match(r"@(!?)([%\w.]+) ", text):
        guard = (match[2], not match[1])
    opcode, _, rest = text[match.end() if guard else 0:].partition(" ")
    name, *parts = opcode.split(".")
    return Instruction(name, parts, split_operands(rest), guard, WIDE.get(name, 1), text)


def open_scopes(body):
    """`body` without the braces of blocks, of which names of registers and labels are made unique."""
    count = 0

    def rename(match):
        nonlocal count
        count += 1
        text = match[1]
        names = re.findall(r"^\s*(\w+):", text, re.M)
        for declaration in re.findall(r"\.reg\s+\.\w+\s+([^;]+);", text):
            names += split_operands(declaration)
        for name in names:
            text = re.sub(rf"(?<![\w%$.]){re.escape(name)}(?![\w.])", f"{name}.{count}", text)
        return text

    return re.sub(r"^[ \t]*\{[ \t]*$(.*?)^[ \t]*\}[ \t]*$", rename, body, flags=re.M | re.S)


def count_registers(directives):
    """The registers of a thread when it starts; 0 if nothing says how many."""
    known = {name: int(number) for name, number in re.findall(r"\.(\w+) (\d+)", directives)}
    if "maxnreg" in known or "minnctapersm" not in known:
        return known.get("maxnreg", 0)
    threads = known.get("reqntid") or known["maxntid"]
    return min(65536 // (threads * known["minnctapersm"]) // 8 * 8, 256)


class Kernel:
    """One entry of a PTX module."""

    def __init__(self, name, parameters, directives, body):
        self.name = name
        self.parameters = parameters
        self.registers = count_registers(directives)
        self.code, self.labels = [], {}
        body = open_scopes(re.sub(r"//.*", "", body))
        for statement in re.split(r"[;\n](?![^{]*\})", body.replace("\t", " ")):
            statement = statement.strip()
            while match := re.match(r"([$\w.]+):(?!:)", statement):
                self.labels[match[1]] = len(self.code)
                statement = statement[match.end():].strip()
            if statement and not statement.startswith("."):
                self.code.append(parse(statement))
        # The registers that wgmma reads and writes while other instructions run.
        self.matrix_registers = {
            name.strip() for instruction in self.code if instruction.name == "wgmma"
            for operand in instruction.operands if operand.startswith("{")
            for name in operand.strip("{}").split(",")}


def load_module(text):
    """The kernels of a PTX module by name."""
    kernels = {}
    for match in re.finditer(r"\.entry (\w+)\((.*?)\)([^{]*)\{", text, re.S):
        depth, end = 1, match.end()
        while depth:
            brace = re.compile(r"[{}]").search(text, end)
            depth += 1 if brace[0] == "{" else -1
            end = brace.end()
        parameters = re.findall(r"\.param \.(\w+)", match[2])
        # Instructions over several lines become one.
        body = re.sub(r"\n\t\t", " ", text[match.end():end - 1])
        kernels[match[1]] = Kernel(match[1], parameters, match[3], body)
    return kernels

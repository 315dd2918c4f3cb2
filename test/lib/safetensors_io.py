"""Reads and writes safetensors files for the tests, with the standard library alone.

In Python, a file is a dictionary from names to `(dtype, shape, values)` with flat lists of values. On the
command line:

    safetensors_io.py write FILE arg0=f32[2,3]:1,2,3,4,5,6 arg1=f16[128]:iota ...
    safetensors_io.py raw FILE HEADER BYTES     a header given as text, then that many zero bytes
    safetensors_io.py print FILE                one line per tensor: name, dtype, shape, values
"""

import json
import math
import re
import struct
import sys

# dtype: the format's name and struct's letter; bf16 is packed by hand.
DTYPES = {
    "f64": ("F64", "d"),
    "f32": ("F32", "f"),
    "f16": ("F16", "e"),
    "bf16": ("BF16", "H"),
    "i64": ("I64", "q"),
    "i32": ("I32", "i"),
    "i16": ("I16", "h"),
    "i8": ("I8", "b"),
    "i1": ("BOOL", "B"),
    "u8": ("U8", "B"),
    # Their bytes.
    "f8E4M3FN": ("F8_E4M3", "B"),
    "f8E5M2": ("F8_E5M2", "B"),
}


def _to_bf16(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if math.isnan(value):
        return 0x7FC0
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def _from_bf16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def write_raw(path, header, data):
    header = header.encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + data)


def write(path, tensors):
    header, data = {}, bytearray()
    for name, (dtype, shape, values) in tensors.items():
        if math.prod(shape) != len(values):
            raise ValueError(f"{name} has shape {shape}, but {len(values)} values")
        format_name, letter = DTYPES[dtype]
        packed = [_to_bf16(v) for v in values] if dtype == "bf16" else values
        begin = len(data)
        data += struct.pack(f"<{len(values)}{letter}", *packed)
        header[name] = {"dtype": format_name, "shape": list(shape), "data_offsets": [begin, len(data)]}
    write_raw(path, json.dumps(header), bytes(data))


def read(path):
    with open(path, "rb") as file:
        contents = file.read()
    size = struct.unpack_from("<Q", contents)[0]
    header, data = json.loads(contents[8 : 8 + size]), contents[8 + size :]
    header.pop("__metadata__", None)
    names = {format_name: (dtype, letter) for dtype, (format_name, letter) in DTYPES.items()}
    tensors = {}
    for name, entry in header.items():
        dtype, letter = names[entry["dtype"]]
        begin, end = entry["data_offsets"]
        values = list(struct.unpack(f"<{math.prod(entry['shape'])}{letter}", data[begin:end]))
        if dtype == "bf16":
            values = [_from_bf16(v) for v in values]
        tensors[name] = (dtype, entry["shape"], values)
    return tensors


def parse(text):
    """`arg0=f32[2,2]:1,2,3,4`; `iota` stands for 0, 1, 2, ..., and one value fills the tensor."""
    name, dtype, shape, values = re.fullmatch(r"(\w+)=(\w+)\[([\d,]*)\]:(.*)", text).groups()
    shape = [int(size) for size in shape.split(",") if size]
    number = float if dtype in ("f64", "f32", "f16", "bf16") else int
    count = math.prod(shape)
    if values == "iota":
        return name, (dtype, shape, [number(i) for i in range(count)])
    values = [number(value) for value in values.split(",") if value]
    return name, (dtype, shape, values * count if len(values) == 1 else values)


def main(command, path, *rest):
    if command == "write":
        write(path, dict(parse(text) for text in rest))
    elif command == "raw":
        write_raw(path, rest[0], bytes(int(rest[1])))
    elif command == "print":
        for name, (dtype, shape, values) in read(path).items():
            print(name, dtype, shape, *(f"{value:g}" for value in values))


if __name__ == "__main__":
    main(*sys.argv[1:])

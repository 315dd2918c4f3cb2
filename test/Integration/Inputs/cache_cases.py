"""Small decoders on a static cache, as a function for the prompt and one for each token behind it; float64 results.

A layer is a LLaMA's: RMS norms, rotary positions, grouped keys and values, a gated MLP. Both functions take the cache as
arguments that the caller gives away, and return it updated.
"""

import math
import random

from group_cases import Function, rounded

HIDDEN, INNER, WORDS, EPSILON = 32, 48, 40, 1e-5


class Decoder:
    """`write` is how a model spells the update: `put` (a table of positions), `wrapped` (the same, negative ones from the
    end), `ring` (modulo the size of the cache), `slice` (one position for all sequences, clamped), or `stacked` (all
    layers in one tensor, of which one is taken and put back)."""

    def __init__(self, name, write="put", dtype="f32", prompts=(16,), prompt=16, steps=64, heads=4, groups=2, depth=8,
                 layers=1, cache=96):
        self.name, self.write, self.dtype, self.prompts, self.prompt = name, write, dtype, prompts, prompt
        self.steps, self.heads, self.groups, self.depth, self.layers, self.cache = steps, heads, groups, depth, layers, cache
        self.batch = len(prompts)
        self.random = random.Random(name)
        self.ids = [[self.random.randrange(WORDS) for _ in range(prompt + steps)] for _ in prompts]
        self.weights = {"table": self.draw(WORDS, HIDDEN, scale=1)}
        for layer in range(layers):
            for what, rows, columns in (("q", heads * depth, HIDDEN), ("k", groups * depth, HIDDEN), ("v", groups * depth, HIDDEN),
                                        ("o", HIDDEN, heads * depth), ("gate", INNER, HIDDEN), ("up", INNER, HIDDEN),
                                        ("down", HIDDEN, INNER)):
                self.weights[f"{what}{layer}"] = self.draw(rows, columns, scale=1 / math.sqrt(columns))
            for what in ("first", "second"):
                self.weights[f"{what}{layer}"] = self.draw(HIDDEN, scale=1)
        self.weights["last"] = self.draw(HIDDEN, scale=1)
        self.frequencies = [rounded(100 ** (-i / (depth // 2)), "f32") for i in range(depth // 2)]
        if write == "stacked":
            self.cache_shapes = [(2, layers, self.batch, groups, cache, depth)]
        else:
            self.cache_shapes = [(self.batch, groups, cache, depth)] * (2 * layers)

    def draw(self, *shape, scale):
        values = [rounded(self.random.uniform(-1, 1) * scale, self.dtype) for _ in range(math.prod(shape))]
        return shape, values

    # What both functions take, in order: tokens, positions, frequencies, weights, caches.

    def constants(self):
        """The arguments that stay the same, as safetensors_io takes them."""
        return [("f32", (len(self.frequencies),), self.frequencies)] + [
            (self.dtype, *weight) for weight in self.weights.values()]

    def tokens(self, step):
        """The tokens and positions of a call: the prompt's for -1. What is behind a shorter prompt is overwritten later."""
        if step < 0:
            rows = [ids[:length] + [0] * (self.prompt - length) for ids, length in zip(self.ids, self.prompts)]
            return ("i64", (self.batch, self.prompt), sum(rows, [])), ("i64", (self.batch,), [0] * self.batch)
        places = [length + step for length in self.prompts]
        if self.write == "wrapped":
            given = [place - self.cache for place in places]
        else:
            given = places
        return (("i64", (self.batch, 1), [ids[place] for ids, place in zip(self.ids, places)]), ("i64", (self.batch,), given))

    def places(self, step):
        return [list(range(length)) for length in self.prompts] if step < 0 else [[length + step] for length in self.prompts]

    def model(self):
        return self.function("prefill", self.prompt) + self.function("decode", 1)

    def function(self, name, queries):
        f = Function(name, None)
        self.f, self.queries = f, queries
        ids, _ = f.argument("i64", self.batch, queries, values=[0] * self.batch * queries)
        at, _ = f.argument("i64", self.batch, values=[0] * self.batch)
        frequencies, _ = f.argument("f32", self.depth // 2)
        weights = {what: f.argument(self.dtype, *shape)[0] for what, (shape, _) in self.weights.items()}
        caches = [f.argument(self.dtype, *shape, values=[0] * math.prod(shape))[0] for shape in self.cache_shapes]
        first = len(f.arguments) - len(caches)
        place = self.find_places(at)
        x = f.generic([(ids, "bs")], "bsx", self.dtype, [
            "%i = arith.index_cast %a : i64 to index", "%j = linalg.index 2 : index",
            f"%r = tensor.extract {weights['table']}[%i, %j] : {f.type(*f.types[weights['table']])}"],
            dims={"b": self.batch, "s": queries, "x": HIDDEN})
        for layer in range(self.layers):
            x = self.layer(x, layer, place, frequencies, weights, caches)
        n = self.norm(x, weights["last"])
        rows = f.reshape(n, "collapse", "[[0, 1], [2]]", self.batch * queries, HIDDEN)
        logits = f.matmul(rows, weights["table"], "f32", "mk", "nk", "mn")
        results = [logits, *caches]
        types = ", ".join(f.type(*f.types[value]) for value in results)
        arguments = ", ".join(
            f"%arg{i}: {f.type(shape, dtype)}" + (f" {{tf.aliasing_output = {1 + i - first} : i32}}" if i >= first else "")
            for i, (dtype, shape, _) in enumerate(f.arguments))
        body = "\n  ".join(f.lines)
        return f"func.func @{name}({arguments}) -> ({types}) {{\n  {body}\n  return {', '.join(results)} : {types}\n}}\n"

    def find_places(self, at):
        """The position of each query."""
        body = ["%s = linalg.index 1 : index", "%t = arith.index_cast %s : index to i64"]
        if self.write == "wrapped":
            body += [f"%n = arith.constant {self.cache} : i64", "%z = arith.constant 0 : i64",
                     "%c = arith.cmpi slt, %a, %z : i64", "%w = arith.addi %a, %n : i64",
                     "%p = arith.select %c, %w, %a : i64", "%r = arith.addi %p, %t : i64"]
        else:
            body += ["%r = arith.addi %a, %t : i64"]
        return self.f.generic([(at, "b")], "bs", "i64", body, dims={"b": self.batch, "s": self.queries})

    def norm(self, x, weight):
        f, dims = self.f, {"b": self.batch, "s": self.queries, "x": HIDDEN}
        widen = [f"%w = arith.extf %a : {self.dtype} to f32"] if self.dtype != "f32" else ["%w = arith.addf %a, %zero : f32"]
        zero = ["%zero = arith.constant 0.0 : f32"]
        total = f.generic([(x, "bsx")], "bs", "f32", zero + widen + ["%m = arith.mulf %w, %w : f32", "%r = arith.addf %m, %o : f32"],
                          start="0.0", dims=dims)
        narrow = ([f"%vw = arith.extf %c : {self.dtype} to f32", "%q = arith.mulf %y, %vw : f32", f"%r = arith.truncf %q : f32 to {self.dtype}"]
                  if self.dtype != "f32" else ["%r = arith.mulf %y, %c : f32"])
        return f.generic([(x, "bsx"), (total, "bs"), (weight, "x")], "bsx", self.dtype, zero + widen + [
            f"%n = arith.constant {float(HIDDEN)} : f32", f"%e = arith.constant {EPSILON:.1e} : f32", "%m = arith.divf %b, %n : f32",
            "%v = arith.addf %m, %e : f32", "%g = math.rsqrt %v : f32", "%y = arith.mulf %w, %g : f32"] + narrow, dims=dims)

    def narrow(self, value, letters, dims):
        if self.dtype == "f32":
            return value
        return self.f.generic([(value, letters)], letters, self.dtype, [f"%r = arith.truncf %a : f32 to {self.dtype}"], dims=dims)

    def project(self, x, weight):
        """The matmul with a matrix, of the model's type."""
        rows, columns = self.f.types[weight][0]
        p = self.f.matmul(x, weight, "f32", "bsx", "nx", "bsn")
        return self.narrow(p, "bsn", {"b": self.batch, "s": self.queries, "n": rows})

    def heads_of(self, x, weight, number):
        f = self.f
        p = f.reshape(self.project(x, weight), "expand", "[[0], [1], [2, 3]]", self.batch, self.queries, number, self.depth)
        return f.generic([(p, "bshd")], "bhsd", self.dtype, [],
                         dims={"b": self.batch, "h": number, "s": self.queries, "d": self.depth})

    def rotate(self, x, number, place, frequencies):
        """Rotary positions, the second half of the features against the first."""
        f, half = self.f, self.depth // 2
        shape, part = (self.batch, number, self.queries, self.depth), (self.batch, number, self.queries, half)
        dims = {"b": self.batch, "h": number, "s": self.queries, "d": half}
        parts = []
        for start in (0, half):
            value = f.name_value(part, self.dtype)
            f.lines.append(f"{value} = tensor.extract_slice {x}[0, 0, 0, {start}] {list(part)} [1, 1, 1, 1] : "
                           f"{f.type(shape, self.dtype)} to {f.type(part, self.dtype)}")
            parts.append(value)
        wide = self.dtype != "f32"
        turned = []
        for one, other, sign in ((0, 1, "subf"), (1, 0, "addf")):
            body = ["%t = arith.sitofp %c : i64 to f32", "%y = arith.mulf %t, %d : f32", "%p = math.cos %y : f32", "%q = math.sin %y : f32"]
            body += [f"%aw = arith.extf %a : {self.dtype} to f32", f"%bw = arith.extf %b : {self.dtype} to f32"] if wide else []
            u, v = ("%aw", "%bw") if wide else ("%a", "%b")
            body += [f"%m = arith.mulf {u}, %p : f32", f"%n = arith.mulf {v}, %q : f32"]
            body += [f"%w = arith.{sign} %m, %n : f32", f"%r = arith.truncf %w : f32 to {self.dtype}"] if wide else [f"%r = arith.{sign} %m, %n : f32"]
            turned.append(f.generic([(parts[one], "bhsd"), (parts[other], "bhsd"), (place, "bs"), (frequencies, "d")], "bhsd", self.dtype,
                                    body, dims=dims))
        result = f.name_value(shape, self.dtype)
        f.lines.append(f"{result} = tensor.concat dim(3) {', '.join(turned)} : ({', '.join([f.type(part, self.dtype)] * 2)}) -> "
                       f"{f.type(shape, self.dtype)}")
        return result

    def layer(self, x, layer, place, frequencies, weights, caches):
        f, q = self.f, self.queries
        n = self.norm(x, weights[f"first{layer}"])
        queries = self.rotate(self.heads_of(n, weights[f"q{layer}"], self.heads), self.heads, place, frequencies)
        keys = self.rotate(self.heads_of(n, weights[f"k{layer}"], self.groups), self.groups, place, frequencies)
        values = self.heads_of(n, weights[f"v{layer}"], self.groups)
        held = [self.update(caches, layer, which, new, place) for which, new in enumerate((keys, values))]
        o = self.attend(queries, *held, place)
        t = f.generic([(o, "bhsd")], "bshd", self.dtype, [], dims={"b": self.batch, "h": self.heads, "s": q, "d": self.depth})
        x = self.add(x, self.project(f.reshape(t, "collapse", "[[0], [1], [2, 3]]", self.batch, q, self.heads * self.depth),
                                     weights[f"o{layer}"]))
        n = self.norm(x, weights[f"second{layer}"])
        gate, up = self.project(n, weights[f"gate{layer}"]), self.project(n, weights[f"up{layer}"])
        dims = {"b": self.batch, "s": q, "x": INNER}
        wide = self.dtype != "f32"
        body = [f"%aw = arith.extf %a : {self.dtype} to f32", f"%bw = arith.extf %b : {self.dtype} to f32"] if wide else []
        u, v = ("%aw", "%bw") if wide else ("%a", "%b")
        body += [f"%n = arith.negf {u} : f32", "%e = math.exp %n : f32", "%c = arith.constant 1.0 : f32", "%t = arith.addf %c, %e : f32",
                 f"%g = arith.divf {u}, %t : f32"]
        body += [f"%w = arith.mulf %g, {v} : f32", f"%r = arith.truncf %w : f32 to {self.dtype}"] if wide else [f"%r = arith.mulf %g, {v} : f32"]
        return self.add(x, self.project(f.generic([(gate, "bsx"), (up, "bsx")], "bsx", self.dtype, body, dims=dims), weights[f"down{layer}"]))

    def add(self, x, y):
        return self.f.generic([(x, "bsx"), (y, "bsx")], "bsx", self.dtype, [f"%r = arith.addf %a, %b : {self.dtype}"],
                              dims={"b": self.batch, "s": self.queries, "x": HIDDEN})

    def attend(self, queries, keys, values, place):
        """Keys and values repeated for the heads that share them, as PyTorch does it; each query sees what is not behind."""
        f, repeat = self.f, self.heads // self.groups
        dims = {"b": self.batch, "h": self.heads, "s": self.queries, "k": self.cache}

        def spread(value):
            if repeat == 1:
                return value
            wide = f.generic([(value, "bgkd")], "bgrkd", self.dtype, [],
                             dims={"b": self.batch, "g": self.groups, "r": repeat, "k": self.cache, "d": self.depth})
            return f.reshape(wide, "collapse", "[[0], [1, 2], [3], [4]]", self.batch, self.heads, self.cache, self.depth)
        scores = f.matmul(queries, spread(keys), "f32", "bhsd", "bhkd", "bhsk")
        scale = rounded(1 / math.sqrt(self.depth), "f32")
        seen = ["%j = linalg.index 2 : index", "%k = arith.index_cast %j : index to i64"]
        if self.write == "ring":
            # What lies at k came last before or at the query; nothing did where that is before the first.
            seen += [f"%n = arith.constant {self.cache} : i64", "%d = arith.subi %b, %k : i64", "%e = arith.remsi %d, %n : i64",
                     "%z = arith.constant 0 : i64", "%g = arith.cmpi slt, %e, %z : i64", "%h = arith.addi %e, %n : i64",
                     "%m = arith.select %g, %h, %e : i64", "%t = arith.subi %b, %m : i64", "%y = arith.cmpi sge, %t, %z : i64"]
        else:
            seen += ["%y = arith.cmpi sle, %k, %b : i64"]
        scores = f.generic([(scores, "bhsk"), (place, "bs")], "bhsk", "f32", seen + [
            f"%c = arith.constant {scale} : f32", "%w = arith.mulf %a, %c : f32", "%f = arith.constant 0xFF800000 : f32",
            "%r = arith.select %y, %w, %f : f32"], dims=dims)
        most = f.generic([(scores, "bhsk")], "bhs", "f32", ["%r = arith.maximumf %a, %o : f32"], start="0xFF800000", dims=dims)
        e = f.generic([(scores, "bhsk"), (most, "bhs")], "bhsk", "f32", ["%m = arith.subf %a, %b : f32", "%r = math.exp %m : f32"], dims=dims)
        t = f.generic([(e, "bhsk")], "bhs", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=dims)
        w = f.generic([(e, "bhsk"), (t, "bhs")], "bhsk", "f32", ["%r = arith.divf %a, %b : f32"], dims=dims)
        o = f.matmul(self.narrow(w, "bhsk", dims), spread(values), "f32", "bhsk", "bhkd", "bhsd")
        return self.narrow(o, "bhsd", {"b": self.batch, "h": self.heads, "s": self.queries, "d": self.depth})

    # Updates.

    def update(self, caches, layer, which, new, place):
        """Writes `new` to its place in the keys or values of a layer, and returns all of these."""
        f, dtype = self.f, self.dtype
        shape = (self.batch, self.groups, self.cache, self.depth)
        if self.write == "slice":
            return self.write_slice(caches, 2 * layer + which, new, place)
        if self.write != "stacked":
            number = 2 * layer + which
            caches[number] = self.put(caches[number], new, place)
            return caches[number]
        whole, kind = self.cache_shapes[0], f.type(self.cache_shapes[0], dtype)
        part = f"[{which}, {layer}, 0, 0, 0, 0] [1, 1, {self.batch}, {self.groups}, {self.cache}, {self.depth}] [1, 1, 1, 1, 1, 1]"
        taken = f.name_value(shape, dtype)
        f.lines.append(f"{taken} = tensor.extract_slice {caches[0]}{part} : {kind} to {f.type(shape, dtype)}")
        updated = self.put(taken, new, place)
        put_back = f.name_value(whole, dtype)
        f.lines.append(f"{put_back} = tensor.insert_slice {updated} into {caches[0]}{part} : {f.type(shape, dtype)} into {kind}")
        caches[0] = put_back
        return updated

    def write_slice(self, caches, number, new, place):
        """At the position of the first sequence, clamped so that the slice lies inside."""
        f, dtype, shape, cache = self.f, self.dtype, (self.batch, self.groups, self.cache, self.depth), caches[number]
        name = f"%p{len(f.lines)}"
        f.lines += [f"{name}z = arith.constant 0 : index", f"{name}m = arith.constant {self.cache - self.queries} : index",
                    f"{name}e = tensor.extract {place}[{name}z, {name}z] : {f.type(*f.types[place])}",
                    f"{name}i = arith.index_cast {name}e : i64 to index", f"{name}l = arith.maxsi {name}i, {name}z : index",
                    f"{name} = arith.minsi {name}l, {name}m : index"]
        caches[number] = f.name_value(shape, dtype)
        sizes = [self.batch, self.groups, self.queries, self.depth]
        f.lines.append(f"{caches[number]} = tensor.insert_slice {new} into {cache}[0, 0, {name}, 0] {sizes} [1, 1, 1, 1] : "
                       f"{f.type(sizes, dtype)} into {f.type(shape, dtype)}")
        return caches[number]

    def put(self, cache, new, place):
        """As torch-mlir writes `cache[b, h, place, d] = new`: a row of four numbers for each element."""
        f, dtype = self.f, self.dtype
        shape = (self.batch, self.groups, self.queries, self.depth)
        count, dims = math.prod(shape), dict(zip("bhsd", shape))
        columns = []
        for dim, letter in enumerate("bhsd"):
            if letter == "s":
                wrap = [f"%n = arith.constant {self.cache} : i64", "%r = arith.remsi %a, %n : i64"] if self.write == "ring" else []
                column = f.generic([(place, "bs")], "bhsd", "i64", wrap, dims=dims)
            else:
                column = f.generic([], "bhsd", "i64", [f"%i = linalg.index {sorted(dims).index(letter)} : index",
                                                       "%r = arith.index_cast %i : index to i64"], dims=dims)
            flat = f.reshape(column, "collapse", "[[0, 1, 2, 3]]", count)
            columns.append(f.reshape(flat, "expand", "[[0, 1]]", count, 1))
        table = f.name_value((count, 4), "i64")
        f.lines.append(f"{table} = tensor.concat dim(1) {', '.join(columns)} : ({', '.join([f.type((count, 1), 'i64')] * 4)}) -> "
                       f"{f.type((count, 4), 'i64')}")
        updates = f.reshape(f.reshape(new, "collapse", "[[0, 1, 2, 3]]", count), "expand", "[[0, 1, 2, 3, 4]]", count, 1, 1, 1, 1)
        result = f.name_value((self.batch, self.groups, self.cache, self.depth), dtype)
        kind = f.type(*f.types[result])
        f.lines.append(f'{result} = "tm_tensor.scatter"({updates}, {table}, {cache}) <{{dimension_map = array<i64: 0, 1, 2, 3>, '
                       f'operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}}> ({{\n  ^bb0(%new: {dtype}, %old: {dtype}):\n    '
                       f'"tm_tensor.yield"(%new) : ({dtype}) -> ()\n  }}) : ({f.type((count, 1, 1, 1, 1), dtype)}, '
                       f'{f.type((count, 4), "i64")}, {kind}) -> {kind}')
        return result

    # The same of all positions at once.

    def logits(self, sequence):
        """A row for each position of a sequence."""
        ids = self.ids[sequence][: self.prompts[sequence] + self.steps]
        rows = [self.weights["table"][1][i * HIDDEN: (i + 1) * HIDDEN] for i in ids]
        for layer in range(self.layers):
            n = [exact_norm(row, self.weights[f"first{layer}"]) for row in rows]
            keys, values = ([self.split(product(row, self.weights[f"{what}{layer}"])) for row in n] for what in "kv")
            keys = [[self.turn(head, at) for head in heads] for at, heads in enumerate(keys)]
            for at, row in enumerate(n):
                queries = [self.turn(head, at) for head in self.split(product(row, self.weights[f"q{layer}"]))]
                first = max(0, at + 1 - self.cache)
                mixed = []
                for number, query in enumerate(queries):
                    group = number // (self.heads // self.groups)
                    scores = [dot(query, keys[j][group]) / math.sqrt(self.depth) for j in range(first, at + 1)]
                    powers = [math.exp(score - max(scores)) for score in scores]
                    mixed += [sum(p * values[first + j][group][d] for j, p in enumerate(powers)) / sum(powers) for d in range(self.depth)]
                rows[at] = [a + b for a, b in zip(rows[at], product(mixed, self.weights[f"o{layer}"]))]
            for at, row in enumerate(rows):
                n = exact_norm(row, self.weights[f"second{layer}"])
                gate, up = product(n, self.weights[f"gate{layer}"]), product(n, self.weights[f"up{layer}"])
                inner = [a / (1 + math.exp(-a)) * b for a, b in zip(gate, up)]
                rows[at] = [a + b for a, b in zip(row, product(inner, self.weights[f"down{layer}"]))]
        return [product(exact_norm(row, self.weights["last"]), self.weights["table"]) for row in rows]

    def split(self, row):
        return [row[at: at + self.depth] for at in range(0, len(row), self.depth)]

    def turn(self, head, at):
        half = self.depth // 2
        angles = [rounded(at * f, "f32") for f in self.frequencies]
        turns = [(math.cos(angle), math.sin(angle)) for angle in angles]
        return ([head[d] * c - head[d + half] * s for d, (c, s) in enumerate(turns)]
                + [head[d + half] * c + head[d] * s for d, (c, s) in enumerate(turns)])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def product(row, weight):
    (rows, columns), values = weight
    return [dot(row, values[at * columns: (at + 1) * columns]) for at in range(rows)]


def exact_norm(row, weight):
    factor = 1 / math.sqrt(dot(row, row) / len(row) + EPSILON)
    return [x * factor * w for x, w in zip(row, weight[1])]


def few_cases():
    """Several layers in tensors of their own and in one, many steps and few."""
    yield Decoder("put", layers=2)
    yield Decoder("slice", write="slice", steps=4)
    yield Decoder("stacked", write="stacked", layers=2, steps=4)


def cases():
    yield from few_cases()
    yield Decoder("wrapped", write="wrapped", steps=8)
    yield Decoder("ring", write="ring", cache=40)
    yield Decoder("batch", prompts=(16, 11, 3), steps=24, cache=48)
    yield Decoder("batch_ring", write="ring", prompts=(9, 16), steps=48, cache=33)
    yield Decoder("multi_query_f16", dtype="f16", groups=1, depth=16, steps=24)
    yield Decoder("whole_f16", write="slice", dtype="f16", groups=4, prompts=(16, 16), steps=24)

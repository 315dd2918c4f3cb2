"""What is compiled, and what is taken from the caches, in a cache folder that is empty at first."""

import gc
import os
import pathlib
import subprocess
import sys
import threading
import weakref

import numpy
import reference
import stof
from stof import _cache, _compiler
from stof.masks import Mask, causal, documents, window

folder = _cache.find_folder()
q, k, v = reference.draw(0, 1, 2, 2, 20, 20, 16, 16)
compiled = []
compile_module = _compiler.compile_module


def count(text, *arguments, **options):
    compiled.append(text)
    return compile_module(text, *arguments, **options)


_compiler.compile_module = count


def compilations(*calls):
    """How many compilations the calls take."""
    compiled.clear()
    results = [call() for call in calls]
    return len(compiled), results


def attend(mask, *tensors, **options):
    return lambda: stof.attention(*(tensors or (q, k, v)), mask=mask, **options)


def list_folder():
    return sorted(path.name for path in folder.iterdir())


def race():
    """Processes that compile the same attention at once get the same result, and leave one package."""
    script = (
        "import numpy, stof; x = numpy.ones((1, 2, 9, 16), 'float32');"
        "print(stof.attention(x, x, x, mask=stof.masks.window(8)).sum())"
    )
    started = [subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE) for _ in range(3)]
    printed = {process.communicate()[0] for process in started}
    print("three processes:", len(printed), len(list_folder()), [process.returncode for process in started])


race()
print("folder", folder == pathlib.Path(os.environ["XDG_CACHE_HOME"]) / "stof")
mask = causal()
print("first, again:", compilations(attend(mask), attend(mask))[0])
print("an equal mask:", compilations(attend(causal()), attend(Mask(lambda b, h, q, k: k <= q)))[0])
print("other lengths:", compilations(attend(mask, q[:, :, :7].copy(), k, v))[0])
steps = [attend(mask, q[:, :, :1].copy(), k[:, :, :n].copy(), v[:, :, :n].copy()) for n in (20, 7, 12)]
print("one query, other lengths:", compilations(*steps)[0])
ids = numpy.zeros(20, "int32")
taken, (one, other) = compilations(attend(documents(ids)), attend(documents(numpy.arange(20, dtype="int32"))))
print("other document numbers:", taken, numpy.allclose(other, v, atol=1e-6), numpy.allclose(one, v, atol=1e-6))
ids[:] = numpy.arange(20)
print("another number:", compilations(attend(causal(1)))[0])
print("another scale, dtype:", compilations(attend(mask, scale=1), attend(mask, *(t.astype("float16") for t in (q, k, v))))[0])
static = [attend(mask, *(t[:, :, :n].copy() for t in (q, k, v)), dynamic=False) for n in (20, 7, 7)]
print("static lengths:", compilations(*static)[0])
_cache._find.cache_clear()
stof._attention._calls.clear()
taken, (again,) = compilations(attend(mask))
print("from the folder:", taken, len(list_folder()), [name for name in list_folder() if len(name) != 32])
os.environ["XDG_CACHE_HOME"] = "relative"
print("a relative path is ignored:", _cache.find_folder() == pathlib.Path.home() / ".cache" / "stof")
os.environ["XDG_CACHE_HOME"] = str(folder.parent)
describe = _compiler.describe
_compiler.describe = lambda: "another compiler"
print("another compiler:", _cache.compute_key("a", "cpu") != (setattr(_compiler, "describe", describe), _cache.compute_key("a", "cpu"))[1])
ids = numpy.zeros(20, "int32")
mask = documents(ids)
attend(mask)()
attend(mask, score=stof.scores.bias(numpy.zeros((20, 20), "float32")))()
freed = [weakref.ref(ids), weakref.ref(mask)]
del ids, mask
gc.collect()
print("nothing is kept of a mask:", [reference() for reference in freed])
threads = [threading.Thread(target=attend(window(2))) for _ in range(4)]
compiled.clear()
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print("four threads:", len(compiled))


def fails(error, action):
    try:
        action()
    except error as raised:
        print(f"{type(raised).__name__}: {raised}")
    else:
        print("no error")


before = list_folder()
fails(stof.CompileError, lambda: _cache.find_package("func.func @f() { my.op }", "cpu"))
print("nothing is left:", list_folder() == before)
path = folder / _cache.compute_key("damaged", "cpu")
path.mkdir()
fails(stof.PackageError, lambda: _cache.find_package("damaged", "cpu"))
os.environ["XDG_CACHE_HOME"] = "/proc/1/none"
fails(OSError, attend(window(3)))

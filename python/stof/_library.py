"""libstof-runtime through ctypes; include/stof-c/Runtime.h documents the functions."""

import ctypes
import functools
import pathlib
import threading

NAME = "libstof-runtime.so"


class TensorShape(ctypes.Structure):
    _fields_ = [
        ("dtype", ctypes.c_char_p),
        ("rank", ctypes.c_int64),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
    ]


_handle = ctypes.c_void_p
_error = ctypes.POINTER(ctypes.c_void_p)
# An array of c_void_p, or bytes that hold addresses.
_addresses = ctypes.c_void_p

# name: (result, arguments)
_FUNCTIONS = {
    "stofFreeString": (None, [ctypes.c_void_p]),
    "stofPackageOpen": (_handle, [ctypes.c_char_p, _error]),
    "stofPackageOpenArchive": (_handle, [ctypes.c_char_p, ctypes.c_uint64, _error]),
    "stofPackageDestroy": (None, [_handle]),
    "stofPackageGetManifest": (ctypes.c_char_p, [_handle]),
    "stofProgramLoad": (_handle, [_handle, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint, _error]),
    "stofProgramDestroy": (None, [_handle]),
    "stofProgramGetTarget": (ctypes.c_char_p, [_handle]),
    "stofProgramSynchronize": (ctypes.c_int, [_handle, _error]),
    "stofCallBind": (_handle, [_handle, ctypes.c_int64, ctypes.POINTER(TensorShape), _error]),
    "stofCallDestroy": (None, [_handle]),
    "stofCallGetWorkspaceBytes": (ctypes.c_int64, [_handle]),
    "stofCallGetResultRank": (ctypes.c_int64, [_handle, ctypes.c_int64]),
    "stofCallGetResultSizes": (ctypes.POINTER(ctypes.c_int64), [_handle, ctypes.c_int64]),
    "stofCallCapture": (
        ctypes.c_int,
        [_handle, _addresses, _addresses, ctypes.c_void_p, ctypes.POINTER(_handle), _error],
    ),
    "stofGraphDestroy": (None, [_handle]),
    "stofXlaAddPackage": (None, [ctypes.c_char_p, _handle]),
    "stofGraphReplay": (ctypes.c_int, [_handle, ctypes.c_void_p, _error]),
}


@functools.lru_cache(maxsize=None)
def load():
    """Loads the runtime."""
    return bind(NAME, _FUNCTIONS)


def bind(file, functions):
    """Loads the library `file` with signatures for its `functions`: next to this file, in the lib folder of an
    installation around it, or on the path of the loader."""
    here = pathlib.Path(__file__).resolve().parent
    candidates = [here / file] + [parent / "lib" / file for parent in here.parents]
    path = next((str(candidate) for candidate in candidates if candidate.exists()), file)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"stof needs {file}, which cannot be loaded: {error}") from error
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class _Message(threading.local):
    """Where a function that fails stores its message, for each thread. It is made once, as runs of calls are frequent."""

    def __init__(self):
        self.pointer = ctypes.c_void_p()
        self.reference = ctypes.byref(self.pointer)


message = _Message()


@functools.lru_cache(maxsize=None)
def find_runner():
    """stofCallRunPacked, to be called with a c_void_p, bytes and `message.reference`. Other arguments are not converted,
    which would take half of the time of a run."""
    return load()["stofCallRunPacked"]


def take_message():
    """The message that this thread's last failure left, or None."""
    pointer = message.pointer
    if pointer.value is None:
        return None
    # File names have any bytes.
    text = ctypes.string_at(pointer.value).decode(errors="replace")
    load().stofFreeString(pointer)
    pointer.value = None
    return text


def call(exceptions, name, *arguments):
    """Calls a function that can fail, and raises its message as `exceptions`: an exception, or a dict of exceptions by
    status."""
    result = getattr(load(), name)(*arguments, message.reference)
    text = take_message()
    if text is not None:
        raise (exceptions[result] if isinstance(exceptions, dict) else exceptions)(text)
    return result


class Handle:
    """An object of the library, destroyed with the last reference to it. `memory` is what it refers to."""

    def __init__(self, address, destroy, memory=None):
        self.address = address
        self._destroy = getattr(load(), destroy)
        self._memory = memory

    def __del__(self):
        self._destroy(self.address)

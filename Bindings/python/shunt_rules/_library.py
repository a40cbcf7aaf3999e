"""The C interface of libshunt, as shunt.h declares it."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t
from ctypes import c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from pathlib import Path

INTERFACE = 1


class Text(Structure):
    _fields_ = [("bytes", c_void_p), ("length", c_size_t)]

    def value(self) -> bytes | None:
        return ctypes.string_at(self.bytes, self.length) if self.bytes else None


class Field(Structure):
    _fields_ = [("name", Text), ("value", Text)]


class Options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("trusted", POINTER(c_char_p)),
        ("trusted_count", c_size_t),
        ("document_root", c_char_p),
        ("last_known_good", c_char_p),
        ("ignores_unknown", c_bool),
        ("counts", c_bool),
        ("watches", c_bool),
        ("json", c_bool),
    ]


class Request(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("url", Text),
        ("host", Text),
        ("method", Text),
        ("headers", POINTER(Field)),
        ("header_count", c_size_t),
        ("inputs", POINTER(Field)),
        ("input_count", c_size_t),
        ("client_address", Text),
        ("server_address", Text),
        ("client_port", c_uint16),
        ("server_port", c_uint16),
        ("security", c_uint8),
        ("http_version", c_uint8),
        ("seconds", c_int64),
        ("nanoseconds", c_uint32),
    ]


class Decision(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("status", c_int32),
        ("is_by_rule", c_bool),
        ("is_upstream", c_bool),
        ("url", Text),
        ("target", Text),
        ("authority", Text),
        ("path", Text),
        ("body", Text),
        ("reason", Text),
        ("file", Text),
        ("line", c_uint32),
        ("column", c_uint32),
        ("route", Text),
        ("parameters", POINTER(Field)),
        ("parameter_count", c_size_t),
        ("headers", POINTER(Field)),
        ("header_count", c_size_t),
        ("success_headers", POINTER(Field)),
        ("success_header_count", c_size_t),
        ("upstream_headers", POINTER(Field)),
        ("upstream_header_count", c_size_t),
        ("needed", c_size_t),
    ]


RELOADED = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p)

_FUNCTIONS = {
    "shunt_interface": (c_uint32, []),
    "shunt_version": (c_char_p, []),
    "shunt_free": (None, [c_void_p]),
    "shunt_rules_load": (c_int, [c_char_p, POINTER(Options), POINTER(c_void_p), POINTER(c_void_p)]),
    "shunt_rules_parse": (c_int, [Text, c_char_p, POINTER(Options), POINTER(c_void_p), POINTER(c_void_p)]),
    "shunt_rules_archive": (c_int, [POINTER(Field), c_size_t, POINTER(Options), POINTER(c_void_p), POINTER(c_void_p)]),
    "shunt_rules_release": (None, [c_void_p]),
    "shunt_rules_count": (c_size_t, [c_void_p]),
    "shunt_rules_hash": (c_void_p, [c_void_p]),
    "shunt_rules_report": (c_int, [c_void_p, c_int, c_int, POINTER(c_void_p)]),
    "shunt_decide": (c_int, [c_void_p, POINTER(Request), POINTER(c_char), c_size_t, POINTER(Decision)]),
    "shunt_explain": (c_int, [c_void_p, POINTER(Request), c_int, POINTER(c_void_p)]),
    "shunt_store_open": (
        c_int,
        [c_char_p, POINTER(Options), RELOADED, c_void_p, POINTER(c_void_p), POINTER(c_void_p)],
    ),
    "shunt_store_retain": (c_void_p, [c_void_p]),
    "shunt_store_rules": (c_void_p, [c_void_p]),
    "shunt_store_generation": (c_uint64, [c_void_p]),
    "shunt_store_decide": (c_int, [c_void_p, POINTER(Request), POINTER(c_char), c_size_t, POINTER(Decision)]),
    "shunt_store_reload": (c_int, [c_void_p, POINTER(c_void_p)]),
    "shunt_store_status": (c_int, [c_void_p, POINTER(c_void_p)]),
    "shunt_store_close": (None, [c_void_p]),
}


def _load() -> ctypes.CDLL:
    """The library next to this file, that of SHUNT_LIBRARY, or the system's."""
    near = Path(__file__).with_name("libshunt.so")
    name = os.environ.get("SHUNT_LIBRARY") or (str(near) if near.exists() else "libshunt.so.1")
    library = ctypes.CDLL(name)
    for function, (result, arguments) in _FUNCTIONS.items():
        getattr(library, function).restype = result
        getattr(library, function).argtypes = arguments
    if library.shunt_interface() != INTERFACE:
        raise ImportError(f"{name} has interface {library.shunt_interface()}, and this package needs {INTERFACE}")
    return library


library = _load()


def take_text(pointer: c_void_p) -> str:
    """Takes over a text that the library gave away."""
    if not pointer.value:
        return ""
    try:
        return ctypes.string_at(pointer.value).decode("utf-8", "replace")
    finally:
        library.shunt_free(pointer)

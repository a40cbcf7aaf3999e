"""Rules that decide what happens to a URL, by the engine of Shunt.

    >>> from shunt_rules import Rules
    >>> rules = Rules.parse("server { listen 80; location /old { return 301 /new; } }")
    >>> decision = rules.decide("http://www.example.com/old")
    >>> decision.kind, decision.status, decision.url
    ('redirect', 301, 'http://www.example.com/new')

`Rules` are immutable. `Store` loads them again when their files change. Both may be used by any number of threads.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import threading
import weakref
from dataclasses import dataclass, field
from datetime import datetime
from os import PathLike, fsencode
from typing import Any, Callable, Iterable, Mapping, Union

from . import _library as c

__all__ = ["Decision", "InvalidRules", "Rules", "Store", "Unavailable", "version"]

_KINDS = ("forward", "redirect", "degrade", "respond", "block", "fail")
_OK, _INVALID_RULES, _UNAVAILABLE, _TOO_SMALL = 0, 2, 3, 4

Headers = Union[Mapping[str, Union[str, bytes]], Iterable[tuple[Union[str, bytes], Union[str, bytes]]]]


class InvalidRules(ValueError):
    """Rules that are wrong: the text has every error with its line."""


class Unavailable(OSError):
    """Rules that cannot be read, or that were refused."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to happen to a request."""

    #: forward, redirect, degrade, respond, block or fail
    kind: str
    #: the status, or None without one; 444 closes the connection
    status: int | None = None
    #: where the request goes, or the Location
    url: str | None = None
    #: the path and the arguments for the request line, and the host with its port
    target: str | None = None
    authority: str | None = None
    #: the path as the rules left it, decoded
    path: str | None = None
    body: bytes | None = None
    #: for fail: what is wrong
    reason: str | None = None
    #: the place of the rule, such as rules/a.conf:3:5
    rule: str | None = None
    route: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    #: the headers for the answer, those for answers with the usual statuses only, and those for the upstream
    headers: list[tuple[str, str]] = field(default_factory=list)
    success_headers: list[tuple[str, str]] = field(default_factory=list)
    upstream_headers: list[tuple[str, str]] = field(default_factory=list)
    is_upstream: bool = False


def version() -> str:
    """The version of the library."""
    text: bytes = c.library.shunt_version()
    return text.decode()


def _bytes(text: str | bytes) -> bytes:
    # What WSGI and ASGI make of bytes, and what a program writes, are both had back.
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def _string(text: c.Text) -> str | None:
    value = text.value()
    return None if value is None else value.decode("utf-8", "surrogateescape")


class _Call:
    """The memory of one call."""

    def __init__(self) -> None:
        self.buffer = ctypes.create_string_buffer(4096)
        self.decision = c.Decision(size=ctypes.sizeof(c.Decision))


class _Calls(threading.local):
    """The memory of one thread for its next call; a call that a signal handler makes meanwhile has other memory."""

    free: _Call | None = None

    def take(self) -> _Call:
        call, self.free = self.free, None
        return call or _Call()


_calls = _Calls()


def _path(path: str | PathLike[str]) -> bytes:
    """The bytes of a path; the library would end it at a NUL byte."""
    data = fsencode(path)
    if b"\0" in data:
        raise ValueError("a path has a NUL byte")
    return data


class _Request:
    """A request, and the bytes that it points to."""

    def __init__(
        self,
        url: str | bytes,
        host: str | bytes | None,
        method: str | bytes,
        headers: Headers,
        inputs: Mapping[str, Any],
        client_address: str,
        secure: bool | None,
        port: int | None,
        http_version: int,
        time: datetime | None,
    ) -> None:
        self.kept: list[Any] = []
        if port is not None and not 0 <= port <= 65_535:
            raise ValueError(f"{port} is not a port")
        if not 0 <= http_version <= 3:
            raise ValueError(f"{http_version} is not a version of HTTP: write 0 for 1.0, 1 for 1.1, 2 or 3")
        self.request = c.Request(size=ctypes.sizeof(c.Request), http_version=http_version)
        self.request.url = self.text(url)
        if host is not None:
            self.request.host = self.text(host)
        self.request.method = self.text(method)
        pairs: list[tuple[str | bytes, str | bytes]]
        pairs = list(headers.items() if isinstance(headers, Mapping) else headers)
        self.request.headers, self.request.header_count = self.fields(pairs)
        pairs = [(name, value if isinstance(value, bytes) else str(value)) for name, value in inputs.items()]
        self.request.inputs, self.request.input_count = self.fields(pairs)
        self.request.client_address = self.text(client_address)
        if secure is not None:
            self.request.security = 2 if secure else 1
        if port is not None:
            self.request.server_port = port
        if time is not None:
            self.request.seconds = int(time.timestamp() // 1)
            self.request.nanoseconds = time.microsecond * 1000

    def text(self, value: str | bytes) -> c.Text:
        data = _bytes(value)
        self.kept.append(data)
        return _lent(data)

    def fields(self, pairs: list[tuple[str | bytes, str | bytes]]) -> tuple[Any, int]:
        if not pairs:
            return None, 0
        fields = (c.Field * len(pairs))(*(c.Field(self.text(name), self.text(value)) for name, value in pairs))
        self.kept.append(fields)
        return fields, len(pairs)


def _lent(data: bytes) -> c.Text:
    """Bytes for the library, which the caller keeps during the call."""
    return c.Text(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))


def _list(fields: Any, count: int) -> list[tuple[str, str]]:
    return [(_string(fields[index].name) or "", _string(fields[index].value) or "") for index in range(count)]


def _decision(found: c.Decision) -> Decision:
    return Decision(
        kind=_KINDS[found.kind],
        status=found.status or None,
        url=_string(found.url),
        target=_string(found.target),
        authority=_string(found.authority),
        path=_string(found.path),
        body=found.body.value(),
        reason=_string(found.reason),
        rule=f"{_string(found.file)}:{found.line}:{found.column}" if found.line else None,
        route=_string(found.route),
        parameters=dict(_list(found.parameters, found.parameter_count)),
        headers=_list(found.headers, found.header_count),
        success_headers=_list(found.success_headers, found.success_header_count),
        upstream_headers=_list(found.upstream_headers, found.upstream_header_count),
        is_upstream=found.is_upstream,
    )


class _Decider:
    """What decides: the function of the library, and what it asks."""

    _function: Any
    _handle: ctypes.c_void_p

    def decide(
        self,
        url: str | bytes,
        *,
        host: str | bytes | None = None,
        method: str | bytes = "GET",
        headers: Headers = (),
        inputs: Mapping[str, Any] | None = None,
        client_address: str = "",
        secure: bool | None = None,
        port: int | None = None,
        http_version: int = 1,
        time: datetime | None = None,
    ) -> Decision:
        """Decides about a request.

        `url` is a whole URL of any scheme, or with `host` the target of an HTTP request line. `inputs` are the values of
        `input` variables. `secure` and `port` are those of the connection, where the `listen` of the rules does not set them.
        """
        request = _Request(url, host, method, headers, inputs or {}, client_address, secure, port, http_version, time)
        call = _calls.take()
        while True:
            status = self._function(self._handle, request.request, call.buffer, len(call.buffer), call.decision)
            if status == _OK:
                decision = _decision(call.decision)
                _calls.free = call
                return decision
            if status != _TOO_SMALL:
                raise ValueError("the request has a value that the library does not take")
            call.buffer = ctypes.create_string_buffer(call.decision.needed)


class Rules(_Decider):
    """Rules that were read, checked and compiled."""

    _function = staticmethod(c.library.shunt_decide)

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        trusted: Iterable[str] = (),
        ignores_unknown: bool = False,
        counts: bool = False,
        document_root: str | None = None,
    ) -> None:
        """Loads a directory of *.conf files, one rule file, or an nginx.conf; `InvalidRules` has all errors."""
        options = _options(trusted, ignores_unknown, counts, document_root)
        name = _path(path)
        self._take(lambda handle, message: c.library.shunt_rules_load(name, options, handle, message))

    @classmethod
    def parse(cls, text: str, name: str = "rules.conf", *, counts: bool = False) -> Rules:
        """Makes rules of a text."""
        rules = cls.__new__(cls)
        content = text.encode()
        lent = _lent(content)
        options = _options((), False, counts, None)
        file = _path(name)
        rules._take(lambda handle, message: c.library.shunt_rules_parse(lent, file, options, handle, message))
        return rules

    @classmethod
    def archive(cls, files: Mapping[str, str], *, counts: bool = False) -> Rules:
        """Makes rules of files in memory: their texts by their paths in one directory."""
        rules = cls.__new__(cls)
        contents = [(name.encode(), text.encode()) for name, text in files.items()]
        lent = (c.Field * max(len(contents), 1))(*(c.Field(_lent(name), _lent(text)) for name, text in contents))
        options = _options((), False, counts, None)
        rules._take(
            lambda handle, message: c.library.shunt_rules_archive(lent, len(contents), options, handle, message)
        )
        return rules

    @classmethod
    def _adopt(cls, handle: int) -> Rules:
        rules = cls.__new__(cls)
        rules._handle = ctypes.c_void_p(handle)
        return rules

    def _take(self, load: Callable[[Any, Any], int]) -> None:
        self._handle = ctypes.c_void_p()
        message = ctypes.c_void_p()
        _check(load(ctypes.byref(self._handle), ctypes.byref(message)), message)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            c.library.shunt_rules_release(self._handle)

    def __len__(self) -> int:
        """The number of rules."""
        count: int = c.library.shunt_rules_count(self._handle)
        return count

    @property
    def hash(self) -> str:
        """The SHA-256 of the rule files."""
        return c.take_text(ctypes.c_void_p(c.library.shunt_rules_hash(self._handle)))

    def explain(
        self,
        url: str | bytes,
        *,
        host: str | bytes | None = None,
        method: str | bytes = "GET",
        headers: Headers = (),
        inputs: Mapping[str, Any] | None = None,
        client_address: str = "",
        secure: bool | None = None,
        port: int | None = None,
        http_version: int = 1,
        time: datetime | None = None,
    ) -> str:
        """The steps that lead to a decision, as `shunt explain` shows them; the arguments are those of `decide`."""
        request = _Request(url, host, method, headers, inputs or {}, client_address, secure, port, http_version, time)
        text = ctypes.c_void_p()
        _check(c.library.shunt_explain(self._handle, request.request, 0, ctypes.byref(text)), text)
        return c.take_text(text)

    def warnings(self) -> list[dict[str, Any]]:
        """The warnings about the rules."""
        return self._report(0)

    def rules(self) -> list[dict[str, Any]]:
        """Every rule with its place."""
        return self._report(1)

    def routes(self) -> list[dict[str, Any]]:
        """Every route."""
        return self._report(2)

    def hits(self) -> list[dict[str, Any]]:
        """How often each rule decided; empty unless the rules were loaded with `counts`."""
        return self._report(3)

    def _report(self, kind: int) -> list[dict[str, Any]]:
        text = ctypes.c_void_p()
        _check(c.library.shunt_rules_report(self._handle, kind, 1, ctypes.byref(text)), text)
        return [json.loads(line) for line in c.take_text(text).splitlines()]


class Store(_Decider):
    """Rules that are loaded again when their files change; wrong rules never replace good ones."""

    _function = staticmethod(c.library.shunt_store_decide)

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        on_reload: Callable[[bool, str], None] | None = None,
        watches: bool = True,
        trusted: Iterable[str] = (),
        ignores_unknown: bool = False,
        counts: bool = False,
        document_root: str | None = None,
        last_known_good: str | None = None,
    ) -> None:
        """Opens a store. `on_reload` gets whether new rules are in use, and a text about it, on a thread of the library."""
        options = _options(trusted, ignores_unknown, counts, document_root)
        options.watches = watches
        options.last_known_good = _path(last_known_good) if last_known_good else None

        def hear(_: Any, status: int, message: bytes) -> None:
            if on_reload:
                _hearing.depth += 1
                try:
                    on_reload(status == _OK, message.decode("utf-8", "replace"))
                finally:
                    _hearing.depth -= 1

        self._hear = c.RELOADED(hear)
        self._handle = ctypes.c_void_p()
        message = ctypes.c_void_p()
        status = c.library.shunt_store_open(
            _path(path), options, self._hear, None, ctypes.byref(self._handle), ctypes.byref(message)
        )
        _check(status, message)
        self._is_open = True
        self._process = os.getpid()
        _stores.add(self)

    def close(self) -> None:
        """Stops watching the files and calling `on_reload`. The rules in use stay, for threads that are deciding."""
        # The threads of the library are those of the process that opened the store; another has none to wait for.
        if self._is_open and self._process == os.getpid():
            self._is_open = False
            c.library.shunt_store_close(c.library.shunt_store_retain(self._handle))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_is_open", None) is None or self._process != os.getpid():
            return
        # The library returns to the function that hears of reloads, which this may be called by.
        if _hearing.depth > 0:
            _kept.append(self._hear)
        c.library.shunt_store_close(self._handle)

    @property
    def generation(self) -> int:
        """1 at first, one more whenever other rules come into use."""
        number: int = c.library.shunt_store_generation(self._handle)
        return number

    @property
    def rules(self) -> Rules:
        """The rules in use."""
        return Rules._adopt(c.library.shunt_store_rules(self._handle))

    @property
    def status(self) -> dict[str, Any]:
        """The status of the store."""
        text = ctypes.c_void_p()
        _check(c.library.shunt_store_status(self._handle, ctypes.byref(text)), text)
        status: dict[str, Any] = json.loads(c.take_text(text))
        return status

    def reload(self) -> str:
        """Loads the rules again; `InvalidRules` or `Unavailable` if they stay as they are for an error."""
        if self._process != os.getpid():
            raise RuntimeError("the store was opened by another process, and only that one reloads it: open one after a fork")
        message = ctypes.c_void_p()
        status = c.library.shunt_store_reload(self._handle, ctypes.byref(message))
        if status == _OK:
            return c.take_text(message)
        _check(status, message)
        return ""


class _Hearing(threading.local):
    """The calls of `on_reload` on a thread."""

    depth = 0


_hearing = _Hearing()
#: functions that stores were freed in
_kept: list[Any] = []
_stores: weakref.WeakSet[Store] = weakref.WeakSet()


def _close_all() -> None:
    """Closes the stores that are open when the program ends, so that no thread of the library calls Python after it."""
    for store in list(_stores):
        store.close()


atexit.register(_close_all)


def _options(trusted: Iterable[str], ignores_unknown: bool, counts: bool, document_root: str | None) -> c.Options:
    paths = [_path(path) for path in trusted]
    options = c.Options(size=ctypes.sizeof(c.Options), ignores_unknown=ignores_unknown, counts=counts)
    options.trusted = (ctypes.c_char_p * len(paths))(*paths) if paths else None
    options.trusted_count = len(paths)
    options.document_root = _path(document_root) if document_root else None
    return options


def _check(status: int, message: ctypes.c_void_p) -> None:
    if status == _OK:
        return
    text = c.take_text(message)
    if status == _INVALID_RULES:
        raise InvalidRules(text)
    if status == _UNAVAILABLE:
        raise Unavailable(text)
    raise ValueError("an argument is wrong")

"""Rules in front of a WSGI application (Flask, Django and others)."""

from __future__ import annotations

from typing import Any, Callable, Iterable
from urllib.parse import quote, unquote_to_bytes

from ._answers import Middleware, added, answer, reason, shown


class ShuntMiddleware(Middleware):
    """Decides about each request before the application sees it.

    Redirects, blocks, responses and failures are answered here. Other requests go on with the path and the arguments as the
    rules left them; the decision is in `environ["shunt.decision"]`. A status 444, which a WSGI application cannot obey, is 403.
    """

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        decision = self.decider(environ)(
            self._target(environ),
            host=_bytes(environ.get("HTTP_HOST") or environ.get("SERVER_NAME", "")),
            method=environ["REQUEST_METHOD"],
            headers=self._headers(environ),
            inputs=self.inputs(environ) if self.inputs else None,
            # As in nginx, a client that has no address came through a Unix socket; it is not one of this machine.
            client_address=environ.get("REMOTE_ADDR") or "unix:",
            secure=environ.get("wsgi.url_scheme") == "https",
            port=int(environ.get("SERVER_PORT") or 0) or None if self.uses_port else None,
            http_version=0 if environ.get("SERVER_PROTOCOL") == "HTTP/1.0" else 1,
        )
        environ["shunt.decision"] = decision
        found = answer(decision, environ["REQUEST_METHOD"])
        if found is not None:
            status, headers, body = found
            start_response(f"{status} {reason(status)}", [(name, _native(value)) for name, value in headers])
            return [body]
        if decision.target is not None:
            self._rewrite(environ, decision.target)

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            own = int(status.split(" ", 1)[0])
            code = shown(decision, own)
            if code != own:
                status = f"{code} {reason(code)}"
            more = [(name, _native(value)) for name, value in added(decision, code)]
            return start_response(status, headers + more, *rest)

        parts: Iterable[bytes] = self.app(environ, start)
        return parts

    @staticmethod
    def _target(environ: dict[str, Any]) -> bytes:
        """The target of the request line: as sent where the server has it, else made of its parts."""
        sent = environ.get("RAW_URI") or environ.get("REQUEST_URI")
        if sent:
            return _bytes(sent)
        path = _bytes(environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")) or b"/"
        query = _bytes(environ.get("QUERY_STRING", ""))
        return quote(path, safe="/:@!$&'()*+,;=~-._").encode() + (b"?" + query if query else b"")

    @staticmethod
    def _headers(environ: dict[str, Any]) -> list[tuple[str, bytes]]:
        names = {name: name[5:] for name in environ if name.startswith("HTTP_") and name != "HTTP_HOST"}
        names |= {name: name for name in ("CONTENT_TYPE", "CONTENT_LENGTH") if environ.get(name)}
        return [(short.replace("_", "-").title(), _bytes(environ[name])) for name, short in names.items()]

    @staticmethod
    def _rewrite(environ: dict[str, Any], target: str) -> None:
        path, _, query = _native(target).partition("?")
        decoded = unquote_to_bytes(path.encode("latin-1")).decode("latin-1")
        script = environ.get("SCRIPT_NAME", "")
        if script and (decoded == script or decoded.startswith(script + "/")):
            decoded = decoded[len(script) :]
        else:
            environ["SCRIPT_NAME"] = ""
        environ["PATH_INFO"] = decoded
        environ["QUERY_STRING"] = query
        for name in ("RAW_URI", "REQUEST_URI"):
            if name in environ:
                environ[name] = path + ("?" + query if query else "")


def _bytes(text: str) -> bytes:
    """The bytes of a string of WSGI, which has one character for each (PEP 3333)."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def _native(text: str) -> str:
    """The reverse."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")

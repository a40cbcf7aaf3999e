"""Rules in front of an ASGI application (Starlette, FastAPI, Django and others)."""

from __future__ import annotations

from typing import Any, Callable
from urllib.parse import quote, unquote_to_bytes

from . import Decision
from ._answers import Middleware, added, answer, shown


class ShuntMiddleware(Middleware):
    """Decides about each request and each WebSocket before the application sees it.

    Redirects, blocks, responses and failures are answered here; a WebSocket that is not to go on is closed. Other requests go on with
    the path and the arguments as the rules left them; the decision is in `scope["shunt.decision"]`. A status 444 is 403.
    """

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        decision = self._decide(scope)
        found = answer(decision, scope.get("method", "GET"))
        if found is not None:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            status, headers, body = found
            await send({"type": "http.response.start", "status": status, "headers": _encoded(headers)})
            await send({"type": "http.response.body", "body": body})
            return
        scope = dict(scope) | {"shunt.decision": decision}
        if decision.target is not None:
            path, _, query = decision.target.partition("?")
            raw = path.encode("utf-8", "surrogateescape")
            scope["raw_path"], scope["query_string"] = raw, query.encode("utf-8", "surrogateescape")
            scope["path"] = unquote_to_bytes(raw).decode("utf-8", "replace")
            root = scope.get("root_path", "").rstrip("/")
            if root and scope["path"] != root and not scope["path"].startswith(root + "/"):
                scope["root_path"] = ""

        async def sending(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                status = shown(decision, message["status"])
                headers = list(message.get("headers", [])) + _encoded(added(decision, status))
                message = message | {"status": status, "headers": headers}
            await send(message)

        await self.app(scope, receive, sending)

    def _decide(self, scope: dict[str, Any]) -> Decision:
        path: bytes = scope.get("raw_path") or quote(scope["path"], safe="/:@!$&'()*+,;=~-._").encode()
        query = scope.get("query_string", b"")
        headers = list(scope.get("headers", []))
        # All headers go along: with a second Host it is unknown which host is meant, and the request is refused.
        host = next((value for name, value in headers if name.lower() == b"host"), b"")
        client, server = scope.get("client"), scope.get("server")
        return self.decider(scope)(
            # Some servers have the arguments in raw_path too.
            path.split(b"?", 1)[0] + (b"?" + query if query else b""),
            host=host or (server[0] if server and server[1] else ""),
            method=scope.get("method", "GET"),
            headers=headers,
            inputs=self.inputs(scope) if self.inputs else None,
            # As in nginx, a client that has no address came through a Unix socket; it is not one of this machine.
            client_address=(client[0] if client else "") or "unix:",
            secure=scope.get("scheme") in ("https", "wss"),
            port=server[1] if server and self.uses_port else None,
            http_version=0 if scope.get("http_version") == "1.0" else 1,
        )


def _encoded(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [
        (name.lower().encode("utf-8", "surrogateescape"), value.encode("utf-8", "surrogateescape")) for name, value in headers
    ]

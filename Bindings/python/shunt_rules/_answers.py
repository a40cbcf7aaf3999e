"""What the middlewares make of a decision."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Callable, Mapping

from . import Decision, Rules, Store

#: the statuses for which nginx adds headers without `always`
_USUAL = {200, 201, 204, 206, 301, 302, 303, 304, 307, 308}


class Middleware:
    """Rules in front of an application; `inputs` returns the values of `input` variables for its environment."""

    def __init__(
        self,
        app: Callable[..., Any],
        rules: Rules | Store,
        inputs: Callable[[dict[str, Any]], Mapping[str, Any]] | None = None,
    ) -> None:
        self.app = app
        self.rules = rules
        self.inputs = inputs


def reason(status: int) -> str:
    """The reason phrase of a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Status"


def answer(decision: Decision) -> tuple[int, list[tuple[str, str]], bytes] | None:
    """The status, the headers and the body of an answer; None if the request continues."""
    headers = list(decision.headers)
    if decision.kind == "forward":
        if not decision.is_upstream:
            return None
        # Serving such a request here would open what the rules keep elsewhere.
        return 502, [("Content-Type", "text/plain")], b"the rules send this request to an upstream\n"
    status = decision.status or 302
    body = decision.body or b""
    if decision.kind in ("redirect", "degrade") or decision.kind == "respond" and decision.url:
        headers.append(("Location", decision.url or ""))
    if not body and status >= 300 and status != 304:
        body = f"{status} {reason(status)}\n".encode()
    if body and not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", "text/plain"))
    return status, headers, body


def added(decision: Decision, status: int) -> list[tuple[str, str]]:
    """The headers that the rules add to an answer of the application."""
    return decision.headers + (decision.success_headers if status in _USUAL else [])

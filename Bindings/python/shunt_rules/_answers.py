"""What the middlewares make of a decision."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Callable, Mapping

from . import Decision, Rules, Store

#: the statuses for which nginx adds headers without `always`
_USUAL = {200, 201, 204, 206, 301, 302, 303, 304, 307, 308}
#: the headers for the end of an answer, which the server adds
_FRAMING = {"connection", "content-length", "transfer-encoding"}


class Middleware:
    """Rules in front of an application.

    `rules` are the same for all requests, or a function that chooses those of each, such as a tenant's; where it returns None, the
    answer is 404. `inputs` returns the values of `input` variables for an environment. With `uses_port` a `listen` is chosen by the port of the
    server, which redirects then name; without it requests are decided as at port 80, or 443 with TLS, as they are after a proxy.
    """

    def __init__(
        self,
        app: Callable[..., Any],
        rules: Rules | Store | Callable[[dict[str, Any]], Rules | Store | None],
        inputs: Callable[[dict[str, Any]], Mapping[str, Any]] | None = None,
        *,
        uses_port: bool = False,
    ) -> None:
        self.app = app
        self.rules = rules
        self.inputs = inputs
        self.uses_port = uses_port

    def decider(self, environ: dict[str, Any]) -> Callable[..., Decision]:
        """The function that decides about a request."""
        rules = self.rules(environ) if callable(self.rules) else self.rules
        return rules.decide if rules is not None else _without_rules


def _without_rules(*_: Any, **__: Any) -> Decision:
    return Decision(kind="fail", status=404, reason="no rules are for this request")


def reason(status: int) -> str:
    """The reason phrase of a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Status"


def answer(decision: Decision, method: str) -> tuple[int, list[tuple[str, str]], bytes] | None:
    """The status, the headers and the body of an answer; None if the request continues."""
    headers = _unframed(decision.headers)
    if decision.kind == "forward":
        if not decision.is_upstream:
            return None
        # Serving such a request here would open what the rules keep elsewhere.
        status, body = 502, b"the rules send this request to an upstream\n"
    else:
        # An application cannot close a connection without an answer.
        status = 403 if decision.status == 444 else 302 if decision.kind == "degrade" else decision.status or 500
        if not 200 <= status <= 999:
            status = 500
        body = decision.body or b""
        if decision.url is not None:
            headers = [header for header in headers if header[0].lower() != "location"] + [("Location", decision.url)]
        if not body and status >= 300:
            body = f"{status} {reason(status)}\n".encode()
    if status in (204, 304):
        return status, [header for header in headers if header[0].lower() != "content-type"], b""
    if not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", "text/plain"))
    headers.append(("Content-Length", str(len(body))))
    return status, headers, b"" if method == "HEAD" else body


def shown(decision: Decision, status: int) -> int:
    """The status of an answer of the application: that of an error page where the rules lead the request to one."""
    return decision.status if decision.status and 200 <= decision.status <= 999 else status


def added(decision: Decision, status: int) -> list[tuple[str, str]]:
    """The headers that the rules add to an answer of the application."""
    return _unframed(decision.headers + (decision.success_headers if status in _USUAL else []))


def _unframed(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [header for header in headers if header[0].lower() not in _FRAMING]

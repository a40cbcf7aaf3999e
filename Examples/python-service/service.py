"""A web service whose rules are loaded again when their files change: service.py PORT."""

import sys
from pathlib import Path
from wsgiref.simple_server import make_server

from shunt_rules import Store
from shunt_rules.wsgi import ShuntMiddleware


def app(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"served {environ['PATH_INFO']}\n".encode()]


def reloaded(is_loaded, message):
    print(message if is_loaded else f"rules refused, the old ones stay: {message}", file=sys.stderr)


with Store(Path(__file__).with_name("rules"), on_reload=reloaded) as store:
    with make_server("127.0.0.1", int(sys.argv[1]), ShuntMiddleware(app, store)) as server:
        server.serve_forever()

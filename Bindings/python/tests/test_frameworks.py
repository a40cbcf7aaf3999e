"""The middlewares in front of applications of Flask and Starlette, where those are installed."""

import importlib.util
import unittest

from shunt_rules import Rules, asgi, wsgi

RULES = """
input $user_plan free;
server {
    listen 80;
    server_name shop.example;
    add_header X-Rules yes;
    rewrite ^/old/(.*)$ /items/$1?from=old last;
    location /go { return 301 /items/1; }
    location /admin { return 403; }
    location /plan { return 200 "$user_plan"; }
    location /sorry { error_page 503 /items/sorry; return 503; }
}
"""

#: path, status, a part of the body, the Location
CASES = (
    ("/items/7", 200, "item 7 from -", None),
    ("/items/a%20b", 200, "item a b from -", None),
    ("/old/7", 200, "item 7 from old", None),
    ("/go", 301, "", "http://shop.example/items/1"),
    ("/admin/x", 403, "", None),
    ("/plan", 200, "paid", None),
    ("/sorry", 503, "item sorry from -", None),
    ("/nowhere", 404, "", None),
)


def has(name):
    return importlib.util.find_spec(name) is not None


class FrameworkTests(unittest.TestCase):
    def check(self, ask):
        for path, status, part, location in CASES:
            found, headers, body = ask(path)
            self.assertEqual((found, headers.get("Location")), (status, location), path)
            self.assertIn(part, body, path)
            self.assertEqual(headers.get("X-Rules"), "yes" if status in (200, 301) else None, path)

    @unittest.skipUnless(has("flask"), "Flask is not installed")
    def test_flask(self):
        from flask import Flask, request

        app = Flask("shop")

        @app.get("/items/<name>")
        def item(name):
            self.assertEqual(request.environ["shunt.decision"].kind, "forward")
            return f"item {name} from {request.args.get('from', '-')}"

        app.wsgi_app = wsgi.ShuntMiddleware(app.wsgi_app, Rules.parse(RULES), lambda environ: {"user_plan": "paid"})
        client = app.test_client()

        def ask(path):
            answer = client.get(path, base_url="http://shop.example")
            return answer.status_code, answer.headers, answer.get_data(as_text=True)

        self.check(ask)

    @unittest.skipUnless(has("starlette") and has("httpx"), "Starlette or httpx is not installed")
    def test_starlette(self):
        from starlette.applications import Starlette
        from starlette.responses import PlainTextResponse
        from starlette.routing import Route, WebSocketRoute
        from starlette.testclient import TestClient
        from starlette.websockets import WebSocketDisconnect

        async def item(request):
            self.assertEqual(request.scope["shunt.decision"].kind, "forward")
            return PlainTextResponse(f"item {request.path_params['name']} from {request.query_params.get('from', '-')}")

        async def talk(socket):
            await socket.accept()
            await socket.send_text(socket.path_params["name"])
            await socket.close()

        app = Starlette(routes=[Route("/items/{name}", item), WebSocketRoute("/items/{name}", talk)])
        app.add_middleware(asgi.ShuntMiddleware, rules=Rules.parse(RULES), inputs=lambda scope: {"user_plan": "paid"})
        client = TestClient(app, base_url="http://shop.example", follow_redirects=False)

        def ask(path):
            answer = client.get(path)
            return answer.status_code, answer.headers, answer.text

        self.check(ask)
        with client.websocket_connect("/old/socket") as socket:
            self.assertEqual(socket.receive_text(), "socket")
        with self.assertRaises(WebSocketDisconnect):
            with client.websocket_connect("/admin/x"):
                pass


if __name__ == "__main__":
    unittest.main()

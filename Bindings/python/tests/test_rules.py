"""Tests of the package: python3 -m unittest discover Bindings/python/tests"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from datetime import datetime, timezone
from pathlib import Path
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import shunt_rules
from shunt_rules import InvalidRules, Rules, Store, version
from shunt_rules import asgi, wsgi

RULES = """
input $app_version 0;
route GET /users/:id user;
server {
    listen 80;
    server_name www.a.test;
    rewrite ^/moved/(.*)$ /here/$1 last;
    add_header X-Rules yes;
    location /old { return 301 /new; }
    location /hello { return 200 "hello $arg_name"; }
    location /version { return 200 "$app_version $http_x_name"; }
    location /admin { return 403; }
    location /close { return 444; }
    location /api { proxy_pass http://10.0.0.1:81; }
    location /sorry { error_page 503 /page; return 503; }
}
"""


class RulesTests(unittest.TestCase):
    def setUp(self):
        self.rules = Rules.parse(RULES, "a.conf", counts=True)

    def test_decisions(self):
        decision = self.rules.decide("http://www.a.test/old")
        self.assertEqual((decision.kind, decision.status), ("redirect", 301))
        self.assertEqual(decision.url, "http://www.a.test/new")
        self.assertEqual(decision.rule, "a.conf:9:21")
        decision = self.rules.decide("/hello?name=you", host="www.a.test")
        self.assertEqual((decision.kind, decision.body), ("respond", b"hello you"))
        decision = self.rules.decide("http://www.a.test/users/a%20b")
        self.assertEqual((decision.route, decision.parameters), ("user", {"id": "a b"}))
        self.assertIsNone(decision.rule)
        decision = self.rules.decide("http://www.a.test/api/x")
        self.assertEqual((decision.is_upstream, decision.authority, decision.target), (True, "10.0.0.1:81", "/api/x"))
        self.assertEqual(self.rules.decide("http://www.a.test/%zz").kind, "fail")

    def test_numbers(self):
        for more in ({"port": 70_000}, {"port": -1}, {"http_version": 256}):
            with self.assertRaises(ValueError):
                self.rules.decide("/", host="www.a.test", **more)

    def test_inputs_and_headers(self):
        decision = self.rules.decide("http://www.a.test/version", inputs={"app_version": 3.1}, headers={"X-Name": "ü"})
        self.assertEqual(decision.body.decode(), "3.1 ü")

    def test_long_answers(self):
        name = "x" * 20_000
        self.assertEqual(self.rules.decide(f"http://www.a.test/hello?name={name}").body.decode(), f"hello {name}")

    def test_times(self):
        rules = Rules.parse('if ($time < 2026-01-01T00:00:00Z) { block host a.test; }')
        for year, kind in ((2025, "block"), (2027, "forward")):
            when = datetime(year, 1, 1, tzinfo=timezone.utc)
            self.assertEqual(rules.decide("http://a.test/a", time=when).kind, kind)

    def test_archives(self):
        rules = Rules.archive({"a.conf": "include b/*.inc;\n", "b/x.inc": "block host a.test;\n"})
        self.assertEqual((len(rules), rules.decide("http://a.test/").kind), (1, "block"))
        with self.assertRaises(InvalidRules) as caught:
            Rules.archive({"a.conf": "blokc host a.test;\n"})
        self.assertIn("a.conf:1:1", str(caught.exception))

    def test_paths_with_nul_bytes(self):
        for make in (Rules, Store, lambda path: Rules(".", trusted=[path]), lambda path: Rules.parse("", path)):
            with self.assertRaisesRegex(ValueError, "NUL"):
                make("a\0b")

    def test_a_signal_handler_decides(self):
        # Whatever it interrupts has its own memory: a decision never has a part of another one.
        rules = Rules.parse('server { listen 80; location / { return 200 "$uri"; } }')
        count = 0

        def decide(*_):
            nonlocal count
            count += rules.decide("http://a.test/other").body == b"/other"

        previous = signal.signal(signal.SIGALRM, decide)
        self.addCleanup(signal.signal, signal.SIGALRM, previous)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        try:
            end = time.monotonic() + 1
            while time.monotonic() < end:
                self.assertEqual(rules.decide("http://a.test/first").body, b"/first")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.assertGreater(count, 10)

    def test_types_are_for_callers_too(self):
        self.assertTrue((Path(shunt_rules.__file__).parent / "py.typed").is_file())

    def test_wrong_rules(self):
        with self.assertRaises(InvalidRules) as caught:
            Rules.parse("server { retrun 1; }", "b.conf")
        self.assertIn("b.conf:1:10: error:", str(caught.exception))
        with self.assertRaises(InvalidRules):
            Rules("/nowhere/at/all")

    def test_reports(self):
        self.rules.decide("http://www.a.test/admin")
        self.assertEqual(len(self.rules.hash), 64)
        self.assertEqual(self.rules.routes()[0]["name"], "user")
        self.assertIn(1, [hit["hits"] for hit in self.rules.hits()])
        self.assertEqual(len(self.rules.rules()), len(self.rules) + len(self.rules.routes()))
        self.assertIn("return 301 /new", self.rules.explain("http://www.a.test/old"))
        self.assertIn("7.1", self.rules.explain("/version", host="www.a.test", inputs={"app_version": 7.1}))
        self.assertEqual(version().count("."), 2)


def resident():
    """The bytes of memory that the process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class StoreTests(unittest.TestCase):
    def test_reloads(self):
        heard = []
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.conf")
            path.write_text("block host a.test 410;\n")
            with Store(folder, on_reload=lambda *result: heard.append(result), watches=False) as store:
                self.assertEqual(store.decide("http://a.test/").status, 410)
                path.write_text("block host a.test 451;\n")
                self.assertIn("loaded version 2", store.reload())
                self.assertEqual((store.decide("http://a.test/").status, store.generation), (451, 2))
                path.write_text("blokc;\n")
                with self.assertRaises(InvalidRules):
                    store.reload()
                self.assertEqual(store.decide("http://a.test/").status, 451)
                self.assertTrue(store.status["stale"])
                rules = store.rules
            self.assertEqual(rules.decide("http://a.test/").status, 451)
        self.assertEqual([good for good, _ in heard], [True, False])

    def test_reloading_and_closing_in_a_callback(self):
        heard = []
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.conf")
            path.write_text("block host a.test 410;\n")

            def reloaded(*_):
                heard.append(store.reload())
                store.close()

            store = Store(folder, on_reload=reloaded, watches=False)
            path.write_text("block host a.test 451;\n")
            store.reload()
            while not heard:
                time.sleep(0.01)
            self.assertEqual(store.decide("http://a.test/").status, 451)
        self.assertEqual(heard, ["unchanged"])

    def test_a_store_that_is_freed_by_its_callback(self):
        # In a separate program, as the mistake would end it.
        program = """
import sys, time
from pathlib import Path
from shunt_rules import Store
path, heard, stores = Path(sys.argv[1]), [], []
for number in range(20):
    path.write_text("block host a.test 410;\\n")
    def reloaded(*_):
        stores.clear()
        heard.append(number)
    stores.append(Store(path, on_reload=reloaded, watches=False))
    path.write_text("block host a.test 451;\\n")
    stores[0].reload()
    while len(heard) <= number:
        time.sleep(0.01)
print("freed", len(heard))
"""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-c", program, str(Path(folder, "a.conf"))], capture_output=True, text=True, check=False
            )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "freed 20\n", ""))

    def test_a_program_that_ends_with_a_store(self):
        program = """
import sys
from shunt_rules import Store
store = Store(sys.argv[1], on_reload=print)
print(store.decide("http://a.test/").status)
"""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.conf").write_text("block host a.test 410;\n")
            done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "410\n", ""))

    @unittest.skipUnless(hasattr(os, "fork"), "the system has no fork")
    def test_a_process_that_was_forked(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.conf").write_text("block host a.test 410;\n")
            with Store(folder) as store:
                child = os.fork()
                if child == 0:
                    signal.alarm(20)
                    refused = False
                    try:
                        store.reload()
                    except RuntimeError:
                        refused = True
                    status = store.decide("http://a.test/").status
                    store.close()
                    os._exit(0 if refused and status == 410 else 1)
                self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_threads_under_reloads(self):
        failures = []
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.conf")
            path.write_text("block host a.test 410;\n")
            with Store(folder, watches=False, counts=True) as store:
                seconds = float(os.environ.get("SHUNT_PYTHON_SECONDS", "2"))
                middle, end = time.monotonic() + seconds / 4, time.monotonic() + seconds
                decided = [0] * 8

                def ask(seed):
                    chance = random.Random(seed)
                    while time.monotonic() < end:
                        decided[seed] += 1
                        text = "".join(chr(chance.randrange(0x21, 0x250)) for _ in range(chance.randrange(40)))
                        status = store.decide("http://a.test/" + text, headers=[("A", text)], inputs={"v": text}).status
                        if status not in (410, 451, 400):
                            failures.append(status)

                threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
                for thread in threads:
                    thread.start()
                count = 0
                memory = None
                while time.monotonic() < end:
                    if memory is None and time.monotonic() > middle:
                        memory = resident()
                    path.write_text(f"block host a.test {(410, 451)[count % 2]};\n")
                    store.reload()
                    count += 1
                for thread in threads:
                    thread.join()
                growth = resident() - (memory or 0)
        self.assertEqual(failures, [])
        self.assertGreater(count, 3)
        # A leak of a reload or of a decision would be many times as much in a long run.
        self.assertLess(growth, 32 << 20)
        if "SHUNT_PYTHON_SECONDS" in os.environ:
            print(f"{sum(decided)} decisions on 8 threads, {count} reloads, {growth >> 10} KiB more memory", file=sys.stderr)


class WSGITests(unittest.TestCase):
    def ask(self, path, query="", method="GET", rules=RULES, **more):
        options = {"uses_port": more.pop("uses_port", False)}

        def app(environ, start_response):
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}".encode()]

        environ = {"SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": method, "HTTP_HOST": "www.a.test", **more}
        setup_testing_defaults(environ)
        result = {}

        def start_response(status, headers, *_):
            result.update(status=status, headers=headers)

        middleware = wsgi.ShuntMiddleware(validator(app), rules if callable(rules) else Rules.parse(rules), **options)
        answer = validator(middleware)(environ, start_response)
        try:
            body = b"".join(answer)
        finally:
            answer.close()
        return result["status"], dict(result["headers"]), body

    def test_answers(self):
        status, headers, _ = self.ask("/old")
        self.assertEqual((status, headers["Location"]), ("301 Moved Permanently", "http://www.a.test/new"))
        self.assertEqual(self.ask("/hello", "name=you")[2], b"hello you")
        self.assertEqual(self.ask("/hello", "name=you", "HEAD")[2], b"")
        self.assertEqual(self.ask("/admin/x")[0], "403 Forbidden")
        self.assertEqual(self.ask("/close")[0], "403 Forbidden")
        self.assertEqual(self.ask("/api/x")[0], "502 Bad Gateway")

    def test_clients_without_an_address(self):
        rules = "server { listen 80; allow 127.0.0.1; deny all; }"
        self.assertEqual(self.ask("/a", rules=rules, REMOTE_ADDR="127.0.0.1")[0], "200 OK")
        for more in ({}, {"REMOTE_ADDR": ""}):
            self.assertEqual(self.ask("/a", rules=rules, **more)[0], "403 Forbidden")
        local = "server { listen 80; allow unix:; deny all; }"
        self.assertEqual(self.ask("/a", rules=local, REMOTE_ADDR="")[0], "200 OK")

    def test_headers_that_frame_an_answer(self):
        rules = """server { listen 80; add_header Content-Length 2 always; add_header Connection x always;
            add_header Location /other always; location /long { return 200 "not two"; } location /go { return 302 /new; } }"""
        status, headers, body = self.ask("/long", rules=rules)
        self.assertEqual((status, headers["Content-Length"], body), ("200 OK", "7", b"not two"))
        self.assertNotIn("Connection", headers)
        self.assertEqual(self.ask("/go", rules=rules)[1]["Location"], "http://www.a.test/new")
        status, headers, _ = self.ask("/app", rules=rules)
        self.assertEqual((status, "Content-Length" in headers, "Connection" in headers), ("200 OK", False, False))

    def test_mounted_applications(self):
        environ = {"SCRIPT_NAME": "/app"}
        for path, expected in (("/app", ("/app", "")), ("/app/x", ("/app", "/x")), ("/application", ("", "/application"))):
            changed = dict(environ)
            wsgi.ShuntMiddleware._rewrite(changed, path)
            self.assertEqual((changed["SCRIPT_NAME"], changed["PATH_INFO"]), expected)
        self.assertEqual(wsgi.ShuntMiddleware._target({"SCRIPT_NAME": "", "PATH_INFO": ""}), b"/")

    def test_bytes_of_a_target(self):
        rules = "server { listen 80; location /é { return 403; } location /x { rewrite ^ /ü last; } }"
        for raw in ("/é".encode().decode("latin-1"), "/%C3%A9"):
            self.assertEqual(self.ask("/é".encode().decode("latin-1"), rules=rules, RAW_URI=raw)[0], "403 Forbidden")
        self.assertEqual(self.ask("/x", rules=rules)[2], "/ü?".encode().decode("latin-1").encode())

    def test_ports(self):
        rules = "server { listen 80; } server { listen 8080; location /admin { return 403; } }"
        self.assertEqual(self.ask("/admin", rules=rules, SERVER_PORT="8080")[0], "200 OK")
        self.assertEqual(self.ask("/admin", rules=rules, SERVER_PORT="8080", uses_port=True)[0], "403 Forbidden")

    def test_requests_that_go_on(self):
        status, headers, body = self.ask("/moved/a b", "c=d")
        self.assertEqual((status, body, headers["X-Rules"]), ("200 OK", b"/here/a b?c=d", "yes"))

    def test_rules_of_each_request(self):
        tenants = {"a.test": Rules.parse("block host a.test 451;"), "b.test": Rules.parse("")}
        for host, status in (("a.test", "451"), ("b.test", "200"), ("c.test", "404")):
            self.assertEqual(self.ask("/x", rules=lambda environ: tenants.get(environ["HTTP_HOST"]), HTTP_HOST=host)[0][:3], status)

    def test_error_pages(self):
        status, headers, body = self.ask("/sorry")
        self.assertEqual((status, body), ("503 Service Unavailable", b"/page?"))
        self.assertNotIn("X-Rules", headers)


class ASGITests(unittest.TestCase):
    def ask(self, path, query=b"", kind="http", rules=RULES, **more):
        sent = []

        async def app(scope, receive, send):
            await send({"type": "http.response.start", "status": 200, "headers": []})
            text = f"{scope.get('root_path', '')}{scope['path']}?{scope['query_string'].decode()}"
            await send({"type": "http.response.body", "body": text.encode()})

        async def send(message):
            sent.append(message)

        scope = {
            "type": kind, "method": "GET", "path": path, "query_string": query, "http_version": "1.1", "scheme": "http",
            "headers": [(b"host", b"www.a.test")], "client": ("192.0.2.1", 5), "server": ("127.0.0.1", 80),
        }
        scope |= more
        asyncio.run(asgi.ShuntMiddleware(app, rules if callable(rules) else Rules.parse(rules))(scope, None, send))
        return sent

    def test_answers(self):
        start, body = self.ask("/hello", b"name=you")
        self.assertEqual((start["status"], body["body"]), (200, b"hello you"))
        start, _ = self.ask("/old")
        self.assertIn((b"location", b"http://www.a.test/new"), start["headers"])
        self.assertEqual(self.ask("/admin", kind="websocket"), [{"type": "websocket.close", "code": 1008}])

    def test_requests_that_go_on(self):
        start, body = self.ask("/moved/ü", b"c=d")
        self.assertEqual(body["body"].decode(), "/here/ü?c=d")
        self.assertIn((b"x-rules", b"yes"), start["headers"])
        start, body = self.ask("/sorry")
        self.assertEqual((start["status"], start["headers"], body["body"]), (503, [], b"/page?"))

    def test_clients_without_an_address(self):
        rules = "server { listen 80; allow 127.0.0.1; deny all; }"
        for client, status in ((("127.0.0.1", 5), 200), (None, 403), (("", 0), 403)):
            start, _ = self.ask("/a", rules=rules, client=client, server=("/run/app.sock", None))
            self.assertEqual(start["status"], status, client)

    def test_rules_of_each_request(self):
        rules = Rules.parse("block host www.a.test 451;")
        for path, status in (("/a", 451), ("/b", 404)):
            start, _ = self.ask(path, rules=lambda scope: rules if scope["path"] == "/a" else None)
            self.assertEqual(start["status"], status)

    def test_two_hosts(self):
        start, _ = self.ask("/a", headers=[(b"host", b"www.a.test"), (b"Host", b"b.test")])
        self.assertEqual(start["status"], 400)

    def test_mounted_applications(self):
        rules = "server { listen 80; rewrite ^/app/out$ /other last; rewrite ^/app/in$ /app/new last; }"
        for path, expected in (("/app/out", b"/other?"), ("/app/in", b"/app/app/new?"), ("/app/x", b"/app/app/x?")):
            _, body = self.ask(path, rules=rules, root_path="/app")
            self.assertEqual(body["body"], expected)


if __name__ == "__main__":
    unittest.main()

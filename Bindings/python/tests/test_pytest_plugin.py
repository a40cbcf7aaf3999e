"""Tests of the plugin of pytest, with the program that SHUNT_PROGRAM names."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

PROGRAM = os.environ.get("SHUNT_PROGRAM")

RULES = """
server { location /a { return 301 /b; } location /c { return 403; } }
expect http://h/a redirect 301 http://h/b;
expect http://h/c respond 403;
"""

REQUESTS = """
name: first
http://h/a -> redirect 301 http://h/b
name: other
http://h/c -> {expected}
"""


@unittest.skipUnless(PROGRAM, "SHUNT_PROGRAM does not name the program")
class PytestPluginTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def run_pytest(self, *words, program=PROGRAM):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--shunt-program={program}", *words]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_all_tests_of_rules(self):
        self.write("rules/a.conf", RULES)
        self.write("rules/a.requests", REQUESTS.format(expected="respond 403"))
        self.write("more/b.requests", "http://h/a -> redirect 301 http://h/b\n")
        status, text = self.run_pytest("--shunt-rules", "rules")
        self.assertEqual((status, "5 passed" in text), (0, True), text)
        status, text = self.run_pytest("--shunt-rules", "rules", "-v", "rules/a.requests", "-k", "first")
        self.assertIn("1 passed, 1 deselected", text)
        self.assertIn("rules/a.requests::3: first PASSED", text)

    def test_a_failure_has_its_place_and_both_decisions(self):
        self.write("rules/a.conf", RULES)
        self.write("rules/a.requests", REQUESTS.format(expected="redirect 301 http://h/b"))
        self.write("pytest.ini", "[pytest]\nshunt_rules = rules\n")
        status, text = self.run_pytest()
        self.assertEqual((status, "1 failed, 3 passed" in text), (1, True), text)
        for part in ("a.requests:5: failed", "expected  redirect 301 http://h/b", "found     respond 403", "a.conf:2:55"):
            self.assertIn(part, text)

    def test_rules_that_do_not_load_are_errors(self):
        self.write("rules/a.conf", "retrun 403;\n")
        self.write("rules/a.requests", REQUESTS.format(expected="respond 403"))
        status, text = self.run_pytest("--shunt-rules", "rules")
        self.assertEqual(status, 2, text)
        self.assertIn('unknown directive "retrun"', text)

    def test_a_missing_program_is_an_error(self):
        self.write("rules/a.conf", RULES)
        status, text = self.run_pytest("--shunt-rules", "rules", program="/none/shunt")
        self.assertEqual(status, 2, text)
        self.assertIn("cannot run /none/shunt: No such file or directory; see --shunt-program", text)

    def test_without_rules_nothing_is_collected(self):
        self.write("rules/a.conf", RULES)
        self.write("test_x.py", "def test_x(): pass\n")
        status, text = self.run_pytest()
        self.assertEqual((status, "1 passed" in text), (0, True), text)


if __name__ == "__main__":
    unittest.main()

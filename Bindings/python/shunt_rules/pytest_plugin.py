"""Tests of rules as tests of pytest: ``pytest --shunt-rules rules``.

Each ``expect`` of the rules, and each request of the ``.requests`` files that pytest collects, is a test. The program ``shunt`` runs
them, so that there is one reader of these files; ``--shunt-program`` names its place.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest

_REPORTS = pytest.StashKey[dict[tuple[Path, "Path | None"], list[dict[str, Any]]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("shunt")
    group.addoption(
        "--shunt-rules", action="append", metavar="RULES", help="a directory of rules, or a rule file; may be repeated"
    )
    group.addoption("--shunt-program", metavar="FILE", help="the program shunt (default: the one of PATH)")
    parser.addini("shunt_rules", "directories of rules, and rule files", type="paths", default=[])
    parser.addini("shunt_program", "the program shunt", default="shunt")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> RuleFile | None:
    config = parent.config
    path = file_path.resolve()
    for rules in _rules(config):
        is_inside = path == rules or rules.is_dir() and rules in path.parents
        if path.suffix == ".conf" and is_inside or path.suffix == ".requests" and (is_inside or len(_rules(config)) == 1):
            file = RuleFile.from_parent(parent, path=file_path)
            file.rules = rules
            return file
    return None


def _rules(config: pytest.Config) -> list[Path]:
    given = config.getoption("--shunt-rules")
    if given:
        return [(config.invocation_params.dir / path).resolve() for path in given]
    return [Path(path).resolve() for path in config.getini("shunt_rules")]


class RuleFile(pytest.File):
    """A file of rules or of requests."""

    rules: Path

    def collect(self) -> Iterator[RuleTest]:
        path = self.path.resolve()
        for test in self._report(path if path.suffix == ".requests" else None):
            file, _, line = test["place"].rpartition(":")
            if Path(file).resolve() != path:
                continue
            request = test["request"]
            shown = test.get("name") or request.get("url") or f"{request.get('host', '')}{request.get('target', '')}"
            item = RuleTest.from_parent(self, name=f"{line}: {shown}")
            item.result = test
            yield item

    def _report(self, requests: Path | None) -> list[dict[str, Any]]:
        reports = self.config.stash.setdefault(_REPORTS, {})
        key = (self.rules, requests)
        if key not in reports:
            reports[key] = self._run([str(path) for path in key if path])
        return reports[key]

    def _run(self, paths: list[str]) -> list[dict[str, Any]]:
        program = self.config.getoption("--shunt-program") or self.config.getini("shunt_program")
        command = [program, "test", "--format", "json", "--rules", *paths]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise self.CollectError(f"cannot run {program}: {error.strerror}; see --shunt-program") from error
        # 1 is that a test fails.
        if done.returncode not in (0, 1) or not done.stdout:
            raise self.CollectError(done.stderr.strip() or f"{program} ended with {done.returncode}")
        tests: list[dict[str, Any]] = json.loads(done.stdout)["tests"]
        return tests


class RuleTest(pytest.Item):
    """A test of rules; what became of it is known when it is collected."""

    result: dict[str, Any]

    def runtest(self) -> None:
        if self.result["outcome"] != "passed":
            raise RuleTestFailure(self.result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, RuleTestFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, int(self.result["place"].rpartition(":")[2]) - 1, self.name


class RuleTestFailure(AssertionError):
    """The rules decide otherwise."""

    def __init__(self, result: dict[str, Any]) -> None:
        lines = [f"{result['place']}: {result['outcome']}"]
        for problem in result.get("problems", []):
            lines.append(f"  {problem['kind']}")
            lines += [f"    {name:9} {problem[name]}" for name in ("expected", "found") if name in problem]
        rule = result.get("decision", {}).get("rule")
        if rule:
            lines.append(f"  by {rule['file']}:{rule['line']}:{rule['column']}")
        super().__init__("\n".join(lines))

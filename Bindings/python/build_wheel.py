"""Writes a wheel with the library inside: build_wheel.py LIBRARY DIRECTORY."""

import base64
import hashlib
import platform
import re
import sys
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).parent / "shunt_rules"
METADATA = """Metadata-Version: 2.1
Name: shunt-rules
Version: {version}
Summary: Rules that decide about URLs, by the engine of Shunt
Requires-Python: >=3.10
"""


def main(library: Path, directory: Path) -> Path:
    header = (PACKAGE.parents[2] / "Sources/CVersion/include/CVersion.h").read_text()
    version = re.search(r'SHUNT_VERSION "(.*)"', header).group(1)
    tag = f"py3-none-linux_{platform.machine()}"
    folder = f"shunt_rules-{version}.dist-info"
    files = {f"shunt_rules/{path.name}": path.read_bytes() for path in [*sorted(PACKAGE.glob("*.py")), PACKAGE / "py.typed"]}
    files["shunt_rules/libshunt.so"] = library.read_bytes()
    files[f"{folder}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{folder}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: shunt\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{folder}/entry_points.txt"] = b"[pytest11]\nshunt_rules = shunt_rules.pytest_plugin\n"
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")
    record.append(f"{folder}/RECORD,,")
    files[f"{folder}/RECORD"] = ("\n".join(record) + "\n").encode()
    wheel = directory / f"shunt_rules-{version}-{tag}.whl"
    wheel.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return wheel


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), Path(sys.argv[2])))

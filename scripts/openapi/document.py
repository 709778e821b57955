"""Validates an OpenAPI document and generates a client from it: DOCUMENT FOLDER.

The client is the package vestibule_client in that folder. A fault of the document, a warning of the generator, and a status
that the client lacks end it with exit 1 or a traceback.
"""

import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import yaml
from openapi_spec_validator import validate

METHODS = ("get", "head", "post", "put", "patch", "delete")


def validated(path):
    document = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    validate(document)
    print(f"valid: OpenAPI {document['openapi']}, {len(document['paths'])} paths")
    return document


def generated(path, folder):
    """The folder to import from."""
    package = Path(folder) / "vestibule_client"
    shutil.rmtree(folder, ignore_errors=True)
    Path(folder).mkdir(parents=True)
    run = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning", "--meta", "none",
         "--config", str(Path(__file__).parent / "config.yaml"), "--path", str(path), "--output-path", str(package)],
        capture_output=True, text=True, timeout=180,
    )
    if run.returncode != 0 or "arning" in run.stdout + run.stderr:
        sys.exit(f"openapi-python-client ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    # What Python warns of in the generated code has its cause in the document.
    files = list(package.rglob("*.py"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for file in files:
            compile(file.read_text(encoding="utf-8"), str(file), "exec")
    print(f"generated without warnings: {len(files)} files")
    return package


def keeps_statuses(document, package):
    """Whether each operation of the client knows each status that the document has for it."""
    modules = {file.stem.replace("_", ""): file for file in (package / "api").rglob("*.py")}
    statuses = 0
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method not in METHODS:
                continue
            name = operation["operationId"]
            assert name.lower() in modules, f"the client has no {name}"
            known = set(re.findall(r"status_code == (\d+)", modules[name.lower()].read_text(encoding="utf-8")))
            lost = set(operation["responses"]) - known
            assert not lost, f"{name} ({method} {path}) has lost {sorted(lost)}"
            statuses += len(known)
    print(f"every status is kept: {statuses}")


def client_of(path, folder):
    document = validated(path)
    keeps_statuses(document, generated(path, folder))


if __name__ == "__main__":
    client_of(*sys.argv[1:3])

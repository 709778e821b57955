#!/usr/bin/env bash
# Puts openapi-spec-validator and openapi-python-client into .build/foreign-openapi, a virtual environment, unless they are
# there; then has docs/openapi.yaml validated, and a client generated from it without a warning and with every status. Their
# versions and their dependencies' are in foreign-openapi.txt; its installed.txt is there when all of it is.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/foreign-openapi
missing() {
  echo "$1: docs/openapi.yaml is not validated, and no generated client signs in." >&2
  rm -f "$folder/installed.txt"
  [[ ${VESTIBULE_FOREIGN_REQUIRED:-} != 1 ]] || exit 1
  exit 0
}
if ! cmp -s scripts/foreign-openapi.txt "$folder/installed.txt"; then
  rm -rf "$folder"
  mkdir -p .build
  if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
    missing "No Python 3 with venv (apt-get install python3-venv)"
  fi
  "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/foreign-openapi.txt \
    || missing "The validator and the generator can't be had from PyPI"
  cp scripts/foreign-openapi.txt "$folder/installed.txt"
  echo "Installed: $folder (openapi-spec-validator, openapi-python-client)"
fi
PYTHONDONTWRITEBYTECODE=1 "$folder/bin/python" scripts/openapi/document.py docs/openapi.yaml "$folder/client"

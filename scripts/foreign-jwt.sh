#!/usr/bin/env bash
# Puts PyJWT and joserfc into .build/foreign-jwt, a virtual environment, unless they are there: the tests have them verify
# this server's tokens. Their versions and their dependencies' are in foreign-jwt.txt. WITHOUT_FOREIGN_JWT=1 goes without
# them, and skips that test.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/foreign-jwt
if [[ ${WITHOUT_FOREIGN_JWT:-} == 1 ]]; then
  echo "WITHOUT_FOREIGN_JWT=1: no foreign library verifies tokens." >&2
  exit 0
fi
cmp -s scripts/foreign-jwt.txt "$folder/installed.txt" && exit 0
rm -rf "$folder"
mkdir -p .build
if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
  echo "No Python 3 with venv, so that no foreign library could verify tokens: apt-get install python3-venv, or go without" >&2
  echo "by WITHOUT_FOREIGN_JWT=1." >&2
  exit 1
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/foreign-jwt.txt
cp scripts/foreign-jwt.txt "$folder/installed.txt"
echo "Installed: $folder (PyJWT, joserfc)"

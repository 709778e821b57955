#!/usr/bin/env bash
# Puts PyJWT and joserfc into .build/foreign-jwt, a virtual environment, unless they are there: the tests have them verify
# this server's tokens. Their versions and their dependencies' are in foreign-jwt.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/foreign-jwt
cmp -s scripts/foreign-jwt.txt "$folder/installed.txt" && exit 0
rm -rf "$folder"
mkdir -p .build
if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
  echo "No Python 3 with venv (apt-get install python3-venv): no foreign library verifies tokens." >&2
  [[ ${VESTIBULE_FOREIGN_REQUIRED:-} != 1 ]] || exit 1
  exit 0
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/foreign-jwt.txt
cp scripts/foreign-jwt.txt "$folder/installed.txt"
echo "Installed: $folder (PyJWT, joserfc)"

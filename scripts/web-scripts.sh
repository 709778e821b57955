#!/usr/bin/env bash
# Parses the browsers' scripts, and holds them to a few rules (scripts/web-scripts.py). The parser is in .build/web-scripts,
# a virtual environment with what web-scripts.txt names. Without it nothing would be checked: then this fails.
#
#   scripts/web-scripts.sh [FOLDER]    the scripts of another folder than Sources/Web/scripts
set -euo pipefail
scripts=${1:-Sources/Web/scripts}
[[ $scripts == /* ]] || scripts=$(dirname "$0")/../$scripts
scripts=$(cd "$scripts" && pwd)
cd "$(dirname "$0")/.."
folder=.build/web-scripts
if ! cmp -s scripts/web-scripts.txt "$folder/installed.txt"; then
  rm -rf "$folder"
  mkdir -p .build
  if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
    echo "No Python 3 with venv (apt-get install python3-venv): the scripts of pages can't be checked." >&2
    exit 1
  fi
  "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/web-scripts.txt
  cp scripts/web-scripts.txt "$folder/installed.txt"
fi
PYTHONDONTWRITEBYTECODE=1 "$folder/bin/python" scripts/web-scripts.py "$scripts"

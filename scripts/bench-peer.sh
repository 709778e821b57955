#!/usr/bin/env bash
# Puts FastAPI, uvicorn and what they need into .build/peer, a virtual environment, unless they are there: the row "peer" of
# `make bench` loads them. Their versions are in Benchmarks/peer/requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/peer
cmp -s Benchmarks/peer/requirements.txt "$folder/installed.txt" && exit 0
scripts/packages.sh python3-venv
rm -rf "$folder"
mkdir -p .build
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r Benchmarks/peer/requirements.txt
cp Benchmarks/peer/requirements.txt "$folder/installed.txt"
echo "Installed: $folder (FastAPI, uvicorn)"

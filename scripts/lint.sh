#!/usr/bin/env bash
# The format, strictly, the scripts of pages, the architecture, the threats and their tests, and whether the scripts notice what they are for.
set -euo pipefail
cd "$(dirname "$0")/.."
"${SWIFT:-swift}" format lint --strict --recursive --parallel Package.swift Sources Tests Mocks Benchmarks Examples
echo "format: clean"
scripts/web-scripts.sh
scripts/web-scripts.sh Examples/web
scripts/check-architecture.sh
scripts/check-threats.sh
scripts/test-scripts.sh

#!/usr/bin/env bash
# The format, strictly, and the architecture.
set -euo pipefail
cd "$(dirname "$0")/.."
swift format lint --strict --recursive --parallel Package.swift Sources Tests Mocks Benchmarks
echo "format: clean"
scripts/check-architecture.sh

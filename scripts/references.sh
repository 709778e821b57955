#!/usr/bin/env bash
# Writes docs/reference and config/vestibule.yaml again, as the program prints them. Tests hold the files to it.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
checked=(--explicit-target-dependency-import-check error)
"$swift" build --build-tests -debug-info-format none "${checked[@]}"
VESTIBULE_WRITE_REFERENCES=1 "$swift" test --skip-build --disable-xctest "${checked[@]}" \
  --filter 'VestibuleTests\.CommandLineReferenceTests|HTTPAPITests\.(ReferenceTests|AuthorizationMatrixTests)|SettingsTests\.SettingsShippedTests'
echo "docs/reference: written"

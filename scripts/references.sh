#!/usr/bin/env bash
# Writes docs/reference and config/vestibule.yaml again, as the program prints them. Tests hold the files to it.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
source scripts/build-flags.sh
"$swift" build --build-tests --disable-xctest "${build_flags[@]}"
VESTIBULE_WRITE_REFERENCES=1 "$swift" test --skip-build --disable-xctest "${build_flags[@]}" \
  --filter 'VestibuleTests\.CommandLineReferenceTests|HTTPAPITests\.(ReferenceTests|AuthorizationMatrixTests)|SettingsTests\.SettingsShippedTests'
echo "docs/reference: written"

#!/usr/bin/env bash
# Runs the `sh` blocks of README.md and of the guides as a reader who pastes them: each page by itself, against a daemon and
# a mock that scripts/demo.sh has just started on free ports. scripts/doc-tests.py has the rules. Prints how many commands ran,
# and which blocks did not run and why. Ends with an error if a block fails or does not print what the page shows.
#
#   scripts/doc-tests.sh [PAGE...]   these pages alone
#   STORY_BIN=FOLDER                 binaries that are there already; nothing is built
set -euo pipefail
pages=()
for page in "$@"; do pages+=("$(realpath "$page")"); done
cd "$(dirname "$0")/.."
scripts/packages.sh curl jq openssl sqlite3 python3
bin=${STORY_BIN:-}
if [[ -z $bin ]]; then
  scripts/toolchain.sh
  swift=${SWIFT:-swift}
  echo "Building (a first build takes some minutes)…"
  source scripts/build-flags.sh
  for product in vestibule authid-mock bank-mock upstream-mock sample-backend; do "$swift" build --product "$product" "${build_flags[@]}"; done
  bin=$("$swift" build --show-bin-path)
fi
[[ ${#pages[@]} -gt 0 ]] || pages=("$PWD/README.md" "$PWD"/docs/guide/*.md)
PYTHONDONTWRITEBYTECODE=1 exec python3 scripts/doc-tests.py "$bin" "${pages[@]}"

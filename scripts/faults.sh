#!/usr/bin/env bash
# `make faults`: every fault of the mock × {begin, check, webhook} × {1, 64 clients}, against the real programs.
#
# Prints the table and ends with 1 when anybody was let in or turned away for a fault. What was run last is recorded in
# docs/faults.md.
set -euo pipefail
cd "$(dirname "$0")/.."
SWIFT=${SWIFT:-swift}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$SWIFT" build --build-tests --explicit-target-dependency-import-check error
code=0
VESTIBULE_FAULTS=all "$SWIFT" test --skip-build --disable-xctest --filter 'EndToEnd.(FaultMatrix|OutageStories)' "$@" >"$log" 2>&1 || code=$?
echo "| fault | call | clients | logins ended | recovery | checks by webhooks | false successes | false failures |"
echo "|---|---|---|---|---|---|---|---|"
grep -E '^\| [a-z]' "$log" | sort -t'|' -k3,3 -k2,2 -k4,4n || true
cells=$(grep -cE '^\| [a-z]' "$log" || true)
echo "$cells of 78 cells"
if ((code != 0)); then
    grep -E '^✘|recorded an issue' "$log" | tail -20 >&2
    exit 1
fi

#!/usr/bin/env bash
# Runs a build with the commit of this tree, and its date, in the program; the source is as before when it is over.
#
#   scripts/stamp-build.sh swift build -c release --product vestibule
#
# The date is the commit's, so that the same commit gives the same program. A tree with changes says COMMIT-modified.
set -euo pipefail
[[ $# -gt 0 ]] || { sed -n '2,6p' "$0" >&2; exit 64; }
# The command may name files from where it is called.
file=$(cd "$(dirname "$0")/.." && pwd)/Sources/Assembly/BuildStamp.swift
tree=${file%/Sources/*}
commit=$(git -C "$tree" rev-parse HEAD)
[[ -z $(git -C "$tree" status --porcelain --untracked-files=no) ]] || commit+=-modified
# In UTC, so that the clock of the machine that committed does not show.
date=$(TZ=UTC git -C "$tree" log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)
kept=$(mktemp)
cp -p "$file" "$kept"
trap 'cp -p "$kept" "$file"; rm -f "$kept"' EXIT
sed -i -E "s|(let commit = )\"[^\"]*\"|\1\"$commit\"|; s|(let date = )\"[^\"]*\"|\1\"$date\"|" "$file"
grep -q "\"$commit\"" "$file" && grep -q "\"$date\"" "$file" || { echo "stamp-build: $file has no place for it" >&2; exit 74; }
"$@"

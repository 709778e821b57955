#!/usr/bin/env bash
# Runs a build with the version and the commit of this tree, and its date, in the program; the source is as before when it is over.
#
#   scripts/stamp-build.sh swift build -c release --product vestibule
#   scripts/stamp-build.sh --version    prints the version and builds nothing
#
# The version is the commit's tag (v0.1.0 gives 0.1.0), or else the source's next one with the commit: 0.1.0-dev+72dd9d94fb00.
# The date is the commit's, so that the same commit gives the same program. A tree with changes says COMMIT-modified, and is
# no tag's.
#
#   STAMP_VERSION=0.1.0   a version that has no tag yet; scripts/release.sh sets it
set -euo pipefail
[[ $# -gt 0 ]] || { sed -n '2,11p' "$0" >&2; exit 64; }
# The command may name files from where it is called.
file=$(cd "$(dirname "$0")/.." && pwd)/Sources/Assembly/BuildStamp.swift
tree=${file%/Sources/*}
commit=$(git -C "$tree" rev-parse HEAD)
version=$(sed -nE 's/.*let version = "([^"]*)".*/\1/p' "$file")
if [[ -n $(git -C "$tree" status --porcelain --untracked-files=no) ]]; then
  version+=+${commit:0:12}.modified
  commit+=-modified
elif [[ -n ${STAMP_VERSION:-} ]]; then
  version=$STAMP_VERSION
elif tag=$(git -C "$tree" describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null); then
  version=${tag#v}
else
  version+=+${commit:0:12}
fi
[[ $1 != --version ]] || { echo "$version"; exit; }
# In UTC, so that the clock of the machine that committed does not show.
date=$(TZ=UTC git -C "$tree" log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)
kept=$(mktemp)
cp -p "$file" "$kept"
trap 'cp -p "$kept" "$file"; rm -f "$kept"' EXIT
for stamp in "version=$version" "commit=$commit" "date=$date"; do
  sed -i -E "s|(let ${stamp%%=*} = )\"[^\"]*\"|\1\"${stamp#*=}\"|" "$file"
  grep -q "let ${stamp%%=*} = \"${stamp#*=}\"" "$file" || { echo "stamp-build: $file has no place for the ${stamp%%=*}" >&2; exit 74; }
done
"$@"

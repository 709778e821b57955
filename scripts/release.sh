#!/usr/bin/env bash
# `make release VERSION=0.1.0`: checks that this commit can be released, runs the tests, and leaves the packages and their sums
# in dist/. It changes no file of the tree, makes no tag and pushes nothing: at its end it says the commands that do.
#
# Every check that fails is told at once, before the tests. docs/guide/develop.md says what a release takes.
#
#   RELEASE_CHECK_ONLY=1   the checks, no more
set -euo pipefail
cd "$(dirname "$0")/.."
version=${VERSION:-}
if [[ -z $version ]]; then
  echo "Say which version: make release VERSION=0.1.0. docs/guide/develop.md says what a release takes." >&2
  exit 64
fi
number='(0|[1-9][0-9]*)'
if [[ ! $version =~ ^$number\.$number\.$number(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$ ]]; then
  echo "release: “$version” is no version: it has three numbers like 0.1.0, or also a mark like 0.1.0-rc.1." >&2
  exit 64
fi
next=${version%%-*}
findings=()

[[ -z $(git status --porcelain) ]] || findings+=("The tree has changes or files that git does not know: commit or remove them.")
branch=$(git symbolic-ref --quiet --short HEAD || echo "no branch")
[[ $branch == main ]] || findings+=("This is $branch: releases are made of main.")

source_version=$(sed -nE 's/.*let version = "([^"]*)".*/\1/p' Sources/Assembly/BuildStamp.swift)
[[ $source_version == "$next-dev" ]] \
  || findings+=("Sources/Assembly/BuildStamp.swift says $source_version: write $next-dev there.")
document_version=$(sed -nE '/^info:/,/^[^ ]/ s/^  version: *//p' docs/openapi.yaml)
[[ $document_version == "$next" ]] || findings+=("docs/openapi.yaml says $document_version: write $next there.")

heading=$(grep -m 1 -F "## [$version]" CHANGELOG.md || true)
newest=$(grep -E '^## \[[0-9]' CHANGELOG.md | head -1 || true)
day=${heading#"## [$version] - "}
if [[ -z $heading ]]; then
  findings+=("CHANGELOG.md has no section $version: call the unreleased one “## [$version] - $(date -u +%F)”.")
elif [[ $heading != "$newest" ]]; then
  findings+=("CHANGELOG.md has $version below “${newest#\#\# }”: the newest version is the first.")
elif [[ ! $day =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || ! date -u -d "$day" >/dev/null 2>&1; then
  findings+=("CHANGELOG.md has no day for $version: write “## [$version] - $(date -u +%F)”.")
elif [[ $day > $(date -u +%F) ]]; then
  findings+=("CHANGELOG.md dates $version to $day, which is not yet.")
fi

tag=v$version
if git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null; then
  findings+=("The tag $tag is there already: a released version is not released again.")
elif git remote get-url origin >/dev/null 2>&1; then
  if ! tags=$(GIT_TERMINAL_PROMPT=0 timeout 20 git ls-remote --tags origin "refs/tags/$tag" 2>/dev/null); then
    findings+=("origin does not answer whether it has the tag $tag: look at the network or at git remote.")
  elif [[ -n $tags ]]; then
    findings+=("origin has the tag $tag already: a released version is not released again.")
  fi
fi

if [[ ${#findings[@]} -gt 0 ]]; then
  printf 'release: %s\n' "${findings[@]}" >&2
  exit 1
fi
commit=$(git rev-parse HEAD)
echo "$version can be released of commit $commit."
[[ -z ${RELEASE_CHECK_ONLY:-} ]] || exit 0

scripts/test.sh
[[ -z $(git status --porcelain) && $(git rev-parse HEAD) == "$commit" ]] \
  || { echo "release: the tree was changed while the tests ran: begin again." >&2; exit 1; }
STAMP_VERSION=$version scripts/package.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dpkg-deb -x dist/vestibule_*.deb "$work"
said=$("$work/usr/bin/vestibule" version --json)
[[ $said == *"\"$commit\""* && $said == *"\"$version\""* ]] \
  || { echo "release: the packaged program says $said, not $version of $commit." >&2; exit 1; }
(cd dist && sha256sum --check --quiet SHA256SUMS)
cat <<TEXT

dist/ has $version. Next:

  sudo scripts/try-package.sh                  install, upgrade and remove it in a fresh Debian
  sudo scripts/try-container.sh                build and run the image
  git tag -a $tag -m "Vestibule $version"
  git push origin main $tag
  then publish the files of dist/, and begin the next version in BuildStamp.swift, docs/openapi.yaml and CHANGELOG.md
TEXT

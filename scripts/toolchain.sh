#!/usr/bin/env bash
# Says what is wrong with the Swift toolchain, if anything is.
set -euo pipefail
swift=${SWIFT:-swift}
if ! command -v "$swift" >/dev/null; then
  echo "There is no $swift on the PATH. Install a Swift 6.2 or later toolchain (https://www.swift.org/install/linux)." >&2
  exit 1
fi
version=$("$swift" --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p' | head -1)
read -r major minor <<<"${version:-0 0}"
if ((major < 6 || (major == 6 && minor < 2))); then
  echo "Swift $major.$minor is too old; Vestibule needs 6.2 or later (https://www.swift.org/install/linux)." >&2
  exit 1
fi

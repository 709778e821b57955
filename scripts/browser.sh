#!/usr/bin/env bash
# Makes ready what drives the pages in a real browser: Debian's chromium and chromium-driver, and Selenium in
# .build/browser, a virtual environment. Its version and its dependencies' are in browser.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/browser
missing() {
  echo "$1: no browser drives the pages." >&2
  [[ ${VESTIBULE_FOREIGN_REQUIRED:-} != 1 ]] || exit 1
  exit 0
}
# Ubuntu has it as a snap alone, which can't read a profile below /tmp.
if [[ $(readlink -f "$(command -v chromium || true)") == */snap ]]; then
  rm -rf "$folder"
  missing "Chromium is a snap"
fi
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
  grep -qxE 'ID=debian' /etc/os-release 2>/dev/null \
    || missing "No chromium with a chromedriver (Debian: apt-get install chromium chromium-driver)"
  scripts/packages.sh chromium chromium-driver || missing "Chromium and its driver can't be installed"
fi
cmp -s scripts/browser.txt "$folder/installed.txt" && exit 0
rm -rf "$folder"
mkdir -p .build
if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
  missing "No Python 3 with venv (apt-get install python3-venv)"
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/browser.txt
cp scripts/browser.txt "$folder/installed.txt"
echo "Installed: $folder (Selenium)"

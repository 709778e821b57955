#!/usr/bin/env bash
# Makes ready what drives the pages in a real browser: Debian's chromium and chromium-driver, and Selenium and axe-core in
# .build/browser, a virtual environment whose versions and dependencies are those of browser.txt. Its installed.txt is
# there when all of it is; where it can't be, this says what to install, and the tests go on without.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/browser
missing() {
  echo "$1: no browser drives the pages." >&2
  rm -f "$folder/installed.txt"
  [[ ${VESTIBULE_FOREIGN_REQUIRED:-} != 1 ]] || exit 1
  exit 0
}
has_chromium() { command -v chromium >/dev/null && command -v chromedriver >/dev/null; }
is_snap() { [[ $(command -v chromium) == /snap/* || $(readlink -f "$(command -v chromium)") == */snap ]]; }
if grep -qxE 'ID="?debian"?' /etc/os-release 2>/dev/null; then
  has_chromium || scripts/packages.sh chromium chromium-driver \
    || missing "No chromium with a chromedriver (as root: apt-get install chromium chromium-driver)"
fi
has_chromium || missing "No chromium with a chromedriver, which are installed by themselves on Debian alone"
# Ubuntu has it as a snap alone, which can't read a profile below /tmp.
! is_snap || missing "This chromium is a snap; install one that is none, with its chromedriver"
cmp -s scripts/browser.txt "$folder/installed.txt" && exit 0
rm -rf "$folder"
mkdir -p .build
if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
  missing "No Python 3 with venv (apt-get install python3-venv)"
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/browser.txt \
  || missing "Selenium and axe-core can't be had from PyPI"
cp scripts/browser.txt "$folder/installed.txt"
echo "Installed: $folder (Selenium, axe-core)"

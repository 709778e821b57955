#!/usr/bin/env bash
# Puts aiosmtpd, a real SMTP server, into .build/mail-server, a virtual environment, unless it is there: the tests of mail
# deliver to it. Its version and its dependencies' are in mail-server.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/mail-server
cmp -s scripts/mail-server.txt "$folder/installed.txt" && exit 0
rm -rf "$folder"
mkdir -p .build
if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
  echo "The tests of mail need Python 3 with venv: apt-get install python3-venv" >&2
  exit 1
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/mail-server.txt
cp scripts/mail-server.txt "$folder/installed.txt"
echo "Installed: $folder (aiosmtpd)"

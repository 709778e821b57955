#!/usr/bin/env bash
# Puts Authlib, requests-oauthlib, oauthlib and idpyoidc into .build/foreign-oauth, a virtual environment, unless they are
# there: the tests have them sign in at this server. Their versions and their dependencies' are in foreign-oauth.txt; its
# installed.txt is there when all of it is.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build/foreign-oauth
missing() {
  echo "$1: no foreign client signs in." >&2
  rm -f "$folder/installed.txt"
  [[ ${VESTIBULE_FOREIGN_REQUIRED:-} != 1 ]] || exit 1
  exit 0
}
cmp -s scripts/foreign-oauth.txt "$folder/installed.txt" && exit 0
rm -rf "$folder"
mkdir -p .build
if ! command -v python3 >/dev/null || ! python3 -m venv "$folder"; then
  missing "No Python 3 with venv (apt-get install python3-venv)"
fi
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r scripts/foreign-oauth.txt \
  || missing "The clients can't be had from PyPI"
cp scripts/foreign-oauth.txt "$folder/installed.txt"
echo "Installed: $folder (Authlib, requests-oauthlib, oauthlib, idpyoidc)"

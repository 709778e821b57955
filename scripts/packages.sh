#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages named as arguments, those that are missing; without root or apt it says which.
set -euo pipefail
missing=()
for package in "$@"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0
order="apt-get update && apt-get install -y ${missing[*]}"
if ! command -v apt-get >/dev/null; then
  echo "These packages are missing and this is no Debian or Ubuntu: ${missing[*]}. Install their counterparts." >&2
  exit 1
fi
if [[ $(id -u) -eq 0 ]]; then
  elevate=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  elevate=(sudo)
else
  echo "These packages are missing: ${missing[*]}. Run as root: $order" >&2
  exit 1
fi
# The server's package makes a cluster and starts it unless it is told. The tests start servers of their own.
if [[ " ${missing[*]} " == *" postgresql "* ]]; then
  clusters=/etc/postgresql-common/createcluster.d/vestibule-tests.conf
  trap '"${elevate[@]}" rm -f "$clusters"' EXIT
  "${elevate[@]}" mkdir -p "${clusters%/*}"
  echo 'create_main_cluster = false' | "${elevate[@]}" tee "$clusters" >/dev/null
fi
echo "Installing: ${missing[*]}"
"${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 update -qq
"${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 install -y -qq "${missing[@]}" >/dev/null

#!/usr/bin/env bash
# Puts Debian's promtool into .build/tools, unless there is one: the package's one program, and not the package, which
# would start a Prometheus on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v promtool >/dev/null && exit 0
[[ -x .build/tools/promtool ]] && exit 0
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  echo "There is no promtool, and this is no Debian or Ubuntu: install Prometheus' promtool to have the metrics checked." >&2
  exit 0
fi
mkdir -p .build/tools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# _apt downloads, if it may write there.
chmod 755 "$work"
download() { (cd "$work" && apt-get download -qq prometheus >/dev/null 2>&1); }
if ! download; then
  elevate=()
  [[ $(id -u) -eq 0 ]] || elevate=(sudo -n)
  "${elevate[@]}" apt-get update -qq || true
  download || { echo "Debian's package prometheus can't be downloaded; the metrics go unchecked by promtool." >&2; exit 0; }
fi
dpkg-deb --fsys-tarfile "$work"/prometheus_*.deb | tar -x -C "$work" ./usr/bin/promtool
mv "$work/usr/bin/promtool" .build/tools/promtool
echo "Installed: .build/tools/promtool"

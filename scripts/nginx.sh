#!/usr/bin/env bash
# Prints the path of an nginx. Without one it puts Debian's into .build/tools first: the package's one program, and not the
# package, which would start a server on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
for program in nginx /usr/sbin/nginx "$PWD/.build/tools/nginx"; do
  command -v "$program" && exit 0
done
missing() { echo "There is no nginx, and $1. Install nginx." >&2; exit 1; }
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then missing "this is no Debian or Ubuntu"; fi
mkdir -p .build/tools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# _apt downloads, if it may write there.
chmod 755 "$work"
download() { (cd "$work" && apt-get download -qq nginx >/dev/null 2>&1); }
if ! download; then
  elevate=()
  [[ $(id -u) -eq 0 ]] || elevate=(sudo -n)
  "${elevate[@]}" apt-get update -qq >&2 || true
  download || missing "the package nginx can't be downloaded"
fi
dpkg-deb --fsys-tarfile "$work"/nginx_*.deb | tar -x -C "$work" ./usr/sbin/nginx
mv "$work/usr/sbin/nginx" .build/tools/nginx
echo "Installed: .build/tools/nginx" >&2
.build/tools/nginx -v 2>/dev/null || missing "the one of the package does not run here"
echo "$PWD/.build/tools/nginx"

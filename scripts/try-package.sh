#!/usr/bin/env bash
# Tries the .deb of `make package` in a fresh Debian 12 (debootstrap, in a folder that is removed again): installs an earlier
# build, signs in against the packaged mock, upgrades over its data, signs in again, removes, purges. Needs root and Debian's
# archive. The unit's own command line starts the daemon, as its user: no systemd runs in a folder.
#
#   scripts/try-package.sh [DEB]    a package other than dist/*.deb
#   TRY_ROOT=FOLDER                 a Debian 12 that is there already, as debootstrap makes it; it is changed, and kept
set -euo pipefail
cd "$(dirname "$0")/.."
deb=$(realpath "${1:-$(ls dist/vestibule_*.deb)}")
[[ $(id -u) -eq 0 ]] || { echo "try-package: only root can change the root folder: run it with sudo." >&2; exit 64; }
root=${TRY_ROOT:-}
work=$(mktemp -d)
pids=()
finish() {
  local status=$?
  trap - EXIT INT TERM
  [[ ${#pids[@]} -eq 0 ]] || kill "${pids[@]}" 2>/dev/null || true
  wait
  for mount in dev proc; do mountpoint -q "$root/$mount" && umount "$root/$mount"; done
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM
fail() { echo "try-package: $*" >&2; exit 1; }
step() { printf '\n== %s\n' "$*"; }
entered=(chroot ROOT env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/var/lib/vestibule DEBIAN_FRONTEND=noninteractive)
inside() { "${entered[@]}" "$@"; }
user=(setpriv --reuid=vestibule --regid=vestibule --clear-groups)
# background LOG COMMAND...: as the package's user; the process is the command itself, so that it can be told to stop.
background() {
  (exec "${entered[@]}" "${user[@]}" "${@:2}" >"$1" 2>&1) &
  pids+=($!)
}

if [[ -z $root ]]; then
  root=$work/root
  scripts/packages.sh debootstrap
  step "a fresh Debian 12"
  debootstrap --variant=minbase --include=ca-certificates,adduser bookworm "$root" >"$work/debootstrap.log" 2>&1 \
    || { tail -5 "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
fi
entered[1]=$root
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
grep -q localhost "$root/etc/hosts" 2>/dev/null || echo "127.0.0.1 localhost" >>"$root/etc/hosts"

# The same files under a lower version stand for the build before this one.
dpkg-deb -R "$deb" "$work/earlier"
sed -i -E 's/^Version: (.*)/Version: \1~earlier/' "$work/earlier/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip --build "$work/earlier" "$root/tmp/earlier.deb" >/dev/null
cp "$deb" "$root/tmp/vestibule.deb"

step "installation"
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /tmp/earlier.deb 2>&1 | tail -6
[[ $(inside stat -c '%a %U' /var/lib/vestibule) == "700 vestibule" ]] || fail "the data folder is not the user's alone"
[[ $(inside stat -c '%a %U %G' /etc/vestibule) == "750 root vestibule" ]] || fail "/etc/vestibule has other modes"
inside vestibule version --json
grep -qx 'StateDirectory=vestibule-%i' "$root/lib/systemd/system/vestibule@.service" || fail "there is no unit for several daemons"
! grep -q '^LoadCredential=' "$root"/lib/systemd/system/vestibule*.service || fail "a unit needs files that are not there"
inside test -e /usr/share/man/man1/vestibule.1.gz || fail "there is no manual"
! inside ldd /usr/bin/vestibule | grep -q 'not found' || fail "a library is missing: the Depends are not all"

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
mock=$(free_port)
# The laptop's config, whose provider is the mock; it names a file beside it.
inside install -m 640 -g vestibule /usr/share/doc/vestibule/examples/vestibule.yaml /etc/vestibule/vestibule.yaml
inside cp -r /usr/share/doc/vestibule/examples/providers /etc/vestibule/
started=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/vestibule.service" | sed 's#%S#/var/lib#')

settings=(
  VESTIBULE_LISTEN__PORT="$port" VESTIBULE_PUBLICURL="http://localhost:$port" VESTIBULE_PROVIDERS__MOCK__BASEURL="http://127.0.0.1:$mock"
)
serve() {
  # shellcheck disable=SC2086 # a command line
  background "$work/daemon.log" env "${settings[@]}" $started
  for _ in $(seq 1 100); do
    inside vestibule health --url "http://127.0.0.1:$port" >/dev/null 2>&1 && return
    sleep 0.1
  done
  cat "$work/daemon.log" >&2
  fail "the daemon of “$started” is not ready"
}
stop() {
  kill -TERM "${pids[-1]}"
  wait "${pids[-1]}" || fail "the daemon did not stop in order: $(tail -3 "$work/daemon.log")"
  unset 'pids[-1]'
}
sign_in() {
  inside "${user[@]}" vestibule login --email accept@example.com --scripted \
    --server "http://127.0.0.1:$port" --store /tmp/login.json | tail -3
}

step "a login: $started"
background "$work/mock.log" /usr/lib/vestibule/authid-mock --port "$mock"
serve
inside "${user[@]}" env "${settings[@]}" \
  vestibule accounts add --email accept@example.com --name "A Person" --enroll mock \
  --config /etc/vestibule/vestibule.yaml --data /var/lib/vestibule
sign_in
stop

step "upgrade over the data"
inside apt-get install -y -qq --no-install-recommends /tmp/vestibule.deb 2>&1 | tail -3
serve
sign_in
stop

step "removal and purge keep the data"
inside apt-get remove -y -qq vestibule 2>&1 | tail -1
! inside test -e /usr/bin/vestibule || fail "the program is still there"
inside apt-get purge -y -qq vestibule 2>&1 | tail -1
inside test -e /var/lib/vestibule/vestibule.sqlite || fail "the purge deleted the database"

step "purge that is told to delete"
kill "${pids[@]}" # the mock runs as the user that goes
wait
pids=()
inside apt-get install -y -qq --no-install-recommends /tmp/vestibule.deb >/dev/null 2>&1
inside env VESTIBULE_PURGE_DATA=yes apt-get purge -y -qq vestibule 2>&1 | tail -1
! inside test -e /var/lib/vestibule || fail "the data is still there"
! inside getent passwd vestibule >/dev/null || fail "the user is still there"
printf '\nThe package was installed, upgraded, removed and purged.\n'

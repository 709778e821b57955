#!/usr/bin/env bash
# Tries the container recipe of `make package`: builds the image with podman, without an engine and without a registry, runs it
# with a read-only root as its own user on one volume, and signs in twice against the packaged mock, the second time after a
# restart. Needs root and Debian's archive. Images and containers are in a folder that is removed again.
#
#   scripts/try-container.sh [DIST]    a folder other than dist, with the .deb, the archive and Containerfile
#   TRY_BASE=IMAGE                     the recipe's own base or another one, from a registry, in place of a debootstrap
#   TRY_ROOT=FOLDER                    a Debian 12 that is there already, as debootstrap makes it; it is read only
set -euo pipefail
cd "$(dirname "$0")/.."
dist=$(realpath "${1:-dist}")
[[ $(id -u) -eq 0 ]] || { echo "try-container: only root can unpack a Debian: run it with sudo." >&2; exit 64; }
scripts/packages.sh debootstrap podman runc
work=$(mktemp -d)
# runc also runs where both versions of control groups are mounted; vfs needs nothing of the file system below.
podman=(podman --root "$work/images" --runroot "$work/run" --storage-driver vfs --cgroup-manager cgroupfs --runtime runc)
pids=()
finish() {
  local status=$?
  trap - EXIT INT TERM
  "${podman[@]}" rm --all --force --time 5 >/dev/null 2>&1 || true
  [[ ${#pids[@]} -eq 0 ]] || kill "${pids[@]}" 2>/dev/null || true
  wait
  "${podman[@]}" unmount --all >/dev/null 2>&1 || true
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM
fail() { echo "try-container: $*" >&2; exit 1; }
step() { printf '\n== %s\n' "$*"; }

base=${TRY_BASE:-}
if [[ -z $base ]]; then
  step "a base of Debian 12"
  base=localhost/debian:12
  root=${TRY_ROOT:-$work/debian}
  [[ -n ${TRY_ROOT:-} ]] || debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >"$work/debootstrap.log" 2>&1 \
    || { tail -5 "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
  tar -C "$root" --exclude=./proc/* --exclude=./sys/* --exclude=./dev/* -cf - . | "${podman[@]}" import --quiet - "$base" >/dev/null
fi

step "the image"
# A step of the recipe runs in a changed root: that needs no namespaces, which containers and small machines lack.
"${podman[@]}" build --quiet --isolation chroot --format docker --build-arg BASE="$base" --tag localhost/vestibule "$dist" >"$work/build.log" 2>&1 \
  || { tail -20 "$work/build.log" >&2; fail "the recipe does not build"; }
"${podman[@]}" image inspect localhost/vestibule --format \
  'size {{.Size}} bytes, user {{.Config.User}}, volumes {{.Config.Volumes}}, health {{.Config.Healthcheck.Test}}'

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
mock=$(free_port)
mkdir "$work/files"
tar -C "$work/files" --strip-components=1 -xzf "$dist"/vestibule-*-linux-*.tar.gz
chmod -R go+rX "$work" "$work/files"
"$work/files/lib/vestibule/authid-mock" --port "$mock" >"$work/mock.log" 2>&1 &
pids+=($!)

step "a login, on a read-only root"
# The limits of podman's own settings are above what a machine may allow. The health check is asked for below: without
# systemd nothing else would. The network is the machine's, where the mock is.
"${podman[@]}" run --detach --name vestibule --read-only --read-only-tmpfs=false --network host --no-healthcheck \
  --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 --cap-drop all --security-opt no-new-privileges \
  --volume vestibule:/data --volume "$work/files/share/doc/vestibule/examples:/etc/vestibule:ro" \
  --env VESTIBULE_LISTEN__PORT="$port" --env VESTIBULE_PUBLICURL="http://localhost:$port" \
  --env VESTIBULE_PROVIDERS__MOCK__BASEURL="http://127.0.0.1:$mock" \
  localhost/vestibule >/dev/null
inside() { "${podman[@]}" exec vestibule "$@"; }
read -ra health < <("${podman[@]}" image inspect localhost/vestibule --format '{{range .Config.Healthcheck.Test}}{{.}} {{end}}')
ready() {
  for _ in $(seq 1 100); do
    inside "${health[@]:1}" >/dev/null 2>&1 && return
    sleep 0.2
  done
  "${podman[@]}" logs vestibule >&2
  fail "the container's health check “${health[*]:1}” does not pass"
}
ready
pid=$("${podman[@]}" inspect vestibule --format '{{.State.Pid}}')
[[ $(awk '/^Uid:/ { print $2 }' "/proc/$pid/status") == 10001 ]] || fail "the daemon does not run as user 10001"
[[ $(awk '/^CapEff:/ { print $2 }' "/proc/$pid/status") == 0000000000000000 ]] || fail "the daemon has capabilities"
[[ $(awk '$5 == "/" { print $6 }' "/proc/$pid/mountinfo" | tail -1) =~ ^ro(,|$) ]] || fail "the root can be written to"
! inside /bin/sh -c true 2>/dev/null || fail "the image has a shell"
echo "user 10001, no capability, a read-only root, no shell; healthy by: ${health[*]:1}"
inside /usr/bin/vestibule version --json
inside /usr/bin/vestibule accounts add --email accept@example.com --name "A Person" --enroll mock
sign_in() {
  inside /usr/bin/vestibule login --email accept@example.com --scripted --server "http://127.0.0.1:$port" --store /data/login.json | tail -3
}
sign_in

step "a restart on the same volume"
"${podman[@]}" restart --time 30 vestibule >/dev/null
ready
sign_in
"${podman[@]}" stop --time 30 vestibule >/dev/null
code=$("${podman[@]}" inspect vestibule --format '{{.State.ExitCode}}')
[[ $code == 0 ]] || fail "the daemon did not stop in order: it ended with $code"
printf '\nThe image was built, run, restarted and stopped.\n'

#!/usr/bin/env bash
# `make soak`: a steady mix of calls against a release daemon for two hours, and its memory after each minute.
#
# It fails when the memory of the last quarter is on average more than SOAK_GROWTH MiB above that of the quarter before.
# The first quarter holds what fills by design: operations stay in memory for ten minutes after their end.
#
#   SOAK_MINUTES=120        how long
#   SOAK_RATE=200           calls a second
#   SOAK_GROWTH=4           the growth in MiB that is allowed from the third quarter to the last
#   SOAK_LIMITS=on          with the rate limits, each step from an address of its own, so that every table fills
#   SOAK_BIN=FOLDER         binaries that are there already; nothing is built
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
accepted=accept@example.com
switches=(--set log.access=false --set log.level=error --set listen.port=0)
mix=()
if [[ ${SOAK_LIMITS:-off} == on ]]; then
  # One account signs in some hundred times a minute: its own limit alone is lifted.
  switches+=(--set listen.trustedProxies=127.0.0.1 --set limits.initiatePerAccount.rate=1000/s)
  mix=(--many-addresses)
else
  # The mix comes from one address, which no limit would let do so much.
  switches+=(--set limits.off=true)
fi
. Benchmarks/lib/processes.sh

fail() {
  echo "soak: $*" >&2
  exit 1
}

scripts/toolchain.sh
scripts/packages.sh binutils libsqlite3-dev libssl-dev libcurl4-openssl-dev libpq-dev libxml2-dev zlib1g-dev libjemalloc-dev
bin=${SOAK_BIN:-}
if [[ -z $bin ]]; then
  echo "Building for release (a first build takes some minutes)…"
  source scripts/build-flags.sh
  set_release_flags
  for product in vestibule authid-mock bench-seed; do "$swift" build -c release "${release_flags[@]}" --product "$product"; done
  bin=$("$swift" build -c release --show-bin-path)
fi

mkdir -p .build
work=$(mktemp -d "$PWD/.build/soak.XXXXXX")
finish() {
  status=$?
  trap - EXIT INT TERM
  stop_all
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'echo; echo "Stopping."; exit 130' INT TERM

start mock "$bin/authid-mock" --port 0
daemon soak "$accepted"
"$bin/bench-seed" soak --server "${urls[soak]}" --pid "${pids[soak]}" --email "$accepted" \
  --minutes "${SOAK_MINUTES:-120}" --rate "${SOAK_RATE:-200}" --growth "${SOAK_GROWTH:-4}" \
  ${mix[@]+"${mix[@]}"}

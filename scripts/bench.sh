#!/usr/bin/env bash
# `make bench`: release binaries under load from wrk, in turn with a bare server of the same framework, and one table.
#
# Everything it needs is made here: the servers, their data (beside the binaries, on the same disk), the load. It
# touches nothing else, and stops and removes all of it, also on Ctrl-C. It fails when an answer is wrong or something
# breaks, not when a figure is below its target: the table says "short".
#
#   BENCH_RUNS=5            runs of a row; the table has their median
#   BENCH_SECONDS=3         length of a run
#   BENCH_ROWS="poll …"     some of, or "all" and then others: livez poll ciba metrics initiate completion refresh token
#                           token_refresh introspection password biometric passkeys passkeys_core wallet_summary
#                           payment_confirm slow_disk outage webhooks hanging waiting verdicts console decoys start cold_start
#                           board_large eddsa instructions. "all" is these, the default. Only if named: postgres and
#                           cluster (cluster_poll cluster_logins cluster_wake cluster_handover), which need a PostgreSQL
#                           server's programs; peer, which installs FastAPI from PyPI below .build; and before, which needs
#                           BENCH_BEFORE
#   BENCH_COMPLETIONS=15000 logins that are approved for each run of completion and refresh; codes of token and token_refresh;
#                           devices of biometric; answers of passkeys; payments of payment_confirm
#   BENCH_PEOPLE=3000       logins of each run of cluster_logins
#   BENCH_WAITING_RUNS=3    runs of each line of waiting, verdicts and cluster_wake, about half a minute each, and of
#                           cluster_handover, some minutes each
#   BENCH_FAULT_SECONDS=2   length of a run of outage, which has eight for each fault of the provider
#   BENCH_DECOYS=2000       starts for each of the four accounts in a round of decoys
#   BENCH_ASSERTIONS=ES256  what the client of ciba signs its assertions with; or EdDSA, RS256
#   BENCH_SIGNING=es256     what tokens are signed with; or eddsa, rs256. The row eddsa has both in turn
#   BENCH_BOARD=100000      live operations for the rows of a full board, of cold_start and of cluster_handover
#   BENCH_BOARD_LARGE=1000000
#                           live operations for the row board_large
#   BENCH_INSTRUCTIONS=200  calls of each kind that the row instructions counts
#   BENCH_PROFILE=FOLDER    keeps what the row instructions has counted there, with the functions that cost the most
#   BENCH_SVG=FILE          draws the ratios to the bare server, and to FastAPI, there
#   BENCH_EXPLAIN=1         wrk looks at every answer, so that a row that fails says which were not 2xx; slower, so that the
#                           figures don't count
#   BENCH_BIN=FOLDER        binaries that are there already; nothing is built
#   BENCH_BEFORE=FOLDER     a vestibule of an earlier commit, for the row "before", which measures it in turn with that of now
#   BENCH_SLICES=8          short loads of each daemon in a run of the row "before"
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${BENCH_RUNS:-5}
seconds=${BENCH_SECONDS:-3}
completions=${BENCH_COMPLETIONS:-15000}
people=${BENCH_PEOPLE:-3000}
board=${BENCH_BOARD:-100000}
board_large=${BENCH_BOARD_LARGE:-1000000}
fault_seconds=${BENCH_FAULT_SECONDS:-2}
waiting_runs=${BENCH_WAITING_RUNS:-3}
decoys=${BENCH_DECOYS:-2000}
instructions=${BENCH_INSTRUCTIONS:-200}
profile=${BENCH_PROFILE:-}
picture=${BENCH_SVG:-}
before=${BENCH_BEFORE:-}
assertions=${BENCH_ASSERTIONS:-ES256}
connections=64
swift=${SWIFT:-swift}
pending=person@example.com
accepted=accept@example.com
# What is switched off or set for the load; printed under the table.
switches=(
  --set limits.off=true --set log.access=false --set log.level=error --set listen.port=0
  --set faceLogin.lifetime=15m --set faceLogin.approvalWindow=15m --set "secrets.signingAlgorithm=${BENCH_SIGNING:-es256}"
)
. Benchmarks/lib/processes.sh
. Benchmarks/lib/measures.sh
. Benchmarks/lib/rows.sh
. Benchmarks/lib/signins.sh
. Benchmarks/lib/console.sh
. Benchmarks/lib/decoys.sh
. Benchmarks/lib/ciba.sh
. Benchmarks/lib/oauth.sh
. Benchmarks/lib/wallet.sh
. Benchmarks/lib/before.sh
. Benchmarks/lib/peer.sh
. Benchmarks/lib/signing.sh
. Benchmarks/lib/start.sh
. Benchmarks/lib/board.sh
. Benchmarks/lib/instructions.sh
. Benchmarks/lib/postgres.sh
. Benchmarks/lib/members.sh
. Benchmarks/lib/cluster.sh

fail() {
  echo "bench: $*" >&2
  exit 1
}

scripts/toolchain.sh
scripts/packages.sh binutils bsdextrautils libsqlite3-dev libssl-dev libcurl4-openssl-dev libpq-dev libxml2-dev zlib1g-dev libjemalloc-dev sqlite3 curl gcc libc6-dev wrk

bin=${BENCH_BIN:-}
if [[ -z $bin ]]; then
  echo "Building for release (a first build takes some minutes)…"
  source scripts/build-flags.sh
  set_release_flags
  for product in vestibule authid-mock bank-mock bench-bare bench-seed bench-passkeys; do
    "$swift" build -c release "${release_flags[@]}" --product "$product"
  done
  bin=$("$swift" build -c release --show-bin-path)
fi

# The table so far, with what it was measured on.
report() {
  cat <<TEXT

$(uname -srm), $(machine) shared by wrk and the server, $(sqlite3 --version | cut -d' ' -f1) SQLite, $(date -u +%F)
wrk: $threads thread, $connections connections, medians of $rounds runs of $seconds s, each in turn with its reference;
under a fault of the provider medians of two runs of $fault_seconds s

TEXT
  {
    printf '%-50s %s\t%s\t%s\t%s\t%s\n' "row : reference" "req/s median (min–max)" "reference" "ratio" "target" ""
    cat "$work/table"
  } | column -t -s $'\t'
  cat <<TEXT

The disk: $disk times a second 4 KiB and fdatasync; with the shim $disk_slow.
Every begun and every completed login is synced to it before the answer (storage.durability=full).
Set for the load: $(printf '%s ' "${switches[@]}" | sed 's/--set //g')
TEXT
}

mkdir -p .build
work=$(mktemp -d "$PWD/.build/bench.XXXXXX")
mkdir "$work/figures"
finish() {
  status=$?
  trap - EXIT INT TERM
  stop_all
  if [[ $status -ne 0 && -s $work/table ]]; then
    echo "What was measured until then:"
    report
  fi
  rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'echo; echo "Stopping."; exit 130' INT TERM

gcc -O2 -shared -fPIC -o "$work/slowsync.so" Benchmarks/shim/slowsync.c -ldl
gcc -O2 -o "$work/syncrate" Benchmarks/shim/syncrate.c
gcc -O2 -o "$work/firstanswer" Benchmarks/shim/firstanswer.c
disk=$("$work/syncrate" "$work/syncs")
disk_slow=$(SLOWSYNC_US=2000 LD_PRELOAD=$work/slowsync.so "$work/syncrate" "$work/syncs")
((disk_slow < 500)) || fail "the slow disk is not slow: $disk_slow syncs a second."

start mock "$bin/authid-mock" --port 0
start bare "$bin/bench-bare" --port 0
echo /bare >"$work/bare.paths"
warm bare paths.lua "$work/bare.paths"
all_rows=(
  livez poll ciba metrics initiate completion refresh token token_refresh introspection password biometric passkeys
  passkeys_core wallet_summary payment_confirm slow_disk outage webhooks hanging waiting verdicts console decoys start
  cold_start board_large eddsa instructions
)
wanted=${BENCH_ROWS:-all}
for row in ${wanted/#all/${all_rows[*]}}; do
  declare -F "row_$row" >/dev/null || fail "there is no row $row."
  echo "Measuring: $row"
  "row_$row"
done

report
[[ -z $picture ]] || draw "$picture"

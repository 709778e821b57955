#!/usr/bin/env bash
# `make test`: installs what the tests need, then format, architecture, and every test.
#
# VESTIBULE_TEST_SIZE=long runs the histories, inputs and kills of `make test-long`. VESTIBULE_TEST_STORAGE=postgres keeps the
# rows of the HTTP tests in PostgreSQL, those excepted that say where theirs are. VESTIBULE_TEST_DAEMONS=3 sends their requests to
# three daemons in turn. Arguments choose tests: --filter HTTPAPITests.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/toolchain.sh
scripts/packages.sh git ca-certificates libsqlite3-dev libssl-dev libcurl4-openssl-dev libpq-dev libxml2-dev zlib1g-dev openssl sqlite3 curl jq python3-venv
scripts/lint.sh
# What only some tests need comes while the compiler works: the one waits for the network, the other for the processor.
counterparts=$(mktemp)
trap '[[ -z ${fetching:-} ]] || kill "$fetching" 2>/dev/null || true; rm -f "$counterparts"' EXIT
# The tests start the server's programs themselves. Debian's metapackage need not be there for them.
has_postgres() { command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
(
  has_postgres || scripts/packages.sh postgresql
  for step in promtool mail-server foreign-jwt foreign-oauth foreign-openapi browser; do "scripts/$step.sh"; done
) >"$counterparts" 2>&1 &
fetching=$!
swift=${SWIFT:-swift}
source scripts/build-flags.sh
"$swift" build --build-tests --disable-xctest "${build_flags[@]}"
fetched=0
wait "$fetching" || fetched=$?
fetching=
cat "$counterparts"
[[ $fetched -eq 0 ]] || exit "$fetched"
# What this machine is set to is none of the tests' business: proxies that would be asked for 127.0.0.1, settings of a
# Vestibule of its own, its language, its folder of temporary files, whose path may be too long for a socket's. What the
# tests themselves read stays.
umask 022
foreign=()
for name in $(compgen -e); do
  case $name in
    VESTIBULE_FOREIGN_REQUIRED | VESTIBULE_TEST_SIZE | VESTIBULE_TEST_STORAGE | VESTIBULE_TEST_DAEMONS | VESTIBULE_FAULTS | VESTIBULE_SCREENSHOTS | VESTIBULE_WRITE_REFERENCES | VESTIBULE_E2E_* | \
      VESTIBULE_SIM_*) ;;
    VESTIBULE_* | *_proxy | *_PROXY | LANG | LANGUAGE | LC_* | TZ | TMPDIR | CREDENTIALS_DIRECTORY | NOTIFY_SOCKET)
      foreign+=(-u "$name")
      ;;
  esac
done
run() {
  env "${foreign[@]}" "$swift" test --skip-build --disable-xctest --explicit-target-dependency-import-check error "$@"
}
# Without a bound every test begins at once, and a request to a server that a test has just started waits for a minute
# and more behind the others' work: that is no fault of the server's, but its client gives up.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$((3 * $(nproc)))}
if [[ $# -gt 0 ]]; then
  run "$@"
else
  # Those that compute for a minute on every core come first, by themselves: beside them a real server's answer is late.
  busy='FuzzTests|SimulationTests|OutageTests'
  run --filter "$busy"
  run --skip "$busy"
fi

#!/usr/bin/env bash
# `make demo`: builds, starts the daemon and the mock provider, signs a demo user in through a scripted scan, prints
# what the tokens say, and stays up until Ctrl-C. The page in Examples/web may call this daemon.
#
#   DEMO_PORT, DEMO_MOCK_PORT   other ports than 8080 and 8090
#   STORY_BIN=FOLDER            binaries that are there already; nothing is built
set -euo pipefail
cd "$(dirname "$0")/.."
port=${DEMO_PORT:-8080}
mock_port=${DEMO_MOCK_PORT:-8090}
data=$PWD/.build/demo
email=accept+3s@example.com
swift=${SWIFT:-swift}
pids=()

stop() {
  trap - EXIT INT TERM
  [[ ${#pids[@]} -gt 0 ]] && kill -TERM "${pids[@]}" 2>/dev/null
  wait 2>/dev/null
  exit "${1:-0}"
}
trap 'stop $?' EXIT
trap 'echo; echo "Stopping."; stop 0' INT TERM

fail() { echo "demo: $*" >&2; stop 1; }

# bash can open a connection itself: no tool needed to see whether a port is taken.
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

wait_for() { # file text process name
  for _ in $(seq 1 150); do
    grep -q "$2" "$1" 2>/dev/null && return 0
    kill -0 "$3" 2>/dev/null || { cat "$1" >&2; fail "$4 did not start; the reason stands above."; }
    sleep 0.1
  done
  cat "$1" >&2
  fail "$4 did not start within 15 s."
}

bin=${STORY_BIN:-}
if [[ -z $bin ]]; then
  scripts/toolchain.sh || stop 1
  scripts/packages.sh git ca-certificates libsqlite3-dev libssl-dev libcurl4-openssl-dev libpq-dev libxml2-dev zlib1g-dev || stop 1
fi
taken "$port" && fail "port $port is taken. Stop the program that holds it (ss -ltnp shows it), or run: DEMO_PORT=$((port + 1)) make demo"
taken "$mock_port" && fail "port $mock_port is taken. Stop the program that holds it, or run: DEMO_MOCK_PORT=$((mock_port + 1)) make demo"

if [[ -z $bin ]]; then
  echo "Building (a first build takes some minutes)…"
  source scripts/build-flags.sh
  for product in vestibule authid-mock; do "$swift" build --product "$product" "${build_flags[@]}"; done
  bin=$("$swift" build --show-bin-path)
fi

rm -rf "$data"
mkdir -p -m 700 "$data"
"$bin/authid-mock" --port "$mock_port" >"$data/mock.log" 2>&1 &
pids+=($!)
wait_for "$data/mock.log" "listening on" $! "the mock provider"
options=(--config config/vestibule.yaml --data "$data" --set "listen.port=$port" --set "providers.mock.baseURL=http://127.0.0.1:$mock_port"
  --set listen.corsOrigins=http://localhost:8100)
"$bin/vestibule" serve "${options[@]}" >"$data/vestibule.log" 2>&1 &
pids+=($!)
wait_for "$data/vestibule.log" "listening on" $! "the daemon"

for account in "$email" person@example.com; do
  echo "Creating a demo account, $account …"
  "$bin/vestibule" accounts add --email "$account" --name "Demo Person" --enroll mock "${options[@]}" 2>"$data/accounts.log" || { cat "$data/accounts.log" >&2; fail "the account could not be created; the reason stands above."; }
done
echo "Signing in: vestibule login --email $email --scripted"
"$bin/vestibule" login --email "$email" --scripted --server "http://localhost:$port" --store "$data/login.json" || fail "the login failed; see $data/vestibule.log and $data/mock.log"

cat <<TEXT

Everything is up. Try:
  Sign in yourself    $bin/vestibule login --email person@example.com --server http://localhost:$port --store $data/you.json
                      (it prints a link: open it in a browser for the scan page, and choose how the scan ends)
  Sign in on a page   make build PRODUCT=sample-backend && $bin/sample-backend --issuer http://localhost:$port
                      (then open http://localhost:8100)
  Scans at the mock   http://127.0.0.1:$mock_port/_mock/scans
  Keys (JWKS)         http://localhost:$port/.well-known/jwks.json
  Health              http://localhost:$port/readyz
  Logs                $data/vestibule.log, $data/mock.log
Ctrl-C stops both.
TEXT
wait -n "${pids[@]}" || true
fail "one of the two stopped by itself; see $data/vestibule.log and $data/mock.log"

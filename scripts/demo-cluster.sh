#!/usr/bin/env bash
# `make demo-cluster`: PostgreSQL, three daemons, nginx in front of them and the mock provider. Signs 1,000 people in through
# nginx, kills one of the daemons in the middle, proves from the database that nobody was lost, and stays up until Ctrl-C. All
# servers are its own, on loopback, below a temporary folder and .build/demo-cluster.
#
#   scripts/demo-cluster.sh --once   ends after the proof: with 0 if nobody was lost, otherwise with 1; with 130 after Ctrl-C
#   DEMO_PEOPLE=200                  so many people, 200 at least
#   DEMO_PORT=9080                   nginx's port, if not the first free one from 8080
#   STORY_BIN=FOLDER                 binaries that are there already (vestibule, authid-mock, bench-seed); nothing is built
set -euo pipefail
cd "$(dirname "$0")/.."
people=${DEMO_PEOPLE:-1000}
once=
case ${1:-} in
  --once) once=yes ;;
  "") ;;
  *) sed -n 2,9p "$0" >&2; exit 64 ;;
esac
# Fewer would all be signed in before the daemon is killed.
[[ $people =~ ^[0-9]{3,6}$ && $people -ge 200 ]] || { echo "demo-cluster: DEMO_PEOPLE is a number from 200." >&2; exit 64; }
data=$PWD/.build/demo-cluster
swift=${SWIFT:-swift}
names=(a b c)
declare -A pids=() ports=()
work=
# What Ctrl-C ends with: 0 once the proof is there.
interrupted=130

stop() {
  trap - EXIT
  # A second Ctrl-C must not leave servers behind.
  trap '' INT TERM
  local name
  # The database last: a daemon that stops still writes.
  for name in front "${names[@]}" mock load; do end "$name"; done
  if [[ -n ${pids[postgres]:-} ]]; then
    # Smart would wait for a connection that nobody closes.
    kill -INT "${pids[postgres]}" 2>/dev/null || true
    wait "${pids[postgres]}" 2>/dev/null || true
  fi
  [[ -z $work ]] || rm -rf "$work"
  exit "${1:-0}"
}
# end NAME: asks a program to stop, and waits for at most 30 s.
end() {
  local pid=${pids[$1]:-}
  [[ -n $pid ]] || return 0
  kill -TERM "$pid" 2>/dev/null || true
  for _ in $(seq 1 300); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  unset "pids[$1]"
}
trap 'stop $?' EXIT
trap 'echo; echo "Stopping."; stop "$interrupted"' INT TERM

fail() { echo "demo-cluster: $*" >&2; stop 1; }
step() { printf '\n== %s\n' "$*"; }

# bash can open a connection itself: no tool needed to see whether a port is taken.
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
# pick NAME FIRST: the first free port from there that is not another one's here.
pick() {
  local port=$2
  while taken "$port" || [[ " ${ports[*]} " == *" $port "* ]]; do port=$((port + 1)); done
  ports[$1]=$port
}
wait_for() { # file text process name
  for _ in $(seq 1 300); do
    grep -q "$2" "$1" 2>/dev/null && return 0
    kill -0 "$3" 2>/dev/null || { tail -20 "$1" >&2; fail "$4 did not start; the reason stands above."; }
    sleep 0.1
  done
  tail -20 "$1" >&2
  fail "$4 did not start within 30 s."
}
# PostgreSQL refuses root, and nginx does not need it. In sessions of their own: a terminal's Ctrl-C must not stop the database
# before the daemons.
as_postgres=(setsid)
as_front=(setsid)
front_user=www-data
if [[ $(id -u) -eq 0 ]]; then
  getent passwd "$front_user" >/dev/null || front_user=nobody
  as_postgres+=(setpriv --reuid postgres --regid postgres --init-groups)
  as_front+=(setpriv --reuid "$front_user" --regid "$(id -g "$front_user")" --clear-groups)
fi
# sql STATEMENT: its rows.
sql() { "$postgres/psql" -X -q -t -A -F ' ' -h "$work/postgres" -p "${ports[postgres]}" -U vestibule -d vestibule -c "$1"; }

# A second run would delete the first one's data. What is started gets no copy of the descriptor (9>&-): it would keep the lock.
mkdir -p .build
exec 9>.build/demo-cluster.lock
flock -n 9 || fail "another one runs in this folder. Stop it with Ctrl-C first."

bin=${STORY_BIN:-}
if [[ -z $bin ]]; then
  scripts/toolchain.sh || stop 1
  scripts/packages.sh git ca-certificates libsqlite3-dev libssl-dev libcurl4-openssl-dev libpq-dev libxml2-dev zlib1g-dev || stop 1
fi
scripts/packages.sh curl postgresql || stop 1
nginx=$(scripts/nginx.sh) || stop 1
postgres=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -1) || true
[[ -x ${postgres:=$(dirname "$(command -v initdb || echo /none/initdb)")}/initdb ]] || fail "PostgreSQL's server programs are missing: apt-get install postgresql"

if [[ -z $bin ]]; then
  echo "Building (a first build takes some minutes)…"
  source scripts/build-flags.sh
  for product in vestibule authid-mock bench-seed; do "$swift" build --product "$product" "${build_flags[@]}"; done
  bin=$("$swift" build --show-bin-path)
fi

rm -rf "$data"
mkdir -m 700 "$data"
# Where the users of the two servers may go; a socket's path has at most 107 bytes.
work=$(mktemp -d /tmp/vestibule-cluster.XXXXXX)
chmod 711 "$work"
if [[ -n ${DEMO_PORT:-} ]]; then
  ports[front]=$DEMO_PORT
  taken "$DEMO_PORT" && fail "port $DEMO_PORT is taken. Stop the program that holds it (ss -ltnp shows it), or leave DEMO_PORT out."
else
  pick front 8080
fi
pick mock 8090
pick postgres 5532
for name in "${names[@]}"; do pick "$name" 8181; done
url=http://localhost:${ports[front]}

step "PostgreSQL, on a Unix socket"
mkdir -m 755 "$work/postgres"
[[ $(id -u) -ne 0 ]] || chown postgres "$work/postgres"
"${as_postgres[@]}" "$postgres/initdb" -D "$work/postgres/data" -U postgres -A trust -E UTF8 --locale=C >"$data/initdb.log" 2>&1 \
  || { cat "$data/initdb.log" >&2; fail "the database server could not be made; the reason stands above."; }
"${as_postgres[@]}" "$postgres/postgres" -D "$work/postgres/data" -p "${ports[postgres]}" -c listen_addresses= \
  -c unix_socket_directories="$work/postgres" -c max_pred_locks_per_transaction=256 >"$data/postgres.log" 2>&1 9>&- &
pids[postgres]=$!
wait_for "$data/postgres.log" "ready to accept connections" "${pids[postgres]}" "PostgreSQL"
"$postgres/psql" -X -q -h "$work/postgres" -p "${ports[postgres]}" -U postgres -d postgres \
  -c "CREATE ROLE vestibule LOGIN" -c "CREATE DATABASE vestibule OWNER vestibule" || fail "the database could not be made."

# settings NAME: the options of a daemon. They differ in the port and the data folder, and in nothing else.
settings() {
  options=(--config config/vestibule.yaml --data "$data/$1" --set "listen.port=${ports[$1]}"
    --set "publicURL=$url" --set listen.trustedProxies=127.0.0.1
    --set "storage.postgres.url=postgres://vestibule@/vestibule?host=$work/postgres&port=${ports[postgres]}"
    --set "providers.mock.baseURL=http://127.0.0.1:${ports[mock]}")
}
# serve NAME: starts a daemon and waits until it listens.
serve() {
  settings "$1"
  [[ ! -e $data/$1.log ]] || mv "$data/$1.log" "$data/$1.killed.log"
  "$bin/vestibule" serve "${options[@]}" >>"$data/$1.log" 2>&1 9>&- &
  pids[$1]=$!
  wait_for "$data/$1.log" "listening on" "${pids[$1]}" "the daemon $1"
}
# ask NAME COMMAND...: a command of the administration, through that daemon.
ask() {
  settings "$1"
  "$bin/vestibule" "${@:2}" "${options[@]}" 9>&-
}

step "The mock provider, and three daemons with one root key"
"$bin/authid-mock" --port "${ports[mock]}" >"$data/mock.log" 2>&1 9>&- &
pids[mock]=$!
wait_for "$data/mock.log" "listening on" "${pids[mock]}" "the mock provider"
ask a migrate >"$data/migrate.log" 2>&1 || { cat "$data/migrate.log" >&2; fail "the tables could not be made; the reason stands above."; }
serve a
for name in b c; do
  mkdir -m 700 "$data/$name"
  # With its modes: others must not read it.
  cp -Rp "$data/a/keys" "$data/$name/keys"
  serve "$name"
done

step "nginx, in front of them"
mkdir -m 700 "$work/front" "$work/front/logs"
cat >"$work/front/nginx.conf" <<CONF
pid $work/front/nginx.pid;
worker_processes 2;
error_log stderr error;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path $work/front/body;
  proxy_temp_path $work/front/proxy;
  fastcgi_temp_path $work/front/fastcgi;
  uwsgi_temp_path $work/front/uwsgi;
  scgi_temp_path $work/front/scgi;
  upstream vestibule {
$(for name in "${names[@]}"; do echo "    server 127.0.0.1:${ports[$name]} max_fails=3 fail_timeout=2s;"; done)
    keepalive 128;
  }
  server {
    listen 127.0.0.1:${ports[front]};
    location / {
      proxy_pass http://vestibule;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host \$http_host;
      proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
      proxy_set_header Forwarded "";
      proxy_buffering off;
      proxy_connect_timeout 2s;
      proxy_read_timeout 75s;
      # Says which daemon answered.
      add_header X-Daemon \$upstream_addr;
    }
  }
}
CONF
# A program of .build/tools is copied, because that user may not enter the folders above, like /root.
if [[ $nginx == "$PWD"/* ]]; then
  cp "$nginx" "$work/front/nginx"
  nginx=$work/front/nginx
fi
[[ $(id -u) -ne 0 ]] || chown -R "$front_user" "$work/front"
"${as_front[@]}" "$nginx" -e stderr -p "$work/front" -c "$work/front/nginx.conf" -g 'daemon off;' >"$data/nginx.log" 2>&1 9>&- &
pids[front]=$!
for _ in $(seq 1 100); do
  curl -sf -o /dev/null "$url/readyz" && break
  kill -0 "${pids[front]}" 2>/dev/null || { cat "$data/nginx.log" >&2; fail "nginx did not start; the reason stands above."; }
  sleep 0.1
done
curl -sf -o /dev/null "$url/readyz" || { cat "$data/nginx.log" >&2; fail "nothing is ready behind nginx."; }

step "$people accounts"
# Their scans are accepted after two seconds: at any moment many are in the air.
{
  echo email,name,provider
  for number in $(seq 1 "$people"); do echo "accept+2s+p$number@example.com,Person $number,mock"; done
} >"$data/people.csv"
tail -n +2 "$data/people.csv" | cut -d, -f1 >"$data/people.txt"
ask b accounts import "$data/people.csv" 2>"$data/import.log" || { cat "$data/import.log" >&2; fail "the accounts could not be added; the reason stands above."; }
ask c accounts add --email person@example.com --name "Demo Person" --enroll mock >/dev/null 2>"$data/import.log" \
  || { cat "$data/import.log" >&2; fail "the account could not be added; the reason stands above."; }

step "Everybody signs in through $url, and a daemon is killed in the middle"
# By chance: the leader is one like the others.
victim=${names[RANDOM % 3]}
node=$(ask "$victim" nodes list | sed -nE 's/^([a-z0-9-]+) \* .*/\1/p')
[[ -n $node ]] || fail "the daemon $victim does not say its name."
: >"$data/load.log"
"$bin/bench-seed" people --server "$url" --emails "$data/people.txt" --output "$data/sessions.tsv" \
  >>"$data/load.log" 2>&1 9>&- &
pids[load]=$!
killed=
shown=0
while :; do
  alive=
  kill -0 "${pids[load]}" 2>/dev/null && alive=yes
  while IFS= read -r line; do
    echo "$line"
    shown=$((shown + 1))
    count=$(sed -nE 's/^signed in: ([0-9]+) of .*/\1/p' <<<"$line")
    if [[ -z $killed && -n $alive && -n $count && $((count * 5)) -ge $((people * 2)) ]]; then
      live=$(sql "SELECT COUNT(*) FROM operations WHERE ended_at IS NULL")
      kill -KILL "${pids[$victim]}"
      wait "${pids[$victim]}" 2>/dev/null || true
      unset "pids[$victim]"
      killed=$victim
      # Before another one takes them over.
      own=$(sql "SELECT COUNT(*) FROM operations WHERE ended_at IS NULL AND node = '$node'")
      echo "killed: daemon $victim ($node) with SIGKILL, while $live logins were live, $own of them its own"
      [[ $own -gt 0 ]] || fail "no login was the killed daemon's, so that this proves nothing: take more people (DEMO_PEOPLE)."
    fi
  done < <(tail -n +$((shown + 1)) "$data/load.log")
  [[ -n $alive ]] || break
  sleep 0.1
done
outcome=0
wait "${pids[load]}" || outcome=$?
unset 'pids[load]'
[[ -n $killed ]] || fail "everybody was signed in before a daemon could be killed: take more people (DEMO_PEOPLE)."

step "The proof, from the app's ledger and from the database"
[[ -s $data/sessions.tsv ]] || { tail -5 "$data/load.log" >&2; fail "the apps wrote no ledger; the reason stands above."; }
other=a
[[ $killed != a ]] || other=b
ledger=$(wc -l <"$data/sessions.tsv")
distinct=$(cut -f3 "$data/sessions.tsv" | sort -u | wc -l)
owners=$(cut -f2 "$data/sessions.tsv" | sort -u | wc -l)
rows=$(sql "SELECT COUNT(*), COUNT(DISTINCT account) FROM sessions WHERE revoked_at IS NULL")
twice=$(sql "SELECT COUNT(*) FROM (SELECT account FROM sessions GROUP BY account HAVING COUNT(*) > 1) AS doubled")
closed=$(sql "SELECT COUNT(*) FROM operations WHERE state = 'closed'")
cat <<TEXT
people                                        $people
collected a session (the apps' own ledger)    $ledger
  different sessions, different accounts      $distinct, $owners
sessions in the database, their accounts      $rows
accounts with more than one session           $twice
logins acknowledged and closed                $closed
TEXT
ask "$other" audit verify >"$data/audit.log" 2>&1 || { cat "$data/audit.log" >&2; fail "the audit is not sound; the reason stands above."; }
tail -1 "$data/audit.log"
ask "$other" nodes list
if [[ $outcome -ne 0 || "$ledger $distinct $owners $rows $twice $closed" != "$people $people $people $people $people 0 $people" ]]; then
  grep -E '^lost' "$data/load.log" | head -20 >&2 || true
  fail "this is not one session for each person; see $data/load.log, $data/a.log, $data/b.log, $data/c.log"
fi
echo "Nobody was lost, and nobody was signed in twice."
interrupted=0

step "Daemon $killed comes back"
serve "$killed"
curl -sf -o /dev/null "http://127.0.0.1:${ports[$killed]}/readyz" || sleep 2
ask "$killed" nodes list
[[ -z $once ]] || stop 0

settings a
cat <<TEXT

Everything is up. Try:
  Sign in yourself    $bin/vestibule login --email person@example.com --server $url --store $data/you.json
                      (it prints a link: open it in a browser for the scan page, and choose how the scan ends)
  Who answers         curl -s -o /dev/null -D - $url/livez | grep X-Daemon
  Each daemon         $(for name in "${names[@]}"; do printf '%s http://127.0.0.1:%s/readyz   ' "$name" "${ports[$name]}"; done)
  The daemons         $bin/vestibule nodes list --data $data/a
  Take one out        $bin/vestibule nodes drain --data $data/b; curl -s http://127.0.0.1:${ports[b]}/readyz
  Kill one            kill -9 ${pids[c]}
  The rows            $postgres/psql -h $work/postgres -p ${ports[postgres]} -U vestibule vestibule
  Scans at the mock   http://127.0.0.1:${ports[mock]}/_mock/scans
  Logs                $data/*.log
Ctrl-C stops all of them.
TEXT
# A daemon may be killed, as above. Without the others nothing is left to try.
while kill -0 "${pids[front]}" 2>/dev/null && kill -0 "${pids[postgres]}" 2>/dev/null && kill -0 "${pids[mock]}" 2>/dev/null; do
  sleep 1 &
  wait $! || true
done
fail "nginx, PostgreSQL or the mock stopped by itself; see $data/nginx.log, $data/postgres.log and $data/mock.log"

# The row "postgres": a daemon on PostgreSQL in turn with one on SQLite, both on this disk. Sourced by scripts/bench.sh.

# The databases of daemons that are not on SQLite: their names on the server.
declare -A databases=()

# Before a command of the server, which refuses root. No function: the process that is ended has to be the server's own.
as_postgres=()
[[ $(id -u) -ne 0 ]] || as_postgres=(setpriv --reuid postgres --regid postgres --init-groups)

# psql_do DATABASE SQL: the rows of a statement.
psql_do() { "$postgres/psql" -X -q -t -A -F '|' -h 127.0.0.1 -p "$postgres_port" -U postgres -d "$1" -c "$2"; }

# start_postgres [SETTING...]: a server with commits that reach the disk, in the folder of the run.
start_postgres() {
  local folder=$work/postgres setting
  postgres=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
  [[ -x $postgres/initdb ]] || fail "this row needs PostgreSQL 14 or later (apt-get install postgresql)."
  chmod 711 "$work"
  mkdir "$folder"
  [[ $(id -u) -ne 0 ]] || chown postgres "$folder"
  "${as_postgres[@]}" "$postgres/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 >"$work/initdb.log" 2>&1 \
    || { cat "$work/initdb.log" >&2; fail "the PostgreSQL server could not be made. Is each folder above $work open to the user postgres?"; }
  postgres_port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  local settings=(listen_addresses=127.0.0.1 "port=$postgres_port" unix_socket_directories= max_pred_locks_per_transaction=256 "$@")
  local options=()
  for setting in "${settings[@]}"; do options+=(-c "$setting"); done
  "${as_postgres[@]}" "$postgres/postgres" -D "$folder/data" "${options[@]}" >"$work/postgres.log" 2>&1 &
  pids[postgres]=$!
  for _ in $(seq 1 100); do
    psql_do postgres "SELECT 1" >/dev/null 2>&1 && break
    sleep 0.1
  done
  psql_do postgres "CREATE ROLE vestibule LOGIN" >/dev/null || { tail -5 "$work/postgres.log" >&2; fail "PostgreSQL did not start."; }
}

stop_postgres() {
  end postgres
  rm -rf "$work/postgres"
}

# on_postgres NAME: an empty database with its tables for that daemon, which the caller's switches then name.
on_postgres() {
  databases[$1]=bench_$RANDOM$RANDOM
  psql_do postgres "CREATE DATABASE ${databases[$1]} OWNER vestibule" >/dev/null
  switches+=(--set "storage.postgres.url=postgres://vestibule@127.0.0.1:$postgres_port/${databases[$1]}")
  "$bin/vestibule" migrate --data "$work/data-$1" "${switches[@]}" >"$work/migrate.log" 2>&1 \
    || { cat "$work/migrate.log" >&2; fail "the database could not be migrated."; }
  rm -rf "$work/data-$1"
}

# daemon_of SIDE EMAIL: a daemon on PostgreSQL or on SQLite, with an empty database; with metrics, for the reruns.
daemon_of() {
  local side=$1 switches=("${switches[@]}" --set metrics.enabled=true --set metrics.port=0)
  [[ $side != postgres-side ]] || on_postgres "$side"
  daemon "$side" "$2"
}

stop_side() {
  stop "$1"
  [[ -z ${databases[$1]:-} ]] || psql_do postgres "DROP DATABASE ${databases[$1]} WITH (FORCE)" >/dev/null
  unset "databases[$1]"
}

# metric SIDE NAME: the value of a metric without labels.
metric() {
  local metrics
  metrics=$(sed -nE 's#.*metrics on (http://[^ ]+/metrics)$#\1#p' "$work/$1.log")
  curl -sS --fail "$metrics" | awk -v name="$2" '$1 == name { print $2 }'
}

# written: the bytes of the server's log so far.
written() { psql_do postgres "SELECT pg_current_wal_insert_lsn() - '0/0'"; }

initiate_of() {
  daemon_of "$1" "$pending"
  warm "$1" begin.lua
  local reruns units
  reruns=$(metric "$1" vestibule_store_reruns_total) units=$(metric "$1" vestibule_store_commit_units_sum)
  load "initiate-$1" "$1" 48 begin.lua
  awk -v a="${reruns:-0}" -v b="$(metric "$1" vestibule_store_reruns_total)" -v c="$units" \
    -v d="$(metric "$1" vestibule_store_commit_units_sum)" 'BEGIN { print (b - a) / (d - c) }' >>"$work/figures/reruns-$1"
  stop_side "$1"
}

complete_of() {
  daemon_of "$1" "$accepted"
  local begun opened redeemed
  begun=$(written)
  "$bin/bench-seed" --server "${urls[$1]}" --email "$accepted" --count "$completions" --open --output "$work/approved.paths"
  await_approval "$1" "$completions"
  opened=$(written)
  load "completion-$1" "$1" "$connections" once.lua "$work/approved.paths" "$connections"
  check_completion "$1"
  redeemed=$(rows "$1" "SELECT COUNT(*) FROM sessions")
  awk -v a="$begun" -v b="$opened" -v c="$(written)" -v n="$completions" -v r="$redeemed" \
    'BEGIN { print ((b - a) / n + (c - b) / r) / 1024 }' >>"$work/figures/log-$1"
  stop_side "$1"
}

row_postgres() {
  local run side
  start_postgres
  for run in $(runs); do
    for side in sqlite-side postgres-side; do
      initiate_of "$side"
      complete_of "$side"
    done
  done
  stop_postgres
  compare "initiate, PostgreSQL : SQLite" initiate-postgres-side initiate-sqlite-side 0.40
  compare "completion, PostgreSQL : SQLite" completion-postgres-side completion-sqlite-side ""
  bound "reruns of a unit, 48 starts at once" "$(median reruns-postgres-side)" "" 0.01
  bound "log of PostgreSQL, a login" "$(median log-postgres-side)" KB 6
}

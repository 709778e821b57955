# Three daemons on one PostgreSQL database, for the rows of cluster.sh. Sourced by scripts/bench.sh.

members=(a b c)

# raise_cluster EMAIL SETTING...: a server that counts statements, the daemons a, b and c with that account, and those options.
# The caller has $switches of its own, which get what a command needs to reach them.
raise_cluster() {
  local email=$1 name
  start_postgres shared_preload_libraries=pg_stat_statements
  psql_do postgres "CREATE EXTENSION pg_stat_statements" >/dev/null
  switches+=(--set metrics.enabled=true --set metrics.port=0 --set publicURL=http://localhost:8080 "${@:2}")
  on_postgres a
  daemon a "$email"
  for name in "${members[@]:1}"; do add_member "$name"; done
}

# add_member NAME: one more daemon on the database of a, with its root key.
add_member() {
  local data=$work/data-$1
  mkdir -m 700 "$data"
  # With its modes: others must not read it.
  cp -Rp "$work/data-a/keys" "$data/keys"
  start "$1" "$bin/vestibule" serve --config config/vestibule.yaml --data "$data" "${switches[@]}" \
    --set "providers.mock.baseURL=${urls[mock]}"
}

lower_cluster() {
  local name
  for name in "${members[@]}"; do [[ -z ${pids[$name]:-} ]] || stop "$name"; done
  stop_postgres
  unset "databases[a]"
}

# members_up three|one: starts b and c, or stops them, if that is not so already.
members_up() {
  local name
  for name in "${members[@]:1}"; do
    if [[ $1 == three ]]; then
      [[ -n ${pids[$name]:-} ]] || add_member "$name"
    else
      [[ -z ${pids[$name]:-} ]] || stop "$name"
    fi
  done
}

# in_turn RUN ONE OTHER: both, the other one first in every second run.
in_turn() { if (($1 % 2)); then echo "$2 $3"; else echo "$3 $2"; fi; }

# statements: how many the daemons have sent so far: all, those that look a login up by what a poll brings, and NOTIFY.
statements() {
  psql_do postgres "SELECT COALESCE(SUM(calls), 0), COALESCE(SUM(calls) FILTER (WHERE query LIKE '%WHERE public_id = %'), 0),
    COALESCE(SUM(calls) FILTER (WHERE query LIKE '%pg_notify(%'), 0)
    FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = '${databases[a]}')"
}

# each_member METRIC: the sum of a metric over the daemons that run.
each_member() {
  local name
  for name in "${members[@]}"; do [[ -z ${pids[$name]:-} ]] || metric "$name" "$1"; done | awk '{ n += $1 } END { printf "%.0f\n", n }'
}

# units: the daemons' reruns and their units of work so far.
units() { echo "$(each_member vestibule_store_reruns_total) $(each_member vestibule_store_commit_units_sum)"; }

# note_reruns FIGURE BEFORE AFTER: reruns of a unit between two answers of `units`.
note_reruns() { awk -v f="$2" -v t="$3" 'BEGIN { split(f, a); split(t, b); printf "%.6f\n", (b[1] - a[1]) / (b[2] - a[2]) }' >>"$work/figures/$1"; }

# largest FIGURE: of its runs.
largest() { sort -n "$work/figures/$1" | tail -1; }

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

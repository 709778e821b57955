# Starts and stops the servers of a run. Sourced by scripts/bench.sh; $work and $bin are its.

declare -A pids=() urls=()

# start NAME COMMAND...: runs it in the background until it says where it listens, for $patience seconds at the most.
start() {
  local name=$1 log=$work/$1.log
  shift
  # Before the server has it, so that the wait below finds it.
  : >"$log"
  "$@" >>"$log" 2>&1 &
  pids[$name]=$!
  for _ in $(seq 1 "$((${patience:-30} * 10))"); do
    local port
    port=$(sed -nE 's#.*listening on http://127\.0\.0\.1:([0-9]+).*#\1#p' "$log" | head -1)
    if [[ -n $port ]]; then
      urls[$name]=http://127.0.0.1:$port
      return 0
    fi
    kill -0 "${pids[$name]}" 2>/dev/null || break
    sleep 0.1
  done
  cat "$log" >&2
  fail "$name did not start; the reason stands above."
}

# stop NAME...: ends them and removes what a daemon has written.
stop() {
  local name
  for name in "$@"; do
    end "$name"
    rm -rf "$work/data-$name"
  done
}

stop_all() {
  local name
  # All at once first: a daemon waits a moment for its connections.
  for name in "${!pids[@]}"; do kill -TERM "${pids[$name]}" 2>/dev/null || true; done
  for name in "${!pids[@]}"; do end "$name"; done
}

# end NAME: asks it to end; after ten seconds there is no more asking.
end() {
  local pid=${pids[$1]}
  kill -TERM "$pid" 2>/dev/null || true
  for _ in $(seq 1 200); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  unset "pids[$1]" "urls[$1]"
}

# daemon NAME EMAIL [VARIABLE=VALUE...] [COMMAND...]: a fresh daemon with an empty database and one account, in that
# environment, started by that command.
# Its provider is the server $provider, which is the mock that all share where nothing is said.
daemon() {
  local name=$1 email=$2 data=$work/data-$1
  shift 2
  mkdir -m 700 "$data"
  # A program of an earlier commit may know other keys: its own config is beside it.
  local config=config/vestibule.yaml
  [[ ! -f $bin/vestibule.yaml ]] || config=$bin/vestibule.yaml
  local settings=(--config "$config" --data "$data" "${switches[@]}")
  settings+=(--set "providers.mock.baseURL=${urls[${provider:-mock}]}")
  start "$name" env "$@" "$bin/vestibule" serve "${settings[@]}"
  "$bin/vestibule" accounts add --email "$email" --name "Bench Person" --enroll mock "${settings[@]}" \
    >"$work/accounts.log" 2>&1 || { cat "$work/accounts.log" >&2; fail "the account of $name could not be made."; }
}

# rows NAME SQL: one figure out of a daemon's database.
rows() {
  if [[ -n ${databases[$1]:-} ]]; then psql_do "${databases[$1]}" "$2"; else sqlite3 -readonly "$work/data-$1/vestibule.sqlite" "$2"; fi
}

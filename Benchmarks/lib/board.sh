# The rows of many live logins: polls among a million, and how soon a daemon is back that has to load them. Sourced by
# scripts/bench.sh.

# resident NAME FIELD: KiB of a process's memory: Rss, Pss or Anonymous, each exact (proc(5), smaps_rollup).
resident() { awk -v field="$2:" '$1 == field { print $2 }' "/proc/${pids[$1]}/smaps_rollup"; }

# mebibytes KIB
mebibytes() { awk -v k="$1" 'BEGIN { print k / 1024 }'; }

# each_login IDLE FULL COUNT: KiB of each of so many logins, by the memory without and with them.
each_login() { awk -v i="$1" -v f="$2" -v n="$3" 'BEGIN { print (f - i) / n }'; }

# report_idle NAME: its lines of the table. File pages of the program and its libraries are shared with other processes, and go
# when memory is short: Pss has this process's part of them, and anonymous memory none.
report_idle() {
  local all anonymous
  all=$(resident "$1" Rss) anonymous=$(resident "$1" Anonymous)
  bound "memory, idle" "$(mebibytes "$all")" MB 45
  bound "memory, idle: anonymous" "$(mebibytes "$anonymous")" MB ""
  bound "memory, idle: file" "$(mebibytes $((all - anonymous)))" MB ""
  bound "memory, idle: PSS" "$(mebibytes "$(resident "$1" Pss)")" MB ""
}

# seed_board NAME COUNT FILE: begins so many logins, a hundred thousand at a time.
seed_board() {
  local left=$2 part
  : >"$3"
  while ((left > 0)); do
    part=$((left < 100000 ? left : 100000)) left=$((left - part))
    "$bin/bench-seed" --server "${urls[$1]}" --email "$pending" --count "$part" --output "$work/part.paths"
    cat "$work/part.paths" >>"$3"
  done
  [[ $(rows "$1" "SELECT COUNT(*) FROM operations WHERE state = 'created'") -eq $2 ]] \
    || fail "logins expired before all of $2 were begun: use fewer."
}

# cold_start NAME COUNT FIGURE RUNS: ends the daemon, and times how long it takes over the same folder from its exec to the
# first 200 of /readyz, which it gives when it follows every live login again.
cold_start() {
  local name=$1 count=$2 figure=$3
  end "$name"
  for _ in $(seq 1 "$4"); do
    "$work/firstanswer" /readyz "$bin/vestibule" serve --config config/vestibule.yaml --data "$work/data-$name" "${switches[@]}" \
      --set "providers.mock.baseURL=${urls[mock]}" 2>"$work/start.log" >>"$work/figures/$figure" \
      || { cat "$work/start.log" >&2; fail "$name did not start again and end in order."; }
  done
  [[ $(rows "$name" "SELECT COUNT(*) FROM operations WHERE state = 'created'") -eq $count ]] \
    || fail "logins expired before $name had started for the last time: use fewer or shorter runs."
  rm -rf "$work/data-$name"
}

row_cold_start() {
  daemon cold "$pending"
  seed_board cold "$board" "$work/cold.paths"
  cold_start cold "$board" cold-start 5
  bound "cold start, $board live, exec to /readyz" "$(median cold-start)" ms 2000
}

# As the row "poll", with a million: the newest thousand are polled, and a hundred thousand of all in no order.
row_board_large() {
  local idle full
  daemon few "$pending"
  "$bin/bench-seed" --server "${urls[few]}" --email "$pending" --count 100 --output "$work/few.paths"
  daemon large "$pending"
  idle=$(resident large Rss)
  seed_board large "$board_large" "$work/large.paths"
  full=$(resident large Rss)
  tail -n 1000 "$work/large.paths" | shuf --random-source=<(yes) >"$work/newest.paths"
  shuf -n 100000 --random-source=<(yes) "$work/large.paths" >"$work/some.paths"
  warm few paths.lua "$work/few.paths"
  warm large paths.lua "$work/newest.paths"
  for _ in $(runs); do
    load poll-few few "$connections" paths.lua "$work/few.paths"
    load poll-large large "$connections" paths.lua "$work/newest.paths"
    load poll-large-some large "$connections" paths.lua "$work/some.paths"
  done
  stop few
  cold_start large "$board_large" cold-start-large 3
  compare "poll, $board_large in the cache, 1000 polled : poll" poll-large poll-few 0.95
  compare "poll, $board_large in the cache, 100000 polled : poll" poll-large-some poll-few ""
  bound "memory with $board_large live operations" "$(mebibytes "$full")" MB ""
  bound "memory per live operation ($board_large)" "$(each_login "$idle" "$full" "$board_large")" KB ""
  bound "cold start, $board_large live, exec to /readyz" "$(median cold-start-large)" ms ""
}

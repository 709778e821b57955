# The rows of three daemons on one PostgreSQL: "cluster" is all of them. Sourced by scripts/bench.sh.

row_cluster() {
  local row
  for row in cluster_poll cluster_logins cluster_wake cluster_handover; do
    echo "Measuring: $row"
    "row_$row"
  done
}

# Polls of the same logins where they were begun and at another daemon, in turn, with the statements meanwhile; and polls of one
# daemon while two more are up, in turn with it alone.
row_cluster_poll() {
  local switches=("${switches[@]}") run side
  raise_cluster "$pending"
  "$bin/bench-seed" --server "${urls[a]}" --email "$pending" --count 100 --output "$work/cluster.paths"
  warm a paths.lua "$work/cluster.paths"
  warm b paths.lua "$work/cluster.paths"
  # The first poll of each at b has read its row: what counts them works.
  [[ $(statements | cut -d'|' -f2) -ge 100 ]] || fail "the statements of the daemons are not counted."
  for run in $(runs); do
    for side in $(in_turn "$run" a b); do poll_counted "$side"; done
  done
  for run in $(runs); do
    for side in $(in_turn "$run" three one); do
      members_up "$side"
      # What a start costs is over.
      warm a paths.lua "$work/cluster.paths"
      load "poll-with-$side" a "$connections" paths.lua "$work/cluster.paths"
    done
  done
  [[ $(rows a "SELECT COUNT(*) FROM operations WHERE state = 'created'") -eq 100 ]] \
    || fail "logins expired while they were polled: use fewer or shorter runs."
  lower_cluster
  compare "poll on another daemon : where it began" poll-at-b poll-at-a 0.95
  compare "poll, three daemons up : one" poll-with-three poll-with-one 0.95
  bound "rows read for a poll where it began" "$(largest reads-at-a)" "" 0
  bound "rows read for a poll on another daemon" "$(largest reads-at-b)" "" 0
  bound "statements of all daemons, a poll" "$(largest statements-at-b)" "" ""
}

# poll_counted SERVER: a run, and what the daemons sent to the database meanwhile, by polls.
poll_counted() {
  local before
  before=$(statements)
  load "poll-at-$1" "$1" "$connections" paths.lua "$work/cluster.paths"
  awk -F'|' -v n="$requests" -v reads="$work/figures/reads-at-$1" -v all="$work/figures/statements-at-$1" \
    'NR == 1 { a = $1; r = $2 } NR == 2 { printf "%.6f\n", ($2 - r) / n >>reads; printf "%.6f\n", ($1 - a) / n >>all }' \
    <(echo "$before") <(statements)
}

# Starts at all three, sixteen at once each; and whole logins: start, link, scan, tokens, acknowledgement. Every person has an
# account, and several hundred are in progress, so that the daemons are never idle.
row_cluster_logins() {
  local switches=("${switches[@]}") name
  raise_cluster "$pending" --set faceLogin.hotCheck=200ms
  for name in "${members[@]}"; do warm "$name" begin.lua; done
  for _ in $(runs); do start_at_all; done
  add_people
  # In a new database all rows are on a few pages, and units that touch the same page are run again: these count for nothing.
  sign_in_at_all
  rm "$work"/figures/cluster-logins*
  for _ in $(runs); do sign_in_at_all; done
  lower_cluster
  bound "reruns of a unit, 48 starts at once, 3 daemons" "$(median cluster-starts-reruns)" "" 0.01
  bound "reruns of a unit, whole logins, 3 daemons" "$(median cluster-logins-reruns)" "" 0.01
  bound "whole logins a second, 3 daemons" "$(median cluster-logins)" "" ""
  bound "log of PostgreSQL, a whole login" "$(median cluster-logins-log)" KB 6
  bound "NOTIFY a second and daemon, whole logins" "$(median cluster-logins-notices)" "" 100
}

start_at_all() {
  local name before loads=()
  before=$(units)
  for name in "${members[@]}"; do
    load cluster-starts "$name" 16 begin.lua &
    loads+=($!)
  done
  for name in "${loads[@]}"; do wait "$name" || exit 1; done
  note_reruns cluster-starts-reruns "$before" "$(units)"
}

# add_people: as many accounts for each daemon, whose scans the mock accepts at once.
add_people() {
  local name
  for name in "${members[@]}"; do seq -f "accept+$name%.0f@example.com" 1 $((people / 3)) >"$work/people-$name"; done
  { echo email,name,provider && sed 's/$/,Bench Person,mock/' "$work"/people-?; } >"$work/people.csv"
  "$bin/vestibule" accounts import "$work/people.csv" --config config/vestibule.yaml --data "$work/data-a" "${switches[@]}" \
    --set "providers.mock.baseURL=${urls[mock]}" >"$work/accounts.log" 2>&1 \
    || { cat "$work/accounts.log" >&2; fail "the people could not be added."; }
}

# sign_in_at_all: each daemon's people at that daemon.
sign_in_at_all() {
  local name units_before written_before notices_before begun took logins=() count=$((people / 3 * 3))
  units_before=$(units) written_before=$(written) notices_before=$(statements | cut -d'|' -f3)
  begun=$(milliseconds)
  for name in "${members[@]}"; do
    "$bin/bench-seed" people --server "${urls[$name]}" --emails "$work/people-$name" --connections 128 \
      --output "$work/sessions-$name" >"$work/logins-$name.log" 2>&1 &
    logins+=($!)
  done
  for name in "${logins[@]}"; do
    wait "$name" || { tail -n 3 "$work"/logins-?.log >&2; fail "not everybody was signed in."; }
  done
  took=$(($(milliseconds) - begun))
  awk -v n="$count" -v ms="$took" 'BEGIN { printf "%.1f\n", n * 1000 / ms }' >>"$work/figures/cluster-logins"
  awk -v n="$count" -v b="$(($(written) - written_before))" 'BEGIN { printf "%.3f\n", b / n / 1024 }' >>"$work/figures/cluster-logins-log"
  awk -v n="$(($(statements | cut -d'|' -f3) - notices_before))" -v ms="$took" \
    'BEGIN { printf "%.1f\n", n / 3 * 1000 / ms }' >>"$work/figures/cluster-logins-notices"
  note_reruns cluster-logins-reruns "$units_before" "$(units)"
}

# A thousand long polls at one daemon, while their logins are cancelled at another, 500 a second.
row_cluster_wake() {
  local switches=("${switches[@]}")
  raise_cluster "$pending"
  for _ in $(seq 1 "$waiting_runs"); do park_at cluster-wake b --owner "${urls[a]}" --count 1000; done
  lower_cluster
  bound "1000 long polls on another daemon: told, median" "$(median cluster-wake-p50)" ms ""
  bound "the same, 99th percentile" "$(median cluster-wake-p99)" ms 100
}

# A third of the live logins was begun at a daemon that is killed: until the other two follow all of them.
row_cluster_handover() {
  local run
  for run in $(seq 1 "$waiting_runs"); do hand_over; done
  bound "handover after kill -9, $((board / 3 * 3)) live" "$(median handover)" s 5
}

hand_over() {
  local switches=("${switches[@]}") name total=$((board / 3 * 3)) killed
  local live='vestibule_operations{state="created"}'
  raise_cluster "$pending"
  for name in "${members[@]}"; do
    "$bin/bench-seed" --server "${urls[$name]}" --email "$pending" --count $((board / 3)) --output "$work/$name.paths"
  done
  [[ $(each_member "$live") -eq $total ]] || fail "the daemons have $(each_member "$live") live logins, not $total."
  killed=$(milliseconds)
  kill -KILL "${pids[c]}"
  # bash says of its own accord that it was killed, and is not asked.
  wait "${pids[c]}" 2>/dev/null || true
  stop c
  until [[ $(each_member "$live") -ge $total ]]; do
    (($(milliseconds) - killed < 60000)) || fail "the logins of the killed daemon were not taken over within a minute."
    sleep 0.05
  done
  awk -v ms="$(($(milliseconds) - killed))" 'BEGIN { printf "%.2f\n", ms / 1000 }' >>"$work/figures/handover"
  [[ $(rows a "SELECT COUNT(*) FROM operations WHERE state = 'created'") -eq $total ]] \
    || fail "logins expired meanwhile: use a smaller BENCH_BOARD."
  lower_cluster
}

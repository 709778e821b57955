# The rows of the table, one function each: all runs of a row, its reference in turn with it. Sourced by scripts/bench.sh.

runs() { seq 1 "$rounds"; }

row_livez() {
  daemon livez "$pending"
  echo /livez >"$work/livez.paths"
  warm livez paths.lua "$work/livez.paths"
  for _ in $(runs); do
    bare livez-bare
    load livez livez "$connections" paths.lua "$work/livez.paths"
  done
  stop livez
  compare "/livez : bare" livez livez-bare ""
}

# Two daemons at once, one with 100 operations, one with 100,000: the rows "poll", "board" and the two of memory.
row_poll() {
  daemon few "$pending"
  "$bin/bench-seed" --server "${urls[few]}" --email "$pending" --count 100 --output "$work/few.paths"
  daemon board "$pending"
  local idle full
  idle=$(resident board Rss)
  report_idle board
  seed_board board "$board" "$work/board.paths"
  full=$(resident board Rss)
  # The newest thousand are polled, in no order; the others were made before them.
  tail -n 1000 "$work/board.paths" | shuf --random-source=<(yes) >"$work/newest.paths"
  shuf --random-source=<(yes) "$work/board.paths" >"$work/all.paths"
  warm few paths.lua "$work/few.paths"
  warm board paths.lua "$work/newest.paths"
  for _ in $(runs); do
    bare poll-bare
    load poll few "$connections" paths.lua "$work/few.paths"
    load poll-board board "$connections" paths.lua "$work/newest.paths"
    load poll-all board "$connections" paths.lua "$work/all.paths"
  done
  [[ $(rows board "SELECT COUNT(*) FROM operations WHERE state = 'created'") -eq $board ]] \
    || fail "operations of the board expired while they were polled: use fewer or shorter runs."
  stop few board
  compare "poll pending : bare" poll poll-bare 0.85
  compare "poll, $board in the cache, 1000 polled : poll" poll-board poll 0.95
  compare "poll, $board in the cache, all polled : poll" poll-all poll ""
  bound "memory per live operation ($board)" "$(each_login "$idle" "$full" "$board")" KB 1.0
}

# A hundred logins, polled, at a daemon that measures what it does, and is asked for it in the middle of each run, and at one
# that doesn't.
row_metrics() {
  local side metrics reading counted polled=0 plain=("${switches[@]}")
  local poll='vestibule_http_requests_total{method="GET",route="/auth/biometric-login/poll/{operationId}",status="200"} '
  for side in unmeasured measured; do
    local switches=("${plain[@]}")
    [[ $side == unmeasured ]] || switches+=(--set metrics.enabled=true --set metrics.port=0)
    daemon "$side" "$pending"
    "$bin/bench-seed" --server "${urls[$side]}" --email "$pending" --count 100 --output "$work/$side.paths"
    warm "$side" paths.lua "$work/$side.paths"
  done
  metrics=$(sed -nE 's#.*metrics on (http://[^ ]+/metrics)$#\1#p' "$work/measured.log")
  [[ -n $metrics ]] || fail "the daemon does not say where its metrics are."
  for _ in $(runs); do
    load polled-unmeasured unmeasured "$connections" paths.lua "$work/unmeasured.paths"
    { sleep "$(awk -v s="$seconds" 'BEGIN { print s / 2 }')" && curl -sS --fail -o "$work/metrics" "$metrics"; } &
    reading=$!
    load polled-measured measured "$connections" paths.lua "$work/measured.paths"
    polled=$((polled + requests))
    wait "$reading" || fail "the metrics could not be read while the daemon was polled."
  done
  curl -sS --fail -o "$work/metrics" "$metrics" || fail "the metrics could not be read."
  counted=$(awk -v poll="$poll" 'index($0, poll) == 1 { print $NF }' "$work/metrics")
  ((${counted:-0} >= polled)) || fail "$polled polls were answered, but ${counted:-no} were counted."
  stop unmeasured measured
  compare "poll with metrics : without" polled-measured polled-unmeasured 0.95
}

row_initiate() {
  for _ in $(runs); do
    daemon initiate "$pending"
    warm initiate begin.lua
    bare initiate-bare
    load initiate initiate "$connections" begin.lua
    stop initiate
  done
  compare "initiate : bare" initiate initiate-bare 0.32
}

row_completion() {
  for _ in $(runs); do
    daemon completion "$accepted"
    "$bin/bench-seed" --server "${urls[completion]}" --email "$accepted" --count "$completions" --open \
      --output "$work/approved.paths"
    await_approval completion "$completions"
    bare completion-bare
    load completion completion "$connections" once.lua "$work/approved.paths" "$connections"
    check_completion completion
    stop completion
  done
  compare "completion : bare" completion completion-bare 0.20
}

await_approval() {
  for _ in $(seq 1 600); do
    [[ $(rows "$1" "SELECT COUNT(*) FROM operations WHERE state = 'approved'") -eq $2 ]] && return 0
    sleep 0.1
  done
  fail "not every operation was approved within a minute."
}

# Each operation gave one session, one refresh row and one audit row, and the answers hold the tokens.
check_completion() {
  local counts redeemed sessions refreshes audits path
  # In one read: what was on its way when the time ran out may still be written.
  counts=$(rows "$1" "SELECT (SELECT COUNT(DISTINCT session) FROM operations WHERE state = 'redeemed'),
    (SELECT COUNT(*) FROM sessions), (SELECT COUNT(*) FROM refresh_tokens),
    (SELECT COUNT(*) FROM audit WHERE fact = 'operation.redeemed')")
  IFS='|' read -r redeemed sessions refreshes audits <<<"$counts"
  [[ $sessions -eq $redeemed && $refreshes -eq $redeemed && $audits -eq $redeemed ]] \
    || fail "$redeemed redeemed, but $sessions sessions, $refreshes refresh rows, $audits audit rows."
  # More than were answered only when the time ran out with requests on their way.
  if [[ $requests -eq $completions ]]; then
    [[ $redeemed -eq $completions ]] || fail "$requests answers, but $redeemed redeemed."
  else
    ((redeemed >= requests && redeemed <= requests + connections)) \
      || fail "$redeemed redeemed, but $requests answers."
  fi
  ((bytes / requests > 1500)) || fail "the answers have $((bytes / requests)) bytes: too few for tokens."
  # Handed out again to the same caller: what wrk was answered. It sends no User-Agent.
  for path in $(head -n "$redeemed" "$work/approved.paths" | shuf -n 20 --random-source=<(yes)); do
    curl -sS --fail -A '' "${urls[$1]}$path" | grep -q '"accessToken":"ey' || fail "$path was answered without tokens."
  done
}

# Each token once: every request rotates, and makes a row.
row_refresh() {
  local made switches=("${switches[@]}" --set clients.bbms.refresh=rotation)
  for _ in $(runs); do
    daemon refresh "$accepted"
    "$bin/bench-seed" --server "${urls[refresh]}" --email "$accepted" --count "$completions" --open --collect \
      --output "$work/refresh.paths"
    bare refresh-bare
    load refresh refresh "$connections" once.lua "$work/refresh.paths" "$connections"
    made=$(rows refresh "SELECT COUNT(DISTINCT parent) FROM refresh_tokens WHERE parent IS NOT NULL")
    ((made >= requests && made <= requests + connections)) || fail "$requests answers, but $made rotations."
    ((bytes / requests > 800)) || fail "the answers have $((bytes / requests)) bytes: too few for tokens."
    stop refresh
  done
  compare "refresh : bare" refresh refresh-bare 0.18
}

# Group commit: a slower disk makes larger groups, not a lower rate.
row_slow_disk() {
  for _ in $(runs); do
    daemon fast "$pending"
    daemon slow "$pending" SLOWSYNC_US=2000 "LD_PRELOAD=$work/slowsync.so"
    grep -q slowsync "/proc/${pids[slow]}/maps" || fail "the daemon runs without the slow disk."
    warm fast begin.lua
    warm slow begin.lua
    load disk-fast fast 512 begin.lua
    load disk-slow slow 512 begin.lua
    stop fast slow
  done
  compare "initiate, 512 connections, syncs 2 ms slower : not" disk-slow disk-fast 0.5
}

# Every fault of the mock, in its words; Tests/AuthIDMockTests compares the two lists.
provider_faults=(
  http_500 http_429 http_401 http_409 not_found hang slow garbage truncate reset wrong_transaction late_accept flap
)

# Two daemons with a hundred scans under way each: one whose provider has a fault, or is killed, and one undisturbed.
row_outage() {
  local fault
  for fault in "${provider_faults[@]}" stopped; do outage "$fault"; done
}

outage() {
  local fault=$1 seconds=$fault_seconds side
  start troubled_mock "$bin/authid-mock" --port 0
  for side in healthy troubled; do
    local provider=mock
    [[ $side == healthy ]] || provider=troubled_mock
    daemon "$side" "$pending"
    "$bin/bench-seed" --server "${urls[$side]}" --email "$pending" --count 100 --open --output "$work/$side.paths"
    warm "$side" paths.lua "$work/$side.paths"
    warm "$side" begin.lua
  done
  if [[ $fault == stopped ]]; then
    kill -KILL "${pids[troubled_mock]}"
    # bash says of its own accord that it was killed, and is not asked.
    wait "${pids[troubled_mock]}" 2>/dev/null || true
    await "the daemon did not notice that its provider was gone" "${urls[troubled]}/readyz" '"degraded"'
  else
    break_provider "$fault"
    await "no call to the provider was struck by $fault" "${urls[troubled_mock]}/_mock/faults" '"strikes":[1-9]'
  fi
  # There and back, so that a machine that grows slower or faster does so to both.
  for side in healthy troubled troubled healthy; do
    load "$fault-poll-$side" "$side" "$connections" paths.lua "$work/$side.paths"
  done
  for side in healthy troubled troubled healthy; do
    load "$fault-initiate-$side" "$side" "$connections" begin.lua
  done
  stop healthy troubled troubled_mock
  compare_two "poll, initiate, provider $fault : well" "$fault-poll" "$fault-initiate" 0.9
}

# break_provider FAULT: on every kind of call that it applies to.
break_provider() {
  local target
  for target in token create status; do
    [[ $target != token || ($1 != wrong_transaction && $1 != late_accept) ]] || continue
    curl -sS --fail -X PUT "${urls[troubled_mock]}/_mock/faults" -H 'Content-Type: application/json' \
      -d "{\"target\":\"$target\",\"fault\":\"$1\"}" >/dev/null
  done
}

# await COMPLAINT URL PATTERN: until the answer has it; half a minute at the most.
await() {
  for _ in $(seq 1 300); do
    if curl -sS "$2" | grep -qE "$3"; then return 0; fi
    sleep 0.1
  done
  fail "$1."
}

# Signed webhooks about a hundred scans that are under way, each of another event; and the same while the provider hangs.
row_webhooks() {
  local kind secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
  local switches=(
    "${switches[@]}" --set "providers.mock.webhook.secrets=$secret" --set providers.mock.webhook.reference=/data/id
    --set providers.mock.webhook.tolerance=1h
  )
  for _ in $(runs); do
    for kind in healthy hanging; do
      daemon "hook-$kind" "$pending"
      "$bin/bench-seed" --server "${urls[hook-$kind]}" --email "$pending" --count 100 --open --output "$work/hook.paths"
      curl -sS --fail "${urls[mock]}/_mock/scans?limit=100" | grep -oE '"id":"[^"]+"' | cut -d'"' -f4 >"$work/scans"
      [[ $(wc -l <"$work/scans") -eq 100 ]] || fail "the mock does not list the scans."
      # More than the daemon remembers: none of them is a repetition when it comes round again.
      "$bin/bench-seed" webhooks --scans "$work/scans" --secret "$secret" --count 40000 --output "$work/hooks"
      [[ $kind == healthy ]] \
        || curl -sS --fail -X PUT "${urls[mock]}/_mock/faults" -d '{"target":"status","fault":"hang"}' >/dev/null
      warm "hook-$kind" hooks.lua "$work/hooks"
      bare hook-bare
      load "hook-$kind" "hook-$kind" "$connections" hooks.lua "$work/hooks"
      [[ $kind == healthy ]] || curl -sS --fail "${urls[mock]}/_mock/faults" | grep -qE '"strikes":[1-9]' \
        || fail "no check hung."
      stop "hook-$kind"
      curl -sS --fail -X DELETE "${urls[mock]}/_mock/faults"
    done
  done
  compare "webhook intake : bare" hook-healthy hook-bare ""
  compare "webhook intake while the provider hangs : healthy" hook-hanging hook-healthy 0.9
}

# Clients that are parked while logins change, 500 a second: 1,000 and 15,000 long polls, and streams of fifteen a login.
row_waiting() {
  local count
  for count in 1000 15000; do
    for _ in $(seq 1 "$waiting_runs"); do park "waiting-$count" --count "$count"; done
    report_waiting "$count long polls" "waiting-$count"
  done
  for _ in $(seq 1 "$waiting_runs"); do park streams --count 1500 --per-login 15 --rate 20 --events; done
  report_waiting "1500 streams, 15 a login" streams
}

# The same, ended by verdicts: the mock accepts the scan, its webhook comes in, and whoever waits is answered with tokens.
# Scheduled checks are few, as where webhooks come: fifteen thousand a second would measure the mock.
row_verdicts() {
  local count secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
  local switches=(
    "${switches[@]}" --set "providers.mock.webhook.secrets=$secret" --set providers.mock.webhook.reference=/data/id
    --set faceLogin.hotCheck=30s --set faceLogin.coldCheck=60s
  )
  local verdicts=(--approve "${urls[mock]}" --webhook-secret "$secret")
  for count in 1000 15000; do
    for _ in $(seq 1 "$waiting_runs"); do park "verdicts-$count" --count "$count" "${verdicts[@]}"; done
    report_waiting "$count long polls, verdicts" "verdicts-$count"
  done
  for _ in $(seq 1 "$waiting_runs"); do
    park stream-verdicts --count 1500 --per-login 15 --rate 20 --events "${verdicts[@]}"
  done
  report_waiting "1500 streams, verdicts" stream-verdicts
}

# park FIGURE ARGUMENT...: one run of clients that wait.
park() {
  daemon waited "$pending"
  park_at "$1" waited "${@:2}"
  stop waited
}

# park_at FIGURE SERVER ARGUMENT...: the same at a daemon that runs.
park_at() {
  local figure=$1 server=$2 report
  report=$("$bin/bench-seed" waiters --server "${urls[$server]}" --email "$pending" --pid "${pids[$server]}" "${@:3}") \
    || fail "$figure: the waiting clients were not served."
  [[ $report =~ dropped=([0-9]+)\ kib=([0-9.]+)\ p50=([0-9.]+)\ p99=([0-9.]+)\ max= ]] \
    || fail "bench-seed said nothing that can be read for $figure: $report"
  echo "${BASH_REMATCH[1]}" >>"$work/figures/$figure-dropped"
  echo "${BASH_REMATCH[2]}" >>"$work/figures/$figure-kib"
  echo "${BASH_REMATCH[3]}" >>"$work/figures/$figure-p50"
  echo "${BASH_REMATCH[4]}" >>"$work/figures/$figure-p99"
}

# report_waiting TITLE FIGURE: its lines of the table.
report_waiting() {
  bound "$1: told after, median" "$(median "$2-p50")" ms ""
  bound "$1: told after, 99th percentile" "$(median "$2-p99")" ms 50
  bound "$1: memory each" "$(median "$2-kib")" KiB 24
  bound "$1: SYNs dropped as they connected" "$(median "$2-dropped")" "" 0
}

# A hundred scans under way, polled, at a provider that answers no check, and at one that does.
row_hanging() {
  local side
  start hanging_mock "$bin/authid-mock" --port 0
  for side in healthy hanging; do
    local provider=mock
    [[ $side == healthy ]] || provider=hanging_mock
    daemon "polled-$side" "$pending"
    "$bin/bench-seed" --server "${urls[polled-$side]}" --email "$pending" --count 100 --open \
      --output "$work/$side.paths"
    warm "polled-$side" paths.lua "$work/$side.paths"
  done
  curl -sS --fail -X PUT "${urls[hanging_mock]}/_mock/faults" -d '{"target":"status","fault":"hang"}' >/dev/null
  await "no check hung" "${urls[hanging_mock]}/_mock/faults" '"strikes":[1-9]'
  for _ in $(runs); do
    for side in healthy hanging; do
      load "polled-$side" "polled-$side" "$connections" paths.lua "$work/$side.paths"
    done
  done
  stop polled-healthy polled-hanging hanging_mock
  compare "poll while the provider hangs : healthy" polled-hanging polled-healthy 0.95
}

# The rows of the backchannel. Sourced by scripts/bench.sh.

# load_waiting FIGURE SERVER CONNECTIONS SCRIPT ARGUMENT...: as load, for polls that are all told to go on waiting: status 400.
load_waiting() {
  local figure=$1 server=$2 count=$3 script=$4 report requests elapsed
  shift 4
  report=$(ask "$server" "$count" "$seconds" "$script" "$@") || fail "wrk failed for $figure."
  [[ $report =~ requests=([0-9]+)\ seconds=([0-9.]+)\ bytes=([0-9]+)\ status=([0-9]+)\ socket=([0-9]+) ]] \
    || fail "wrk said nothing that can be read for $figure: $report"
  requests=${BASH_REMATCH[1]} elapsed=${BASH_REMATCH[2]}
  [[ $requests -gt 0 && ${BASH_REMATCH[4]} -eq $requests && ${BASH_REMATCH[5]} -eq 0 ]] \
    || fail "$figure: of $requests polls ${BASH_REMATCH[4]} were told to wait, and ${BASH_REMATCH[5]} connections failed."
  awk -v n="$requests" -v s="$elapsed" 'BEGIN { printf "%.0f\n", n / s }' >>"$work/figures/$figure"
}

# begin_backchannel SERVER COUNT FILE: begins so many requests of the bench's client; their ids go into the file.
begin_backchannel() {
  local form="scope=openid&login_hint=${pending/@/%40}&requested_expiry=600&$credentials"
  wrk -t1 -c"$connections" -d600s -s Benchmarks/wrk/backchannel.lua "${urls[$1]}" -- \
    "$form" "$2" "$connections" "$3" >"$work/begin.log" || fail "the backchannel requests could not be begun."
  [[ $(wc -l <"$3") -eq $2 ]] || fail "of $2 backchannel requests $(wc -l <"$3") were begun: $(cat "$work/begin.log")"
}

# still_waiting SERVER FILE: the first of the requests is told to go on waiting, and nothing else.
still_waiting() {
  local said
  said=$(curl -sS "${urls[$1]}/oauth/token" -d "$credentials" -d "auth_req_id=$(head -n 1 "$2")" \
    --data-urlencode grant_type=urn:openid:params:grant-type:ciba) || fail "nobody answered a poll."
  [[ $said == *authorization_pending* ]] || fail "a backchannel request does not wait any more: $said"
}

# Polls by a client with a secret, with a hundred requests open and with as many as the board has in row_poll.
row_ciba() {
  local credentials secret settings side
  local switches=("${switches[@]}" --set oauth.enabled=true)
  for side in ciba-few ciba-many; do daemon "$side" "$pending"; done
  for side in ciba-few ciba-many; do
    settings=(--config config/vestibule.yaml --data "$work/data-$side" "${switches[@]}")
    secret=$("$bin/vestibule" clients add --id bench --grant ciba --delivery poll --auth secret --scope openid --json \
      "${settings[@]}" | sed -nE 's/.*"secret"[ :]+"([^"]+)".*/\1/p')
    [[ -n $secret ]] || fail "the client of $side could not be made."
    credentials="client_id=bench&client_secret=$secret"
    if [[ $side == ciba-few ]]; then
      begin_backchannel "$side" 100 "$work/$side.ids"
    else
      begin_backchannel "$side" "$board" "$work/$side.ids"
    fi
    printf '%s' "$credentials" >"$work/$side.credentials"
    still_waiting "$side" "$work/$side.ids"
  done
  for _ in $(runs); do
    bare ciba-bare
    for side in ciba-few ciba-many; do
      load_waiting "$side" "$side" "$connections" ciba.lua "$work/$side.ids" "$(cat "$work/$side.credentials")"
    done
  done
  for side in ciba-few ciba-many; do
    credentials=$(cat "$work/$side.credentials")
    still_waiting "$side" "$work/$side.ids"
    stop "$side"
  done
  compare "CIBA poll pending (secret) : bare" ciba-few ciba-bare 0.5
  compare "CIBA poll, $board open : few" ciba-many ciba-few 0.95
}

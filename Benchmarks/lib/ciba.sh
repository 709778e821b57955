# The rows of the backchannel. Sourced by scripts/bench.sh.

# load_waiting FIGURE SERVER CONNECTIONS SCRIPT ARGUMENT...: as load, for polls that are all told to go on waiting: status 400,
# and as long as the answer that still_waiting has had, $waiting_bytes. Errors with a status of their own are shorter or longer.
load_waiting() {
  local figure=$1 server=$2 count=$3 script=$4 report requests elapsed bytes
  shift 4
  report=$(ask "$server" "$count" "$seconds" "$script" "$@") || fail "wrk failed for $figure."
  [[ $report =~ requests=([0-9]+)\ seconds=([0-9.]+)\ bytes=([0-9]+)\ status=([0-9]+)\ socket=([0-9]+) ]] \
    || fail "wrk said nothing that can be read for $figure: $report"
  requests=${BASH_REMATCH[1]} elapsed=${BASH_REMATCH[2]} bytes=${BASH_REMATCH[3]}
  [[ $requests -gt 0 && ${BASH_REMATCH[4]} -eq $requests && ${BASH_REMATCH[5]} -eq 0 ]] \
    || fail "$figure: of $requests polls ${BASH_REMATCH[4]} were told to wait, and ${BASH_REMATCH[5]} connections failed."
  awk -v b="$bytes" -v n="$requests" -v w="$waiting_bytes" 'BEGIN { exit !(b > 0.97 * n * w && b < 1.03 * n * w) }' \
    || fail "$figure: the answers have $((bytes / requests)) bytes, and those that say to wait $waiting_bytes."
  awk -v n="$requests" -v s="$elapsed" 'BEGIN { printf "%.0f\n", n / s }' >>"$work/figures/$figure"
}

# begin_backchannel SERVER COUNT FILE CREDENTIALS: begins so many requests of a client; their ids go into the file. The
# credentials are a part of a form, or behind an @ a file with an assertion for each request and one more.
begin_backchannel() {
  local form="scope=openid&login_hint=${pending/@/%40}&requested_expiry=600"
  : >"$3"
  wrk -t1 -c"$connections" -d300s -s Benchmarks/wrk/backchannel.lua "${urls[$1]}" -- \
    "$form" "$2" "$connections" "$3" "$4" >"$work/begin.log" 2>&1 &
  pids[begin]=$!
  # wrk sleeps its time out, whatever the script does, unless it is interrupted.
  while kill -0 "${pids[begin]}" 2>/dev/null; do
    if [[ $(wc -l <"$3") -eq $2 ]]; then
      kill -INT "${pids[begin]}" 2>/dev/null || true
      break
    fi
    sleep 0.1
  done
  wait "${pids[begin]}" || fail "the backchannel requests could not be begun: $(cat "$work/begin.log")"
  unset "pids[begin]"
  [[ $(wc -l <"$3") -eq $2 ]] || fail "of $2 backchannel requests $(wc -l <"$3") were begun: $(cat "$work/begin.log")"
}

# still_waiting SERVER FILE CREDENTIALS: the first of the requests is told to go on waiting, and nothing else. Leaves the length
# of the answer in $waiting_bytes.
still_waiting() {
  local said
  said=$(curl -sS -w '\n%{size_header} %{size_download}' "${urls[$1]}/oauth/token" -d "$3" \
    -d "auth_req_id=$(head -n 1 "$2")" --data-urlencode grant_type=urn:openid:params:grant-type:ciba) \
    || fail "nobody answered a poll."
  [[ $said == *authorization_pending* && $said =~ ([0-9]+)\ ([0-9]+)$ ]] \
    || fail "a backchannel request does not wait any more: $said"
  waiting_bytes=$((BASH_REMATCH[1] + BASH_REMATCH[2]))
}

# assertions COUNT FILE: so many assertions of the client keyed, each good once and for five minutes.
assertions() {
  "$bin/bench-seed" assertions --client-id keyed --audience "$page" --algorithm "$assertions" --key "$work/client.key" \
    --key-set "$work/client.jwks" --count "$1" --output "$2" || fail "the assertions could not be made."
}

# keyed: the credentials of the client keyed for one request, as a form has them.
keyed() {
  assertions 1 "$work/one"
  printf 'client_assertion_type=%s&client_assertion=%s' \
    urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer "$(cat "$work/one")"
}

# backchannel_client SERVER ID ARGUMENT...: a client of that daemon that polls; what is printed of it.
backchannel_client() {
  local settings=(--config config/vestibule.yaml --data "$work/data-$1" "${switches[@]}") id=$2
  shift 2
  "$bin/vestibule" clients add --id "$id" --grant ciba --delivery poll --scope openid --json "$@" "${settings[@]}" \
    || fail "the client $id could not be made."
}

# Polls by a client with a secret, with a hundred requests open and with as many as the board has in row_poll; and by one that
# signs an assertion for each (private_key_jwt), of a hundred requests of its own beside those.
row_ciba() {
  local side secret page=http://localhost:8080 waiting_bytes
  local -A by_secret=()
  # Assertions name their audience, so it has to be known.
  local switches=("${switches[@]}" --set oauth.enabled=true --set "publicURL=$page")
  for side in ciba-few ciba-many; do daemon "$side" "$pending"; done
  for side in ciba-few ciba-many; do
    secret=$(backchannel_client "$side" bench --auth secret | sed -nE 's/.*"secret"[ :]+"([^"]+)".*/\1/p')
    [[ -n $secret ]] || fail "the client of $side has no secret."
    by_secret[$side]="client_id=bench&client_secret=$secret"
    if [[ $side == ciba-few ]]; then
      begin_backchannel "$side" 100 "$work/$side.ids" "${by_secret[$side]}"
    else
      begin_backchannel "$side" "$board" "$work/$side.ids" "${by_secret[$side]}"
    fi
    assertions 101 "$work/assertions"
    backchannel_client "$side" keyed --auth private-key-jwt --keys "$work/client.jwks" >"$work/client.json"
    begin_backchannel "$side" 100 "$work/$side-keyed.ids" "@$work/assertions"
  done
  ciba_waits
  for _ in $(runs); do
    bare ciba-bare
    for side in ciba-few ciba-many; do
      load_waiting "$side" "$side" "$connections" ciba.lua "$work/$side.ids" "${by_secret[$side]}"
    done
    bare ciba-keyed-bare
    for side in ciba-few ciba-many; do
      # More than a machine of this kind checks; wrk fails where they are too few.
      assertions $((seconds * 25000)) "$work/assertions"
      load_waiting "$side-keyed" "$side" "$connections" ciba.lua "$work/$side-keyed.ids" "@$work/assertions"
    done
  done
  ciba_waits
  stop ciba-few ciba-many
  compare "CIBA poll pending (secret) : bare" ciba-few ciba-bare 0.5
  compare "CIBA poll (secret), $board open : few" ciba-many ciba-few 0.95
  compare "CIBA poll pending (private_key_jwt, $assertions) : bare" ciba-few-keyed ciba-keyed-bare 0.5
  compare "CIBA poll (private_key_jwt, $assertions), $board open : few" ciba-many-keyed ciba-few-keyed 0.95
}

# The oldest requests of row_ciba still wait.
ciba_waits() {
  for side in ciba-few ciba-many; do
    still_waiting "$side" "$work/$side.ids" "${by_secret[$side]}"
    still_waiting "$side" "$work/$side-keyed.ids" "$(keyed)"
  done
}

# The rows of sign-ins that are no scan. Sourced by scripts/bench.sh.

# account NAME EMAIL: one more account of a daemon, with the password of all bench people.
account() {
  local settings=(--config config/vestibule.yaml --data "$work/data-$1" "${switches[@]}")
  "$bin/vestibule" accounts add --email "$2" --name "Bench Person" --password - "${settings[@]}" \
    >"$work/accounts.log" 2>&1 <<<"correct horse battery" \
    || { cat "$work/accounts.log" >&2; fail "the account $2 could not be made."; }
}

# Sixteen people, one a connection, who sign in with a password as fast as they are let; and 64 who poll, a few thousand times
# a second in all, while nobody signs in and while those do. A password is scrypt for tens of milliseconds, one at a time
# (limits.passwordsAtOnce); up to 64 wait their turn. The sixteen are as many accounts: five tries under way lock one.
row_password() {
  local beside number
  daemon password "$pending"
  for number in $(seq 1 16); do
    account password "password$number@example.com"
    echo "password$number@example.com"
  done >"$work/people"
  "$bin/bench-seed" --server "${urls[password]}" --email "$pending" --count 100 --output "$work/calm.paths"
  warm password paced.lua "$work/calm.paths"
  for _ in $(runs); do
    idle_passwords
    bare password-bare
    load calm password "$connections" paced.lua "$work/calm.paths"
    load password-beside password 16 password.lua "$work/people" &
    beside=$!
    load beside password "$connections" paced.lua "$work/calm.paths"
    wait "$beside" || exit 1
    idle_passwords
    load password password 16 password.lua "$work/people"
    ((bytes / requests > 1000)) || fail "the answers have $((bytes / requests)) bytes: too few for tokens."
  done
  [[ $(rows password "SELECT COUNT(*) FROM operations WHERE state = 'created'") -eq 100 ]] \
    || fail "logins expired while they were polled: use fewer or shorter runs."
  stop password
  compare "password login (bounded) : bare" password password-bare ""
  compare "paced polls while passwords are hashed : not" beside calm 0.9
}

# Waits until no password is hashed for a run that is over: they are taken in turn.
idle_passwords() {
  curl -sS --fail-with-body -o "$work/idle" "${urls[password]}/auth/login" -H 'Content-Type: application/json' \
    -d '{"email":"password1@example.com","password":"correct horse battery"}' \
    || fail "nobody could sign in: $(cat "$work/idle")"
}

# As many devices as completions, each with a key and with one answer to its challenge; their owners have fifty each, which is
# all that an account may. Their addresses can be signed in with, but no mail can go there (an underscore in a host name): else
# each key would send one.
row_biometric() {
  local before made owners=$(((completions + 49) / 50))
  # Scans sign them in: hundreds of passwords would take minutes. Their app sends no cookie that could prove a known device.
  local switches=("${switches[@]}" --set clients.mwsim.initiators=anyone)
  seq -f 'accept+%g@bench_people.example.com' 1 "$owners" >"$work/owners"
  { echo email,name,provider && sed 's/$/,Bench Person,mock/' "$work/owners"; } >"$work/owners.csv"
  for _ in $(runs); do
    daemon biometric "$pending"
    "$bin/vestibule" accounts import "$work/owners.csv" --config config/vestibule.yaml --data "$work/data-biometric" \
      "${switches[@]}" --set "providers.mock.baseURL=${urls[mock]}" >"$work/accounts.log" 2>&1 \
      || { cat "$work/accounts.log" >&2; fail "the owners of the devices could not be made."; }
    "$bin/bench-seed" devices --server "${urls[biometric]}" --owners "$work/owners" --count "$completions" \
      --output "$work/answers"
    before=$(rows biometric "SELECT COUNT(*) FROM sessions")
    bare biometric-bare
    load biometric biometric "$connections" once.lua "$work/answers" "$connections"
    made=$(($(rows biometric "SELECT COUNT(*) FROM sessions") - before))
    ((made >= requests && made <= requests + connections)) || fail "$requests answers, but $made sessions."
    ((bytes / requests > 1000)) || fail "the answers have $((bytes / requests)) bytes: too few for tokens."
    stop biometric
  done
  compare "biometric verify : bare" biometric biometric-bare ""
}

# A passkey's three requests: the answer that makes it, the answer that signs in, and a whole sign-in, options and answer. Each
# answer was signed before the run; options are for nobody's use then, but cost what they cost. The page is where the daemon
# says that it is.
row_passkeys() {
  local kind before made answers page=http://localhost:8080
  # One address has a thousand open challenges: bench-seed asks as if from many.
  local switches=("${switches[@]}" --set "publicURL=$page" --set listen.trustedProxies=127.0.0.1)
  for _ in $(runs); do
    daemon passkeys "$pending"
    for kind in registrations sign-ins whole-sign-ins; do
      "$bin/bench-seed" passkeys --server "${urls[passkeys]}" --origin "$page" --kind "$kind" --names "$kind" \
        --count "$completions" --output "$work/answers"
      before=$(rows passkeys "SELECT COUNT(*) FROM sessions")
      bare passkeys-bare
      load "passkeys-$kind" passkeys "$connections" once.lua "$work/answers" "$connections"
      made=$(($(rows passkeys "SELECT COUNT(*) FROM sessions") - before))
      answers=$requests
      # Every other request asks for options.
      [[ $kind != whole-sign-ins ]] || answers=$((requests / 2))
      ((made >= answers - connections && made <= answers + connections)) || fail "$answers answers, but $made sessions."
      [[ $kind != whole-sign-ins ]] \
        || awk -v n="$answers" -v s="$elapsed" 'BEGIN { printf "%.0f\n", n / s }' >>"$work/figures/passkeys-sign-ins-each"
    done
    stop passkeys
  done
  compare "passkey registration verify : bare" passkeys-registrations passkeys-bare ""
  compare "passkey assertion verify : bare" passkeys-sign-ins passkeys-bare 0.08
  compare "passkey sign-in, options and verify : bare" passkeys-sign-ins-each passkeys-bare ""
}

# The same verifications in one process, without HTTP and store, in turn with bare signatures: a second of a core's time.
row_passkeys_core() {
  local name rate
  "$bin/bench-passkeys" --runs "$rounds" --seconds "$seconds" >"$work/core" || fail "the verifications could not be timed."
  while read -r name rate; do echo "$rate" >>"$work/figures/core-$name"; done <"$work/core"
  compare "in process, assertion ES256 : raw signature" core-assertion-es256 core-raw-es256 0.6
  compare "in process, assertion ES256 : raw, key kept" core-assertion-es256 core-raw-es256-key-kept ""
  compare "in process, assertion Ed25519 : raw signature" core-assertion-ed25519 core-raw-ed25519 ""
  compare "in process, assertion RS256 : raw signature" core-assertion-rs256 core-raw-rs256 ""
  compare "in process, registration, none : raw ES256" core-registration-none core-raw-es256 ""
  compare "in process, registration, packed : raw ES256" core-registration-packed core-raw-es256 ""
}

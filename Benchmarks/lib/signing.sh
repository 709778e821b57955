# The row "eddsa": completions and refreshes whose tokens are signed with EdDSA, in turn with ES256. Sourced by scripts/bench.sh.

row_eddsa() {
  local run algorithm
  for run in $(runs); do
    for algorithm in $(in_turn "$run" es256 eddsa); do signed_calls "$algorithm"; done
  done
  compare "completion, EdDSA : ES256" completion-eddsa completion-es256 ""
  compare "refresh, EdDSA : ES256" refresh-eddsa refresh-es256 ""
}

# signed_calls ALGORITHM: a run of each call.
signed_calls() {
  local algorithm=$1 switches=("${switches[@]}" --set clients.bbms.refresh=rotation --set "secrets.signingAlgorithm=$1")
  daemon signing "$accepted"
  curl -sS --fail "${urls[signing]}/.well-known/jwks.json" | grep -qi "\"alg\":\"$algorithm\"" || fail "no key is of $algorithm."
  "$bin/bench-seed" --server "${urls[signing]}" --email "$accepted" --count "$completions" --open --output "$work/approved.paths"
  await_approval signing "$completions"
  load "completion-$algorithm" signing "$connections" once.lua "$work/approved.paths" "$connections"
  check_completion signing
  "$bin/bench-seed" --server "${urls[signing]}" --email "$accepted" --count "$completions" --open --collect \
    --output "$work/refresh.paths"
  load "refresh-$algorithm" signing "$connections" once.lua "$work/refresh.paths" "$connections"
  ((bytes / requests > 800)) || fail "the answers have $((bytes / requests)) bytes: too few for tokens."
  stop signing
}

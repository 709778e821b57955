# The row "peer": the four calls of a login, in turn with a small FastAPI server that does the same. Sourced by
# scripts/bench.sh. Benchmarks/peer says what that server does and keeps.

# peer KIND COUNT: starts it over a new database with so many logins or refresh tokens, whose paths are peer.paths.
peer() {
  mkdir "$work/data-peer"
  "$peer_python" Benchmarks/peer/seed.py "$work/data-peer" "$1" "$2" "$work/peer.paths"
  start peer env PYTHONDONTWRITEBYTECODE=1 "$peer_python" Benchmarks/peer/serve.py "$work/data-peer"
  warm peer begin.lua
}

# The four calls, each of both sides in turn: the other one first in every second run.
row_peer() {
  local peer_python=$PWD/.build/peer/bin/python run call side
  scripts/bench-peer.sh
  for run in $(runs); do
    for call in polls starts completions refreshes; do
      for side in $(in_turn "$run" our peer); do "${side}_$call"; done
    done
  done
  compare "poll : FastAPI" peer-poll-ours peer-poll 3
  compare "initiate : FastAPI" peer-initiate-ours peer-initiate 3
  compare "completion : FastAPI" peer-completion-ours peer-completion 3
  compare "refresh : FastAPI" peer-refresh-ours peer-refresh 3
}

our_polls() {
  daemon ours "$pending"
  "$bin/bench-seed" --server "${urls[ours]}" --email "$pending" --count 100 --output "$work/ours.paths"
  warm ours paths.lua "$work/ours.paths"
  load peer-poll-ours ours "$connections" paths.lua "$work/ours.paths"
  stop ours
}

peer_polls() {
  peer pending 100
  warm peer paths.lua "$work/peer.paths"
  load peer-poll peer "$connections" paths.lua "$work/peer.paths"
  stop peer
}

our_starts() {
  daemon ours "$pending"
  warm ours begin.lua
  load peer-initiate-ours ours "$connections" begin.lua
  stop ours
}

peer_starts() {
  peer pending 1
  load peer-initiate peer "$connections" begin.lua
  stop peer
}

our_completions() {
  daemon ours "$accepted"
  "$bin/bench-seed" --server "${urls[ours]}" --email "$accepted" --count "$completions" --open --output "$work/approved.paths"
  await_approval ours "$completions"
  load peer-completion-ours ours "$connections" once.lua "$work/approved.paths" "$connections"
  check_completion ours
  stop ours
}

peer_completions() {
  peer approved "$completions"
  load peer-completion peer "$connections" once.lua "$work/peer.paths" "$connections"
  check_peer "SELECT COUNT(*) FROM logins l JOIN sessions s ON s.id = l.session WHERE l.state = 'redeemed'"
  stop peer
}

our_refreshes() {
  local switches=("${switches[@]}" --set clients.bbms.refresh=rotation)
  daemon ours "$accepted"
  "$bin/bench-seed" --server "${urls[ours]}" --email "$accepted" --count "$completions" --open --collect \
    --output "$work/ours.paths"
  load peer-refresh-ours ours "$connections" once.lua "$work/ours.paths" "$connections"
  stop ours
}

peer_refreshes() {
  peer refresh "$completions"
  load peer-refresh peer "$connections" once.lua "$work/peer.paths" "$connections"
  check_peer "SELECT COUNT(DISTINCT parent) FROM refresh_tokens WHERE parent IS NOT NULL"
  stop peer
}

# check_peer SQL: what the peer wrote, by a count, fits what it answered, and the answers hold tokens.
check_peer() {
  local made
  made=$(sqlite3 -readonly "$work/data-peer/peer.sqlite" "$1")
  ((made >= requests && made <= requests + connections)) || fail "$requests answers of the peer, but it wrote $made."
  ((bytes / requests > 800)) || fail "the peer's answers have $((bytes / requests)) bytes: too few for tokens."
}

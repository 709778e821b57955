# The row "peer": the four calls of a login, in turn with a small FastAPI server that does the same. Sourced by
# scripts/bench.sh. Benchmarks/peer says what that server does and keeps.

# peer KIND COUNT: starts it over a new database with so many logins or refresh tokens, whose paths are peer.paths.
peer() {
  mkdir "$work/data-peer"
  "$peer_python" Benchmarks/peer/seed.py "$work/data-peer" "$1" "$2" "$work/peer.paths"
  start peer env PYTHONDONTWRITEBYTECODE=1 "$peer_python" Benchmarks/peer/serve.py "$work/data-peer"
  warm peer begin.lua
}

row_peer() {
  local peer_python=$PWD/.build/peer/bin/python
  scripts/bench-peer.sh
  local figure
  for _ in $(runs); do for figure in polls starts completions refreshes; do "peer_$figure"; done; done
  compare "poll : FastAPI" peer-poll-ours peer-poll 3
  compare "initiate : FastAPI" peer-initiate-ours peer-initiate 3
  compare "completion : FastAPI" peer-completion-ours peer-completion 3
  compare "refresh : FastAPI" peer-refresh-ours peer-refresh 3
}

peer_polls() {
  daemon ours "$pending"
  "$bin/bench-seed" --server "${urls[ours]}" --email "$pending" --count 100 --output "$work/ours.paths"
  warm ours paths.lua "$work/ours.paths"
  load peer-poll-ours ours "$connections" paths.lua "$work/ours.paths"
  stop ours
  peer pending 100
  warm peer paths.lua "$work/peer.paths"
  load peer-poll peer "$connections" paths.lua "$work/peer.paths"
  stop peer
}

peer_starts() {
  daemon ours "$pending"
  warm ours begin.lua
  load peer-initiate-ours ours "$connections" begin.lua
  stop ours
  peer pending 1
  load peer-initiate peer "$connections" begin.lua
  stop peer
}

peer_completions() {
  daemon ours "$accepted"
  "$bin/bench-seed" --server "${urls[ours]}" --email "$accepted" --count "$completions" --open --output "$work/ours.paths"
  await_approval ours "$completions"
  load peer-completion-ours ours "$connections" once.lua "$work/ours.paths" "$connections"
  stop ours
  peer approved "$completions"
  load peer-completion peer "$connections" once.lua "$work/peer.paths" "$connections"
  stop peer
}

peer_refreshes() {
  local switches=("${switches[@]}" --set clients.bbms.refresh=rotation)
  daemon ours "$accepted"
  "$bin/bench-seed" --server "${urls[ours]}" --email "$accepted" --count "$completions" --open --collect \
    --output "$work/ours.paths"
  load peer-refresh-ours ours "$connections" once.lua "$work/ours.paths" "$connections"
  stop ours
  peer refresh "$completions"
  load peer-refresh peer "$connections" once.lua "$work/peer.paths" "$connections"
  stop peer
}

# The row "before": each daemon of now in turn with one of an earlier commit, both in one run. Sourced by scripts/bench.sh.

# each_side RUN COMMAND...: for the binaries of before and of now, with $side and $bin set. The order changes with each run, so
# that neither is always the second.
each_side() {
  local now=$bin bin side order=(before after)
  (($1 % 2)) || order=(after before)
  for side in "${order[@]}"; do
    bin=$now
    [[ $side == after ]] || bin=$before
    "${@:2}"
  done
}

seed_side() { "$now/bench-seed" --server "${urls[$side]}" --output "$work/$side.paths" "$@"; }

open_polls() {
  daemon "$side" "$pending"
  seed_side --email "$pending" --count 100
  warm "$side" paths.lua "$work/$side.paths"
}

poll_side() { load "poll-$side" "$side" "$connections" paths.lua "$work/$side.paths"; }

begin_side() {
  daemon "$side" "$pending"
  warm "$side" begin.lua
  load "initiate-$side" "$side" "$connections" begin.lua
  stop "$side"
}

complete_side() {
  daemon "$side" "$accepted"
  seed_side --email "$accepted" --count "$completions" --open
  await_approval "$side" "$completions"
  load "completion-$side" "$side" "$connections" once.lua "$work/$side.paths" "$connections"
  stop "$side"
}

refresh_side() {
  local switches=("${switches[@]}" --set clients.bbms.refresh=rotation)
  daemon "$side" "$accepted"
  seed_side --email "$accepted" --count "$completions" --open --collect
  load "refresh-$side" "$side" "$connections" once.lua "$work/$side.paths" "$connections"
  stop "$side"
}

row_before() {
  [[ -n $before ]] || fail "the row \"before\" needs BENCH_BEFORE=FOLDER, the binaries of an earlier commit."
  local run figure
  each_side 1 open_polls
  for run in $(runs); do each_side "$run" poll_side; done
  stop before after
  for run in $(runs); do
    for figure in begin_side complete_side refresh_side; do each_side "$run" "$figure"; done
  done
  for figure in poll initiate completion refresh; do
    compare "$figure, now : before" "$figure-after" "$figure-before" 0.97
  done
}

# The row "before": the daemon of now in turn with one of an earlier commit, both in one run. Sourced by scripts/bench.sh.
#
# On a machine that others share, two runs of one program differ by up to 13 %. Both daemons are therefore up at once, and
# short loads of the one and the other alternate. Each load is compared with the one beside it, so that a slow minute slows both.

slices=${BENCH_SLICES:-8}

# each_side TURN COMMAND...: for the binaries of before and of now, with $side and $bin set. The order changes with each
# turn, so that neither is always the second.
each_side() {
  local now=$bin bin side order=(before after)
  (($1 % 2)) || order=(after before)
  for side in "${order[@]}"; do
    bin=$now
    [[ $side == after ]] || bin=$before
    "${@:2}"
  done
}

# load_side FIGURE SCRIPT ARGUMENT...: a second of load, the shortest that wrk has.
load_side() {
  local seconds=1
  load "$1-$side" "$side" "$connections" "${@:2}"
}

seed_side() { "$now/bench-seed" --server "${urls[$side]}" --output "$work/$side.paths" "$@"; }

open_polls() {
  daemon "$side" "$pending"
  seed_side --email "$pending" --count 100
  warm "$side" paths.lua "$work/$side.paths"
}

poll_side() { load_side poll paths.lua "$work/$side.paths"; }

open_starts() {
  daemon "$side" "$pending"
  warm "$side" begin.lua
}

open_completions() {
  daemon "$side" "$accepted"
  seed_side --email "$accepted" --count "$completions" --open
  await_approval "$side" "$completions"
}

open_refreshes() {
  local switches=("${switches[@]}" --set clients.bbms.refresh=rotation)
  daemon "$side" "$accepted"
  seed_side --email "$accepted" --count "$completions" --open --collect
}

# slice_of TURN: that slice of the side's requests, each of which can be sent once.
slice_of() {
  local size=$((completions / slices))
  sed -n "$((($1 - 1) * size + 1)),$(($1 * size))p" "$work/$side.paths" >"$work/$side.slice"
}

# once_side FIGURE TURN: the side's requests of that turn. The load ends with the last answer.
once_side() {
  slice_of "$2"
  load "$1-$side" "$side" "$connections" once.lua "$work/$side.slice" "$connections"
}

before_polls() {
  local turn
  each_side 1 open_polls
  for turn in $(seq 1 $((rounds * slices))); do each_side "$turn" poll_side; done
  stop before after
}

# Fresh daemons for each run: the logins that are begun stay, and are checked beside the load.
before_starts() {
  local run turn
  for run in $(runs); do
    each_side "$run" open_starts
    for turn in 1 2; do each_side "$turn" load_side initiate begin.lua; done
    stop before after
  done
}

# before_once FIGURE OPEN: for calls that can be sent once.
before_once() {
  local run turn
  for run in $(runs); do
    each_side "$run" "$2"
    for turn in $(seq 1 "$slices"); do each_side "$turn" once_side "$1" "$turn"; done
    stop before after
  done
}

row_before() {
  ((slices > 0 && completions >= slices)) || fail "BENCH_SLICES has to be from 1 to BENCH_COMPLETIONS."
  [[ -n $before ]] || fail "the row \"before\" needs BENCH_BEFORE=FOLDER, the binaries of an earlier commit."
  before_polls
  before_starts
  before_once completion open_completions
  before_once refresh open_refreshes
  local figure
  for figure in poll initiate completion refresh; do
    compare_pairs "$figure, now : before" "$figure-after" "$figure-before" 0.97
  done
}

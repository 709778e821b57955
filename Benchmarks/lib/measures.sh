# Loads servers and keeps the figures. Sourced by scripts/bench.sh; $work, $seconds and $connections are its.

threads=1

# ask SERVER CONNECTIONS SECONDS SCRIPT ARGUMENT...: wrk's report of a run.
ask() {
  local server=$1 count=$2 duration=$3 script=$4
  shift 4
  wrk -t"$threads" -c"$count" -d"${duration}s" --timeout 30s -s "Benchmarks/wrk/$script" "${urls[$server]}" -- "$@"
}

# load FIGURE SERVER CONNECTIONS SCRIPT ARGUMENT...: one run of wrk; its requests a second become a figure.
# Leaves the parts of wrk's report in $requests, $elapsed and $bytes. An answer that is an error ends the bench.
load() {
  local figure=$1 server=$2 count=$3 script=$4 report
  shift 4
  report=$(ask "$server" "$count" "$seconds" "$script" "$@") || fail "wrk failed for $figure."
  [[ $report =~ requests=([0-9]+)\ seconds=([0-9.]+)\ bytes=([0-9]+)\ status=([0-9]+)\ socket=([0-9]+) ]] \
    || fail "wrk said nothing that can be read for $figure: $report"
  requests=${BASH_REMATCH[1]} elapsed=${BASH_REMATCH[2]} bytes=${BASH_REMATCH[3]}
  if [[ ${BASH_REMATCH[4]} -ne 0 || ${BASH_REMATCH[5]} -ne 0 || $report == *FAULTS* ]]; then
    local broken=${BASH_REMATCH[5]} said="$figure: of $requests answers ${BASH_REMATCH[4]} had a status above 399"
    fail "$said, $broken connections failed.$(explain "$report" "$server" "$count" "$script" "$@")"
  fi
  [[ $requests -gt 0 ]] || fail "$figure: nothing was answered."
  awk -v n="$requests" -v s="$elapsed" 'BEGIN { printf "%.0f\n", n / s }' >>"$work/figures/$figure"
}

# explain REPORT SERVER CONNECTIONS SCRIPT ARGUMENT...: what the answers were that were not 2xx, after a line feed.
# Where wrk has not looked at them it asks once more, and does.
explain() {
  local report=$1 server=$2
  shift
  if [[ -n ${BENCH_EXPLAIN:-} ]]; then
    printf '\nThe answers:\n'
  else
    printf '\nAsked again (what can be had once was had; BENCH_EXPLAIN=1 looks at the answers of the run itself):\n'
    report=$(BENCH_EXPLAIN=1 ask "$1" "$2" 1 "${@:3}" 2>&1) || true
  fi
  case $report in
    *FAULTS*) echo "${report#*FAULTS$'\n'}" ;;
    *BENCH*) echo "  all were 2xx" ;;
    *) echo "  none: $report" ;;
  esac
  if [[ -s $work/$server.log ]]; then
    echo "The last that $server printed:"
    tail -n 5 "$work/$server.log" | cut -c 1-500 | sed 's/^/  /'
  fi
}

# warm SERVER SCRIPT ARGUMENT...: a second of load that counts for nothing.
warm() {
  local server=$1 script=$2
  shift 2
  wrk -t"$threads" -c"$connections" -d1s -s "Benchmarks/wrk/$script" "${urls[$server]}" -- "$@" >/dev/null
}

# bare FIGURE: a run of the bare server, kept beside the row that follows it.
bare() { load "$1" bare "$connections" paths.lua "$work/bare.paths"; }

# summary FIGURE: median, minimum and maximum.
summary() {
  sort -n "$work/figures/$1" | awk '{ v[NR] = $1 } END {
    m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
    printf "%.0f %.0f %.0f\n", m, v[1], v[NR]
  }'
}

# compare TITLE FIGURE REFERENCE TARGET [RATIO]: a line of the table; an empty target is no target. The ratio is that of the
# medians unless it is given.
compare() {
  local median low high reference
  read -r median low high < <(summary "$2")
  read -r reference _ _ < <(summary "$3")
  awk -v title="$1" -v m="$median" -v l="$low" -v h="$high" -v r="$reference" -v t="$4" -v given="${5:-}" -v ratios="$work/ratios" 'BEGIN {
    ratio = given == "" ? m / r : given
    verdict = t == "" ? "" : (ratio >= t ? "met" : "short")
    shown = sprintf(ratio < 0.01 ? "%.5f" : "%.3f", ratio)
    printf "%-50s %8d (%d–%d)\t%8d\t%s\t%s\t%s\n", title, m, l, h, r, shown, (t == "" ? "" : "≥ " t), verdict
    printf "%s\t%.5f\t%s\n", title, ratio, t >>ratios
  }' >>"$work/table"
}

# compare_pairs TITLE FIGURE REFERENCE TARGET: a line whose ratio is the geometric mean of those of neighbouring loads.
compare_pairs() {
  local mean
  mean=$(paste "$work/figures/$2" "$work/figures/$3" | awk '{ sum += log($1 / $2) } END { printf "%.5f", exp(sum / NR) }')
  compare "$1" "$2" "$3" "$4" "$mean"
}

# compare_two TITLE FIGURE FIGURE TARGET: a line for two figures, each of which has runs of its `troubled` and `healthy` side.
compare_two() {
  local one one_reference two two_reference
  read -r one _ < <(summary "$2-troubled")
  read -r one_reference _ < <(summary "$2-healthy")
  read -r two _ < <(summary "$3-troubled")
  read -r two_reference _ < <(summary "$3-healthy")
  awk -v title="$1" -v a="$one" -v ar="$one_reference" -v b="$two" -v br="$two_reference" -v t="$4" 'BEGIN {
    verdict = a / ar >= t && b / br >= t ? "met" : "short"
    printf "%-50s %8d, %d\t%8d, %d\t%.3f, %.3f\t≥ %s\t%s\n", title, a, b, ar, br, a / ar, b / br, t, verdict
  }' >>"$work/table"
}

# median FIGURE: of its runs, as it was written.
median() { sort -n "$work/figures/$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# bound TITLE VALUE UNIT TARGET: a line for a figure that must not be above its target; an empty target is no target.
bound() {
  awk -v title="$1" -v v="$2" -v unit="$3" -v t="$4" 'BEGIN {
    target = t == "" ? "" : "≤ " t " " unit
    verdict = t == "" ? "" : (v + 0 <= t + 0 ? "met" : "short")
    shown = sprintf(v > 0 && v < 0.01 ? "%8.5f" : "%8.2f", v)
    printf "%-50s %s %s\t\t\t%s\t%s\n", title, shown, unit, target, verdict
  }' >>"$work/table"
}

# machine: the processor, as the kernel names it, and how many of its cores there are.
machine() {
  local name
  name=$(awk -F ': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
  echo "$(nproc) cores of ${name:-$(uname -m)}"
}

# draw FILE: the ratios of this run as SVG.
draw() {
  [[ -s $work/ratios ]] || fail "none of these rows has a ratio to draw."
  awk -v machine="$(machine)" -v day="$(date -u +%F)" -f Benchmarks/lib/picture.awk "$work/ratios" >"$work/picture.svg" \
    || fail "none of these rows divides by the bare server or by FastAPI, so that there is nothing to draw."
  cp "$work/picture.svg" "$1"
}

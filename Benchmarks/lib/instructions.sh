# The row "instructions": what a call costs in instructions, counted by valgrind's callgrind, so that the same build gives the
# same figures whatever else the machine does. Sourced by scripts/bench.sh.

# counting_daemon EMAIL SETTING...: a daemon under callgrind that counts nothing yet. It counts the whole process, all threads.
counting_daemon() {
  local patience=300 switches=("${switches[@]}" "${@:2}")
  # Valgrind may be unable to read the debug information of a newer compiler. The names of functions stay.
  strip -g -o "$work/vestibule" "$bin/vestibule"
  local bin=$work
  # It would execute itself again, which valgrind can't follow, to keep registers out of crash reports.
  daemon counted "$1" SWIFT_BACKTRACE=enable=no "LD_PRELOAD=$work/sigsuspend.so" \
    valgrind -q --tool=callgrind --instr-atstart=no --fair-sched=try --callgrind-out-file="$work/callgrind"
  dumps=0
}

# callgrind OPTION...: tells the daemon's callgrind to begin, to end, or to write down what it has counted.
callgrind() {
  callgrind_control "$@" "${pids[counted]}" >"$work/callgrind.log" 2>&1 && grep -q OK "$work/callgrind.log" \
    || { cat "$work/callgrind.log" >&2; fail "callgrind did not do what it was told."; }
}

# requests_of FILE: the lines of a file for once.lua as options of one curl, which sends them one after the other over one
# connection, with the few headers that wrk sends.
requests_of() {
  awk -v server="${urls[counted]}" '{
    if (NR > 1) print "next"
    print "silent\nshow-error\nfail\nfail-early\nuser-agent = \"\"\nheader = \"Accept:\"\noutput = \"/dev/null\""
    print "url = \"" server $1 "\""
    if ($2 ~ /^\{/) { gsub(/"/, "\\\"", $2); print "header = \"Content-Type: application/json\"\ndata = \"" $2 "\"" }
    else if ($2 ~ /=/) print "data = \"" $2 "\""
    else if ($2 != "") print "request = POST\nheader = \"Authorization: Bearer " $2 "\""
  }' "$1"
}

# counted COMMAND...: what the daemon does meanwhile is in the file $dump, and how long that took, in seconds, in $took.
counted() {
  local begun
  callgrind -i on
  begun=$(milliseconds)
  "$@" || fail "a call that counts was refused."
  took=$(awk -v ms="$(($(milliseconds) - begun))" 'BEGIN { print ms / 1000 }')
  callgrind -d
  callgrind -i off
  dump=$work/callgrind.$((++dumps))
}

# count_idle: what the daemon does in a second while nobody asks anything, and for each wake-up of a timer. That is deducted
# from calls by the wake-ups among them, or a call would seem dearer where it takes longer.
count_idle() {
  counted sleep 5
  read -r idle wake_up < <(awk -v calls="$took" -f Benchmarks/lib/callgrind.awk "$dump" \
    | awk 'NR == 1 { print $1 / 1000, $2 == 0 ? 0 : $1 / $2 }')
}

# count_calls CALL FILE: the first lines of the file are sent to warm up, the others are counted.
count_calls() {
  local call=$1
  requests_of <(head -n "$warmups" "$2") >"$work/requests"
  curl -K "$work/requests" || fail "$call: a call before those that count was refused."
  requests_of <(tail -n +"$((warmups + 1))" "$2") >"$work/requests"
  counted curl -K "$work/requests"
  awk -v calls="$instructions" -v wake_up="$wake_up" -f Benchmarks/lib/callgrind.awk "$dump" >"$work/$call.functions"
  report_calls "$call"
  [[ -z $profile ]] || keep_profile "$call" "$dump"
}

# report_calls CALL: its lines of the table.
report_calls() {
  bound "$1: instructions, thousands" "$(awk '$3 == "total" { print $1 / 1000 }' "$work/$1.functions")" "" ""
  bound "$1: allocations" "$(awk '$3 ~ /^(malloc|calloc|realloc|posix_memalign|aligned_alloc)$/ { n += $2 } END { print n + 0 }' \
    "$work/$1.functions")" "" ""
}

# keep_profile CALL DUMP: the dump itself, for callgrind_annotate and KCachegrind, and the thirty functions that cost the most.
keep_profile() {
  mkdir -p "$profile"
  cp "$2" "$profile/$1.callgrind"
  {
    echo "instructions and calls of each function itself, for one call of: $1"
    head -n 31 "$work/$1.functions"
    echo "the runtime's own, by calls"
    grep -E ' (malloc|free|calloc|realloc|posix_memalign|memcpy|memmove|swift_(retain|release|allocObject|bridgeObjectRetain|bridgeObjectRelease|task_[a-z]+|dynamicCast|conformsToProtocol[A-Za-z]*|getGenericMetadata|getWitnessTable))$' \
      "$work/$1.functions" | sort -k2,2nr
  } | demangled >"$profile/$1.txt"
}

# over_and_over COUNT FILE: so many lines, those of the file again and again.
over_and_over() { awk -v count="$1" '{ lines[NR] = $0 } END { for (i = 0; i < count; i++) print lines[i % NR + 1] }' "$2"; }

# demangled: names of Swift as people write them, where the toolchain can.
demangled() { "$swift" demangle --compact 2>/dev/null || cat; }

# Polls of logins that wait, starts, first polls of approved logins, refreshes with rotation, and tokens of the authorization
# server by a code and by a refresh token: each call on its own, so that no two share a commit.
row_instructions() {
  local warmups=50 all=$((instructions + 50)) dumps dump took idle wake_up email=$accepted
  scripts/packages.sh valgrind
  gcc -O2 -shared -fPIC -o "$work/sigsuspend.so" Benchmarks/shim/sigsuspend.c
  counting_daemon "$email" --set clients.bbms.refresh=rotation "${oauth_switches[@]}"
  "$bin/bench-seed" --server "${urls[counted]}" --email "$email" --count 100 --output "$work/waiting.paths"
  over_and_over "$all" "$work/waiting.paths" >"$work/poll.calls"
  echo "/auth/biometric-login/initiate {\"email\":\"$email\"}" >"$work/start"
  over_and_over "$all" "$work/start" >"$work/initiate.calls"
  "$bin/bench-seed" --server "${urls[counted]}" --email "$email" --count "$all" --open --output "$work/completion.calls"
  await_approval counted "$all"
  count_idle
  count_calls poll "$work/poll.calls"
  count_calls initiate "$work/initiate.calls"
  count_calls completion "$work/completion.calls"
  "$bin/bench-seed" --server "${urls[counted]}" --email "$email" --count "$all" --open --collect --output "$work/refresh.calls"
  count_calls refresh "$work/refresh.calls"
  seed_codes counted codes "$all" "$work/token.calls"
  count_calls token "$work/token.calls"
  seed_codes counted refreshes "$all" "$work/token_refresh.calls" --name bench2
  count_calls token_refresh "$work/token_refresh.calls"
  stop counted
  bound "a second of nothing: instructions, thousands" "$idle" "" ""
}

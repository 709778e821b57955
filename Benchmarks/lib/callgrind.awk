# Sums a file that callgrind has written by function: for one of `calls` calls its own instructions, how often it was called,
# and its name, those that cost the most first. The first line is the total, without `wake_up` instructions for each wake-up of
# a timer (a dispatch source), and how many of these there were. The format: valgrind's manual, "Callgrind Format Specification".

# Names are written once, as "(number) name", and by their number afterwards.
function name_of(text,   number) {
  number = substr(text, 1, index(text, ")"))
  if (length(text) > length(number)) names[number] = substr(text, length(number) + 2)
  return number
}

/^fn=/ { current = name_of(substr($0, 4)); next }
/^cfn=/ { called = name_of(substr($0, 5)); next }
# The line after it has what the called function cost with all that it called, which is counted where it is spent.
/^calls=/ { calls_of[called] += substr($1, 7); skipped = NR + 1; next }
/^[0-9+*-]/ && NR != skipped { own[current] += $2; total += $2 }

END {
  for (number in names) if (names[number] == "_dispatch_source_invoke") wake_ups += calls_of[number]
  printf "%.1f %.2f total\n", (total - wake_ups * wake_up) / calls, wake_ups / calls
  fflush()
  order = "sort -k1,1nr"
  for (number in names) printf "%.1f %.2f %s\n", own[number] / calls, calls_of[number] / calls, names[number] | order
}

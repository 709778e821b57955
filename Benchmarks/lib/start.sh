# The row "start": how large the daemon's program is, and how long it takes from its exec to its first answer. Sourced by
# scripts/bench.sh.

# Five times a folder that `vestibule init` has made: the daemon's first start there, which makes keys and the database, and
# its second. The disk's own files are in memory by then, as after any other command.
row_start() {
  local folder=$work/start secret=$work/start-secret which
  local daemon=$work/start-vestibule place=(--config "$folder/vestibule.yaml" --data "$folder/data")
  strip --strip-all -o "$daemon" "$bin/vestibule"
  (umask 077 && echo secret >"$secret")
  for _ in 1 2 3 4 5; do
    rm -rf "$folder"
    "$daemon" init --yes --public-url https://login.example.com --no-mail --provider-id-file "$secret" \
      --provider-key-file "$secret" "${place[@]}" >"$work/start.log" 2>&1 || { cat "$work/start.log" >&2; fail "init failed."; }
    for which in first second; do
      "$work/firstanswer" /livez "$daemon" serve "${place[@]}" --set listen.host=127.0.0.1 2>"$work/start.log" \
        >>"$work/figures/start-$which" || { cat "$work/start.log" >&2; fail "the daemon did not start and end in order."; }
    done
  done
  bound "program, stripped" "$(stat -c %s "$daemon" | awk '{ print $1 / 1e6 }')" MB 60
  bound "first start, exec to /livez" "$(median start-first)" ms 150
  bound "second start, exec to /livez" "$(median start-second)" ms 150
}

# The row "console": the operator's pages beside a full board, and polls while they are opened. Sourced by scripts/bench.sh.

# The pages: a name, a path below the console's own, and a text that only the page with its content has. ROW is the newest login
# and PERSON the account of all of them. No login is pending, so that the search for one reads the most that a search can.
console_pages=(
  "now|/|Logins created"
  "logins|/logins|Next page"
  "people|/people|Bench Person"
  "clients|/clients|myvoo"
  "providers|/providers|Latency of mock"
  "mail and notices|/mail|<h2>Mail</h2>"
  "keys|/keys|<h2>Keys</h2>"
  "audit|/audit|<h2>Audit</h2>"
  "nodes|/nodes|<h2>Nodes</h2>"
  "settings|/settings|limits.off"
  "one person|/people/PERSON|What each remedy would end now"
  "one client|/items/clients/bbms|clients: bbms"
  "all commands|/commands|/commands/notices/list"
  "one login's timeline|/logins/ROW|ROW"
  "people by name|/people?o_search=bench|Bench Person"
  "logins by person|/logins?o_account=PERSON|Next page"
  "logins by client|/logins?o_client=bbms|Next page"
  "logins by state, none|/logins?o_state=pending|Nothing here"
)
console_page_times=20

# start_console SERVER: a console beside that daemon, entered by its link. Leaves $console_url and $console_cookie.
start_console() {
  local data=$work/data-$1 log=$work/console.log link head
  : >"$log"
  "$bin/vestibule" console --no-open --config config/vestibule.yaml --data "$data" "${switches[@]}" \
    --set "providers.mock.baseURL=${urls[mock]}" >>"$log" 2>&1 &
  pids[console]=$!
  for _ in $(seq 1 100); do
    link=$(grep -oE 'http://127\.0\.0\.1:[0-9]+/enter/[^ ]+' "$log" || true)
    [[ -z $link ]] || break
    kill -0 "${pids[console]}" 2>/dev/null || break
    sleep 0.1
  done
  [[ -n $link ]] || { cat "$log" >&2; fail "the console did not start; the reason stands above."; }
  head=$(curl -sS --fail -o "$work/console.page" -D - -H 'Sec-Fetch-Site: none' "$link") || fail "the console's link does not work."
  [[ $head =~ [Ss]et-[Cc]ookie:\ ([^\;]+)\;\ Path=([^\;]+)/\; ]] || fail "the console gave no cookie."
  console_cookie=${BASH_REMATCH[1]} console_url=${link%/enter/*}${BASH_REMATCH[2]}
}

# console_get PATH ARGUMENT...: a page into the file console.page, as a browser that a person uses asks for it.
console_get() {
  local path=$1
  shift
  curl -sS --fail -o "$work/console.page" -H 'Sec-Fetch-Site: same-origin' -H "Cookie: $console_cookie" "$@" "$console_url$path"
}

# page_path ENTRY: its path, with what is in the database.
page_path() {
  local path
  IFS='|' read -r _ path _ <<<"$1"
  path=${path/ROW/$console_row}
  echo "${path/PERSON/${pending/@/%40}}"
}

# time_page ENTRY: opens the page twenty times; each time in ms becomes a figure of its name.
time_page() {
  local name path text took
  IFS='|' read -r name _ text <<<"$1"
  path=$(page_path "$1") text=${text/ROW/$console_row}
  for _ in $(seq 1 "$console_page_times"); do
    took=$(console_get "$path" -w '%{time_total}') || fail "the console's page $name was not answered."
    grep -qF -- "$text" "$work/console.page" || fail "the console's page $name has no \"$text\"."
    ! grep -qE '<p class="fault" role="alert">' "$work/console.page" || fail "the console's page $name has a fault."
    awk -v s="$took" 'BEGIN { printf "%.2f\n", s * 1000 }' >>"$work/figures/console-$name"
  done
}

# report_page ENTRY: its line of the table: median and maximum, which must not be above 200 ms.
report_page() {
  local name
  IFS='|' read -r name _ <<<"$1"
  sort -n "$work/figures/console-$name" | awk -v title="console, $name: median (max)" '{ v[NR] = $1 } END {
    m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
    printf "%-50s %8.2f (%.2f) ms\t\t\t≤ 200 ms\t%s\n", title, m, v[NR], (v[NR] <= 200 ? "met" : "short")
  }' >>"$work/table"
}

# An operator in a hurry, until killed: a page twice a second, each in its turn, and the page that renews itself every three seconds.
use_console() {
  local turn
  for ((turn = $1; ; turn++)); do
    console_get "$(page_path "${console_pages[turn % ${#console_pages[@]}]}")" || exit 1
    ((turn % 6)) || console_get / -H 'X-Console-Live: 1' || exit 1
    sleep 0.5
  done
}

row_console() {
  local entry console_row using turn=0
  daemon console-board "$pending"
  "$bin/bench-seed" --server "${urls[console-board]}" --email "$pending" --count "$board" --output "$work/board.paths"
  console_row=$(rows console-board "SELECT id FROM operations ORDER BY created_at DESC, id LIMIT 1")
  tail -n 1000 "$work/board.paths" | shuf --random-source=<(yes) >"$work/newest.paths"
  start_console console-board
  for entry in "${console_pages[@]}"; do time_page "$entry"; done
  warm console-board paths.lua "$work/newest.paths"
  for _ in $(runs); do
    load polled-alone console-board "$connections" paths.lua "$work/newest.paths"
    use_console "$turn" &
    using=$!
    load polled-beside console-board "$connections" paths.lua "$work/newest.paths"
    kill -TERM "$using" 2>/dev/null || fail "the console did not answer while the daemon was polled."
    wait "$using" 2>/dev/null || true
    turn=$((turn + 2 * seconds))
  done
  [[ $(rows console-board "SELECT COUNT(*) FROM operations WHERE state = 'created'") -eq $board ]] \
    || fail "operations of the board expired while the console was measured: use fewer or shorter runs."
  end console
  stop console-board
  for entry in "${console_pages[@]}"; do report_page "$entry"; done
  compare "poll, $board in the cache, console in use : not" polled-beside polled-alone 0.95
}

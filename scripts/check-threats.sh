#!/usr/bin/env bash
# Holds docs/threat-model.md (T-001 …) and docs/oauth-security.md (O-001 …) against the tests. A test names its rows in a comment above
# it: `// T-042, O-017`. A row that no test names says "Accepted, because" first. A number names one row for ever, in any order: a new
# row takes the page's next free number, and a removed one is listed as withdrawn. Prints each breach and exits 1 if there is one.
#
#   scripts/check-threats.sh [FOLDER]    another tree than this one, with docs and Tests
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# Each row: a number of its own below the next free one, four cells, at most 25 words a cell. Prints numbers, and those of accepted
# risks apart. Each number below the next free one has a row or is withdrawn. Tables whose first column is not a number are prose.
rows() { # page letter
  awk -F '|' -v page="$1" -v letter="$2" '
    function breach(text) { print "breach\t" page ":" FNR ": " text }
    match($0, "Next free number: " letter "-[0-9]+") { free = substr($0, RSTART + 20, RLENGTH - 20) + 0 }
    /^Withdrawn:/ { withdrawing = 1; sub(/^Withdrawn:/, "") }
    /^ *$/ { withdrawing = 0 }
    withdrawing { while (match($0, letter "-[0-9]+")) { withdrawn[substr($0, RSTART, RLENGTH)]; $0 = substr($0, RSTART + RLENGTH) } }
    !/^\|/ { table = 0; next }
    !table { table = /^\| *No\. *\|/ ? 2 : 1; next }
    table == 1 || /^\|[ :|-]*$/ { next }
    {
      gsub(/ /, "", $2); rows++
      if ($2 !~ "^" letter "-[0-9][0-9][0-9]$") breach($2 " is no number like " letter "-042")
      if ($2 in seen) breach($2 " stands twice")
      if ($2 in withdrawn) breach($2 " is withdrawn, and has a row")
      if (substr($2, 3) + 0 >= free) breach($2 " is not below the next free number")
      seen[$2]
      if (NF != 6) breach($2 " has " NF - 2 " cells; a row has 4")
      for (cell = 3; cell < NF; cell++) {
        count = split($cell, words, " ")
        if (count > 25) breach($2 " has a cell of " count " words; 25 are the most")
        if (count == 0) breach($2 " has an empty cell")
      }
      print ($4 ~ /^ *Accepted, because / ? "accepted" : "row") "\t" $2 "\t" page ":" FNR
    }
    END {
      if (!rows) breach("the page has no row")
      for (each = 1; each < free; each++) {
        number = sprintf("%s-%03d", letter, each)
        if (!(number in seen) && !(number in withdrawn)) breach(number " has no row and is not withdrawn")
      }
    }
  ' "$1"
}

# Each number that a test names; a tag that stands above something else is a breach.
tags() {
  find Tests -name '*.swift' -exec awk '
    FNR == 1 { waiting = "" }
    /^ *\/\/ [TO]-[0-9]+(, [TO]-[0-9]+)*$/ {
      all = split($0, words, /[ ,\/]+/); waiting = FILENAME ":" FNR
      for (each = 2; each <= all; each++) print "test\t" words[each] "\t" waiting
      next
    }
    waiting != "" && !/^ *(\/\/|@available)/ {
      if (!/@Test|@Suite|(struct|extension) |^ *case /) print "breach\t" waiting ": no test stands below these numbers"
      waiting = ""
    }
  ' {} +
}

awk -F '\t' '
  $1 == "breach" { print $2; breaches++; next }
  $1 == "test" { if (!($2 in test)) test[$2] = $3; next }
  { if ($1 == "row") row[$2] = $3; known[$2] = 1 }
  END {
    for (number in row) if (!(number in test)) { print row[number] ": no test names " number; breaches++ }
    for (number in test) if (!(number in known)) { print test[number] ": no page has " number; breaches++ }
    exit breaches > 0
  }
' <(rows docs/threat-model.md T; rows docs/oauth-security.md O; tags) >&2

for page in docs/threat-model.md docs/oauth-security.md; do
  words=$(tr '|' ' ' <"$page" | wc -w) # the pipes of tables are no words
  [[ $words -le 6000 ]] || { echo "$page: $words words; 6000 are the most" >&2; exit 1; }
done
echo "threats: each has a test, or is accepted"

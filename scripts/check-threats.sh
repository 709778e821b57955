#!/usr/bin/env bash
# Holds docs/threat-model.md (T-001 …) and docs/oauth-security.md (O-001 …) against the tests. A test names its rows in a comment above
# it: `// T-042, O-017`. A row that no test names says "Accepted, because" first. Prints each breach and exits 1 if there is one.
#
#   scripts/check-threats.sh [FOLDER]    another tree than this one, with docs and Tests
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# Each row: its number is one more than the last, four cells, at most 25 words a cell. Prints numbers, and those of accepted risks apart.
rows() { # page letter
  awk -F '|' -v page="$1" -v letter="$2" '
    function breach(text) { print "breach\t" page ":" FNR ": " text }
    !/^\|/ || /^\|[ :|-]*$/ || /^\| *No\. *\|/ { next }
    {
      gsub(/ /, "", $2); rows++
      if ($2 != sprintf("%s-%03d", letter, rows)) breach($2 " stands in the place of " sprintf("%s-%03d", letter, rows))
      if (NF != 6) breach($2 " has " NF - 2 " cells; a row has 4")
      for (cell = 3; cell < NF; cell++) {
        count = split($cell, words, " ")
        if (count > 25) breach($2 " has a cell of " count " words; 25 are the most")
        if (count == 0) breach($2 " has an empty cell")
      }
      print ($4 ~ /^ *Accepted, because / ? "accepted" : "row") "\t" $2 "\t" page ":" FNR
    }
    END { if (!rows) breach("the page has no row") }
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
  words=$(wc -w <"$page")
  [[ $words -le 6000 ]] || { echo "$page: $words words; 6000 are the most" >&2; exit 1; }
done
echo "threats: each has a test, or is accepted"

#!/usr/bin/env bash
# Looks up every test that docs/oauth-security.md names: in the last column of a table, a suite, a colon and names in
# backticks. Prints each row without a test, and each name that its suite has not, and exits 1 if there is one.
#
#   scripts/check-named-tests.sh [PAGE]
set -euo pipefail
cd "$(dirname "$0")/.."
page=${1:-docs/oauth-security.md}

# Each suite, and each file by its name, with each test of its file: a test is a function, a promise of a store's contract a text.
tests() {
  find Tests -name '*.swift' -exec awk '
    FNR == 1 { file = FILENAME; gsub(/.*\/|\.swift$/, "", file); suites[FILENAME] = file }
    match($0, /(struct|enum|extension|class) [A-Za-z]+/) {
      split(substr($0, RSTART, RLENGTH), word, " "); suites[FILENAME] = suites[FILENAME] " " word[2]
    }
    match($0, /func `[^`]*`/) { names[FILENAME] = names[FILENAME] "\t" substr($0, RSTART + 6, RLENGTH - 7) }
    match($0, /= "[^"]*"$/) || match($0, /^ *"[^"]*"$/) {
      text = substr($0, RSTART, RLENGTH); gsub(/^[^"]*"|"$/, "", text); names[FILENAME] = names[FILENAME] "\t" text
    }
    END {
      for (file in names) {
        all = split(substr(names[file], 2), name, "\t")
        for (each = split(suites[file], suite, " "); each > 0; each--)
          for (number = 1; number <= all; number++) print suite[each] "\t" name[number]
      }
    }' {} +
}

# Each row that names none, and each suite and test that `tests` does not list.
awk -F '\t' -v page="$page" '
  NR == FNR { there[$1 "\t" $2] = 1; next }
  /^\|/ && !/^\|-/ {
    cells = split($0, cell, "|"); rest = cell[cells - 1]; suite = ""; found = 0
    if (rest == " Test ") next
    while (match(rest, /`[^`]*`|[A-Za-z]+(Tests|Contract):/)) {
      word = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
      if (word ~ /:$/) { suite = substr(word, 1, length(word) - 1); continue }
      found = 1
      if ((suite "\t" substr(word, 2, length(word) - 2)) in there) continue
      print page ":" FNR ": " suite " has no test " word; breaches++
    }
    if (!found) { print page ":" FNR ": no test is named"; breaches++ }
  }
  END { exit breaches > 0 }
' <(tests) "$page" >&2
echo "named tests: all there"

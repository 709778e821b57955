# Prints what the targets of Package.swift declare, `module: imports` as in architecture-allow.txt: only of the targets that
# are made with module(…) and program(…), without those below Tests/.
{ text = text " " $0 }
END {
  rest = text
  while (match(rest, /let [A-Za-z0-9]+: Target\.Dependency = \.product\(name: "[A-Za-z0-9]+"/)) {
    split(substr(rest, RSTART, RLENGTH), words, /[ :"]+/)
    products[words[2]] = words[length(words) - 1]
    rest = substr(rest, RSTART + RLENGTH)
  }
  rest = text
  while (match(rest, /[ (\[](module|program)\( *"[A-Za-z0-9]+"/)) {
    name = substr(rest, RSTART, RLENGTH)
    gsub(/^[^"]*"|"$/, "", name)
    rest = substr(rest, RSTART + RLENGTH)
    arguments = balanced(rest)
    if (arguments ~ /path: "Tests\//) continue
    print name ":" modules(arguments)
  }
}

# Up to the parenthesis that closes the call.
function balanced(text,    at, depth, character) {
  depth = 1
  for (at = 1; at <= length(text) && depth > 0; at++) {
    character = substr(text, at, 1)
    if (character == "(") depth++
    if (character == ")") depth--
  }
  return substr(text, 1, at - 2)
}

function modules(arguments,    list, names, count, i, found) {
  list = arguments
  sub(/, *path: *"[^"]*"/, "", list)
  sub(/, *exclude: *\[[^]]*\]/, "", list)
  gsub(/\.product\( *name: */, "", list)
  gsub(/package: *"[^"]*" *\)/, "", list)
  count = split(list, names, /[][, ]+/)
  for (i = 1; i <= count; i++) {
    if (names[i] == "") continue
    if (names[i] ~ /^"/) { gsub(/"/, "", names[i]); found = found " " names[i] }
    else found = found " " (names[i] in products ? products[names[i]] : names[i])
  }
  return found
}

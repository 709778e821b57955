# Prints the structs, classes and actors with more than `limit` stored properties, `file:line: Type number`: a type within
# another with both names.
FNR == 1 { depth = 0; top = 0; pending = ""; isText = 0 }
{
  line = $0
  if (isText && line !~ /"""/) next
  if (isText) { sub(/^.*"""/, "", line); isText = 0 }
  if (line ~ /^[ \t]*\/\//) next
  if (line ~ /"""[ \t]*$/) { sub(/"""[ \t]*$/, "", line); isText = 1 }
  gsub(/#"([^"]|"[^#])*"#/, "", line)
  gsub(/"([^"\\]|\\.)*"/, "", line)
  sub(/\/\/.*$/, "", line)

  if (top > 0 && depth == level[top]) count[top] += stored(line)
  declared = declaration(line)
  if (declared != "") { pending = declared; started = FNR }
  opened = gsub(/\{/, "{", line)
  closed = gsub(/\}/, "}", line)
  if (pending != "" && opened > 0) {
    if (opened > closed) push(pending)
    pending = ""
  }
  depth += opened - closed
  while (top > 0 && depth < level[top]) pop()
}

function push(declared,    words) {
  split(declared, words, " ")
  top++
  kind[top] = words[1]
  name[top] = top > 1 ? name[top - 1] "." words[2] : words[2]
  place[top] = FILENAME ":" started
  level[top] = depth + 1
  count[top] = 0
}

function pop() {
  if (kind[top] ~ /^(struct|class|actor)$/ && count[top] > limit) print place[top] ": " name[top] " " count[top]
  top--
}

# `kind Name` where a type or an extension of one begins.
function declaration(line,    words) {
  line = bare(line)
  if (line !~ /^(struct|class|actor|enum|extension|protocol) +[A-Za-z_]/ || line ~ /^class +(func|var|let) /) return ""
  split(line, words, /[^A-Za-z0-9_.]+/)
  return words[1] " " words[2]
}

# The number of stored properties that a line declares.
function stored(line,    head) {
  line = bare(line)
  if (line !~ /^(let|var) /) return 0
  head = line
  sub(/\{.*$/, "", head)
  if (line ~ /^var / && line ~ /\{/ && head !~ /=/) return 0
  while (gsub(/\([^()]*\)|\[[^][]*\]|<[^<>]*>/, "", head)) continue
  sub(/[[(].*$/, "", head)
  return 1 + gsub(/,/, ",", head)
}

# The line without its attributes and modifiers; what is static stays so.
function bare(line) {
  sub(/^[ \t]+/, "", line)
  while (sub(/^@[A-Za-z_]+(\([^()]*(\([^()]*\)[^()]*)*\))?[ \t]+/, "", line) \
    || sub(/^(package|public|private|fileprivate|internal|final|indirect|lazy|weak|unowned|nonisolated)(\([a-z]+\))?[ \t]+/, "", line)) continue
  return line
}

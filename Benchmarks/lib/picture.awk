# Draws the ratios of a run as SVG: a bar and its aim for each line of the table that divides by the bare server, and for each
# that divides by the FastAPI server. Input: title, ratio and aim, with tabs between. `machine` and `day` say where and when.

BEGIN {
  FS = "\t"
  left = 330; wide = 380; step = 26; top = 84
}

function escaped(text) {
  gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
  return text
}

# The part of a title before its reference.
function call(title) { sub(/ : [^:]*$/, "", title); return escaped(title) }

function shown(ratio) { return ratio < 0.01 ? sprintf("%.5f", ratio) : ratio < 1 ? sprintf("%.3f", ratio) : sprintf("%.2f", ratio) }

$1 ~ / : bare$/ { panel[1, ++count[1]] = $0; if ($2 > most[1]) most[1] = $2 }
$1 ~ / : FastAPI$/ { panel[2, ++count[2]] = $0; if ($2 > most[2]) most[2] = $2; if ($3 > most[2]) most[2] = $3 }

# draw WHICH TITLE SCALE: a heading and its bars, below all that is drawn already.
function draw(which, title, scale,   i, field, y, length_of_bar, verdict, said) {
  if (!count[which]) return
  body = body sprintf("  <text x=\"24\" y=\"%d\" class=\"t\" font-weight=\"600\">%s</text>\n", at, title)
  told = told title ": "
  at += 12
  for (i = 1; i <= count[which]; i++) {
    split(panel[which, i], field, "\t")
    y = at + (i - 1) * step
    length_of_bar = field[2] / scale * wide
    verdict = field[3] == "" ? "n" : (field[2] + 0 >= field[3] + 0 ? "m" : "s")
    said = shown(field[2]) (field[3] == "" ? "" : " (aim " field[3] ")")
    body = body sprintf("  <text x=\"%d\" y=\"%d\" class=\"t\" text-anchor=\"end\">%s</text>\n", left - 10, y + 17, call(field[1]))
    body = body sprintf("  <rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" class=\"%s\"/>\n", left, y + 4, length_of_bar < 1 ? 1 : length_of_bar, verdict)
    if (field[3] != "") body = body sprintf("  <rect x=\"%.1f\" y=\"%d\" width=\"2\" height=\"24\" class=\"a\"/>\n", left + field[3] / scale * wide - 1, y)
    body = body sprintf("  <text x=\"%d\" y=\"%d\" class=\"v\">%s</text>\n", left + wide + 12, y + 17, said)
    told = told call(field[1]) " " said (i < count[which] ? ", " : ". ")
  }
  at += count[which] * step + 34
}

END {
  if (!count[1] && !count[2]) exit 1
  at = top
  draw(1, "of a bare server's answers in the same run", most[1] > 1 ? most[1] : 1)
  draw(2, "times as many as a FastAPI server in the same run", most[2] * 1.05)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 840 %d\" width=\"840\" height=\"%d\" role=\"img\" aria-labelledby=\"t d\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n", at, at
  printf "  <title id=\"t\">Answers a second, as ratios</title>\n  <desc id=\"d\">%s</desc>\n", told
  print "  <style>"
  print "    .c { fill: #ffffff; stroke: #d4d4d8 } .t { fill: #18181b } .v { fill: #3f3f46; font-size: 12px }"
  print "    .m { fill: #1d4ed8 } .s { fill: #d97706 } .n { fill: #71717a } .a { fill: #18181b }"
  print "    @media (prefers-color-scheme: dark) {"
  print "      .c { fill: #18181b; stroke: #3f3f46 } .t { fill: #fafafa } .v { fill: #d4d4d8 }"
  print "      .m { fill: #60a5fa } .s { fill: #fbbf24 } .n { fill: #a1a1aa } .a { fill: #fafafa }"
  print "    }"
  print "  </style>"
  printf "  <rect x=\"0.5\" y=\"0.5\" width=\"839\" height=\"%d\" rx=\"12\" class=\"c\"/>\n", at - 1
  printf "  <text x=\"24\" y=\"32\" class=\"t\" font-size=\"16\" font-weight=\"600\">Answers a second, as ratios</text>\n"
  printf "  <text x=\"24\" y=\"52\" class=\"v\">%s, %s</text>\n", day, escaped(machine)
  print "  <rect x=\"560\" y=\"20\" width=\"12\" height=\"12\" class=\"m\"/><text x=\"578\" y=\"31\" class=\"v\">aim met</text>"
  print "  <rect x=\"636\" y=\"20\" width=\"12\" height=\"12\" class=\"s\"/><text x=\"654\" y=\"31\" class=\"v\">short</text>"
  print "  <rect x=\"696\" y=\"20\" width=\"12\" height=\"12\" class=\"n\"/><text x=\"714\" y=\"31\" class=\"v\">no aim</text>"
  print "  <rect x=\"768\" y=\"17\" width=\"2\" height=\"18\" class=\"a\"/><text x=\"776\" y=\"31\" class=\"v\">aim</text>"
  printf "%s</svg>\n", body
}

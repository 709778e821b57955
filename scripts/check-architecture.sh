#!/usr/bin/env bash
# Holds the sources against scripts/architecture-allow.txt: imports per module, banned calls, stored properties, file
# lengths; and the dependencies of Package.swift against the same list. Prints every breach as file:line and exits 1 if there is one.
#
#   scripts/check-architecture.sh [FOLDER]    another tree than this one, held against its own list
set -euo pipefail
shopt -s nullglob
scripts=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$scripts/..}"
allow=scripts/architecture-allow.txt
# What comes with the toolchain or the platform, and is in no Package.swift.
system=" Foundation CoreFoundation FoundationEssentials FoundationNetworking Synchronization Dispatch Security Glibc Musl Darwin Android "
breaches=0
breach() { printf '%s\n' "$*" >&2; breaches=$((breaches + 1)); }

for folder in Sources/*/ Mocks/[A-Z]*/ Benchmarks/Bench*/ Examples/Sample*/; do
  owner=$(basename "$folder")
  line=$(grep -E "^$owner:" "$allow") || { breach "$folder: the module is not in $allow"; continue; }
  allowed=" ${line#*:} "
  while IFS=: read -r file number text; do
    module=$(sed -E 's/^.*\bimport +(struct |class |enum |func |protocol |var |let |typealias )?([A-Za-z_0-9]+).*$/\2/' <<<"$text")
    # Platforms without FoundationEssentials have Foundation in its place.
    [[ $module == Foundation && $number -gt 1 && $(sed -n "$((number - 1))p" "$file") == "#else" ]] && module=FoundationEssentials
    [[ $allowed == *" $module "* ]] || breach "$file:$number: $owner must not import $module"
  done < <(grep -rnE '^ *(@[A-Za-z_]+(\([A-Za-z_]+\))? +)*(public |package |internal |private |fileprivate )?import ' "$folder" --include='*.swift')
done

while IFS=: read -r owner declared; do
  line=$(grep -E "^$owner:" "$allow") || { breach "Package.swift: $owner is not in $allow"; continue; }
  allowed="${line#*:} "
  for module in $declared; do
    [[ $allowed == *" $module "* ]] || breach "Package.swift: $owner depends on $module, which $allow does not name"
  done
  for module in $allowed; do
    [[ $system == *" $module "* || " $declared " == *" $module "* ]] \
      || breach "$allow: $owner may import $module, on which Package.swift does not let it depend"
  done
done < <(awk -f "$scripts/architecture-declared.awk" Package.swift)

while IFS= read -r rule; do
  pattern=${rule%% :: *}
  pattern=${pattern#!}
  rest=${rule#* :: }
  files=${rest%% :: *}
  why=${rest#* :: }
  while IFS=: read -r file number text; do
    [[ " $files " == *" $file "* ]] && continue
    # Comments may name what code may not call.
    [[ $text =~ ^[[:space:]]*// ]] && continue
    breach "$file:$number: banned: $(sed -E 's/^ +//' <<<"$text") — $why"
  done < <(grep -rnE --include='*.swift' --include='*.js' -- "$pattern" Sources/ Mocks/ || true)
done < <(grep -E '^!' "$allow")

excepted=" $(sed -nE 's/^=.* :: //p' "$allow" | tr '\n' ' ') "
large=" "
while read -r place type count; do
  large+="$type "
  [[ $excepted == *" $type "* ]] || breach "$place $type has $count stored properties; the limit is 8"
done < <(find Sources -name '*.swift' -print0 | sort -z | xargs -0 awk -v limit=8 -f "$scripts/architecture-stored.awk")
for type in $excepted; do
  [[ $large == *" $type "* ]] || breach "$allow: $type is excepted, and has at most 8 stored properties"
done

lengths() { # folder limit
  while read -r count file; do
    [[ $file == total || $count -le $2 ]] || breach "$file: $count lines; the limit is $2"
  done < <(find "$1" -name '*.swift' -print0 | xargs -0 wc -l)
}
for folder in Sources Mocks Benchmarks Examples; do [[ ! -d $folder ]] || lengths "$folder" 400; done
lengths Tests 600

for folder in Tests/*/; do
  [[ -n $(find "$folder" -name '*.swift' -print -quit) ]] || continue
  grep -qE "\"$(basename "$folder")\"" Package.swift || breach "$folder: Package.swift does not name it, so it is never built"
done

if [[ $breaches -gt 0 ]]; then echo "check-architecture: $breaches breach(es)" >&2; exit 1; fi
echo "check-architecture: clean"

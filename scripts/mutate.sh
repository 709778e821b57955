#!/usr/bin/env bash
# `make mutate`: puts deliberate faults into a copy of the engine, one at a time, and sees that something notices each.
#
# The faults are the patches in Tests/Mutations; the first line of each says what it breaks, the second which tests are
# likely to notice. The copy holds the folders named below, under a manifest that is the tree's own, cut down to them: a
# build takes seconds instead of minutes, and a fault may leave a variable unused. Each fault meets some histories of
# the simulation, then those tests, then all tests of the modules, then all histories; whatever fails first has caught it.
# Prints a row of Markdown for each, and ends with 1 when a fault is not caught, does not fit the sources any more, or does
# not compile.
#
#   MUTANTS="01 07"         only the patches whose names begin so
#   MUTATE_HISTORIES=400    how many histories of one daemon a fault meets before the tests, and a fifth of three daemons
#   MUTATE_SCRATCH=FOLDER   where the copy is (.build/mutants); what was built there is used again
#
# What was run last is recorded in docs/mutations.md.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
SWIFT=${SWIFT:-swift}
copy=${MUTATE_SCRATCH:-$root/.build/mutants}
few=${MUTATE_HISTORIES:-400}
log=$copy/mutate.log
modules=(Sources/{Kernel,Operations,Accounts,Devices,Sessions,Passkeys,Audit,Mail,CodeFlow,Wallet,TokenReading,Tokens,OAuth,SignIn})
testing=(Tests/{StoreContract,MemoryStore,Fuzzing} Mocks/SoftwareAuthenticator)
testing+=(Tests/{Kernel,Operations,Audit,Devices,Sessions,Passkeys,PasskeyService,OAuth}Tests Tests/Simulation)
histories='no simulated history.*violates an invariant'
units='^(KernelTests|OperationsTests|AuditTests|DevicesTests|SessionsTests|PasskeysTests|PasskeyServiceTests|OAuthTests)\.'

give_up() { printf 'mutate: %s\n' "$*" >&2; exit 1; }

# Fresh sources beside what was built of an earlier copy; their times are kept, so that little is built again.
copy_tree() {
  mkdir -p "$copy"
  rm -rf "$copy/Sources" "$copy/Tests" "$copy/Mocks" "$copy/docs"
  for folder in "${modules[@]}" "${testing[@]}" docs; do
    mkdir -p "$copy/$(dirname "$folder")"
    cp -Rp "$folder" "$copy/$folder"
  done
  manifest >"$copy/Package.swift.new"
  cmp -s "$copy/Package.swift.new" "$copy/Package.swift" || cp "$copy/Package.swift.new" "$copy/Package.swift"
}

# The tree's manifest, with the targets of those folders, and the packages that these use.
manifest() {
  grep -v 'treatAllWarnings' Package.swift
  echo 'let kept: Set = ['
  for folder in "${modules[@]}" "${testing[@]}"; do printf '    "%s",\n' "${folder##*/}"; done
  cat <<'SWIFT'
]
package.products = []
package.targets.removeAll { !kept.contains($0.name) }
let used = Set(
    package.targets.flatMap(\.dependencies).compactMap { dependency -> String? in
        if case .productItem(_, let package, _, _) = dependency { package } else { nil }
    }
)
package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
    return !used.contains { location.hasSuffix("/\($0)") }
}
SWIFT
}

in_copy() { (cd "$copy" && "$@") >"$log" 2>&1; }
build() { in_copy "$SWIFT" build --build-tests; }

# passes HISTORIES FILTER: whether those tests pass.
passes() {
  local status=0
  VESTIBULE_TEST_SIZE=long VESTIBULE_SIM_HISTORIES=$1 in_copy timeout 1200 "$SWIFT" test --skip-build --disable-xctest --filter "$2" || status=$?
  # Not a catch: on a busy machine anything may take that long.
  [[ $status -ne 124 ]] || give_up "a run did not end in twenty minutes"
  return "$status"
}

# What the log says has failed: of the simulation the broken promise, else the first test.
culprit() {
  local promise first
  promise=$(grep -m1 -oE '↳ seed [0-9]+: .*' "$log" | sed -E 's/^↳ (seed [0-9]+): (.*)$/simulation, \1: \2/' || true)
  first=$(grep -m1 -E '^✘ Test .* recorded an issue' "$log" \
    | sed -E 's/^✘ Test (.*) recorded an issue.* at ([A-Za-z+]+)\.swift:.*$/\2: \1/; s/"//g' || true)
  printf '%s' "${promise:-${first:-the run crashed or did not end}}"
}

# judge LIKELY: who catches the fault, or nothing.
judge() {
  if ! passes "$few" "$histories"; then culprit; return; fi
  if ! passes "$few" "$1"; then culprit; return; fi
  if ! passes "$few" "$units"; then culprit; return; fi
  if ! passes 20000 "$histories"; then culprit; fi
}

scripts/toolchain.sh
scripts/packages.sh patch
[[ $few -gt 0 ]] || give_up "MUTATE_HISTORIES must be a number above 0"
copy_tree
echo "Building the engine as it is; a first build takes some minutes." >&2
build || { tail -20 "$log" >&2; give_up "the engine does not build without a fault"; }
passes "$few" "$histories" && passes "$few" "$units" || give_up "without a fault this fails: $(culprit)"

count=0 survivors=0
echo "| fault | what it does | caught by |"
echo "|---|---|---|"
for patch in Tests/Mutations/*.patch; do
  name=$(basename "$patch" .patch)
  if [[ -n ${MUTANTS:-} ]]; then
    chosen=
    for wanted in $MUTANTS; do [[ $name == "$wanted"* ]] && chosen=yes; done
    [[ -n $chosen ]] || continue
  fi
  count=$((count + 1))
  in_copy patch -p1 -f --no-backup-if-mismatch -r - <"$patch" || { cat "$log" >&2; give_up "$name does not fit the sources any more"; }
  build || { grep -m5 'error:' "$log" >&2; give_up "$name does not compile"; }
  found=$(judge "$(sed -n 2p "$patch")")
  [[ -n $found ]] || survivors=$((survivors + 1))
  printf '| %s | %s | %s |\n' "$name" "$(head -1 "$patch")" "${found:-**survived**}"
  in_copy patch -p1 -R -f --no-backup-if-mismatch -r - <"$patch"
done
echo
echo "$count faults, $survivors not caught"
[[ $count -gt 0 && $survivors -eq 0 ]]

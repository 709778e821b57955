#!/usr/bin/env bash
# `make mutate`: puts deliberate faults into a copy of the engine, one at a time, and sees that something notices each.
#
# The faults are the patches in Tests/Mutations. A fault is caught when the unit tests of the engine's rooms fail, or the
# simulation does; both are run, and the table says which. It fails when a fault is not caught, no longer fits the
# sources, or does not compile.
#
#   MUTANTS="01 07"      only the patches whose names begin so
#   MUTATE_HISTORIES=3000  histories of the simulation for each fault
#
# What was run last is recorded in docs/mutations.md.
set -euo pipefail
cd "$(dirname "$0")/.."
SWIFT=${SWIFT:-swift}
export VESTIBULE_SIM_HISTORIES=${MUTATE_HISTORIES:-3000}
copy=$PWD/.build/mutants
mkdir -p "$copy"

# The copy holds the sources as they are, beside what was built of an earlier copy.
for folder in Sources Tests docs; do
  rm -rf "${copy:?}/$folder"
  cp -Rp "$folder" "$copy/$folder"
done
cp -p Tests/Mutations/Package.swift "$copy/Package.swift"

build() { (cd "$copy" && "$SWIFT" build --build-tests) >"$copy/build.log" 2>&1; }

# judge FILTER: whether those tests pass; a run that does not end within five minutes has failed.
judge() {
  (cd "$copy" && timeout 300 "$SWIFT" test --skip-build --disable-xctest --filter "$1") >"$copy/test.log" 2>&1
}

scripts/toolchain.sh
scripts/packages.sh patch
units='OperationsTests|AuditTests|DevicesTests|SessionsTests'
echo "Building the engine as it is (a first build takes some minutes)…"
build || { tail -20 "$copy/build.log"; exit 1; }
judge "$units" && judge Simulation || { tail -20 "$copy/test.log"; echo "mutate: the tests fail without any fault." >&2; exit 1; }

survivors=0 count=0
printf '%-44s %-12s %s\n' "fault" "unit tests" "simulation"
for patch in Tests/Mutations/*.patch; do
  name=$(basename "$patch" .patch)
  if [[ -n ${MUTANTS:-} ]]; then
    chosen=false
    for wanted in $MUTANTS; do [[ $name == "$wanted"* ]] && chosen=true; done
    $chosen || continue
  fi
  count=$((count + 1))
  patch -d "$copy" -p1 --no-backup-if-mismatch <"$patch" >"$copy/patch.log" 2>&1 \
    || { cat "$copy/patch.log"; echo "mutate: $name no longer fits the sources." >&2; exit 1; }
  build || { grep -m5 error: "$copy/build.log"; echo "mutate: $name does not compile." >&2; exit 1; }
  by_units=passed by_simulation=passed
  judge "$units" || by_units=caught
  judge Simulation || by_simulation=caught
  [[ $by_units == caught || $by_simulation == caught ]] || survivors=$((survivors + 1))
  printf '%-44s %-12s %s\n' "$name" "$by_units" "$by_simulation"
  patch -d "$copy" -p1 -R --no-backup-if-mismatch <"$patch" >/dev/null
done
echo "$count faults, $survivors not caught"
[[ $survivors -eq 0 && $count -gt 0 ]]

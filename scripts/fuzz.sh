#!/usr/bin/env bash
# `make fuzz`: the tests whose suites are named …FuzzTests, with many more inputs than `make test` gives them.
#
#   FUZZ_INPUTS=10000000        inputs of each test
#   FUZZ_SEED=1                 where they begin; a failure prints its input, and the same seed finds it again
#   FUZZ_FIRST=0                of ConfigFuzzTests: the number of the first input; FUZZ_INPUTS=1 looks at it alone
#   FUZZ_SUITES=FuzzTests       a regular expression: which of them, like TemplateFuzzTests
#   FUZZ_CONFIGURATION=debug    or release: several times as fast, after a build of its own
#
# What was run last is recorded in docs/fuzzing.md.
set -euo pipefail
cd "$(dirname "$0")/.."
SWIFT=${SWIFT:-swift}
export FUZZ_INPUTS=${FUZZ_INPUTS:-10000000} FUZZ_SEED=${FUZZ_SEED:-1}
options=(--configuration "${FUZZ_CONFIGURATION:-debug}")
# Tests look inside modules, which optimised ones don't allow by themselves.
[[ ${FUZZ_CONFIGURATION:-debug} == debug ]] || options+=(-Xswiftc -enable-testing)
"$SWIFT" build --build-tests --explicit-target-dependency-import-check error "${options[@]}"
"$SWIFT" test --skip-build --disable-xctest "${options[@]}" --filter "${FUZZ_SUITES:-FuzzTests}" "$@"

# shellcheck shell=bash
# The flags of every debug build, for the scripts that source this. A build with other flags compiles everything again.
# shellcheck disable=SC2034
build_flags=(
  --explicit-target-dependency-import-check error
  # Half the writing and none of the use: a test says by itself where it failed.
  -debug-info-format none
  # The C of libraries: unoptimised, a key of RSA and a password's hash take several times as long, and every daemon
  # that a test starts makes one.
  -Xcc -O1 -Xcxx -O1
)

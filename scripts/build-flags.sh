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

# set_release_flags: sets release_flags to what a release build links besides: jemalloc in place of glibc's allocator
# (docs/adr/0022-allocator.md). Where its archive is missing, that build keeps glibc's, and says so.
set_release_flags() {
  local archive copy=$PWD/.build/libjemalloc.a object
  archive=/usr/lib/$(uname -m)-linux-gnu/libjemalloc_pic.a
  release_flags=()
  if [[ ! -e $archive ]]; then
    echo "$archive is missing: this build has glibc's allocator, and is slower. Install libjemalloc-dev." >&2
    return 0
  fi
  mkdir -p .build
  # A new version has a new name, so that programs are linked again.
  object=$PWD/.build/jemalloc-$(sha256sum "$archive" | cut -c1-12).o
  # Without C++'s operators, which not every program links. Those of its library ask malloc.
  cp "$archive" "$copy"
  ar d "$copy" jemalloc_cpp.pic.o
  # One object: with Swift's static runtime the linker hides what comes from archives, and glibc's own functions would
  # not find these: what strdup makes could not be freed.
  ld -r -o "$object" --whole-archive "$copy"
  release_flags=(-Xlinker "$object")
}

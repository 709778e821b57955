# Builds the release binaries into $bin, small. Sourced by scripts/package.sh. docs/adr/0018-size-of-the-program.md has each
# flag's share.

build_binaries() {
  local product runtime symbol folder=$PWD/.build/package
  runtime=$("$swift" -print-target-info | jq -r .paths.runtimeResourcePath)
  mkdir -p "$folder"
  local small=(
    # Functions that nothing calls are left out of a module, where the linker sees each apart.
    -Xswiftc -Xfrontend -Xswiftc -function-sections
    # The toolchain's linker that packs relocations; glibc reads them since 2.36, Debian 12's.
    --toolset "$folder/toolset.json" -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -O2
    # No other program links to this one's symbols.
    -Xlinker --no-export-dynamic
  )
  jq -n --arg linker "$(realpath --no-symlinks "$runtime/../../bin/ld.lld")" '{schemaVersion: "1.0", linker: {path: $linker}}' >"$folder/toolset.json"
  symbol=$(packaging/lib/icu-data.py "${runtime}_static/linux/lib_FoundationICU.a" "$folder/icudata.S")
  as -o "$folder/icudata.o" "$folder/icudata.S"
  # ICU finds these in the place of its own, which nothing refers to any more.
  small+=(-Xlinker "$folder/icudata.o" -Xlinker --defsym -Xlinker "$symbol=english_icu_data")
  . scripts/build-flags.sh
  set_release_flags
  for product in vestibule authid-mock; do
    scripts/stamp-build.sh "$swift" build -c release --static-swift-stdlib "${small[@]}" "${release_flags[@]}" --product "$product"
  done
  bin=$("$swift" build -c release --static-swift-stdlib --show-bin-path)
}

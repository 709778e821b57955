# Builds the release binaries into $bin, small. Sourced by scripts/package.sh. docs/adr/0018-size-of-the-program.md has each
# flag's share.

build_binaries() {
  local product library symbol folder=$PWD/.build/package
  local small=(
    # Functions that nothing calls are left out of a module, where the linker sees each apart.
    -Xswiftc -Xfrontend -Xswiftc -function-sections
    # The linker that packs relocations, which also makes the start shorter; glibc reads them since 2.36, Debian 12's.
    -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -O2
    # No other program links to this one's symbols.
    -Xlinker --no-export-dynamic
  )
  library=$("$swift" -print-target-info | jq -r .paths.runtimeResourcePath)_static/linux/lib_FoundationICU.a
  mkdir -p "$folder"
  symbol=$(packaging/lib/icu-data.py "$library" "$folder/icudata.S")
  as -o "$folder/icudata.o" "$folder/icudata.S"
  # ICU finds these in the place of its own, which nothing refers to any more.
  small+=(-Xlinker "$folder/icudata.o" -Xlinker --defsym -Xlinker "$symbol=english_icu_data")
  for product in vestibule authid-mock; do
    scripts/stamp-build.sh "$swift" build -c release --static-swift-stdlib "${small[@]}" --product "$product"
  done
  bin=$("$swift" build -c release --static-swift-stdlib --show-bin-path)
}

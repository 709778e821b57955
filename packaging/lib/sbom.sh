# Prints the software bill of materials: CycloneDX 1.5, every Swift package with version, commit and licence, and the C
# libraries that the program needs at run time. Sourced by scripts/package.sh.

# licence FOLDER: the SPDX identifier of the licence that lies there, by the words that only it has.
licence() {
  local text
  text=$(cat "$1"/LICENSE* "$1"/COPYING* 2>/dev/null | head -c 20000 | tr -s '[:space:]' ' ')
  case $text in
    *"Apache License"*"Version 2.0"*) echo Apache-2.0 ;;
    *"Permission is hereby granted, free of charge"*) echo MIT ;;
    *"Redistribution and use in source and binary forms"*"Neither the name"*) echo BSD-3-Clause ;;
    *"Redistribution and use in source and binary forms"*) echo BSD-2-Clause ;;
    *) fail "the licence of $1 is none that packaging/lib/sbom.sh knows: add its words there." ;;
  esac
}

swift_components() {
  local identity location version revision
  while IFS=$'\t' read -r identity location version revision; do
    jq -n --arg name "$identity" --arg location "$location" --arg version "$version" --arg revision "$revision" \
      --arg licence "$(licence ".build/checkouts/$(basename "$location" .git)")" '{
        type: "library", name: $name, version: $version, purl: "pkg:swift/\($location | sub("^https://"; "") | sub("\\.git$"; ""))@\($version)",
        "bom-ref": $name, licenses: [{license: {id: $licence}}],
        externalReferences: [{type: "vcs", url: $location}], properties: [{name: "git:commit", value: $revision}]
      }'
  done < <(jq -r '.pins[] | [.identity, .location, (.state.version // "none"), .state.revision] | @tsv' Package.resolved)
}

# The Debian packages of the libraries that the binaries name, as installed here.
debian_components() {
  local package
  for package in $(library_packages); do
    jq -n --arg name "$package" --arg version "$(dpkg-query -W -f='${Version}' "$package")" --arg architecture "$architecture" '{
      type: "library", name: $name, version: $version, "bom-ref": "deb-\($name)",
      purl: "pkg:deb/debian/\($name)@\($version)?arch=\($architecture)"
    }'
  done
}

library_packages() {
  ldd "$bin/vestibule" | awk '$2 == "=>" { print $3 }' | while IFS= read -r library; do
    dpkg-query -S "$(realpath "$library")" 2>/dev/null || dpkg-query -S "$library"
  done | cut -d: -f1 | sort -u
}

# jemalloc, which is inside the program (scripts/build-flags.sh); nothing where the program has glibc's allocator.
allocator_component() {
  local built
  built=$(grep -aoE '[0-9]+\.[0-9]+\.[0-9]+-[0-9]+-g[0-9a-f]{40}' "$bin/vestibule" | sed -n 1p) || return 0
  # `5.3.0-0-g…` in the program and 5.3.0-1 of the package are one release.
  [[ $(dpkg-query -W -f='${Version}' libjemalloc-dev) == "${built%%-*}"* ]] \
    || fail "the program has jemalloc ${built%%-*}, which is not the libjemalloc-dev that is installed: build it again."
  jq -n --arg version "$(dpkg-query -W -f='${Version}' libjemalloc-dev)" --arg architecture "$architecture" '{
    type: "library", name: "libjemalloc-dev", version: $version, "bom-ref": "deb-libjemalloc-dev",
    purl: "pkg:deb/debian/libjemalloc-dev@\($version)?arch=\($architecture)", licenses: [{license: {id: "BSD-2-Clause"}}]
  }'
}

swift_runtime() {
  jq -n --arg version "$("$swift" --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9.]+).*/\1/p' | head -1)" '{
    type: "library", name: "swift-runtime", version: $version, "bom-ref": "swift-runtime",
    purl: "pkg:swift/github.com/swiftlang/swift@\($version)", licenses: [{license: {id: "Apache-2.0"}}]
  }'
}

write_sbom() {
  { swift_components && swift_runtime && allocator_component && debian_components; } | jq -s --arg version "$version" --arg commit "$commit" \
    --arg time "$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" '{
      bomFormat: "CycloneDX", specVersion: "1.5", version: 1,
      metadata: {timestamp: $time, component: {
        type: "application", name: "vestibule", version: $version, "bom-ref": "vestibule",
        properties: [{name: "git:commit", value: $commit}]
      }},
      components: .
    }'
}

# Lays out what is installed below $root. Sourced by scripts/package.sh.

stage_binaries() {
  install -d "$root/usr/bin" "$root/usr/lib/vestibule"
  install -m 755 "$bin/vestibule" "$root/usr/bin/vestibule"
  install -m 755 "$bin/authid-mock" "$root/usr/lib/vestibule/authid-mock"
  strip --strip-all "$root/usr/bin/vestibule" "$root/usr/lib/vestibule/authid-mock"
}

stage_papers() {
  local papers=$root/usr/share/doc/vestibule
  install -d "$papers/examples/providers" "$root/lib/systemd/system"
  install -m 644 README.md CHANGELOG.md SECURITY.md packaging/debian/copyright "$papers/"
  gzip -9n "$papers/CHANGELOG.md"
  install -m 644 config/*.yaml "$papers/examples/"
  install -m 644 config/providers/* "$papers/examples/providers/"
  packaging/lib/unit.sh unit <config/vestibule.service >"$root/lib/systemd/system/vestibule.service"
  packaging/lib/unit.sh unit <config/vestibule@.service >"$root/lib/systemd/system/vestibule@.service"
  packaging/lib/unit.sh credentials <config/vestibule.service >"$papers/examples/credentials.conf"
  packaging/lib/unit.sh credentials vestibule@ <config/vestibule@.service >"$papers/examples/credentials@.conf"
  chmod 644 "$root/lib/systemd/system/"vestibule*.service "$papers/examples/"credentials*.conf
}

# A page of the manual for the program and for each command, which swift-argument-parser's own tool writes.
stage_manuals() {
  local parser=.build/checkouts/swift-argument-parser tool=.build/manual pages=$root/usr/share/man/man1
  "$swift" build --package-path "$parser" --scratch-path "$tool" --product generate-manual >"$work/manual.log" 2>&1 \
    || { tail -20 "$work/manual.log" >&2; fail "the tool that writes the manual does not build"; }
  install -d "$pages"
  "$tool/debug/generate-manual" "$bin/vestibule" --multi-page --output-directory "$pages" --section 1 \
    --date "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)"
  gzip -9n "$pages"/*.1
}

stage_completions() {
  local shares=$root/usr/share
  install -d "$shares/bash-completion/completions" "$shares/zsh/vendor-completions" "$shares/fish/vendor_completions.d"
  "$bin/vestibule" --generate-completion-script bash >"$shares/bash-completion/completions/vestibule"
  "$bin/vestibule" --generate-completion-script zsh >"$shares/zsh/vendor-completions/_vestibule"
  "$bin/vestibule" --generate-completion-script fish >"$shares/fish/vendor_completions.d/vestibule.fish"
}

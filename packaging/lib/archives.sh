# Packs $root into $dist. Sourced by scripts/package.sh.

# Every file with the commit's time and root as its owner, in one order.
archive() { tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" "$@"; }

make_tarball() {
  local name=vestibule-$version-linux-$architecture
  mkdir "$work/$name"
  cp -a "$root/usr/bin" "$root/usr/lib" "$root/usr/share" "$work/$name/"
  install -m 644 config/vestibule.service config/vestibule@.service "$work/$name/share/doc/vestibule/examples/"
  archive -C "$work" -cf - "$name" | gzip -9n >"$dist/$name.tar.gz"
}

# The Debian packages that hold the libraries, with the least versions that have the symbols; of SQLite the least that the
# program starts with, whose SQL it needs.
depends() {
  mkdir -p "$work/shlibs/debian"
  printf 'Source: vestibule\nPackage: vestibule\nArchitecture: any\n' >"$work/shlibs/debian/control"
  (cd "$work/shlibs" && dpkg-shlibdeps -O "$root/usr/bin/vestibule" "$root/usr/lib/vestibule/authid-mock" 2>/dev/null) \
    | sed -n -e 's/libsqlite3-0 (>= [^)]*)/libsqlite3-0 (>= 3.39)/' -e 's/^shlibs:Depends=//p'
}

make_deb() {
  local tree=$work/deb script
  cp -a "$root" "$tree"
  install -d "$tree/DEBIAN"
  mv "$tree/usr/share/doc/vestibule/CHANGELOG.md.gz" "$tree/usr/share/doc/vestibule/changelog.gz"
  sed -e "s/@VERSION@/$debian_version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@DEPENDS@/$(depends)/" \
    -e "s/@SIZE@/$(du -sk "$root" | cut -f1)/" packaging/debian/control >"$tree/DEBIAN/control"
  for script in postinst prerm postrm; do install -m 755 "packaging/debian/$script" "$tree/DEBIAN/$script"; done
  (cd "$tree" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
  find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  chmod -R u+rwX,go+rX,go-w "$tree"
  dpkg-deb --root-owner-group -Zxz --build "$tree" "$dist/vestibule_${debian_version}_$architecture.deb" >/dev/null
}

#!/usr/bin/env python3
"""Writes ICU's data with English alone, as an assembler file with the symbol `english_icu_data`, and prints the name of ICU's own.

    icu-data.py lib_FoundationICU.a OUT

Foundation's ICU brings 34 MB of data for every language into a static program. What is kept: the root, English, what has no
language, and normalization. What goes: other languages, converters of old character sets, dictionaries of words, and
transliterations. ICU falls back to the root for what is missing. The format is ICU's `UDataMemory` with a table of contents (udata.h, ucmndata.h).
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

KEPT_LANGUAGES = {"root", "en", "en_001", "en_US", "en_US_POSIX", "pool", "res_index"}
LANGUAGE = re.compile(r"^[a-z]{2,3}(_[A-Za-z0-9]+)*$")


def is_kept(name: str) -> bool:
    *folders, file = name.split("/")[1:]
    base, kind = file.rsplit(".", 1)
    if kind in {"cnv", "dict", "cfu", "spp"} or base == "unames" or base.startswith("line_") or folders == ["translit"]:
        return False
    return kind != "res" or base in KEPT_LANGUAGES or not LANGUAGE.match(base)


def packed(archive: str) -> tuple[str, bytes]:
    """The symbol of the archive's data, and the data."""
    member = "icu_packaged_data.cpp.o"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, member)
        path.write_bytes(subprocess.run(["ar", "p", archive, member], check=True, capture_output=True).stdout)
        symbols = subprocess.run(["nm", "--defined-only", path], check=True, capture_output=True, text=True).stdout
        symbol = re.search(r"\bicudt\d+_dat\b", symbols)
        if symbol is None:
            sys.exit(f"icu-data: {archive} has no data of ICU in {member}")
        data = pathlib.Path(folder, "data")
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.rodata", path, data], check=True)
        return symbol.group(), data.read_bytes()


def filtered(data: bytes) -> bytes:
    start = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, start)[0]
    entries = [struct.unpack_from("<II", data, start + 4 + 8 * index) for index in range(count)]
    ends = [offset for _, offset in entries[1:]] + [len(data) - start]
    items = []
    for (name_at, offset), end in zip(entries, ends):
        name = data[start + name_at : data.index(b"\0", start + name_at)]
        if is_kept(name.decode()):
            items.append((name, data[start + offset : start + end]))
    names, contents, table = b"", b"", []
    for name, content in items:
        table.append((4 + 8 * len(items) + len(names), len(contents)))
        names += name + b"\0"
        contents += content + bytes(-len(content) % 16)
    first = 4 + 8 * len(items) + len(names)
    padding = bytes(-first % 16)
    body = struct.pack("<I", len(items))
    body += b"".join(struct.pack("<II", name, first + len(padding) + content) for name, content in table)
    return data[:start] + body + names + padding + contents


def main() -> None:
    archive, out = sys.argv[1:]
    symbol, data = packed(archive)
    kept = pathlib.Path(out).with_suffix(".dat").resolve()
    kept.write_bytes(filtered(data))
    own = "english_icu_data"
    pathlib.Path(out).write_text(
        f'.section .rodata\n.balign 16\n.globl {own}\n.type {own}, %object\n{own}:\n.incbin "{kept}"\n'
        '.section .note.GNU-stack, "", %progbits\n'
    )
    print(symbol)


main()

import Kernel

/// The icons of a brand as pictures: its logo if that is a PNG image, or the mark in its colours.
///
/// The pictures of the program have a palette between the two colours of Vestibule. A brand has another palette.
package enum BrandIcon {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Returns the icon for a phone's home screen, a PNG image.
    package static func touch(of brand: Brand) -> [UInt8] {
        logo(of: brand)?.bytes ?? coloured(WebAssets.touchIcon, by: brand.palette)
    }

    /// Returns the icon for browsers that show no SVG, with one picture for each of three sizes, or the logo.
    package static func favicon(of brand: Brand) -> [UInt8] {
        guard let logo = logo(of: brand) else { return coloured(WebAssets.favicon, by: brand.palette) }
        // An icon file has 0 for sides that a byte can't tell, and readers take them from the picture.
        let sides = [logo.header.width, logo.header.height].map { UInt8(exactly: $0) ?? 0 }
        let entry = sides + [0, 0, 1, 0, 32, 0] + littleEndian(logo.bytes.count) + littleEndian(22)
        return [0, 0, 1, 0, 1, 0] + entry + logo.bytes
    }

    private static func logo(of brand: Brand) -> BrandImage? {
        brand.logo.flatMap { $0.header.format == .png ? $0 : nil }
    }

    /// Returns a file with PNG pictures in which every palette has the colours of a brand.
    private static func coloured(_ file: [UInt8], by palette: BrandPalette) -> [UInt8] {
        guard palette.light != .usualLight else { return file }
        var (file, position) = (file, 0)
        while position + 8 <= file.count {
            guard file[position...].starts(with: signature) else {
                position += 1
                continue
            }
            position = colour(&file, at: position + signature.count, by: palette)
        }
        return file
    }

    /// Colours the palette of one picture, whose first chunk is at `start`, and returns its end.
    private static func colour(_ file: inout [UInt8], at start: Int, by palette: BrandPalette) -> Int {
        var position = start
        while position + 12 <= file.count {
            let length = number(file, at: position)
            let (name, data, end) = (position + 4, position + 8, position + 12 + length)
            guard end <= file.count else { break }
            position = end
            if file[name..<data].elementsEqual("PLTE".utf8) {
                for entry in stride(from: data, to: data + length, by: 3) {
                    // The ground has the least red of all, and the mark is white.
                    let ground = Int(BrandColour.usualLight.parts[0])
                    let share = (Int(file[entry]) - ground) * 255 / (255 - ground)
                    let colour = palette.onLight.over(palette.light, opacity: min(max(share, 0), 255))
                    file.replaceSubrange(entry..<entry + 3, with: colour.parts)
                }
                file.replaceSubrange(data + length..<end, with: checksum(file[name..<data + length]))
            }
            if file[name..<data].elementsEqual("IEND".utf8) { break }
        }
        return position
    }

    private static func number(_ file: [UInt8], at position: Int) -> Int {
        file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func littleEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// Returns the checksum of a chunk's name and data (W3C PNG, third edition, §5.5).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Array(littleEndian(Int(~sum)).reversed())
    }
}

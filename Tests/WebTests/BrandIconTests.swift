import Testing

@testable import Web

/// Icons in a brand's look, as pictures.
struct BrandIconTests {
    /// A chunk of a PNG image.
    private struct Chunk {
        let name: String
        let data: [UInt8]
        let checksum: UInt32
    }

    private static func brand(_ accent: String? = nil, logo: [UInt8]? = nil) throws -> Brand {
        var settings = BrandSettings()
        settings.accent = accent.flatMap { BrandColour($0) }
        settings.logo = try logo.map { BrandLogo(path: "logo", image: try BrandImage($0)) }
        return Brand(settings, name: "Owner")
    }

    /// Returns the chunks of the last PNG image in a file, which is the largest.
    ///
    /// The smallest one has no dot that is the mark's alone.
    private static func chunks(_ file: [UInt8]) throws -> [Chunk] {
        let start = try #require(file.indices.last { file[$0...].starts(with: [0x89, 0x50, 0x4E, 0x47]) })
        var (position, chunks) = (start + 8, [Chunk]())
        while chunks.last?.name != "IEND" {
            let length = word(file, position)
            let data = file[position + 8..<position + 8 + length]
            chunks.append(
                Chunk(
                    name: String(decoding: file[position + 4..<position + 8], as: UTF8.self),
                    data: Array(data),
                    checksum: UInt32(word(file, position + 8 + length))
                )
            )
            position += 12 + length
        }
        return chunks
    }

    private static func word(_ file: [UInt8], _ position: Int) -> Int {
        file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// CRC-32, bit by bit, of the chunk's name and data.
    private static func checksum(_ chunk: Chunk) -> UInt32 {
        var sum: UInt32 = .max
        for byte in Array(chunk.name.utf8) + chunk.data {
            for bit in 0..<8 {
                let carry = (sum ^ UInt32(byte >> UInt8(bit))) & 1
                sum = sum >> 1 ^ (carry == 1 ? 0xEDB8_8320 : 0)
            }
        }
        return ~sum
    }

    @Test func `without a colour of the owner's the icons are Vestibule's`() throws {
        for brand in [Brand.builtIn, try Self.brand("#1f5eff")] {
            #expect(BrandIcon.touch(of: brand) == WebAssets.touchIcon)
            #expect(BrandIcon.favicon(of: brand) == WebAssets.favicon)
        }
    }

    @Test(arguments: ["#7a1f5c", "#f0a000"])
    func `icons have the owner's colour, with the text colour of its buttons as the mark`(_ accent: String) throws {
        let brand = try Self.brand(accent)
        for (icon, usual) in [
            (BrandIcon.touch(of: brand), WebAssets.touchIcon), (BrandIcon.favicon(of: brand), WebAssets.favicon),
        ] {
            #expect(icon.count == usual.count && icon != usual)
            let chunks = try Self.chunks(icon)
            let palette = try #require(chunks.first { $0.name == "PLTE" }).data
            #expect(Array(palette.prefix(3)) == brand.palette.light.parts)
            #expect(Array(palette.suffix(3)) == brand.palette.onLight.parts)
            for chunk in chunks { #expect(chunk.checksum == Self.checksum(chunk), "\(chunk.name)") }
            let header = try Self.chunks(usual).map(\.name)
            #expect(chunks.map(\.name) == header)
        }
        #expect(try BrandImage(BrandIcon.touch(of: brand)).mediaType == "image/png")
    }

    @Test func `a PNG logo is the icon, and a WebP logo leaves the mark in the owner's colour`() throws {
        let logo = WebAssets.touchIcon
        let brand = try Self.brand("#7a1f5c", logo: logo)
        #expect(BrandIcon.touch(of: brand) == logo)
        let icon = BrandIcon.favicon(of: brand)
        #expect(Array(icon.prefix(6)) == [0, 0, 1, 0, 1, 0] && Array(icon[6..<8]) == [180, 180])
        #expect(Array(icon[14..<22]) == [UInt8(logo.count & 0xFF), UInt8(logo.count >> 8), 0, 0, 22, 0, 0, 0])
        #expect(Array(icon.dropFirst(22)) == logo)
        let frame: [UInt8] = Array("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2F, 0, 0, 0, 0, 0]
        let webP = try Self.brand("#7a1f5c", logo: Array("RIFF".utf8) + [UInt8(frame.count), 0, 0, 0] + frame)
        #expect(try BrandIcon.touch(of: webP) == BrandIcon.touch(of: Self.brand("#7a1f5c")))
    }
}

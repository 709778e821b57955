import Testing

@testable import Web

/// Logos are checked before anybody gets them.
struct ImageHeaderTests {
    private static func pngChunk(_ name: String, _ data: [UInt8] = []) -> [UInt8] {
        bigEndian(data.count) + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func littleEndian(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func png(_ width: Int, _ height: Int, with more: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
        let size = bigEndian(width) + bigEndian(height) + [8, 6, 0, 0, 0]
        return signature + pngChunk("IHDR", size) + more + pngChunk("IDAT", [1, 2, 3]) + pngChunk("IEND") + after
    }

    private static func webPChunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + littleEndian(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func webP(_ chunks: [UInt8]...) -> [UInt8] {
        let body = Array("WEBP".utf8) + chunks.joined()
        return Array("RIFF".utf8) + littleEndian(body.count) + body
    }

    private static func lossy(_ width: Int, _ height: Int) -> [UInt8] {
        webPChunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + littleEndian(width, 2) + littleEndian(height, 2))
    }

    private static func lossless(_ width: Int, _ height: Int) -> [UInt8] {
        webPChunk("VP8L", [0x2F] + littleEndian((width - 1) | (height - 1) << 14))
    }

    private static func extended(_ width: Int, _ height: Int, flags: UInt8 = 0) -> [UInt8] {
        webPChunk("VP8X", [flags, 0, 0, 0] + littleEndian(width - 1, 3) + littleEndian(height - 1, 3))
    }

    @Test func `a still image's format and size are read`() throws {
        for (bytes, type) in [
            (Self.png(640, 120), "image/png"), (Self.webP(Self.lossy(640, 120)), "image/webp"),
            (Self.webP(Self.lossless(640, 120)), "image/webp"),
            (Self.webP(Self.extended(640, 120), Self.lossy(640, 120)), "image/webp"),
        ] {
            let image = try BrandImage(bytes)
            #expect(image.mediaType == type && image.bytes == bytes)
            #expect(image.header.width == 640 && image.header.height == 120)
            #expect(image.fileName(.usual) == "logo." + type.dropFirst("image/".count))
        }
    }

    // T-038
    @Test func `attack: a file that is no still image within the limits is refused as a logo`() {
        let large = [UInt8](repeating: 0, count: BrandImage.limits.bytes)
        let cases: [([UInt8], ImageError)] = [
            ([], .otherFormat), (Array("GIF89a".utf8), .otherFormat), ([0xFF, 0xD8, 0xFF, 0xE0], .otherFormat),
            (Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".utf8), .svg),
            (Array("<?xml version=\"1.0\"?><svg/>".utf8), .svg),
            (Self.png(1, 1, with: Self.pngChunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0])), .animated),
            (Self.webP(Self.extended(1, 1, flags: 0x02), Self.lossy(1, 1)), .animated),
            (Self.webP(Self.lossy(1, 1), Self.webPChunk("ANMF", [0, 0])), .animated),
            (Self.png(1025, 1), .tooManyPixels(1025, 1)), (Self.png(1, 4096), .tooManyPixels(1, 4096)),
            (
                Self.png(1, 1, with: Self.pngChunk("tEXt", large)),
                .tooManyBytes(Self.png(1, 1).count + 12 + large.count)
            ),
            (Self.png(0, 1), .damaged), (Self.png(1, 1, after: [0]), .damaged),
            (Self.png(1, 1, after: Array("<script>".utf8)), .damaged),
            (Self.signature + Self.pngChunk("IHDR", Self.bigEndian(1) + Self.bigEndian(1)), .damaged),
            (Self.webP(Self.extended(2, 2), Self.lossy(1, 1)), .damaged),
            (Self.webP(Self.lossy(1, 1), Self.lossy(1, 1)), .damaged), (Self.webP(), .damaged),
            (Self.webP(Self.lossy(1, 1)) + [0, 0], .damaged),
        ]
        for (bytes, error) in cases {
            #expect(throws: error, "\(bytes.prefix(40))") { try BrandImage(bytes) }
            #expect(!error.message.isEmpty)
        }
    }

    @Test func `attack: a logo that ends anywhere is refused and read no further`() {
        let extended = Self.webP(Self.extended(9, 9), Self.lossless(9, 9))
        for whole in [Self.png(9, 9), Self.webP(Self.lossy(9, 9)), extended] {
            for count in 0..<whole.count {
                #expect(throws: ImageError.self, "\(count)") { try BrandImage(Array(whole.prefix(count))) }
            }
        }
    }

    @Test func `attack: a chunk whose length is huge is refused`() {
        let length: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF]
        #expect(throws: ImageError.damaged) { try BrandImage(Self.signature + length + Array("IHDR".utf8)) }
        let chunk = Self.pngChunk("IHDR", Self.bigEndian(1) + Self.bigEndian(1) + [8, 6, 0, 0, 0])
        #expect(throws: ImageError.damaged) {
            try BrandImage(Self.signature + chunk + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8))
        }
    }
}

/// The format and the size of an image, read without decoding it.
///
/// The parts of the file are walked to its end, so that no animation and nothing after the image is accepted.
struct ImageHeader: Sendable, Equatable {
    enum Format: String, Sendable {
        case png, webp
    }

    let format: Format
    let width: Int
    let height: Int

    init(_ bytes: [UInt8]) throws(ImageError) {
        let size: (width: Int, height: Int)
        if bytes.starts(with: Self.pngSignature) {
            format = .png
            size = try Self.png(ImageBytes(bytes))
        } else if bytes.starts(with: Array("RIFF".utf8)), ImageBytes(bytes).has("WEBP", at: 8) {
            format = .webp
            size = try Self.webP(ImageBytes(bytes))
        } else {
            throw Self.looksLikeSVG(bytes) ? .svg : .otherFormat
        }
        guard size.width > 0, size.height > 0 else { throw .damaged }
        (width, height) = size
    }

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func looksLikeSVG(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.prefix(1024), as: UTF8.self)
        return start.contains("<svg") || start.contains("<?xml") || start.contains("<!DOCTYPE")
    }

    // MARK: PNG (W3C PNG, third edition, §5)

    private static func png(_ bytes: ImageBytes) throws(ImageError) -> (width: Int, height: Int) {
        guard try bytes.bigEndian(8) == 13, bytes.has("IHDR", at: 12) else { throw .damaged }
        let size = (width: try bytes.bigEndian(16), height: try bytes.bigEndian(20))
        var (position, hasData) = (pngSignature.count, false)
        while true {
            let length = try bytes.bigEndian(position)
            // A chunk has its length, its type, its data and a checksum.
            let end = position + 12 + length
            guard end <= bytes.count else { throw .damaged }
            if bytes.has("acTL", at: position + 4) || bytes.has("fdAT", at: position + 4) { throw .animated }
            if bytes.has("IDAT", at: position + 4) { hasData = true }
            if bytes.has("IEND", at: position + 4) {
                guard end == bytes.count, hasData else { throw .damaged }
                return size
            }
            position = end
        }
    }

    // MARK: WebP (RFC 9649 §2)

    private static func webP(_ bytes: ImageBytes) throws(ImageError) -> (width: Int, height: Int) {
        guard try bytes.littleEndian(4, count: 4) == bytes.count - 8 else { throw .damaged }
        var (position, canvas, image) = (12, (width: 0, height: 0), (width: 0, height: 0))
        while position < bytes.count {
            let length = try bytes.littleEndian(position + 4, count: 4)
            let data = position + 8
            // A chunk of odd length is followed by a byte of padding.
            let end = data + length + length % 2
            guard end <= bytes.count else { throw .damaged }
            if bytes.has("ANIM", at: position) || bytes.has("ANMF", at: position) { throw .animated }
            if bytes.has("VP8X", at: position) {
                guard length >= 10, position == 12 else { throw .damaged }
                guard try bytes.littleEndian(data, count: 1) & 0x02 == 0 else { throw .animated }
                canvas = (
                    try bytes.littleEndian(data + 4, count: 3) + 1, try bytes.littleEndian(data + 7, count: 3) + 1
                )
            } else if let size = try frame(bytes, at: position, length: length) {
                guard image == (0, 0) else { throw .damaged }
                image = size
            }
            position = end
        }
        guard image != (0, 0), canvas == (0, 0) || canvas == image else { throw .damaged }
        return image
    }

    /// Returns the size of a chunk with the image; `nil` for another chunk.
    private static func frame(
        _ bytes: ImageBytes,
        at position: Int,
        length: Int
    ) throws(ImageError) -> (width: Int, height: Int)? {
        let data = position + 8
        if bytes.has("VP8 ", at: position) {
            // A key frame begins with a tag of three bytes and a code of three (RFC 6386 §9.1).
            guard length >= 10, try bytes.littleEndian(data, count: 1) & 1 == 0,
                try bytes.littleEndian(data + 3, count: 3) == 0x2A_01_9D
            else { throw .damaged }
            return (
                try bytes.littleEndian(data + 6, count: 2) & 0x3FFF, try bytes.littleEndian(data + 8, count: 2) & 0x3FFF
            )
        }
        guard bytes.has("VP8L", at: position) else { return nil }
        guard length >= 5, try bytes.littleEndian(data, count: 1) == 0x2F else { throw .damaged }
        let bits = try bytes.littleEndian(data + 1, count: 4)
        return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
}

/// Numbers and names in a file, none of which is read beyond its end.
private struct ImageBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func has(_ name: String, at position: Int) -> Bool {
        position + 4 <= bytes.count && bytes[position..<position + 4].elementsEqual(name.utf8)
    }

    /// Returns a number of four bytes, up to the largest that a chunk may have (PNG §5.3).
    func bigEndian(_ position: Int) throws(ImageError) -> Int {
        guard position + 4 <= bytes.count else { throw .damaged }
        let number = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        guard number <= Int(Int32.max) else { throw .damaged }
        return number
    }

    func littleEndian(_ position: Int, count: Int) throws(ImageError) -> Int {
        guard position + count <= bytes.count else { throw .damaged }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

import Kernel

/// A logo: a PNG or WebP image that was checked when it was read.
package struct BrandImage: Sendable, Equatable {
    /// The largest size of a file, and of an image in pixels.
    package static let limits = (bytes: 128 * 1024, pixels: 1024)

    package let bytes: [UInt8]
    let header: ImageHeader
    /// Identifies the bytes.
    package let mark: String

    /// - Throws: ``ImageError``, for anything but a still PNG or WebP image within ``limits``.
    package init(_ bytes: [UInt8]) throws(ImageError) {
        guard bytes.count <= Self.limits.bytes else { throw .tooManyBytes(bytes.count) }
        header = try ImageHeader(bytes)
        let largest = max(header.width, header.height)
        guard largest <= Self.limits.pixels else { throw .tooManyPixels(header.width, header.height) }
        self.bytes = bytes
        mark = BrandMark.of(bytes)
    }

    /// The name below the address of a page's files.
    package func fileName(_ use: Use) -> String { "\(use.rawValue).\(header.format.rawValue)" }
    package var mediaType: String { "image/\(header.format.rawValue)" }
}

extension BrandImage {
    /// Where a logo is shown, and its name there.
    package enum Use: String, Sendable {
        case usual = "logo"
        case dark = "logo-dark"
    }
}

/// The digest by which parts of a brand are compared.
enum BrandMark {
    static func of(_ bytes: [UInt8]) -> String {
        Base64URL.encode(Array(Digest256(sha256: bytes).bytes.prefix(16)))
    }

    /// Returns the digest of texts, none of which can be mistaken for two.
    static func of(_ texts: [String]) -> String { of(texts.flatMap { Array($0.utf8) + [0] }) }
}

/// The reason for refusing a logo.
package enum ImageError: Error, Equatable, Sendable {
    case tooManyBytes(Int)
    case tooManyPixels(Int, Int)
    case svg
    case otherFormat
    case animated
    /// The file ends too early, or a part of it contradicts another.
    case damaged

    /// The reason, as a part of a sentence about the file.
    package var message: String {
        switch self {
        case .tooManyBytes(let count): "has \(count) bytes. A logo has at most \(BrandImage.limits.bytes)"
        case .tooManyPixels(let width, let height):
            "has \(width) × \(height) pixels. A logo has at most \(BrandImage.limits.pixels) in each direction"
        case .svg: "is an SVG file, which can contain scripts. Export it as PNG or WebP"
        case .otherFormat: "is neither a PNG nor a WebP file"
        case .animated: "is animated. Export a still image"
        case .damaged: "is damaged: its parts do not fit together. Export it again"
        }
    }
}

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// ring.json as it lies on the disk; times are milliseconds since 1970 UTC.
struct RingRecord: Codable {
    static let currentVersion = 1

    var version: Int
    /// The fingerprint of the `root.key` that the ring was made beside.
    var root: String
    var keys: [Entry]

    struct Entry: Codable {
        var kid: String
        var alg: SigningAlgorithm
        var createdAt: Int64
        var retiredAt: Int64?
        var verifyUntil: Int64?
    }

    /// Readable by people, and the same bytes for the same ring.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// The version is read first: a ring of a later one is not "damaged JSON".
    static func decode(_ bytes: [UInt8], path: String) throws(KeyFault) -> RingRecord {
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: Data(bytes)) else {
            throw .damaged(path: path, .notARing)
        }
        guard header.version == currentVersion else {
            throw .damaged(path: path, .unknownRingVersion(header.version))
        }
        guard let record = try? decoder.decode(RingRecord.self, from: Data(bytes)) else {
            throw .damaged(path: path, .notARing)
        }
        return record
    }

    private struct Header: Codable {
        var version: Int
    }
}

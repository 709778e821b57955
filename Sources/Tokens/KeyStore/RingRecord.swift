internal import TokenReading

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The content of ring.json; times are milliseconds since 1970 UTC.
struct RingRecord: Codable {
    static let currentVersion = 2

    var version: Int
    /// The fingerprint of the `root.key` that the ring was made beside.
    var root: String
    var keys: [Entry]

    struct Entry: Codable {
        var kid: String
        var alg: SigningAlgorithm
        /// `nil` in version 1, which had keys that sign and keys that retire.
        var state: KeyState?
        var createdAt: Int64
        /// The time from which the active key signed.
        var activeAt: Int64?
        /// The longest lifetime that it signed for, in milliseconds; of the active key.
        var longestToken: Int64?
        /// The time at which a retiring or retired key stopped signing.
        var retiredAt: Int64?
        /// The time until which a retiring key verifies.
        var verifyUntil: Int64?
    }

    /// Readable by people, and the same bytes for the same ring.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// Reads the version first: a ring of a later one is not "damaged JSON".
    static func decode(_ bytes: [UInt8], path: String) throws(KeyError) -> RingRecord {
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: Data(bytes)) else {
            throw .damaged(path: path, .notARing)
        }
        guard (1...currentVersion).contains(header.version) else {
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

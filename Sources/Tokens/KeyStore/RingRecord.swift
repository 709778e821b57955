internal import TokenReading

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The content of ring.json.
///
/// Times are in milliseconds since 1970 UTC.
struct RingRecord: Codable {
    static let currentVersion = 2

    var version: Int
    /// The fingerprint of the `root.key` with which the ring was created.
    var root: String
    var keys: [Entry]

    struct Entry: Codable, Equatable {
        var kid: String
        var alg: SigningAlgorithm
        /// The state; `nil` in version 1, where a key without ``retiredAt`` is active and one with it is retiring.
        var state: KeyState?
        var createdAt: Int64
        /// The time from which the active key has signed.
        var activeAt: Int64?
        /// The longest lifetime of tokens that the active key signed, in milliseconds.
        var longestToken: Int64?
        /// The time at which a retiring or retired key stopped signing.
        var retiredAt: Int64?
        /// The time until which a retiring key verifies tokens.
        var verifyUntil: Int64?
    }

    /// Returns the content as readable JSON.
    ///
    /// Equal rings give equal bytes.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// Reads the version first, so that a ring of a later version is not reported as damaged JSON.
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

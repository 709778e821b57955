import Crypto
import FoundationEssentials
package import Kernel
import Synchronization

/// Encrypts the `state` and the codes of the broker as tickets, each valid once.
///
/// Their contents are not stored here.
///
/// The cipher is AES-256-GCM (NIST SP 800-38D). A ticket opens only for its purpose and with its key. The marks of used
/// tickets are stored, so that a ticket is used once over all daemons and restarts. This process also keeps them in
/// memory until they expire. When their number reaches the limit, every further ticket is refused.
package final class BrokerTickets: Sendable {
    /// The purpose of a ticket.
    enum Purpose: String, Sendable, CaseIterable {
        /// The `state` of an upstream's callback.
        case redirect = "vestibule/1/broker/departure"
        /// The code that the app redeems.
        case code = "vestibule/1/broker/code"

        fileprivate var kind: UsedMark.Kind {
            switch self {
            case .redirect: .upstreamState
            case .code: .upstreamCode
            }
        }
    }

    /// The longest ticket that is opened, in bytes.
    static let longest = 16_384

    private let key: SymmetricKey
    private let environment: Environment
    private let marks: UsedMarks
    private let limit: Int
    private let used = Mutex(Used())

    /// `key` is used for these tickets alone.
    ///
    /// `limit` is the most used tickets that are kept in memory.
    package init(key: Digest256, environment: Environment, marks: UsedMarks, limit: Int = 262_144) {
        self.key = SymmetricKey(data: key.bytes)
        self.environment = environment
        self.marks = marks
        self.limit = limit
    }

    func seal(_ contents: some Encodable, for purpose: Purpose) throws -> String {
        let bytes = try JSONEncoder().encode(contents)
        let nonce = try AES.GCM.Nonce(data: environment.randomBytes(12))
        let box = try AES.GCM.seal(bytes, using: key, nonce: nonce, authenticating: Array(purpose.rawValue.utf8))
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// Opens a ticket; returns `nil` for one that was not encrypted here for that purpose.
    func open<Contents: Decodable>(_ ticket: String, as type: Contents.Type, for purpose: Purpose) -> Contents? {
        guard ticket.utf8.count <= Self.longest, let bytes = Base64URL.decode(ticket),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Array(purpose.rawValue.utf8))
        else { return nil }
        return try? JSONDecoder().decode(type, from: opened)
    }

    /// Marks a ticket as used; returns `false` if it was used before, or if the limit of used tickets is reached.
    /// - Throws: ``StoreError``. Then the ticket counts as used in this process, and the person begins again.
    func use(_ ticket: String, for purpose: Purpose, until expiry: Instant) async throws -> Bool {
        let digest = Digest256(sha256: ticket)
        guard isNew(digest, until: expiry) else { return false }
        return try await marks.use(UsedMark(purpose.kind, of: digest, expiresAt: expiry))
    }

    private func isNew(_ digest: Digest256, until expiry: Instant) -> Bool {
        let now = environment.now()
        return used.withLock { used in
            if used.expiries.count >= limit || now >= used.nextSweep { used.sweep(at: now) }
            guard used.expiries.count < limit, used.expiries[digest] == nil else { return false }
            used.expiries[digest] = expiry
            return true
        }
    }

    private struct Used {
        var expiries: [Digest256: Instant] = [:]
        var nextSweep = Instant(milliseconds: .min)

        /// Deletes expired entries, at most once in ten seconds, because the scan reads all entries.
        mutating func sweep(at now: Instant) {
            guard now >= nextSweep else { return }
            nextSweep = now + .seconds(10)
            expiries = expiries.filter { now < $0.value }
        }
    }
}

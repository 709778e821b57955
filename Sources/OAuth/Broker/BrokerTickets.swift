import Crypto
import FoundationEssentials
package import Kernel
import Synchronization

/// Encrypts the `state` and the codes of the broker as tickets, each valid once.
///
/// Their contents are not stored here.
///
/// The cipher is AES-256-GCM (NIST SP 800-38D). A ticket opens only for its purpose and with its key. Used tickets are
/// kept in memory until they expire. When their number reaches the limit, every further ticket is refused. A restart
/// forgets them, so a code less than a minute old could be presented again. The upstream then refuses its own code the
/// second time.
package final class BrokerTickets: Sendable {
    /// The purpose of a ticket.
    enum Purpose: String, Sendable, CaseIterable {
        /// The `state` of an upstream's callback.
        case redirect = "vestibule/1/broker/departure"
        /// The code that the app redeems.
        case code = "vestibule/1/broker/code"
    }

    /// The longest ticket that is opened, in bytes.
    static let longest = 16_384

    private let key: SymmetricKey
    private let environment: Environment
    private let limit: Int
    private let used = Mutex(Used())

    /// `key` is used for these tickets alone.
    ///
    /// `limit` is the most used tickets that are kept in memory.
    package init(key: Digest256, environment: Environment, limit: Int = 262_144) {
        self.key = SymmetricKey(data: key.bytes)
        self.environment = environment
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
    func use(_ ticket: String, until expiry: Instant) -> Bool {
        let digest = Digest256(sha256: ticket)
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

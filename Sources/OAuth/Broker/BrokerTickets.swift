import Crypto
import FoundationEssentials
package import Kernel
import Synchronization

/// What the broker hands to browsers and apps to bring back: sealed, so that nothing is stored for who never comes back,
/// and good once.
///
/// AES-256-GCM (NIST SP 800-38D); a ticket made for one purpose opens for no other, nor under another key. What was used is
/// remembered until it would have expired; where there is no room for one more nothing is taken, rather than something
/// twice. The memory is the process's: what was used before a restart and is not a minute old is left to the upstream,
/// which takes its own code once.
package final class BrokerTickets: Sendable {
    /// What a ticket is for.
    enum Purpose: String, Sendable, CaseIterable {
        /// The `state` that an upstream brings back.
        case redirect = "vestibule/1/broker/departure"
        /// The code that the app redeems.
        case code = "vestibule/1/broker/code"
    }

    /// The longest that is opened, in bytes.
    static let longest = 16_384

    private let key: SymmetricKey
    private let environment: Environment
    private let room: Int
    private let used = Mutex(Used())

    /// `key`: of these tickets alone; `room`: how many used ones are remembered.
    package init(key: Digest256, environment: Environment, room: Int = 262_144) {
        self.key = SymmetricKey(data: key.bytes)
        self.environment = environment
        self.room = room
    }

    func seal(_ contents: some Encodable, for purpose: Purpose) throws -> String {
        let bytes = try JSONEncoder().encode(contents)
        let nonce = try AES.GCM.Nonce(data: environment.randomBytes(12))
        let box = try AES.GCM.seal(bytes, using: key, nonce: nonce, authenticating: Array(purpose.rawValue.utf8))
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// `nil` for whatever was not sealed here for that purpose.
    func open<Contents: Decodable>(_ ticket: String, as type: Contents.Type, for purpose: Purpose) -> Contents? {
        guard ticket.utf8.count <= Self.longest, let bytes = Base64URL.decode(ticket),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Array(purpose.rawValue.utf8))
        else { return nil }
        return try? JSONDecoder().decode(type, from: opened)
    }

    /// Whether this is the first use of the ticket; from now on it is used.
    func use(_ ticket: String, until expiry: Instant) -> Bool {
        let digest = Digest256(sha256: ticket)
        let now = environment.now()
        return used.withLock { used in
            if used.expiries.count >= room || now >= used.nextSweep { used.sweep(at: now) }
            guard used.expiries.count < room, used.expiries[digest] == nil else { return false }
            used.expiries[digest] = expiry
            return true
        }
    }

    private struct Used {
        var expiries: [Digest256: Instant] = [:]
        var nextSweep = Instant(milliseconds: .min)

        /// Forgets what has expired; not more often than once in ten seconds, for it looks at all.
        mutating func sweep(at now: Instant) {
            guard now >= nextSweep else { return }
            nextSweep = now + .seconds(10)
            expiries = expiries.filter { now < $0.value }
        }
    }
}

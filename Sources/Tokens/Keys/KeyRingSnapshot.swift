internal import Kernel

/// The ring as it was at one moment.
///
/// It never changes, so that a request that holds one needs no lock, and everything that can be made once (the header
/// of a token, the key set) is.
package final class KeyRingSnapshot: Sendable {
    /// The key set document, UTF-8 JSON: the current key and those whose tokens may still be about.
    package let jwks: [UInt8]
    /// For the operator: the key that signs, then the retired ones, the last retired first.
    package let keys: [KeySummary]

    let current: SigningKey
    /// The first part of every access token signed by ``current``, with its dot.
    let accessHeader: [UInt8]
    /// The same of every approval token.
    let approvalHeader: [UInt8]
    let ringKeys: [RingKey]
    private let verifying: [String: Verifying]

    private struct Verifying {
        let key: VerificationKey
        let until: Instant?
    }

    /// `nil` unless exactly one key is not retired.
    init?(_ unsorted: [RingKey]) {
        let active = unsorted.filter { $0.retirement == nil }
        guard let signing = active.first, active.count == 1 else { return nil }
        let sorted = active + unsorted.filter { $0.retirement != nil }.sorted(by: Self.wasRetiredLater)
        current = signing.key
        let header = { (type: String) in
            TokenHeader.part(
                algorithm: signing.key.verificationKey.algorithm.rawValue,
                kid: signing.id.text,
                type: type
            )
        }
        accessHeader = header(TokenType.access)
        approvalHeader = header(TokenType.approval)
        ringKeys = sorted
        keys = sorted.map(\.summary)
        jwks = JSONWebKeySet.encode(sorted)
        verifying = Dictionary(
            sorted.map { ($0.id.text, Verifying(key: $0.key.verificationKey, until: $0.retirement?.verifyUntil)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// By the date of retirement, not of creation: the clock may have been set back between two rotations.
    private static func wasRetiredLater(_ left: RingKey, _ right: RingKey) -> Bool {
        guard let first = left.retirement?.at, let second = right.retirement?.at, first != second else {
            return left.id.text < right.id.text
        }
        return first > second
    }

    /// The key that `kid` names, if what it signed still counts at `now`.
    func verificationKey(_ kid: String, now: Instant) throws(TokenRefusal) -> VerificationKey {
        guard let found = verifying[kid] else { throw .unknownKey }
        if let until = found.until, now >= until { throw .retiredKey }
        return found.key
    }
}

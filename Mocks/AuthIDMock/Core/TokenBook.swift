import Kernel
import MockServing

/// Access and refresh tokens in force.
///
/// Bounded: the oldest go first.
struct TokenBook: Sendable {
    /// A pair as it is handed out.
    struct Pair: Sendable {
        let access: Secret
        let refresh: Secret
        let accessExpires: Instant
    }

    static let accessLifetime = Duration.seconds(15 * 60)
    static let refreshLifetime = Duration.seconds(24 * 60 * 60)

    private var access: [String: Instant] = [:]
    private var refresh: [String: Instant] = [:]
    private var issued: BoundedLog<Pair>

    init(capacity: Int) { issued = BoundedLog(capacity: capacity) }

    mutating func issue(at now: Instant, random: MachineInputs.RandomBytes) -> Pair {
        let pair = Pair(
            access: Secret(Base64URL.encode(random(32))),
            refresh: Secret(Base64URL.encode(random(32))),
            accessExpires: now + Self.accessLifetime
        )
        access[pair.access.expose()] = pair.accessExpires
        refresh[pair.refresh.expose()] = now + Self.refreshLifetime
        if let evicted = issued.append(pair) {
            access[evicted.access.expose()] = nil
            refresh[evicted.refresh.expose()] = nil
        }
        return pair
    }

    /// Trades a refresh token, once, for a new pair; an access token handed out before stays good until it expires.
    mutating func renew(
        _ token: String,
        at now: Instant,
        random: MachineInputs.RandomBytes
    ) throws(ProviderError) -> Pair {
        guard let expires = refresh.removeValue(forKey: token), now < expires else {
            throw .notAuthenticated
        }
        return issue(at: now, random: random)
    }

    func isValid(access token: String, at now: Instant) -> Bool { access[token].map { now < $0 } ?? false }
}

import Kernel
import Operations

/// The value of the cookie `vst_device`: a secret for each account that signed in with this browser, the newest first.
///
/// Accounts never share a secret, so that a copy of the cookie proves the accounts that it was copied from and no
/// later one; and people who take turns in one browser stay known side by side.
struct DeviceCookies: Equatable {
    /// How many accounts a browser stays known for; a further one takes the place of the one that came first.
    static let limit = 4
    private static let separator: Character = "."

    private let secrets: [Substring]

    /// What a request brought; whatever does not look like one of our secrets is left out.
    init(_ value: Secret?) {
        let parts = value?.expose().split(separator: Self.separator) ?? []
        secrets = Array(parts.filter { $0.utf8.count == Self.secretLength }.prefix(Self.limit))
    }

    private init(secrets: [Substring]) { self.secrets = secrets }

    /// 256 bits in base64url.
    private static let secretLength = 43

    /// SHA-256 of each secret.
    var digests: [Digest256] { digests { _ in true } }

    /// SHA-256 of each secret of that kind.
    func digests(where isOfKind: (Substring) -> Bool) -> [Digest256] {
        secrets.filter(isOfKind).map { Digest256(sha256: $0) }
    }

    /// The same with a new secret; adding one that is there already changes nothing but its place.
    func adding(_ secret: Secret) -> DeviceCookies {
        let new = secret.expose()
        return DeviceCookies(secrets: Array(([new[...]] + secrets.filter { $0 != new }).prefix(Self.limit)))
    }

    /// The cookie's value, or `nil` for none.
    var value: Secret? { secrets.isEmpty ? nil : Secret(secrets.joined(separator: String(Self.separator))) }
}

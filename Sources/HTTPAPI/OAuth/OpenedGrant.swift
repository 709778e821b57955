import Kernel
import OAuth

/// A grant whose session was opened: all that its tokens are made of, the same ones each time.
struct OpenedGrant: Sendable {
    let session: SessionID
    let grant: AuthorizedGrant
    let issuedAt: Instant
    /// The `jti` of its first refresh token.
    let refreshTokenID: String
    /// The key that its access tokens are bound to (RFC 9449 §6).
    let proofKey: Digest256?
}

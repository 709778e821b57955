import Devices
import Kernel
import OAuth
import Sessions
import Tokens

/// A session that is about to be opened, whatever has proved the person.
struct SessionDraft {
    /// What tokens of the session are no good without.
    struct Holder {
        var binding = Session.Binding.none
        /// The thumbprint of the key that refresh tokens are bound to.
        var key: Digest256?
    }

    /// The first refresh token of the session's family.
    struct FirstRefreshToken {
        /// Its `jti`.
        let id: String
        let lifetime: Duration
    }

    let id: SessionID
    let account: AccountID
    let client: String
    let device: SignInDevice?
    let authentication: AuthenticationFacts
    let holder: Holder
    let openedAt: Instant
    let refreshToken: FirstRefreshToken

    /// The rows that the store keeps of it.
    var session: NewSession {
        NewSession(
            session: Session(
                id: id,
                account: account,
                client: client,
                device: device?.id,
                isDeviceProven: device?.isProven == true,
                createdAt: openedAt,
                authenticatedAt: authentication.at,
                methods: authentication.methods,
                binding: holder.binding,
                proofKey: holder.key,
                passkey: authentication.passkey,
                revokedAt: nil
            ),
            refreshKey: refreshRowKey(refreshToken.id),
            refreshExpiresAt: openedAt + refreshToken.lifetime
        )
    }
}

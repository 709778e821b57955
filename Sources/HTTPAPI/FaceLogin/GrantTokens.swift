package import Devices
package import Kernel
import Operations
import TokenReading
package import Tokens
import Wire

/// Signs a grant's tokens: the same claims each time it is handed out.
package struct GrantTokens: Sendable {
    private let issuer: TokenIssuer
    private let facts: Facts
    let deviceCookies: DeviceCookieMint

    package init(issuer: TokenIssuer, facts: Facts, deviceCookies: DeviceCookieMint) {
        self.issuer = issuer
        self.facts = facts
        self.deviceCookies = deviceCookies
    }

    /// The tokens of `grant`, for whom it belongs to, under the policy in force when the login began.
    func tokens(_ grant: Grant, of person: SignedInPerson, under policy: ClientPolicy) throws -> LoginTokens {
        let expiresAt = grant.issuedAt + policy.accessTokenLifetime
        let access = try issuer.sign(
            access: AccessClaims(
                account: person.account,
                audience: policy.audience,
                clientID: policy.clientID,
                session: grant.session,
                deviceID: nil,
                tokenID: grant.accessTokenID.description,
                issuedAt: grant.issuedAt,
                expiresAt: expiresAt,
                authenticatedAt: grant.authenticatedAt,
                methods: ["face"],
                contextClass: "face"
            )
        )
        let refresh = issuer.sign(
            refresh: RefreshClaims(
                account: person.account,
                session: grant.session,
                deviceID: nil,
                tokenID: grant.refreshTokenID.description,
                issuedAt: grant.issuedAt,
                expiresAt: grant.issuedAt + policy.refreshTokenLifetime
            )
        )
        return LoginTokens(
            accessToken: access.expose(),
            refreshToken: refresh.expose(),
            expiresIn: Int(max(0, (expiresAt - facts.now()).wholeMilliseconds / 1000))
        )
    }
}

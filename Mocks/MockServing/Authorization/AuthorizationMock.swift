package import Kernel

/// The state of a mock that is an authorization server, as a value: no clock, no randomness and no I/O of its own.
package protocol AuthorizationMock: Sendable {
    associatedtype Kind: MockFaultKind

    /// The counts of calls, and their faults.
    var calls: CallBook<Kind> { get set }
    /// Whom it lets in, with which code or token.
    var grants: GrantBook { get set }
}

/// How the authorization server of a mock is set up.
package struct AuthorizationConfiguration: Sendable {
    /// The one client that it knows.
    package var clientID: String
    /// Its secret, without which the token endpoint gives nothing; `nil` for a client that has none.
    package var clientSecret: Secret?
    /// Where it sends browsers back to; compared character by character.
    package var redirectURIs: Set<String> = []
    /// Whether it binds codes to a verifier where a challenge came (RFC 7636).
    package var takesCodeChallenge = true
    /// `iss` of its answers (RFC 9207); `nil` sends none.
    package var issuer: String?
    package var accessTokenLifetime: Duration = .seconds(600)
    package var codeLifetime: Duration = .seconds(60)
    /// The prefix of its tokens.
    let tokenPrefix: String
    /// Parameters without which it does not look at a code.
    let neededWithCode: [String]
    /// JSON members that follow the tokens in the token endpoint's answer.
    let furtherMembers: String

    package init(
        clientID: String,
        clientSecret: Secret?,
        tokenPrefix: String,
        neededWithCode: [String] = [],
        furtherMembers: String
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.tokenPrefix = tokenPrefix
        self.neededWithCode = neededWithCode
        self.furtherMembers = furtherMembers
    }
}

package import CodeFlow
package import Kernel

/// A bank whose cards can be brought into a wallet: an OAuth authorization server, and where its cards are asked for.
package struct Bank: Sendable, Equatable {
    /// The operator's name for it, which is in addresses; the app's `bsimId`.
    package let id: String
    /// What people are shown.
    package var name: String
    package var logoURL: String?
    package var authorizeURL: String
    package var tokenURL: String
    package var cardsURL: String
    package var clientID: String
    /// `nil` where ``authentication`` is `none`.
    package var clientSecret: Secret?
    package var authentication: Authentication
    package var scopes: [String]
    /// Its `iss`, which its answers then have to bring (RFC 9207); `nil` where it sends none.
    package var issuer: String?
    /// For one request to it, but for ``exchangeTime``.
    package var timeout: Duration

    /// For the answer to a refresh token, where that is longer than its timeout: the bank has used the token up by then, and
    /// an answer that nobody reads shuts the wallet out there (RFC 9700 §4.14.2).
    package var exchangeTime: Duration { max(timeout, .seconds(45)) }

    package init(
        id: String,
        name: String,
        logoURL: String? = nil,
        authorizeURL: String,
        tokenURL: String,
        cardsURL: String,
        clientID: String,
        clientSecret: Secret? = nil,
        authentication: Authentication = .none,
        scopes: [String] = [],
        issuer: String? = nil,
        timeout: Duration = .seconds(5)
    ) {
        self.id = id
        self.name = name
        self.logoURL = logoURL
        self.authorizeURL = authorizeURL
        self.tokenURL = tokenURL
        self.cardsURL = cardsURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.authentication = authentication
        self.scopes = scopes
        self.issuer = issuer
        self.timeout = timeout
    }

    /// Where the secret goes (RFC 6749 §2.3.1); a public client has none.
    package enum Authentication: String, Sendable, CaseIterable {
        case none, post, basic
    }
}

extension Bank: AuthorizationServer {
    /// The config's checks have seen that a secret goes with `post` and `basic`.
    package var secret: ClientSecretUse {
        guard let clientSecret else { return .none }
        return switch authentication {
        case .none: .none
        case .post: .form(clientSecret)
        case .basic: .basic(clientSecret)
        }
    }

    package var hasLooseAnswers: Bool { false }
}

package import CodeFlow
package import Kernel

/// A bank whose cards can be added to a wallet: an OAuth authorization server and a card endpoint.
package struct Bank: Sendable, Equatable {
    /// The operator's id of the bank, which is in addresses; the app's `bsimId`.
    package let id: String
    /// The name that people are shown.
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
    /// The bank's `iss`, which its answers must then have (RFC 9207); `nil` where it sends none.
    package var issuer: String?
    /// The timeout of one request, except ``exchangeTime``.
    package var timeout: Duration

    /// The timeout of a token exchange, longer than others: the bank has used the refresh token up by then.
    ///
    /// An answer that is not read would lock the wallet out there (RFC 9700 §4.14.2).
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

    /// The place of the secret in a request (RFC 6749 §2.3.1); a public client has none.
    package enum Authentication: String, Sendable, CaseIterable {
        case none, post, basic
    }
}

extension Bank: AuthorizationServer {
    /// The secret in its place; the config's checks ensure that `post` and `basic` have one.
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

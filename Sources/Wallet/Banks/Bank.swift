package import CodeFlow

/// A bank whose cards can be added to a wallet: an OAuth authorization server and a card endpoint.
package struct Bank: Sendable, Equatable {
    /// The operator's id of the bank, which is in URLs, and which apps know as `bsimId`.
    package let id: String
    /// The name that is shown to people.
    package var name: String
    package var logoURL: String?
    package var server: AuthorizationServer
    package var cardsURL: String
    /// The timeout of one request, except ``exchangeTime``.
    package var timeout: Duration

    /// The timeout of a refresh token's exchange, at least 45 s because the bank may have used the token up.
    ///
    /// If the response were lost, the person would have to sign in at the bank again (RFC 9700 §4.14.2).
    package var exchangeTime: Duration { max(timeout, .seconds(45)) }

    package init(
        id: String,
        name: String,
        logoURL: String? = nil,
        server: AuthorizationServer,
        cardsURL: String,
        timeout: Duration = .seconds(5)
    ) {
        self.id = id
        self.name = name
        self.logoURL = logoURL
        self.server = server
        self.cardsURL = cardsURL
        self.timeout = timeout
    }
}

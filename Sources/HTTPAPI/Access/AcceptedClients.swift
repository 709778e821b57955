import OAuth
import Operations
import TokenReading
import Tokens

/// Knows the clients whose tokens are accepted, and the class of each client.
struct AcceptedClients: Sendable {
    private let clients: ClientDirectory
    private let audiences: Set<String>
    private let wallet: Set<String>
    private let authorized: @Sendable (String) -> OAuthClient?

    /// - Parameters:
    ///   - clients: The clients of the config.
    ///   - audiences: The audiences of all clients of the config.
    ///   - wallet: The audience of the wallet surface's client.
    ///   - authorized: Returns the authorization server's client with an id, if there is an authorization server.
    init(
        _ clients: ClientDirectory,
        audiences: Set<String>,
        wallet: String?,
        authorized: @escaping @Sendable (String) -> OAuthClient? = { _ in nil }
    ) {
        self.clients = clients
        self.audiences = audiences
        self.wallet = Set([wallet].compactMap(\.self))
        self.authorized = authorized
    }

    func audiences(_ demanded: TokenAudience) -> Set<String> {
        switch demanded {
        case .everyClient: audiences
        case .wallet: wallet
        }
    }

    /// Returns the clients whose sessions a route with this demand for refresh tokens accepts.
    ///
    /// A refresh token itself names no client.
    func ids(_ demanded: TokenDemand) -> Set<String> {
        guard demanded.clients == .firstParty else { return [] }
        let accepted = audiences(demanded.audience)
        return clients.ids.filter { id in
            guard let policy = try? clients.client(named: id, surface: nil) else { return false }
            return accepted.contains(policy.audience)
        }
    }

    /// Returns the class of the client to which the token was issued.
    ///
    /// A client of the config is first-party, if the token's audience is the client's own. An audience of another
    /// client is refused.
    /// - Returns: `nil` for a disabled or unknown client, and for a token with another audience.
    func clientClass(of claims: AccessClaims) -> ClientClass? {
        let registered = authorized(claims.clientID)
        guard registered?.isEnabled ?? true else { return nil }
        if let policy = try? clients.client(named: claims.clientID, surface: nil) {
            return policy.audience == claims.audience ? .firstParty : nil
        }
        return registered?.access.audience == claims.audience ? .thirdParty : nil
    }

    /// Returns whether the token's client exists and is enabled, whatever the token's audience is.
    func isOfClient(_ claims: AccessClaims) -> Bool {
        if let registered = authorized(claims.clientID) { return registered.isEnabled }
        return clients.ids.contains(claims.clientID)
    }
}

package import OAuth
package import Operations
import TokenReading
import Tokens

/// The clients that tokens may be for, and whose they are.
package struct AcceptedClients: Sendable {
    private let clients: ClientDirectory
    private let audiences: Set<String>
    private let wallet: Set<String>
    private let authorized: @Sendable (String) -> OAuthClient?

    /// `clients`: those of the config; `audiences`: all of theirs; `wallet`: that of the wallet surface's client;
    /// `authorized`: the authorization server's client of an id, where there is such a server.
    package init(
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

    /// The clients whose sessions count for a route that takes such refresh tokens.
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

    /// Whose client the token was given to; `nil` for one that is disabled or none of ours, and for a token that is for
    /// somebody else.
    ///
    /// First-party is a client of the config, by its own audience: a name in the one claim that does not go with the other
    /// is nobody's of ours.
    func clientClass(of claims: AccessClaims) -> ClientClass? {
        let registered = authorized(claims.clientID)
        guard registered?.isEnabled ?? true else { return nil }
        if let policy = try? clients.client(named: claims.clientID, surface: nil) {
            return policy.audience == claims.audience ? .firstParty : nil
        }
        return registered?.audience == claims.audience ? .thirdParty : nil
    }

    /// Whether the token is one of a client that is there and enabled, whoever it is for.
    func isOfClient(_ claims: AccessClaims) -> Bool {
        if let registered = authorized(claims.clientID) { return registered.isEnabled }
        return clients.ids.contains(claims.clientID)
    }
}

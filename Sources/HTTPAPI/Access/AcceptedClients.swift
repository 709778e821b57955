package import Operations
import TokenReading
import Tokens

/// The clients that tokens may be for, and whose they are.
package struct AcceptedClients: Sendable {
    private let clients: ClientDirectory
    private let audiences: Set<String>
    private let wallet: Set<String>

    /// `clients`: those of the config; `audiences`: all of theirs; `wallet`: that of the wallet surface's client.
    package init(_ clients: ClientDirectory, audiences: Set<String>, wallet: String?) {
        self.clients = clients
        self.audiences = audiences
        self.wallet = Set([wallet].compactMap(\.self))
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

    /// Whose client the token was given to.
    ///
    /// First-party is a client of the config, by its own audience: a name in the one claim that does not go with the other
    /// is nobody's of ours.
    func clientClass(of claims: AccessClaims) -> ClientClass {
        guard let policy = try? clients.client(named: claims.clientID, surface: nil), policy.audience == claims.audience
        else { return .thirdParty }
        return .firstParty
    }
}

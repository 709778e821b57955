import Sessions
import SignIn

/// Reads and exchanges the refresh tokens of the clients in the config.
struct FirstPartyRefreshTokens: Sendable {
    let reader: RefreshTokenReader
    let service: RefreshService
    let tokens: TokenSet
    let accepted: AcceptedClients
    let gate: DPoPGate

    /// Returns the command that exchanges the token or ends its session, for the clients that the demand accepts.
    func command(
        for held: PresentedRefreshToken,
        taking demand: TokenDemand,
        evidence: RefreshEvidence
    ) -> RefreshCommand {
        tokens.refreshCommand(for: held, clients: accepted.ids(demand), evidence: evidence)
    }
}

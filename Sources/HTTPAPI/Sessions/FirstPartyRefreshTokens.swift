import Sessions
import SignIn

/// The refresh tokens of the config's clients: how they are read, and what they are exchanged for.
struct FirstPartyRefreshTokens: Sendable {
    let reader: RefreshTokenReader
    let service: RefreshService
    let tokens: TokenSet
    let accepted: AcceptedClients
    let gate: DPoPGate

    /// Returns the command that exchanges the token, or ends its session, where such tokens count.
    func command(
        for held: PresentedRefreshToken,
        taking demand: TokenDemand,
        evidence: RefreshEvidence
    ) -> RefreshCommand {
        tokens.refreshCommand(for: held, clients: accepted.ids(demand), evidence: evidence)
    }
}

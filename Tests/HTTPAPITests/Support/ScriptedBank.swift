import CodeFlow
import Kernel
import Synchronization
import Wallet

/// A bank that does what a test tells it, and keeps what it was asked.
final class ScriptedBank: BankGateway {
    /// A code as it was redeemed.
    struct Redeemed: Sendable, Equatable {
        let code: String
        let verifier: String
        let redirectURI: String
        let bankID: String
    }

    private struct Script {
        var cards = ScriptedBank.cards
        var fault: BankError?
        var redeemed: [Redeemed] = []
        var refreshes = 0
        var tokens = 0
    }

    static let cards = [
        BankCard(reference: "ref-1", lastFour: "4242", network: "VISA"),
        BankCard(reference: "ref-2", lastFour: "1111", network: "Mastercard"),
    ]

    private let script = Mutex(Script())
    private let exchange = Mutex<Gate?>(nil)

    /// Refresh tokens that come from now on, and are used up by then, are answered when the gate opens.
    func holdExchanges(at gate: Gate) { exchange.withLock { $0 = gate } }

    /// What was asked for with a code.
    var redeemed: [Redeemed] { script.withLock { $0.redeemed } }
    var refreshes: Int { script.withLock { $0.refreshes } }

    /// What the next ones to ask see.
    func lists(_ cards: [BankCard]) { script.withLock { $0.cards = cards } }

    /// `nil`: all is well again.
    func fail(with fault: BankError?) { script.withLock { $0.fault = fault } }

    func tokens(for grant: TokenGrant, at bank: Bank) async throws(BankError) -> GrantedTokens {
        switch grant {
        case .code(let code, let redirectURI, let verifier):
            let asked = Redeemed(
                code: code.expose(),
                verifier: verifier?.expose() ?? "",
                redirectURI: redirectURI ?? "",
                bankID: bank.id
            )
            script.withLock { $0.redeemed.append(asked) }
        case .refreshToken:
            script.withLock { $0.refreshes += 1 }
            if let gate = exchange.withLock({ $0 }) { await gate.pass() }
        }
        return try answer()
    }

    func cards(with accessToken: Secret, at bank: Bank) async throws(BankError) -> [BankCard] {
        _ = try answer()
        return script.withLock { $0.cards }
    }

    private func answer() throws(BankError) -> GrantedTokens {
        let (fault, number) = script.withLock { script in
            script.tokens += 1
            return (script.fault, script.tokens)
        }
        if let fault { throw fault }
        return GrantedTokens(
            accessToken: Secret("bank-access-\(number)"),
            refreshToken: Secret("bank-refresh-\(number)"),
            expiresIn: 3600
        )
    }
}

import CodeFlow
import Kernel
import Synchronization
import Wallet

/// A bank whose answers a test sets.
///
/// Its refresh tokens are good once, and a used one ends the family.
final class ScriptedBank: BankGateway {
    private let state = Mutex(State())

    struct State {
        var cards: [BankCard] = []
        /// The errors of the next requests, by endpoint.
        var tokenFault: BankError?
        var cardsFault: BankError?
        var expiresIn: Int? = 3600
        var givesRefreshToken = true
        /// The one access and the one refresh token that are good.
        var access = 0
        var refresh = 0
        var isOver = false
        var codes: [String] = []
        var verifiers: [String] = []
        var redirectURIs: [String] = []
        var refreshes = 0
        var lists = 0
    }

    /// The received requests.
    var seen: State { state.withLock { $0 } }

    /// Called within a request for cards, before it answers.
    private let onList = Mutex<(@Sendable () async throws -> Void)?>(nil)

    /// Called within a request with a refresh token, which is used by then, before it answers.
    private let onRefresh = Mutex<(@Sendable () async -> Void)?>(nil)

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func list(_ numbers: [Int]) { set { $0.cards = numbers.map(Self.card) } }

    func onList(_ body: (@Sendable () async throws -> Void)?) { onList.withLock { $0 = body } }

    func onRefresh(_ body: (@Sendable () async -> Void)?) { onRefresh.withLock { $0 = body } }

    /// The access token is over.
    func endAccess() { set { $0.access += 1 } }

    static func card(_ number: Int) -> BankCard {
        let digits = String(number)
        let lastFour = String(repeating: "0", count: 4 - digits.count) + digits
        return BankCard(reference: "ref-\(number)", lastFour: lastFour, network: "VISA")
    }

    func tokens(for grant: TokenGrant, at bank: Bank) async throws(BankError) -> GrantedTokens {
        switch grant {
        case .code(let code, let redirectURI, let verifier):
            try redeem(code, redirectURI: redirectURI, verifier: verifier)
        case .refreshToken(let token, _): try await refresh(token)
        }
    }

    private func redeem(_ code: Secret, redirectURI: String?, verifier: Secret?) throws(BankError) -> GrantedTokens {
        let answer = state.withLock { state -> Result<GrantedTokens, BankError> in
            state.codes.append(code.expose())
            state.verifiers.append(verifier?.expose() ?? "")
            state.redirectURIs.append(redirectURI ?? "")
            if let fault = state.tokenFault { return .failure(fault) }
            state.isOver = false
            return .success(state.issue())
        }
        return try answer.get()
    }

    private func refresh(_ token: Secret) async throws(BankError) -> GrantedTokens {
        await Task.yield()
        let answer = state.withLock { state -> Result<GrantedTokens, BankError> in
            state.refreshes += 1
            if let fault = state.tokenFault { return .failure(fault) }
            guard token.expose() == "refresh-\(state.refresh)", !state.isOver else {
                state.isOver = true
                return .failure(.refused(cause: "invalid_grant"))
            }
            return .success(state.issue())
        }
        if let body = onRefresh.withLock({ $0 }) { await body() }
        // As an HTTP client does: a task that is cancelled gets no answer any more.
        guard !Task.isCancelled else { throw .unavailable(cause: "cancelled") }
        return try answer.get()
    }

    func cards(with accessToken: Secret, at bank: Bank) async throws(BankError) -> [BankCard] {
        await Task.yield()
        if let body = onList.withLock({ $0 }) {
            do { try await body() } catch { throw .unavailable(cause: "\(error)") }
        }
        let answer = state.withLock { state -> Result<[BankCard], BankError> in
            state.lists += 1
            if let fault = state.cardsFault { return .failure(fault) }
            guard accessToken.expose() == "access-\(state.access)" else { return .failure(.refused(cause: "401")) }
            return .success(state.cards)
        }
        return try answer.get()
    }
}

extension ScriptedBank.State {
    fileprivate mutating func issue() -> GrantedTokens {
        access += 1
        if givesRefreshToken { refresh += 1 }
        return GrantedTokens(
            accessToken: Secret("access-\(access)"),
            refreshToken: givesRefreshToken ? Secret("refresh-\(refresh)") : nil,
            expiresIn: expiresIn
        )
    }
}

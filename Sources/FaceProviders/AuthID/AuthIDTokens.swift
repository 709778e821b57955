import Kernel
import Logging
import Operations
import Outbound

/// The access token in force.
///
/// It is kept until shortly before it expires. Whoever needs a new one joins the request that is under way, if there
/// is one: all its waiters get its outcome, and the next caller after a failure tries anew. A waiter that is cancelled
/// still waits for the others' request, which its timeout bounds.
actor AuthIDTokens {
    /// An access token, told apart from its successors.
    struct Access: Sendable {
        fileprivate let serial: Int
        let token: Secret
    }

    /// A token is not used in its last minute, so that it doesn't expire on the way.
    static let margin: Duration = .seconds(60)

    private let calls: AuthIDCalls
    private let exchange: AuthIDExchange
    private let facts: Facts
    private let logger: Logger

    private var held: (access: Access, freshUntil: Uptime)?
    private var refreshToken: Secret?
    private var underWay: Task<Result<Access, ProviderFailure>, Never>?
    private var issued = 0

    init(calls: AuthIDCalls, exchange: AuthIDExchange, facts: Facts, logger: Logger) {
        self.calls = calls
        self.exchange = exchange
        self.facts = facts
        self.logger = logger
    }

    /// A token that should be good: the held one or a new one.
    func current() async throws(ProviderFailure) -> Access {
        if let held, facts.clock.now < held.freshUntil { return held.access }
        return try await (underWay ?? start()).value.get()
    }

    /// Drops a token that authID did not accept.
    ///
    /// Does nothing if another has taken its place already.
    func discard(_ access: Access, withRefreshToken: Bool = false) {
        guard held?.access.serial == access.serial else { return }
        held = nil
        if withRefreshToken { refreshToken = nil }
    }

    private func start() -> Task<Result<Access, ProviderFailure>, Never> {
        let task = Task {
            let outcome = await obtain()
            underWay = nil
            return outcome
        }
        underWay = task
        return task
    }

    private func obtain() async -> Result<Access, ProviderFailure> {
        do throws(ProviderFailure) {
            if let token = refreshToken {
                // Once only: whether it was spent is not known when the answer gets lost.
                refreshToken = nil
                if let pair = try await refresh(token) { return .success(hold(pair)) }
            }
            return .success(hold(try await askWithKeys()))
        } catch {
            return .failure(error)
        }
    }

    /// `nil` if authID answered anything but a pair: then the keys decide.
    private func refresh(_ token: Secret) async throws(ProviderFailure) -> AuthIDTokenPair? {
        let call = AuthIDCall.refresh(token)
        let answer = try await send(call, hiding: [token])
        if case .good(let body) = answer, let pair = AuthIDTokenPair(parsing: body) { return pair }
        logger.notice(
            "authID did not refresh the token; asking for a new one",
            metadata: ["answer": "\(answer.summary)"]
        )
        return nil
    }

    private func askWithKeys() async throws(ProviderFailure) -> AuthIDTokenPair {
        switch try await send(.token, hiding: []) {
        case .good(let body):
            guard let pair = AuthIDTokenPair(parsing: body) else { throw .unreadable(.token) }
            return pair
        case .oversized: throw .unreadable(.token)
        // Whatever is wrong with our keys says nothing about the person that a scan is for.
        case .refused(let refusal), .unavailable(let refusal): throw .unavailable(refusal, .token)
        }
    }

    private func send(_ call: AuthIDCall, hiding secrets: [Secret]) async throws(ProviderFailure) -> AuthIDAnswer {
        let request = try calls.request(for: call)
        do throws(OutboundFailure) {
            return try await exchange.send(request, hiding: secrets)
        } catch {
            throw ProviderFailure(error, call)
        }
    }

    private func hold(_ pair: AuthIDTokenPair) -> Access {
        issued += 1
        let access = Access(serial: issued, token: pair.access)
        let lifetime = AuthIDTokenLifetime.of(pair, at: facts.now())
        held = (access, freshUntil: facts.clock.now + (lifetime - Self.margin))
        refreshToken = pair.refresh
        logger.debug("authID issued a token", metadata: ["seconds": "\(lifetime.components.seconds)"])
        return access
    }
}

import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations
import SignIn

/// The CIBA grant (CIBA Core §10.1, §11), which answers a client's polls.
struct CIBAGrant: GrantHandler {
    /// The longest wait of a poll in seconds (CIBA Core §7.3).
    private static let longestWait = 30

    let type = OAuthClient.GrantType.ciba
    let requests: BackchannelService
    let flow: BackchannelFlow
    let gate: DPoPGate
    let tokens: TokenSet
    let clock: any MonotonicClock
    let drain: DrainSwitch
    /// Whether clients that poll too fast are told to slow down.
    let isPaced: Bool

    func answer(_ form: OAuthForm, client authenticated: AuthenticatedClient, request: Request) async throws -> Response
    {
        let pending = try await requests.find(try form.required("auth_req_id"), of: authenticated)
        // Another daemon may have begun it.
        try await flow.load(pending)
        // Only polls of a pending request are paced: a client that polls too early still gets its tokens.
        if flow.peek(pending) == .pending {
            guard !isPaced || pending.takePoll(at: clock.now) else { throw Self.slowDown(pending) }
            guard let seconds = Self.wait(request.headers[our: .prefer]),
                let parked = flow.parked(pending, seconds: seconds, clock: clock, drain: drain)
            else { return Self.pending }
            await parked.park()
            if flow.peek(pending) == .pending { return Self.pending }
        }
        return try await collect(pending, for: authenticated.client, form: form, in: request)
    }

    private func collect(
        _ pending: PendingBackchannel,
        for client: OAuthClient,
        form: OAuthForm,
        in request: Request
    ) async throws -> Response {
        let key = try gate.tokenKey(request, of: client)
        switch try await flow.collect(pending, for: client, key) {
        case .pending: return Self.pending
        case .failed(let code): throw OAuthError(code)
        case .delivered: throw Self.used
        case .granted(let session):
            guard let opened = try await flow.granted(session, to: client, key) else { throw Self.used }
            let limits = try opened.limits(TokenLimitsRequest(resourcesOf: form), of: client)
            return OAuthReply.tokens(TokenMembers(try await tokens.first(opened, client, limits: limits)))
        }
    }

    private static let used = OAuthError(
        .invalidGrant,
        "The tokens of this request were collected and used already. Begin a new request."
    )

    /// Returns the error that tells the client to add five seconds to its interval (CIBA Core §11).
    private static func slowDown(_ pending: PendingBackchannel) -> OAuthError {
        let seconds = Int(pending.interval.secondsRoundedUp) + PollPacing.step
        return OAuthError(.slowDown, "Wait 5 seconds more between two polls from now on.", retryAfter: seconds)
    }

    /// Returns the seconds that a poll may wait, as `Prefer: wait=30` (RFC 7240 §4.3); `nil` for an immediate answer.
    static func wait(_ preferences: String?) -> Int? {
        guard let text = preferences else { return nil }
        for preference in text.split(separator: ",") {
            let parts = preference.split(separator: "=", maxSplits: 1).map { String($0.trimmedOfBlanks) }
            guard parts.count == 2, parts[0].lowercased() == "wait" else { continue }
            return Int(parts[1]).flatMap { $0 > 0 ? min($0, longestWait) : nil }
        }
        return nil
    }

    /// The answer to almost every poll, encoded once.
    private static let pending = OAuthReply.error(OAuthError(.authorizationPending, "The person has not answered yet."))
}

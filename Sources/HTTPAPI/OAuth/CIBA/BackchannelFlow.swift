import Kernel
import OAuth
import Operations
import SignIn

/// The steps from a backchannel request to its tokens: they combine the operation, the stored request, and the sessions
/// of the authorization server.
struct BackchannelFlow: Sendable {
    let service: OperationService
    let requests: BackchannelService
    let door: Door
    let tickets: BackchannelTickets
    private let policies = BackchannelPolicies()

    /// Begins a request, or a decoy for a person who cannot sign in; both write the same rows.
    ///
    /// Returns the request and the ticket of its landing page.
    /// - Throws: ``OAuthError``; ``StoreError``.
    func begin(_ request: BackchannelRequest, of client: OAuthClient) async throws -> (BackchannelDraft, Secret) {
        let draft = try requests.draft(request, of: client)
        let ticket = tickets.ticket(of: draft.record.operation)
        let command = BeginBackchannelOperation(
            id: draft.record.operation,
            publicID: draft.record.id,
            ticket: ticket,
            person: BeginBackchannelOperation.Person(request.hint),
            policy: policies.policy(of: client, for: request),
            proof: draft.pending.proof,
            message: request.bindingMessage?.text
        )
        try requests.open(draft)
        do {
            _ = try await service.begin(command) { [requests] in try requests.keep(draft, in: $0) }
        } catch {
            requests.drop(draft)
            guard let refusal = error as? LimitExceededError else { throw error }
            throw OAuthError(
                .temporarilyUnavailable,
                "Too many requests are open, in all or for this person. Try again later.",
                retryAfter: Int(refusal.retryAfter.secondsRoundedUp)
            )
        }
        return (draft, ticket)
    }

    /// Reads the request's operation into the cache, if another daemon follows it.
    /// - Throws: ``StoreLookups/BudgetExceededError``; ``StoreError``.
    func load(_ pending: PendingBackchannel) async throws { try await service.load(pending.id) }

    /// Returns the answer to a poll from the cache alone; `nil` if the database has to be read.
    func peek(_ pending: PendingBackchannel) -> CollectView? {
        service.collectingPeek(pending.id, Caller(challenge: pending.proof))
    }

    /// Returns a poll that waits until the person has decided; `nil` if that has already happened.
    func parked(
        _ pending: PendingBackchannel,
        seconds: Int,
        clock: any MonotonicClock,
        drain: DrainSwitch
    ) -> ParkedPoll? {
        ParkedPoll(
            service: service,
            clock: clock,
            drain: drain,
            publicID: pending.id,
            caller: Caller(challenge: pending.proof),
            seconds: seconds,
            untilDecided: true
        )
    }

    /// Returns the result for the client, and opens the session once the person has approved, only the first time.
    ///
    /// `authReqID`: The claim of the id token in push mode.
    func collect(
        _ pending: PendingBackchannel,
        for client: OAuthClient,
        _ key: PresentedKey?,
        authReqID: Secret? = nil
    ) async throws -> CollectView {
        let view = try await service.collect(pending.id, Caller(challenge: pending.proof)) {
            [door] collected, transaction in
            let authentication = AuthenticationContext(
                methods: AuthenticationProof.face.methods,
                at: collected.authenticatedAt
            )
            let grant = pending.grant(to: collected.account, authentication, authReqID: authReqID?.expose())
            return try door.open(grant, of: collected, client: client, key: key, in: transaction)
        }
        guard let view else { throw BackchannelService.unknown }
        return view
    }

    /// Returns the grant of a collected session; `nil` once its refresh token was used or the session has ended.
    func granted(_ session: SessionID, to client: OAuthClient, _ key: PresentedKey?) async throws -> OpenedGrant? {
        try await door.reopen(session, client: client, key: key)
    }

    /// Confirms that the client has the result, which is then never delivered again.
    func acknowledge(_ pending: PendingBackchannel) async throws {
        _ = try await service.acknowledge(pending.id, Caller(challenge: pending.proof))
    }
}

extension BeginBackchannelOperation.Person {
    init(_ hint: BackchannelRequest.Hint) {
        switch hint {
        case .email(let email): self = .email(email)
        case .account(let account): self = .account(account)
        }
    }
}

extension OAuthError {
    /// Translates the failure of an operation (CIBA Core §11 and §12).
    init(_ failure: FailureCode) {
        switch failure {
        case .declined, .deniedNotMe, .notMatched, .livenessFailed, .tooManyAttempts, .canceled, .accountBlocked:
            self.init(.accessDenied, "The person did not approve, or was not recognised.")
        case .expired: self.init(.expiredToken, "The request has expired. Begin a new one.")
        case .superseded, .providerError, .providerUnavailable:
            self.init(.transactionFailed, "The scan failed. Begin a new request.")
        }
    }
}

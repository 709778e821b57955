import Hummingbird
import Kernel
import Operations
import Wire

/// The routes by which owners see the operations of their account, and report those that are not theirs.
struct OwnerAPI: Sendable {
    private static let mostOperations = 50

    let service: OperationService
    let enrolmentPolicy: AuthenticatorEnrolmentPolicy
    /// Returns the landing page's address of a login that a client's server requested.
    let link: @Sendable (OperationRowID) -> String

    var routes: [Route] {
        [
            Route(.get, "/auth/operations", access: access, use: list),
            Route(.post, "/auth/operations/{id}/not-me", access: access, use: disown),
        ].alsoUnderAPI
    }

    /// The limit counts for each session, so that an attacker's session does not use up that of others.
    private var access: SessionAccess { .session(.everyClient, spending: .ownerViewsPerSession) }

    /// `GET /auth/operations`: the newest first, and enrolments in a list of their own, where no login hides them.
    private func list(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let owned = try await service.owned(by: who.account, limit: try limit(request))
        return JSONReply.encode(
            OwnedOperationsResponse(
                operations: owned.operations.map { view($0, for: who) },
                enrolments: owned.enrolments.map { view($0, for: who) }
            )
        )
    }

    /// `POST /auth/operations/{id}/not-me`: reports an operation; one of another account counts as unknown.
    ///
    /// In production, an operation with a session takes the proof that the account centre asks for: with the session end
    /// the passkeys and the face that were set up in it. A stolen token must not remove those. All else needs no proof.
    private func disown(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let owner = Disowner(account: who.account, device: who.device)
        guard let row = context.parameters.get("id").flatMap({ OperationRowID(parsing: $0) }) else {
            throw APIError.operationNotFound
        }
        if enrolmentPolicy.holdsForApps, try await service.owned(row, by: who.account)?.involvedSession != nil {
            try who.requireRecent()
            guard try await enrolmentPolicy.isEnoughForChanges(who) else { throw APIError.stepUpRequired }
        }
        guard let owned = try await service.disown(row, by: owner) else { throw APIError.operationNotFound }
        return JSONReply.encode(OwnedOperationView(owned, seenFrom: who.session))
    }

    /// Returns the view of an operation, with the link of a login that a client's server requested.
    ///
    /// Only devices on which the person has signed in before get the link.
    private func view(_ owned: OwnedOperation, for who: SignedIn) -> OwnedOperationView {
        var view = OwnedOperationView(owned, seenFrom: who.session)
        let operation = owned.operation
        if who.device != nil, view.status == .pending, operation.request.policy.landing.starter == .server,
            !operation.state.name.isDecided
        {
            view.authorizationLink = link(operation.id)
        }
        return view
    }

    private func limit(_ request: Request) throws -> Int {
        guard let text = request.uri.queryParameters["limit"] else { return 20 }
        guard let limit = Int(text), (1...Self.mostOperations).contains(limit) else { throw APIError.invalidLimit }
        return limit
    }
}

extension OwnedOperationView {
    init(_ owned: OwnedOperation, seenFrom current: SessionID) {
        let operation = owned.operation
        self.init(
            id: operation.id.description,
            kind: operation.request.purpose.kind.rawValue,
            client: operation.request.policy.client,
            startedAt: operation.validity.createdAt.internetDate,
            status: .pending,
            knownDevice: operation.request.device != nil
        )
        endedAt = operation.state.endedAt?.internetDate
        switch operation.state {
        case .created, .opened, .pending, .approved: status = .pending
        case .redeemed, .closed: status = .completed
        case .failed(let failure, _):
            status = .failed
            code = failure.rawValue
        }
        origin = operation.binding.origin.flatMap { OriginView(address: $0.address, agent: $0.agent) }
        message = operation.binding.origin?.message
        if let asked = operation.request.purpose.approval {
            approval = .init(
                message: asked.message,
                amount: asked.amount.map { ApprovalAmount(value: $0.value, currency: $0.currency) },
                payee: asked.payee
            )
        }
        if let came = operation.involvedSession {
            session = .init(open: owned.isSessionOpen ?? false, current: came == current)
        }
    }
}

extension ClientPolicy {
    /// The client that is signed in to; for one of the server's own pages, the client whose session or surface it uses.
    fileprivate var client: String { PageSignIn.Page(rawValue: signsInTo) == nil ? signsInTo : clientID }
}

import Hummingbird
import Kernel
import Operations
import TokenReading
import Tokens
import Wire

/// The routes by which a signed-in person approves something with their face.
///
/// They require no recent sign-in, because the scan itself proves who the person is.
struct ApprovalAPI: Sendable {
    let service: OperationService
    let starter: ApprovalStarter
    let issuer: TokenIssuer
    let environment: Environment
    let following: SessionFollowing
    let body: JSONBody

    var routes: [Route] {
        [
            Route(.post, "/auth/approvals/initiate", access: .session, use: initiate),
            Route(.get, "/auth/approvals/poll/{operationId}", access: .session, use: poll),
            Route(.get, "/auth/approvals/events/{operationId}", access: .session, use: events),
            Route(.post, "/auth/approvals/ack/{operationId}", access: .session, use: acknowledge),
            Route(.post, "/auth/approvals/cancel/{operationId}", access: .session, use: cancel),
        ].alsoUnderAPI
    }

    /// `POST /auth/approvals/initiate`: asks the person of the token's account, whatever the body says.
    private func initiate(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let asked = try await body.decode(InitiateApprovalRequest.self, from: request)
        guard asked.clientId.map({ $0 == who.client }) ?? true else {
            throw APIError.invalidRequest("“clientId” is not the client of this session.")
        }
        return try await starter.start(try Self.approval(asked), by: who, for: request, in: context)
    }

    /// `GET /auth/approvals/poll/{operationId}`: only for the session that started the approval.
    private func poll(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        let view = try await following.poll(request, context, of: claims.session)
        guard case .attested(let grant, let operation, let seq) = view else {
            return following.answer(view, for: request, in: context)
        }
        return JSONReply.encode(try attested(grant, of: operation, seq: seq))
    }

    private func events(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        try await following.events(request, context, of: claims.session)
    }

    /// `POST /auth/approvals/ack/{operationId}`: the app has the token, which is never delivered again.
    private func acknowledge(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        let (publicID, caller) = try await following.starter(request, context, of: claims.session, isPoll: false)
        return try PollReply.receipt(
            await service.acknowledge(publicID, caller),
            of: .approve,
            in: context.language.texts(for: request)
        )
    }

    /// `POST /auth/approvals/cancel/{operationId}`: the person has given up.
    private func cancel(_ request: Request, _ context: APIContext, claims: AccessClaims) async throws -> Response {
        let (publicID, caller) = try await following.starter(request, context, of: claims.session, isPoll: false)
        return try PollReply.receipt(
            await service.cancel(publicID, caller),
            of: .approve,
            in: context.language.texts(for: request)
        )
    }

    private func attested(_ grant: Grant, of operation: Operations.Operation, seq: Int64) throws -> PollLoginResponse {
        guard let claims = ApprovalClaims(grant, of: operation) else { throw APIError.operationNotFound }
        var answer = PollLoginResponse(status: .completed, seq: seq)
        answer.approval = ApprovalProof(
            token: try issuer.sign(approval: claims).expose(),
            expiresIn: Int(max(0, (claims.expiresAt - environment.now()).wholeMilliseconds / 1000))
        )
        return answer
    }

    /// Returns the content of the approval that the body requests.
    private static func approval(_ asked: InitiateApprovalRequest) throws -> ApprovalRequest {
        var amount: ApprovalRequest.Amount?
        if let sum = asked.amount {
            amount = ApprovalRequest.Amount(value: sum.value, currency: sum.currency)
            guard amount != nil else { throw APIError.invalidAmount }
        }
        var payload: Digest256?
        if let text = asked.payloadHash {
            payload = Base64URL.decode(text).flatMap { Digest256($0) }
            guard payload != nil else { throw APIError.invalidPayloadHash }
        }
        return try ApprovalRequest(message: asked.message, amount: amount, payee: asked.payee, payloadHash: payload)
    }
}

extension ApprovalClaims {
    /// Creates the token's claims from the stored operation, the same each time.
    init?(_ grant: Grant, of operation: Operations.Operation) {
        guard let account = operation.request.account, let approval = operation.request.purpose.approval else {
            return nil
        }
        self.init(
            account: account,
            audience: operation.request.policy.audience,
            clientID: operation.request.policy.clientID,
            session: grant.session,
            tokenID: grant.accessTokenID.description,
            issuedAt: grant.issuedAt,
            expiresAt: grant.issuedAt + operation.request.policy.approvalTokenLifetime,
            authenticatedAt: grant.authenticatedAt,
            operationTime: operation.validity.createdAt,
            subject: Subject(
                message: approval.message,
                amount: approval.amount.map { Amount(value: $0.value, currency: $0.currency) },
                payee: approval.payee,
                payloadHash: approval.payloadHash
            )
        )
    }
}

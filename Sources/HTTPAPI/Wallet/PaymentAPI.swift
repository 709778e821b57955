import HTTPTypes
import Hummingbird
import Kernel
import Wallet

/// Payments with the wallet's cards: a signed-in person requests and confirms a payment.
///
/// The holder of its card token redeems that token once. An app pays with the wallet's tokens, and a page with its
/// browser's session. ``CrossOrigin`` decides which pages may call.
struct PaymentAPI: Sendable {
    private static let usualLimit = 20

    let service: PaymentService
    let confirming: PaymentConfirming
    let reply: PaymentReply
    let limits: DeviceLimits?
    let addresses: ClientAddresses
    let body: JSONBody

    var routes: [Route] {
        let own = SessionAccess.session(.wallet).orAnyWebSession
        return [
            Route(.post, "/api/merchant/payment/initiate", access: own, use: initiate),
            Route(.post, "/api/merchant/payment/confirm", access: own, use: confirm),
            Route(.post, "/api/merchant/payment/redeem", access: .holder(of: .cardToken), use: redeem),
            Route(.post, "/api/mobile/payment/{paymentId}/approve", access: own, use: approve),
            Route(.post, "/api/mobile/payment/{paymentId}/cancel", access: own, use: cancel),
            Route(.get, "/api/mobile/payment/{paymentId}", access: own, use: show),
            Route(.get, "/api/mobile/payments", access: own, use: list),
        ]
    }

    /// `POST /api/merchant/payment/initiate`: answers 201, or 200 for a repeated request with the same idempotency key.
    private func initiate(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let asked = try await body.decode(InitiatePaymentRequest.self, from: request)
        let key = try PaymentInput.idempotencyKey(asked.idempotencyKey, header: request.headers[our: .idempotencyKey])
        let begun = try await service.initiate(
            PaymentDraft(
                account: who.account,
                session: who.session,
                client: who.client,
                card: try PaymentInput.card(asked.cardId),
                money: try PaymentInput.money(asked),
                merchant: try PaymentInput.merchant(asked),
                idempotencyKey: key
            )
        )
        var view = try reply.view(begun.payment, for: who.session)
        view.methods = try await confirming.methods(of: who).map(\.rawValue)
        return JSONReply.encode(view, status: begun.isNew ? .created : .ok)
    }

    /// `POST /api/merchant/payment/confirm`: confirms the payment once, however often the request is repeated.
    private func confirm(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let answer = try PaymentAnswer(try await body.bytes(from: request))
        guard let text = answer.asked.paymentId else { throw APIError.invalidRequest("“paymentId” is missing.") }
        let confirmed = try await confirming.confirm(
            PaymentInput.id(text),
            with: answer,
            by: who,
            for: request,
            in: context
        )
        return JSONReply.encode(try reply.confirmed(confirmed))
    }

    /// `POST /api/mobile/payment/{paymentId}/approve`: confirms with a proof; without one, starts a confirmation.
    private func approve(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let id: PaymentID = try context.id("paymentId", else: .paymentNotFound)
        let bytes = try await body.bytes(from: request)
        let answer = try PaymentAnswer(bytes)
        guard try answer.asked.paymentId.map({ try PaymentInput.id($0) == id }) ?? true else {
            throw APIError.invalidRequest("“paymentId” must be the one in the path.")
        }
        if answer.hasProof {
            let confirmed = try await confirming.confirm(id, with: answer, by: who, for: request, in: context)
            return JSONReply.encode(try reply.confirmed(confirmed))
        }
        let asked = try JSONBody.decode(ApprovePaymentRequest.self, checked: bytes)
        guard let method = asked.method.flatMap({ PaymentMethod(rawValue: $0) }) else {
            throw APIError.invalidRequest("“method” can only be face, passkey or device-key.")
        }
        return try await confirming.begin(method, of: id, by: who, for: request, in: context)
    }

    /// `POST /api/mobile/payment/{paymentId}/cancel`: also succeeds for a payment that is already cancelled.
    private func cancel(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        try await service.cancel(context.id("paymentId", else: .paymentNotFound), of: who.account)
        return JSONReply.encode(CancelPaymentResponse())
    }

    /// `GET /api/mobile/payment/{paymentId}`: also returns a confirmation's answer, in case it was lost.
    private func show(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let payment = try await service.find(context.id("paymentId", else: .paymentNotFound), of: who.account)
        return JSONReply.encode(try reply.view(payment, for: who.session))
    }

    /// `GET /api/mobile/payments`: lists the newest first, without members that only one session may see.
    private func list(_ request: Request, _ context: APIContext, by who: SignedIn) async throws -> Response {
        let query = request.uri.queryParameters
        let limit = try query["limit"].map { try PaymentInput.limit(String($0)) } ?? Self.usualLimit
        let before = try query["before"].map { try PaymentInput.id(String($0)) }
        let payments = try await service.list(of: who.account, before: before, limit: limit)
        return JSONReply.encode(PaymentsResponse(payments: try payments.map { try reply.view($0, for: nil) }))
    }

    /// `POST /api/merchant/payment/redeem`: redeems a card token, once.
    private func redeem(_ request: Request, _ context: APIContext) async throws -> Response {
        let asked = try await body.decode(RedeemCardTokenRequest.self, from: request)
        let address = addresses.client(of: request, context)
        try await limits?.admitRedemption(from: address)
        guard let redeemed = try await service.redeem(cardToken: Secret(asked.cardToken)) else {
            try await limits?.noteWrongCardToken(from: address)
            throw APIError.cardTokenOver
        }
        return JSONReply.encode(try reply.redeemed(redeemed))
    }
}

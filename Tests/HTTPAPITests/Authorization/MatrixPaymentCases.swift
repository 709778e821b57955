import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    private static let mobile = "/api/mobile"
    private static let payerKey = P256.Signing.PrivateKey()

    /// Payments belong to their account; the proof that confirms one is its session's own.
    static let payments: [MatrixCase] = [
        // The request names a card: the bearer of another token has no such card.
        MatrixCase("POST \(Harness.initiatePayment)", .access) { context in
            let card = try await context.harness.giveCard(context.person.account)
            return MatrixRequest(Harness.initiatePayment, json: Harness.order(more: #","cardId":"\#(card)""#))
        }.ofWallet.about(.account).answered(201),
        MatrixCase("POST \(Harness.confirmPayment)", .access) { context in
            let payment = try await ask(context)
            return MatrixRequest(Harness.confirmPayment, json: try await confirmation(of: payment, context))
        }.ofWallet.about(.session),
        MatrixCase("POST \(Harness.redeemToken)", .inRequest(ofAccount: true)) { context in
            let token = context.isProved ? try await cardToken(context) : "vct_" + MatrixContext.guess
            return MatrixRequest(Harness.redeemToken, json: #"{"cardToken":"\#(token)"}"#)
        }.ofWallet,
        approval("by face", #"{"method":"face"}"#).about(.account),
        approval("by passkey", #"{"method":"passkey"}"#).about(.account),
        approval("by device key", #"{"method":"device-key"}"#).about(.session),
        MatrixCase("POST \(mobile)/payment/{paymentId}/approve", .access) { context in
            let payment = try await ask(context)
            let path = "\(mobile)/payment/\(payment.paymentId)/approve"
            return MatrixRequest(path, json: try await confirmation(of: payment, context))
        }.ofWallet.about(.session).called("with the signature"),
        MatrixCase("POST \(mobile)/payment/{paymentId}/cancel", .access) { context in
            MatrixRequest("\(mobile)/payment/\(try await ask(context).paymentId)/cancel")
        }.ofWallet.about(.account),
        MatrixCase("GET \(mobile)/payment/{paymentId}", .access) { context in
            MatrixRequest("\(mobile)/payment/\(try await ask(context).paymentId)")
        }.ofWallet.about(.account),
        // Only the session that has confirmed is told this.
        MatrixCase("GET \(mobile)/payment/{paymentId}", .access) { context in
            let payment = try await ask(context)
            _ = try await confirm(payment, context)
            var request = MatrixRequest("\(mobile)/payment/\(payment.paymentId)")
            request.isGranted = { $0.text.contains("cardToken") }
            return request
        }.ofWallet.about(.session).called("for the card token"),
        MatrixCase("GET \(mobile)/payments", .access) { _ in MatrixRequest("\(mobile)/payments") }.ofWallet,
    ]

    private static func approval(_ way: String, _ body: String) -> MatrixCase {
        MatrixCase("POST \(mobile)/payment/{paymentId}/approve", .access) { context in
            let payment = try await ask(context)
            try await giveKey(context)
            _ = try await addPasskey(context)
            return MatrixRequest("\(mobile)/payment/\(payment.paymentId)/approve", json: body)
        }.ofWallet.called(way)
    }

    private static func ask(_ context: MatrixContext) async throws -> PaymentView {
        try await context.harness.giveCard(context.person.account)
        let answer = try await context.harness.post(Harness.initiatePayment, Harness.order(), context.bearer)
        try #require(answer.status == .created, "\(answer.text)")
        return try answer.decode(PaymentView.self)
    }

    private static func giveKey(_ context: MatrixContext) async throws {
        let publicKey = Harness.spki(payerKey.publicKey)
        let body = #"{"deviceId":"\#(context.person.phone)","publicKey":"\#(publicKey)","biometricType":"face"}"#
        let answer = try await context.harness.post("\(Harness.biometric)/setup", body, context.bearer)
        try #require(answer.status == .ok, "\(answer.text)")
    }

    /// A body with the signature of the person's phone.
    private static func confirmation(of payment: PaymentView, _ context: MatrixContext) async throws -> String {
        try await giveKey(context)
        return Harness.proving(payment, try Harness.signed(payment, by: payerKey))
    }

    private static func confirm(_ payment: PaymentView, _ context: MatrixContext) async throws -> ConfirmPaymentResponse
    {
        let body = try await confirmation(of: payment, context)
        let answer = try await context.harness.post(Harness.confirmPayment, body, context.bearer)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(ConfirmPaymentResponse.self)
    }

    private static func cardToken(_ context: MatrixContext) async throws -> String {
        try await confirm(try await ask(context), context).cardToken
    }
}

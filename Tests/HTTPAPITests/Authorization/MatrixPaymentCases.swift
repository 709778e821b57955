import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing

@testable import HTTPAPI
@testable import Vestibule

extension MatrixCases {
    private static let mobile = "/api/mobile"
    private static let payerKey = P256.Signing.PrivateKey()

    /// Payments belong to their account; the proof that confirms one is its session's own.
    static let payments: [MatrixCase] = [
        // The request names a card: the bearer of another token has no such card.
        MatrixCase("POST \(Bench.initiatePayment)", .access) { visit in
            let card = try await visit.bench.giveCard(visit.person.account)
            return MatrixRequest(Bench.initiatePayment, json: Bench.order(more: #","cardId":"\#(card)""#))
        }.ofWallet.about(.account).answered(201),
        MatrixCase("POST \(Bench.confirmPayment)", .access) { visit in
            let payment = try await ask(visit)
            return MatrixRequest(Bench.confirmPayment, json: try await confirmation(of: payment, visit))
        }.ofWallet.about(.session),
        MatrixCase("POST \(Bench.redeemToken)", .inRequest(ofAccount: true)) { visit in
            let token = visit.isProved ? try await cardToken(visit) : "vct_" + MatrixVisit.guess
            return MatrixRequest(Bench.redeemToken, json: #"{"cardToken":"\#(token)"}"#)
        }.ofWallet,
        approval("by face", #"{"method":"face"}"#).about(.account),
        approval("by passkey", #"{"method":"passkey"}"#).about(.account),
        approval("by device key", #"{"method":"device-key"}"#).about(.session),
        MatrixCase("POST \(mobile)/payment/{paymentId}/approve", .access) { visit in
            let payment = try await ask(visit)
            let path = "\(mobile)/payment/\(payment.paymentId)/approve"
            return MatrixRequest(path, json: try await confirmation(of: payment, visit))
        }.ofWallet.about(.session).called("with the signature"),
        MatrixCase("POST \(mobile)/payment/{paymentId}/cancel", .access) { visit in
            MatrixRequest("\(mobile)/payment/\(try await ask(visit).paymentId)/cancel")
        }.ofWallet.about(.account),
        MatrixCase("GET \(mobile)/payment/{paymentId}", .access) { visit in
            MatrixRequest("\(mobile)/payment/\(try await ask(visit).paymentId)")
        }.ofWallet.about(.account),
        // Only the session that has confirmed is told this.
        MatrixCase("GET \(mobile)/payment/{paymentId}", .access) { visit in
            let payment = try await ask(visit)
            _ = try await confirm(payment, visit)
            var request = MatrixRequest("\(mobile)/payment/\(payment.paymentId)")
            request.isGranted = { $0.text.contains("cardToken") }
            return request
        }.ofWallet.about(.session).called("for the card token"),
        MatrixCase("GET \(mobile)/payments", .access) { _ in MatrixRequest("\(mobile)/payments") }.ofWallet,
    ]

    private static func approval(_ way: String, _ body: String) -> MatrixCase {
        MatrixCase("POST \(mobile)/payment/{paymentId}/approve", .access) { visit in
            let payment = try await ask(visit)
            try await giveKey(visit)
            _ = try await addPasskey(visit)
            return MatrixRequest("\(mobile)/payment/\(payment.paymentId)/approve", json: body)
        }.ofWallet.called(way)
    }

    private static func ask(_ visit: MatrixVisit) async throws -> PaymentView {
        try await visit.bench.giveCard(visit.person.account)
        let answer = try await visit.bench.post(Bench.initiatePayment, Bench.order(), visit.bearer)
        try #require(answer.status == .created, "\(answer.text)")
        return try answer.decode(PaymentView.self)
    }

    private static func giveKey(_ visit: MatrixVisit) async throws {
        let publicKey = Bench.spki(payerKey.publicKey)
        let body = #"{"deviceId":"\#(visit.person.phone)","publicKey":"\#(publicKey)","biometricType":"face"}"#
        let answer = try await visit.bench.post("\(Bench.biometric)/setup", body, visit.bearer)
        try #require(answer.status == .ok, "\(answer.text)")
    }

    /// A body with the signature of the person's phone.
    private static func confirmation(of payment: PaymentView, _ visit: MatrixVisit) async throws -> String {
        try await giveKey(visit)
        return Bench.proving(payment, try Bench.signed(payment, by: payerKey))
    }

    private static func confirm(_ payment: PaymentView, _ visit: MatrixVisit) async throws -> ConfirmPaymentResponse {
        let body = try await confirmation(of: payment, visit)
        let answer = try await visit.bench.post(Bench.confirmPayment, body, visit.bearer)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(ConfirmPaymentResponse.self)
    }

    private static func cardToken(_ visit: MatrixVisit) async throws -> String {
        try await confirm(try await ask(visit), visit).cardToken
    }
}

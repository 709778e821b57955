import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import SoftwareAuthenticator
import Testing
import Wallet
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Payments as apps ask for them, confirm them and carry them out.
struct PaymentTests {
    // T-149
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `the device's key confirms a payment, whose token is good once`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.payer()
            let begun = try await harness.post(Harness.initiatePayment, Harness.order(), ada.bearer)
            #expect(begun.status == .created)
            #expect(
                Set(try begun.json().keys) == [
                    "paymentId", "status", "amount", "currency", "merchant", "card", "createdAt", "expiresAt",
                    "expiresIn", "challenge", "textToSign", "methods",
                ]
            )
            let payment = try begun.decode(PaymentView.self)
            #expect(payment.status == .pending && payment.amount == "12.50" && payment.currency == "EUR")
            #expect(payment.merchant == PaymentMerchant(name: Harness.shop, id: "shop-1"))
            #expect(payment.card.id == ada.card.description && payment.card.lastFour == "4242")
            #expect(payment.methods == ["device-key", "face"] && payment.expiresIn == 300)
            let lines = try #require(payment.textToSign).split(separator: "\n").map(String.init)
            #expect(
                lines == [
                    "vestibule-payment-v1", payment.paymentId, "12.50 EUR", Harness.shop, payment.challenge ?? "",
                ]
            )
            let answer = try await harness.confirm(payment, ada)
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(
                Set(try answer.json().keys) == ["paymentId", "status", "cardToken", "cardTokenExpiresIn", "receipt"]
            )
            let confirmed = try answer.decode(ConfirmPaymentResponse.self)
            #expect(confirmed.status == .confirmed && confirmed.cardTokenExpiresIn == 120)
            let redeemed = try await harness.redeem(confirmed.cardToken)
            #expect(redeemed.status == .ok, "\(redeemed.text)")
            let card = try redeemed.decode(RedeemCardTokenResponse.self)
            #expect(card.cardReference == "reference of \(ada.card)" && card.amount == "12.50")
            #expect(card.paymentId == payment.paymentId && card.merchant.name == Harness.shop)
            try harness.expect(try await harness.redeem(confirmed.cardToken), is: "card_token_over", 404)
        }
    }

    @Test func `the receipt states the payment, and is of a type of its own`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            let receipt = try await harness.confirmed(payment, ada).receipt
            let (header, claims) = (try Self.part(receipt, 0), try Self.part(receipt, 1))
            #expect(header["typ"] as? String == "vestibule-receipt+jwt")
            #expect(claims["type"] as? String == "receipt" && claims["jti"] as? String == payment.paymentId)
            #expect(claims["sub"] as? String == ada.account.description && claims["aud"] as? String == "mwsim")
            #expect(claims["client_id"] as? String == "mwsim" && claims["payee"] as? String == Harness.shop)
            #expect(claims["amount"] as? [String: String] == ["value": "12.50", "currency": "EUR"])
            #expect(claims["card"] as? [String: String] == ["last_four": "4242", "card_type": "VISA"])
            #expect(claims["method"] as? String == "device-key" && claims["merchant_id"] as? String == "shop-1")
            #expect(claims["payment_hash"] as? String == payment.challenge && claims["exp"] == nil)
            for path in ["/auth/operations", "/api/mobile/payments"] {
                try harness.expect(try await harness.send(.get, path, .bearing(receipt)), is: "unauthorized", 401)
            }
        }
    }

    @Test func `a face confirms a payment, whose amount and payee the page shows`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            let started = try await harness.askScan(payment, ada.bearer)
            let page = try await harness.send(.get, started.landingPath)
            for shown in ["€12.50", "Möbel &amp; Söhne", "Payment with the card ending in 4242"] {
                #expect(page.text.contains(shown), "\(shown)")
            }
            try await harness.grantApproval(started)
            let poll = try await harness.send(.get, started.path("poll"), ada.bearer)
            let token = try #require(try poll.decode(PollLoginResponse.self).approval?.token)
            let answer = try await harness.confirm(payment, approval: token, ada.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
            let receipt = try answer.decode(ConfirmPaymentResponse.self).receipt
            #expect(try Self.part(receipt, 1)["method"] as? String == "face")
        }
    }

    @Test func `a passkey confirms a payment: one of the account's own, which makes sure who is there`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let none = try await harness.approve(
                try await harness.askPayment(ada),
                #"{"method":"passkey"}"#,
                ada.bearer
            )
            try harness.expect(none, is: "passkey_not_found", 404)
            let credential = try await harness.addPasskey(by: ada.bearer)
            let payment = try await harness.askPayment(ada)
            #expect(payment.methods == ["device-key", "passkey", "face"])
            let options = try await harness.passkeyOptions(payment, ada.bearer)
            let read = try #require(try JSONSerialization.jsonObject(with: Data(options.utf8)) as? [String: Any])
            #expect(read["userVerification"] as? String == "required")
            let allowed = try #require(read["allowCredentials"] as? [[String: Any]]).map { $0["id"] as? String }
            #expect(allowed == [credential.idText])
            let signed = try harness.browser.get(options, with: credential)
            let answer = try await harness.confirm(payment, passkey: signed, ada.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
            let receipt = try answer.decode(ConfirmPaymentResponse.self).receipt
            #expect(try Self.part(receipt, 1)["method"] as? String == "passkey")
        }
    }

    @Test func `what the device is to sign is told again, and the answer may come to the same address`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            let told = try await harness.approve(payment, #"{"method":"device-key"}"#, ada.bearer)
            let signing = try told.decode(PaymentChallengeResponse.self)
            #expect(signing.challenge == payment.challenge && signing.textToSign == payment.textToSign)
            try harness.expect(
                try await harness.approve(payment, #"{"method":"pin"}"#, ada.bearer),
                is: "invalid_request",
                400
            )
            let other = try await harness.askPayment(ada)
            let proof = try Harness.signed(payment, by: ada.key)
            let mixed = try await harness.approve(payment, Harness.proving(other, proof), ada.bearer)
            try harness.expect(mixed, is: "invalid_request", 400)
            let answer = try await harness.approve(payment, "{\(proof)}", ada.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try answer.decode(ConfirmPaymentResponse.self).status == .confirmed)
        }
    }

    @Test func `a payment begun while the clock was ahead has at most 300 seconds left`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            harness.time.stepWall(by: .seconds(900))
            let payment = try await harness.askPayment(ada)
            harness.time.stepWall(by: .seconds(-900))
            #expect(try await harness.show(payment, ada.bearer).expiresIn == 300)
        }
    }

    // T-147
    @Test func `a confirmed payment's receipt is shown again to the session that confirmed it, and to no other`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let tablet = try await harness.phone("ada@example.com", Harness.otherPhone)
            let payment = try await harness.askPayment(ada)
            let waiting = try await harness.show(payment, tablet.bearer)
            #expect(waiting.status == .pending && waiting.challenge == payment.challenge)
            #expect(waiting.receipt == nil && waiting.cardToken == nil)
            let confirmed = try await harness.confirmed(payment, ada)
            let again = try await harness.show(payment, ada.bearer)
            #expect(again.status == .confirmed && again.method == "device-key" && again.challenge == nil)
            #expect(again.cardToken == confirmed.cardToken)
            let receipt = try #require(again.receipt)
            #expect(receipt.split(separator: ".")[1] == confirmed.receipt.split(separator: ".")[1], "the same claims")
            let elsewhere = try await harness.show(payment, tablet.bearer)
            #expect(elsewhere.status == .confirmed && elsewhere.receipt == nil && elsewhere.cardToken == nil)
            let listed = try await harness.send(.get, "/api/mobile/payments", ada.bearer)
            #expect(!listed.text.contains(confirmed.cardToken))
            harness.time.advance(by: .seconds(60))
            let later = try await harness.show(payment, ada.bearer)
            #expect(later.cardTokenExpiresIn == 60)
            let redeemed = try await harness.redeem(confirmed.cardToken)
            #expect(redeemed.status == .ok, "\(redeemed.text)")
            let spent = try await harness.show(payment, ada.bearer)
            #expect(spent.cardToken == nil && spent.receipt != nil)
        }
    }

    // T-149
    @Test func `a card token is good for two minutes`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            let token = try await harness.confirmed(payment, ada).cardToken
            harness.time.advance(by: .seconds(120))
            try harness.expect(try await harness.redeem(token), is: "card_token_over", 404)
            let shown = try await harness.show(payment, ada.bearer)
            #expect(shown.cardToken == nil && shown.receipt != nil)
        }
    }

    // T-147
    @Test func `the same key is the same payment, in the header or in the body`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let inBody = Harness.order(more: #","idempotencyKey":"key-1""#)
            let first = try await harness.askPayment(ada, inBody)
            let headers = ada.bearer.adding(.named("Idempotency-Key"), "key-1")
            for (body, headers) in [
                (inBody, ada.bearer), (Harness.order(), headers), (inBody, headers),
                (Harness.order(), ada.bearer.adding(.named("Idempotency-Key"), "\"key-1\"")),
            ] {
                let again = try await harness.post(Harness.initiatePayment, body, headers)
                #expect(again.status == .ok, "\(again.text)")
                #expect(try again.decode(PaymentView.self).challenge == first.challenge)
            }
            let conflicting = ada.bearer.adding(.named("Idempotency-Key"), "key-2")
            let two = try await harness.post(Harness.initiatePayment, inBody, conflicting)
            try harness.expect(two, is: "invalid_request", 400)
            let other = try await harness.post(Harness.initiatePayment, Harness.order("12.51"), headers)
            try harness.expect(other, is: "idempotency_mismatch", 409)
            let bob = try await harness.payer("bob@example.com", Harness.otherPhone)
            let his = try await harness.askPayment(bob, inBody)
            #expect(his.paymentId != first.paymentId, "keys are an account's own")
        }
    }

    @Test func `a payment without a card, or with another account's card, gets 404 card_not_found`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            let none = try await harness.post(Harness.initiatePayment, Harness.order(), bob.bearer)
            try harness.expect(none, is: "card_not_found", 404)
            for card in [ada.card.description, "c1", UUID().uuidString] {
                let order = Harness.order(more: #","cardId":"\#(card)""#)
                try harness.expect(
                    try await harness.post(Harness.initiatePayment, order, bob.bearer),
                    is: "card_not_found",
                    404
                )
            }
            let second = try await harness.giveCard(ada.account, lastFour: "1111")
            let named = try await harness.askPayment(ada, Harness.order(more: #","cardId":"\#(second)""#))
            #expect(named.card.lastFour == "1111")
            let unnamed = try await harness.askPayment(ada)
            #expect(unnamed.card.lastFour == "4242", "the default one")
        }
    }

    // T-137
    @Test(arguments: [
        ("0", "EUR"), ("-1", "EUR"), ("1e3", "EUR"), ("01.00", "EUR"), ("1.005", "EUR"), ("", "EUR"),
        ("1.00", "eur"), ("1.00", "EURO"), ("１.00", "EUR"), ("1,00", "EUR"),
    ])
    func `attack: an amount that is ambiguous or out of form gets 400 invalid_amount`(
        _ amount: String,
        _ currency: String
    )
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let answer = try await harness.post(Harness.initiatePayment, Harness.order(amount, currency), ada.bearer)
            try harness.expect(answer, is: "invalid_amount", 400)
        }
    }

    // T-137
    @Test(arguments: [
        #""merchant":{"name":""}"#, #""merchantName":"A\nB""#, #""merchantName":"\u202EA""#,
        #""merchant":{"name":"A"},"merchantName":"B""#, #""merchant":{"name":"A","id":"a b"}"#, #""other":1"#,
    ])
    func `attack: a missing or misleading payee gets 400 invalid_merchant`(_ merchant: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let body = #"{"amount":"1.00","currency":"EUR",\#(merchant)}"#
            let answer = try await harness.post(Harness.initiatePayment, body, ada.bearer)
            try harness.expect(answer, is: "invalid_merchant", 400)
        }
    }

    @Test func `a payment is cancelled once or twice, and not confirmed afterwards`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            for _ in 1...2 {
                let answer = try await harness.send(
                    .post,
                    "/api/mobile/payment/\(payment.paymentId)/cancel",
                    ada.bearer
                )
                #expect(answer.status == .ok, "\(answer.text)")
                #expect(try answer.decode(CancelPaymentResponse.self) == CancelPaymentResponse())
            }
            let late = try await harness.confirm(payment, ada)
            try harness.expect(late, is: "payment_over", 409)
            #expect(late.text.contains("cancelled"))
            let paid = try await harness.askPayment(ada)
            _ = try await harness.confirmed(paid, ada)
            let cancel = try await harness.send(.post, "/api/mobile/payment/\(paid.paymentId)/cancel", ada.bearer)
            try harness.expect(cancel, is: "payment_over", 409)
            #expect(cancel.text.contains("confirmed"))
        }
    }

    @Test func `payments are listed, the newest first, a page at a time`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            var asked: [String] = []
            for number in 1...3 {
                harness.time.advance(by: .seconds(1))
                asked.append(try await harness.askPayment(ada, Harness.order("\(number).00")).paymentId)
            }
            func page(_ query: String) async throws -> [String] {
                let answer = try await harness.send(.get, "/api/mobile/payments" + query, ada.bearer)
                try #require(answer.status == .ok, "\(answer.text)")
                return try answer.decode(PaymentsResponse.self).payments.map(\.paymentId)
            }
            let all = try await page("")
            #expect(all == asked.reversed())
            let first = try await page("?limit=2")
            #expect(first == [asked[2], asked[1]])
            let second = try await page("?limit=2&before=\(asked[1])")
            #expect(second == [asked[0]])
            for limit in ["0", "51", "x"] {
                let answer = try await harness.send(.get, "/api/mobile/payments?limit=\(limit)", ada.bearer)
                try harness.expect(answer, is: "invalid_limit", 400)
            }
        }
    }

    @Test func `so many payments of an account wait at a time, and no more`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            for _ in 1...10 { _ = try await harness.askPayment(ada) }
            let over = try await harness.post(Harness.initiatePayment, Harness.order(), ada.bearer)
            try harness.expect(over, is: "too_many_open_payments", 429)
            #expect(over.headers[.retryAfter] == "300")
            harness.time.advance(by: .seconds(300))
            _ = try await harness.askPayment(ada)
        }
    }

    static func part(_ token: String, _ number: Int) throws -> [String: Any] {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        let bytes = try #require(Base64URL.decode(String(parts[number])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

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

@testable import HTTPAPI
@testable import Vestibule

/// Payments as apps ask for them, confirm them and carry them out.
struct PaymentTests {
    @Test func `the device's key confirms a payment, whose token is good once`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let begun = try await bench.post(Bench.initiatePayment, Bench.order(), ada.bearer)
            #expect(begun.status == .created)
            #expect(
                Set(try begun.json().keys) == [
                    "paymentId", "status", "amount", "currency", "merchant", "card", "createdAt", "expiresAt",
                    "expiresIn", "challenge", "textToSign", "methods",
                ]
            )
            let payment = try begun.decode(PaymentView.self)
            #expect(payment.status == .pending && payment.amount == "12.50" && payment.currency == "EUR")
            #expect(payment.merchant == PaymentMerchant(name: Bench.shop, id: "shop-1"))
            #expect(payment.card.id == ada.card.description && payment.card.lastFour == "4242")
            #expect(payment.methods == ["device-key", "face"] && payment.expiresIn == 300)
            let lines = try #require(payment.textToSign).split(separator: "\n").map(String.init)
            #expect(
                lines == ["vestibule-payment-v1", payment.paymentId, "12.50 EUR", Bench.shop, payment.challenge ?? ""]
            )
            let answer = try await bench.confirm(payment, ada)
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(
                Set(try answer.json().keys) == ["paymentId", "status", "cardToken", "cardTokenExpiresIn", "receipt"]
            )
            let confirmed = try answer.decode(ConfirmPaymentResponse.self)
            #expect(confirmed.status == .confirmed && confirmed.cardTokenExpiresIn == 120)
            let redeemed = try await bench.redeem(confirmed.cardToken)
            #expect(redeemed.status == .ok, "\(redeemed.text)")
            let card = try redeemed.decode(RedeemCardTokenResponse.self)
            #expect(card.cardReference == "reference of \(ada.card)" && card.amount == "12.50")
            #expect(card.paymentId == payment.paymentId && card.merchant.name == Bench.shop)
            try bench.expect(try await bench.redeem(confirmed.cardToken), is: "card_token_over", 404)
        }
    }

    @Test func `the receipt states the payment, and is of a type of its own`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            let receipt = try await bench.confirmed(payment, ada).receipt
            let (header, claims) = (try Self.part(receipt, 0), try Self.part(receipt, 1))
            #expect(header["typ"] as? String == "vestibule-receipt+jwt")
            #expect(claims["type"] as? String == "receipt" && claims["jti"] as? String == payment.paymentId)
            #expect(claims["sub"] as? String == ada.account.description && claims["aud"] as? String == "mwsim")
            #expect(claims["client_id"] as? String == "mwsim" && claims["payee"] as? String == Bench.shop)
            #expect(claims["amount"] as? [String: String] == ["value": "12.50", "currency": "EUR"])
            #expect(claims["card"] as? [String: String] == ["last_four": "4242", "card_type": "VISA"])
            #expect(claims["method"] as? String == "device-key" && claims["merchant_id"] as? String == "shop-1")
            #expect(claims["payment_hash"] as? String == payment.challenge && claims["exp"] == nil)
            for path in ["/auth/operations", "/api/mobile/payments"] {
                try bench.expect(try await bench.send(.get, path, .bearing(receipt)), is: "unauthorized", 401)
            }
        }
    }

    @Test func `a face confirms a payment, whose amount and payee the page shows`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            let started = try await bench.askScan(payment, ada.bearer)
            let page = try await bench.send(.get, started.landingPath)
            for shown in ["12.50", "EUR", "Möbel &amp; Söhne", "Payment with the card ending in 4242"] {
                #expect(page.text.contains(shown), "\(shown)")
            }
            try await bench.grantApproval(started)
            let poll = try await bench.send(.get, started.path("poll"), ada.bearer)
            let token = try #require(try poll.decode(PollLoginResponse.self).approval?.token)
            let answer = try await bench.confirm(payment, approval: token, ada.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
            let receipt = try answer.decode(ConfirmPaymentResponse.self).receipt
            #expect(try Self.part(receipt, 1)["method"] as? String == "face")
        }
    }

    @Test func `a passkey confirms a payment: one of the account's own, which makes sure who is there`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let none = try await bench.approve(try await bench.askPayment(ada), #"{"method":"passkey"}"#, ada.bearer)
            try bench.expect(none, is: "passkey_not_found", 404)
            let credential = try await bench.addPasskey(by: ada.bearer)
            let payment = try await bench.askPayment(ada)
            #expect(payment.methods == ["device-key", "passkey", "face"])
            let options = try await bench.passkeyOptions(payment, ada.bearer)
            let read = try #require(try JSONSerialization.jsonObject(with: Data(options.utf8)) as? [String: Any])
            #expect(read["userVerification"] as? String == "required")
            let allowed = try #require(read["allowCredentials"] as? [[String: Any]]).map { $0["id"] as? String }
            #expect(allowed == [credential.idText])
            let signed = try bench.browser.get(options, with: credential)
            let answer = try await bench.confirm(payment, passkey: signed, ada.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
            let receipt = try answer.decode(ConfirmPaymentResponse.self).receipt
            #expect(try Self.part(receipt, 1)["method"] as? String == "passkey")
        }
    }

    @Test func `what the device is to sign is told again, and the answer may come to the same address`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            let told = try await bench.approve(payment, #"{"method":"device-key"}"#, ada.bearer)
            let signing = try told.decode(PaymentChallengeResponse.self)
            #expect(signing.challenge == payment.challenge && signing.textToSign == payment.textToSign)
            try bench.expect(
                try await bench.approve(payment, #"{"method":"pin"}"#, ada.bearer),
                is: "invalid_request",
                400
            )
            let other = try await bench.askPayment(ada)
            let proof = try Bench.signed(payment, by: ada.key)
            let mixed = try await bench.approve(payment, Bench.proving(other, proof), ada.bearer)
            try bench.expect(mixed, is: "invalid_request", 400)
            let answer = try await bench.approve(payment, "{\(proof)}", ada.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try answer.decode(ConfirmPaymentResponse.self).status == .confirmed)
        }
    }

    @Test func `of a payment that began while the clock was ahead no more is told to be left than its whole life`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            bench.time.stepWall(by: .seconds(900))
            let payment = try await bench.askPayment(ada)
            bench.time.stepWall(by: .seconds(-900))
            #expect(try await bench.show(payment, ada.bearer).expiresIn == 300)
        }
    }

    @Test func `an answer that was lost is found again, by the session that has confirmed and by no other`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let tablet = try await bench.phone("ada@example.com", Bench.otherPhone)
            let payment = try await bench.askPayment(ada)
            let waiting = try await bench.show(payment, tablet.bearer)
            #expect(waiting.status == .pending && waiting.challenge == payment.challenge)
            #expect(waiting.receipt == nil && waiting.cardToken == nil)
            let confirmed = try await bench.confirmed(payment, ada)
            let again = try await bench.show(payment, ada.bearer)
            #expect(again.status == .confirmed && again.method == "device-key" && again.challenge == nil)
            #expect(again.cardToken == confirmed.cardToken)
            let receipt = try #require(again.receipt)
            #expect(receipt.split(separator: ".")[1] == confirmed.receipt.split(separator: ".")[1], "the same claims")
            let elsewhere = try await bench.show(payment, tablet.bearer)
            #expect(elsewhere.status == .confirmed && elsewhere.receipt == nil && elsewhere.cardToken == nil)
            let listed = try await bench.send(.get, "/api/mobile/payments", ada.bearer)
            #expect(!listed.text.contains(confirmed.cardToken))
            bench.time.advance(by: .seconds(60))
            let later = try await bench.show(payment, ada.bearer)
            #expect(later.cardTokenExpiresIn == 60)
            let redeemed = try await bench.redeem(confirmed.cardToken)
            #expect(redeemed.status == .ok, "\(redeemed.text)")
            let spent = try await bench.show(payment, ada.bearer)
            #expect(spent.cardToken == nil && spent.receipt != nil)
        }
    }

    @Test func `a card token is good for two minutes`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            let token = try await bench.confirmed(payment, ada).cardToken
            bench.time.advance(by: .seconds(120))
            try bench.expect(try await bench.redeem(token), is: "card_token_over", 404)
            let shown = try await bench.show(payment, ada.bearer)
            #expect(shown.cardToken == nil && shown.receipt != nil)
        }
    }

    @Test func `the same key is the same payment, in the header or in the body`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let inBody = Bench.order(more: #","idempotencyKey":"key-1""#)
            let first = try await bench.askPayment(ada, inBody)
            let headers = ada.bearer.adding(.named("Idempotency-Key"), "key-1")
            for (body, headers) in [
                (inBody, ada.bearer), (Bench.order(), headers), (inBody, headers),
                (Bench.order(), ada.bearer.adding(.named("Idempotency-Key"), "\"key-1\"")),
            ] {
                let again = try await bench.post(Bench.initiatePayment, body, headers)
                #expect(again.status == .ok, "\(again.text)")
                #expect(try again.decode(PaymentView.self).challenge == first.challenge)
            }
            let conflicting = ada.bearer.adding(.named("Idempotency-Key"), "key-2")
            let two = try await bench.post(Bench.initiatePayment, inBody, conflicting)
            try bench.expect(two, is: "invalid_request", 400)
            let other = try await bench.post(Bench.initiatePayment, Bench.order("12.51"), headers)
            try bench.expect(other, is: "idempotency_mismatch", 409)
            let bob = try await bench.payer("bob@example.com", Bench.otherPhone)
            let his = try await bench.askPayment(bob, inBody)
            #expect(his.paymentId != first.paymentId, "keys are an account's own")
        }
    }

    @Test func `without a card there is no payment, and nobody pays with another's`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let bob = try await bench.phone("bob@example.com", Bench.otherPhone)
            let none = try await bench.post(Bench.initiatePayment, Bench.order(), bob.bearer)
            try bench.expect(none, is: "card_not_found", 404)
            for card in [ada.card.description, "c1", UUID().uuidString] {
                let order = Bench.order(more: #","cardId":"\#(card)""#)
                try bench.expect(
                    try await bench.post(Bench.initiatePayment, order, bob.bearer),
                    is: "card_not_found",
                    404
                )
            }
            let second = try await bench.giveCard(ada.account, lastFour: "1111")
            let named = try await bench.askPayment(ada, Bench.order(more: #","cardId":"\#(second)""#))
            #expect(named.card.lastFour == "1111")
            let unnamed = try await bench.askPayment(ada)
            #expect(unnamed.card.lastFour == "4242", "the default one")
        }
    }

    @Test(arguments: [
        ("0", "EUR"), ("-1", "EUR"), ("1e3", "EUR"), ("01.00", "EUR"), ("1.005", "EUR"), ("", "EUR"),
        ("1.00", "eur"), ("1.00", "EURO"), ("１.00", "EUR"), ("1,00", "EUR"),
    ])
    func `attack: a sum that can be read in two ways, or is none, is refused`(
        _ amount: String,
        _ currency: String
    )
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let answer = try await bench.post(Bench.initiatePayment, Bench.order(amount, currency), ada.bearer)
            try bench.expect(answer, is: "invalid_amount", 400)
        }
    }

    @Test(arguments: [
        #""merchant":{"name":""}"#, #""merchantName":"A\nB""#, #""merchantName":"\u202EA""#,
        #""merchant":{"name":"A"},"merchantName":"B""#, #""merchant":{"name":"A","id":"a b"}"#, #""other":1"#,
    ])
    func `attack: a payee that could look like another, or is none, is refused`(_ merchant: String) async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let body = #"{"amount":"1.00","currency":"EUR",\#(merchant)}"#
            let answer = try await bench.post(Bench.initiatePayment, body, ada.bearer)
            try bench.expect(answer, is: "invalid_merchant", 400)
        }
    }

    @Test func `a payment is given up once or again, and then nobody confirms it`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            for _ in 1...2 {
                let answer = try await bench.send(
                    .post,
                    "/api/mobile/payment/\(payment.paymentId)/cancel",
                    ada.bearer
                )
                #expect(answer.status == .ok, "\(answer.text)")
                #expect(try answer.decode(CancelPaymentResponse.self) == CancelPaymentResponse())
            }
            let late = try await bench.confirm(payment, ada)
            try bench.expect(late, is: "payment_over", 409)
            #expect(late.text.contains("cancelled"))
            let paid = try await bench.askPayment(ada)
            _ = try await bench.confirmed(paid, ada)
            let cancel = try await bench.send(.post, "/api/mobile/payment/\(paid.paymentId)/cancel", ada.bearer)
            try bench.expect(cancel, is: "payment_over", 409)
            #expect(cancel.text.contains("confirmed"))
        }
    }

    @Test func `payments are listed, the newest first, a page at a time`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            var asked: [String] = []
            for number in 1...3 {
                bench.time.advance(by: .seconds(1))
                asked.append(try await bench.askPayment(ada, Bench.order("\(number).00")).paymentId)
            }
            func page(_ query: String) async throws -> [String] {
                let answer = try await bench.send(.get, "/api/mobile/payments" + query, ada.bearer)
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
                let answer = try await bench.send(.get, "/api/mobile/payments?limit=\(limit)", ada.bearer)
                try bench.expect(answer, is: "invalid_limit", 400)
            }
        }
    }

    @Test func `so many payments of an account wait at a time, and no more`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            for _ in 1...10 { _ = try await bench.askPayment(ada) }
            let over = try await bench.post(Bench.initiatePayment, Bench.order(), ada.bearer)
            try bench.expect(over, is: "too_many_open_payments", 429)
            #expect(over.headers[.retryAfter] == "300")
            bench.time.advance(by: .seconds(300))
            _ = try await bench.askPayment(ada)
        }
    }

    static func part(_ token: String, _ number: Int) throws -> [String: Any] {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        let bytes = try #require(Base64URL.decode(String(parts[number])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

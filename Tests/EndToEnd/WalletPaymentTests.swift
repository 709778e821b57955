import Foundation
import Kernel
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// Payments with the real programs: who confirms what, once.
    @Suite struct WalletPayments {
        private struct Refusal: Decodable {
            let code: String
        }

        private struct Redeemed: Decodable {
            let paymentId, amount, currency, cardReference, lastFour: String
        }

        private static let ada = "accept@example.com"
        private static let eve = "accept+eve@example.com"

        /// A phone with cards in its wallet.
        private static func phone(of email: String = ada, _ scene: WalletScene) async throws -> Phone {
            let phone = try await Phone(of: email, scene)
            try await phone.enrol()
            return phone
        }

        private static func redeem(_ token: String, _ scene: WalletScene) async throws -> WebClient.Reply {
            let url = scene.fixture.daemon.url + "/api/merchant/payment/redeem"
            return try await scene.fixture.web.send(.post, url, json: #"{"cardToken":"\#(token)"}"#)
        }

        @Test
        func `a payment is confirmed by the phone's key, carried out once, and listed, across kills at every step`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Self.phone(scene)
                let daemon = scene.fixture.daemon
                let begun = try await phone.initiate()
                #expect(begun.status == "pending" && begun.amount == "12.50" && begun.currency == "EUR")
                // RTS (EU) 2018/389 Art. 5(1)(a): who signs sees amount and payee.
                let text = try #require(begun.textToSign)
                #expect(text.hasPrefix("vestibule-payment-v1\n"))
                #expect(text.contains("\n12.50 EUR\n") && text.contains("\nExample Books\n"))
                // SIGKILL.
                try await daemon.restart()
                let body = try phone.confirmation(of: begun)
                let reply = try await phone.confirm(body)
                #expect(reply.status == 200, "\(reply)")
                let confirmed = try reply.json(Phone.Payment.self)
                let token = try #require(confirmed.cardToken)
                #expect(try Self.claims(try #require(confirmed.receipt)).method == "device-key")

                try await daemon.restart()
                let late = try await phone.confirm(body)
                #expect(late.status == 409)
                #expect(try late.json(Refusal.self).code == "payment_over")
                // A lost answer does not lose the payment.
                let shown = try await phone.payment(begun.paymentId)
                #expect(shown.status == "confirmed" && shown.cardToken == token)
                let redeemed = try await Self.redeem(token, scene)
                #expect(redeemed.status == 200, "\(redeemed)")
                let card = try redeemed.json(Redeemed.self)
                #expect(card.paymentId == begun.paymentId && card.amount == "12.50")
                #expect(card.cardReference.hasPrefix("card-alice-"))

                try await daemon.restart()
                #expect(try await Self.redeem(token, scene).status == 404, "spent is spent")
                #expect(try await phone.payment(begun.paymentId).cardToken == nil)
                let all = try await phone.payments()
                #expect(all.map(\.paymentId) == [begun.paymentId])
            }
        }

        private struct ReceiptClaims: Decodable {
            let iss, sub, jti, type, method, payee: String
            let amount: ApprovalAmount
        }

        private static func claims(_ token: String) throws -> ReceiptClaims {
            let parts = token.split(separator: ".").map(String.init)
            try #require(parts.count == 3)
            let header = try #require(Base64URL.decode(parts[0]))
            #expect(String(decoding: header, as: UTF8.self).contains(#""typ":"vestibule-receipt+jwt""#))
            let body = try #require(Base64URL.decode(parts[1]))
            return try JSONDecoder().decode(ReceiptClaims.self, from: Data(body))
        }

        // T-142
        @Test func `attack: of eight concurrent confirmations one succeeds, and of eight concurrent redemptions one`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Self.phone(scene)
                let payment = try await phone.initiate()
                let body = try phone.confirmation(of: payment)
                let replies = try await withThrowingTaskGroup(of: WebClient.Reply.self) { group in
                    for _ in 0..<8 { group.addTask { try await phone.confirm(body) } }
                    return try await group.reduce(into: [WebClient.Reply]()) { $0.append($1) }
                }
                let won = replies.filter { $0.status == 200 }
                #expect(won.count == 1, "\(replies)")
                #expect(replies.filter { $0.status == 409 }.count == 7, "\(replies)")
                let token = try #require(try won.first?.json(Phone.Payment.self).cardToken)
                let spent = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 { group.addTask { try await Self.redeem(token, scene).status } }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(spent.sorted() == [200] + Array(repeating: 404, count: 7))
            }
        }

        // T-140
        @Test func `attack: a signature over another amount or payee does not confirm the payment`() async throws {
            try await WalletScene.run { scene in
                let phone = try await Self.phone(scene)
                let payment = try await phone.initiate()
                let text = try #require(payment.textToSign)
                let challenge = try #require(payment.challenge)
                // RTS (EU) 2018/389 Art. 5(1)(d): any change of amount or payee voids the code.
                let changes = [
                    text.replacing("12.50 EUR", with: "1.00 EUR"), text.replacing("Books", with: "Bookz"), challenge,
                ]
                for change in changes {
                    let forged = try phone.confirmation(of: payment, signing: change, challenge)
                    #expect(try await phone.confirm(forged).status == 403, "\(change)")
                }
                // A signature of another payment's.
                let cheap = try await phone.initiate("0.50")
                let foreign = try phone.confirmation(of: payment, signing: try #require(cheap.textToSign), challenge)
                let refused = try await phone.confirm(foreign)
                // Never 401, which the published app answers with a refresh and the same proof again.
                #expect(refused.status == 403)
                #expect(try refused.json(Refusal.self).code == "payment_proof_refused")
                // An app that showed something else says so, and is told.
                let members = [#","amount":"13.50""#, #","currency":"USD""#, #","merchantName":"Example Bookz""#]
                for member in members {
                    let echoed = try await phone.confirm(try phone.confirmation(of: payment, member))
                    #expect(echoed.status == 409, "\(member)")
                    #expect(try echoed.json(Refusal.self).code == "payment_changed", "\(member)")
                }
                #expect(try await phone.payment(payment.paymentId).status == "pending")
                let same = try phone.confirmation(of: payment, #","amount":"12.50","merchantName":"Example Books""#)
                #expect(try await phone.confirm(same).status == 200)
            }
        }

        // T-146
        @Test func `attack: a payment is confirmed after four wrong signatures and refused after the fifth`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Self.phone(scene)
                let payment = try await phone.initiate()
                let challenge = try #require(payment.challenge)
                let wrong = try phone.confirmation(of: payment, signing: "something else", challenge)
                for _ in 0..<4 {
                    let status = try await phone.confirm(wrong).status
                    #expect(status != 200)
                }
                #expect(try await phone.payment(payment.paymentId).status == "pending")
                // RTS (EU) 2018/389 Art. 4(3)(b): five at the most.
                #expect(try await phone.confirm(wrong).status != 200)
                #expect(try await phone.payment(payment.paymentId).status == "cancelled")
                #expect(try await phone.confirm(try phone.confirmation(of: payment)).status == 409)
            }
        }

        @Test func `a payment that was not confirmed in time is over, and so is one that was cancelled`() async throws {
            try await WalletScene.run(["wallet.payments.lifetime=30s"]) { scene in
                let phone = try await Self.phone(scene)
                let cancelled = try await phone.initiate("1.00")
                let path = "mobile/payment/\(cancelled.paymentId)/cancel"
                #expect(try await phone.send(.post, path).status == 200)
                #expect(try await phone.send(.post, path).status == 200, "once or again")
                #expect(try await phone.confirm(try phone.confirmation(of: cancelled)).status == 409)

                let payment = try await phone.initiate()
                let body = try phone.confirmation(of: payment)
                try await eventually("the end of the payment", within: .seconds(60), every: .milliseconds(250)) {
                    try await phone.payment(payment.paymentId).status == "expired"
                }
                let late = try await phone.confirm(body)
                #expect(late.status == 409)
                #expect(try late.json(Refusal.self).code == "payment_over")
                #expect(try await phone.send(.post, "mobile/payment/\(payment.paymentId)/cancel").status == 409)
            }
        }

        // T-145
        @Test func `attack: a payment is refused to another phone's key and not found by another person`() async throws
        {
            try await WalletScene.run(people: [Self.ada, Self.eve]) { scene in
                let phone = try await Self.phone(scene)
                let second = try await Phone(of: Self.ada, scene)
                let outsider = try await Self.phone(of: Self.eve, scene)
                let payment = try await phone.initiate()
                // The second phone's signature in the first one's session, and the first one's in the second's.
                let foreign = try await phone.confirm(try second.confirmation(of: payment))
                #expect(foreign.status == 403, "\(foreign)")
                let carried = try await second.confirm(try phone.confirmation(of: payment))
                #expect(carried.status == 403, "\(carried)")
                let named = try phone.confirmation(of: payment, #","deviceId":"\#(phone.device)""#)
                #expect(try await second.confirm(named).status == 403, "a device of another session")

                let own = try outsider.confirmation(of: payment)
                let lost = try await outsider.confirm(own)
                #expect(lost.status == 404)
                #expect(try lost.json(Refusal.self).code == "payment_not_found")
                let path = "mobile/payment/\(payment.paymentId)"
                #expect(try await outsider.send(.get, path).status == 404)
                #expect(try await outsider.send(.post, path + "/cancel").status == 404)
                #expect(try await outsider.send(.post, path + "/approve", #"{"method":"face"}"#).status == 404)
                let card = try #require(try await phone.cards().first).id
                let order = #"{"cardId":"\#(card)","amount":"1.00","currency":"EUR","merchantName":"Example Books"}"#
                #expect(try await outsider.send(.post, "merchant/payment/initiate", order).status == 404)

                #expect(try await phone.payment(payment.paymentId).status == "pending")
                #expect(try await phone.confirm(try phone.confirmation(of: payment)).status == 200)
            }
        }

        // T-145
        @Test func `attack: a revoked phone confirms no payment, and its card token is refused`() async throws {
            struct Row: Decodable { let id, deviceId: String }
            try await WalletScene.run { scene in
                let phone = try await Self.phone(scene)
                let other = try await Phone(of: Self.ada, scene)
                let paid = try await phone.initiate("3.00")
                let confirmed = try await phone.confirm(try phone.confirmation(of: paid)).json(Phone.Payment.self)
                let waiting = try await phone.initiate("4.00")
                let rows = try await scene.fixture.daemon.order(["devices", "list", Self.ada, "--json"]).json(
                    [Row].self
                )
                let row = try #require(rows.first { $0.deviceId == phone.device })
                try await scene.fixture.daemon.order(["devices", "revoke", row.id])
                #expect(try await phone.confirm(try phone.confirmation(of: waiting)).status == 401)
                #expect(try await other.payment(waiting.paymentId).status == "pending")
                // The session that confirmed is over: what nobody has carried out yet is stopped.
                #expect(try await Self.redeem(try #require(confirmed.cardToken), scene).status == 404)
            }
        }

        // T-145
        @Test
        func `attack: a disabled account confirms no payment and redeems no token, also after it is enabled again`()
            async throws
        {
            try await WalletScene.run { scene in
                var phone = try await Self.phone(scene)
                let paid = try await phone.initiate("3.00")
                let confirmed = try await phone.confirm(try phone.confirmation(of: paid)).json(Phone.Payment.self)
                let token = try #require(confirmed.cardToken)
                let waiting = try await phone.initiate("4.00")
                let body = try phone.confirmation(of: waiting)
                try await scene.fixture.daemon.order(["accounts", "disable", Self.ada])
                #expect(try await phone.confirm(body).status == 401)
                #expect(try await Self.redeem(token, scene).status == 404)
                #expect(try await phone.send(.get, "mobile/wallet/summary").status == 401)
                try await scene.fixture.daemon.order(["accounts", "enable", Self.ada])
                #expect(try await phone.confirm(body).status == 401, "the session is over for good")
                #expect(try await Self.redeem(token, scene).status == 404)
                try await phone.signIn()
                #expect(try await phone.payment(waiting.paymentId).status == "pending")
            }
        }

        // T-141
        @Test func `attack: a sign-in signature confirms no payment, and a payment's signature signs nobody in`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Self.phone(scene)
                let payment = try await phone.initiate()
                let asked = try await phone.send(
                    .post,
                    "mobile/auth/biometric/challenge",
                    #"{"deviceId":"\#(phone.device)"}"#
                )
                let challenge = try asked.json(BiometricChallengeResponse.self).challenge
                let borrowed = try phone.confirmation(of: payment, signing: challenge, challenge)
                #expect(try await phone.confirm(borrowed).status == 403)
                let text = try #require(payment.textToSign)
                let proof = try phone.signature(of: text)
                let hash = try #require(payment.challenge)
                for name in [hash, challenge] {
                    let body = #"{"deviceId":"\#(phone.device)","signature":"\#(proof)","challenge":"\#(name)"}"#
                    #expect(try await phone.send(.post, "mobile/auth/biometric/verify", body).status == 401)
                }
                #expect(try await phone.payment(payment.paymentId).status == "pending")
            }
        }

        // T-147
        @Test func `the same key makes one payment, however often an app asks`() async throws {
            try await WalletScene.run { scene in
                let phone = try await Self.phone(scene)
                let order = { (amount: String) in
                    #"{"amount":"\#(amount)","currency":"EUR","merchantName":"Example Books","idempotencyKey":"k-1"}"#
                }
                let replies = try await withThrowingTaskGroup(of: WebClient.Reply.self) { group in
                    for _ in 0..<8 {
                        group.addTask { [body = order("5.00")] in
                            try await phone.send(.post, "merchant/payment/initiate", body)
                        }
                    }
                    return try await group.reduce(into: [WebClient.Reply]()) { $0.append($1) }
                }
                #expect(replies.map(\.status).sorted() == Array(repeating: 200, count: 7) + [201])
                let ids = try replies.map { try $0.json(Phone.Payment.self).paymentId }
                #expect(Set(ids).count == 1)
                let other = try await phone.send(.post, "merchant/payment/initiate", order("6.00"))
                #expect(other.status == 409)
                #expect(try other.json(Refusal.self).code == "idempotency_mismatch")
                #expect(try await phone.payments().count == 1)
            }
        }
    }
}

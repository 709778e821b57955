import Accounts
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import SignIn
import SoftwareAuthenticator
import Testing
import Wallet
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What must not confirm a payment, and what must not come of one.
struct PaymentAttackTests {
    // A device's key signs for a purpose (RTS (EU) 2018/389 Art. 5: what confirms is specific to amount and payee).
    @Test
    func
        `attack: what the key signed for a sign-in confirms nothing, and what it signed for a payment signs nobody in`()
        async throws
    {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            let login = try await harness.challenge()
            let (ofLogin, ofPayment) = (try ada.key.signed(login), try ada.key.signed(try #require(payment.textToSign)))
            let own = try #require(payment.challenge)
            for proof in [
                #""signature":"\#(ofLogin)","challenge":"\#(own)""#,
                #""signature":"\#(ofLogin)","challenge":"\#(login)""#,
                // The payment's hash alone, as the key signs a sign-in's challenge.
                #""signature":"\#(try ada.key.signed(own))","challenge":"\#(own)""#,
                #""signature":"\#(ofPayment)","challenge":"\#(login)""#,
            ] {
                let answer = try await harness.post(Harness.confirmPayment, Harness.proving(payment, proof), ada.bearer)
                try harness.expect(answer, is: "payment_proof_refused", 403)
            }
            for challenge in [login, own, String(try #require(payment.textToSign).prefix(20))] {
                let escaped = challenge.replacing("\n", with: "\\n")
                try harness.expect(try await harness.verify(escaped, ofPayment), is: "unauthorized", 401)
            }
            let good = try await harness.verify(login, ofLogin)
            #expect(good.status == .ok, "it is for a sign-in: \(good.text)")
            _ = try await harness.confirmed(payment, ada)
        }
    }

    // T-140, T-142
    @Test func `attack: a payment is not confirmed by a signature over another, by another key or on another device`()
        async throws
    {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let ada = try await harness.payer()
            let tablet = try await harness.payer("ada@example.com", Harness.otherPhone)
            let (payment, other) = (try await harness.askPayment(ada), try await harness.askPayment(ada))
            let (own, foreign) = (try Harness.signed(payment, by: ada.key), try Harness.signed(payment, by: tablet.key))
            let wrong = [try Harness.signed(other, by: ada.key), foreign]
            for proof in wrong {
                let answer = try await harness.post(Harness.confirmPayment, Harness.proving(payment, proof), ada.bearer)
                try harness.expect(answer, is: "payment_proof_refused", 403)
            }
            // The phone's key, in the session that is on the tablet.
            let elsewhere = try await harness.post(Harness.confirmPayment, Harness.proving(payment, own), tablet.bearer)
            try harness.expect(elsewhere, is: "payment_proof_refused", 403)
            let named = Harness.proving(payment, foreign, more: #","deviceId":"\#(Harness.otherPhone)""#)
            let answer = try await harness.post(Harness.confirmPayment, named, ada.bearer)
            try harness.expect(answer, is: "wrong_device", 403)
            let right = try await harness.confirm(payment, ada, more: #","deviceId":"\#(Harness.phone.lowercased())""#)
            #expect(right.status == .ok, "\(right.text)")
        }
    }

    // T-143
    @Test func `attack: a session without a device, or whose device has no key, can't confirm by signature`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            let signature = try Harness.signed(payment, by: ada.key)
            let keyless = try await harness.phone("ada@example.com", Harness.otherPhone)
            let body = Harness.proving(payment, signature)
            let answer = try await harness.post(Harness.confirmPayment, body, keyless.bearer)
            try harness.expect(answer, is: "biometric_not_enabled", 400)
            let asked = try await harness.approve(payment, #"{"method":"device-key"}"#, keyless.bearer)
            try harness.expect(asked, is: "biometric_not_enabled", 400)
            let nowhere = try await harness.signInOnNoDevice(ada.account)
            try harness.expect(try await harness.post(Harness.confirmPayment, body, nowhere), is: "wrong_device", 403)
        }
    }

    // T-145
    @Test func `attack: a payment is confirmed by no revoked device, no disabled account and not after five minutes`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let tablet = try await harness.phone("ada@example.com", Harness.otherPhone)
            let late = try await harness.askPayment(ada)
            harness.time.advance(by: .seconds(300))
            let expired = try await harness.confirm(late, ada)
            try harness.expect(expired, is: "payment_over", 409)
            #expect(expired.text.contains("expired"))
            let payment = try await harness.askPayment(ada)
            let path = "/api/mobile/devices/\(ada.phone.device)"
            #expect(try await harness.send(.delete, path, tablet.bearer).status == .ok)
            try harness.expect(try await harness.confirm(payment, ada), is: "unauthorized", 401)
            let bob = try await harness.payer("bob@example.com", "2b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a13")
            let his = try await harness.askPayment(bob)
            _ = try await harness.composition.accounts.disable("bob@example.com")
            try harness.expect(try await harness.confirm(his, bob), is: "unauthorized", 401)
            let waiting = try await harness.show(payment, tablet.bearer)
            #expect(waiting.status == .pending, "nobody has confirmed it")
        }
    }

    // T-140
    @Test(arguments: [
        #","amount":"12.51""#, #","amount":"12.5""#, #","currency":"USD""#, #","merchantName":"Mobel & Sohne""#,
        // The same letters for a reader, in other bytes (Unicode NFD).
        #","merchantName":"Mo\u0308bel & So\u0308hne""#,
    ])
    func `attack: a confirmation that names another amount, currency or payee gets 409 payment_changed`(
        _ shown: String
    ) async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            try harness.expect(try await harness.confirm(payment, ada, more: shown), is: "payment_changed", 409)
            let same = #","amount":"12.50","currency":"EUR","merchantName":"\#(Harness.shop)""#
            let right = try await harness.confirm(payment, ada, more: same)
            #expect(right.status == .ok, "\(right.text)")
        }
    }

    // T-142, T-149
    @Test func `attack: of eight concurrent confirmations one succeeds, and of eight concurrent redemptions one`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            let confirmations = try await Self.eightfold { try await harness.confirm(payment, ada) }
            let won = confirmations.filter { $0.status == .ok }
            #expect(won.count == 1)
            for other in confirmations where other.status != .ok {
                try harness.expect(other, is: "payment_over", 409)
                #expect(other.text.contains("confirmed"))
            }
            let token = try #require(won.first).decode(ConfirmPaymentResponse.self).cardToken
            let redemptions = try await Self.eightfold { try await harness.redeem(token) }
            let paid = redemptions.filter { $0.status == .ok }
            #expect(paid.count == 1)
            for other in redemptions where other.status != .ok { try harness.expect(other, is: "card_token_over", 404) }
            let noted = try await harness.audited(WalletAuditEvent.paymentConfirmed.rawValue)
            #expect(noted.count == 1)
        }
    }

    // T-150
    @Test func `attack: another account's payment answers 404 to every request`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let bob = try await harness.payer("bob@example.com", Harness.otherPhone)
            let payment = try await harness.askPayment(ada)
            let path = "/api/mobile/payment/\(payment.paymentId)"
            for answer in [
                try await harness.send(.get, path, bob.bearer),
                try await harness.send(.post, path + "/cancel", bob.bearer),
                try await harness.approve(payment, #"{"method":"face"}"#, bob.bearer),
                try await harness.approve(payment, #"{"method":"passkey"}"#, bob.bearer),
                try await harness.approve(payment, #"{"method":"device-key"}"#, bob.bearer),
                try await harness.confirm(payment, bob),
                try await harness.send(.get, "/api/mobile/payment/x", ada.bearer),
            ] { try harness.expect(answer, is: "payment_not_found", 404) }
            let listed = try await harness.send(.get, "/api/mobile/payments", bob.bearer)
            #expect(!listed.text.contains(payment.paymentId))
            _ = try await harness.confirmed(payment, ada)
        }
    }

    // T-146
    @Test func `attack: wrong payment signatures count with those of sign-ins, are audited, and end the payment`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let (payment, next) = (try await harness.askPayment(ada), try await harness.askPayment(ada))
            let wrong = try Harness.signed(payment, by: P256.Signing.PrivateKey())
            for _ in 1...5 {
                let answer = try await harness.post(Harness.confirmPayment, Harness.proving(payment, wrong), ada.bearer)
                try harness.expect(answer, is: "payment_proof_refused", 403)
            }
            let noted = try await harness.audited(WalletAuditEvent.paymentRefused.rawValue)
            #expect(noted.count == 5)
            let over = try await harness.confirm(payment, ada)
            try harness.expect(over, is: "payment_over", 409)
            let sixth = try Harness.signed(next, by: P256.Signing.PrivateKey())
            let last = try await harness.post(Harness.confirmPayment, Harness.proving(next, sixth), ada.bearer)
            try harness.expect(last, is: "rate_limited", 429)
            try harness.expect(try await harness.confirm(next, ada), is: "rate_limited", 429)
            let login = try await harness.challenge()
            let signIn = try await harness.verify(login, ada.key.signed(login))
            try harness.expect(signIn, is: "rate_limited", 429)
            harness.time.advance(by: .seconds(61))
            _ = try await harness.confirmed(next, ada)
        }
    }

    // RFC 8259 §4: readers differ about which of two counts, so a gateway may have looked at the other sum.
    @Test func `attack: a payment request with a repeated member gets 400 malformed_json`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let merchant = #","merchant":{"name":"Eve","id":"eve"}"#
            for more in [#","amount":"999.00""#, #","am\u006funt":"12.50""#, merchant] {
                let answer = try await harness.post(Harness.initiatePayment, Harness.order(more: more), ada.bearer)
                try harness.expect(answer, is: "malformed_json", 400)
            }
            let unknown = Harness.order(more: #","note":{"amount":"999.00"}"#)
            #expect(try await harness.askPayment(ada, unknown).amount == "12.50")
        }
    }

    // T-143
    @Test func `attack: a placeholder signature, two proofs or none get 400 and leave the payment pending`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let payment = try await harness.askPayment(ada)
            let challenge = try #require(payment.challenge)
            let fake = #""signature":"signed_\#(challenge)_1700000000000","challenge":"\#(challenge)""#
            let placeholder = try await harness.post(Harness.confirmPayment, Harness.proving(payment, fake), ada.bearer)
            try harness.expect(placeholder, is: "placeholder_signature", 400)
            let own = try Harness.signed(payment, by: ada.key)
            for proof in [own + #","approvalToken":"x""#, #""passkey":{},"approvalToken":"x""#, #""other":1"#] {
                let answer = try await harness.post(Harness.confirmPayment, Harness.proving(payment, proof), ada.bearer)
                try harness.expect(answer, is: "invalid_request", 400)
            }
            // A member that is there twice says nothing (RFC 8259 §4).
            let twice = own + #","amount":"12.50","amount":"99.00""#
            let answer = try await harness.post(Harness.confirmPayment, Harness.proving(payment, twice), ada.bearer)
            try harness.expect(answer, is: "malformed_json", 400)
            let waiting = try await harness.show(payment, ada.bearer)
            #expect(waiting.status == .pending)
        }
    }

    // T-149
    @Test func `attack: a card token is refused once its session has ended, and after twenty refusals all get 429`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let token = try await harness.confirmed(try await harness.askPayment(ada), ada).cardToken
            #expect(try await harness.send(.post, "/api/mobile/auth/logout", ada.bearer).status == .ok)
            try harness.expect(try await harness.redeem(token), is: "card_token_over", 404)
            for number in 1...19 {
                let guess = "vct_" + String(repeating: "A", count: 41) + String(10 + number)
                try harness.expect(try await harness.redeem(guess), is: "card_token_over", 404)
            }
            try harness.expect(try await harness.redeem("vct_"), is: "rate_limited", 429)
            try harness.expect(try await harness.redeem(token), is: "rate_limited", 429)
            harness.time.advance(by: .seconds(61))
            try harness.expect(try await harness.redeem("vct_"), is: "card_token_over", 404)
        }
    }

    static func eightfold(_ work: @escaping @Sendable () async throws -> TestResponse) async throws -> [TestResponse] {
        try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<8 { group.addTask { try await work() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension Harness {
    /// A session of the wallet's client that is on no device.
    fileprivate func signInOnNoDevice(_ account: AccountID) async throws -> HTTPFields {
        let policy = try settings.clientDirectory.client(named: "mwsim", surface: nil)
        let request = SignInRequest(account: account, proof: .password, policy: policy)
        let opened = try await composition.unitOfWork.run { [door = composition.door] in
            try door.open(request, in: $0)
        }
        let tokens = try await answer(try #require(opened)).decode(SignInResponse.self)
        return .bearing(tokens.accessToken)
    }
}

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
import Storage
import Testing
import Wallet
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// What must not confirm a payment, and what must not come of one.
struct PaymentAttackTests {
    // A device's key signs for a purpose (RTS (EU) 2018/389 Art. 5: what confirms is specific to amount and payee).
    @Test
    func
        `attack: what the key signed for a sign-in confirms nothing, and what it signed for a payment signs nobody in`()
        async throws
    {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            let login = try await bench.challenge()
            let (ofLogin, ofPayment) = (try ada.key.signed(login), try ada.key.signed(try #require(payment.textToSign)))
            let own = try #require(payment.challenge)
            for proof in [
                #""signature":"\#(ofLogin)","challenge":"\#(own)""#,
                #""signature":"\#(ofLogin)","challenge":"\#(login)""#,
                // The payment's hash alone, as the key signs a sign-in's challenge.
                #""signature":"\#(try ada.key.signed(own))","challenge":"\#(own)""#,
                #""signature":"\#(ofPayment)","challenge":"\#(login)""#,
            ] {
                let answer = try await bench.post(Bench.confirmPayment, Bench.proving(payment, proof), ada.bearer)
                try bench.expect(answer, is: "payment_proof_refused", 403)
            }
            for challenge in [login, own, String(try #require(payment.textToSign).prefix(20))] {
                let escaped = challenge.replacing("\n", with: "\\n")
                try bench.expect(try await bench.verify(escaped, ofPayment), is: "unauthorized", 401)
            }
            let good = try await bench.verify(login, ofLogin)
            #expect(good.status == .ok, "it is for a sign-in: \(good.text)")
            _ = try await bench.confirmed(payment, ada)
        }
    }

    @Test func `attack: a signature for another payment, by another key or from another device confirms nothing`()
        async throws
    {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let ada = try await bench.payer()
            let tablet = try await bench.payer("ada@example.com", Bench.otherPhone)
            let (payment, other) = (try await bench.askPayment(ada), try await bench.askPayment(ada))
            let (own, foreign) = (try Bench.signed(payment, by: ada.key), try Bench.signed(payment, by: tablet.key))
            let wrong = [try Bench.signed(other, by: ada.key), foreign]
            for proof in wrong {
                let answer = try await bench.post(Bench.confirmPayment, Bench.proving(payment, proof), ada.bearer)
                try bench.expect(answer, is: "payment_proof_refused", 403)
            }
            // The phone's key, in the session that is on the tablet.
            let elsewhere = try await bench.post(Bench.confirmPayment, Bench.proving(payment, own), tablet.bearer)
            try bench.expect(elsewhere, is: "payment_proof_refused", 403)
            let named = Bench.proving(payment, foreign, more: #","deviceId":"\#(Bench.otherPhone)""#)
            let answer = try await bench.post(Bench.confirmPayment, named, ada.bearer)
            try bench.expect(answer, is: "wrong_device", 403)
            let right = try await bench.confirm(payment, ada, more: #","deviceId":"\#(Bench.phone.lowercased())""#)
            #expect(right.status == .ok, "\(right.text)")
        }
    }

    @Test func `attack: a session on no device, and one whose device has no key, confirm by no signature`() async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            let signature = try Bench.signed(payment, by: ada.key)
            let keyless = try await bench.phone("ada@example.com", Bench.otherPhone)
            let body = Bench.proving(payment, signature)
            let answer = try await bench.post(Bench.confirmPayment, body, keyless.bearer)
            try bench.expect(answer, is: "biometric_not_enabled", 400)
            let asked = try await bench.approve(payment, #"{"method":"device-key"}"#, keyless.bearer)
            try bench.expect(asked, is: "biometric_not_enabled", 400)
            let nowhere = try await bench.signInOnNoDevice(ada.account)
            try bench.expect(try await bench.post(Bench.confirmPayment, body, nowhere), is: "wrong_device", 403)
        }
    }

    @Test func `attack: a revoked device, a disabled account and a payment that is too old confirm nothing`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let tablet = try await bench.phone("ada@example.com", Bench.otherPhone)
            let late = try await bench.askPayment(ada)
            bench.time.advance(by: .seconds(300))
            let expired = try await bench.confirm(late, ada)
            try bench.expect(expired, is: "payment_over", 409)
            #expect(expired.text.contains("expired"))
            let payment = try await bench.askPayment(ada)
            let path = "/api/mobile/devices/\(ada.phone.device)"
            #expect(try await bench.send(.delete, path, tablet.bearer).status == .ok)
            try bench.expect(try await bench.confirm(payment, ada), is: "unauthorized", 401)
            let bob = try await bench.payer("bob@example.com", "2b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a13")
            let his = try await bench.askPayment(bob)
            _ = try await bench.composition.accounts.disable("bob@example.com")
            try bench.expect(try await bench.confirm(his, bob), is: "unauthorized", 401)
            let waiting = try await bench.show(payment, tablet.bearer)
            #expect(waiting.status == .pending, "nobody has confirmed it")
        }
    }

    @Test(arguments: [
        #","amount":"12.51""#, #","amount":"12.5""#, #","currency":"USD""#, #","merchantName":"Mobel & Sohne""#,
        // The same letters for a reader, in other bytes (Unicode NFD).
        #","merchantName":"Mo\u0308bel & So\u0308hne""#,
    ])
    func `attack: what the app has shown otherwise is not confirmed`(_ shown: String) async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            try bench.expect(try await bench.confirm(payment, ada, more: shown), is: "payment_changed", 409)
            let same = #","amount":"12.50","currency":"EUR","merchantName":"\#(Bench.shop)""#
            let right = try await bench.confirm(payment, ada, more: same)
            #expect(right.status == .ok, "\(right.text)")
        }
    }

    @Test func `attack: of eight confirmations at a time one is it, and of eight redemptions`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            let confirmations = try await Self.eightfold { try await bench.confirm(payment, ada) }
            let won = confirmations.filter { $0.status == .ok }
            #expect(won.count == 1)
            for other in confirmations where other.status != .ok {
                try bench.expect(other, is: "payment_over", 409)
                #expect(other.text.contains("confirmed"))
            }
            let token = try #require(won.first).decode(ConfirmPaymentResponse.self).cardToken
            let redemptions = try await Self.eightfold { try await bench.redeem(token) }
            let paid = redemptions.filter { $0.status == .ok }
            #expect(paid.count == 1)
            for other in redemptions where other.status != .ok { try bench.expect(other, is: "card_token_over", 404) }
            let noted = try await bench.audited(WalletAuditEvent.paymentConfirmed.rawValue)
            #expect(noted.count == 1)
        }
    }

    @Test func `attack: another account's payment is none, whatever is asked of it`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let bob = try await bench.payer("bob@example.com", Bench.otherPhone)
            let payment = try await bench.askPayment(ada)
            let path = "/api/mobile/payment/\(payment.paymentId)"
            for answer in [
                try await bench.send(.get, path, bob.bearer),
                try await bench.send(.post, path + "/cancel", bob.bearer),
                try await bench.approve(payment, #"{"method":"face"}"#, bob.bearer),
                try await bench.approve(payment, #"{"method":"passkey"}"#, bob.bearer),
                try await bench.approve(payment, #"{"method":"device-key"}"#, bob.bearer),
                try await bench.confirm(payment, bob),
                try await bench.send(.get, "/api/mobile/payment/x", ada.bearer),
            ] { try bench.expect(answer, is: "payment_not_found", 404) }
            let listed = try await bench.send(.get, "/api/mobile/payments", bob.bearer)
            #expect(!listed.text.contains(payment.paymentId))
            _ = try await bench.confirmed(payment, ada)
        }
    }

    @Test func `attack: wrong signatures are counted with those of sign-ins, noted, and end the payment`() async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let (payment, next) = (try await bench.askPayment(ada), try await bench.askPayment(ada))
            let wrong = try Bench.signed(payment, by: P256.Signing.PrivateKey())
            for _ in 1...5 {
                let answer = try await bench.post(Bench.confirmPayment, Bench.proving(payment, wrong), ada.bearer)
                try bench.expect(answer, is: "payment_proof_refused", 403)
            }
            let noted = try await bench.audited(WalletAuditEvent.paymentRefused.rawValue)
            #expect(noted.count == 5)
            let over = try await bench.confirm(payment, ada)
            try bench.expect(over, is: "payment_over", 409)
            let sixth = try Bench.signed(next, by: P256.Signing.PrivateKey())
            let last = try await bench.post(Bench.confirmPayment, Bench.proving(next, sixth), ada.bearer)
            try bench.expect(last, is: "rate_limited", 429)
            try bench.expect(try await bench.confirm(next, ada), is: "rate_limited", 429)
            let login = try await bench.challenge()
            let signIn = try await bench.verify(login, ada.key.signed(login))
            try bench.expect(signIn, is: "rate_limited", 429)
            bench.time.advance(by: .seconds(61))
            _ = try await bench.confirmed(next, ada)
        }
    }

    // RFC 8259 §4: readers differ about which of two counts, so a gateway may have looked at the other sum.
    @Test func `attack: a payment that is asked for with a member twice is none`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let merchant = #","merchant":{"name":"Eve","id":"eve"}"#
            for more in [#","amount":"999.00""#, #","am\u006funt":"12.50""#, merchant] {
                let answer = try await bench.post(Bench.initiatePayment, Bench.order(more: more), ada.bearer)
                try bench.expect(answer, is: "malformed_json", 400)
            }
            let unknown = Bench.order(more: #","note":{"amount":"999.00"}"#)
            #expect(try await bench.askPayment(ada, unknown).amount == "12.50")
        }
    }

    @Test func `attack: a placeholder, two proofs at once and none are told apart, and confirm nothing`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let payment = try await bench.askPayment(ada)
            let challenge = try #require(payment.challenge)
            let fake = #""signature":"signed_\#(challenge)_1700000000000","challenge":"\#(challenge)""#
            let placeholder = try await bench.post(Bench.confirmPayment, Bench.proving(payment, fake), ada.bearer)
            try bench.expect(placeholder, is: "placeholder_signature", 400)
            let own = try Bench.signed(payment, by: ada.key)
            for proof in [own + #","approvalToken":"x""#, #""passkey":{},"approvalToken":"x""#, #""other":1"#] {
                let answer = try await bench.post(Bench.confirmPayment, Bench.proving(payment, proof), ada.bearer)
                try bench.expect(answer, is: "invalid_request", 400)
            }
            // A member that is there twice says nothing (RFC 8259 §4).
            let twice = own + #","amount":"12.50","amount":"99.00""#
            let answer = try await bench.post(Bench.confirmPayment, Bench.proving(payment, twice), ada.bearer)
            try bench.expect(answer, is: "malformed_json", 400)
            let waiting = try await bench.show(payment, ada.bearer)
            #expect(waiting.status == .pending)
        }
    }

    @Test func `attack: a card token is nothing once its session is over, and guesses are stopped`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let token = try await bench.confirmed(try await bench.askPayment(ada), ada).cardToken
            #expect(try await bench.send(.post, "/api/mobile/auth/logout", ada.bearer).status == .ok)
            try bench.expect(try await bench.redeem(token), is: "card_token_over", 404)
            for number in 1...19 {
                let guess = "vct_" + String(repeating: "A", count: 41) + String(10 + number)
                try bench.expect(try await bench.redeem(guess), is: "card_token_over", 404)
            }
            try bench.expect(try await bench.redeem("vct_"), is: "rate_limited", 429)
            try bench.expect(try await bench.redeem(token), is: "rate_limited", 429)
            bench.time.advance(by: .seconds(61))
            try bench.expect(try await bench.redeem("vct_"), is: "card_token_over", 404)
        }
    }

    static func eightfold(_ work: @escaping @Sendable () async throws -> TestResponse) async throws -> [TestResponse] {
        try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<8 { group.addTask { try await work() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension Bench {
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

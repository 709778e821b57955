import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import SoftwareAuthenticator
import Testing
import TokenReading
import Tokens
import Wallet
import Web
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// Passkeys and approvals that are not of the payment, or of somebody else's.
struct PaymentProofAttackTests {
    // WebAuthn L3 §13.4.3: a challenge is of the ceremony that it was made for.
    @Test func `attack: a passkey's sign-in confirms nothing, and its yes to a payment signs nobody in`() async throws {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let ada = try await bench.payer()
            let credential = try await bench.addPasskey(by: ada.bearer)
            let payment = try await bench.askPayment(ada)
            for options in [
                try await bench.signInOptions("ada@example.com").text, try await bench.signInOptions(nil).text,
                try await bench.post("/api/auth/login/generate-options", "{}").text,
            ] {
                let signed = try bench.browser.get(options, with: credential)
                let answer = try await bench.confirm(payment, passkey: signed, ada.bearer)
                try bench.expect(answer, is: "challenge_over", 400)
            }
            let options = try await bench.passkeyOptions(payment, ada.bearer)
            let signed = try bench.browser.get(options, with: credential)
            let login = try await bench.signInOptions("ada@example.com")
            let signIn = try await bench.post("/api/verify-authentication", Bench.answer(signed, to: login))
            try bench.expect(signIn, is: "challenge_over", 400)
            let cookie = try await bench.post("/api/auth/login/generate-options", "{}").cookie("yapt.sid=")
            let byCookie = try await bench.post("/api/auth/login/verify", signed, .cookies(cookie))
            try bench.expect(byCookie, is: "challenge_over", 400)
            let right = try await bench.confirm(payment, passkey: signed, ada.bearer)
            #expect(right.status == .ok, "\(right.text)")
        }
    }

    @Test func `attack: a passkey's yes to another payment, in another session, or used before confirms nothing`()
        async throws
    {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let ada = try await bench.payer()
            let tablet = try await bench.phone("ada@example.com", Bench.otherPhone)
            let credential = try await bench.addPasskey(by: ada.bearer)
            let (first, second) = (try await bench.askPayment(ada), try await bench.askPayment(ada))
            let options = try await bench.passkeyOptions(first, ada.bearer)
            let signed = try bench.browser.get(options, with: credential)
            let other = try await bench.confirm(second, passkey: signed, ada.bearer)
            try bench.expect(other, is: "challenge_over", 400)
            let elsewhere = try await bench.confirm(first, passkey: signed, tablet.bearer)
            try bench.expect(elsewhere, is: "challenge_over", 400)
            let right = try await bench.confirm(first, passkey: signed, ada.bearer)
            #expect(right.status == .ok, "\(right.text)")
            let again = try await bench.confirm(second, passkey: signed, ada.bearer)
            try bench.expect(again, is: "challenge_over", 400)
            let repeated = try await bench.confirm(first, passkey: signed, ada.bearer)
            try bench.expect(repeated, is: "payment_over", 409)
        }
    }

    @Test func `attack: somebody else's passkey, and one that has not made sure who is there, confirm nothing`()
        async throws
    {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let ada = try await bench.payer()
            let bob = try await bench.payer("bob@example.com", Bench.otherPhone)
            let hers = try await bench.addPasskey(by: ada.bearer)
            let his = try await bench.addPasskey(by: bob.bearer)
            let payment = try await bench.askPayment(ada)
            var careless = bench.browser
            careless.flags.isUserVerified = false
            // The browser of whoever attacks does not keep to the list of passkeys.
            let options = try await bench.passkeyOptions(payment, ada.bearer)
            let unlisted = options.replacing(hers.idText, with: his.idText)
            for signed in [
                try bench.browser.get(unlisted, with: his), try careless.get(options, with: hers),
                try bench.browser.get(options, with: hers) { _ in Array(repeating: 1, count: 64) },
            ] {
                let answer = try await bench.confirm(payment, passkey: signed, ada.bearer)
                try bench.expect(answer, is: "passkey_refused", 400)
            }
            let right = try bench.browser.get(options, with: hers)
            let answer = try await bench.confirm(payment, passkey: right, ada.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
        }
    }

    @Test func `attack: the approval of another payment or another session confirms nothing, and no other token does`()
        async throws
    {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let ada = try await bench.payer()
            let tablet = try await bench.phone("ada@example.com", Bench.otherPhone)
            let (first, second) = (try await bench.askPayment(ada), try await bench.askPayment(ada))
            let token = try await bench.scanned(first, ada.bearer)
            try bench.expect(
                try await bench.confirm(second, approval: token, ada.bearer),
                is: "payment_proof_refused",
                403
            )
            try bench.expect(
                try await bench.confirm(first, approval: token, tablet.bearer),
                is: "payment_proof_refused",
                403
            )
            let right = try await bench.confirm(first, approval: token, ada.bearer)
            #expect(right.status == .ok, "\(right.text)")
            let receipt = try right.decode(ConfirmPaymentResponse.self).receipt
            // RFC 8725 §3.11: each kind of token has a type of its own.
            for other in [ada.phone.tokens.accessToken, receipt, "x.y.z"] {
                try bench.expect(
                    try await bench.confirm(second, approval: other, ada.bearer),
                    is: "payment_proof_refused",
                    403
                )
            }
        }
    }

    /// What one says otherwise than the approval that is right.
    enum Change: String, CaseIterable, Sendable {
        case nothing, session, account, client, audience, hash, noHash, value, currency, noAmount, payee, noPayee, age
        case message, card
    }

    @Test(arguments: Change.allCases)
    func `attack: an approval of the server's own that says anything otherwise confirms nothing`(
        _ change: Change
    )
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.payer()
            let bob = try await bench.payer("bob@example.com", Bench.otherPhone)
            let payment = try await bench.askPayment(ada)
            let token = try Self.approval(of: payment, ada, bob, change, bench)
            let answer = try await bench.confirm(payment, approval: token, ada.bearer)
            if change == .nothing {
                #expect(answer.status == .ok, "else the others show nothing: \(answer.text)")
            } else {
                try bench.expect(answer, is: "payment_proof_refused", 403)
            }
        }
    }

    private static func approval(
        of payment: PaymentView,
        _ ada: PayerOfTest,
        _ bob: PayerOfTest,
        _ change: Change,
        _ bench: Bench
    ) throws -> String {
        let now = bench.composition.environment.now()
        let (own, his) = (
            try bench.verifier.verifyAccess(ada.phone.tokens.accessToken, audiences: bench.audiences, now: now),
            try bench.verifier.verifyAccess(bob.phone.tokens.accessToken, audiences: bench.audiences, now: now)
        )
        let hash = try #require(payment.challenge.flatMap { Base64URL.decode($0) }.flatMap { Digest256($0) })
        let amount = ApprovalClaims.Amount(
            value: change == .value ? "12.51" : payment.amount,
            currency: change == .currency ? "USD" : payment.currency
        )
        // What the page would say of that card, had the server begun the approval itself.
        let words = try #require(LocalizedStrings.all.first { $0.language == "sv" })[ApprovalKey.payment]
        let subject = ApprovalClaims.Subject(
            message: change == .message
                ? "Open the door" : words.replacing("%", with: change == .card ? "0000" : payment.card.lastFour),
            amount: change == .noAmount ? nil : amount,
            payee: change == .noPayee ? nil : change == .payee ? "Mallory" : payment.merchant.name,
            payloadHash: change == .noHash ? nil : change == .hash ? Digest256(sha256: "another") : hash
        )
        let age: Duration = change == .age ? .seconds(600) : .zero
        let claims = ApprovalClaims(
            account: change == .account ? his.account : own.account,
            audience: change == .audience ? "bbms" : own.audience,
            clientID: change == .client ? "bbms" : own.clientID,
            session: change == .session ? his.session : own.session,
            tokenID: own.tokenID,
            issuedAt: now - age,
            expiresAt: now + .seconds(300) - age,
            authenticatedAt: now - age,
            operationTime: now - age,
            subject: subject
        )
        return try bench.api.issuer.sign(approval: claims).expose()
    }
}

/// Payments from a page of ours, by its browser's session.
struct PaymentPageTests {
    @Test func `a browser's session pays with a passkey, from our own pages alone`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signUp("ada")
            let who = try await bench.send(.get, "/api/auth/me", ada.headers).decode(SignedInUserResponse.self)
            try await bench.giveCard(try #require(AccountID(parsing: who.user.id)))
            // A cookie that another page's form or script makes the browser send (the Fetch standard's origins).
            for foreign in [
                ada.headers.adding(.origin, "https://evil.example.net"),
                ada.headers.adding(.fetchSite, "cross-site"), ada.headers.adding(.origin, "null"),
            ] {
                for path in [Bench.initiatePayment, Bench.confirmPayment] {
                    let refused = try await bench.post(path, Bench.order(), foreign)
                    try bench.expect(refused, is: "origin_not_allowed", 403)
                }
            }
            let begun = try await bench.post(Bench.initiatePayment, Bench.order(), ada.headers)
            #expect(begun.status == .created, "\(begun.text)")
            let payment = try begun.decode(PaymentView.self)
            #expect(payment.methods == ["passkey", "face"])
            let options = try await bench.passkeyOptions(payment, ada.headers)
            let signed = try bench.browser.get(options, with: ada.credential)
            let answer = try await bench.confirm(payment, passkey: signed, ada.headers)
            #expect(answer.status == .ok, "\(answer.text)")
            let token = try answer.decode(ConfirmPaymentResponse.self).cardToken
            #expect(try await bench.show(payment, ada.headers).cardToken == token)
        }
    }

    @Test func `attack: tokens of other clients pay nothing, though their browsers' sessions may`() async throws {
        try await Bench.run { bench in
            let person = try await bench.signIn()
            try bench.expect(
                try await bench.post(Bench.initiatePayment, Bench.order(), person.bearer),
                is: "unauthorized",
                401
            )
            let page = try await bench.send(.post, "/api/auth/web-session", person.bearer)
            let cookies = HTTPFields.cookies(page.sessionCookies)
            let none = try await bench.post(Bench.initiatePayment, Bench.order(), cookies)
            try bench.expect(none, is: "card_not_found", 404)
            // A token wins over a cookie, and one that is no good is not made up for by it.
            let both = cookies.adding(.authorization, "Bearer \(person.tokens.accessToken)")
            try bench.expect(try await bench.post(Bench.initiatePayment, Bench.order(), both), is: "unauthorized", 401)
        }
    }
}

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

@testable import Assembly
@testable import HTTPAPI

/// Passkeys and approvals that are not of the payment, or of somebody else's.
struct PaymentProofAttackTests {
    // WebAuthn L3 §13.4.3: a challenge is of the ceremony that it was made for.
    // T-141
    @Test func `attack: a sign-in assertion confirms no payment, and a payment's assertion signs nobody in`()
        async throws
    {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let ada = try await harness.payer()
            let credential = try await harness.addPasskey(by: ada.bearer)
            let payment = try await harness.askPayment(ada)
            for options in [
                try await harness.signInOptions("ada@example.com").text, try await harness.signInOptions(nil).text,
                try await harness.post("/api/auth/login/generate-options", "{}").text,
            ] {
                let signed = try harness.browser.get(options, with: credential)
                let answer = try await harness.confirm(payment, passkey: signed, ada.bearer)
                try harness.expect(answer, is: "challenge_over", 400)
            }
            let options = try await harness.passkeyOptions(payment, ada.bearer)
            let signed = try harness.browser.get(options, with: credential)
            let login = try await harness.signInOptions("ada@example.com")
            let signIn = try await harness.post("/api/verify-authentication", Harness.answer(signed, to: login))
            try harness.expect(signIn, is: "challenge_over", 400)
            let cookie = try await harness.post("/api/auth/login/generate-options", "{}").cookie("yapt.sid=")
            let byCookie = try await harness.post("/api/auth/login/verify", signed, .cookies(cookie))
            try harness.expect(byCookie, is: "challenge_over", 400)
            let right = try await harness.confirm(payment, passkey: signed, ada.bearer)
            #expect(right.status == .ok, "\(right.text)")
        }
    }

    // T-142
    @Test func `attack: a payment is not confirmed by a replayed assertion or one of another payment or session`()
        async throws
    {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let ada = try await harness.payer()
            let tablet = try await harness.phone("ada@example.com", Harness.otherPhone)
            let credential = try await harness.addPasskey(by: ada.bearer)
            let (first, second) = (try await harness.askPayment(ada), try await harness.askPayment(ada))
            let options = try await harness.passkeyOptions(first, ada.bearer)
            let signed = try harness.browser.get(options, with: credential)
            let other = try await harness.confirm(second, passkey: signed, ada.bearer)
            try harness.expect(other, is: "challenge_over", 400)
            let elsewhere = try await harness.confirm(first, passkey: signed, tablet.bearer)
            try harness.expect(elsewhere, is: "challenge_over", 400)
            let right = try await harness.confirm(first, passkey: signed, ada.bearer)
            #expect(right.status == .ok, "\(right.text)")
            let again = try await harness.confirm(second, passkey: signed, ada.bearer)
            try harness.expect(again, is: "challenge_over", 400)
            let repeated = try await harness.confirm(first, passkey: signed, ada.bearer)
            try harness.expect(repeated, is: "payment_over", 409)
        }
    }

    // T-143
    @Test func `attack: a payment is not confirmed by another account's passkey or without user verification`()
        async throws
    {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let ada = try await harness.payer()
            let bob = try await harness.payer("bob@example.com", Harness.otherPhone)
            let hers = try await harness.addPasskey(by: ada.bearer)
            let his = try await harness.addPasskey(by: bob.bearer)
            let payment = try await harness.askPayment(ada)
            var careless = harness.browser
            careless.flags.isUserVerified = false
            // The browser of whoever attacks does not keep to the list of passkeys.
            let options = try await harness.passkeyOptions(payment, ada.bearer)
            let unlisted = options.replacing(hers.idText, with: his.idText)
            for signed in [
                try harness.browser.get(unlisted, with: his), try careless.get(options, with: hers),
                try harness.browser.get(options, with: hers) { _ in Array(repeating: 1, count: 64) },
            ] {
                let answer = try await harness.confirm(payment, passkey: signed, ada.bearer)
                try harness.expect(answer, is: "passkey_refused", 400)
            }
            let right = try harness.browser.get(options, with: hers)
            let answer = try await harness.confirm(payment, passkey: right, ada.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
        }
    }

    // T-141, T-143
    @Test func `attack: a payment is not confirmed by an approval of another payment or session, or another token`()
        async throws
    {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let ada = try await harness.payer()
            let tablet = try await harness.phone("ada@example.com", Harness.otherPhone)
            let (first, second) = (try await harness.askPayment(ada), try await harness.askPayment(ada))
            let token = try await harness.scanned(first, ada.bearer)
            try harness.expect(
                try await harness.confirm(second, approval: token, ada.bearer),
                is: "payment_proof_refused",
                403
            )
            try harness.expect(
                try await harness.confirm(first, approval: token, tablet.bearer),
                is: "payment_proof_refused",
                403
            )
            let right = try await harness.confirm(first, approval: token, ada.bearer)
            #expect(right.status == .ok, "\(right.text)")
            let receipt = try right.decode(ConfirmPaymentResponse.self).receipt
            // RFC 8725 §3.11: each kind of token has a type of its own.
            for other in [ada.phone.tokens.accessToken, receipt, "x.y.z"] {
                try harness.expect(
                    try await harness.confirm(second, approval: other, ada.bearer),
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
    func `attack: an approval token whose signed claims differ from the payment confirms nothing`(
        _ change: Change
    )
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.payer()
            let bob = try await harness.payer("bob@example.com", Harness.otherPhone)
            let payment = try await harness.askPayment(ada)
            let token = try Self.approval(of: payment, ada, bob, change, harness)
            let answer = try await harness.confirm(payment, approval: token, ada.bearer)
            if change == .nothing {
                #expect(answer.status == .ok, "else the others show nothing: \(answer.text)")
            } else {
                try harness.expect(answer, is: "payment_proof_refused", 403)
            }
        }
    }

    private static func approval(
        of payment: PaymentView,
        _ ada: PayerOfTest,
        _ bob: PayerOfTest,
        _ change: Change,
        _ harness: Harness
    ) throws -> String {
        let now = harness.composition.environment.now()
        let (own, his) = (
            try harness.verifier.verifyAccess(ada.phone.tokens.accessToken, audiences: harness.audiences, now: now),
            try harness.verifier.verifyAccess(bob.phone.tokens.accessToken, audiences: harness.audiences, now: now)
        )
        let hash = try #require(payment.challenge.flatMap { Base64URL.decode($0) }.flatMap { Digest256($0) })
        let amount = ApprovalClaims.Amount(
            value: change == .value ? "12.51" : payment.amount,
            currency: change == .currency ? "USD" : payment.currency
        )
        // What the page would say of that card, had the server begun the approval itself.
        let words = try #require(LocalizedStrings.builtIn.first { $0.language == "sv" })[ApprovalKey.payment]
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
        return try harness.api.issuer.sign(approval: claims).expose()
    }
}

/// Payments from a page of ours, by its browser's session.
struct PaymentPageTests {
    // T-047
    @Test func `a browser's session pays with a passkey, from our own pages alone`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let who = try await harness.send(.get, "/api/auth/me", ada.headers).decode(SignedInUserResponse.self)
            try await harness.giveCard(try #require(AccountID(parsing: who.user.id)))
            // A cookie that another page's form or script makes the browser send (the Fetch standard's origins).
            for foreign in [
                ada.headers.adding(.origin, "https://evil.example.net"),
                ada.headers.adding(.fetchSite, "cross-site"), ada.headers.adding(.origin, "null"),
            ] {
                for path in [Harness.initiatePayment, Harness.confirmPayment] {
                    let refused = try await harness.post(path, Harness.order(), foreign)
                    try harness.expect(refused, is: "origin_not_allowed", 403)
                }
            }
            let begun = try await harness.post(Harness.initiatePayment, Harness.order(), ada.headers)
            #expect(begun.status == .created, "\(begun.text)")
            let payment = try begun.decode(PaymentView.self)
            #expect(payment.methods == ["passkey", "face"])
            let options = try await harness.passkeyOptions(payment, ada.headers)
            let signed = try harness.browser.get(options, with: ada.credential)
            let answer = try await harness.confirm(payment, passkey: signed, ada.headers)
            #expect(answer.status == .ok, "\(answer.text)")
            let token = try answer.decode(ConfirmPaymentResponse.self).cardToken
            #expect(try await harness.show(payment, ada.headers).cardToken == token)
        }
    }

    // T-143
    @Test func `attack: access tokens of other clients get 401 at payments, and their web sessions are accepted`()
        async throws
    {
        try await Harness.run { harness in
            let person = try await harness.signIn()
            try harness.expect(
                try await harness.post(Harness.initiatePayment, Harness.order(), person.bearer),
                is: "unauthorized",
                401
            )
            let page = try await harness.send(.post, "/api/auth/web-session", person.bearer)
            let cookies = HTTPFields.cookies(page.sessionCookies)
            let none = try await harness.post(Harness.initiatePayment, Harness.order(), cookies)
            try harness.expect(none, is: "card_not_found", 404)
            // A token wins over a cookie, and one that is no good is not made up for by it.
            let both = cookies.adding(.authorization, "Bearer \(person.tokens.accessToken)")
            try harness.expect(
                try await harness.post(Harness.initiatePayment, Harness.order(), both),
                is: "unauthorized",
                401
            )
        }
    }
}

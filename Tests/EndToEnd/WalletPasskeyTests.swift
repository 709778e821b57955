import Foundation
import Outbound
import SoftwareAuthenticator
import Testing

extension EndToEnd {
    /// A payment that a passkey says yes to: the app, its authenticator, and back.
    @Suite struct WalletPasskeys {
        private struct Refusal: Decodable {
            let code: String
        }

        private static let person = "accept@example.com"

        @Test func `a payment is confirmed by a passkey once, however often it is sent at one moment`() async throws {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: Self.person, scene)
                try await phone.enrol()
                let (authenticator, passkey) = try await Self.addPasskey(phone)
                let payment = try await phone.initiate("20.00", merchant: "Example Travel")
                let signed = try authenticator.get(try await Self.ask(phone, payment), with: passkey)
                let body = Self.confirmation(of: payment, signed)
                let replies = try await withThrowingTaskGroup(of: WebClient.Reply.self) { group in
                    for _ in 0..<8 { group.addTask { try await phone.confirm(body) } }
                    return try await group.reduce(into: [WebClient.Reply]()) { $0.append($1) }
                }
                let won = replies.filter { $0.status == 200 }
                #expect(won.count == 1, "\(replies)")
                #expect(replies.filter { $0.status == 409 }.count == 7, "\(replies)")
                let confirmed = try #require(try won.first?.json(Phone.Payment.self))
                #expect(confirmed.cardToken != nil && confirmed.receipt != nil)
                // SIGKILL.
                try await scene.fixture.daemon.restart()
                let late = try await phone.confirm(body)
                #expect(late.status == 409)
                #expect(try late.json(Refusal.self).code == "payment_over")
                let shown = try await phone.payment(payment.paymentId)
                #expect(shown.status == "confirmed" && shown.cardToken == confirmed.cardToken)
            }
        }

        // WebAuthn L3 §13.4.3: a challenge is of the ceremony that it was made for.
        // T-141
        @Test func `attack: a sign-in assertion confirms no payment, and a payment's assertion is refused elsewhere`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: Self.person, scene)
                try await phone.enrol()
                let (authenticator, passkey) = try await Self.addPasskey(phone)
                let payment = try await phone.initiate("20.00", merchant: "Example Travel")
                let paths = ["generate-authentication-options", "auth/login/generate-options"]
                for path in paths {
                    let options = try await Self.anonymous(scene, path, "{}")
                    #expect(options.status == 200, "\(options)")
                    let signed = try authenticator.get(options.text, with: passkey)
                    let refused = try await phone.confirm(Self.confirmation(of: payment, signed))
                    #expect(refused.status == 400, "\(refused)")
                    #expect(try refused.json(Refusal.self).code == "challenge_over", "\(path)")
                }
                #expect(try await phone.payment(payment.paymentId).status == "pending")

                let signed = try authenticator.get(try await Self.ask(phone, payment), with: passkey)
                let other = try await phone.initiate("20.00", merchant: "Example Travel")
                let carried = try await phone.confirm(Self.confirmation(of: other, signed))
                #expect(carried.status == 400, "another payment, to the letter the same: \(carried)")
                struct Login: Decodable { let challengeId: String }
                let login = try await Self.anonymous(scene, paths[0], "{}").json(Login.self)
                let answer = #"{"response":\#(signed),"challengeId":"\#(login.challengeId)"}"#
                let signIn = try await Self.anonymous(scene, "verify-authentication", answer)
                #expect(signIn.status == 400, "\(signIn)")
                #expect(signIn.cookies.isEmpty, "nobody is signed in")
                let right = try await phone.confirm(Self.confirmation(of: payment, signed))
                #expect(right.status == 200, "\(right)")
                #expect(try await phone.payment(other.paymentId).status == "pending")
            }
        }

        // MARK: Steps

        /// Makes a passkey in the phone's session.
        private static func addPasskey(
            _ phone: Phone
        ) async throws -> (SoftwareAuthenticator, SoftwareAuthenticator.Credential) {
            let authenticator = SoftwareAuthenticator(origin: "http://localhost:\(phone.scene.fixture.daemon.port)")
            let options = try await phone.send(.post, "auth/add-device/generate-options")
            guard options.status == 200 else { throw ExpectationError("options of a new passkey: \(options)") }
            let (passkey, made) = try authenticator.create(options.text)
            let added = try await phone.send(.post, "auth/add-device/verify", made)
            guard added.status == 200 else { throw ExpectationError("a new passkey: \(added)") }
            return (authenticator, passkey)
        }

        /// The options for the payment, as the authenticator takes them.
        private static func ask(_ phone: Phone, _ payment: Phone.Payment) async throws -> String {
            let reply = try await phone.send(
                .post,
                "mobile/payment/\(payment.paymentId)/approve",
                #"{"method":"passkey"}"#
            )
            guard reply.status == 200,
                let members = try JSONSerialization.jsonObject(with: reply.body) as? [String: Any],
                let options = members["options"] as? [String: Any]
            else { throw ExpectationError("approve: \(reply)") }
            return String(decoding: try JSONSerialization.data(withJSONObject: options), as: UTF8.self)
        }

        private static func confirmation(of payment: Phone.Payment, _ passkey: String) -> String {
            #"{"paymentId":"\#(payment.paymentId)","passkey":\#(passkey)}"#
        }

        /// A request to `/api/…` of somebody who is not signed in.
        private static func anonymous(
            _ scene: WalletScene,
            _ path: String,
            _ json: String
        ) async throws -> WebClient.Reply {
            try await scene.fixture.web.send(.post, "\(scene.fixture.daemon.url)/api/\(path)", json: json)
        }
    }
}

import Foundation
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// A payment that a face says yes to: the app, the page that shows what it is about, the provider, and back.
    @Suite struct WalletFaces {
        private static let person = "accept@example.com"

        @Test func `a payment is approved by a face in the session that asked, and by that alone`() async throws {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: Self.person, scene)
                try await phone.enrol()
                let payment = try await phone.initiate("99.00", merchant: "Example Travel")
                let asked = try await Self.ask(phone, payment)
                let page = try #require(URL(string: asked.authIdUrl)?.path())
                let shown = try await scene.fixture.web.send(.get, scene.fixture.daemon.url + page)
                // RTS (EU) 2018/389 Art. 5(1)(a): the page shows what it is about.
                #expect(shown.text.contains("€99.00") && shown.text.contains("Example Travel"))
                let token = try await Self.approve(asked, phone)

                // The approval is of this payment, in this session.
                let other = try await phone.initiate("99.00", merchant: "Example Travel")
                #expect(try await Self.confirm(other, token, phone) == 403, "another payment, to the letter the same")
                let second = try await Phone(of: Self.person, scene)
                #expect(try await Self.confirm(payment, token, second) == 403, "another session of the same person")
                #expect(try await Self.confirm(payment, token, phone) == 200)
                #expect(try await Self.confirm(payment, token, phone) == 409, "once")
                let done = try await phone.payment(payment.paymentId)
                #expect(done.status == "confirmed" && done.receipt != nil)
                #expect(try await phone.payment(other.paymentId).status == "pending")
            }
        }

        @Test
        func `attack: an approval with a payment's text that was not started for it does not confirm the payment`()
            async throws
        {
            try await WalletScene.run { scene in
                let phone = try await Phone(of: Self.person, scene)
                try await phone.enrol()
                let payment = try await phone.initiate("99.00", merchant: "Example Travel")
                let order = """
                    {"message":"Pay","amount":{"value":"99.00","currency":"EUR"},"payee":"Example Travel"}
                    """
                let reply = try await phone.send(.post, "auth/approvals/initiate", order)
                #expect(reply.status == 200, "\(reply)")
                let token = try await Self.approve(try reply.json(), phone)
                #expect(try await Self.confirm(payment, token, phone) == 403)
                #expect(try await phone.payment(payment.paymentId).status == "pending")
            }
        }

        @Test func `a face that is not the owner's confirms nothing`() async throws {
            // This account's scans wait for the test's word.
            let person = "ada@example.com"
            try await WalletScene.run(people: [person]) { scene in
                let phone = try await Phone(of: person, scene) { try await scene.fixture.mock.decide(person, "accept") }
                try await phone.enrol()
                let payment = try await phone.initiate()
                let asked = try await Self.ask(phone, payment)
                #expect(try await Self.open(asked, phone) == 303)
                try await scene.fixture.mock.decide(person, "reject_match")
                let end = try await Self.follow(asked, phone)
                #expect(end.status == .failed && end.approval == nil && end.code == "not_matched")
                #expect(try await phone.payment(payment.paymentId).status == "pending")
            }
        }

        // MARK: Steps

        private static func ask(_ phone: Phone, _ payment: Phone.Payment) async throws -> InitiateLoginResponse {
            let reply = try await phone.send(
                .post,
                "mobile/payment/\(payment.paymentId)/approve",
                #"{"method":"face"}"#
            )
            guard reply.status == 200 else { throw ExpectationError("approve: \(reply)") }
            return try reply.json()
        }

        /// Types the number on the page, as the person does.
        private static func open(_ asked: InitiateLoginResponse, _ phone: Phone) async throws -> Int {
            let page = try #require(URL(string: asked.authIdUrl)?.path())
            let number = try #require(asked.number)
            let fixture = phone.scene.fixture
            return try await fixture.web.send(.post, fixture.daemon.url + page, form: "number=\(number)").status
        }

        private static func follow(_ asked: InitiateLoginResponse, _ phone: Phone) async throws -> PollLoginResponse {
            try await eventually("an end of the approval", within: .seconds(90)) {
                let reply = try await phone.send(.get, "auth/approvals/poll/\(asked.operationId)")
                guard reply.status == 200 else { throw ExpectationError("poll: \(reply)") }
                let view = try reply.json(PollLoginResponse.self)
                return view.status == .pending ? nil : view
            }
        }

        /// The token of an approval that the provider says yes to by itself.
        private static func approve(_ asked: InitiateLoginResponse, _ phone: Phone) async throws -> String {
            let status = try await open(asked, phone)
            #expect(status == 303)
            return try #require(try await follow(asked, phone).approval?.token)
        }

        private static func confirm(_ payment: Phone.Payment, _ token: String, _ phone: Phone) async throws -> Int {
            try await phone.confirm(#"{"paymentId":"\#(payment.paymentId)","approvalToken":"\#(token)"}"#).status
        }
    }
}

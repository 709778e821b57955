import FaceProviders
import Foundation
import Kernel
import Operations
import ScriptedServer
import Testing

/// Enrolments at authID: operations, a family apart from transactions.
struct AuthIDEnrolmentTests {
    private static let applicant = EnrolmentApplicant(reference: "link-7", displayName: "Ada", email: "ada@example.com")

    private static func status(_ number: Int) -> ScriptedReply { .json(#"{"Status":\#(number)}"#) }

    private static func result(
        _ number: Int = 1,
        of operation: String = "op-1",
        liveness: String = #"{"Passed":true,"Score":0.9}"#,
        match: String = "null",
        message: String = ""
    ) -> ScriptedReply {
        .json(
            #"{"OperationId":"\#(operation)","Status":\#(number),"Message":"\#(message)","Liveness":\#(liveness),"#
                + #""Match":\#(match)}"#
        )
    }

    private func begin(_ authID: FakeAuthID) async throws -> StartedScan {
        try await authID.provider.begin(
            ScanRequest(enrolment: "link-7", timeLeft: .seconds(179.9), applicant: Self.applicant)
        )
    }

    private func check(_ authID: FakeAuthID) async throws -> ScanStatus {
        try await authID.provider.check(try await begin(authID).reference)
    }

    @Test func `an enrolment makes the account, and leads to the page of its operation`() async throws {
        try await FakeAuthID.run { authID in
            let scan = try await begin(authID)
            #expect(scan.page.expose() == "https://scan.example.com/?i=op-1&s=ots%3D%2B%2F1")
            let account = try #require(authID.requests(.createAccount).first?.jsonObject)
            #expect(account["AccountNumber"] as? String == "link-7")
            #expect(account["Email"] as? String == "ada@example.com")
            let body = try #require(authID.requests(.beginOperation).first?.jsonObject)
            #expect(body["Name"] as? String == "EnrollBioCredential" && body["AccountNumber"] as? String == "link-7")
            #expect(body["Timeout"] as? Int == 179 && body["TransportType"] as? Int == 0)
            #expect(body["Codeword"] as? String == "" && body["Tag"] as? String == "")
            #expect(authID.count(.begin) == 0, "the families never mix")
        }
    }

    @Test func `an account that is there is used as it is`() async throws {
        let there = ScriptedReply.json(#"{"AccountNumber":"link-7"}"#)
        try await FakeAuthID.run(.init(findAccount: { _ in there })) { authID in
            _ = try await begin(authID)
            #expect(authID.count(.createAccount) == 0)
        }
        let raced = FakeAuthID.Replies.error(409, "E_ACCOUNT_ALREADY_EXISTS")
        try await FakeAuthID.run(.init(createAccount: { _ in raced })) { authID in
            let scan = try await begin(authID)
            #expect(scan.reference.text.contains("op-1"))
        }
    }

    @Test func `another person's account can't be enrolled into`() async throws {
        let another = ScriptedReply.json(#"{"AccountNumber":"link-8"}"#)
        try await FakeAuthID.run(.init(findAccount: { _ in another })) { authID in
            await #expect(throws: ProviderError.self) { _ = try await begin(authID) }
            #expect(authID.count(.beginOperation) == 0)
        }
    }

    // T-062
    @Test func `accepted is believed with the result of that operation alone`() async throws {
        let cases: [(ScriptedReply, ScanStatus)] = [
            (Self.result(), .approved), (Self.result(match: #"{"Passed":true}"#), .approved),
            (Self.result(of: "op-2"), .nonsense), (Self.result(liveness: "null"), .unrecognised),
            (Self.result(0), .pending(.userInProvider)), (.json("{}"), .nonsense), (.json("null"), .nonsense),
            (Self.result(liveness: #"{"Passed":false}"#), .rejected(.livenessFailed)),
            (Self.result(match: #"{"Passed":false}"#), .rejected(.notMatched)),
            (Self.result(liveness: #"{"Passed":"true"}"#), .nonsense),
            (FakeAuthID.Replies.error(404, "E_X"), .unknownReference),
        ]
        for (result, expected) in cases {
            try await FakeAuthID.run(
                .init(operationStatus: { _ in Self.status(1) }, operationResult: { _ in result })
            ) { authID in
                let found = try await check(authID)
                #expect(found == expected, "\(result)")
            }
        }
    }

    // T-062
    @Test func `a scan that is not accepted never approves, whatever the result says`() async throws {
        let cases: [(Int, ScanStatus)] = [
            (0, .pending(.userInProvider)), (3, .expired), (4, .broken), (5, .canceled), (9, .unrecognised),
        ]
        for (number, expected) in cases {
            try await FakeAuthID.run(.init(operationStatus: { _ in Self.status(number) })) { authID in
                let found = try await check(authID)
                #expect(found == expected)
                #expect(authID.count(.operationResult) == 0)
            }
        }
        let rejected = Self.result(2, message: "Not authorized. Liveness detection failed.")
        try await FakeAuthID.run(
            .init(operationStatus: { _ in Self.status(2) }, operationResult: { _ in rejected })
        ) { authID in
            let found = try await check(authID)
            #expect(found == .rejected(.livenessFailed), "the reason is in the result")
        }
    }

    // T-062
    @Test func `a missing result gives no verdict`() async throws {
        for (status, isUnavailable) in [(500, true), (401, true), (400, false)] {
            try await FakeAuthID.run(
                .init(
                    operationStatus: { _ in Self.status(1) },
                    operationResult: { _ in FakeAuthID.Replies.error(status, "E_X") }
                )
            ) { authID in
                let scan = try await begin(authID)
                do throws(ProviderError) {
                    let status = try await authID.provider.check(scan.reference)
                    Issue.record("\(status)")
                } catch {
                    if case .unavailable = error { #expect(isUnavailable) } else { #expect(!isUnavailable) }
                }
            }
        }
    }

    // T-062
    @Test func `attack: a transaction id in the form of an enrolment's is refused at begin`() async throws {
        let named = ScriptedReply.json(#"{"TransactionId":"operation:op-1","OneTimeSecret":"s"}"#)
        try await FakeAuthID.run(.init(begin: { _ in named })) { authID in
            let failure = await authID.beginFailure()
            #expect(failure != nil)
        }
    }
}

extension ScriptedRequest {
    fileprivate var jsonObject: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    }
}

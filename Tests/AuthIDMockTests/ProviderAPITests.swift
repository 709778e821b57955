import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import AuthIDMock

@Suite struct ProviderAPITests {
    private static let token = Caller.engine + "/IdentityService/v1/auth/token"
    private static let refresh = Caller.engine + "/IdentityService/v1/auth/refresh"

    @Test func `a refresh takes the token as a bare JSON string`() async throws {
        try await Rig().serve { caller in
            let credentials = Data("mock-key-id:mock-key-value".utf8).base64EncodedString()
            let first = try await caller.call(
                .post,
                Self.token,
                "{}",
                headers: [.authorization: "Basic \(credentials)"]
            )
            #expect(first.status == 200)
            #expect(try first.string("AccessTokenExpirationDate") == "2023-11-14T22:28:20.000Z")
            let bare = "\"\(try first.string("RefreshToken"))\""
            let second = try await caller.call(.post, Self.refresh, bare)
            #expect(second.status == 200)
            #expect(try second.string("AccessToken") != first.string("AccessToken"))
            let reused = try await caller.call(.post, Self.refresh, bare)
            #expect(reused.status == 401)
            let wrapped = try await caller.call(.post, Self.refresh, #"{"RefreshToken":"x"}"#)
            #expect(wrapped.status == 400)
        }
    }

    @Test(arguments: ["/transactions/x/status", "/operations/x/status", "/operations/x/result"])
    func `a call without a good bearer is 401 in authID's form`(_ path: String) async throws {
        try await Rig().serve { caller in
            for token in [nil, "wrong"] {
                let answer = try await Caller(client: caller.client, token: token).call(.get, Caller.scans + path)
                #expect(answer.status == 401)
                #expect(try answer.string("ID") == "E_USER_NOT_AUTHENTICATED")
                #expect(try !answer.string("Message").isEmpty)
            }
        }
    }

    @Test func `a missing account is 200 null and a second creation a conflict`() async throws {
        try await Rig().serve { caller in
            let caller = try await caller.signedIn()
            let path = Caller.accounts + "/a%20b%2Fc"
            let missing = try await caller.call(.get, path)
            #expect(missing.status == 200)
            #expect(missing.text == "null")
            let body = """
                {"AccountNumber":"a b/c","DisplayName":"Anna","Email":"anna@example.com","Enabled":true,"Custom":true,\
                "Rules":1,"Version":0}
                """
            #expect(try await caller.call(.post, Caller.accounts, body).status == 200)
            #expect(try await caller.call(.get, path).string("DisplayName") == "Anna")
            let again = try await caller.call(.post, Caller.accounts, body)
            #expect(again.status == 409)
            #expect(try again.string("ID") == "E_ACCOUNT_ALREADY_EXISTS")
            #expect(try await caller.call(.delete, path).status == 200)
            #expect(try await caller.call(.get, path).text == "null")
        }
    }

    @Test func `a login goes from pending to accepted`() async throws {
        try await Rig().serve { caller in
            let (caller, id, _) = try await caller.withLogin()
            let pending = try await caller.loginStatus(id)
            #expect(try pending.string("TransactionId") == id)
            #expect(try pending.int("Status") == 0)
            #expect(try pending.json()["EndDate"] is NSNull)
            let decided = try await caller.call(.post, "/_mock/scans/\(id)/outcome", #"{"outcome":"reject_match"}"#)
            #expect(try decided.string("status") == "rejected")
            let rejected = try await caller.loginStatus(id)
            #expect(try rejected.int("Status") == 2)
            #expect(try rejected.string("Message") == "Not authorized. Biometry verification failed.")
            #expect(try !rejected.string("EndDate").isEmpty)
        }
    }

    @Test func `the two families never mix`() async throws {
        try await Rig().serve { caller in
            let (caller, id, _) = try await caller.withLogin()
            func start(_ path: String, _ name: String) async throws -> Caller.Answer {
                try await caller.call(
                    .post,
                    Caller.scans + path,
                    #"{"AccountNumber":"a","Name":"\#(name)","Timeout":60}"#
                )
            }
            let login = try await start("/operations", "Verify_Identity")
            #expect(login.status == 404)
            #expect(try login.string("Message") == "Operation with name Verify_Identity not found.")
            #expect(try await start("/transactions", "EnrollBioCredential").status == 500)
            #expect(try await caller.call(.get, Caller.scans + "/operations/\(id)/status").status == 404)
        }
    }

    @Test func `an enrolment has a status and a result with liveness and match`() async throws {
        try await Rig().serve { caller in
            let (caller, _, _) = try await caller.withLogin()
            let body =
                #"{"AccountNumber":"a","Codeword":"","Name":"EnrollBioCredential","Timeout":60,"TransportType":0}"#
            let started = try await caller.call(.post, Caller.scans + "/operations", body)
            let path = Caller.scans + "/operations/\(try started.string("OperationId"))"
            #expect(try await caller.call(.get, path + "/status").text == #"{"Status":0}"#)
            #expect(try await caller.call(.get, path + "/result").json()["Liveness"] is NSNull)
            _ = try await caller.call(
                .post,
                "/_mock/scans/\(try started.string("OperationId"))/outcome",
                #"{"outcome":"reject_match"}"#
            )
            let result = try await caller.call(.get, path + "/result")
            #expect((try result.json()["Liveness"] as? [String: any Sendable])?["Passed"] as? Bool == true)
            #expect((try result.json()["Match"] as? [String: any Sendable])?["Passed"] as? Bool == false)
        }
    }

    @Test func `a login of an account that is not enrolled is a conflict with a reason`() async throws {
        try await Rig { $0.autoEnroll = false }.serve { caller in
            let caller = try await caller.signedIn()
            _ = try await caller.call(.post, Caller.accounts, #"{"AccountNumber":"a"}"#)
            let refused = try await caller.startLogin()
            #expect(refused.status == 409)
            #expect(try !refused.string("ID").isEmpty && !refused.string("Message").isEmpty)
            _ = try await caller.call(.put, "/_mock/accounts/a", #"{"enrolled":true}"#)
            #expect(try await caller.startLogin().status == 200)
        }
    }

    @Test(arguments: [
        "{", #"{"Name":"Verify_Identity"}"#, #"{"AccountNumber":"a","Name":"Verify_Identity","Timeout":0}"#,
    ])
    func `a body that can't be read is 400`(_ body: String) async throws {
        try await Rig().serve { caller in
            let (caller, _, _) = try await caller.withLogin()
            let answer = try await caller.call(.post, Caller.scans + "/transactions", body)
            #expect(answer.status == 400)
            #expect(try answer.string("ID") == "E_INVALID_REQUEST")
        }
    }

    @Test func `a body over the limit is refused`() async throws {
        try await Rig().serve { caller in
            let caller = try await caller.signedIn()
            let answer = try await caller.call(.post, Caller.accounts, String(repeating: " ", count: 70_000))
            #expect(answer.status == 413)
        }
    }
}

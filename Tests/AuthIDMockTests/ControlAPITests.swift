import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import MockServing
import Testing

@testable import AuthIDMock

@Suite struct ControlAPITests {
    @Test func `the request log proves what was not called and holds no secret`() async throws {
        try await Rig().serve { caller in
            let (caller, id, secret) = try await caller.withLogin()
            _ = try await caller.loginStatus(id)
            let requestLog = try await caller.call(.get, "/_mock/requests")
            let counts = try #require(try requestLog.json()["counts"] as? [String: Int])
            #expect(counts["transaction_status"] == 1)
            #expect(counts["token"] == 1)
            #expect(counts["operation_create"] == 0)
            #expect(requestLog.text.contains("/v2/transactions/{id}/status"))
            for hidden in [id, secret, try #require(caller.token)] { #expect(!requestLog.text.contains(hidden)) }
        }
    }

    @Test func `a scan is shown without its secret`() async throws {
        try await Rig().serve { caller in
            let (caller, id, secret) = try await caller.withLogin()
            for path in ["/_mock/scans", "/_mock/scans/\(id)"] {
                let answer = try await caller.call(.get, path)
                #expect(answer.text.contains(id))
                #expect(!answer.text.contains(secret))
            }
            #expect(try await caller.call(.get, "/_mock/scans/nothing").status == 404)
            #expect(try await caller.call(.get, "/_mock/scans?limit=none").status == 400)
        }
    }

    @Test func `a scan is decided once`() async throws {
        try await Rig().serve { caller in
            let (caller, id, _) = try await caller.withLogin()
            let path = "/_mock/scans/\(id)/outcome"
            let planned = try await caller.call(.post, path, #"{"outcome":"accept","afterMs":60000}"#)
            #expect(try planned.string("status") == "pending")
            #expect(try planned.string("plannedOutcome") == "accept")
            #expect(try await caller.call(.post, path, #"{"outcome":"cancel"}"#).status == 200)
            #expect(try await caller.call(.post, path, #"{"outcome":"accept"}"#).status == 409)
            #expect(try await caller.call(.post, path, #"{"outcome":"maybe"}"#).status == 400)
            #expect(try await caller.call(.post, path, #"{"outcome":"accept","after":1}"#).status == 400)
        }
    }

    @Test func `a scenario, a fault and a reset go through`() async throws {
        try await Rig().serve { caller in
            let (caller, id, _) = try await caller.withLogin()
            let scenario = try await caller.call(
                .put,
                "/_mock/scenarios/anna%40example.com",
                #"{"steps":[{"outcome":"accept"}]}"#
            )
            #expect(scenario.status == 200)
            let next = try await caller.startLogin()
            #expect(try await caller.loginStatus(try next.string("TransactionId")).int("Status") == 1)
            _ = try await caller.call(.put, "/_mock/faults", #"{"target":"status","fault":"http_429"}"#)
            let limited = try await caller.loginStatus(id)
            #expect(limited.status == 429)
            #expect(limited.headers[.retryAfter] == "1")
            #expect(try await caller.call(.delete, "/_mock/faults").status == 204)
            #expect(try await caller.loginStatus(id).status == 200)
            #expect(try await caller.call(.post, "/_mock/reset").status == 204)
            #expect(try await caller.loginStatus(id).status == 404)
        }
    }

    @Test func `a page of another site can't steer the mock`() async throws {
        let rig = Rig()
        try await rig.serve { caller in
            try rig.account()
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let answer = try await caller.call(.post, "/_mock/reset", headers: [site: "cross-site"])
            #expect(answer.status == 403)
            #expect(rig.backend.with { state, _ in state.account("a") } != nil)
        }
    }
}

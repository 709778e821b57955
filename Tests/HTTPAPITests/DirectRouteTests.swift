import HTTPTypes
import HummingbirdTesting
import MemoryStore
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A poll is answered without the router where its path is plain; no client may tell the two ways apart.
struct DirectRouteTests {
    @Test(arguments: ["", "/api"])
    func `both ways to a poll answer alike`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let path = prefix + login.pollPath
            let direct = try await harness.send(.get, path)
            #expect(direct.status == .ok)
            // The router takes a path with a query, with an id in another spelling, or with a slash too many.
            for other in [path + "?", path + "?x=1", path + "/"] {
                let routed = try await harness.send(.get, other)
                #expect(routed.status == .ok && routed.text == direct.text, "\(other)")
                #expect(routed.headerNames == direct.headerNames, "\(other)")
            }
            let id = login.answer.operationId
            let shouted = path.replacing(id, with: id.uppercased())
            #expect(try await harness.send(.get, shouted).text == direct.text)
        }
    }

    @Test func `paths that are no poll are answered by the router`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let id = login.answer.operationId
            let polls = "/auth/biometric-login/poll/"
            let unknown = String(id.map { $0.isHexDigit && $0 != "4" ? "0" : $0 })
            for path in [polls + unknown, polls + String(repeating: "x", count: 36), polls + id + "0"] {
                #expect(try await Self.code(harness.send(.get, path)) == "operation_not_found", "\(path)")
            }
            #expect(try await Self.code(harness.send(.delete, polls + id)) == "method_not_allowed")
            #expect(try await Self.code(harness.send(.get, "/other" + polls + id)) == "not_found")
        }
    }

    @Test func `the log names the route of a direct poll, and no id`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            _ = try await harness.poll(login)
            let line = try #require(harness.log.lines.last { $0.message == "request" })
            #expect(line.metadata["route"] == "/auth/biometric-login/poll/{operationId}")
        }
    }

    private static func code(_ response: TestResponse) throws -> String? { try response.json()["code"] as? String }
}

import Kernel
import OAuth
import Outbound
import ScriptedServer
import Testing

@testable import Upstreams

/// How logout tokens reach clients' endpoints, and what their answers mean (Back-Channel Logout §2.5, §2.8).
struct HTTPLogoutSenderTests {
    private static let token = Secret("eyJ0eXAiOiJsb2dvdXQrand0In0.e30.c2ln")

    /// The result of a token to an endpoint that answers so, and the request.
    private static func send(
        _ script: @escaping ScriptedServer.Script
    ) async throws -> (DeliveryOutcome<String>, [ScriptedRequest]) {
        try await ScriptedServer.run(script) { server in
            let outcome = await HTTPLogoutSender(try .loopback).send(token, to: server.url + "/logout?tenant=1")
            return (outcome, server.requests)
        }
    }

    @Test func `a logout token is posted as a form, without credentials`() async throws {
        let (outcome, requests) = try await Self.send { _ in .answer(200) }
        let request = try #require(requests.first)
        #expect(outcome == .delivered && requests.count == 1)
        #expect(request.method == "POST" && request.path == "/logout?tenant=1")
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.text == "logout_token=\(Self.token.expose())")
        #expect(request.header("Authorization") == nil && request.header("Cookie") == nil)
    }

    @Test(arguments: [200, 204])
    func `a client that has ended the session says so`(status: Int) async throws {
        #expect(try await Self.send { _ in .answer(status) }.0 == .delivered)
    }

    @Test func `a token that the client refuses is refused for good`() async throws {
        let (outcome, requests) = try await Self.send { _ in .json(#"{"error":"invalid_request"}"#, status: 400) }
        #expect(outcome == .refused("HTTP 400") && requests.count == 1)
    }

    @Test(arguments: [201, 202, 401, 403, 404, 408, 410, 429, 500, 501, 502, 503])
    func `any other answer is tried again`(status: Int) async throws {
        #expect(try await Self.send { _ in .answer(status) }.0 == .failed("HTTP \(status)"))
    }

    // O-126
    @Test(arguments: [301, 302, 303, 307, 308])
    func `attack: a redirect to the metadata service is not followed`(status: Int) async throws {
        let (outcome, requests) = try await Self.send { _ in
            .answer(status, ["Location": "http://169.254.169.254/latest/meta-data/"])
        }
        guard case .failed = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(requests.count == 1)
    }

    @Test func `attack: a body without end is read no further than its status needs`() async throws {
        #expect(try await Self.send { _ in .flood }.0 == .delivered)
    }

    @Test func `attack: a body that trickles in ends after five seconds`() async throws {
        let clock = LiveClock()
        let begun = clock.now
        let (outcome, _) = try await Self.send { _ in .drip(size: 4000, every: .milliseconds(200)) }
        #expect(outcome == .failed(OutboundError.timeout.description))
        // Much more than the limit, for the busiest machine.
        #expect(clock.now - begun < .seconds(60))
    }
}

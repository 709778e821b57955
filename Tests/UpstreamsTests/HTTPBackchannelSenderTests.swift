import Kernel
import Outbound
import ScriptedServer
import Testing

@testable import OAuth
@testable import Upstreams

/// How notices reach clients' endpoints, and what their answers mean (CIBA Core §10.2, §10.3).
struct HTTPBackchannelSenderTests {
    private static func notice(_ url: String) -> BackchannelNotice {
        BackchannelNotice(
            endpoint: url + "/cb?tenant=1",
            token: Secret("8d67dc78-7faa-4d41-aabd-67707b374255"),
            body: Array(#"{"auth_req_id":"x"}"#.utf8)
        )
    }

    /// The result of a notice to an endpoint that answers so, and the request.
    private static func send(
        _ script: @escaping ScriptedServer.Script
    ) async throws -> (DeliveryOutcome<String>, [ScriptedRequest]) {
        try await ScriptedServer.run(script) { server in
            let outcome = await HTTPBackchannelSender(try .loopback).send(notice(server.url))
            return (outcome, server.requests)
        }
    }

    // T-185
    @Test func `a notice is a post of JSON with the client's own token`() async throws {
        let (outcome, requests) = try await Self.send { _ in .json("{}") }
        let request = try #require(requests.first)
        #expect(outcome == .delivered && requests.count == 1)
        #expect(request.method == "POST" && request.path == "/cb?tenant=1")
        #expect(request.header("Content-Type") == "application/json")
        #expect(request.header("Authorization") == "Bearer 8d67dc78-7faa-4d41-aabd-67707b374255")
        #expect(request.text == #"{"auth_req_id":"x"}"#)
    }

    @Test(arguments: [200, 202, 204])
    func `every kind of yes is one`(status: Int) async throws {
        let (outcome, _) = try await Self.send { _ in .answer(status, [:]) }
        #expect(outcome == .delivered)
    }

    @Test(arguments: [400, 401, 403, 404, 410])
    func `a notice that the client refused is refused for good`(status: Int) async throws {
        let (outcome, requests) = try await Self.send { _ in .answer(status, [:]) }
        #expect(outcome == .refused("HTTP \(status)") && requests.count == 1)
    }

    @Test(arguments: [408, 429, 500, 502, 503])
    func `an endpoint that is out of order, or too busy, may be tried again`(status: Int) async throws {
        let (outcome, _) = try await Self.send { _ in .answer(status, [:]) }
        #expect(outcome == .failed("HTTP \(status)"))
    }

    // T-185, O-102
    @Test(arguments: [301, 302, 307, 308])
    func `attack: a redirect of a notification endpoint is not followed`(status: Int) async throws {
        let (outcome, requests) = try await Self.send { request in
            request.path == "/elsewhere" ? .json("{}") : .answer(status, ["Location": "/elsewhere"])
        }
        guard case .refused = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(requests.map(\.path) == ["/cb?tenant=1"])
    }

    @Test func `an endpoint that is not there may be tried again`() async throws {
        let outcome = try await SilentPort.hold { url in
            await HTTPBackchannelSender(try .loopback).send(Self.notice(url))
        }
        guard case .failed = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    // T-185
    @Test func `attack: a notice to an address that is not public is not sent, and may be tried again`() async throws {
        try await ScriptedServer.run { _ in
            .json("{}")
        } during: { server in
            let http = EndpointHTTP(rule: AddressRule(), clock: LiveClock())
            guard case .failed(let cause) = await HTTPBackchannelSender(http).send(Self.notice(server.url)) else {
                Issue.record("the notice was sent")
                return
            }
            #expect(cause.contains("127.0.0.1"))
            #expect(server.connections == 0)
        }
    }
}

extension EndpointHTTP {
    /// A client that may connect to this machine.
    static var loopback: EndpointHTTP {
        get throws {
            EndpointHTTP(
                OutboundLimits(connectTimeout: .seconds(60)),
                rule: AddressRule(allowing: [try AddressBlock("127.0.0.0/8")]),
                clock: LiveClock()
            )
        }
    }
}

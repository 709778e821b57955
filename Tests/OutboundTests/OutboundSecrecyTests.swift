import Outbound
import ScriptedServer
import Testing

struct OutboundSecrecyTests {
    private static let secret = "s3cr3t-value"

    private let request = OutboundRequest(
        .post,
        .url("https://user:s3cr3t-value@example.com/path?token=s3cr3t-value#s3cr3t-value"),
        headers: [OutboundHeader("Authorization", "Bearer s3cr3t-value")],
        body: Array("s3cr3t-value".utf8),
        timeout: .seconds(60),
        maxResponseBytes: 10
    )

    // T-217
    @Test func `a request prints as its method, host and path`() {
        #expect("\(request)" == "POST https://example.com/path")
        for text in [String(reflecting: request), dumped(request), dumped(request.target)] {
            #expect(!text.contains(Self.secret))
            #expect(!text.contains("115, 51"))
        }
    }

    // T-217
    @Test func `a request to a socket prints without its query`() {
        #expect("\(OutboundTarget.unixSocket(file: "/run/a.sock", path: "/p?q=s3cr3t-value"))" == "/run/a.sock /p")
    }

    // T-217
    @Test func `an answer prints as its status and size`() {
        let answer = OutboundResponse(
            status: 200,
            headers: [OutboundHeader("Set-Cookie", Self.secret)],
            body: Array(Self.secret.utf8)
        )
        #expect("\(answer)" == "HTTP 200, 12 bytes")
        #expect(!dumped(answer).contains(Self.secret))
    }

    // T-217
    @Test(arguments: [
        OutboundRequest(
            .get,
            .url("http://127.0.0.1:9/?t=s3cr3t-value"),
            headers: [OutboundHeader("X", "s3cr3t-value\r\nY: 1")],
            timeout: .seconds(60),
            maxResponseBytes: 10
        ),
        OutboundRequest(
            .get,
            .url("http://127.0.0.1:9/?t=s3cr3t-value"),
            headers: [OutboundHeader("s3cr3t-value ", "1")],
            timeout: .seconds(60),
            maxResponseBytes: 10
        ),
        OutboundRequest(.get, .url("ftp://s3cr3t-value/"), timeout: .seconds(60), maxResponseBytes: 10),
        OutboundRequest(.get, .url("unix:///s3cr3t-value"), timeout: .seconds(60), maxResponseBytes: 10),
        OutboundRequest(.get, .url("http://"), timeout: .seconds(60), maxResponseBytes: 10),
        OutboundRequest(.get, .url("s3cr3t-value"), timeout: .seconds(60), maxResponseBytes: 10),
        OutboundRequest(.get, .unixSocket(file: "", path: "/"), timeout: .seconds(60), maxResponseBytes: 10),
        OutboundRequest(
            .get,
            .unixSocket(file: "/a", path: "s3cr3t-value"),
            timeout: .seconds(60),
            maxResponseBytes: 10
        ),
    ])
    func `a request that can't be sent fails without telling what was in it`(_ request: OutboundRequest) async throws {
        let found = try await OutboundHTTP.use(clock: LiveClock()) { http in
            await #expect(throws: OutboundError.self) { try await http.send(request) }
        }
        guard case .transport = found else {
            Issue.record("got \(String(describing: found))")
            return
        }
        #expect(!"\(String(reflecting: found))".contains(Self.secret))
    }

    // T-217
    @Test func `a failed request does not tell where it went`() async throws {
        let found = try await SilentPort.hold { url in
            var asked = request
            asked.target = .url(url + "/path?token=\(Self.secret)")
            return try await OutboundHTTP.use(clock: LiveClock()) { [asked] http in
                await #expect(throws: OutboundError.self) { try await http.send(asked) }
            }
        }
        #expect(!"\(String(reflecting: found))".contains(Self.secret))
    }

    private func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}

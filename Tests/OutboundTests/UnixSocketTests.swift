import Foundation
import Outbound
import ScriptedServer
import Testing

struct UnixSocketTests {
    private let clock = LiveClock()

    private func request(_ file: String, _ path: String) -> OutboundRequest {
        OutboundRequest(
            .post,
            .unixSocket(file: file, path: path),
            headers: [OutboundHeader("Content-Type", "text/plain")],
            body: Array("ping".utf8),
            timeout: .seconds(60),
            maxResponseBytes: 1024
        )
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        // Not in the package's folder: a socket's path may have 107 bytes only (unix(7)).
        let folder = FileManager.default.temporaryDirectory.appending(path: "vst \(UUID().uuidString.prefix(8)) ä%")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path(percentEncoded: false))
    }

    @Test func `a request reaches the server behind a socket file, whatever its name`() async throws {
        try await withFolder { folder in
            let file = folder + "/admin socket.sock"
            try await ScriptedServer.run(at: .unixSocket(file)) { _ in
                .answer(200, body: "pong")
            } during: { server in
                let answer = try await OutboundHTTP.use(clock: clock) { http in
                    try await http.send(request(file, "/admin/accounts?limit=3"))
                }
                #expect(String(decoding: answer.body, as: UTF8.self) == "pong")
                let seen = try #require(server.requests.first)
                #expect(seen.method == "POST")
                #expect(seen.path == "/admin/accounts?limit=3")
                #expect(seen.text == "ping")
                #expect(seen.header("Host") == "localhost")
            }
        }
    }

    @Test func `without a daemon it is a connect failure`() async throws {
        try await withFolder { folder in
            let found = try await OutboundHTTP.use(clock: clock) { http in
                await #expect(throws: OutboundError.self) { try await http.send(request(folder + "/none.sock", "/")) }
            }
            guard case .connect = found else {
                Issue.record("got \(String(describing: found))")
                return
            }
        }
    }

    @Test func `a file that nobody listens on any more is a connect failure`() async throws {
        try await withFolder { folder in
            let file = folder + "/stale.sock"
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            let found = try await OutboundHTTP.use(clock: clock) { http in
                await #expect(throws: OutboundError.self) { try await http.send(request(file, "/")) }
            }
            guard case .connect = found else {
                Issue.record("got \(String(describing: found))")
                return
            }
        }
    }

    @Test func `a path that is too long for a socket is a connect failure`() async throws {
        let file = "/tmp/" + String(repeating: "x", count: 200)
        let found = try await OutboundHTTP.use(clock: clock) { http in
            await #expect(throws: OutboundError.self) { try await http.send(request(file, "/")) }
        }
        guard case .connect = found else {
            Issue.record("got \(String(describing: found))")
            return
        }
    }
}

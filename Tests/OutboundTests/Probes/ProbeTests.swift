import Foundation
import Kernel
import ScriptedServer
import Testing

@testable import Outbound

/// What a look from outside finds, of servers in order and of those that are not.
struct ProbeTests {
    private static let limit: Duration = .seconds(20)

    @Test func `the dates of a certificate that nobody trusts are read, and nothing is asked`() async throws {
        let expected = CertificateDates(
            notBefore: try #require(InternetTimestamp.parse("2026-11-21T06:57:41Z")),
            notAfter: try #require(InternetTimestamp.parse("2126-10-28T06:57:41Z"))
        )
        try await ScriptedServer.run(at: .loopbackTLS) { _ in
            .json("{}")
        } during: { server in
            let port = try #require(URL(string: server.url)?.port)
            for host in ["127.0.0.1", "localhost"] {
                #expect(await CertificateDates.server(host, port: port, within: Self.limit) == expected)
            }
            #expect(server.requests.isEmpty)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pem")
        try Data(UntrustedCertificate.certificatePEM.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(CertificateDates.file(file.path()) == expected)
    }

    @Test func `a server without TLS, a silent one and none at all have no certificate, and soon`() async throws {
        try await ScriptedServer.run { _ in
            .json("{}")
        } during: { server in
            let port = try #require(URL(string: server.url)?.port)
            #expect(await CertificateDates.server("127.0.0.1", port: port, within: .seconds(2)) == nil)
        }
        try await SilentPort.hold { url in
            let port = try #require(URL(string: url)?.port)
            #expect(await CertificateDates.server("127.0.0.1", port: port, within: Self.limit) == nil)
        }
        #expect(CertificateDates.file("/nonexistent.pem") == nil)
    }

    @Test func `a name is looked up, and an unknown one has no address`() async {
        #expect(await HostLookup.addresses(of: "localhost", within: Self.limit)?.isEmpty == false)
        #expect(await HostLookup.addresses(of: "127.0.0.1", within: Self.limit) == ["127.0.0.1"])
        let unknown = await HostLookup.addresses(of: "nobody.invalid", within: Self.limit)
        #expect(unknown == nil || unknown == [])
    }

    @Test func `a server of this machine is asked with its certificate as it is`() async throws {
        let body = try await ScriptedServer.run(at: .loopbackTLS) { request in
            .json(#"{"path":"\#(request.path)"}"#)
        } during: { server in
            let port = try #require(URL(string: server.url)?.port)
            let own = OwnServer(listening: "127.0.0.1", port: port, isTLS: true)
            return try await own.get("/readyz", within: Self.limit, clock: LiveClock()).body
        }
        #expect(String(decoding: body, as: UTF8.self) == #"{"path":"/readyz"}"#)
    }
}

import ArgumentParser
import Foundation
import Kernel
import Outbound
import ScriptedServer
import Testing

@testable import Assembly
@testable import Vestibule

/// What `vestibule health` and `vestibule version` say of a daemon.
struct HealthCommandTests {
    private static func body(status: String, draining: Bool = false, mock: String = "ok") -> String {
        #"{"status":"\#(status)","store":"ok","draining":\#(draining),"providers":{"mock":"\#(mock)"},"circuits":{}}"#
    }

    private static func ask(
        _ body: String,
        status: Int,
        at place: ScriptedServer.Place = .loopback
    ) async throws
        -> HealthCommand.Outcome
    {
        try await ScriptedServer.run(at: place) { request in
            request.path == "/readyz" ? .json(body, status: status) : .json("{}", status: 404)
        } during: { server in
            let url = try #require(URL(string: server.url))
            let own = OwnServer(listening: "0.0.0.0", port: try #require(url.port), isTLS: url.scheme == "https")
            let readiness = await Readiness.ask(own, within: .seconds(10), clock: LiveClock())
            return HealthCommand.Outcome(readiness, url: own.url("/readyz"))
        }
    }

    @Test func `a daemon that is ready ends the command with 0, and a degraded provider is named`() async throws {
        let ready = try await Self.ask(Self.body(status: "ready"), status: 200)
        #expect(ready.status == "ready" && ready.exit == nil && ready.sentence == "Ready.")
        let degraded = try await Self.ask(Self.body(status: "ready", mock: "degraded"), status: 200)
        #expect(degraded.exit == nil && degraded.sentence == "Ready. Degraded providers: mock.")
    }

    @Test func `a daemon that is not ready ends the command with 1 and the reason`() async throws {
        let stopping = try await Self.ask(Self.body(status: "unavailable", draining: true), status: 503)
        #expect(stopping.exit?.code == 1 && stopping.sentence == "Not ready: the daemon is stopping.")
        let unwritable = try await Self.ask(Self.body(status: "unavailable"), status: 503)
        #expect(unwritable.exit?.code == 1 && unwritable.sentence.contains("the database cannot be used"))
    }

    @Test(arguments: [
        ("drained", "an operator drained the daemon, and `vestibule nodes drain --undo` brings it back"),
        ("skewed", "the clock differs from the database server's"),
        (
            "unheard",
            "other daemons of the database have another storage.postgres.notices, and this one has to be restarted with theirs"
        ),
        ("unavailable", "the database cannot be used, and the daemon's log has the cause"),
    ])
    func `the reason for which a daemon is not ready is told`(reason: String, sentence: String) async throws {
        let body = #"{"status":"unavailable","store":"ok","draining":false,"reason":"\#(reason)","providers":{}}"#
        let outcome = try await Self.ask(body, status: 503)
        #expect(outcome.exit?.code == 1 && outcome.sentence == "Not ready: \(sentence).")
    }

    @Test(arguments: [("{}", 200), ("not found", 404), ("<html>", 503)])
    func `an answer of another program ends the command with 69`(body: String, status: Int) async throws {
        let outcome = try await Self.ask(body, status: status)
        #expect(outcome.exit?.code == 69 && outcome.sentence.contains("HTTP \(status)"), "\(outcome)")
    }

    @Test func `nobody who listens ends the command with 69`() async throws {
        let silent = OwnServer(listening: "127.0.0.1", port: 1, isTLS: false)
        let readiness = await Readiness.ask(silent, within: .seconds(5), clock: LiveClock())
        let outcome = HealthCommand.Outcome(readiness, url: silent.url("/readyz"))
        #expect(outcome.exit?.code == 69 && outcome.sentence.hasPrefix("http://127.0.0.1:1/readyz does not answer"))
    }

    @Test func `on this machine the certificate is taken as it is, over the network it is not`() async throws {
        let body = Self.body(status: "ready")
        #expect(try await Self.ask(body, status: 200, at: .loopbackTLS).exit == nil)
        let readiness = try await ScriptedServer.run(at: .loopbackTLS) { _ in
            .json(body)
        } during: { server in
            await Readiness.ask(server.url + "/readyz", within: .seconds(10), clock: LiveClock())
        }
        guard case .unreachable(let reason) = readiness else {
            Issue.record("\(readiness)")
            return
        }
        #expect(reason.contains("not trusted"))
    }

    @Test(arguments: [
        ("0.0.0.0", "http://127.0.0.1:8443/readyz"), ("::", "http://[::1]:8443/readyz"),
        ("10.0.0.5", "http://10.0.0.5:8443/readyz"), ("localhost", "http://localhost:8443/readyz"),
    ])
    func `an address that stands for all is asked at loopback`(host: String, url: String) {
        #expect(OwnServer(listening: host, port: 8443, isTLS: false).url("/readyz") == url)
    }

    @Test(arguments: [["--timeout", "0"], ["--timeout", "61"], ["--url", "https://a.example", "--data", "d"]])
    func `options that do not go together are refused`(_ words: [String]) {
        #expect(throws: (any Error).self) { try HealthCommand.parse(words) }
    }

    @Test func `the version says its commit, and a build of no package that it is unknown`() throws {
        #expect(Version.current.version == Version.number)
        let isStamped = BuildStamp.commit.count == 40 && BuildStamp.commit.allSatisfy(\.isHexDigit)
        #expect(isStamped || (BuildStamp.commit == "unknown" && BuildStamp.date == "unknown"))
        #expect(isStamped || BuildStamp.version.hasSuffix("-dev"))
    }
}

import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// TLS, with a certificate that is renewed while the daemon runs.
    @Suite(.enabled(if: Programs.isInstalled("openssl"), "openssl is not installed (apt-get install openssl)"))
    struct TLS {
        // O-090
        @Test func `a renewed certificate is served from the next handshake on`() async throws {
            try await TestFolder.use { pairs in
                let (certificate, key) = (pairs["certificate.pem"], pairs["key.pem"])
                try await makePair(certificate, key)
                let settings = ["tls.certificate=\(certificate)", "tls.key=\(key)"]
                try await Fixture.run(settings) { fixture in
                    let port = fixture.daemon.port
                    #expect(fixture.daemon.url.hasPrefix("https://"))
                    let first = try await servedFingerprint(port)
                    #expect(try await fingerprint(of: certificate) == first)
                    let live = try await ask(port)
                    #expect(live.contains("200 OK") && live.contains("Strict-Transport-Security"), "\(live)")

                    try await makePair(certificate, key)
                    let renewed = try await fingerprint(of: certificate)
                    #expect(renewed != first)
                    #expect(try await servedFingerprint(port) == first)
                    fixture.daemon.program?.send(signal: SIGHUP)
                    try await eventually("the new certificate") { try await servedFingerprint(port) == renewed }

                    // A pair that does not fit together is refused, and the good one stays.
                    try Data("nothing".utf8).write(to: URL(filePath: key))
                    fixture.daemon.program?.send(signal: SIGHUP)
                    try await eventually("a complaint") {
                        fixture.daemon.program?.log.error.contains("stopped at an error") == true
                    }
                    #expect(try await servedFingerprint(port) == renewed)
                    #expect(fixture.daemon.program?.end == nil)
                }
            }
        }

        @Test func `an invalid certificate keeps the daemon from starting`() async throws {
            try await TestFolder.use { folder in
                let certificate = try folder.write("certificate.pem", "nothing")
                let key = try folder.write("key.pem", "nothing")
                chmod(key, 0o600)
                let settings = ["tls.certificate=\(certificate)", "tls.key=\(key)", "listen.port=0"]
                let words = ["serve", "--data", folder["data"]] + settings.flatMap { ["--set", $0] }
                let run = try await CommandRun.run(Programs.daemon, words, within: .seconds(60))
                #expect(run.code == 78 && run.complaint.contains("tls.certificate: \(certificate) holds no"), "\(run)")
                let check = ["config", "check", "--data", folder["data"]] + settings.flatMap { ["--set", $0] }
                let checked = try await CommandRun.run(Programs.daemon, check)
                #expect(checked.code == 78 && checked.output.isEmpty, "\(checked)")
            }
        }

        private func makePair(_ certificate: String, _ key: String) async throws {
            let words = [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key,
                "-out", certificate,
            ]
            let run = try await CommandRun.run("openssl", words)
            guard run.code == 0 else { throw ExpectationError("\(run)") }
        }

        private func servedFingerprint(_ port: Int) async throws -> String {
            let run = try await CommandRun.run(
                "openssl",
                ["s_client", "-connect", "127.0.0.1:\(port)", "-servername", "localhost"]
            )
            return try await fingerprint(["-noout", "-fingerprint", "-sha256"], input: run.output)
        }

        private func fingerprint(of file: String) async throws -> String {
            try await fingerprint(["-noout", "-fingerprint", "-sha256", "-in", file])
        }

        private func fingerprint(_ words: [String], input: String = "") async throws -> String {
            let run = try await CommandRun.run("openssl", ["x509"] + words, input: input)
            guard run.code == 0 else { throw ExpectationError("\(run)") }
            return run.output
        }

        /// A request over TLS.
        private func ask(_ port: Int) async throws -> String {
            try await CommandRun.run(
                "openssl",
                ["s_client", "-quiet", "-connect", "127.0.0.1:\(port)", "-servername", "localhost"],
                input: "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            ).output
        }
    }
}

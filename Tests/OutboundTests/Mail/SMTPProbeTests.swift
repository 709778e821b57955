import Foundation
import Kernel
import Mail
import MailServer
import ScriptedServer
import Testing

@testable import Outbound

/// A mail server that is looked at without a mail.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SMTPProbeTests {
    private let folder: MailFolder

    init() throws { folder = try MailFolder() }

    private func configuration(
        port: Int,
        _ security: SMTPConfiguration.Security,
        caFile: String?
    ) throws
        -> SMTPConfiguration
    {
        SMTPConfiguration(
            host: "localhost",
            port: port,
            security: security,
            credentials: .init(user: "vestibule", password: Secret("a wrong one")),
            caFile: caFile,
            connectTimeout: .seconds(20),
            timeout: .seconds(20),
            sender: try #require(MailAddress(parsing: "no-reply@sender.example.com"))
        )
    }

    @Test(arguments: [SMTPConfiguration.Security.implicit, .starttls])
    func `a server that greets and encrypts is well, without a sign-in and without a mail`(
        _ security: SMTPConfiguration.Security
    ) async throws {
        let server = try await MailServer(
            security == .implicit ? .implicit : .starttls,
            in: folder,
            signIn: ("vestibule", "open sesame")
        )
        let trusted = try await folder.certificate().certificate
        #expect(await SMTPProbe.failure(of: try configuration(port: server.port, security, caFile: trusted)) == nil)
        #expect(try server.taken.isEmpty)
    }

    @Test func `a certificate that nobody vouches for is a fault of the config`() async throws {
        let server = try await MailServer(.starttls, in: folder)
        let other = try await folder.certificate(named: "other").certificate
        let failure = await SMTPProbe.failure(of: try configuration(port: server.port, .starttls, caFile: other))
        #expect(failure?.kind == .configuration)
    }

    @Test func `nobody who listens is a failure that may pass`() async throws {
        try await SilentPort.hold { url in
            let port = try #require(URL(string: url)?.port)
            let failure = await SMTPProbe.failure(of: try configuration(port: port, .starttls, caFile: nil))
            #expect(failure?.kind == .temporary && failure?.reply == nil)
        }
    }
}
